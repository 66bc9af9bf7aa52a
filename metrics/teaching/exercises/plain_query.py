"""One query as plain lists, to work out mistakes; the right answers come from ledgers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

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
        return best_first(self.grades + self.missed)

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


def best_first(grades: Sequence[float]) -> list[float]:
    """Return the grades in descending order."""
    return sorted(grades, reverse=True)


def share(part: float, whole: float) -> float:
    """Return the quotient; NaN for a division by 0, which leaves the mistake out."""
    return part / whole if whole else math.nan
