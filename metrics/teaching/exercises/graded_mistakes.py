"""Common mistakes in DCG, IDCG and nDCG."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...conventions.gains import DISCOUNTS, gain_function
from .plain_query import Mistakes, Plain, best_first, share


@dataclass(frozen=True)
class Discounting:
    """A way to work out DCG, right or wrong.

    Attributes
    ----------
    gain, divisor
        The gain of a grade, and the number that it is divided by at a rank.
    """

    gain: Callable[[float], float]
    divisor: Callable[[int], float]

    def terms(self, grades: Sequence[float]) -> list[float]:
        """Return the contribution of each rank."""
        return [self.gain(grade) / self.divisor(rank) for rank, grade in enumerate(grades, 1)]

    def total(self, grades: Sequence[float]) -> float:
        """Return the sum of the contributions."""
        return math.fsum(self.terms(grades))


def right_way(gain: str) -> Discounting:
    """Return the right way: linear or exponential gain, divided by log2(rank + 1)."""
    gain_of, divisor_of = gain_function(gain), DISCOUNTS["log2"].divisor
    return Discounting(
        lambda grade: float(gain_of(np.array([grade]))[0]),
        lambda rank: float(divisor_of(np.array([rank]))[0]),
    )


def wrong_ways(gain: str) -> dict[str, Discounting]:
    """Return wrong ways to work out DCG, by the mistake in the gain or the discount."""
    right = right_way(gain)
    other = {
        "linear": ("with the gain 2^grade − 1 instead of the grade", right_way("exponential")),
        "exponential": ("with the grade itself as gain, not 2^grade − 1", right_way("linear")),
    }
    words, other_gain = other[gain]
    divisors: dict[str, Callable[[int], float]] = {
        "with log₂(rank), which forgets the + 1 or counts ranks from 0": lambda rank: (
            math.log2(rank) if rank > 1 else 1.0
        ),
        "with the natural logarithm instead of log₂": lambda rank: math.log(rank + 1),
        "with the logarithm to base 10 instead of log₂": lambda rank: math.log10(rank + 1),
        "with log₂(rank + 2), which is one rank too far": lambda rank: math.log2(rank + 2),
        "when the gain is divided by the rank itself": float,
        "when nothing is discounted": lambda _: 1.0,
        "when the gain is multiplied by log₂(rank + 1)": lambda rank: 1 / math.log2(rank + 1),
    }
    return {
        **{mistake: replace(right, divisor=divisor) for mistake, divisor in divisors.items()},
        words: other_gain,
        "when every relevant document gains 1": replace(right, gain=lambda grade: min(grade, 1.0)),
    }


def other_ideals(plain: Plain) -> dict[str, list[float]]:
    """Return ideal rankings of the wrong documents, by the mistake."""
    k = plain.k
    return {
        "with an ideal of the retrieved documents only": best_first(plain.grades)[:k],
        "with an ideal of the top k only, sorted": best_first(plain.top),
        "with an ideal that is not cut at k": plain.ideal,
    }


def contribution(plain: Plain, gain: str, rank: int) -> Mistakes:
    """Return the values that common mistakes give for one rank's contribution to DCG@k."""
    return {words: way.terms(plain.top)[rank - 1] for words, way in wrong_ways(gain).items()}


def dcg(plain: Plain, gain: str) -> Mistakes:
    """Return the values that common mistakes give for DCG@k."""
    right = right_way(gain)
    return {
        **{words: way.total(plain.top) for words, way in wrong_ways(gain).items()},
        "when the cutoff is forgotten": right.total(plain.grades),
        "when the sum is divided by k": right.total(plain.top) / plain.k,
        "when unjudged documents are left out and the ranks close up": right.total(
            plain.closed_up.top
        ),
    }


def ideal_grade(plain: Plain, rank: int) -> Mistakes:
    """Return the values that common mistakes give for one grade of the ideal ranking."""
    others = other_ideals(plain).items()
    return {
        **{words: ideal[rank - 1] for words, ideal in others if rank <= len(ideal)},
        "with the order of the ranking instead of the sorted one": plain.grades[rank - 1],
    }


def idcg(plain: Plain, gain: str) -> Mistakes:
    """Return the values that common mistakes give for IDCG@k."""
    right, best = right_way(gain), plain.ideal[: plain.k]
    return {
        **{words: way.total(best) for words, way in wrong_ways(gain).items()},
        **{words: right.total(ideal) for words, ideal in other_ideals(plain).items()},
        "with the order of the ranking (that is DCG)": right.total(plain.top),
    }


def ndcg(plain: Plain, gain: str) -> Mistakes:
    """Return the values that common mistakes give for nDCG@k."""
    right, k = right_way(gain), plain.k
    earned, to_earn = right.total(plain.top), right.total(plain.ideal[:k])
    both = {
        words: share(way.total(plain.top), way.total(plain.ideal[:k]))
        for words, way in wrong_ways(gain).items()
    }
    ideals = {
        words: share(earned, right.total(ideal)) for words, ideal in other_ideals(plain).items()
    }
    close = plain.closed_up
    return {
        **both,
        **ideals,
        "when DCG is not divided by IDCG": earned,
        "with the natural logarithm in DCG only": share(
            wrong_ways(gain)["with the natural logarithm instead of log₂"].total(plain.top),
            to_earn,
        ),
        "when IDCG is divided by DCG": share(to_earn, earned),
        "when DCG is divided by k": earned / k,
        "when the cutoff is forgotten": share(right.total(plain.grades), right.total(plain.ideal)),
        "when DCG and IDCG are first rounded to one decimal": share(
            round(earned, 1), round(to_earn, 1)
        ),
        "when unjudged documents are left out and the ranks close up": share(
            right.total(close.top), to_earn
        ),
    }
