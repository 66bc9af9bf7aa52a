"""The orders of tied documents that give a measure its lowest and its highest score."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from ..arrays import Floats, Ints, bincount
from ..errors import MeasureError
from .hits import Hits


def arranged(hits: Hits, key: Floats, best: bool) -> Hits:
    """Return the hits with ties in the order of their keys: highest first if ``best``, else last.

    Documents of a tie group that are not hits have the key 0.

    Examples
    --------
    >>> from metrics import Qrels, Run, match
    >>> qrels = Qrels.from_dict({"q": {"a": 0, "b": 1}})
    >>> hits = match(qrels, Run.from_dict({"q": {"a": 1, "b": 1, "x": 1}})).hits
    >>> worst = arranged(hits, hits.grade, best=False)
    >>> dict(zip(worst.document.to_pylist(), worst.rank.tolist()))
    {'a': 1, 'b': 3}
    """
    order = np.lexsort((-key if best else key, hits.first, hits.query))
    group = np.append(True, np.any(np.diff([hits.query, hits.first]) != 0, axis=0))[: len(hits)]
    starts = np.flatnonzero(group)
    number = np.cumsum(group) - 1
    place = np.arange(len(hits)) - starts[number]
    from_end = np.diff(np.append(starts, len(hits)))[number] - 1 - place
    at_top = (key[order] > 0) == best
    rank = np.where(at_top, hits.first + place, hits.last - from_end)
    return replace(hits[order], rank=rank)


Earned = Callable[[int, Ints, int], Floats]

MOST_STATES = 2_000_000
"""At most this many ways to place some of the tied documents; more would take minutes."""


def searched(hits: Hits, kind: Ints, kinds: int, earned: Earned, best: bool) -> Hits:
    """Return the hits with ties in the order that earns most, or least, by dynamic programming.

    ``kind``, ``(n,)``, says which documents can be swapped: those of the same kind, of which there
    are ``kinds``; unjudged ones are of the last. ``earned(query, above, kind)`` is the contribution
    of a document of a kind, where ``above``, ``(kinds, m)``, is the number of documents of each
    kind above it in ``m`` situations.

    Raises MeasureError when too many documents are tied.
    """
    rank = hits.rank.copy()
    edges = np.flatnonzero(np.any(np.diff([hits.query, hits.first], prepend=-1) != 0, axis=0))
    for low, high in pairwise(np.append(edges, len(hits)).tolist()):
        size = int(hits.last[low] - hits.first[low] + 1)
        tied = _counts(kind[low:high], kinds, size)
        if np.count_nonzero(tied) > 1:
            query, first = int(hits.query[low]), int(hits.first[low])
            start = int(np.searchsorted(hits.query, query))
            above = _counts(kind[start:low], kinds, first - 1)
            order = _order(query, above, tied, earned, 1 if best else -1)
            for each in range(kinds):
                rows = low + np.flatnonzero(kind[low:high] == each)
                rank[rows] = first + np.flatnonzero(order == each)[: len(rows)]
    return replace(hits, rank=rank)[np.lexsort((rank, hits.query))]


def _counts(kind: Ints, kinds: int, size: int) -> Ints:
    """Return how many of ``size`` documents are of each kind; those without a hit: the last."""
    counts = bincount(kind, minlength=kinds)
    counts[-1] += size - counts.sum()
    return counts


def _order(query: int, above: Ints, tied: Ints, earned: Earned, sign: int) -> Ints:
    """Return the kinds of the tied documents from the first rank to the last."""
    shape = tuple((tied + 1).tolist())
    if np.prod(shape, dtype=float) > MOST_STATES:
        raise MeasureError(
            f"{tied.sum()} documents of query number {query + 1} have the same score: too many "
            "to search all their orders for the lowest and highest score. Break the ties."
        )
    placed = np.indices(shape).reshape(len(tied), -1)
    total = placed.sum(axis=0)
    strides = np.append(np.cumprod(np.array(shape[::-1]))[-2::-1], 1)
    value = np.full(placed.shape[1], -np.inf)
    value[0], last = 0.0, np.zeros(placed.shape[1], np.int64)
    layers = np.split(np.argsort(total, kind="stable"), np.cumsum(bincount(total))[:-1])
    for layer in layers[1:]:
        for kind, stride in enumerate(strides.tolist()):
            to = layer[placed[kind, layer] > 0]
            before = to - stride
            gained = sign * earned(query, above[:, None] + placed[:, before], kind)
            reached = value[before] + gained
            better = reached > value[to]
            value[to[better]], last[to[better]] = reached[better], kind
    state, order = len(value) - 1, np.empty(int(tied.sum()), np.int64)
    for place in range(len(order) - 1, -1, -1):
        order[place] = last[state]
        state -= strides[last[state]]
    return order
