"""Unjudged documents of two lists: between which ends they leave B − A, and whether it can turn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from operator import itemgetter

import numpy as np

from ..arrays import Floats
from ..conventions.convention import Convention
from ..data import Qrels, Run
from ..errors import MeasureError
from ..judging.judged import judge
from ..measures import Measure
from ..measures.arithmetic import assessed
from .comparison import TIE
from .one_query import OneQuery
from .reversal_search import Lists, combined, descended

_STARTS = 4


@dataclass(frozen=True)
class Reversal:
    """The lowest and the highest delta B − A over all grades of the unjudged documents.

    Attributes
    ----------
    delta
        As judged; NaN: no score. It may lie outside the ends where unjudged documents are not the
        same as those of grade 0: in Bpref, or where they are removed.
    low, high
        No completion gives less, or more.
    reached_low, reached_high
        What completions do give: the ends where `exact`, else the best found.
    low_grades, high_grades
        These completions: a grade for each unjudged document that counts.
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
        """How many unjudged documents count."""
        return len(self.low_grades)

    @property
    def exact(self) -> bool:
        """Whether both ends are reached."""
        return self.reached_low - self.low <= TIE and self.high - self.reached_high <= TIE

    @property
    def can_reverse(self) -> bool | None:
        """Whether the other list can be the better one; None: not known.

        False where the lists tie or have no score: nobody leads, so there is nothing to reverse.
        """
        if not abs(self.delta) > TIE:
            return False
        b_leads = self.delta > 0
        if (self.reached_low if b_leads else -self.reached_high) < -TIE:
            return True
        return None if (self.low if b_leads else -self.high) < -TIE else False


def reversal(one: OneQuery) -> Reversal:
    """The range of one query's B − A over every way to judge the unjudged documents of both lists.

    A document has one grade, 0 or one of the qrels, in both lists and in the ideal. Below the
    cutoff in both lists, documents stay unjudged like those in neither, unless each list has an
    ideal of its own. Grades below 0 that the convention takes for unjudged are no judgments here.

    The range is exact where a rank has a weight that is known beforehand, or completions are few.
    Else each list's own ends bound it, and single changes lead to what is reached.

    Raises
    ------
    MeasureError
        When there are too many completions, or none has a score.

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
    own = {"ideal": under.ideal != "judged", "ap": under.ap == "retrieved"}
    shared = not any(own.get(choice, False) for choice in measure.choices)
    depth = measure.cutoff if shared else None
    reached_by = (_in_reach(one.qrels, side.run, under, depth) for side in one.sides)
    unjudged = list(dict.fromkeys(chain.from_iterable(reached_by)))
    grades = one.qrels.to_dict()[one.query] | dict.fromkeys(unjudged, 0.0)
    given = Qrels.from_dict({one.query: grades})
    sides = [judge(given, side.run, one.convention) for side in one.sides]
    lists = Lists(measure, sides, unjudged, _scale(one.grades, measure, under))
    tried, complete = combined(lists, shared)
    scores = lists.scores(tried)
    deltas = scores[1] - scores[0]
    if np.isnan(deltas).all():
        raise MeasureError(f"The convention leaves query {one.query!r} out, whatever the grades.")
    reached, reached_grades = [], []
    for sign in (1, -1):
        # Of equal completions, the one with the fewest raised grades says most.
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


def _in_reach(part: Qrels, run: Run, under: Convention, depth: int | None) -> list[str]:
    """The unjudged documents that are, or may come to be, in the top of a list."""
    hits = judge(part, run, replace(under, unjudged="zero"), every=True).hits
    known = assessed(hits, under)
    # Where ranks close up, only judged documents keep others down.
    holds_down = known if under.unjudged == "removed" else np.ones(len(hits), bool)
    above = np.append(0, np.cumsum(holds_down))
    above = above[(hits.first if under.ties == "mean" else hits.rank) - 1]
    near = hits[~known & (above < (depth or np.inf))]
    return [str(document) for document in near.document.to_pylist()]


def _scale(in_use: Floats, measure: Measure, under: Convention) -> Floats:
    """The grades to give, in the order of merit."""
    grades = np.unique(np.append(0.0, in_use))
    if under.negative == "unjudged":
        grades = grades[grades >= 0]
    if not measure.graded:
        grades = np.append(0.0, grades[grades >= under.level][:1])
    one_each = {"q": {str(place): grade for place, grade in enumerate(grades.tolist())}}
    hits = judge(Qrels.from_dict(one_each), Run.from_dict(one_each), under).hits
    return hits.grade[np.lexsort((hits.grade, measure.sort_key(hits, under)))]
