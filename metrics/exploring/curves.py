"""One ranking as curves: what its order costs, its scores by cutoff, AP as an area."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..conventions.convention import TREC_EVAL, Convention
from ..editing.edits import best_first, ideal
from ..editing.hand_ranking import HandRanking
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import evaluate, trace

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Losses:
    """What a ranking falls short of the ideal by: through its order, and through missing documents.

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
        """The score that the order of the retrieved documents costs."""
        return _end(self.best_order) - _end(self.ranking)

    @property
    def missing(self) -> float:
        """The score that the judged documents cost that are not retrieved."""
        return _end(self.ideal) - _end(self.best_order)


def losses(ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL) -> Losses:
    """Return what a ranking loses by its order and by documents that are not retrieved.

    Raises
    ------
    DataError
        When no document is judged.
    MeasureError
        When the measure cannot score the ranking.

    Examples
    --------
    >>> from metrics import parse
    >>> found = losses(HandRanking.of("q", {"a": 1, "b": 1}, ["x", "a"]), parse("P@2"))
    >>> found.order, found.missing
    (0.0, 0.5)
    """

    def totals(of: HandRanking) -> pd.Series[float]:
        # The judgments of the ranking itself: the ideal of both others is its own.
        ledger = trace(ranking.qrels, of.run, measure, ranking.query, convention)
        return ledger.table(ranking.query)["running"]

    return Losses(totals(ideal(ranking)), totals(best_first(ranking)), totals(ranking))


def _end(totals: pd.Series[float]) -> float:
    return float(totals.iloc[-1]) if len(totals) else 0.0


def by_cutoff(
    ranking: HandRanking, symbols: Sequence[str], last: int, convention: Convention = TREC_EVAL
) -> pd.DataFrame:
    """Return a ranking's scores at the cutoffs 1 to ``last``: one column per measure's symbol.

    Raises
    ------
    DataError
        When no document is judged.

    Examples
    --------
    >>> by_cutoff(HandRanking.of("q", {"a": 1}, ["x", "a"]), ["P", "RR"], 2)["P"].tolist()
    [0.0, 0.5]
    """
    import pandas as pd

    cutoffs = range(1, last + 1)
    names = [f"{symbol}@{k}" for symbol in symbols for k in cutoffs]
    scores = evaluate(ranking.qrels, ranking.run, names, convention)
    return pd.DataFrame(
        {
            symbol: [float(scores.ledgers[f"{symbol}@{k}"].scores[0]) for k in cutoffs]
            for symbol in symbols
        },
        index=pd.RangeIndex(1, last + 1, name="k"),
    )


def precision_recall(ledger: Ledger, query: str) -> pd.DataFrame:
    """Return the rectangles whose areas sum to AP: one row per relevant document, by its rank.

    Parameters
    ----------
    ledger
        A ledger of AP.

    Returns
    -------
    DataFrame
        The recall before the document and with it, and the precision at its rank.

    Examples
    --------
    >>> ledger = HandRanking.of("q", {"a": 1, "b": 1}, ["x", "a"]).ledger("AP")
    >>> precision_recall(ledger, "q").loc[2].to_dict()
    {'before': 0.0, 'recall': 0.5, 'precision': 0.5}
    """
    import pandas as pd

    lines = ledger.table(query)
    relevant = lines[lines["relevant"] > 0]
    number = ledger.judged.queries.index(query)
    whole = float(ledger.measure.whole(ledger.judged, ledger.convention)[number])
    recall = relevant["seen"] / whole
    return pd.DataFrame(
        {
            "before": recall - 1 / whole,
            "recall": recall,
            "precision": relevant["seen"] / relevant.index,
        }
    )
