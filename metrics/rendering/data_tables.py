"""Tables of the Data page: the files that were read, the judged shares, the samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from ..auditing.coverage import Coverage
from ..data import Pairs
from ..dataset import Dataset
from ..teaching.samples import Sample


def dataset(loaded: Dataset, seen: Mapping[str, Coverage]) -> pd.DataFrame:
    """Return one row per file: its contents, and how they match the qrels."""
    qrels = loaded.qrels
    rows = [_file("qrels", qrels)]
    for number, run in enumerate(loaded.runs, 1):
        of = seen[run.name]
        rows.append(
            _file(f"run {number}", run)
            | {
                "judged queries": f"{len(of.shared):,} of {len(qrels.queries):,}",
                "not judged": f"{len(of.only_run):,}",
                f"judged % of top {of.k}": 100 * of.share,
                "tied rows": f"{of.tied:,}",
                f"ties across rank {of.k}": f"{of.cut:,}",
            }
        )
    return pd.DataFrame(rows).set_index("what").fillna({"judged queries": "–"})


def judged(seen: Mapping[str, Coverage]) -> pd.DataFrame:
    """Return the judged share of each query's top by run, the lowest first."""
    shares = {f"{name}, judged % of top {of.k}": 100 * of.judged for name, of in seen.items()}
    frame = pd.DataFrame(shares).rename_axis("query")
    least = frame.min(axis=1).sort_values(kind="stable").index
    return frame.loc[least]


def _file(what: str, pairs: Pairs) -> dict[str, object]:
    low, high = (f"{value:g}" for value in (pairs.value.min(), pairs.value.max()))
    return {
        "what": what,
        "name": pairs.name,
        "queries": len(pairs.queries),
        "rows": len(pairs),
        "values": f"{low} to {high}",
    }


def samples(catalogue: Iterable[Sample]) -> pd.DataFrame:
    """Return the catalogue: one row per sample."""
    rows = [
        {
            "sample": sample.title,
            "source": sample.source,
            "queries": len(sample.load().qrels.queries),
            "runs": len(sample.load().runs),
        }
        for sample in catalogue
    ]
    return pd.DataFrame(rows).set_index("sample")
