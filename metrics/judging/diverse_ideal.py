"""The ideal ranking of a query with aspects: at each rank the document that adds most."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ..arrays import bincount, order_of_texts
from .aspects import covered
from .hits import Hits
from .judged import JudgedRankings


def diverse_ideal(
    judged: JudgedRankings, pool: Hits, level: float, alpha: float, cutoff: int | None = None
) -> Hits:
    """Return documents ordered so that each adds most to those above it.

    A document adds, for each aspect it is relevant for, (1 − alpha) to the power of the number of
    documents above it that cover the aspect. Finding the best ranking of all is NP-complete; this
    greedy one is ndeval's and the papers'. Of two that add the same, the one with the later id
    comes first.

    Parameters
    ----------
    pool
        The documents, in whatever order.
    cutoff
        No document is ordered below this rank; they follow as they are.

    References
    ----------
    Clarke, Kolla, Cormack et al., SIGIR (2008), section 4.2; ndeval's ``idealResult``.

    Examples
    --------
    >>> from metrics import Qrels, Run, judge
    >>> grades = {"a": {"1": 1, "2": 1}, "b": {"1": 1, "2": 1}, "c": {"3": 1}}
    >>> judged = judge(Qrels.from_aspects({"q": grades}), Run.from_dict({"q": {"a": 1.0}}))
    >>> diverse_ideal(judged, judged.judged, 1, 0.5).document.to_pylist()
    ['b', 'c', 'a']
    """
    pool = pool[order_of_texts(pool.query, pool.document, "descending")]
    found = covered(judged, pool, level)
    aspect, number = np.unique(found.aspect, return_inverse=True)
    left, rank = np.ones(len(aspect)), np.zeros(len(pool), np.int64)
    start = np.searchsorted(pool.query, np.unique(pool.query))
    group = np.searchsorted(start, np.arange(len(pool)), "right") - 1
    # Documents that cover nothing are never chosen.
    open_ = bincount(found.line, minlength=len(pool)) > 0
    place = 0
    while open_.any() and place != cutoff:
        place += 1
        added = np.where(open_, bincount(found.line, left[number], minlength=len(pool)), -1.0)
        best = np.flatnonzero(open_ & (added == np.maximum.reduceat(added, start)[group]))
        of = group[best]
        chosen = np.zeros(len(pool), bool)
        chosen[best[np.flatnonzero(np.diff(of, prepend=-1))]] = True
        rank[chosen], open_[chosen] = place, False
        left[number[chosen[found.line]]] *= 1.0 - alpha
    # Those without a rank follow, in the order of the pool.
    last = np.where(rank > 0, rank, len(pool) + 1)
    pool = pool[np.lexsort((last, pool.query))]
    return replace(pool, rank=np.arange(len(pool)) - start[group] + 1).untied()
