"""What is needed: which aspects of a query a ranking covers, and whether it has all of them."""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints, bincount
from ..conventions.convention import Convention
from ..matching import Hits, JudgedRankings
from ..matching.aspects import covered
from ..matching.tie_orders import arranged, searched
from .arithmetic import relevance, seen, within
from .base import Binary, Lines
from .precision_recall import depth, divisor


class ByAspect(Binary):
    """A measure of the aspects that documents are relevant for; each aspect has grades.

    The score is divided by the number of aspects, or by what is possible with them. An aspect
    that no document is relevant for does not count.
    """

    by_aspect = True
    exchangeable = False
    normalised: ClassVar[bool] = True
    labels = {"aspects": "aspects covered"}

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """``(q,)`` the number of aspects that some document is relevant for."""
        every = covered(judged, judged.judged, convention.level)
        return judged.per_query(every.query[every.above() == 0]).astype(float)

    def worth(self, above: Ints, relevant: Ints) -> Floats:
        """Return what a document earns for an aspect it covers, before its rank counts.

        ``above`` documents above it cover the aspect; ``relevant`` documents are relevant for it,
        retrieved or not.
        """
        return np.asarray((above == 0).astype(float))

    def weights(self, rank: Ints, convention: Convention) -> Floats:
        """``(n,)`` the weight of each rank."""
        return np.ones(len(rank))

    def gains(
        self, hits: Hits, judged: JudgedRankings, convention: Convention
    ) -> tuple[Ints, Floats]:
        """``(n,)`` how many aspects each line covers, and its worth for all of them."""
        found = covered(judged, hits, convention.level)
        every = covered(judged, judged.judged, convention.level)
        relevant = bincount(every.aspect, minlength=int(found.aspect.max(initial=-1)) + 1)
        worth = self.worth(found.above(), relevant[found.aspect])
        number = bincount(found.line, minlength=len(hits))
        return number, bincount(found.line, worth, minlength=len(hits)).astype(float)

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        kind, kinds, of_query = _kinds(judged, convention)

        def earned(query: int, above: Ints, kind: int) -> Floats:
            covers, relevant = of_query[query]
            rank = above.sum(axis=0) + 1
            value = self.worth_of_all(covers[kind][:, None], covers.T @ above, relevant[:, None])
            reached = rank <= (np.inf if self.cutoff is None else self.cutoff)
            return np.asarray(value * self.weights(rank, convention) * reached)

        return searched(judged.hits, kind, kinds, earned, best)

    def worth_of_all(self, covers: NDArray[Any], above: Ints, relevant: Ints) -> Floats:
        """``(m,)`` what a document earns in ``m`` situations, before its rank counts.

        ``covers``, ``(a, 1)``, is 1 for each aspect of the query that it covers, else 0. ``above``,
        ``(a, m)``, documents above it cover each aspect; ``relevant``, ``(a, 1)``, documents are
        relevant for each.
        """
        return np.asarray((covers * self.worth(above, relevant)).sum(axis=0))


def _kinds(
    judged: JudgedRankings, convention: Convention
) -> tuple[Ints, int, list[tuple[Ints, Ints]]]:
    """Return the kind of each hit by the aspects it covers, and what each kind covers.

    First come ``(n,)`` the kind of each hit, and the number of kinds, of which the last covers
    nothing. Then, for each query, ``(kinds, a)`` 1 where a kind covers an aspect, and ``(a,)`` how
    many documents are relevant for it.
    """
    hits = judged.hits
    found = covered(judged, hits, convention.level)
    every = covered(judged, judged.judged, convention.level)
    kind, tables = np.full(len(hits), -1, np.int64), []
    for query in range(len(judged.queries)):
        aspects, relevant = np.unique(every.aspect[every.query == query], return_counts=True)
        here = found.query == query
        lines = np.unique(found.line[here])
        covers = np.zeros((len(lines), len(aspects)), np.int64)
        row = np.searchsorted(lines, found.line[here])
        covers[row, np.searchsorted(aspects, found.aspect[here])] = 1
        table, kind[lines] = np.unique(covers, axis=0, return_inverse=True)
        tables.append((table, relevant))
    last = max((len(table) for table, _ in tables), default=0)
    padded = [
        (np.pad(table, ((0, last + 1 - len(table)), (0, 0))), relevant)
        for table, relevant in tables
    ]
    return np.where(kind < 0, last, kind), last + 1, padded


class StRecall(ByAspect):
    """Subtopic recall."""

    symbol = "StRecall"
    full_name = "subtopic recall"
    also = ("S-recall", "strec", "aspect recall")
    meaning = "The share of the aspects that some document of the top k is relevant for."
    formula = (
        r"\mathrm{StRecall@}k = \sum_{i=1}^{k} \frac{new_i}{A},"
        r"\quad new_i = \text{aspects that rank } i \text{ is the first to cover}"
    )
    term = r"\frac{<new:.0f>}{<A:.0f>}"
    source = "Zhai, Cohen & Lafferty, SIGIR (2003); ndeval: strec"
    use = "Questions whose every aspect needs a document, whatever its rank in the top k."
    avoid = "Tasks in which ranks count; a single aspect, where it is the same as Success."
    labels = {"new": "new aspects"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        number, gains = self.gains(hits, judged, convention)
        new = gains.astype(np.int64)
        total = self.to_find(judged, convention)
        return Lines({"aspects": number, "new": new, "A": total[hits.query]}, new, total)


class AllAspects(ByAspect):
    """Whether the top k covers every aspect."""

    symbol = "AllAspects"
    full_name = "complete subtopic recall"
    also = ("all-of gold passages by aspect",)
    meaning = "1 if the top k has a relevant document for every aspect, else 0."
    formula = (
        r"\mathrm{AllAspects@}k = \min_{a} \max_{1 \le i \le k} rel_{a,i}"
        r" = \sum_{i=1}^{k} last_i"
    )
    term = "<last>"
    source = "Zhai, Cohen & Lafferty, SIGIR (2003), subtopic recall of 1; MDR's passage exact match"
    use = "Answers that need all their parts, each from any of several passages."
    avoid = "Answers that are worth something with a part of the aspects: see StRecall."
    normalised = False
    labels = {"covered": "aspects so far"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        number, gains = self.gains(hits, judged, convention)
        new = gains.astype(np.int64)
        total = self.to_find(judged, convention)[hits.query]
        so_far = seen(new, hits)
        last = ((so_far == total) & (new > 0)).astype(np.int64)
        return Lines(
            {"aspects": number, "new": new, "covered": so_far, "A": total, "last": last}, last
        )

    def worth_of_all(self, covers: NDArray[Any], above: Ints, relevant: Ints) -> Floats:
        before, after = above > 0, (above > 0) | (covers > 0)
        return np.asarray((after.all(axis=0) & ~before.all(axis=0)).astype(float))


class PIA(ByAspect):
    """Intent-aware precision."""

    symbol = "P_IA"
    full_name = "intent-aware precision"
    also = ("P-IA", "precision-IA")
    meaning = "Precision for each aspect, and the mean of these."
    formula = r"\mathrm{P\_IA@}k = \sum_{i=1}^{k} \frac{aspects_i}{k\,A}"
    term = r"\frac{<aspects:.4g>}{<k>\cdot<A:.0f>}"
    source = "Agrawal, Gollapudi, Halverson & Ieong, WSDM (2009); ndeval: P-IA"
    use = "The uses of P, where a document that serves several aspects is worth more."
    avoid = "Tasks in which repeating one aspect should cost: see alpha_nDCG and StRecall."
    choices = ("level", "precision")
    linear = True

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        number, _ = self.gains(hits, judged, convention)
        aspects = number * within(hits, convention, depth(self.cutoff, judged)[hits.query])
        k, total = divisor(self.cutoff, judged, convention), self.to_find(judged, convention)
        working = {"aspects": aspects, "k": k[hits.query], "A": total[hits.query]}
        return Lines(working, aspects, k * total)

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        number, _ = self.gains(judged.hits, judged, convention)
        return arranged(judged.hits, number.astype(float), best)


class APIA(ByAspect):
    """Intent-aware average precision."""

    symbol = "AP_IA"
    full_name = "intent-aware average precision"
    also = ("AP-IA",)
    mean_names = ("MAP-IA",)
    meaning = "AP for each aspect, and the mean of these."
    formula = (
        r"\mathrm{AP\_IA} = \frac{1}{A} \sum_a \mathrm{AP}_a"
        r" = \sum_i \frac{1}{A\,i} \sum_{a \ni i} \frac{\text{seen}_{a,i}}{R_a}"
    )
    term = r"\frac{<shares:.4g>}{<A:.0f>\cdot<rank>}"
    usually_cut = False
    source = "Agrawal, Gollapudi, Halverson & Ieong, WSDM (2009); ndeval: MAP-IA"
    use = "The uses of AP, where each aspect counts the same, however many documents it has."
    avoid = "Tasks in which repeating one aspect should cost: see alpha_nDCG and StRecall."
    labels = {"shares": "shares of aspects"}

    def worth(self, above: Ints, relevant: Ints) -> Floats:
        return np.asarray((above + 1) / relevant)

    def weights(self, rank: Ints, convention: Convention) -> Floats:
        return 1.0 / rank

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        number, shares = self.gains(hits, judged, convention)
        total = self.to_find(judged, convention)
        working = {"aspects": number, "shares": shares, "A": total[hits.query]}
        return Lines(working, shares / hits.rank, total)


class AllRel(Binary):
    """Whether the top k contains every relevant document."""

    symbol = "AllRel"
    full_name = "complete recall"
    also = ("all-of gold passages", "paragraph exact match", "full recall")
    meaning = "1 if the top k contains all relevant documents, else 0."
    formula = (
        r"\mathrm{AllRel@}k = \min_{d \text{ relevant}} [\,rank_d \le k\,] = \sum_{i=1}^{k} last_i"
    )
    term = "<last>"
    source = "Xiong, Li, Iyer et al., ICLR (2021): the exact match of passages"
    use = "Multi-hop questions: answers that need several passages, of which none can be missed."
    avoid = "Answers that need any one passage: see Success; or one for each part: AllAspects."
    labels = {"last": "all are found"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        so_far = seen(relevant, hits)
        total = self.to_find(judged, convention)[hits.query]
        last = relevant * (so_far == total).astype(np.int64)
        return Lines({"relevant": relevant, "seen": so_far, "R": total, "last": last}, last)
