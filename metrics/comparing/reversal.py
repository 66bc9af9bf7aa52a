"""The range of B − A over all grades of unjudged documents, and whether it reverses the verdict.

`Lists` are both rankings of one query with their unjudged documents; `combined` and `descended`
search the grades with the lowest and the highest delta.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, compress
from math import comb, prod

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import Floats, Ints, places
from ..conventions.convention import Convention
from ..data import Qrels, Run
from ..errors import DataError, MeasureError, UnscoredError
from ..matching import Hits
from ..matching.judged import JudgedRankings, match
from ..matching.judged import listed as listed_whole
from ..measures.arithmetic import assessed
from ..measures.base import UNIT, Measure
from ..words import listed
from .comparison import Comparison
from .one_query import OneQuery
from .significance import TIE

MOST_LINES = 6_000_000
"""This many judged documents in all tried completions take less than a second."""
_AT_A_TIME = 100_000

Part = list[int]
"""Columns of unjudged documents along which only ascending levels are tried; one alone has all."""
_STARTS = 4


def deepest(measure: Measure, convention: Convention) -> int | None:
    """Return the deepest rank whose documents count; None: every rank does.

    Below the cutoff a document counts only where each list has its own ideal.
    """
    return measure.cutoff if one_ideal(measure, measure.under(convention)) else None


def one_ideal(measure: Measure, under: Convention) -> bool:
    """Return whether both lists are divided by the same ideal, whatever they retrieve."""
    own = {"ideal": under.ideal != "judged", "ap": under.ap == "retrieved"}
    return not any(own.get(choice, False) for choice in measure.choices)


@dataclass(frozen=True)
class Lists:
    """One query's lists with their unjudged documents; levels are indices into the scale."""

    query: str
    measure: Measure
    sides: Sequence[JudgedRankings]
    unjudged: Sequence[str]
    scale: Floats

    def columns(self, hits: Hits) -> Ints:
        """Return ``(n,)`` the index of the unjudged document on each line; −1: none."""
        return places(hits.document.to_pylist(), self.unjudged)

    def scores(self, levels: Ints) -> Floats:
        """Return ``(2, m)`` both lists' scores under each completion."""
        return np.array([self._of(side, levels) for side in self.sides])

    def deltas(self, levels: Ints) -> Floats:
        """Return ``(m,)`` the delta B − A under each completion; NaN where a list has no score."""
        first, second = self.scores(levels)
        return np.asarray(second - first)

    def single_changes(self, levels: Ints) -> Floats:
        """Return ``(m, n, g)`` the delta after each change of one document to a level."""
        (many, count), size = levels.shape, len(self.scale)
        single = np.tile(levels[:, None, None], (1, count, size, 1))
        document = np.arange(count)
        single[:, document, :, document] = np.arange(size)
        return self.deltas(single.reshape(-1, count)).reshape(many, count, size)

    def _of(self, side: JudgedRankings, levels: Ints) -> Floats:
        """Return ``(m,)`` the list's scores; completions that are alike for it are scored once."""
        hits, depth = side.hits, deepest(self.measure, side.convention)
        if depth is not None:
            hits = hits[(hits.first if side.convention.ties == "mean" else hits.rank) <= depth]
        columns = self.columns(hits), self.columns(side.judged)
        # Of the other documents, only how many have each level counts: in the ideal, or in R.
        listed = np.isin(np.arange(len(self.unjudged)), columns[0])
        others = levels[:, ~listed]
        numbers = [(others == level).sum(axis=1) for level in range(1, len(self.scale))]
        first, number = _distinct(np.column_stack([levels[:, listed], *numbers]))
        side, step = replace(side, hits=hits), _AT_A_TIME // (len(hits) + len(side.judged) + 1) + 1
        parts = [self.scale[levels[first[i : i + step]]] for i in range(0, len(first), step)]
        return np.concatenate([self._ledger(side, part, columns) for part in parts])[number]

    def _ledger(self, side: JudgedRankings, grades: Floats, columns: tuple[Ints, Ints]) -> Floats:
        """Return ``(m,)`` the list's score with each row of grades, as that of another query."""
        hits, ideal = (
            _filled(lines.grade, column, grades)
            for lines, column in zip((side.hits, side.judged), columns, strict=True)
        )
        own = side.hits
        best = -np.sort(-ideal, axis=1)
        many = with_grades(side, hits, best, own.rank, own.first, own.last)
        return self.measure.ledger(many).scores


def _filled(grade: Floats, column: Ints, grades: Floats) -> Floats:
    """Return ``(m, n)`` the grades of lines, with each row of grades for the unjudged documents."""
    filled = np.tile(grade, (len(grades), 1))
    filled[:, column >= 0] = grades[:, column[column >= 0]]
    return filled


def with_grades(
    side: JudgedRankings, hits: Floats, ideal: Floats, rank: Ints, first: Ints, last: Ints
) -> JudgedRankings:
    """Return a query's ranking with each row of grades, as that of another query.

    ``hits``: ``(m, n)`` the grades at the ranks; ``ideal``: ``(m, j)`` those of all judged.
    """
    place = np.arange(1, ideal.shape[1] + 1)
    return replace(
        side,
        queries=tuple(map(str, range(len(hits)))),
        hits=_stacked(hits, rank, first, last),
        judged=_stacked(ideal, place, place, place),
        retrieved=np.repeat(side.retrieved, len(hits)),
    )


def _stacked(grade: Floats, *ranks: Ints) -> Hits:
    """Return lines of these grades, each row as another query's.

    They have no ids, since a measure without aspects reads none.
    """
    many, count = grade.shape
    query, document = np.repeat(np.arange(many), count), pa.nulls(grade.size, pa.string())
    rank, first, last = (np.tile(each, many) for each in ranks)
    return Hits(query, document, rank, grade.ravel(), first, last)


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Return an index of each distinct row, and for each row the number of the one it equals.

    ``np.unique`` along an axis, but fast: equal rows have the same number as key.
    """
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:
        key = key * (column.max() + 1) + column
        if key.max() >= 2**31:
            key = np.unique(key, return_inverse=True)[1]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first, number


def combined(lists: Lists) -> tuple[Ints, bool]:
    """Return completions with each list's bounds, and whether they include the delta's too."""
    measure, size = lists.measure, len(lists.scale)
    every = list(range(len(lists.unjudged)))
    a, b = ([c for c in lists.columns(side.hits).tolist() if c >= 0] for side in lists.sides)
    shared = one_ideal(measure, measure.under(lists.sides[0].convention))
    # Not SetAP and Rprec, in which the weight of a rank depends on the documents found.
    if every and measure.linear and measure.suffix == "cutoff" and shared:
        # One document best, the others worst: only the weights of its ranks tell these apart.
        first, second = lists.scores(np.eye(len(every), dtype=np.int64) * (size - 1))
        order = np.argsort(second - first).tolist()
        plans = [([[order], [order[::-1]]], True)]
    else:
        plans = [([[[c] for c in every]], True)]
        if measure.exchangeable and lists.scale.min() >= 0:
            only_a, only_b = [c for c in a if c not in b], [c for c in b if c not in a]
            both, ways = [[c] for c in a if c in b], (1, -1)
            turned = [[only_a[::w], only_b[::-w], *both] for w in ways]
            alone = [[a[::w], only_b] for w in ways] + [[b[::w], only_a] for w in ways]
            plans += [(turned, True), (alone, False)]
    most = MOST_LINES // sum(len(side.hits) + len(side.judged) for side in lists.sides)
    for tries, complete in plans:
        if sum(prod(_number(part, size) for part in parts) for parts in tries) <= most:
            return np.concatenate([_crossed(parts, size) for parts in tries]), complete
    raise MeasureError(
        f"{len(every)} unjudged documents and {size} grades are too many to try; "
        "judge some of them, or choose a measure with a smaller cutoff."
    )


def _number(part: Part, size: int) -> int:
    return comb(len(part) + size - 1, len(part))


def _crossed(parts: Sequence[Part], size: int) -> Ints:
    """Return every combination of the levels of each part, those of the last one changing first."""
    row = np.arange(prod(_number(part, size) for part in parts))
    levels = np.empty((sum(map(len, parts)), len(row)), np.int64)
    for columns in reversed(parts):
        ascending = np.array([*combinations_with_replacement(range(size), len(columns))], np.int64)
        row, chosen = np.divmod(row, len(ascending))
        levels[columns] = ascending.T[:, chosen]
    return levels.T


def descended(lists: Lists, starts: Ints, signs: Ints) -> tuple[Floats, Ints]:
    """Return for each sign a delta (times it) that no single change lowers, and its completion.

    ``starts``: ``(s, k, n)`` completions to start from for each of ``(s,)`` signs, 1 or −1. Each
    step tries all single changes, then the best of them together: the best two, three, ...
    """
    count = starts.shape[-1]
    levels = starts.reshape(-1, count).copy()
    sign = np.repeat(signs, starts.shape[1])
    best, going = np.full(len(levels), np.inf), np.arange(len(levels))
    while len(going):
        start, turn = levels[going], sign[going, None]
        values = _worth(lists.single_changes(start), turn[..., None])
        place = np.argsort(np.argsort(values.min(axis=2), axis=1), axis=1)
        changed = place[:, None] < np.arange(count + 1)[:, None]
        together = np.where(changed, values.argmin(axis=2)[:, None], start[:, None])
        deltas = lists.deltas(together.reshape(-1, count))
        values = _worth(deltas.reshape(len(going), count + 1), turn)
        number, lowest = np.arange(len(going)), values.argmin(axis=1)
        lower = values[number, lowest] < best[going] - TIE
        going, number, lowest = going[lower], number[lower], lowest[lower]
        best[going], levels[going] = values[number, lowest], together[number, lowest]
    ends = np.arange(len(signs)), best.reshape(len(signs), -1).argmin(axis=1)
    return best.reshape(len(signs), -1)[ends], levels.reshape(starts.shape)[ends]


def _worth(deltas: Floats, sign: Ints) -> Floats:
    return np.nan_to_num(sign * deltas, nan=np.inf)


@dataclass(frozen=True)
class Reversal:
    """The lowest and the highest delta B − A over all grades of the unjudged documents.

    Attributes
    ----------
    delta
        The delta as judged; NaN: no score. It can lie outside the range where unjudged documents
        differ from those of grade 0: in Bpref, or where they are removed.
    low, high
        The bounds of the delta over all completions.
    reached_low, reached_high
        The lowest and highest delta found: the bounds where `exact`.
    low_grades, high_grades
        The completions with these deltas: a grade for each unjudged document that counts.
    """

    delta: float
    low: float
    high: float
    reached_low: float
    reached_high: float
    low_grades: Mapping[str, float]
    high_grades: Mapping[str, float]

    @property
    def unjudged(self) -> int:
        """The number of unjudged documents that count."""
        return len(self.low_grades)

    @property
    def exact(self) -> bool:
        """Whether both bounds are reached."""
        return self.reached_low - self.low <= TIE and self.high - self.reached_high <= TIE

    @property
    def can_reverse(self) -> bool | None:
        """Whether the grades of unjudged documents can make the other list better; None: not known.

        False where the lists tie or have no score: neither leads, so nothing can be reversed.
        """
        if not abs(self.delta) > TIE:
            return False
        b_leads = self.delta > 0
        if (self.reached_low if b_leads else -self.reached_high) < -TIE:
            return True
        return None if (self.low if b_leads else -self.high) < -TIE else False


def reversal(one: OneQuery) -> Reversal:
    """Return the range of one query's B − A over all grades of both lists' unjudged documents.

    A document has the same grade, 0 or one of the qrels, in both lists and in the ideal. Documents
    below the cutoff in both lists stay unjudged, like those in neither, unless each list has its
    own ideal. Documents with negative grades are unjudged here if the convention treats them so.

    The range is exact where the weights of ranks are fixed, or all completions can be tried.
    Otherwise the ranges of the two lists bound it, and a search by single changes finds deltas.

    Parameters
    ----------
    one
        The query under both runs, of `one_query`.

    Raises
    ------
    DataError
        When a run is not known as a whole.
    MeasureError
        When there are too many completions, or the measure depends on the aspects of the
        unjudged documents.
    UnscoredError
        When none of them has a score.

    Examples
    --------
    >>> from metrics.comparing.one_query import one_query
    >>> qrels = Qrels.from_dict({"q": {"x": 1}})
    >>> a, b = Run.from_dict({"q": {"x": 2, "y": 1}}), Run.from_dict({"q": {"z": 2, "x": 1}})
    >>> found = reversal(one_query(qrels, a, b, "RR", "q"))
    >>> found.delta, found.low, found.high, found.exact, found.can_reverse
    (-0.5, -0.5, 0.0, True, False)
    >>> found.high_grades
    {'y': 0.0, 'z': 1.0}
    """
    runs = _whole(one)
    unjudged = unjudged_that_count(one.qrels, runs, one.measure, one.convention)
    (lists,) = open_lists(one.qrels, runs, one.measure, one.convention, one.grades, unjudged)
    return over_grades(lists, one.b.score - one.a.score)


def open_lists(
    qrels: Qrels,
    runs: Sequence[Run],
    measure: Measure,
    convention: Convention,
    grades: Floats,
    unjudged: Mapping[str, Sequence[str]],
) -> list[Lists]:
    """Return both runs' lists of each query of the qrels, whose unjudged documents are open.

    ``grades``: those in use. ``unjudged``: the documents that count, by query. All queries are
    judged at once, which takes little longer than one.

    Raises MeasureError when the measure depends on the aspects of the unjudged documents.
    """
    if any(qrels.aspects.get(query) for query in qrels.queries):
        require_no_aspects(measure)
    known, scale = qrels.to_dict(), _scale(grades, measure, measure.under(convention))
    completed = Qrels.from_dict(
        {query: known[query] | dict.fromkeys(unjudged[query], 0.0) for query in qrels.queries}
    )
    sides = [match(completed, run, convention) for run in runs]
    return [
        Lists(query, measure, [_part(side, query) for side in sides], unjudged[query], scale)
        for query in qrels.queries
    ]


def _part(side: JudgedRankings, query: str) -> JudgedRankings:
    """Return one query's hits and judgments; none where the convention leaves the query out."""
    of_it = np.array([each == query for each in side.queries], bool)
    hits, judged = (lines[of_it[lines.query]] for lines in (side.hits, side.judged))
    return replace(
        side,
        queries=tuple(compress(side.queries, of_it.tolist())),
        hits=replace(hits, query=np.zeros(len(hits), np.int64)),
        judged=replace(judged, query=np.zeros(len(judged), np.int64)),
        retrieved=side.retrieved[of_it],
    )


def over_grades(lists: Lists, delta: float) -> Reversal:
    """Return the range of B − A over all grades of both lists' unjudged documents.

    ``delta``: B − A as judged. See `reversal`.
    """
    tried, complete = combined(lists)
    scores = lists.scores(tried)
    deltas = scores[1] - scores[0]
    if np.isnan(deltas).all():
        raise UnscoredError(
            f"The convention leaves query {lists.query!r} out, whatever the grades."
        )
    signs = np.array([1, -1])
    worth, raised = np.outer(signs, deltas), tried.sum(axis=1)
    # Of equal completions, the one with the fewest raised grades is the most informative.
    best_first = np.array([np.lexsort((raised, each))[:_STARTS] for each in worth])
    if complete:
        best = best_first[:, 0]
        values, levels = worth[[0, 1], best], tried[best]
    else:
        values, levels = descended(lists, tried[best_first], signs)
    reached = (signs * values).tolist()
    reached_grades = [
        dict(zip(lists.unjudged, lists.scale[each].tolist(), strict=True)) for each in levels
    ]
    (low_a, low_b), (high_a, high_b) = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1)
    low, high = reached if complete else (float(low_b - high_a), float(high_b - low_a))
    return Reversal(delta, low, high, reached[0], reached[1], *reached_grades)


def require_no_aspects(measure: Measure) -> None:
    """Refuse a measure of aspects where a query has some.

    Raises MeasureError when the measure is one.
    """
    if measure.by_aspect:
        raise MeasureError(
            f"{measure} depends on the aspects that an unjudged document covers, and a grade does "
            "not say which: what grades could change is not known. Judge the documents, or choose "
            "a measure without aspects."
        )


def unjudged_that_count(
    qrels: Qrels, runs: Sequence[Run], measure: Measure, convention: Convention
) -> dict[str, list[str]]:
    """Return the unjudged documents whose grades can change the delta, by query.

    They are A's, then B's others.
    """
    under, depth = measure.under(convention), deepest(measure, convention)
    every = replace(under, unjudged="zero")
    found: dict[str, dict[str, None]] = {query: {} for query in qrels.queries}
    for run in runs:
        judged = listed_whole(qrels, run, every)
        near = judged.hits[~assessed(judged.hits, under) & in_reach(judged.hits, under, depth)]
        for number, document in zip(near.query.tolist(), near.document.to_pylist(), strict=True):
            found[judged.queries[number]][document] = None
    return {query: list(documents) for query, documents in found.items()}


def _whole(one: OneQuery) -> list[Run]:
    runs = [side.run for side in one.sides if isinstance(side.run, Run)]
    if len(runs) < len(one.sides):
        kept = [side.run.name for side in one.sides if not isinstance(side.run, Run)]
        raise DataError(
            f"Unjudged documents of {listed(kept)} are not kept, so what grades for them could "
            "change is not known."
        )
    return runs


def in_reach(hits: Hits, under: Convention, depth: int | None) -> NDArray[np.bool_]:
    """Return ``(n,)`` whether a line is, or could get, in the top of its list.

    ``hits``: whole rankings, in which unjudged documents have the grade NaN.
    """
    # Where unjudged documents are removed, only judged ones keep others down.
    holds_down = assessed(hits, under) if under.unjudged == "removed" else np.ones(len(hits), bool)
    above = np.append(0, np.cumsum(holds_down))
    start = np.searchsorted(hits.query, hits.query)
    place = start + (hits.first if under.ties == "mean" else hits.rank) - 1
    return np.asarray(above[place] - above[start] < (depth or np.inf))


def _scale(in_use: Floats, measure: Measure, under: Convention) -> Floats:
    """Return the grades to try, the worst first."""
    grades = np.unique(np.append(0.0, in_use))
    if under.negative == "unjudged":
        grades = grades[grades >= 0]
    if not measure.graded:
        grades = np.append(0.0, grades[grades >= under.level][:1])
    return worst_first(grades, measure, under)


def worst_first(grades: Floats, measure: Measure, under: Convention) -> Floats:
    """Return grades in the order of what a document of each is worth to the measure."""
    one_each = {"q": {str(place): grade for place, grade in enumerate(grades.tolist())}}
    whole = replace(under, unjudged="zero")
    hits = match(Qrels.from_dict(one_each), Run.from_dict(one_each), whole).hits
    return hits.grade[np.lexsort((hits.grade, measure.sort_key(hits, under)))]


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
