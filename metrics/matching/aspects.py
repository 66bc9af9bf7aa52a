"""Which aspects of its query a document is relevant for, and the ideal ranking of such a query."""

from dataclasses import dataclass, replace

import numpy as np
import pyarrow.compute as pc

from ..arrays import Ints, bincount, numbers, order_of_texts, places, ranges, repeat
from .hits import Hits
from .judged import JudgedRankings


@dataclass(frozen=True, eq=False)
class Covered:
    """Aspects that lines are relevant for: a row for each line and aspect, in the order of lines.

    Attributes
    ----------
    line
        ``(m,)`` index of the line.
    query
        ``(m,)`` index of its query.
    aspect
        ``(m,)`` index of the aspect among all queries' aspects: no two queries share one.
    """

    line: Ints
    query: Ints
    aspect: Ints

    def above(self) -> Ints:
        """``(m,)`` how many lines further up are relevant for the same aspect."""
        order = np.argsort(self.aspect, kind="stable")
        aspect = self.aspect[order]
        place = np.arange(len(aspect)) - np.searchsorted(aspect, aspect, side="left")
        above = np.empty_like(place)
        above[order] = place
        return above


def covered(judged: JudgedRankings, lines: Hits, level: float) -> Covered:
    """Return the aspects that lines of these queries are relevant for, from a grade on.

    A query that is judged as a whole has one aspect. `Qrels.by_aspect` has the grades.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> qrels = Qrels.from_aspects({"q": {"a": {"1": 1, "2": 1}, "b": {"1": 0, "2": 1}}})
    >>> judged = match(qrels, Run.from_dict({"q": {"a": 2.0, "b": 1.0}}))
    >>> found = covered(judged, judged.hits, 1)
    >>> found.line.tolist(), found.aspect.tolist(), found.above().tolist()
    ([0, 0, 1], [0, 1, 1], [0, 0, 1])
    """
    relevant = np.flatnonzero(lines.grade >= level)
    query = lines.query[relevant]
    if not judged.qrels.aspects:
        return Covered(relevant, query, query)
    table = judged.qrels.by_aspect
    in_qrels = places(judged.queries, judged.qrels.queries)
    size = np.array(list(map(len, table.names)), np.int64)
    first = np.cumsum(size) - size

    # A document's rows are next to each other once they are sorted by query and document.
    documents = pc.unique(table.document)
    key = table.query * len(documents) + numbers(pc.index_in(table.document, documents))
    order = np.argsort(key, kind="stable")
    key = key[order]
    code = numbers(pc.index_in(lines.document, documents).fill_null(-1))[relevant]
    sought = in_qrels[query] * len(documents) + code
    low, high = (np.searchsorted(key, sought, side) for side in ("left", "right"))
    row, found = repeat(np.arange(len(relevant)), high - low), order[ranges(low, high)]
    kept = table.grade[found] >= level
    row, found = row[kept], found[kept]
    return Covered(relevant[row], query[row], first[in_qrels[query[row]]] + table.aspect[found])


def names_covered(judged: JudgedRankings, lines: Hits, level: float) -> list[list[str]]:
    """Return the names of the aspects that each line is relevant for.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> qrels = Qrels.from_aspects({"q": {"a": {"price": 1, "size": 0}, "b": {"size": 1}}})
    >>> judged = match(qrels, Run.from_dict({"q": {"a": 2.0, "b": 1.0}}))
    >>> names_covered(judged, judged.hits, 1)
    [['price'], ['size']]
    """
    every = [name for names in judged.qrels.by_aspect.names for name in names]
    names: list[list[str]] = [[] for _ in range(len(lines))]
    found = covered(judged, lines, level)
    for line, aspect in zip(found.line.tolist(), found.aspect.tolist(), strict=True):
        names[line].append(every[aspect])
    return names


def diverse_ideal(
    judged: JudgedRankings, pool: Hits, level: float, alpha: float, cutoff: int | None = None
) -> Hits:
    """Return documents ordered so that each adds most to those above it.

    A document adds, for each aspect it is relevant for, (1 − alpha) to the power of the number of
    documents above it that cover the aspect. Finding the best ranking of all is NP-complete; this
    greedy one is ndeval's and the papers'. Of two that add the same, the one with the later id
    comes first.

    ``pool`` is in any order. No document is ordered below the rank ``cutoff``; those follow as they
    are.

    References
    ----------
    Clarke, Kolla, Cormack et al., SIGIR (2008), section 4.2; ndeval's ``idealResult``.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> grades = {"a": {"1": 1, "2": 1}, "b": {"1": 1, "2": 1}, "c": {"3": 1}}
    >>> judged = match(Qrels.from_aspects({"q": grades}), Run.from_dict({"q": {"a": 1.0}}))
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
