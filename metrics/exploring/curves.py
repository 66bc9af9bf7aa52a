"""Curves of one ranking: the loss through its order, scores by cutoff, AP as an area, changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from ..arrays import pd
from ..editing.edits import best_first, ideal
from ..editing.hand_ranking import HandRanking
from ..matching import JudgedRankings
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import trace
from ..scoring.naming import parse

ROUNDS_TO_0 = 5e-5
"""A smaller difference is 0 to four decimals."""


def by_document(before: pd.DataFrame, after: pd.DataFrame) -> pd.Series[float]:
    """Return the change of each document's contribution, from two ledgers' tables of one query."""
    found: dict[str, float] = {}
    for sign, table in ((-1.0, before), (1.0, after)):
        # An ideal ranking can list a document twice.
        for document, earned in zip(table["document"], table["contribution"], strict=True):
            found[document] = found.get(document, 0.0) + sign * earned
    return pd.Series(dict(sorted(found.items())), dtype=float).rename_axis("document")


def largest(
    differences: pd.Series[float], most: int = 3
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Split differences into the largest and the others; those that print as 0 are dropped.

    Examples
    --------
    >>> import pandas as pd
    >>> first, others = largest(pd.Series({"a": 0.1, "b": -0.5, "c": 1e-9, "d": 0.2}), 2)
    >>> first.to_dict(), others.to_dict()
    ({'b': -0.5, 'd': 0.2}, {'a': 0.1})
    """
    noted = differences[differences.abs() >= ROUNDS_TO_0]
    ordered = noted.sort_values(key=abs, ascending=False, kind="stable")
    return ordered[:most], ordered[most:]


@dataclass(frozen=True)
class Losses:
    """The loss of a ranking against the ideal: through its order, and through missing documents.

    Attributes
    ----------
    ideal, best_order, ranking
        Running totals by rank: of all judged documents best first, of the retrieved ones best
        first, and of the ranking itself.
    """

    ideal: pd.Series[float]
    best_order: pd.Series[float]
    ranking: pd.Series[float]

    @property
    def order(self) -> float:
        """The loss of score through the order of the retrieved documents."""
        return _end(self.best_order) - _end(self.ranking)

    @property
    def missing(self) -> float:
        """The loss of score through judged documents that are not retrieved."""
        return _end(self.ideal) - _end(self.best_order)


def losses(ranking: HandRanking, ledger: Ledger) -> Losses:
    """Return the loss of a ranking through its order and through documents not retrieved.

    ``ledger`` is the ranking's own; its measure and convention also score the other two rankings.

    Examples
    --------
    >>> ranking = HandRanking.of("q", {"a": 1, "b": 1}, ["x", "a"])
    >>> found = losses(ranking, ranking.ledger("P@2"))
    >>> found.order, found.missing
    (0.0, 0.5)
    """
    query, qrels = ranking.query, ranking.qrels

    def totals(of: HandRanking) -> pd.Series[float]:
        # All three use the ranking's judgments, so that they have the same ideal.
        return trace(qrels, of.run, ledger.measure, query, ledger.judged.convention).table(query)[
            "running"
        ]

    return Losses(
        totals(ideal(ranking)), totals(best_first(ranking)), ledger.table(query)["running"]
    )


def _end(totals: pd.Series[float]) -> float:
    return float(totals.iloc[-1]) if len(totals) else 0.0


def by_cutoff(judged: JudgedRankings, symbols: Sequence[str], last: int) -> pd.DataFrame:
    """Return one query's scores at the cutoffs 1 to ``last``: one column per measure's symbol.

    Examples
    --------
    >>> judged = HandRanking.of("q", {"a": 1}, ["x", "a"]).ledger("AP").judged
    >>> by_cutoff(judged, ["P", "RR"], 2)["P"].tolist()
    [0.0, 0.5]
    """
    columns = {
        symbol: [float(_cut(symbol, k).ledger(judged).scores[0]) for k in range(1, last + 1)]
        for symbol in symbols
    }
    return pd.DataFrame(columns, index=pd.RangeIndex(1, last + 1, name="k"))


# Cached, because reading a measure's name takes half as long as the ledger of a short ranking.
@cache
def _cut(symbol: str, k: int) -> Measure:
    return parse(f"{symbol}@{k}")


def precision_recall(ledger: Ledger, query: str) -> pd.DataFrame:
    """Return the rectangles whose areas sum to AP: one row per relevant document, by its rank.

    The ledger is one of AP. A row has the recall before the document and with it, and the precision
    at its rank.

    Examples
    --------
    >>> ledger = HandRanking.of("q", {"a": 1, "b": 1}, ["x", "a"]).ledger("AP")
    >>> precision_recall(ledger, "q").loc[2].to_dict()
    {'before': 0.0, 'recall': 0.5, 'precision': 0.5}
    """
    lines = ledger.table(query)
    relevant = lines[lines["relevant"] > 0]
    number = ledger.judged.queries.index(query)
    whole = float(ledger.measure.to_find(ledger.judged, ledger.convention)[number])
    recall = relevant["seen"] / whole
    return pd.DataFrame(
        {
            "before": recall - 1 / whole,
            "recall": recall,
            "precision": relevant["seen"] / relevant.index,
        }
    )
