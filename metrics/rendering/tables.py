"""Tables of one ranking as they are shown on screen; without streamlit."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ..conventions.discounts import DISCOUNTS
from ..editing.hand_ranking import HandRanking
from ..measures.ledger import Ledger
from ..writing.labels import LABELS


def ledger(entry: Ledger, query: str, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return one query's ledger with its column titles, and the documents' texts if any."""
    frame = entry.table(query)
    if "gain" in frame and frame["gain"].equals(frame["grade"].fillna(0.0)):
        del frame["gain"]
    if texts:
        frame["text"] = [texts.get(document, "") for document in frame["document"]]
    plain = entry.convention.discount == "log2" and entry.convention.ties != "mean"
    labels = LABELS if plain else LABELS | {"discount": "discount"}
    return frame.set_axis([labels.get(name, name) for name in frame.columns], axis="columns")


def ideal(entry: Ledger, query: str, ranking: HandRanking) -> pd.DataFrame:
    """Return the ideal ranking's ledger, with each document's rank in this ranking."""
    frame = ledger(entry, query, {})
    for name in {LABELS[name] for name in DISCOUNTS} & {*frame.columns}:
        del frame[name]
    ranks = {e.document: str(rank) for rank, e in enumerate(ranking.retrieved, 1)}
    frame.insert(1, "ranked at", [ranks.get(d, "–") for d in frame["document"]])
    return frame


def editor(ranking: HandRanking, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return the ranking to edit, by document; the rank is empty if it is not retrieved."""
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
    """Return the rank of a document in a ledger's table; None if it has no line."""
    ranks = lines.index[lines["document"] == document].tolist()
    return int(ranks[0]) if ranks else None
