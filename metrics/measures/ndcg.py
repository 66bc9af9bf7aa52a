"""Graded gains: DCG, IDCG and nDCG discount them by rank, G and binG by the gain missed so far."""

from abc import abstractmethod
from dataclasses import replace
from typing import ClassVar

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..conventions.gains import DISCOUNTS
from ..errors import MeasureError
from ..latex_slots import filled
from ..matching import Hits, JudgedRankings
from ..matching.tie_orders import searched
from .arithmetic import at, divide, gain, relevance, running, seen, weight
from .base import Binary, Graded, Lines, OfIdeal, OverIdeal

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
    use = "Seeing what a ranking earns before it is divided by an ideal."
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
    avoid = "Few judged documents, so that the ideal is a guess; questions with one answer."
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


Points = tuple[Ints, Ints, Floats]
"""Query, depth and number of each point, ``(m,)`` each, by ascending depth in each query."""


class _Averaged(Graded):
    """The mean of nDCG@d over each query's points d."""

    term = r"<gain:g>\cdot<discount:.4f>\cdot<per_gain:.4f>"
    suffix = ""
    choices: ClassVar[tuple[str, ...]] = ("gain", "discount", "ideal")
    normalised = True
    labels = {"per_gain": "mean 1/IDCG below"}

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return ideal_gain(judged, convention)

    @abstractmethod
    def points(self, hits: Hits, ideal: Hits, judged: JudgedRankings, c: Convention) -> Points:
        """Return the depths to average over; ``ideal`` has only the documents with a gain."""

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        divisor = DISCOUNTS[convention.discount].divisor
        gains, weights = gain(hits, convention), 1.0 / divisor(hits.rank)
        ideal = positive(judged, convention)
        idcg = running(np.add, gain(ideal, convention) * (1.0 / divisor(ideal.rank)), ideal.query)
        query, depth, times = self.points(hits, ideal, judged, convention)
        number = judged.per_query(query, times)[query]
        share = divide(times, number * at(ideal.query, ideal.rank, idcg, query, depth))
        # A line counts at every point from its own depth down: sum the points from below.
        deepest = int(max(depth.max(initial=0), hits.rank.max(initial=0)))
        order = np.lexsort((-depth, query))
        below = running(np.add, share[order], query[order])
        per_gain = at(query[order], deepest - depth[order], below, hits.query, deepest - hits.rank)
        working = {"gain": gains, "discount": weights, "per_gain": per_gain}
        return Lines(working, gains * weights * per_gain)


class RnDCG(_Averaged):
    """nDCG averaged over the levels of the ideal."""

    symbol = "RnDCG"
    full_name = "normalised discounted cumulative gain at the levels of the ideal"
    also = ("R-nDCG", "nDCG at R levels")
    trec = ("Rndcg",)
    meaning = "The mean of nDCG at the ranks where the ideal ranking drops to a lower gain."
    formula = (
        r"\mathrm{RnDCG} = \frac{1}{m}\sum_{d} \mathrm{nDCG@}d,\quad d: \text{the ends of the"
        r" ideal's gain levels, and the ranking's end when it is longer by two or more}"
    )
    source = "trec_eval: Rndcg, experimental (2008)"
    use = "Graded judgments without a natural cutoff."
    avoid = "Results for others to compare with: hardly anybody reports it."
    choices = ("gain", "discount", "ideal", "level")

    def points(self, hits: Hits, ideal: Hits, judged: JudgedRankings, c: Convention) -> Points:
        gains = gain(ideal, c)
        same = (ideal.query[1:] == ideal.query[:-1]) & (gains[1:] == gains[:-1])
        ends = np.flatnonzero(np.append(~same, True)[: len(ideal)])
        longer = np.flatnonzero(judged.retrieved > judged.per_query(ideal.query) + 1)
        query = np.append(ideal.query[ends], longer)
        depth = np.append(ideal.rank[ends], judged.retrieved[longer])
        order = np.lexsort((depth, query))
        # trec_eval gives 0 to a query without a document of the relevant level.
        order = order[judged.relevant(c.level)[query[order]] > 0]
        return query[order], depth[order], np.ones(len(order))


class nDCGrel(_Averaged):  # noqa: N801 - after nDCG
    """nDCG averaged over the relevant documents."""

    symbol = "nDCGrel"
    full_name = "normalised discounted cumulative gain over relevant documents"
    trec = ("ndcg_rel",)
    meaning = "The mean of nDCG at the rank of each document with a gain; at the end if missing."
    formula = (
        r"\mathrm{nDCGrel} = \frac{1}{G}\Big(\sum_{i:\,gain_i>0} \mathrm{nDCG@}i"
        r" + (G - \text{retrieved with a gain})\,\mathrm{nDCG}\Big)"
    )
    source = "trec_eval: ndcg_rel, experimental (2008)"
    use = "The uses of AP, with graded judgments."
    avoid = "Results for others to compare with: hardly anybody reports it."
    exchangeable = False

    def points(self, hits: Hits, ideal: Hits, judged: JudgedRankings, c: Convention) -> Points:
        found = hits[gain(hits, c) > 0]
        missing = judged.per_query(ideal.query) - judged.per_query(found.query)
        some = np.flatnonzero(missing > 0)
        end = np.maximum(judged.retrieved, judged.per_query(ideal.query))[some]
        query, depth = np.append(found.query, some), np.append(found.rank, end)
        times = np.append(np.ones(len(found)), missing[some].astype(float))
        order = np.lexsort((depth, query))
        return query[order], depth[order], times[order]


def ideal_gain(judged: JudgedRankings, convention: Convention) -> Floats:
    """Return ``(q,)`` the sum of the gains of each ideal ranking."""
    ideal = positive(judged, convention)
    return judged.per_query(ideal.query, gain(ideal, convention))


def positive(judged: JudgedRankings, convention: Convention) -> Hits:
    """Return the ideal ranking without the documents that gain nothing."""
    ideal = ideal_ranking(judged, convention, None)
    return ideal[gain(ideal, convention) > 0]


class G(Graded):
    """Normalised gain."""

    symbol = "G"
    full_name = "normalised gain"
    also = ("normalized gain",)
    trec = ("G",)
    meaning = "Gains, discounted by how far the ranking is behind the ideal at each rank."
    formula = (
        r"\mathrm{G} = \frac{1}{\sum gain^{ideal}}\sum_i"
        r"\frac{gain_i}{\log_2\left(2 + \sum_{j\le i}(\max(1, gain^{ideal}_j) - gain_j)\right)}"
    )
    term = r"\frac{<gain:g>}{<ideal_total:g>\cdot\log_2(2+<behind:g>)}"
    source = "trec_eval: G, experimental (2008)"
    use = "Lists in which a document below equally good ones should not lose value for its rank."
    avoid = "Results for others to compare with: hardly anybody reports it."
    suffix = ""
    choices = ("gain", "ideal")
    exchangeable = False
    normalised = True
    labels = {"behind": "behind the ideal by", "ideal_total": "ideal gain"}

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return ideal_gain(judged, convention)

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        gains, ideal = gain(hits, convention), positive(judged, convention)
        could = _could(ideal, judged, convention, hits.query, hits.rank)
        behind = could - running(np.add, gains, hits.query)
        total = self.to_find(judged, convention)
        working = {"gain": gains, "behind": behind, "ideal_total": total[hits.query]}
        return Lines(working, divide(gains, np.log2(2.0 + behind)), total)

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        hits, ideal = judged.hits, positive(judged, convention)
        # Gains ascend from 0; reversed below, documents that gain nothing are the last kind.
        levels, kind = np.unique(np.append(0.0, gain(hits, convention)), return_inverse=True)

        def earned(query: int, above: Ints, kind: int) -> Floats:
            rank = above.sum(axis=0) + 1
            could = _could(ideal, judged, convention, np.full(len(rank), query), rank)
            behind = could - levels[::-1] @ above - levels[::-1][kind]
            return np.asarray(levels[::-1][kind] / np.log2(2.0 + behind))

        return searched(hits, len(levels) - 1 - kind[1:], len(levels), earned, best)


def _could(
    ideal: Hits, judged: JudgedRankings, convention: Convention, query: Ints, rank: Ints
) -> Floats:
    """Return the ideal gain down to each rank, where every rank counts at least 1."""
    most = running(np.add, np.maximum(gain(ideal, convention), 1.0), ideal.query)
    inside = np.minimum(rank, judged.per_query(ideal.query)[query])
    return np.asarray(at(ideal.query, ideal.rank, most, query, inside) + (rank - inside))


class BinG(Binary):
    """Binary G."""

    symbol = "binG"
    full_name = "binary normalised gain"
    also = ("binary normalized gain", "binary G")
    trec = ("binG",)
    meaning = "Relevant documents, each discounted by the non-relevant ones above it."
    formula = (
        r"\mathrm{binG} = \frac{1}{R}\sum_i"
        r"\frac{rel_i}{\log_2(2 + \text{documents above } i \text{ that are not relevant})}"
    )
    term = r"\frac{<relevant>}{<R:.0f>\cdot\log_2(2+<above>)}"
    source = "trec_eval: binG, experimental (2008)"
    use = "The uses of G, with binary relevance."
    avoid = G.avoid
    suffix = ""
    normalised = True
    labels = {"above": "not relevant above"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant, total = relevance(hits, convention), self.to_find(judged, convention)
        above = hits.rank - 1 - (seen(relevant, hits) - relevant)
        working = {"relevant": relevant, "above": above, "R": total[hits.query]}
        return Lines(working, relevant / np.log2(2.0 + above), total)
