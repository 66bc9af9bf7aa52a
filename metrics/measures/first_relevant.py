"""The first relevant document: its rank, and whether there is one."""

from ..conventions.convention import Convention
from ..matching import Hits, JudgedRankings
from .arithmetic import relevance, seen
from .base import Binary, Lines


class RR(Binary):
    """Reciprocal rank."""

    symbol = "RR"
    full_name = "reciprocal rank"
    mean_names = ("MRR", "mean reciprocal rank", "ARHR")
    trec = ("recip_rank",)
    meaning = "One over the rank of the first relevant document; documents below it are ignored."
    formula = r"\mathrm{RR} = \frac{1}{\text{rank of the first relevant document}}"
    term = r"\frac{<first>}{<rank>}"
    summed = False
    usually_cut = False
    source = "trec_eval: recip_rank; Voorhees, The TREC-8 Question Answering Track Report (1999)"
    use = "Searches in which one answer is enough: questions, known items."
    avoid = "Several relevant documents that matter; small differences: it jumps from 1 to 1/2."
    labels = {"first": "first relevant"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        first = relevant * (seen(relevant, hits) == 1)
        return Lines({"relevant": relevant, "first": first}, first / hits.rank)


class Success(Binary):
    """Success, hit rate, or top-k accuracy."""

    symbol = "Success"
    full_name = "hit rate"
    also = ("HitRate", "Hit", "hit ratio", "HR", "top-k accuracy", "TopKAccuracy")
    trec = ("success_{cutoff}",)
    meaning = "1 if the top k contains a relevant document, else 0."
    formula = r"\mathrm{Success@}k = \max_{1 \le i \le k} rel_i"
    term = "<first>"
    summed = False
    source = "trec_eval: success; BEIR: top_k_accuracy"
    use = "Tasks in which one answer anywhere in the top k is enough, as for a reader model."
    avoid = "Tasks in which the number or the ranks of relevant documents matter."

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        first = relevant * (seen(relevant, hits) == 1)
        return Lines({"relevant": relevant, "first": first}, first)
