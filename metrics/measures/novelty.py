"""Novelty: a document earns less for an aspect that those above it have covered."""

from typing import ClassVar

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..conventions.gains import DISCOUNTS
from ..matching import Hits, JudgedRankings
from ..matching.aspects import diverse_ideal
from .arithmetic import divide
from .aspects import ByAspect
from .base import Lines, OfIdeal, OverIdeal
from .ndcg import discount_slots

_GAIN = r",\quad gain_i = \sum_{a \ni i} (1-\alpha)^{\text{documents above that cover } a}"
CLARKE = "Clarke, Kolla, Cormack et al., SIGIR (2008)"
CHAPELLE = "Chapelle, Ji, Liao et al., Information Retrieval 14 (2011)"
NRBP_OF = "Clarke, Kolla & Vechtomova, ICTIR (2009)"


class Novelty(ByAspect):
    """A sum of gains times weights of ranks, divided by what documents of every aspect earn."""

    alpha: float = 0.5
    labels = {"most": "most imaginable"}

    def worth(self, above: Ints, relevant: Ints) -> Floats:
        return np.asarray((1.0 - self.alpha) ** above)

    def most(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """``(q,)`` what the top k earn if each of them is relevant for every aspect.

        Without a cutoff k is the number of documents that are relevant for some aspect.
        """
        k = judged.relevant(convention.level)
        k = k if self.cutoff is None else np.full_like(k, self.cutoff)
        rank = np.arange(1, int(k.max(initial=0)) + 1)
        earned = (1.0 - self.alpha) ** (rank - 1) * self.weights(rank, convention)
        total = np.append(0.0, np.cumsum(earned))
        return np.asarray(total[k] * ByAspect.to_find(self, judged, convention))

    def working(self, hits: Hits, convention: Convention) -> dict[str, Floats]:
        """Return the columns of the weight of a rank."""
        return {}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        number, gain = self.gains(hits, judged, convention)
        most = self.most(judged, convention)[hits.query]
        working = {"aspects": number, "gain": gain, **self.working(hits, convention), "most": most}
        # Divided line by line, so that the score over the ideal's is the quotient of the two.
        return Lines(working, divide(gain * self.weights(hits.rank, convention), most))


class Ideal(OfIdeal, Novelty):
    """The score of the ideal ranking."""

    best = "ranking in which each document adds most to those above it"
    highest = "{} that a greedy choice of documents reaches"

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        pool = judged.ideal(convention.ideal, self.cutoff)
        return diverse_ideal(judged, pool, convention.level, self.alpha, self.depth(convention))

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        return judged.hits


class AlphaDCG(Novelty):
    """DCG in which an aspect earns less each time it is covered."""

    symbol = "alpha_DCG"
    full_name = "novelty-biased discounted cumulative gain"
    also: ClassVar[tuple[str, ...]] = ("α-DCG",)
    meaning = "DCG whose gains fall for covered aspects, as a share of the most imaginable."
    formula = (
        r"\alpha\text{-}\mathrm{DCG@}k = \frac{\sum_{i=1}^{k} gain_i / <discount_of_i>}"
        r"{\sum_{i=1}^{k} A\,(1-\alpha)^{i-1} / <discount_of_i>}" + _GAIN
    )
    term = r"\frac{<gain:.4g>}{<discount_of_rank>\cdot<most:.4f>}"
    source = f"{CLARKE}; ndeval: alpha-DCG, which divides so from k = 2 on"
    use = "Results to cover several aspects and repeat none; queries with different aspects."
    avoid = "Scores that should reach 1: documents of every aspect may not exist. See alpha_nDCG."
    choices: ClassVar[tuple[str, ...]] = ("level", "discount")

    def slots(self, convention: Convention) -> dict[str, str]:
        return discount_slots(convention)

    def weights(self, rank: Ints, convention: Convention) -> Floats:
        return 1.0 / DISCOUNTS[convention.discount].divisor(rank)

    def working(self, hits: Hits, convention: Convention) -> dict[str, Floats]:
        divisor = DISCOUNTS[convention.discount].divisor(hits.rank)
        return {convention.discount: divisor, "discount": 1.0 / divisor}


class AlphaIDCG(Ideal, AlphaDCG):
    """The alpha_DCG of the ideal ranking."""

    symbol = "alpha_IDCG"
    also = ("α-IDCG", "ideal α-DCG")
    formula = (
        r"\alpha\text{-}\mathrm{IDCG@}k = "
        r"\frac{\sum_{i=1}^{<end>} gain^{ideal}_i / <discount_of_i>}"
        r"{\sum_{i=1}^{k} A\,(1-\alpha)^{i-1} / <discount_of_i>}"
    )
    source = f"{CLARKE}; ndeval: the ideal of alpha-nDCG"


class AlphaNDCG(OverIdeal, AlphaDCG):
    """alpha_DCG divided by that of the ideal ranking."""

    symbol = "alpha_nDCG"
    full_name = "novelty-biased normalised discounted cumulative gain"
    also = ("α-nDCG", "novelty-biased normalized discounted cumulative gain")
    meaning = "The alpha_DCG divided by that of the ideal ranking."
    formula = (
        r"\alpha\text{-}\mathrm{nDCG@}k = "
        r"\frac{\alpha\text{-}\mathrm{DCG@}k}{\alpha\text{-}\mathrm{IDCG@}k}"
    )
    term = r"\frac{<gain:.4g>}{<discount_of_rank>\cdot<most:.4f>\cdot<ideal:.4f>}"
    source = f"{CLARKE}; ndeval: alpha-nDCG"
    use = "Diversity of search: results that should cover several aspects early and not repeat one."
    avoid = "Queries judged as a whole, which have one aspect; aspects of which one matters more."
    of = AlphaDCG, AlphaIDCG


class ERRIA(Novelty):
    """Intent-aware expected reciprocal rank."""

    symbol = "ERR_IA"
    full_name = "intent-aware expected reciprocal rank"
    also: ClassVar[tuple[str, ...]] = ("ERR-IA",)
    meaning = "Gains that fall for covered aspects, by rank, as a share of the most imaginable."
    formula = (
        r"\mathrm{ERR\_IA@}k = \frac{\sum_{i=1}^{k} gain_i / i}"
        r"{\sum_{i=1}^{k} A\,(1-\alpha)^{i-1} / i}" + _GAIN
    )
    term = r"\frac{<gain:.4g>}{<rank>\cdot<most:.4f>}"
    source = f"{CHAPELLE}; ndeval: ERR-IA, which divides so from k = 2 on"
    use = "Readers with different intents, who stop at the first document that satisfies theirs."
    avoid = "Scores that should reach 1: documents of every aspect may not exist. See nERR_IA."

    def weights(self, rank: Ints, convention: Convention) -> Floats:
        return 1.0 / rank


class IERRIA(Ideal, ERRIA):
    """The ERR_IA of the ideal ranking."""

    source = "ndeval: the ideal of nERR-IA"


class NERRIA(OverIdeal, ERRIA):
    """ERR_IA divided by that of the ideal ranking."""

    also = ("nERR-IA", "normalized intent-aware expected reciprocal rank")
    term = r"\frac{<gain:.4g>}{<rank>\cdot<most:.4f>\cdot<ideal:.4f>}"
    source = f"{CHAPELLE}; ndeval: nERR-IA"
    use = "The uses of ERR_IA, over queries whose aspects have more or fewer documents."
    avoid = "Queries judged as a whole: they have one aspect."
    of = ERRIA, IERRIA


class NRBP(Novelty):
    """Novelty- and rank-biased precision."""

    p: float = 0.5

    symbol = "NRBP"
    full_name = "novelty and rank-biased precision"
    meaning = "Gains that fall for covered aspects, read by someone who goes on with probability p."
    formula = r"\mathrm{NRBP} = \frac{1-(1-\alpha)\,p}{A} \sum_i gain_i\,p^{\,i-1}" + _GAIN
    term = r"\frac{<gain:.4g>\cdot<weight:.4g>}{<most:.4f>}"
    source = f"{NRBP_OF}; ndeval: NRBP, which calls p beta"
    use = "The uses of RBP, where results should cover several aspects."
    avoid = "Comparing values of different p or alpha, or expecting a ranking to reach 1."
    suffix = ""

    def weights(self, rank: Ints, convention: Convention) -> Floats:
        return np.asarray(self.p ** (rank - 1.0))

    def most(self, judged: JudgedRankings, convention: Convention) -> Floats:
        # Of a ranking without an end.
        return ByAspect.to_find(self, judged, convention) / (1.0 - (1.0 - self.alpha) * self.p)

    def working(self, hits: Hits, convention: Convention) -> dict[str, Floats]:
        return {"weight": self.weights(hits.rank, convention)}


class INRBP(Ideal, NRBP):
    """The NRBP of the ideal ranking."""

    source = "ndeval: the ideal of nNRBP"


class NNRBP(OverIdeal, NRBP):
    """NRBP divided by that of the ideal ranking."""

    term = r"\frac{<gain:.4g>\cdot<weight:.4g>}{<most:.4f>\cdot<ideal:.4f>}"
    source = f"{NRBP_OF}; ndeval: nNRBP"
    use = "The uses of NRBP, over queries whose aspects have more or fewer documents."
    avoid = "Queries judged as a whole: they have one aspect."
    of = NRBP, INRBP
