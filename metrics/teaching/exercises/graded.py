"""Exercises on nDCG."""

from __future__ import annotations

from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...scoring.naming import parse
from . import graded_mistakes as mistakes
from .blanks import Number
from .draw import Draw, Level
from .exercise import Exercise, list_of, score
from .plain_query import Plain


def drawn(draw: Draw, level: Level) -> tuple[HandRanking, str, Measure] | None:
    """Return a ranking, the gain, and nDCG; None if the ranking makes a poor exercise."""
    ranking, gain = draw.ranking(level), draw.one(level.gains)
    top = [entry.grade or 0.0 for entry in ranking.retrieved[: level.k]]
    parameter = "(gain=exponential)" if gain == "exponential" else ""
    measure = parse(f"nDCG{parameter}@{level.k}")
    if sum(value > 0 for value in top) < 3 or len(set(top)) < 3 or score(ranking, measure) > 0.98:
        return None
    return ranking, gain, measure


def ndcg(draw: Draw, level: Level) -> Exercise | None:
    """Return an exercise on the nDCG of a ranking."""
    if (question := drawn(draw, level)) is None:
        return None
    ranking, gain, measure = question
    plain = Plain.of(ranking, level.k)
    blank = Number(str(measure), score(ranking, measure), mistakes.ndcg(plain, gain), 1.0)
    return Exercise(f"Work out {measure}.", list_of(ranking), (blank,), {"": ranking}, (measure,))
