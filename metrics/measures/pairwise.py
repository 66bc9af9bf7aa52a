"""Pairwise accuracy: relevant documents above the others, whatever their ranks."""

import numpy as np

from ..arrays import Floats
from ..conventions.convention import Convention
from ..judging import Hits, JudgedRankings
from .arithmetic import relevance, seen
from .base import Binary, Lines


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
