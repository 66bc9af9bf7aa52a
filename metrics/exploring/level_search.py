"""Completions of many unjudged documents: the best in nDCG, and some for any measure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from ..arrays import NOISE, Floats, Ints
from ..comparing.reversal_search import Lists
from ..measures import Measure


def stepped(n: int, size: int, most: int) -> Ints:
    """Return completions in which the first or the last documents have one level, the others 0.

    At most about ``most`` completions, with evenly spread numbers of documents.
    """
    number = max(2, most // (2 * max(size - 1, 1)))
    counts = np.unique(np.linspace(0, n, min(n + 1, number)).astype(np.int64))
    first = np.concatenate([level * _first(n, counts) for level in range(size)])
    return np.concatenate([first, first[:, ::-1]])


def by_level(lists: Lists) -> Ints:
    """Return completions, those with the lowest and the highest nDCG among them.

    A fixed set of grades scores lowest and highest in its two sorted orders, so the number of
    documents at each level or above decides. DCG and IDCG are sums over the levels of a term that
    depends only on that number, so the completion with the highest DCG − q · IDCG is found level by
    level. Its own quotient is the next q; when q no longer changes, it is the highest quotient.

    References
    ----------
    Dinkelbach, Management Science 13(7) (1967).
    """
    n, size = len(lists.unjudged), len(lists.scale)
    top, bottom = _numerator(lists), _denominator(lists, 1)
    # The best documents come first for the highest score, and last for the lowest.
    last = top[:, -1:] - top[:, ::-1] + top[:, :1]
    if lists.measure.under(lists.sides[0].convention).ideal == "doubled":
        searches = {1: (top, bottom), -1: (last, _denominator(lists, -1))}
    else:
        searches = {1: (top, bottom), -1: (last, bottom)}
    found = [np.zeros((1, n), np.int64), np.full((1, n), size - 1)]
    for sign, (above, below) in searches.items():
        for counts in _quotients(above, below, sign):
            chosen = np.count_nonzero(np.arange(n)[:, None] < counts, axis=1)
            found.append(chosen[None, ::sign])
    return np.concatenate(found)


def _numerator(lists: Lists) -> Floats:
    """Return ``(levels, n + 1)`` the DCG when that many of the first documents have a level.

    DCG is linear in the gain, so the levels differ by a factor.
    """
    n, size = len(lists.unjudged), len(lists.scale)
    first = (size - 1) * _first(n, np.arange(n + 1))
    same = np.repeat(np.arange(size)[:, None], n, axis=1)
    scores = _scores(lists, lists.measure.parts[0], np.concatenate([first, same]))
    best, of_level = scores[: n + 1] - scores[0], scores[n + 1 :] - scores[0]
    share = best / best[-1] if best[-1] > 0 else np.zeros(n + 1)
    return np.asarray(scores[0] + np.outer(of_level, share))


def _denominator(lists: Lists, sign: int) -> Floats:
    """Return ``(levels, n + 1)`` the IDCG when that many documents have a level.

    They are the first documents, or the last if ``sign`` is −1.
    """
    n, size = len(lists.unjudged), len(lists.scale)
    if lists.measure.under(lists.sides[0].convention).ideal == "judged":
        # The ideal does not depend on the ranking.
        nothing = np.zeros(0, np.int64)
        lists = replace(lists, sides=[replace(s, hits=s.hits[nothing]) for s in lists.sides])
    first = _first(n, np.arange(n + 1))[:, ::sign]
    levels = np.concatenate([level * first for level in range(size)])
    return _scores(lists, lists.measure.parts[1], levels).reshape(size, n + 1)


def _quotients(top: Floats, bottom: Floats, sign: int) -> Iterator[Ints]:
    """Yield the number of documents at each level or above, with ever better quotients.

    ``top, bottom``: ``(levels, n + 1)`` both scores when that many documents have a level.
    """
    tops, bottoms, every = np.diff(top, axis=0), np.diff(bottom, axis=0), np.arange(len(top) - 1)
    counts = np.full(len(tops), top.shape[1] - 1)
    quotient = -sign * np.inf
    while True:
        below = bottom[0, 0] + bottoms[every, counts].sum()
        if not below > 0:
            return
        found = (top[0, 0] + tops[every, counts].sum()) / below
        if not sign * (found - quotient) > NOISE:
            return
        quotient = found
        yield counts
        counts = _best_chain(sign * (tops - quotient * bottoms))


def _best_chain(values: Floats) -> Ints:
    """Return an index for each row, none above that of the row before, with the highest sum."""
    *others, total = values
    picks = []
    for row in reversed(others):
        best = np.maximum.accumulate(total)
        picks.append(np.maximum.accumulate(np.where(total == best, np.arange(len(total)), 0)))
        total = row + best
    chosen = [int(total.argmax())]
    for pick in reversed(picks):
        chosen.append(int(pick[chosen[-1]]))
    return np.array(chosen)


def _first(n: int, counts: Ints) -> Ints:
    """Return ``(c, n)`` 1 for the first documents, as many as each count."""
    return (np.arange(n) < counts[:, None]).astype(np.int64)


def _scores(lists: Lists, part: Measure, levels: Ints) -> Floats:
    """Return the score of each completion by a part of the measure; 0 where there is nothing."""
    sides = [side.under(undefined="zero") for side in lists.sides]
    (scores,) = replace(lists, measure=part, sides=sides).scores(levels)
    return np.asarray(scores)
