"""Whether everything that is relevant was found."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..conventions.convention import Convention
from ..judging.hits import Hits
from ..judging.judged import JudgedRankings
from .arithmetic import relevance, seen
from .base import Binary, Lines


@dataclass(frozen=True)
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
    use = "An answer needs several passages, and none of them can be missed: multi-hop questions."
    avoid = "Any one passage is enough: see Success. Passages that replace each other: AllAspects."

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant = relevance(hits, convention)
        so_far = seen(relevant, hits)
        total = self.to_find(judged, convention)[hits.query]
        last = relevant * (so_far == total).astype(np.int64)
        return Lines({"relevant": relevant, "seen": so_far, "R": total, "last": last}, last)
