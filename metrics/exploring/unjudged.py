"""Unjudged documents: between which scores the ranking stands, whatever their grades are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, islice, product
from math import comb

from ..conventions.convention import TREC_EVAL, Convention
from ..editing.hand_ranking import HandRanking
from ..errors import MeasureError
from ..judging.judged import judge
from ..measures import Measure
from .what_if import score_all

MOST_ROWS = 400_000
"""So many documents in all tried rankings take about a second."""
_AT_A_TIME = 2_000


@dataclass(frozen=True)
class Completions:
    """The lowest and the highest score over all grades of the unjudged documents.

    Attributes
    ----------
    lowest, highest
        The two scores.
    lowest_ranking, highest_ranking
        The ranking with grades that give them.
    tried
        How many rankings were scored.
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
    """The exact range of the score over every way to judge the unjudged retrieved documents.

    All grades lowest and all highest are not the ends: a grade also changes the ideal ranking. For
    a fixed set of grades the ends are the sorted orders, where the measure is `exchangeable` and
    no grade is below 0; so every set is tried, sorted both ways. Else every combination is.

    Parameters
    ----------
    grades
        The grades of the scale.

    Raises
    ------
    MeasureError
        When there are too many to try.

    Examples
    --------
    >>> from metrics import parse
    >>> ranking = HandRanking.of("q", {"a": 1}, ["x", "a"])
    >>> ends = completions(ranking, parse("RR"), [0, 1])
    >>> ends.lowest, ends.highest, ends.tried
    (0.5, 1.0, 2)
    """
    unjudged = _unjudged(ranking, convention)
    # Grades below 0 earn nothing and yet differ from 0 in what they do to others.
    by_merit = measure.exchangeable and min(grades) >= 0
    number = (
        2 * comb(len(unjudged) + len(grades) - 1, len(unjudged))
        if by_merit
        else len(grades) ** len(unjudged)
    )
    if number * len(ranking.entries) > MOST_ROWS:
        raise MeasureError(
            f"{len(unjudged)} unjudged documents and {len(grades)} grades make too many "
            "rankings to try; judge some of them, or shorten the ranking."
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
        # A query without a score, under a convention that skips it, is no end.
        scored = [pair for pair in zip(scores.tolist(), batch, strict=True) if pair[0] == pair[0]]
        ends = sorted([*ends, *scored], key=lambda pair: pair[0])
        ends = [ends[0], ends[-1]] if ends else []
    if not ends:
        raise MeasureError(
            "The convention leaves this query out, however its documents are judged."
        )
    (lowest, low), (highest, high) = ends
    return Completions(lowest, highest, low, high, tried)


def _unjudged(ranking: HandRanking, convention: Convention) -> list[str]:
    """The unjudged documents in the order in which they are evaluated."""
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
    """By what documents of each grade must be ordered for the highest score."""
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
