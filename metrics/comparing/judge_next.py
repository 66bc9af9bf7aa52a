"""judge_next: which unjudged document to judge next, until the verdict on two runs cannot turn."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass, field

import numpy as np

from ..arrays import NOISE
from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Qrels, Run
from ..errors import DataError
from ..judging.batches import Given, built
from ..measures import Measure
from ..scoring.naming import parse
from .mean_range import MeanRange
from .open_queries import OpenQueries
from .significance import TIE

_DIGITS = round(-math.log10(NOISE))


@dataclass(frozen=True)
class Candidate:
    """An unjudged document whose grade counts in the comparison of two runs.

    Attributes
    ----------
    query, document
        The query, and the document to judge for it.
    rank
        Its best rank in either run.
    move
        How far its grade can move the end of the range that keeps the verdict open, as a share in
        the mean: at most, with the other unjudged documents at the grades of that end.
    expected
        The mean of the same over its grades, each as likely as its share among all judgments.
    """

    query: str
    document: str
    rank: int
    move: float
    expected: float


@dataclass(frozen=True)
class JudgeNext:
    """The possible range of a mean delta B − A, and the documents to judge, the first one first.

    Attributes
    ----------
    delta
        The mean delta as judged; NaN where no query has a score yet.
    over
        The range of the mean delta once all documents in ``order`` are judged.
    order
        The unjudged documents that count, the one expected to move the verdict most first.
    """

    delta: float
    over: MeanRange
    order: tuple[Candidate, ...]
    _state: OpenQueries = field(repr=False, compare=False)

    @property
    def can_turn(self) -> bool | None:
        """Whether either run can be ahead, as judged or with more grades.

        None: not known, or no query is compared. If not, one of the runs cannot get ahead any
        more, whatever the grades; it may still draw level.
        """
        if math.isnan(self.delta) and not self.order:
            return None
        ahead = (
            (max(-self.over.reached_low, -self.delta), -self.over.low),
            (max(self.over.reached_high, self.delta), self.over.high),
        )
        if all(reached > TIE for reached, _ in ahead):
            return True
        return None if all(max(each) > TIE for each in ahead) else False

    def judged(self, query: str, document: str, grade: float) -> JudgeNext:
        """Return what `judge_next` returns after one more judgment; only its query is searched.

        Raises
        ------
        DataError
            When the query is not compared, or the grade is not one that the range allows for.
        """
        return _next(self._state.judged(query, document, grade))


def judge_next(
    qrels: Given,
    run_a: Given,
    run_b: Given,
    measure: str | Measure,
    convention: Convention | str = TREC_EVAL,
    grades: Collection[float] | None = None,
) -> JudgeNext:
    """Return which documents to judge next, and whether their grades can still turn the verdict.

    The order is that of minimal test collections. One end of the range keeps the verdict open: the
    lowest mean delta while B leads, the highest while A leads, the nearer to 0 while neither does.
    Each unjudged document is at some grade there; the first to judge is the one whose expected
    grade moves that end most towards the leader, with the others where they are. A document that
    can decide much but is likely to have the grade assumed already thus comes later. Documents are
    judged for what they settle, so until then the delta as judged is not an estimate.

    Documents that count are those of `reversal`: retrieved by either run down to the cutoff. Those
    below the cutoff in both runs, and those in neither, are never listed; a relevant one would
    still raise an ideal or R. The range is exact where it is for `reversal`; otherwise it bounds
    the delta, and ``can_turn`` may be None. It holds for the day when all listed documents are
    judged: where unjudged documents are removed, and in Bpref, the delta can lie outside before.

    Of documents with the same expectation, the one with the better rank in either run comes first,
    then the one of the earlier query in the qrels, then A's.

    Parameters
    ----------
    qrels
        The judgments so far. A query without any counts if it is listed: see `Dataset.is_judged`.
    run_a, run_b
        Both runs as a whole.
    grades
        The grades that a document can have, besides 0. None: those in the qrels; 1 where these
        have none above 0.

    Raises
    ------
    DataError
        When a run is not known as a whole.
    MeasureError
        When there are too many grades to try, or the measure depends on aspects or refuses the
        convention.

    References
    ----------
    Carterette, Allan & Sitaraman, SIGIR (2006): minimal test collections.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"z": 2, "x": 1}})
    >>> b = Run.from_dict({"q1": {"y": 2, "x": 1}, "q2": {"x": 1}})
    >>> found = judge_next(qrels, a, b, "RR@2")
    >>> found.delta, found.over.low, found.over.high, found.can_turn
    (0.0, -0.25, 0.25, True)
    >>> [(each.query, each.document, each.move) for each in found.order]
    [('q1', 'y', 0.25), ('q2', 'z', 0.25)]
    """
    a, b = built(Run, run_a), built(Run, run_b)
    for run in (a, b):
        if not isinstance(run, Run):
            raise DataError(
                f"The unjudged documents of {run.name} are not kept. Pass both runs as a whole."
            )
    asked = parse(measure), named(convention), grades
    return _next(OpenQueries.of(built(Qrels, qrels), (a, b), *asked))


def _next(state: OpenQueries) -> JudgeNext:
    """Return the range of the mean delta, and the documents in order."""
    delta, over = state.delta, state.over
    # While neither run leads, the nearer end is the easier one to bring to 0.
    lead = delta if abs(delta) > TIE else over.low + over.high
    opened, rises = list(state.open.items()), []
    for _, each in opened:
        rise = each.rises(1 if lead >= -TIE else -1)
        rises.append(np.stack([rise.max(axis=1), rise @ state.shares(each.scale)]))
    if not opened:
        return JudgeNext(delta, over, (), state)
    # Equal numbers that differ by rounding alone are equal.
    move, expected = np.round(np.concatenate(rises, axis=1) / state.scored, _DIGITS)
    rank = np.concatenate([each.rank for _, each in opened])
    # Queries are in the order of the qrels, and documents as listed: both break ties.
    order = np.lexsort((rank, -expected))
    names = [(query, document) for query, each in opened for document in each.documents]
    candidates = (
        Candidate(*names[row], *numbers)
        for row, *numbers in zip(
            *(each.tolist() for each in (order, rank[order], move[order], expected[order])),
            strict=True,
        )
    )
    return JudgeNext(delta, over, tuple(candidates), state)
