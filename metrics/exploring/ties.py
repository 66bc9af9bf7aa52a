"""Effect of equal scores: the score under each tie rule, and its mean and range over all orders."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain, permutations, product

from ..arrays import pd
from ..conventions.choices import CHOICES
from ..conventions.convention import TREC_EVAL, Convention
from ..editing.edits import in_order
from ..editing.hand_ranking import Entry, HandRanking
from ..errors import MeasureError
from ..matching import JudgedRankings
from ..matching.batches import Given, match
from ..measures import Measure
from ..scoring.naming import parse
from .what_if import score_all


def bounds(
    qrels: Given, run: Given, measure: str | Measure, convention: Convention | str = TREC_EVAL
) -> pd.DataFrame:
    """Return the exact range of each query's score over all orders of its tied documents.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
    run
        A `Run`, ``{query: {document: score}}``, a table, or judged rankings: see `match`.
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Returns
    -------
    DataFrame
        Index query; columns ``lowest``, ``score`` under the convention, and ``highest``.

    Raises
    ------
    DataError
        As `match` does.
    MeasureError
        When the measure is not known, when the order also changes the ideal ranking, or when there
        are too many orders to search.
    RankscopeError
        When no preset has the convention's name.

    Examples
    --------
    >>> run = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}
    >>> bounds({"q1": {"a": 1}}, run, "RR", Convention(ties="ascending")).round(4).to_dict("index")
    {'q1': {'lowest': 0.3333, 'score': 1.0, 'highest': 1.0}}
    """
    return bounds_of(match(qrels, run, convention), parse(measure))


def bounds_of(judged: JudgedRankings, measure: Measure) -> pd.DataFrame:
    """Return `bounds` of rankings that are already judged."""
    # The extreme orders are computed below, so the tie rule must not average over orders.
    ordered = judged.under(ties="input")
    under = measure.under(ordered.convention)
    if under.ideal == "doubled" and "ideal" in measure.choices and measure.cutoff is not None:
        raise MeasureError(
            f"The ideal ranking of {measure} changes with the order of equal scores when the top k "
            "count twice in it, so its bounds are not known. Choose another ideal."
        )
    lowest, highest = (
        measure.ledger(replace(ordered, hits=measure.tie_order(ordered, under, best))).scores
        for best in (False, True)
    )
    return pd.DataFrame(
        {"lowest": lowest, "score": measure.ledger(judged).scores, "highest": highest},
        index=pd.Index(judged.queries, name="query", dtype=str),
    )


MOST_ORDERS = 5_040
"""At most this many orders are scored one by one to take their mean."""
COUNTED = 10**9
"""Orders are counted up to this number: for a million tied documents, counting takes minutes."""


@dataclass(frozen=True)
class Tied:
    """Scores of one ranking over all orders of its tied documents.

    Attributes
    ----------
    orders
        The number of orders, counted up to ``COUNTED``.
    lowest, highest
        The lowest and the highest score over all orders.
    mean
        The mean over all orders; None if the measure is not linear and there are more than
        ``MOST_ORDERS``.
    by_rule
        The score under each rule of `Convention.ties` that gives a single order.
    """

    orders: int
    lowest: float
    highest: float
    mean: float | None
    by_rule: dict[str, float]


def tied(ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL) -> Tied:
    """Return how the order of equal scores affects a ranking's score.

    Raises MeasureError when the range cannot be computed; see `bounds`.

    Examples
    --------
    >>> from metrics import parse
    >>> from metrics.editing.edits import toggle_tie
    >>> ranking = toggle_tie(HandRanking.of("q", {"a": 1}, ["a", "b"]), "b")
    >>> tied(ranking, parse("RR"))
    Tied(orders=2, lowest=0.5, highest=1.0, mean=0.75, by_rule={'descending': 0.5, \
'ascending': 1.0, 'input': 1.0})
    """
    groups = _groups(ranking)
    orders = _orders(map(len, groups))
    ends = bounds(ranking.qrels, ranking.run, measure, convention).iloc[0]
    by_rule = {
        rule: float(score_all([ranking], measure, replace(convention, ties=rule))[0])
        for rule in CHOICES["ties"].values
        if rule != "mean"
    }
    mean: float | None = None
    if measure.linear:
        mean = float(score_all([ranking], measure, replace(convention, ties="mean"))[0])
    elif orders <= MOST_ORDERS:
        every = (in_order(ranking, [*chain(*p)]) for p in product(*map(permutations, groups)))
        mean = float(score_all(every, measure, convention).mean())
    return Tied(orders, float(ends["lowest"]), float(ends["highest"]), mean, by_rule)


def _orders(sizes: Iterable[int]) -> int:
    orders = 1
    for factor in chain.from_iterable(range(2, size + 1) for size in sizes):
        orders *= factor
        if orders >= COUNTED:
            return COUNTED
    return orders


def _groups(ranking: HandRanking) -> list[list[Entry]]:
    groups: list[list[Entry]] = []
    for entry in ranking.retrieved:
        if entry.tied:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups
