"""Tables of the Data page: the files that were read, the judged shares, the samples."""

from collections.abc import Mapping

import pandas as pd

from ..auditing.coverage import Coverage
from ..data import Pairs
from ..dataset import Dataset
from ..judging.judged import JudgedRankings


def dataset(loaded: Dataset, seen: Mapping[str, Coverage]) -> pd.DataFrame:
    """Return one row per file: its contents, and how they match the qrels.

    What no file has, such as tied rows, has no column.
    """
    qrels = loaded.qrels
    rows = [_file("qrels", qrels)]
    rows += [
        _file(f"run {number}", run) | _matched(seen[run.name])
        for number, run in enumerate(loaded.runs, 1)
    ]
    rows += [
        _kept(f"judged {number}", judged, seen[judged.name]) | _matched(seen[judged.name])
        for number, judged in enumerate(loaded.judged, 1)
    ]
    rare = dict.fromkeys(name for of in seen.values() for name in _rare(of))
    table = pd.DataFrame(rows).set_index("what").convert_dtypes()
    return table.drop(columns=[name for name in rare if not table[name].any()])


def unjudged(loaded: Dataset) -> pd.DataFrame:
    """Return one row per run of data without judgments."""
    rows = [_file(f"run {number}", run) for number, run in enumerate(loaded.runs, 1)]
    return pd.DataFrame(rows).set_index("what")


def _matched(of: Coverage) -> dict[str, object]:
    """Return how a ranking matches the qrels."""
    return {
        "judged queries": len(of.shared),
        f"judged % of top {of.k}": 100 * of.share,
        **_rare(of),
    }


def _rare(of: Coverage) -> dict[str, int | None]:
    """Return what a run should not have, such as tied rows."""
    return {
        "unjudged queries": len(of.only_run),
        "tied rows": of.tied,
        f"ties across rank {of.k}": of.cut,
    }


def judged(seen: Mapping[str, Coverage]) -> pd.DataFrame:
    """Return the judged share of each query's top by run, the lowest first."""
    shares = {f"{name}, judged % of top {of.k}": 100 * of.judged for name, of in seen.items()}
    frame = pd.DataFrame(shares).rename_axis("query")
    least = frame.min(axis=1).sort_values(kind="stable").index
    return frame.loc[least]


_COLUMNS = ("what", "name", "queries", "rows", "values")


def _file(what: str, pairs: Pairs) -> dict[str, object]:
    low, high = (f"{value:g}" for value in (pairs.value.min(), pairs.value.max()))
    values = what, pairs.name, len(pairs.queries), len(pairs), f"{low} to {high}"
    return dict(zip(_COLUMNS, values, strict=True))


def _kept(what: str, judged: JudgedRankings, of: Coverage) -> dict[str, object]:
    """Return the counts of judged rankings; their scores are not kept."""
    queries, rows = len(of.shared) + len(of.only_run), int(judged.retrieved.sum())
    return dict(zip(_COLUMNS, (what, judged.name, queries, rows, "–"), strict=True))
