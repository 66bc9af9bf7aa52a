"""The order alone: how far it agrees with the ideal ranking's, and with pairs of documents."""

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..matching import Hits, JudgedRankings
from .arithmetic import relevance, seen
from .base import Binary, Lines, Measure


class Compat(Measure):
    """Compatibility: rank-biased overlap with the nearest ideal ranking."""

    p: float = 0.95

    symbol = "Compat"
    full_name = "compatibility"
    also = ("rank-biased overlap with the ideal",)
    meaning = "Rank-biased overlap of the run with the ideal ranking nearest to it."
    formula = (
        r"\mathrm{Compat} = \frac{\sum_d W(\max(rank_d, ideal_d))}{\sum_d W(ideal_d)},"
        r"\quad W(m) = \sum_{i \ge m} \frac{p^{\,i-1}}{i}"
    )
    term = r"\frac{<weight:.4f>}{<best:.4f>}"
    source = "Clarke, Vtyurina & Smucker, ACM TOIS 39(3) (2021); ir_measures: Compat"
    use = "Preferences or many grades: only the order of the ideal matters, not the gains."
    avoid = "Binary judgments with many relevant documents."
    suffix = ""
    graded = True
    normalised = True
    labels = {"best": "ideal overlap", "ideal_rank": "rank in the ideal"}

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        size, depth = self._depths(judged)
        total = self._total(depth)
        # Sum of W over the ideal's ranks: W(1) + … + W(size), W(m) = total[depth] - total[m - 1].
        return np.asarray(size * total[depth] - np.append(0.0, np.cumsum(total))[size])

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        _, depth = self._depths(judged)
        total = self._total(depth)
        ideal = self._ideal_ranks(hits, judged)
        positive = np.nan_to_num(hits.grade) > 0
        place = np.where(positive, np.maximum(hits.rank, ideal), 1)
        weight = np.where(positive, total[depth[hits.query]] - total[place - 1], 0.0)
        best = self.to_find(judged, convention)
        working = {
            "ideal_rank": np.where(positive, ideal, 0),
            "weight": weight,
            "best": best[hits.query],
        }
        return Lines(working, weight, best)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return np.nan_to_num(hits.grade)

    def _depths(self, judged: JudgedRankings) -> tuple[Ints, Ints]:
        """Return the number of documents in each ideal, and the depth of the overlap."""
        size = judged.per_query(judged.judged.query[judged.judged.grade > 0])
        return size, np.maximum(size, judged.retrieved)

    def _total(self, depth: Ints) -> Floats:
        """Return ``total[m]``, the sum of p^(i−1)/i over the first m ranks."""
        ranks = np.arange(1, int(depth.max(initial=0)) + 1)
        return np.append(0.0, np.cumsum(self.p ** (ranks - 1.0) / ranks))

    def _ideal_ranks(self, hits: Hits, judged: JudgedRankings) -> Ints:
        """Return the rank of each line in the ideal: by grade, then in the run's own order."""
        every = judged.judged
        order = np.lexsort((hits.rank, -hits.grade, hits.query))
        key = np.stack([hits.query[order].astype(float), hits.grade[order]])
        new = np.any(key[:, 1:] != key[:, :-1], axis=0)
        place = np.arange(len(order))
        start = np.maximum.accumulate(np.where(np.append(True, new)[: len(order)], place, 0))
        grades = np.unique(np.append(every.grade, hits.grade))
        span = len(grades) + 1
        level = [span - np.searchsorted(grades, of.grade) for of in (every, hits)]
        judged_key, key_of = every.query * span + level[0], hits.query * span + level[1]
        higher = np.searchsorted(judged_key, key_of) - np.searchsorted(every.query, hits.query)
        ranks: Ints = np.empty(len(hits), np.int64)
        ranks[order] = higher[order] + place - start + 1
        return ranks


class Accuracy(Binary):
    """Pairwise accuracy."""

    symbol = "Accuracy"
    full_name = "pairwise accuracy"
    also = ("area under the ROC curve", "AUC")
    meaning = "How often a relevant document is ranked above one that is not, both retrieved."
    formula = (
        r"\mathrm{Accuracy} = \frac{1}{h\,(n-h)}\sum_i rel_i \cdot"
        r" \text{documents below } i \text{ that are not relevant}"
    )
    term = r"\frac{<relevant>\cdot<below>}{<pairs:.0f>}"
    source = "ir_measures: Accuracy; the area under the ROC curve of the retrieved documents"
    use = "Reranking a fixed list: the chance that a pair is in the right order."
    avoid = "Comparing runs that retrieved different documents. Not top-k accuracy: see Success."
    suffix = ""
    normalised = True
    labels = {"below": "not relevant below"}

    def _found(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.per_query(judged.hits.query, relevance(judged.hits, convention).astype(float))

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        found = self._found(judged, convention)
        return np.asarray(found * (judged.retrieved - found))

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        above = hits.rank - seen(relevant, hits)
        others = judged.retrieved - self._found(judged, convention).astype(np.int64)
        below = relevant * (others[hits.query] - above)
        pairs = self.to_find(judged, convention)
        working = {"relevant": relevant, "below": below, "pairs": pairs[hits.query]}
        return Lines(working, relevant * below, pairs)
