"""Queries whose score changed, each with the documents that lose most and their ledger lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow.compute as pc

from ..arrays import pd, take
from ..comparing.comparison import Comparison, ranked
from ..comparing.significance import TIE
from ..measures.ledger import Ledger

DOCUMENTS = 3
"""At most this many documents are named for each query."""


@dataclass(frozen=True, eq=False)
class Place:
    """One document in one run: its line of the ledger.

    Attributes
    ----------
    rank
        Its rank; None where the run does not retrieve it.
    working
        The columns that lead to its contribution (gain, discount …), by name; empty without a
        line, as below the cutoff.
    contribution
        Its part of the query's score; 0 without a line.
    """

    rank: int | None
    working: Mapping[str, float]
    contribution: float


@dataclass(frozen=True, eq=False)
class DocumentChange:
    """One document's part in the change of a query's score.

    Attributes
    ----------
    document
        Its id; in parentheses what is no document, such as a difference of the ideals.
    is_ranked
        Whether it is a document that a run ranks.
    grade
        Its grade; NaN where it has none.
    baseline, new
        Its line under each run.
    delta
        Its part of the delta, new − baseline. Where the ideals differ, this is not the difference
        of the contributions.
    """

    document: str
    is_ranked: bool
    grade: float
    baseline: Place
    new: Place
    delta: float


@dataclass(frozen=True, eq=False)
class QueryChange:
    """The change of one query's score in one measure.

    Attributes
    ----------
    query, measure
        The query and the measure.
    baseline, new, delta
        The scores, and new − baseline.
    documents
        The documents that lose most, the largest loss first, at most `DOCUMENTS`.
    """

    query: str
    measure: str
    baseline: float
    new: float
    delta: float
    documents: tuple[DocumentChange, ...] = ()

    @property
    def is_drop(self) -> bool:
        """Whether the score is lower than before, by more than rounding."""
        return self.delta < -TIE


def changes(
    compared: Comparison, measure: str, queries: Sequence[str], opened: int | None = None
) -> tuple[QueryChange, ...]:
    """Return the change of each of these queries, in their order.

    ``opened``: only this many of the largest drops get their documents; by default all drops do.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}})
    >>> a, b = Run.from_dict({"q1": {"x": 2, "y": 1}}), Run.from_dict({"q1": {"y": 2, "x": 1}})
    >>> (change,) = changes(compare(qrels, a, b, "RR"), "RR", ["q1"])
    >>> change.delta, change.documents[0].document, change.documents[0].new
    (-0.5, 'x', Place(rank=2, working={'relevant': 1, 'first': 1}, contribution=0.5))
    """
    frame = compared.per_query(measure).loc[list(queries)]
    drops = frame["delta"][frame["delta"] < -TIE].sort_values(kind="stable").index[:opened]
    documents = _documents(compared, measure, drops.tolist())
    return tuple(
        QueryChange(str(query), measure, a, b, delta, documents.get(str(query), ()))
        for query, a, b, delta in frame[["A", "B", "delta"]].itertuples()
    )


def _documents(
    compared: Comparison, measure: str, queries: Sequence[str]
) -> dict[str, tuple[DocumentChange, ...]]:
    """Return the documents that lose most in each query, the largest loss first."""
    if not queries:
        return {}
    bars = compared.only(queries).documents(measure)
    bars = bars.assign(ranked=ranked(bars))[bars["delta"] < -TIE]
    bars = bars.sort_values("delta", kind="stable").groupby("query", sort=False).head(DOCUMENTS)
    a, b = compared.a.ledgers[measure], compared.b.ledgers[measure]
    found: dict[str, list[DocumentChange]] = {}
    for row in bars.to_dict("records"):
        query, document, is_ranked = row["query"], row["document"], bool(row["ranked"])
        change = DocumentChange(
            document,
            is_ranked,
            row["grade"],
            baseline=_place(a, query, document, row["rank A"]) if is_ranked else _NOWHERE,
            new=_place(b, query, document, row["rank B"]) if is_ranked else _NOWHERE,
            delta=row["delta"],
        )
        found.setdefault(query, []).append(change)
    return {query: tuple(each) for query, each in found.items()}


_NOWHERE = Place(None, {}, 0.0)


def _place(ledger: Ledger, query: str, document: str, rank: Any) -> Place:
    """Return a document's line in a ledger; ``rank`` is a missing value where there is none."""
    if pd.isna(rank):
        return _NOWHERE
    rows = np.flatnonzero(ledger.hits.query == ledger.place(query))
    rows = rows[np.array(pc.equal(take(ledger.hits.document, rows), document).to_pylist(), bool)]
    # In a doubled ideal a document has two lines, whose working is not that of their sum.
    working = {
        name: column[rows[0]].item() for name, column in ledger.working.items() if len(rows) == 1
    }
    return Place(int(rank), working, float(ledger.contribution[rows].sum()))
