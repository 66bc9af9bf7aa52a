"""DCG, IDCG and nDCG: graded gains, discounted by the logarithm of the rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..convention import Convention
from ..judged import JudgedRankings
from ..ranking import Hits
from .base import Columns, Graded, Measure, divide, gain

SOURCE = "Järvelin & Kekäläinen, ACM TOIS 20(4) (2002), with the discount 1/log2(rank+1)"


@dataclass(frozen=True)
class DCG(Graded):
    """Discounted cumulative gain."""

    symbol = "DCG"
    meaning = "The gains of the top k, each divided by log2(rank + 1)."
    formula = r"\mathrm{DCG@}k = \sum_{i=1}^{k} \frac{gain_i}{\log_2(i+1)}"
    term = r"\frac{{{gain:g}}}{{\log_2({rank}+1)}}"
    source = SOURCE

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        gains, logs = gain(hits, convention), np.log2(hits.rank + 1.0)
        return {"gain": gains, "log2": logs, "discount": 1 / logs, "contribution": gains / logs}


@dataclass(frozen=True)
class IDCG(DCG):
    """The DCG of the ideal ranking."""

    symbol = "IDCG"
    aliases = ("iDCG",)
    meaning = "The DCG of the best possible ranking, by grade, highest first."
    formula = r"\mathrm{IDCG@}k = \sum_{i=1}^{k} \frac{gain^{ideal}_i}{\log_2(i+1)}"
    choices = ("gain", "ideal")

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        return judged.ideal(convention.ideal)


@dataclass(frozen=True)
class nDCG(Graded):  # noqa: N801 - the field writes it so
    """Normalised discounted cumulative gain."""

    symbol = "nDCG"
    aliases = ("NDCG",)
    meaning = "DCG as a share of the DCG that the ideal ranking would get."
    formula = r"\mathrm{nDCG@}k = \frac{\mathrm{DCG@}k}{\mathrm{IDCG@}k}"
    term = r"\frac{{{gain:g}}}{{\log_2({rank}+1)\cdot{idcg:.4f}}}"
    divisor = "idcg"
    source = "trec_eval: ndcg, ndcg_cut; " + SOURCE
    choices = ("gain", "ideal")

    @property
    def parts(self) -> tuple[Measure, ...]:
        return DCG(self.cutoff, self.gain), IDCG(self.cutoff, self.gain)

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        dcg, ideal = self.parts
        columns = dcg.lines(hits, judged, convention)
        idcg = ideal.ledger(judged).scores[hits.query]
        discounted = columns.pop("contribution")
        columns |= {"discounted_gain": discounted, "idcg": idcg}
        return columns | {"contribution": divide(discounted, idcg)}
