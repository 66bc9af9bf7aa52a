"""nDCG averaged over several depths of the ranking."""

from abc import abstractmethod
from typing import ClassVar

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..conventions.gains import DISCOUNTS
from ..judging import Hits, JudgedRankings
from .arithmetic import at, divide, gain, running
from .base import Graded, Lines
from .ndcg import ideal_ranking

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
    use = "A graded relative of AP."
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
