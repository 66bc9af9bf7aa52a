"""Precision at points of recall: R-precision and interpolated precision."""

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..errors import MeasureError
from ..judging import Hits, JudgedRankings
from .arithmetic import relevance, seen, within
from .base import Binary, Lines

_POINT = r"(?:0?\.[0-9]{1,9}|0|1|1\.0{1,9})"
_POINTS = re.compile(rf"\{{{_POINT}(?:,{_POINT})*\}}", re.ASCII)


class Rprec(Binary):
    """R-precision, or precision at a multiple of R."""

    times: float = 1.0

    symbol = "Rprec"
    full_name = "R-precision"
    also = ("R-Prec", "RPrecision")
    trec = ("Rprec", "Rprec_mult_{times:.2f}")
    meaning = "Precision at the rank R, where it equals recall."
    formula = (
        r"\mathrm{Rprec} = \sum_{i=1}^{c} \frac{rel_i}{c},"
        r"\quad c = \lfloor times \cdot R + 0.9 \rfloor"
    )
    term = r"\frac{<relevant:.4g>}{<c:.0f>}"
    source = "trec_eval: Rprec, Rprec_mult"
    use = "Queries with very different numbers of relevant documents."
    avoid = "The order inside the top R matters."
    suffix = ""
    linear = True
    normalised = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        c = np.floor(self.times * self.to_find(judged, convention) + 0.9)
        top = c.astype(np.int64)[hits.query]
        relevant = relevance(hits, convention) * within(hits, convention, top)
        return Lines({"relevant": relevant, "c": c[hits.query]}, relevant, c)


class IPrec(Binary):
    """Interpolated precision at a point of recall."""

    recall: float | None = None

    symbol = "IPrec"
    full_name = "interpolated precision"
    also = ("precision at recall",)
    trec = ("iprec_at_recall_{recall:.2f}",)
    meaning = "The highest precision at any rank where recall has reached p."
    formula = r"\mathrm{IPrec@}p = \max_{i:\, R_i \ge p} P(i)"
    term = r"<chosen>\cdot\frac{<seen>}{<rank>}"
    source = "trec_eval: iprec_at_recall; Salton & McGill (1983)"
    use = "To draw a precision–recall curve that never rises."
    avoid = "As a single figure; tools round the point differently."
    suffix = "recall"
    needs = "a recall point from 0 to 1, as in IPrec@0.3"
    choices = ("level", "recall_points")
    labels = {"chosen": "highest"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        assert self.recall is not None  # ledger() refuses an incomplete measure
        curve, total = _curve(hits, judged, convention)
        chosen = _best(self.recall, curve, total, hits, convention)
        return Lines(curve | {"chosen": chosen}, chosen * curve["precision"])


class AvgIPrec(Binary):
    """Eleven-point average precision, or the mean over other points."""

    points: str | None = None

    symbol = "AvgIPrec"
    full_name = "eleven-point average precision"
    also = ("11-point average precision",)
    trec = ("11pt_avg",)
    meaning = "The mean of the interpolated precision at the recall points 0, 0.1, …, 1."
    formula = r"\frac{1}{<number>}\sum_{p \in \{<listed>\}} \mathrm{IPrec@}p"
    term = r"\frac{<points>}{<number>}\cdot\frac{<seen>}{<rank>}"
    source = "trec_eval: 11pt_avg; Salton & McGill (1983)"
    use = "To compare with results from before AP."
    avoid = "New work: AP uses every relevant document."
    suffix = ""
    choices = ("level", "recall_points")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.points is not None and not _POINTS.fullmatch(self.points):
            raise MeasureError(
                f"{self.symbol}: points must be different numbers from 0 to 1 in braces, like "
                f"{{0.25,0.5,0.75}}, not {self.points!r}."
            )

    @property
    def recalls(self) -> tuple[float, ...]:
        """The recall points: 0, 0.1, …, 1, or those of the parameter."""
        if self.points is None:
            return tuple(tenth / 10 for tenth in range(11))
        return tuple(map(float, self.points[1:-1].split(",")))

    def slots(self, convention: Convention) -> dict[str, str]:
        listed = r"0,\, 0.1,\, \ldots,\, 1"
        if self.points is not None:
            listed = r",\, ".join(self.points[1:-1].split(","))
        return {"number": str(len(self.recalls)), "listed": listed}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        curve, total = _curve(hits, judged, convention)
        points: Ints = np.zeros(len(hits), np.int64)
        for recall in self.recalls:
            points += _best(recall, curve, total, hits, convention)
        number = np.full(len(judged.queries), len(self.recalls))
        return Lines(curve | {"points": points}, points * curve["precision"], number)


def _curve(
    hits: Hits, judged: JudgedRankings, convention: Convention
) -> tuple[dict[str, NDArray[Any]], Floats]:
    """Return relevance, relevant documents so far and precision by line, and each query's R."""
    relevant = relevance(hits, convention)
    so_far = seen(relevant, hits)
    columns = {"relevant": relevant, "seen": so_far, "precision": so_far / hits.rank}
    return columns, judged.relevant(convention.level).astype(float)


def _best(
    recall: float,
    curve: dict[str, NDArray[Any]],
    total: Floats,
    hits: Hits,
    convention: Convention,
) -> Ints:
    """Return 1 at each query's line of the highest precision where recall is reached; else 0."""
    point = np.floor(recall * total + (0.9 if convention.recall_points == "up" else 0.5))
    rows = np.flatnonzero((curve["relevant"] > 0) & (curve["seen"] >= point[hits.query]))
    # Of equal ones, the first.
    order = rows[np.lexsort((hits.rank[rows], -curve["precision"][rows], hits.query[rows]))]
    flag = np.zeros(len(hits), np.int64)
    flag[order[np.flatnonzero(np.diff(hits.query[order], prepend=-1))]] = 1
    return flag
