"""Readers who stop: RBP after any document, ERR after one that satisfies, PFound after both."""

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..errors import MeasureError
from ..matching import Hits, JudgedRankings
from .arithmetic import assessed, before, relevance, running, weight
from .base import Binary, Lines, Measure, OfIdeal, OverIdeal

SOURCE = "trec_eval 10: {}; Moffat & Zobel, ACM TOIS 27(1) (2008)"


class RBP(Binary):
    """Rank-biased precision."""

    p: float = 0.9
    worth: str | None = None

    symbol = "RBP"
    full_name = "rank-biased precision"
    trec = ("rbp", "rbp_p={p:g}")
    meaning = "The gain per document read, where a reader continues with probability p."
    formula = r"\mathrm{RBP@}k = (1-p)\sum_{i=1}^{k} worth_i\,p^{\,i-1}"
    term = r"<worth:.4g>\cdot<weight:.4g>"
    usually_cut = False
    source = SOURCE.format("rbp")
    use = "Modelling a patient (p near 1) or impatient reader; incomplete judgments: see RBPres."
    avoid = "Comparing values of different p, or expecting a perfect ranking to reach 1."
    choices = ("rbp", "level")
    graded = True
    linear = True

    def of(self, rank: Ints) -> Floats:
        """Return the weight of each rank."""
        return np.asarray((1.0 - self.p) * self.p ** (rank - 1.0))

    def worths(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Floats:
        """Return the gain of each document; scaled, the highest grade of a query gains 1."""
        if convention.rbp == "relevant":
            return relevance(hits, convention).astype(float)
        grade = np.maximum(np.nan_to_num(hits.grade), 0.0)
        if convention.rbp == "grade":
            return np.asarray(grade)
        highest = np.ones(len(judged.queries))
        np.maximum.at(highest, judged.judged.query, judged.judged.grade)
        return np.asarray(grade / highest[hits.query])

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        worth = self.worths(hits, judged, convention)
        weights = weight(hits, convention, self.cutoff, self.of)
        return Lines({"worth": worth, "weight": weights}, worth * weights)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        if convention.rbp == "relevant":
            return super().sort_key(hits, convention)
        return np.nan_to_num(hits.grade)


class RBPres(Measure):
    """The residual of rank-biased precision."""

    p: float = 0.9

    symbol = "RBPres"
    full_name = "residual of rank-biased precision"
    also = ("RBP residual",)
    trec = ("rbp_resid", "rbp_resid_p={p:g}")
    meaning = "How much RBP could rise if everything unjudged or not retrieved were perfect."
    formula = r"\mathrm{RBPres} = 1 - (1-p)\sum_i judged_i\,p^{\,i-1}"
    term = r"\left(-<judged>\cdot<weight:.4g>\right)"
    usually_cut = False
    source = SOURCE.format("rbp_resid, which prints 0 when all that was retrieved is judged")
    use = "Reading RBP: the true value lies between RBP and RBP + RBPres."
    avoid = "Measuring quality."
    start_name = "everything is unknown"
    choices = ("negative",)
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        known = assessed(hits, convention).astype(np.int64)
        weights = weight(hits, convention, self.cutoff, RBP(p=self.p).of)
        return Lines({"judged": known, "weight": weights}, -known * weights)

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return np.ones(len(judged.queries))

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return -assessed(hits, convention).astype(float)


ERR_SOURCE = "Chapelle, Metzler, Zhang & Grinspan, CIKM 2009; gdeval"


class ERR(Measure):
    """Expected reciprocal rank."""

    max: float = 4.0

    symbol = "ERR"
    full_name = "expected reciprocal rank"
    meaning = "The expected 1/rank at which a reader is satisfied; good documents end the search."
    formula = (
        r"\mathrm{ERR@}k = \sum_{i=1}^{k} \frac{1}{i}\, p_i \prod_{j<i} (1 - p_j),"
        r"\quad p = \frac{2^{grade} - 1}{2^{max}}"
    )
    term = r"\frac{1}{<rank>}\cdot<p:.4g>\cdot<reached:.4g>"
    source = ERR_SOURCE
    use = "Searches in which a second good document is worth less once the first has satisfied."
    avoid = "Scales of unknown maximum: the value depends on max."
    graded = True
    labels = {"p": "P(satisfies)", "reached": "P(is reached)"}

    def on_scale(self, hits: Hits) -> Floats:
        """Return the grades, none below 0.

        Raises MeasureError for a grade above the highest of the scale.
        """
        grade = np.maximum(np.nan_to_num(hits.grade), 0.0)
        if (grade > self.max).any():
            raise MeasureError(
                f"{self}: the qrels contain the grade {grade.max():g}, above the highest of the "
                f"scale, {self.max:g}. Set the scale: {self.symbol}(max={grade.max():g})."
            )
        return np.asarray(grade)

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        p = (np.exp2(self.on_scale(hits)) - 1.0) / np.exp2(self.max)
        reached = before(running(np.multiply, 1.0 - p, hits.query), hits.query, 1.0)
        return Lines({"p": p, "reached": reached}, p * reached / hits.rank)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.per_query(judged.judged.query[judged.judged.grade > 0]).astype(float)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return np.nan_to_num(hits.grade)


class IERR(OfIdeal, ERR):
    """The ERR of the ideal ranking."""


class NERR(OverIdeal, ERR):
    """Normalised expected reciprocal rank."""

    also = ("normalized expected reciprocal rank", "normalised ERR", "normalized ERR")
    term = r"\frac{<p:.4g>\cdot<reached:.4g>}{<rank>\cdot<ierr:.4f>}"
    use = "The uses of ERR, over queries whose best documents differ in grade."
    avoid = "Scales of unknown maximum, as for ERR; few judged documents."
    of = ERR, IERR
    ideal_column = "ierr"
    labels = {"ierr": "IERR"}


class PFound(ERR):
    """Probability of finding a relevant document."""

    p: float = 0.85
    max: float = 1.0

    symbol = "PFound"
    full_name = "probability of finding a relevant document"
    meaning = "The probability that the reader is satisfied before leaving or reaching the end."
    formula = (
        r"\mathrm{PFound@}k = \sum_{i=1}^{k} r_i \prod_{j<i} p\,(1 - r_j),"
        r"\quad r = \frac{grade}{max}"
    )
    term = r"<r:.4g>\cdot<reached:.4g>"
    source = "Gulin & Karpovich, RuSSIR 2009 (Yandex); CatBoost: PFound, whose decay is p"
    use = "Grades that are probabilities, and readers who give up."
    avoid = "Grades above 1 without max: each grade divided by max is a probability."
    labels = {"r": "P(satisfies)", "reached": "P(is reached)"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        r = self.on_scale(hits) / self.max
        unsatisfied = before(running(np.multiply, 1.0 - r, hits.query), hits.query, 1.0)
        # A reader may leave after any document, also after one that is not judged.
        reached = unsatisfied * self.p ** (hits.rank - 1)
        return Lines({"r": r, "reached": reached}, r * reached)
