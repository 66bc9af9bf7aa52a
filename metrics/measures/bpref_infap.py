"""Measures made for incomplete judgments: Bpref and inferred AP."""

import numpy as np

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..judging import Hits, JudgedRankings
from ..judging.tie_orders import searched
from .arithmetic import assessed, divide, relevance, seen
from .base import Binary, Lines

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
    use = "Judgments are a random sample of a pool; grades below 0 mark its unjudged rest."
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
