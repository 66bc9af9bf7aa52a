"""Exercises on nDCG."""

from __future__ import annotations

from collections.abc import Sequence

from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...scoring.naming import parse
from . import graded_mistakes as mistakes
from .blanks import Hints, Number
from .draw import Draw, Level
from .exercise import Exercise, list_of, score
from .plain_query import Plain

GAINS = {"linear": "grade", "exponential": "(2^grade − 1)"}
"""What is divided by the discount, by the name of the gain."""


def term(gain: str, grade: float, rank: int) -> str:
    """Return one contribution to DCG, with its numbers put in.

    Examples
    --------
    >>> term("linear", 2, 3), term("exponential", 2, 3)
    ('2/log₂(4)', '(2^2 − 1)/log₂(4)')
    """
    return f"{GAINS[gain].replace('grade', f'{grade:g}')}/log₂({rank + 1})"


def _terms(gain: str, grades: Sequence[float]) -> str:
    return " + ".join(term(gain, grade, rank) for rank, grade in enumerate(grades, 1) if grade)


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
    earned, to_earn = (_terms(gain, grades) for grades in (plain.top, plain.ideal[: plain.k]))
    hints = Hints(
        f"Work out DCG of the top {plain.k}, then DCG of the {plain.k} best judged documents, "
        "best first.",
        f"nDCG = DCG / IDCG, both sums of {GAINS[gain]} / log₂(rank + 1)",
        f"({earned}) / ({to_earn})",
    )
    blank = Number(str(measure), score(ranking, measure), mistakes.ndcg(plain, gain), 1.0, hints)
    return Exercise(f"Work out {measure}.", list_of(ranking), (blank,), {"": ranking}, (measure,))
