"""Effect of unjudged documents: the range of the score over all grades they could have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product
from math import comb, isnan

from ..conventions.convention import TREC_EVAL, Convention
from ..editing.hand_ranking import HandRanking
from ..errors import MeasureError
from ..judging.judged import judge
from ..measures import Measure
from .what_if import score_all

MOST_ROWS = 400_000
"""At most this many documents over all rankings tried, which takes about a second."""
_AT_A_TIME = 2_000


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
    """

    lowest: float
    highest: float
    lowest_ranking: HandRanking
    highest_ranking: HandRanking
    tried: int


def completions(
    ranking: HandRanking,
    measure: Measure,
    grades: Sequence[float],
    convention: Convention = TREC_EVAL,
) -> Completions:
    """Return the exact range of the score over every way to grade the unjudged documents.

    Grading all of them lowest or all highest need not give the range, because a grade also changes
    the ideal ranking. If the measure is `exchangeable` and no grade is below 0, a fixed set of
    grades scores lowest and highest in its two sorted orders, so each set is tried in both.
    Otherwise every combination is tried.

    Parameters
    ----------
    grades
        The grades of the scale.

    Raises
    ------
    MeasureError
        When there are too many rankings to try, or the convention leaves the query out.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["x", "a"])
    >>> ends = completions(ranking, parse("RR"), [0, 1])
    >>> ends.lowest, ends.highest, ends.tried
    (0.5, 1.0, 2)
    """
    unjudged = _unjudged(ranking, convention)
    # A grade below 0 earns nothing itself, but affects other documents differently than 0.
    by_merit = measure.exchangeable and min(grades) >= 0
    number = (
        2 * comb(len(unjudged) + len(grades) - 1, len(unjudged))
        if by_merit
        else len(grades) ** len(unjudged)
    )
    if number * len(ranking.entries) > MOST_ROWS:
        raise MeasureError(
            f"{len(unjudged)} unjudged documents and {len(grades)} grades make too many "
            "rankings to try. Judge some of the documents, or shorten the ranking."
        )
    ordered = sorted(grades, key=_merits(ranking, measure, convention, grades).__getitem__)
    wanted = (
        _sorted_both_ways(ordered, len(unjudged))
        if by_merit
        else product(ordered, repeat=len(unjudged))
    )
    return _ends(ranking, measure, convention, unjudged, wanted)


def _ends(
    ranking: HandRanking,
    measure: Measure,
    convention: Convention,
    unjudged: Sequence[str],
    wanted: Iterable[tuple[float, ...]],
) -> Completions:
    remaining, tried = iter(wanted), 0
    ends: list[tuple[float, HandRanking]] = []
    while batch := [_with(ranking, unjudged, g) for g in islice(remaining, _AT_A_TIME)]:
        scores = score_all(batch, measure, convention)
        tried += len(batch)
        # The score is NaN where the convention skips the query; NaN cannot be an extreme.
        scored = [pair for pair in zip(scores.tolist(), batch, strict=True) if not isnan(pair[0])]
        ends = sorted([*ends, *scored], key=lambda pair: pair[0])
        ends = [ends[0], ends[-1]] if ends else []
    if not ends:
        raise MeasureError(
            "The convention leaves this query out, whatever the grades of its documents."
        )
    (lowest, low), (highest, high) = ends
    return Completions(lowest, highest, low, high, tried)


def _unjudged(ranking: HandRanking, convention: Convention) -> list[str]:
    """Return the unjudged documents in the order in which they are evaluated."""
    marked = replace(
        ranking,
        retrieved=tuple(replace(e, grade=e.grade or 0.0) for e in ranking.retrieved),
    )
    hits = judge(marked.qrels, marked.run, replace(convention, unjudged="zero")).hits
    missing = {entry.document for entry in ranking.retrieved if entry.grade is None}
    return [document for document in hits.document.to_pylist() if document in missing]


def _merits(
    ranking: HandRanking, measure: Measure, convention: Convention, grades: Sequence[float]
) -> dict[float, float]:
    """Return the key that sorts each grade's documents for the highest score."""
    names = {f"{i}": grade for i, grade in enumerate(grades)}
    one_each = HandRanking.of(ranking.query, names, list(names))
    hits = judge(one_each.qrels, one_each.run, replace(convention, unjudged="zero")).hits
    merits = measure.sort_key(hits, measure.under(convention))
    return {
        names[document]: merit
        for document, merit in zip(hits.document.to_pylist(), merits.tolist(), strict=True)
    }


def _sorted_both_ways(ordered: Sequence[float], count: int) -> Iterator[tuple[float, ...]]:
    for grades in combinations_with_replacement(ordered, count):
        yield grades
        if grades != grades[::-1]:
            yield grades[::-1]


def _with(ranking: HandRanking, documents: Sequence[str], grades: Sequence[float]) -> HandRanking:
    judged = dict(zip(documents, grades, strict=True))
    return replace(
        ranking,
        retrieved=tuple(
            replace(entry, grade=judged.get(entry.document, entry.grade))
            for entry in ranking.retrieved
        ),
    )
