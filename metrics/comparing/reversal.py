"""The range of B − A over all grades of unjudged documents, and whether it reverses the verdict."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..conventions.convention import Convention
from ..data import Qrels, Run
from ..errors import DataError, MeasureError, UnscoredError
from ..judging.hits import Hits
from ..judging.judged import JudgedRankings, judge
from ..judging.judged import listed as listed_whole
from ..measures import Measure
from ..measures.arithmetic import assessed
from ..words import listed
from .one_query import OneQuery
from .reversal_search import Lists, combined, deepest, descended
from .significance import TIE

_STARTS = 4


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

    Raises
    ------
    MeasureError
        When the measure depends on the aspects of the unjudged documents.
    """
    if any(qrels.aspects.get(query) for query in qrels.queries):
        require_no_aspects(measure)
    known, scale = qrels.to_dict(), _scale(grades, measure, measure.under(convention))
    completed = Qrels.from_dict(
        {query: known[query] | dict.fromkeys(unjudged[query], 0.0) for query in qrels.queries}
    )
    sides = [judge(completed, run, convention) for run in runs]
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

    Raises
    ------
    MeasureError
        When the measure is one.
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
    hits = judge(Qrels.from_dict(one_each), Run.from_dict(one_each), whole).hits
    return hits.grade[np.lexsort((hits.grade, measure.sort_key(hits, under)))]
