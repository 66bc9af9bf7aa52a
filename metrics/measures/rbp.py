"""Rank-biased precision and its residual: a reader continues with probability p."""

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..judging import Hits, JudgedRankings
from .arithmetic import assessed, relevance, weight
from .base import Binary, Lines, Measure

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
    use = "A model of a patient (p near 1) or impatient reader; incomplete judgments, see RBPres."
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
    use = "With RBP: the true value lies between RBP and RBP + RBPres."
    avoid = "As a measure of quality."
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
