"""The range of B − A over all grades of unjudged documents, and whether it reverses the verdict."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..conventions.convention import Convention
from ..data import Qrels, Run
from ..errors import DataError, MeasureError, UnscoredError
from ..judging.hits import Hits
from ..judging.judged import judge
from ..measures import Measure
from ..measures.arithmetic import assessed
from ..words import listed
from .one_query import OneQuery
from .reversal_search import Lists, combined, descended
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
    measure, under = one.measure, one.measure.under(one.convention)
    if one.qrels.aspects.get(one.query):
        require_no_aspects(measure)
    unjudged = unjudged_that_count(one)
    grades = one.qrels.to_dict()[one.query] | dict.fromkeys(unjudged, 0.0)
    completed = Qrels.from_dict({one.query: grades})
    sides = [judge(completed, run, one.convention) for run in _whole(one)]
    lists = Lists(measure, sides, unjudged, _scale(one.grades, measure, under))
    tried, complete = combined(lists, _one_ideal(measure, under))
    scores = lists.scores(tried)
    deltas = scores[1] - scores[0]
    if np.isnan(deltas).all():
        raise UnscoredError(f"The convention leaves query {one.query!r} out, whatever the grades.")
    reached, reached_grades = [], []
    for sign in (1, -1):
        # Of equal completions, the one with the fewest raised grades is the most informative.
        best_first = np.lexsort((tried.sum(axis=1), sign * deltas))
        best = tried[best_first[0]]
        value = float(sign * deltas[best_first[0]])
        if not complete:
            starts = (descended(lists, tried[start], sign) for start in best_first[:_STARTS])
            value, best = min(starts, key=itemgetter(0))
        reached.append(sign * value)
        reached_grades.append(dict(zip(unjudged, lists.scale[best].tolist(), strict=True)))
    (low_a, low_b), (high_a, high_b) = np.nanmin(scores, axis=1), np.nanmax(scores, axis=1)
    low, high = reached if complete else (float(low_b - high_a), float(high_b - low_a))
    return Reversal(one.b.score - one.a.score, low, high, reached[0], reached[1], *reached_grades)


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


def deepest(measure: Measure, convention: Convention) -> int | None:
    """Return the deepest rank whose documents count; None: every rank does.

    Below the cutoff a document counts only where each list has its own ideal.
    """
    return measure.cutoff if _one_ideal(measure, measure.under(convention)) else None


def unjudged_that_count(one: OneQuery) -> list[str]:
    """Return the unjudged documents whose grades can change the delta: A's, then B's others.

    Raises
    ------
    DataError
        When a run is not known as a whole.
    """
    under, depth = one.measure.under(one.convention), deepest(one.measure, one.convention)
    reached_by = (_in_reach(one.qrels, run, under, depth) for run in _whole(one))
    return list(dict.fromkeys(chain.from_iterable(reached_by)))


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

    ``hits``: one query's whole ranking, in which unjudged documents have the grade NaN.
    """
    # Where unjudged documents are removed, only judged ones keep others down.
    holds_down = assessed(hits, under) if under.unjudged == "removed" else np.ones(len(hits), bool)
    above = np.append(0, np.cumsum(holds_down))
    above = above[(hits.first if under.ties == "mean" else hits.rank) - 1]
    return np.asarray(above < (depth or np.inf))


def _one_ideal(measure: Measure, under: Convention) -> bool:
    """Return whether both lists are divided by the same ideal, whatever they retrieve."""
    own = {"ideal": under.ideal != "judged", "ap": under.ap == "retrieved"}
    return not any(own.get(choice, False) for choice in measure.choices)


def _in_reach(part: Qrels, run: Run, under: Convention, depth: int | None) -> list[str]:
    """Return the unjudged documents that are, or could get, in the top of a list."""
    hits = judge(part, run, replace(under, unjudged="zero"), every=True).hits
    near = hits[~assessed(hits, under) & in_reach(hits, under, depth)]
    return [str(document) for document in near.document.to_pylist()]


def _scale(in_use: Floats, measure: Measure, under: Convention) -> Floats:
    """Return the grades to try, the worst first."""
    grades = np.unique(np.append(0.0, in_use))
    if under.negative == "unjudged":
        grades = grades[grades >= 0]
    if not measure.graded:
        grades = np.append(0.0, grades[grades >= under.level][:1])
    one_each = {"q": {str(place): grade for place, grade in enumerate(grades.tolist())}}
    hits = judge(Qrels.from_dict(one_each), Run.from_dict(one_each), under).hits
    return hits.grade[np.lexsort((hits.grade, measure.sort_key(hits, under)))]
