"""Means over the relevant documents: AP, Bpref and inferred AP, and the logarithms of two."""

import math
from typing import ClassVar

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..matching import Hits, JudgedRankings
from ..matching.tie_orders import searched
from .arithmetic import assessed, before, divide, relevance, running, seen
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
    use = "Searches in which every relevant document matters, the earlier the better."
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


EPSILON = 0.00001
"""trec_eval's smoothing of infAP."""


class Bpref(Binary):
    """Binary preference."""

    symbol = "Bpref"
    full_name = "binary preference"
    trec = ("bpref",)
    meaning = "The share of judged non-relevant documents ranked below a relevant one, on average."
    formula = (
        r"\mathrm{Bpref} = \frac{1}{R}\sum_i rel_i"
        r"\left(1 - \frac{\min(\text{non-relevant above } i,\, R)}{\min(N, R)}\right)"
    )
    term = r"\frac{<relevant>}{<R:.0f>}\left(1-<penalty:.4g>\right)"
    source = "trec_eval: bpref; Buckley & Voorhees, SIGIR 2004, in the form of 2005"
    use = "Old pools with many unjudged documents: it uses judged ones only."
    avoid = "Nearly complete judgments: AP is more informative; or few non-relevant judgments."
    choices = ("level", "negative")
    suffix = ""
    normalised = True
    labels = {"nonrelevant_above": "not relevant above"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant, total = relevance(hits, convention), self.to_find(judged, convention)
        every = judged.judged
        bad = assessed(every, convention) & (relevance(every, convention) == 0)
        n = judged.per_query(every.query, bad.astype(float))
        above = seen(assessed(hits, convention) & (relevant == 0), hits)
        most = np.minimum(n, total)[hits.query]
        penalty = divide(np.minimum(above, total[hits.query]), most)
        working = {
            "relevant": relevant,
            "nonrelevant_above": above,
            "R": total[hits.query],
            "N": n[hits.query],
            "penalty": penalty,
        }
        return Lines(working, relevant * (1 - penalty), total)


class InfAP(Binary):
    """Inferred average precision."""

    symbol = "infAP"
    full_name = "inferred average precision"
    also = ("inferred AP",)
    trec = ("infAP",)
    meaning = "AP, with the precision at each relevant document estimated from the judged ones."
    formula = (
        r"\mathrm{infAP} = \frac{1}{R}\sum_i \frac{rel_i}{i}\left(1 + (r+n+u)"
        r"\frac{r+\varepsilon}{r+n+2\varepsilon}\right),\quad r, n, u \text{ above } i:"
        r"\text{ relevant, not relevant, pooled but unjudged}"
    )
    term = (
        r"\frac{<relevant>}{<R:.0f>\cdot<rank>}"
        r"\left(1+<pooled_above>\cdot<expected:.4g>\right)"
    )
    source = "trec_eval: infAP; Yilmaz & Aslam, CIKM 2006"
    use = "Judgments of a random sample of a pool; grades below 0 mark its unjudged rest."
    avoid = "Judgments that are not a random sample."
    choices = ("level", "negative")
    suffix = ""
    exchangeable = False
    normalised = True
    labels = {"expected": "expected precision", "pooled_above": "pooled above"}

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        relevant, known = relevance(hits, convention), assessed(hits, convention)
        pooled = ~np.isnan(hits.grade)
        r, n, all_pooled = (
            seen(flag, hits) - flag
            for flag in (relevant, (known & (relevant == 0)).astype(int), pooled.astype(int))
        )
        expected = _expected(r, n)
        # In trec_eval's order of operations, so that the doubles are equal, too.
        above = hits.rank - 1
        precision = 1 / hits.rank + above / hits.rank * divide(all_pooled, above) * expected
        total = self.to_find(judged, convention)
        working = {
            "relevant": relevant,
            "pooled_above": all_pooled,
            "expected": expected,
            "precision": precision,
            "R": total[hits.query],
        }
        return Lines(working, relevant * precision, total)

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        hits = judged.hits
        relevant, known = relevance(hits, convention), assessed(hits, convention)
        kind = np.where(relevant == 1, 0, np.where(known, 1, 2))
        return searched(hits, kind, 4, _earned, best)


def _expected(r: Ints, n: Ints) -> Floats:
    """Return the expected precision of r relevant and n other judged documents."""
    return np.asarray((r + EPSILON) / (r + n + 2 * EPSILON))


def _earned(query: int, above: Ints, kind: int) -> Floats:
    """Return the contribution of a relevant document (kind 0) below others, times R."""
    r, n, u, _ = above
    if kind != 0:
        return np.zeros(len(r))
    return np.asarray((1 + (r + n + u) * _expected(r, n)) / (above.sum(axis=0) + 1))


FLOOR = 0.00001
"""trec_eval's lowest value, so that a single 0 does not make the geometric mean 0."""


class _Log(Binary):
    """The logarithm of a measure: each line adds its increase of the running total's logarithm."""

    term = "<contribution:.4f>"
    use = "Search where hard queries matter most: halving a score costs the same, low or high."
    avoid = "Single queries, and comparisons in which the floor of 0.00001 decides."
    value_range = "−11.5129 to 0"
    start_name = "log 0.00001, the floor"
    suffix = ""
    summary = "exp"
    of: ClassVar[type[Binary]]

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        inner = self.of(rel=self.rel).lines(hits, judged, convention)
        assert inner.divisor is not None  # both are shares of the relevant documents
        total = divide(running(np.add, inner.earned, hits.query), inner.divisor[hits.query])
        log = np.log(np.maximum(total, FLOOR))
        raised = log - before(log, hits.query, math.log(FLOOR))
        return Lines({self.of.symbol: total, "log": log}, raised)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return self.of(rel=self.rel).to_find(judged, convention)

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return np.full(len(judged.queries), math.log(FLOOR))


class LogAP(_Log):
    """Logarithm of average precision."""

    symbol = "LogAP"
    full_name = "logarithm of average precision"
    mean_names = ("GMAP", "geometric mean average precision")
    trec = ("gm_map",)
    meaning = "The logarithm of AP, at least 0.00001; e to its mean is the geometric mean of AP."
    formula = r"\mathrm{LogAP} = \ln \max(\mathrm{AP}, 0.00001)"
    source = "trec_eval: gm_map; Robertson, CIKM 2006"
    choices = ("level", "ap")
    of = AP


class LogBpref(_Log):
    """Logarithm of Bpref."""

    symbol = "LogBpref"
    full_name = "logarithm of binary preference"
    mean_names = ("geometric mean Bpref",)
    trec = ("gm_bpref",)
    meaning = (
        "The logarithm of Bpref, at least 0.00001; e to its mean is the geometric mean of Bpref."
    )
    formula = r"\mathrm{LogBpref} = \ln \max(\mathrm{Bpref}, 0.00001)"
    source = "trec_eval: gm_bpref"
    choices = ("level", "negative")
    of = Bpref
