"""Counts of retrieved, relevant and judged documents, and shares of them."""

import numpy as np

from ..arrays import Floats
from ..conventions.convention import Convention
from ..matching import Hits, JudgedRankings
from .arithmetic import assessed, relevance, within
from .base import Binary, Lines, Measure
from .precision_recall import depth


def unlisted(judged: JudgedRankings) -> Floats:
    """Return ``(q,)`` the number of retrieved documents without a line: the unjudged ones."""
    return np.asarray(judged.retrieved - judged.per_query(judged.hits.query), float)


class _Number(Measure):
    """A number of documents, whatever their ranks."""

    value_range = "0 to any number"
    summary = "sum"
    suffix = ""
    linear = True


class NumRet(_Number):
    """Number of retrieved documents."""

    symbol = "NumRet"
    full_name = "number of retrieved documents"
    trec = ("num_ret",)
    meaning = "The number of documents retrieved."
    formula = r"n = \sum_i 1"
    term = "1"
    source = "trec_eval: num_ret"
    use = "Checking that a ranking is as deep as it should be."
    avoid = "Measuring quality."
    start_name = "unjudged documents"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        return Lines({}, np.ones(len(hits)))

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return unlisted(judged)


class NumRel(_Number, Binary):
    """Number of relevant documents."""

    symbol = "NumRel"
    full_name = "number of relevant documents"
    trec = ("num_rel",)
    meaning = "The number of relevant documents, retrieved or not: R."
    formula = r"R = \sum_{\text{judged}} rel"
    term = "<relevant>"
    source = "trec_eval: num_rel"
    use = "Seeing how much there is to find."
    avoid = "Measuring quality: it does not depend on the run."

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        return judged.judged

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        return Lines({"relevant": relevant}, relevant)


class NumRelRet(Binary):
    """Number of relevant documents retrieved."""

    symbol = "NumRelRet"
    full_name = "number of relevant documents retrieved"
    trec = ("num_rel_ret",)
    meaning = "The number of relevant documents in the top k."
    formula = r"hits = \sum_{i=1}^{k} rel_i"
    term = "<relevant:.4g>"
    usually_cut = False
    source = "trec_eval: num_rel_ret; ranx: hits"
    use = "The plain count behind precision and recall."
    avoid = "Means over queries with very different R."
    value_range = "0 to k"
    summary = "sum"
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        top = depth(self.cutoff, judged)[hits.query]
        relevant = relevance(hits, convention) * within(hits, convention, top)
        return Lines({"relevant": relevant}, relevant)


class NumNonrelRet(_Number, Binary):
    """Number of documents retrieved that were judged not relevant."""

    symbol = "NumNonrelRet"
    full_name = "number of non-relevant documents retrieved"
    trec = ("num_nonrel_judged_ret",)
    meaning = "The number of retrieved documents that were judged not relevant."
    formula = r"\sum_i judged_i\,(1 - rel_i)"
    term = "<nonrelevant>"
    source = "trec_eval: num_nonrel_judged_ret"
    use = "Distinguishing documents known to be bad from unjudged ones."
    avoid = "Measuring quality."
    choices = ("level", "negative")

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        bad = assessed(hits, convention) & (relevance(hits, convention) == 0)
        return Lines({"nonrelevant": bad.astype(np.int64)}, bad)


class Judged(Measure):
    """Share of judged documents."""

    symbol = "Judged"
    full_name = "share of judged documents"
    also = ("judged share",)
    meaning = "The share of the top k that was judged."
    formula = r"\mathrm{Judged@}k = \sum_{i=1}^{k} \frac{judged_i}{\min(k, n)}"
    term = r"\frac{<judged:.4g>}{<k>}"
    source = "ir_measures: Judged"
    use = "Checking every other measure: below about 0.9 the others are guesses."
    avoid = "Measuring quality."
    choices = ("negative",)
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        top = depth(self.cutoff, judged)
        known = assessed(hits, convention) * within(hits, convention, top[hits.query])
        k = np.minimum(top, judged.retrieved)
        return Lines({"judged": known, "k": k[hits.query]}, known, k)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return assessed(hits, convention).astype(float)


class Unjudged(Measure):
    """Share of unjudged documents, or holes."""

    symbol = "Unjudged"
    full_name = "share of unjudged documents"
    also = ("Hole",)
    trec = ("unj_{cutoff}",)
    meaning = "The number of unjudged documents in the top k, divided by k."
    formula = r"\mathrm{Unjudged@}k = \frac{\min(k,n)}{k} - \sum_{i=1}^{k} \frac{judged_i}{k}"
    term = r"\left(-\frac{<judged:.4g>}{<k>}\right)"
    source = "trec_eval 10: unj; BEIR: hole"
    use = "Checking every other measure: where it is high, the others are guesses."
    avoid = "Measuring quality."
    start_name = "retrieved documents"
    choices = ("negative",)
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        k = depth(self.cutoff, judged)
        known = assessed(hits, convention) * within(hits, convention, k[hits.query])
        return Lines({"judged": known, "k": k[hits.query]}, -known, k)

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return np.minimum(depth(self.cutoff, judged), judged.retrieved).astype(float)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return -assessed(hits, convention).astype(float)


class Utility(Binary):
    """Utility, with the worth of a document as parameters."""

    hit: float = 1.0
    other: float = -1.0
    missed: float = 0.0

    symbol = "Utility"
    full_name = "linear utility"
    trec = ("utility",)
    meaning = "Relevant documents retrieved minus all others retrieved."
    formula = r"\mathrm{Utility} = \sum_i \left(<hit>\,rel_i <other>\,(1 - rel_i)\right)<missed>"
    term = "<contribution:+.0f>"
    source = "trec_eval: utility; its fourth weight, of documents that are not retrieved, is 0 here"
    use = "Filtering, where a non-relevant document costs the reader as much as a hit is worth."
    avoid = "Rankings of a fixed depth: the depth decides most of the score."
    value_range = "any number"
    start_name = "unjudged and missed documents"
    suffix = ""
    linear = True

    def slots(self, convention: Convention) -> dict[str, str]:
        missed = rf"{self.missed:+g}\,(R - \sum_i rel_i)" if self.missed else ""
        return {"hit": f"{self.hit:g}", "other": f"{self.other:+g}", "missed": missed}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        worth = np.where(relevant == 1, self.hit - self.missed, self.other)
        return Lines({"relevant": relevant}, worth)

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        missed = self.missed * judged.relevant(convention.level)
        # Added to 0, so that nothing is no −0.0.
        return np.asarray(0.0 + missed + self.other * unlisted(judged))
