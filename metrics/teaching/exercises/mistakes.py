"""Common mistakes, worked out from a query as plain lists; the right answers come from ledgers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...conventions.gains import DISCOUNTS, gain_function
from ...editing.hand_ranking import HandRanking

Mistakes = dict[str, float]
"""The values that mistakes give, by a description that completes “0.812 is what you get …”."""


@dataclass(frozen=True)
class Plain:
    """One query as plain lists; a grade of 1 or more is relevant, an unjudged document earns 0."""

    grades: list[float]
    missed: list[float]
    unjudged: list[bool]
    k: int

    @classmethod
    def of(cls, ranking: HandRanking, k: int) -> Plain:
        return cls(
            [entry.grade or 0.0 for entry in ranking.retrieved],
            [entry.grade or 0.0 for entry in ranking.unretrieved],
            [entry.grade is None for entry in ranking.retrieved],
            k,
        )

    @property
    def top(self) -> list[float]:
        return self.grades[: self.k]

    @property
    def ideal(self) -> list[float]:
        return sorted(self.grades + self.missed, reverse=True)

    @property
    def hits(self) -> list[int]:
        """The ranks of the relevant documents that are retrieved."""
        return [rank for rank, grade in enumerate(self.grades, 1) if grade >= 1]

    @property
    def hits_in_top(self) -> list[int]:
        return [rank for rank in self.hits if rank <= self.k]

    @property
    def relevant(self) -> int:
        return sum(grade >= 1 for grade in self.grades + self.missed)

    @property
    def closed_up(self) -> Plain:
        """The query without its unjudged documents; the documents below them move up."""
        pairs = zip(self.grades, self.unjudged, strict=True)
        known = [grade for grade, unjudged in pairs if not unjudged]
        return replace(self, grades=known, unjudged=[False] * len(known))


def share(part: float, whole: float) -> float:
    """Return the quotient; NaN for a division by 0, which leaves the mistake out."""
    return part / whole if whole else math.nan


def precision(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for P@k."""
    hits, k = len(plain.hits_in_top), plain.k
    unjudged = sum(plain.unjudged[:k])
    return {
        "when the hits are divided by R, all relevant documents (that is recall)": share(
            hits, plain.relevant
        ),
        "when the cutoff is forgotten": len(plain.hits) / len(plain.grades),
        "when the grades are added up instead of counting relevant documents": sum(plain.top) / k,
        "when the hits are counted but not divided": float(hits),
        "when the documents that are not relevant are counted": (k - hits) / k,
        "when unjudged documents are left out of k": share(hits, k - unjudged),
        "when unjudged documents are counted as relevant": (hits + unjudged) / k,
    }


def recall(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for R@k."""
    hits, k = len(plain.hits_in_top), plain.k
    return {
        "when the hits are divided by k (that is precision)": hits / k,
        "when only retrieved documents are counted in R": share(hits, len(plain.hits)),
        "when the cutoff is forgotten": share(len(plain.hits), plain.relevant),
        "when the grades are added up instead of counting relevant documents": share(
            sum(plain.top), sum(plain.ideal)
        ),
        "when the hits are divided by all judged documents": share(
            hits, len(plain.grades) + len(plain.missed) - sum(plain.unjudged)
        ),
        "when the hits are counted but not divided": float(hits),
        "when unjudged documents are left out and the ranks close up": share(
            len(plain.closed_up.hits_in_top), plain.relevant
        ),
        "when unjudged documents are counted as relevant": share(
            hits + sum(plain.unjudged[:k]), plain.relevant + sum(plain.unjudged)
        ),
    }


def f1(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for F1@k."""
    hits = len(plain.hits_in_top)
    p, r = hits / plain.k, share(hits, plain.relevant)
    every = len(plain.hits)
    rounded = round(p, 1), round(r, 1)
    return {
        "with the plain mean of precision and recall": (p + r) / 2,
        "when the factor 2 is forgotten": share(p * r, p + r),
        "when precision and recall are multiplied": p * r,
        "with the geometric mean of precision and recall": math.sqrt(p * r),
        "with the smaller of precision and recall": min(p, r),
        "when the cutoff is forgotten": share(2 * every, len(plain.grades) + plain.relevant),
        "when precision and recall are first rounded to one decimal": share(
            2 * rounded[0] * rounded[1], sum(rounded)
        ),
    }


def reciprocal_rank(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for RR."""
    if not plain.hits:
        return {}
    first, last = plain.hits[0], plain.hits[-1]
    best = plain.grades.index(max(plain.grades)) + 1
    close = plain.closed_up.hits
    return {
        "when the rank itself is given instead of 1 divided by it": float(first),
        "when ranks are counted from 0": share(1, first - 1),
        "when 1 is added to the rank": 1 / (first + 1),
        "with the last relevant document instead of the first": 1 / last,
        "with the first document of the highest grade": 1 / best,
        "with the mean of 1/rank over all relevant documents": math.fsum(
            1 / rank for rank in plain.hits
        )
        / len(plain.hits),
        "with 1/log₂(rank + 1), the discount of DCG": 1 / math.log2(first + 1),
        "with the share of relevant documents (that is precision)": len(plain.hits)
        / len(plain.grades),
        "when unjudged documents are left out and the ranks close up": 1 / close[0],
    }


def average_precision(plain: Plain) -> Mistakes:
    """Return the values that common mistakes give for AP."""
    if not plain.hits:
        return {}
    ranked, found = len(plain.grades), len(plain.hits)
    at_hits = [number / rank for number, rank in enumerate(plain.hits, 1)]
    everywhere = [sum(hit <= rank for hit in plain.hits) / rank for rank in range(1, ranked + 1)]
    total, r = math.fsum(at_hits), plain.relevant
    return {
        "when the sum is divided by the relevant documents retrieved, not by all": total / found,
        "with the mean of the precision at every rank": math.fsum(everywhere) / ranked,
        "when the sum is not divided": total,
        "when the sum is divided by the documents retrieved": total / ranked,
        "with 1/rank as the precision at each hit, which forgets the earlier hits": math.fsum(
            1 / rank for rank in plain.hits
        )
        / r,
        "when ranks are counted from 0": math.fsum(
            share(number, rank - 1) for number, rank in enumerate(plain.hits, 1)
        )
        / r,
        "with the precision of the whole list": found / ranked,
        "when unjudged documents are left out and the ranks close up": math.fsum(
            number / rank for number, rank in enumerate(plain.closed_up.hits, 1)
        )
        / r,
        "with the precision at the first hit only": at_hits[0],
        "with the precision at rank R (that is R-precision)": sum(hit <= r for hit in plain.hits)
        / r,
    }


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
        "with an ideal of the retrieved documents only": sorted(plain.grades, reverse=True)[:k],
        "with an ideal of the top k only, sorted": sorted(plain.top, reverse=True),
        "with an ideal that is not cut at k": plain.ideal,
    }


def contribution(plain: Plain, gain: str, rank: int) -> Mistakes:
    """Return the values that common mistakes give for one rank's contribution to DCG@k."""
    return {words: way.terms(plain.top)[rank - 1] for words, way in wrong_ways(gain).items()}


def _slips(terms: Sequence[float]) -> Mistakes:
    """Return the values of a sum that lacks one rank, or all from some rank on."""
    total = math.fsum(terms)
    return {
        **{f"when rank {rank} is left out": total - term for rank, term in enumerate(terms, 1)},
        **{
            f"when only ranks 1 to {end} are added": math.fsum(terms[:end])
            for end in range(2, len(terms) - 1)
        },
    }


def dcg(plain: Plain, gain: str) -> Mistakes:
    """Return the values that common mistakes give for DCG@k."""
    right = right_way(gain)
    return {
        **{words: way.total(plain.top) for words, way in wrong_ways(gain).items()},
        **_slips(right.terms(plain.top)),
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
        **_slips(right.terms(best)),
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
