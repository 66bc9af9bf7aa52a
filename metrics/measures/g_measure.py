"""G and binG: gains discounted by the gain missed so far instead of the rank."""

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..judging import Hits, JudgedRankings
from ..judging.tie_orders import searched
from .arithmetic import at, divide, gain, relevance, running, seen
from .averaged_ndcg import ideal_gain, positive
from .base import Binary, Graded, Lines


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
    use = "A document below equally good ones should not lose value for its rank."
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
    use = "Like G, with binary relevance."
    avoid = G.avoid
    suffix = ""
    normalised = True
    labels = {"above": "not relevant above"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant, total = relevance(hits, convention), self.to_find(judged, convention)
        above = hits.rank - 1 - (seen(relevant, hits) - relevant)
        working = {"relevant": relevant, "above": above, "R": total[hits.query]}
        return Lines(working, relevant / np.log2(2.0 + above), total)
