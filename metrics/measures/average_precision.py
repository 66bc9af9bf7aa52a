"""Average precision: precision at each relevant document, weighted by the step in recall."""

import numpy as np

from ..arrays import Floats
from ..conventions.convention import Convention
from ..judging import Hits, JudgedRankings
from .arithmetic import divide, relevance, seen
from .base import Binary, Lines
from .precision_recall import depth


class AP(Binary):
    """Average precision: the area under the steps of the precision–recall curve."""

    symbol = "AP"
    full_name = "average precision"
    mean_names = ("MAP", "mean average precision")
    trec = ("map", "map_cut_{cutoff}")
    meaning = "The mean, over all relevant documents, of the precision at the rank of each."
    formula = (
        r"\mathrm{AP} = \frac{1}{R}\sum_i rel_i\,P(i) = \sum_i (R_i - R_{i-1})\,P(i),"
        r"\quad P(i) = \frac{\text{relevant in the top } i}{i}"
    )
    term = r"\frac{<relevant>}{<R:.0f>}\cdot\frac{<seen>}{<rank>}"
    usually_cut = False
    source = "trec_eval: map, map_cut; Buckley & Voorhees, in TREC (MIT Press, 2005), ch. 3"
    use = "All relevant documents matter, and the earlier the better."
    avoid = "Graded judgments, sparse judgments (see Bpref, infAP), or users who stop early."
    choices = ("level", "ap")
    normalised = True
    labels = {
        "seen": "relevant so far",
        "precision": "precision at rank",
        "recall_step": "recall step",
    }

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        total = judged.relevant(convention.level)
        if convention.ap in {"retrieved", "top"}:
            hits = judged.hits
            found = relevance(hits, convention).astype(float)
            if convention.ap == "top":
                found *= hits.rank <= depth(self.cutoff, judged)[hits.query]
            total = judged.per_query(hits.query, found)
        if convention.ap != "R" and self.cutoff is not None:
            total = np.minimum(total, depth(self.cutoff, judged))
        return total.astype(float)

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        so_far = seen(relevant, hits)
        total = self.to_find(judged, convention)
        precision = so_far / hits.rank
        working = {
            "relevant": relevant,
            "seen": so_far,
            "precision": precision,
            "R": total[hits.query],
            "recall_step": divide(relevant, total[hits.query]),
        }
        return Lines(working, relevant * precision, total)
