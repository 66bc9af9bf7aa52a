"""DCG, IDCG and nDCG: graded gains, discounted by the logarithm of the rank."""

from dataclasses import replace
from typing import ClassVar

import numpy as np

from ..arrays import Ints
from ..conventions.convention import Convention
from ..conventions.gains import DISCOUNTS
from ..errors import MeasureError
from ..judging import Hits, JudgedRankings
from ..latex_slots import filled
from .arithmetic import gain, weight
from .base import Graded, Lines, OfIdeal, OverIdeal

SOURCE = "Järvelin & Kekäläinen, ACM TOIS 20(4) (2002), with the discount 1/log2(rank+1)"


def discount_slots(convention: Convention) -> dict[str, str]:
    """Return the LaTeX of the discount: of rank i in symbols, and of a line's own rank."""
    latex = DISCOUNTS[convention.discount].latex
    return {"discount_of_i": filled(latex, {"rank": "i"}), "discount_of_rank": latex}


def ideal_ranking(judged: JudgedRankings, convention: Convention, cutoff: int | None) -> Hits:
    """Return the best ranking of the documents that the convention allows in the ideal."""
    hits = judged.ideal(convention.ideal, cutoff)
    gains = gain(hits, convention)
    # A custom gain may order the grades differently.
    best_first = np.lexsort((-gains, hits.query))
    # Retrieved documents without a line gain 0, so they rank above negative gains.
    below = (gains[best_first] < 0) * _without_line(judged, convention, cutoff)[hits.query]
    return replace(hits[best_first], rank=hits.rank + below).untied()


def _without_line(judged: JudgedRankings, convention: Convention, cutoff: int | None) -> Ints:
    """Return ``(q,)`` the number of retrieved, unjudged documents of the ideal without a line."""
    if convention.ideal == "judged":
        return np.zeros(len(judged.queries), np.int64)
    top = judged.retrieved
    if convention.ideal == "doubled" and cutoff is not None:
        top = np.minimum(top, cutoff)
    listed = judged.hits.query[judged.hits.rank <= top[judged.hits.query]]
    return np.asarray(top - judged.per_query(listed))


class DCG(Graded):
    """Discounted cumulative gain."""

    symbol = "DCG"
    full_name = "discounted cumulative gain"
    trec: ClassVar[tuple[str, ...]] = ("dcg",)
    meaning = "The gains of the top k, each divided by a discount that grows with its rank."
    formula = r"\mathrm{DCG@}k = \sum_{i=1}^{k} \frac{gain_i}{<discount_of_i>}"
    term = r"\frac{<gain:g>}{<discount_of_rank>}"
    mean_term = r"<gain:g>\cdot<discount:.4f>"
    source = SOURCE
    use = "To see what a ranking earns before it is divided by an ideal."
    avoid = "Means: queries with many relevant documents outweigh the others."
    value_range = "0 to any number"
    choices: ClassVar[tuple[str, ...]] = ("gain", "discount", "negative")
    linear = True
    labels = {"discount": "1/log₂(r+1)"}

    def slots(self, convention: Convention) -> dict[str, str]:
        return discount_slots(convention)

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        gains, divisor = gain(hits, convention), DISCOUNTS[convention.discount].divisor
        if convention.ties == "mean":
            weights = weight(
                hits, convention, self.depth(convention), lambda rank: 1.0 / divisor(rank)
            )
            return Lines({"gain": gains, "discount": weights}, gains * weights)
        logs = divisor(hits.rank)
        working = {"gain": gains, convention.discount: logs, "discount": 1.0 / logs}
        return Lines(working, gains / logs)


class IDCG(OfIdeal, DCG):
    """The DCG of the ideal ranking."""

    trec = ("ideal_dcg",)
    best = "best possible ranking, by gain, highest first"
    formula = r"\mathrm{IDCG@}k = \sum_{i=1}^{<end>} \frac{gain^{ideal}_i}{<discount_of_i>}"
    choices = ("gain", "discount", "ideal", "ideal_cut", "negative")

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        return ideal_ranking(judged, convention, self.cutoff)


class nDCG(OverIdeal, DCG):  # noqa: N801 - the field writes it so
    """Normalised discounted cumulative gain."""

    also = ("normalized discounted cumulative gain", "normalised DCG", "normalized DCG")
    trec = ("ndcg", "ndcg_cut_{cutoff}")
    term = r"\frac{<gain:g>}{<discount_of_rank>\cdot<idcg:.4f>}"
    mean_term = r"\frac{<gain:g>\cdot<discount:.4f>}{<idcg:.4f>}"
    source = "trec_eval: ndcg, ndcg_cut; " + SOURCE
    use = "Graded judgments where top ranks matter more: search, recommendation, reranking."
    avoid = "Few judged documents, so that the ideal is a guess; or one answer is enough."
    of = DCG, IDCG
    labels = {"discounted_gain": "gain × discount", "idcg": "IDCG"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        dcg = DCG(self.cutoff).lines(hits, judged, convention)
        # Documents that are not retrieved can have negative gains in the ideal, too.
        ideal = judged.ideal(convention.ideal, self.cutoff)
        if convention.negative == "subtract" and (gain(ideal, convention) < 0).any():
            raise MeasureError(
                f"{self} is not a share of an ideal when gains are below 0. Give negative grades a "
                'gain of 0 with negative="nonrelevant", or use DCG.'
            )
        idcg = self.to_find(judged, convention)
        working = dcg.working | {"discounted_gain": dcg.earned, "idcg": idcg[hits.query]}
        return Lines(working, dcg.earned, idcg)
