"""Precision, recall and F1: how many of the top k are relevant, in any order."""

from __future__ import annotations

from dataclasses import dataclass

from ..convention import Convention
from ..judged import JudgedRankings
from ..ranking import Hits, Ints
from .base import Binary, Columns, divide, relevance


def depth(measure: Binary, hits: Hits, judged: JudgedRankings) -> Ints:
    """The k of each line: the cutoff, or without one all that was retrieved."""
    k = judged.retrieved[hits.query]
    if measure.cutoff is not None:
        k[:] = measure.cutoff
    return k


@dataclass(frozen=True)
class P(Binary):
    """Precision."""

    symbol = "P"
    aliases = ("Precision", "Prec")
    meaning = "The share of the top k that is relevant."
    formula = r"\mathrm{P@}k = \sum_{i=1}^{k} \frac{rel_i}{k}"
    term = r"\frac{{{relevant}}}{{{k}}}"
    source = "trec_eval: P, set_P; van Rijsbergen, Information Retrieval (1979), ch. 7"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        relevant, k = relevance(hits, convention), depth(self, hits, judged)
        return {"relevant": relevant, "k": k, "contribution": relevant / k}


@dataclass(frozen=True)
class R(Binary):
    """Recall."""

    symbol = "R"
    aliases = ("Recall",)
    meaning = "The share of all relevant documents that stand in the top k."
    formula = r"\mathrm{R@}k = \sum_{i=1}^{k} \frac{rel_i}{R}"
    term = r"\frac{{{relevant}}}{{{R}}}"
    divisor = "R"
    source = "trec_eval: recall, set_recall; van Rijsbergen, Information Retrieval (1979), ch. 7"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        relevant = relevance(hits, convention)
        total = judged.relevant(convention.level)[hits.query]
        return {"relevant": relevant, "R": total, "contribution": divide(relevant, total)}


@dataclass(frozen=True)
class F1(Binary):
    """F1."""

    symbol = "F1"
    aliases = ("F",)
    meaning = "The harmonic mean of precision P and recall R: 2PR/(P+R)."
    formula = (
        r"\mathrm{F1@}k = \frac{2\cdot\frac{hits}{k}\cdot\frac{hits}{R}}"
        r"{\frac{hits}{k}+\frac{hits}{R}} = \frac{2\,hits}{k + R}"
        r" = \sum_{i=1}^{k} \frac{2\,rel_i}{k + R}"
    )
    term = r"\frac{{2\cdot{relevant}}}{{{k}+{R}}}"
    source = "trec_eval: set_F; van Rijsbergen, Information Retrieval (1979), ch. 7"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        relevant, k = relevance(hits, convention), depth(self, hits, judged)
        total = judged.relevant(convention.level)[hits.query]
        contribution = 2 * relevant / (k + total)
        return {"relevant": relevant, "k": k, "R": total, "contribution": contribution}
