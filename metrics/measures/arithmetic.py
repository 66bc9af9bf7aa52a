"""Parts of measures: relevance, gains, weights of ranks, and counts down to a rank."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats, Ints
from ..conventions.convention import Convention
from ..conventions.gains import gain_function
from ..matching import Hits


def relevance(hits: Hits, convention: Convention) -> Ints:
    """``(n,)`` 1 for each line whose grade reaches the convention's level, else 0."""
    return (hits.grade >= convention.level).astype(np.int64)


def assessed(hits: Hits, convention: Convention) -> NDArray[np.bool_]:
    """``(n,)`` whether a line's grade counts as a judgment."""
    if convention.negative == "unjudged":
        return np.asarray(hits.grade >= 0)
    return ~np.isnan(hits.grade)


def gain(hits: Hits, convention: Convention) -> Floats:
    """``(n,)`` the gain of each line; unjudged documents gain 0."""
    gains = gain_function(convention.gain)(np.nan_to_num(hits.grade))
    # A custom gain may map 0 or a negative grade; documents with neither still gain 0.
    lowest = -np.inf if convention.negative == "subtract" else 0.0
    return np.where(hits.grade >= lowest, gains, 0.0)


def within(hits: Hits, convention: Convention, depth: Ints) -> NDArray[Any]:
    """``(n,)`` 1 for each line at a rank down to ``depth``, else 0.

    Where ties are averaged: the share of the orders in which the line has such a rank.
    """
    if convention.ties != "mean":
        return (hits.rank <= depth).astype(np.int64)
    size = hits.last - hits.first + 1
    return np.asarray(np.clip(depth - hits.first + 1, 0, size) / size)


def weight(
    hits: Hits, convention: Convention, cutoff: int | None, of: Callable[[Ints], Floats]
) -> Floats:
    """``(n,)`` the weight ``of`` each line's rank; where ties are averaged, their mean weight."""
    if convention.ties != "mean":
        return of(hits.rank)
    weights = of(np.arange(1, int(hits.last.max(initial=0)) + 1))
    if cutoff is not None:
        weights[cutoff:] = 0.0
    total = np.append(0.0, np.cumsum(weights))
    return np.asarray((total[hits.last] - total[hits.first - 1]) / (hits.last - hits.first + 1))


def seen(flag: NDArray[Any], hits: Hits) -> Ints:
    """``(n,)`` the number of flagged lines of the query down to and including each line."""
    total = np.cumsum(flag, dtype=np.int64)
    start = np.searchsorted(hits.query, hits.query, side="left")
    return np.asarray(total - (total - flag)[start])


def running(combine: np.ufunc, values: Floats, query: Ints) -> Floats:
    """``(n,)`` the values of each query combined from its first line down to each line.

    One step per rank, so that a query's numbers do not depend on the queries around it.
    """
    result = values.astype(float)
    place = np.arange(len(query)) - np.searchsorted(query, query, side="left")
    order = np.argsort(place, kind="stable")
    steps = np.searchsorted(place[order], np.arange(1, int(place.max(initial=0)) + 2))
    for low, high in pairwise(steps):
        rows = order[low:high]
        result[rows] = combine(result[rows - 1], result[rows])
    return result


def before(values: Floats, query: Ints, first: float) -> Floats:
    """``(n,)`` the value of the line above in the same query; ``first`` at a query's first line."""
    above = np.roll(values, 1)
    above[np.searchsorted(query, query, side="left") == np.arange(len(query))] = first
    return above


def at(query: Ints, place: Ints, values: Floats, asked: Ints, deep: Ints) -> Floats:
    """Return the value of query ``asked`` at its last line down to place ``deep``; 0 before it.

    ``query`` and ``place`` (from 0) are those of the lines of ``values``, in ascending order.
    """
    span = int(max(place.max(initial=0), deep.max(initial=0))) + 1
    line = np.searchsorted(query * span + place, asked * span + deep, side="right") - 1
    found = np.zeros(len(asked))
    some = (line >= 0) & (np.append(query, -1)[line] == asked)
    found[some] = values[line[some]]
    return found


def divide(top: NDArray[Any], bottom: NDArray[Any]) -> Floats:
    """Return ``top / bottom``, and 0 where ``bottom`` is 0."""
    quotient: Floats = np.zeros(len(top))
    np.divide(top, bottom, out=quotient, where=bottom != 0)
    return quotient
