"""The range of the mean delta B − A over all grades of unjudged documents."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..data import Qrels, Run
from ..errors import MeasureError, UnscoredError
from ..measures.base import UNIT, Measure
from .comparison import Comparison
from .reversal import Lists, Reversal, deepest, open_lists, over_grades, unjudged_that_count
from .significance import TIE

SEARCHED = 600
"""The grades of at most this many unjudged documents are searched: with a cutoff of 10 this takes
less than a second, without one, or for ERR, a few.
"""
SHARE = 0.5
"""Where these are in fewer of the queries that have any, none is searched: the bounds stay wide."""


@dataclass(frozen=True)
class MeanRange:
    """The lowest and the highest mean delta B − A over all grades of the unjudged documents.

    Attributes
    ----------
    low, high
        The bounds of the mean delta.
    reached_low, reached_high
        The lowest and the highest mean delta found; the one as judged is among those found.
    documents
        The number of unjudged documents whose grades were searched, over all queries.
    queries
        The number of queries that have such documents.
    unsearched
        How many of these have outer bounds alone, from −1 to 1, because their documents are too
        many; then ``low`` and ``high`` are outer bounds, too.
    """

    low: float
    high: float
    reached_low: float
    reached_high: float
    documents: int
    queries: int
    unsearched: int = 0


def mean_range(
    qrels: Qrels, a: Run, b: Run, measure: Measure, comparison: Comparison
) -> MeanRange | None:
    """Return the range of the mean delta of two compared runs; None where it is not known.

    Each query's unjudged documents get all grades, as in `reversal`, those of the queries with the
    fewest first. The counts are those of the comparison: where it removes unjudged documents, there
    are none. None: a measure of aspects, or too many documents for one without bounds.

    Examples
    --------
    >>> from metrics import compare, parse
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 1}})
    >>> b = Run.from_dict({"q1": {"z": 2, "x": 1}, "q2": {"x": 1}})
    >>> mean_range(qrels, a, b, parse("RR"), compare(qrels, a, b, "RR"))
    MeanRange(low=-0.25, high=0.0, reached_low=-0.25, reached_high=0.0, documents=2, queries=1, \
unsearched=0)
    """
    convention = comparison.a.convention
    # A document of both lists counts once, so that the longer count is the fewest there can be.
    counts = comparison.unjudged_documents(deepest(measure, convention)).max(axis=1)
    # Over all orders of ties, a document near the cutoff counts as a fraction.
    fewest = np.ceil(counts - TIE)
    fewest = fewest[fewest > 0].sort_values(kind="stable").astype(int)
    has_bounds = measure.value_range == UNIT and convention.negative != "subtract"
    if fewest.sum() > SEARCHED and not has_bounds:
        return None
    few = fewest.index[fewest.cumsum() <= SEARCHED].tolist()
    if len(few) < SHARE * len(fewest):
        few = []
    every: list[Lists] = []
    if few:
        judged, near = qrels.only(*few), [run.only(*few) for run in (a, b)]
        unjudged = unjudged_that_count(judged, near, measure, convention)
        try:
            every = open_lists(judged, near, measure, convention, np.unique(qrels.value), unjudged)
        except MeasureError:
            return None
    deltas, found = comparison.per_query(str(measure))["delta"], []
    of = deltas.to_dict()
    unsearched = fewest.index.difference(few, sort=False).tolist()
    left = SEARCHED
    for lists in sorted(every, key=lambda each: len(each.unjudged)):
        left -= len(lists.unjudged)
        reversal = _over_grades(lists, of.get(lists.query, math.nan)) if left >= 0 else None
        if reversal is None:
            unsearched.append(lists.query)
        else:
            found += reversal
    if unsearched and not has_bounds:
        return None
    found += [_bounded(of.get(query, math.nan)) for query in unsearched]
    over = joined(deltas.drop(fewest.index, errors="ignore").tolist(), found)
    return replace(over, unsearched=len(unsearched))


def _over_grades(lists: Lists, delta: float) -> list[Reversal] | None:
    """Return the range of a query in a list, without it if it has no score; None: not searched."""
    try:
        return [over_grades(lists, delta)]
    except UnscoredError:
        # A query that is left out, whatever its grades, is not part of the mean.
        return []
    except MeasureError:
        return None


def _bounded(delta: float) -> Reversal:
    """Return the outer bounds of a query's delta in which nothing but the delta is reached."""
    low, high = (math.inf, -math.inf) if math.isnan(delta) else (delta, delta)
    return Reversal(delta, -1.0, 1.0, low, high, {}, {})


def joined(fixed: Sequence[float], found: Sequence[Reversal]) -> MeanRange:
    """Return the range of the mean of fixed deltas and of those found over all grades.

    A query whose delta as judged is NaN is left out of the mean where that makes the range wider.
    """
    scored = [each for each in found if not math.isnan(each.delta)]
    # Some conventions leave a query out until a document that it has to find is judged.
    added = [each for each in found if math.isnan(each.delta)]

    def lowest(name: str, sign: int) -> float:
        # As judged, a delta can lie outside of the range; then it is one of its ends.
        always = [min(sign * getattr(each, name), sign * each.delta) for each in scored]
        perhaps = (sign * getattr(each, name) for each in added)
        return sign * _lowest_mean([*(sign * delta for delta in fixed), *always], perhaps) + 0.0

    return MeanRange(
        lowest("low", 1),
        lowest("high", -1),
        lowest("reached_low", 1),
        lowest("reached_high", -1),
        sum(each.unjudged for each in found),
        len(found),
    )


def _lowest_mean(always: list[float], perhaps: Iterable[float]) -> float:
    """Return the lowest mean of values together with any of the others; NaN without values.

    Examples
    --------
    >>> _lowest_mean([1.0, 2.0], [3.0, 0.0])
    1.0
    """
    values = list(always)
    for value in sorted(perhaps):
        if values and value >= math.fsum(values) / len(values):
            break
        values.append(value)
    return math.fsum(values) / len(values) if values else math.nan
