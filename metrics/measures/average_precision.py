"""Average precision: precision at each relevant document, weighted by the step in recall."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..convention import Convention
from ..judged import JudgedRankings
from ..ranking import Hits
from .base import Binary, Columns, divide, relevance, seen


@dataclass(frozen=True)
class AP(Binary):
    """Average precision: the area under the steps of the precision–recall curve."""

    symbol = "AP"
    aliases = ("MAP",)
    meaning = "The mean, over all relevant documents, of the precision at the rank of each."
    formula = (
        r"\mathrm{AP} = \frac{1}{R}\sum_i rel_i\,P(i) = \sum_i (R_i - R_{i-1})\,P(i),"
        r"\quad P(i) = \frac{\text{relevant in the top } i}{i}"
    )
    term = r"\frac{{{relevant}}}{{{R}}}\cdot\frac{{{seen}}}{{{rank}}}"
    divisor = "R"
    source = "trec_eval: map, map_cut; Buckley & Voorhees, in TREC (MIT Press, 2005), ch. 3"

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        relevant = relevance(hits, convention)
        so_far = seen(relevant, hits)
        total = judged.relevant(convention.level)[hits.query]
        precision = so_far / hits.rank
        step = divide(relevant, total)
        return {
            "relevant": relevant,
            "seen": so_far,
            "precision": precision,
            "R": total,
            "recall_step": step,
            "contribution": np.multiply(step, precision),
        }
