"""What each grade earns at each rank, so that a ranking can be drawn before it is scored anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats, Ints
from ..comparing.reversal import one_ideal, with_grades
from ..measures import REGISTRY
from ..measures.base import UNIT, OverIdeal
from ..measures.ledger import Ledger


@dataclass(frozen=True)
class Earning:
    """What the documents of one query can earn under a measure, in the unit of its lines.

    Attributes
    ----------
    first
        What a document of each grade earns at rank 1, by grade.
    shares
        What each rank leaves of that, from rank 1 down to the last line; None: it depends on the
        other documents, or on how many are retrieved. Between tied documents the convention orders.
    """

    first: dict[float, float]
    shares: tuple[float, ...] | None


def most(ledger: Ledger) -> float | None:
    """Return what the lines of a ledger's only query can earn; None where no limit is known.

    It is what the ideal ranking earns, or 1 for a measure from 0 to 1 that has none.
    """
    if ledger.ideal is not None:
        return float(ledger.ideal.scores[0])
    measure = ledger.measure
    if measure.value_range == UNIT:
        return 1.0
    for kind in REGISTRY.values():
        if issubclass(kind, OverIdeal) and kind.of[0] is type(measure):
            return float(kind.of[1](**vars(measure)).ledger(ledger.judged).scores[0])
    return None


def earning(ledger: Ledger) -> Earning | None:
    """Return what each grade of a ledger's only query earns; None where it is unknown.

    It is for aspects, for a ranking without judged documents, and for measures of other rankings.
    Of a measure that is divided by the ideal ranking's score, the lines are those before that.

    Examples
    --------
    >>> from metrics import Qrels, Run, match, parse
    >>> run = Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}})
    >>> judged = match(Qrels.from_dict({"q": {"a": 1, "b": 0, "c": 2}}), run)
    >>> earning(parse("nDCG@2").ledger(judged))
    Earning(first={0.0: 0.0, 1.0: 1.0, 2.0: 2.0}, shares=(1.0, 0.6309297535714575))
    >>> earning(parse("RR").ledger(judged))
    Earning(first={0.0: 0.0, 1.0: 1.0, 2.0: 1.0}, shares=None)
    """
    top, judged = ledger.parts[0], ledger.judged
    hits = judged.hits
    if (
        top.measure.by_aspect
        or not len(hits)
        or top.measure.ranking(judged, ledger.convention) is not hits
    ):
        return None
    grades = np.unique(np.append(hits.grade, judged.judged.grade))
    rows = np.tile(hits.grade, (len(grades), 1))
    for row, grade in zip(rows, grades, strict=True):
        # A document of the list changes places with the first; another one takes its place.
        at = np.flatnonzero(row == grade)[:1]
        row[at], row[0] = row[0], grade
    # Above the first document with a grade there can be some without.
    lines = _lines(top, rows, np.append(1, hits.rank[1:]))
    first = lines.earned[np.searchsorted(lines.hits.query, np.arange(len(grades)))]
    best = float(first.max(initial=0.0))
    linear = top.measure.linear and top.measure.suffix == "cutoff"
    alone = linear and one_ideal(ledger.measure, ledger.convention) and best > 0 <= first.min()
    shares = None
    # Only the mean over all orders of a tie gives its ranks no order.
    if alone and (ledger.convention.ties != "mean" or (hits.first == hits.last).all()):
        # A line does not depend on the others: those of the best grade alone show the shares.
        every = np.arange(1, int(judged.retrieved[0]) + 1)
        of_best = np.full((1, len(every)), grades[first.argmax()])
        shares = tuple((_lines(top, of_best, every).earned / best).tolist())
    gains = (first / top.divisor[0]).tolist()
    return Earning(dict(zip(grades.tolist(), gains, strict=True)), shares)


def _lines(top: Ledger, grades: Floats, ranks: Ints) -> Ledger:
    """Return the lines with each row of grades at these ranks, each as another query's."""
    judged = top.judged
    ideal = np.tile(judged.judged.grade, (len(grades), 1))
    return top.measure.ledger(with_grades(judged, grades, ideal, ranks, ranks, ranks))
