"""Reciprocal rank and success: where the first relevant document stands."""

from __future__ import annotations

from dataclasses import dataclass

from ..convention import Convention
from ..judged import JudgedRankings
from ..ranking import Hits
from .base import Binary, Columns, relevance, seen


@dataclass(frozen=True)
class RR(Binary):
    """Reciprocal rank."""

    symbol = "RR"
    aliases = ("MRR", "recip_rank")
    meaning = "One over the rank of the first relevant document; what follows it is ignored."
    formula = r"\mathrm{RR} = \frac{1}{\text{rank of the first relevant document}}"
    term = r"\frac{{{first}}}{{{rank}}}"
    source = "trec_eval: recip_rank; Voorhees, The TREC-8 Question Answering Track Report (1999)"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        relevant = relevance(hits, convention)
        first = relevant * (seen(relevant, hits) == 1)
        return {"relevant": relevant, "first": first, "contribution": first / hits.rank}


@dataclass(frozen=True)
class Success(Binary):
    """Success, or hit rate."""

    symbol = "Success"
    aliases = ("HitRate", "Hit")
    meaning = "1 when the top k holds any relevant document, else 0."
    formula = r"\mathrm{Success@}k = \max_{1 \le i \le k} rel_i"
    term = r"{first}"
    source = "trec_eval: success"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        relevant = relevance(hits, convention)
        first = relevant * (seen(relevant, hits) == 1)
        return {"relevant": relevant, "first": first, "contribution": first}
