"""Effect of unjudged documents: the range of the score over all grades they could have.

Few documents are graded in every way; of many, `by_level` finds the best grades in nDCG, and
`stepped` tries some for any measure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..arrays import NOISE, Floats, Ints
from ..comparing.reversal import MOST_LINES, Lists, in_reach, require_no_aspects, worst_first
from ..conventions.convention import TREC_EVAL, Convention
from ..editing.hand_ranking import HandRanking
from ..errors import MeasureError
from ..matching.batches import match
from ..matching.judged import listed
from ..measures import Measure
from ..measures.ndcg import nDCG
from .what_if import score_all

MOST_ROWS = 400_000
"""At most this many documents in all rankings that are judged anew, which takes about a second."""


@dataclass(frozen=True)
class Completions:
    """The lowest and the highest score over all grades of the unjudged documents.

    Attributes
    ----------
    lowest, highest
        The two scores.
    lowest_ranking, highest_ranking
        The ranking with the grades that give each score.
    tried
        The number of rankings scored.
    exact
        Whether no other grades can score lower or higher; otherwise the two scores are the lowest
        and the highest of those tried.
    """

    lowest: float
    highest: float
    lowest_ranking: HandRanking
    highest_ranking: HandRanking
    tried: int
    exact: bool


def completions(
    ranking: HandRanking,
    measure: Measure,
    grades: Sequence[float],
    convention: Convention = TREC_EVAL,
) -> Completions:
    """Return the range of the score over every way to grade the unjudged documents.

    Grading all of them lowest or all highest need not give the range, because a grade also changes
    the ideal ranking. If the measure is `exchangeable` and no grade is below 0, a fixed set of
    grades scores lowest and highest in its two sorted orders, so each set is tried in both, and:

    - Documents that cannot get above the cutoff change only what there is to find. It is least and
      most when all of them have the worst or all the best grade.
    - If there are too many sets, nDCG is searched level by level, and a score that is not divided
      by what there is to find needs only equal grades for all, and one document above the others.

    Otherwise every combination is tried if possible. If not, the range is that of some of them.

    ``grades`` are those of the scale.

    Raises MeasureError when the convention leaves the query out, whatever the grades, or the
    measure depends on the aspects of the unjudged documents.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["x", "a"])
    >>> ends = completions(ranking, parse("RR"), [0, 1])
    >>> ends.lowest, ends.highest, ends.tried, ends.exact
    (0.5, 1.0, 2, True)
    """
    if ranking.aspects:
        require_no_aspects(measure)
    under = measure.under(convention)
    whole = replace(convention, unjudged="zero")
    hits = listed(ranking.qrels, ranking.run, whole).hits
    unjudged = [str(name) for name in hits.document.filter(np.isnan(hits.grade)).to_pylist()]
    near = in_reach(hits, under, measure.cutoff)[np.isnan(hits.grade)]
    scale = _scale(grades, measure, under)
    zeros = _with(ranking, unjudged, [0.0] * len(unjudged))
    side = match(zeros.qrels, zeros.run, replace(convention, queries="qrels"))
    lists = Lists(ranking.query, measure, [side], unjudged, scale)
    if scale.min() >= 0:
        most = MOST_LINES // max(1, len(side.hits) + len(side.judged))
        levels, exact = _plan(lists, near, measure.exchangeable, most)
        scores = lists.scores(levels)[0] if side.queries else np.full(len(levels), np.nan)
    else:
        # A grade below 0 earns nothing itself, but affects other documents differently than 0. It
        # can take a document out of the ranking, so each ranking is judged anew.
        levels, exact = _plan(lists, near, False, MOST_ROWS // max(1, len(ranking.entries)))
        filled = (_with(ranking, unjudged, scale[row].tolist()) for row in levels)
        scores = score_all(filled, measure, convention)
    if np.isnan(scores).all():
        raise MeasureError(
            "The convention leaves this query out, whatever the grades of its documents."
        )
    low, high = int(np.nanargmin(scores)), int(np.nanargmax(scores))
    lowest, highest = (_with(ranking, unjudged, scale[levels[row]].tolist()) for row in (low, high))
    return Completions(float(scores[low]), float(scores[high]), lowest, highest, len(levels), exact)


def _plan(lists: Lists, near: NDArray[np.bool_], by_merit: bool, most: int) -> tuple[Ints, bool]:
    """Return at most about ``most`` completions to score, and whether the extremes are among them.

    ``near``: ``(n,)`` whether an unjudged document can get above the cutoff.
    """
    size, n, k = len(lists.scale), len(near), int(near.sum())
    measure = lists.measure
    if not by_merit:
        if size**n <= most:
            return _rows(product(range(size), repeat=n), n), True
        return stepped(n, size, most), False
    below = [0] if k == n else [0, size - 1]
    if 2 * comb(k + size - 1, k) * len(below) <= most:
        up = _rows(combinations_with_replacement(range(size), k), k)
        turned = up[:, ::-1][(up != up[:, ::-1]).any(axis=1)]
        tops = np.concatenate([up, turned])
        levels = np.empty((len(below), len(tops), n), np.int64)
        levels[:, :, near] = tops
        levels[:, :, ~near] = np.array(below)[:, None, None]
        return levels.reshape(len(below) * len(tops), n), True
    if (measure.linear or measure.graded) and not measure.normalised:
        return _equal_or_one(near, size), True
    if isinstance(measure, nDCG):
        return by_level(lists), True
    return stepped(n, size, most), False


def _rows(combinations: Iterable[tuple[int, ...]], width: int) -> Ints:
    rows = list(combinations)
    return np.array(rows, np.int64).reshape(len(rows), width)


def _equal_or_one(near: NDArray[np.bool_], size: int) -> Ints:
    """Return the completions with one level for all, or for the first or the last document alone.

    Nothing is divided by what there is to find, but a better document can lower the worth of all
    others, as in RBP on a scale up to the highest grade.
    """
    count, level = int(near.sum()), np.arange(size)[:, None]
    first, last = np.eye(1, count, dtype=np.int64), np.eye(1, count, count - 1, dtype=np.int64)
    tops = np.concatenate([level * np.ones(count, np.int64), level[1:] * first, level[1:] * last])
    levels = np.empty((size, len(tops), len(near)), np.int64)
    levels[:, :, near] = tops
    levels[:, :, ~near] = level[:, :, None]
    return levels.reshape(-1, len(near))


def _scale(grades: Sequence[float], measure: Measure, under: Convention) -> Floats:
    """Return the grades to try, those that lower the score most first."""
    scale = worst_first(np.array(grades, float), measure, under)
    if measure.graded or scale.min() < 0:
        return scale
    # Whether a grade reaches the level is all that counts.
    _, first = np.unique(scale >= under.level, return_index=True)
    return scale[np.sort(first)]


def _with(ranking: HandRanking, documents: Sequence[str], grades: Sequence[float]) -> HandRanking:
    judged = dict(zip(documents, grades, strict=True))
    return replace(
        ranking,
        retrieved=tuple(
            replace(entry, grade=judged.get(entry.document, entry.grade))
            for entry in ranking.retrieved
        ),
    )


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
