"""Precision, recall and F of the top k, in any order; precision at points of recall."""

import re
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..errors import MeasureError
from ..matching import Hits, JudgedRankings
from .arithmetic import relevance, seen, within
from .base import Binary, Lines

TEXTBOOK = "van Rijsbergen, Information Retrieval (1979), ch. 7"


def depth(cutoff: int | None, judged: JudgedRankings) -> Ints:
    """Return ``(q,)`` the k of each query: the cutoff, or without one the documents retrieved."""
    k: Ints = judged.retrieved.astype(np.int64)
    return k if cutoff is None else np.full_like(k, cutoff)


def divisor(cutoff: int | None, judged: JudgedRankings, convention: Convention) -> Ints:
    """Return ``(q,)`` the divisor of precision: k, or by convention min(k, retrieved)."""
    k = depth(cutoff, judged)
    return np.minimum(k, judged.retrieved) if convention.precision == "returned" else k


class P(Binary):
    """Precision."""

    symbol = "P"
    full_name = "precision"
    also = ("Prec", "precision of the whole result set", "SetP")
    trec = ("set_P", "P_{cutoff}")
    meaning = "The share of the top k that is relevant."
    formula = r"\mathrm{P@}k = \sum_{i=1}^{k} \frac{rel_i}{k}"
    term = r"\frac{<relevant:.4g>}{<k>}"
    source = f"trec_eval: P, set_P; {TEXTBOOK}"
    use = "The first page of results, where all its ranks count equally."
    avoid = "Queries with fewer than k relevant documents: they cannot reach 1."
    choices = ("level", "precision")
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        top = depth(self.cutoff, judged)[hits.query]
        k = divisor(self.cutoff, judged, convention)
        relevant = relevance(hits, convention) * within(hits, convention, top)
        return Lines({"relevant": relevant, "k": k[hits.query]}, relevant, k)


class R(Binary):
    """Recall."""

    symbol = "R"
    full_name = "recall"
    also: ClassVar[tuple[str, ...]] = ("recall of the whole result set", "SetR")
    trec = ("set_recall", "recall_{cutoff}")
    meaning = "The share of all relevant documents that are in the top k."
    formula = r"\mathrm{R@}k = \sum_{i=1}^{k} \frac{rel_i}{R}"
    term = r"\frac{<relevant:.4g>}{<R:.0f>}"
    source = f"trec_eval: recall, set_recall; {TEXTBOOK}"
    use = "A first stage: no later stage can recover the documents it misses."
    avoid = "Small k with many relevant documents: R@k cannot exceed k/R; see RCap."
    linear = True
    normalised = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        top = depth(self.cutoff, judged)[hits.query]
        relevant = relevance(hits, convention) * within(hits, convention, top)
        total = self.most(judged, convention)
        return Lines({"relevant": relevant, "R": total[hits.query]}, relevant, total)

    def most(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """Return ``(q,)`` the number of relevant documents that makes the score 1."""
        return self.to_find(judged, convention)


class RCap(R):
    """Capped recall, or relative precision."""

    symbol = "RCap"
    full_name = "capped recall"
    also = ("R_cap", "relative precision", "RelativeP", "SetRelP")
    trec = ("set_relative_P", "relative_P_{cutoff}")
    meaning = "The relevant documents in the top k, divided by the most that fit: min(k, R)."
    formula = r"\mathrm{RCap@}k = \sum_{i=1}^{k} \frac{rel_i}{\min(k, R)}"
    source = "trec_eval: relative_P, set_relative_P; BEIR: R_cap (2021)"
    use = "Recall at a small k, so that a perfect ranking scores 1 on every query."
    avoid = "Comparing with published recall: it is precision up to R and recall from there."

    def most(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return np.minimum(depth(self.cutoff, judged), self.to_find(judged, convention))


class F(Binary):
    """F, with the weight of recall as a parameter."""

    beta: float = 1.0

    symbol = "F"
    full_name = "F-measure"
    also = ("F-score", "SetF")
    meaning = "The weighted harmonic mean of precision and recall; recall counts beta times."
    formula = (
        r"\mathrm{F@}k = \frac{(1+\beta^2)\,P\,R}{\beta^2 P + R}"
        r" = \sum_{i=1}^{k} \frac{(1+\beta^2)\,rel_i}{k + \beta^2 R}"
    )
    term = r"\frac{<weight:.4g>\cdot<relevant:.4g>}{<divisor:.4g>}"
    source = f"{TEXTBOOK}; trec_eval's set_F.x is F(beta=√x)"
    use = "Sets, where missing and superfluous documents both count against them."
    avoid = "Rankings: the order inside the top k does not count."
    choices = ("level", "precision")
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        top = depth(self.cutoff, judged)[hits.query]
        k = divisor(self.cutoff, judged, convention)
        relevant = relevance(hits, convention) * within(hits, convention, top)
        total = judged.relevant(convention.level)
        weight, divisor_of_f = 1 + self.beta**2, k + self.beta**2 * total
        working = {
            "relevant": relevant,
            "k": k[hits.query],
            "R": total[hits.query],
            "weight": np.full(len(hits), weight),
            "divisor": divisor_of_f[hits.query],
        }
        return Lines(working, weight * relevant, divisor_of_f)


class F1(Binary):
    """F1."""

    symbol = "F1"
    full_name = "F1 score"
    also = ("F1-measure",)
    trec = ("set_F",)
    meaning = "The harmonic mean of precision P and recall R: 2PR/(P+R)."
    formula = (
        r"\mathrm{F1@}k = \frac{2\cdot\frac{hits}{k}\cdot\frac{hits}{R}}"
        r"{\frac{hits}{k}+\frac{hits}{R}} = \frac{2\,hits}{k + R}"
        r" = \sum_{i=1}^{k} \frac{2\,rel_i}{k + R}"
    )
    term = r"\frac{2\cdot<relevant:.4g>}{<k>+<R>}"
    source = f"trec_eval: set_F; {TEXTBOOK}"
    use = F.use
    avoid = "Rankings, as for F. The mean of F1 is not the F1 of mean P and mean R."
    choices = ("level", "precision")
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        f = F(self.cutoff).lines(hits, judged, convention)
        working = {name: f.working[name] for name in ("relevant", "k", "R")}
        return Lines(working, f.earned, f.divisor)


class SetAP(Binary):
    """Set average precision: precision times recall of everything retrieved."""

    symbol = "SetAP"
    full_name = "set average precision"
    mean_names = ("set MAP",)
    trec = ("set_map",)
    meaning = "Precision times recall of the retrieved set: AP without the order."
    formula = r"\mathrm{SetAP} = P \cdot R = \sum_i \frac{rel_i}{R}\cdot\frac{hits}{n}"
    term = r"\frac{<relevant>}{<R:.0f>}\cdot\frac{<hits:.0f>}{<n>}"
    source = "trec_eval: set_map"
    use = "Sets: results without an order."
    avoid = "Rankings: the order does not count."
    suffix = ""
    linear = True
    normalised = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        total, n = self.to_find(judged, convention), judged.retrieved
        found = judged.per_query(hits.query, relevant.astype(float))[hits.query]
        working = {"relevant": relevant, "R": total[hits.query], "hits": found, "n": n[hits.query]}
        return Lines(working, relevant * found, total * n)


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
    avoid = "Tasks in which the order inside the top R matters."
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
    use = "Drawing a precision–recall curve that never rises."
    avoid = "A single figure of quality: tools round the point differently."
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
    use = "Comparing with results from before AP."
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
