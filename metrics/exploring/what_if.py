"""Effect of a change to a ranking on its score: swaps, other grades, other orders of ties."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations_with_replacement, permutations, product
from math import comb

import numpy as np
from numpy.typing import NDArray

from ..arrays import NOISE, Floats, Ints, pd
from ..comparing.reversal import MOST_LINES, Lists, in_reach, require_no_aspects, worst_first
from ..conventions.choices import CHOICES
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..editing.edits import in_order, move, remove, set_grade, swap
from ..editing.hand_ranking import Entry, HandRanking
from ..errors import EditError, MeasureError
from ..matching import JudgedRankings
from ..matching.batches import Given, match
from ..matching.judged import listed
from ..measures import Measure
from ..measures.ndcg import nDCG
from ..scoring.naming import parse

LONGEST = 5_000
"""Every change is tried only in rankings of at most this many documents."""
AT_ONCE = 200_000
"""About this many documents are scored in one batch, which bounds the memory."""


def score_all(
    rankings: Iterable[HandRanking], measure: Measure, convention: Convention = TREC_EVAL
) -> Floats:
    """Return ``(m,)`` the score of each ranking; NaN where none of its documents is judged.

    The rankings are read one by one, so a generator of many long rankings needs little memory.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["b", "a"])
    >>> score_all([ranking, move(ranking, "a", 1)], parse("RR")).tolist()
    [0.5, 1.0]
    """
    scores = [_scored(batch, measure, convention) for batch in _batches(rankings)]
    return np.concatenate([np.zeros(0), *scores])


def _batches(rankings: Iterable[HandRanking]) -> Iterator[list[HandRanking]]:
    batch: list[HandRanking] = []
    held = 0
    for ranking in rankings:
        batch.append(ranking)
        held += len(ranking.entries)
        if held >= AT_ONCE:
            yield batch
            batch, held = [], 0
    if batch:
        yield batch


def _scored(rankings: list[HandRanking], measure: Measure, convention: Convention) -> Floats:
    names = list(map(str, range(len(rankings))))
    qrels = Qrels.from_dict({name: r.grades for name, r in zip(names, rankings, strict=True)})
    aspects = {name: r.aspects for name, r in zip(names, rankings, strict=True) if r.aspects}
    qrels = replace(qrels, aspects=aspects)
    run = Run.from_dict({name: r.scores for name, r in zip(names, rankings, strict=True)})
    judged = match(qrels, run, replace(convention, queries="qrels"))
    scores: Floats = np.full(len(rankings), np.nan)
    scores[list(map(int, judged.queries))] = measure.ledger(judged).scores
    return scores


def swaps(
    ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL, depth: int = 20
) -> Floats:
    """Return ``(d, d)`` the change in the score from swapping the documents at two ranks.

    Raises
    ------
    MeasureError
        When the ranking has more than ``LONGEST`` documents.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["b", "c", "a"])
    >>> swaps(ranking, parse("RR")).round(3).tolist()
    [[0.0, 0.0, 0.667], [0.0, 0.0, 0.167], [0.667, 0.167, 0.0]]
    """
    _short(ranking)
    size = min(depth, len(ranking.retrieved))
    first, second = np.triu_indices(size, 1)
    pairs = zip((first + 1).tolist(), (second + 1).tolist(), strict=True)
    others = (swap(ranking, i, j) for i, j in pairs)
    now, *then = score_all(chain([ranking], others), measure, convention)
    deltas: Floats = np.zeros((size, size))
    deltas[first, second] = deltas[second, first] = np.array(then) - now
    return deltas


def changes(
    ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL, depth: int = 20
) -> pd.DataFrame:
    """Return the change in the score from each change to one document.

    Returns
    -------
    DataFrame
        One row per document of the top ``depth``, then up to ``depth`` documents that are not
        retrieved. Columns: document, rank (NA: not retrieved), grade, then one per change; NaN
        where the change is impossible.

    Raises
    ------
    MeasureError
        When the ranking has more than ``LONGEST`` documents.

    Examples
    --------
    >>> from metrics import parse
    >>> frame = changes(HandRanking.of("q", {"a": 1}, ["b", "a"]), parse("RR"))
    >>> frame.set_index("document")["to rank 1"].to_dict()
    {'b': 0.0, 'a': 0.5}
    """
    _short(ranking)
    # The changes by name; each takes a document and its grade.
    made: dict[str, Callable[[str, float | None], HandRanking]] = {
        "to rank 1": lambda document, _: move(ranking, document, 1),
        "grade +1": lambda document, grade: set_grade(ranking, document, (grade or 0.0) + 1),
        "grade −1": lambda document, grade: set_grade(ranking, document, _lowered(grade)),
        "not retrieved": lambda document, _: move(ranking, document, None),
        "removed": lambda document, _: remove(ranking, document),
    }
    ranks = {entry.document: rank for rank, entry in enumerate(ranking.retrieved, 1)}
    entries = ranking.retrieved[:depth] + ranking.unretrieved[:depth]
    delta = {name: np.full(len(entries), np.nan) for name in made}
    places: list[tuple[str, int]] = []

    def others() -> Iterator[HandRanking]:
        for row, entry in enumerate(entries):
            for name, change in made.items():
                try:
                    changed = change(entry.document, entry.grade)
                except EditError:
                    continue
                places.append((name, row))
                yield changed

    now, *then = score_all(chain([ranking], others()), measure, convention)
    for (name, row), score in zip(places, then, strict=True):
        delta[name][row] = score - now
    frame = pd.DataFrame(
        {
            "document": [entry.document for entry in entries],
            "rank": pd.array(
                [ranks.get(entry.document, pd.NA) for entry in entries], dtype="Int64"
            ),
            "grade": [np.nan if e.grade is None else e.grade for e in entries],
        }
    )
    return frame.assign(**delta)


def _short(ranking: HandRanking) -> None:
    if (length := len(ranking.entries)) > LONGEST:
        raise MeasureError(
            f"This ranking is too long to try every change: {length:,} documents, of at "
            f"most {LONGEST:,}. Cut it at a smaller depth."
        )


def _lowered(grade: float | None) -> float:
    if grade is None or grade < 1:
        raise EditError("There is no lower grade.")
    return grade - 1


def bounds(
    qrels: Given, run: Given, measure: str | Measure, convention: Convention | str = TREC_EVAL
) -> pd.DataFrame:
    """Return the exact range of each query's score over all orders of its tied documents.

    Raises
    ------
    MeasureError
        When the order also changes the ideal ranking, or there are too many orders to search.

    Returns
    -------
    DataFrame
        Index query; columns ``lowest``, ``score`` under the convention, and ``highest``.

    Examples
    --------
    >>> run = {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}
    >>> bounds({"q1": {"a": 1}}, run, "RR", Convention(ties="ascending")).round(4).to_dict("index")
    {'q1': {'lowest': 0.3333, 'score': 1.0, 'highest': 1.0}}
    """
    return bounds_of(match(qrels, run, convention), parse(measure))


def bounds_of(judged: JudgedRankings, measure: Measure) -> pd.DataFrame:
    """Return `bounds` of rankings that are already judged."""
    # The extreme orders are computed below, so the tie rule must not average over orders.
    ordered = judged.under(ties="input")
    under = measure.under(ordered.convention)
    if under.ideal == "doubled" and "ideal" in measure.choices and measure.cutoff is not None:
        raise MeasureError(
            f"The ideal ranking of {measure} changes with the order of equal scores when the top k "
            "count twice in it, so its bounds are not known. Choose another ideal."
        )
    lowest, highest = (
        measure.ledger(replace(ordered, hits=measure.tie_order(ordered, under, best))).scores
        for best in (False, True)
    )
    return pd.DataFrame(
        {"lowest": lowest, "score": measure.ledger(judged).scores, "highest": highest},
        index=pd.Index(judged.queries, name="query", dtype=str),
    )


MOST_ORDERS = 5_040
"""At most this many orders are scored one by one to take their mean."""
COUNTED = 10**9
"""Orders are counted up to this number: for a million tied documents, counting takes minutes."""


@dataclass(frozen=True)
class Tied:
    """Scores of one ranking over all orders of its tied documents.

    Attributes
    ----------
    orders
        The number of orders, counted up to ``COUNTED``.
    lowest, highest
        The lowest and the highest score over all orders.
    mean
        The mean over all orders; None if the measure is not linear and there are more than
        ``MOST_ORDERS``.
    by_rule
        The score under each rule of `Convention.ties` that gives a single order.
    """

    orders: int
    lowest: float
    highest: float
    mean: float | None
    by_rule: dict[str, float]


def tied(ranking: HandRanking, measure: Measure, convention: Convention = TREC_EVAL) -> Tied:
    """Return how the order of equal scores affects a ranking's score.

    Raises
    ------
    MeasureError
        When the range cannot be computed; see `bounds`.

    Examples
    --------
    >>> from metrics import parse
    >>> from metrics.editing.edits import toggle_tie
    >>> ranking = toggle_tie(HandRanking.of("q", {"a": 1}, ["a", "b"]), "b")
    >>> tied(ranking, parse("RR"))
    Tied(orders=2, lowest=0.5, highest=1.0, mean=0.75, by_rule={'descending': 0.5, \
'ascending': 1.0, 'input': 1.0})
    """
    groups = _groups(ranking)
    orders = _orders(map(len, groups))
    ends = bounds(ranking.qrels, ranking.run, measure, convention).iloc[0]
    by_rule = {
        rule: float(score_all([ranking], measure, replace(convention, ties=rule))[0])
        for rule in CHOICES["ties"].values
        if rule != "mean"
    }
    mean: float | None = None
    if measure.linear:
        mean = float(score_all([ranking], measure, replace(convention, ties="mean"))[0])
    elif orders <= MOST_ORDERS:
        every = (in_order(ranking, [*chain(*p)]) for p in product(*map(permutations, groups)))
        mean = float(score_all(every, measure, convention).mean())
    return Tied(orders, float(ends["lowest"]), float(ends["highest"]), mean, by_rule)


def _orders(sizes: Iterable[int]) -> int:
    orders = 1
    for factor in chain.from_iterable(range(2, size + 1) for size in sizes):
        orders *= factor
        if orders >= COUNTED:
            return COUNTED
    return orders


def _groups(ranking: HandRanking) -> list[list[Entry]]:
    groups: list[list[Entry]] = []
    for entry in ranking.retrieved:
        if entry.tied:
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


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

    Parameters
    ----------
    grades
        The grades of the scale.

    Raises
    ------
    MeasureError
        When the convention leaves the query out, whatever the grades, or the measure depends on
        the aspects of the unjudged documents.

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
