"""Tables as DataFrames with the words people read; no streamlit here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import pandas as pd

from metrics import Dataset, Ledger, Qrels
from metrics.auditing.coverage import Coverage
from metrics.conventions.discounts import DISCOUNTS
from metrics.data import Pairs
from metrics.editing.hand_ranking import HandRanking
from metrics.teaching.samples import Sample
from metrics.writing.labels import LABELS

# Ledger columns as textbooks write them; a column that is not named here keeps its own name.


def ledger(entry: Ledger, query: str, texts: Mapping[str, str]) -> pd.DataFrame:
    """One query's ledger as it is shown, with the documents' texts where there are any."""
    frame = entry.table(query)
    if "gain" in frame and frame["gain"].equals(frame["grade"].fillna(0.0)):
        del frame["gain"]
    if texts:
        frame["text"] = [texts.get(document, "") for document in frame["document"]]
    plain = entry.convention.discount == "log2" and entry.convention.ties != "mean"
    labels = LABELS if plain else LABELS | {"discount": "discount"}
    return frame.set_axis([labels.get(name, name) for name in frame.columns], axis="columns")


def ideal(entry: Ledger, query: str, ranking: HandRanking) -> pd.DataFrame:
    """The ideal's ledger, with the rank at which the ranking really has each document."""
    frame = ledger(entry, query, {})
    for name in {LABELS[name] for name in DISCOUNTS} & {*frame.columns}:
        del frame[name]
    ranks = {e.document: str(rank) for rank, e in enumerate(ranking.retrieved, 1)}
    frame.insert(1, "ranked at", [ranks.get(d, "–") for d in frame["document"]])
    return frame


def editor(ranking: HandRanking, texts: Mapping[str, str]) -> pd.DataFrame:
    """The ranking as it is edited: index document; rank empty when it was not retrieved."""
    frame = pd.DataFrame(
        {
            "rank": pd.array(
                [*range(1, len(ranking.retrieved) + 1), *[None] * len(ranking.unretrieved)],
                dtype="Int64",
            ),
            "grade": pd.array([e.grade for e in ranking.entries], dtype="Float64"),
        },
        index=pd.Index([e.document for e in ranking.entries], name="document", dtype=str),
    )
    return frame.assign(text=[texts.get(name, "") for name in frame.index]) if texts else frame


def rank_of(lines: pd.DataFrame, document: str | None) -> int | None:
    """The rank of a document in a ledger's table; None when it has no line."""
    ranks = lines.index[lines["document"] == document].tolist()
    return int(ranks[0]) if ranks else None


def scale(qrels: Qrels) -> tuple[float, ...]:
    """The grades that a document may get: every one in use, whole numbers without gaps."""
    used = set(qrels.value.tolist()) | {0.0}
    if all(grade == int(grade) for grade in used):
        used |= set(map(float, range(int(max(used)) + 1)))
    return tuple(sorted(used))


def dataset(given: Dataset, seen: Mapping[str, Coverage]) -> pd.DataFrame:
    """What was read and what of it belongs together: one row per file."""
    qrels = given.qrels
    rows = [_file("qrels", qrels)]
    for number, run in enumerate(given.runs, 1):
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
    """The judged share of each query's top by run, the least first."""
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


def samples(given: Iterable[Sample]) -> pd.DataFrame:
    """The catalogue: one row per sample."""
    rows = [
        {
            "sample": sample.title,
            "source": sample.source,
            "queries": len(sample.load().qrels.queries),
            "runs": len(sample.load().runs),
        }
        for sample in given
    ]
    return pd.DataFrame(rows).set_index("sample")
