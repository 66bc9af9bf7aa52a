"""One query as plain lists, for the wrong arithmetic; the right answers are sums of ledgers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...editing.hand_ranking import HandRanking

Mistakes = dict[str, float]
"""What mistakes come to, by their words, which go on after “0.812 is what comes out”."""


@dataclass(frozen=True)
class Plain:
    """One query as plain lists; grades from 1 up are relevant, ``?`` earns nothing."""

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
        """The ranks of all relevant documents."""
        return [rank for rank, grade in enumerate(self.grades, 1) if grade >= 1]

    @property
    def hits_in_top(self) -> list[int]:
        return [rank for rank in self.hits if rank <= self.k]

    @property
    def relevant(self) -> int:
        return sum(grade >= 1 for grade in self.grades + self.missed)

    @property
    def closed_up(self) -> Plain:
        """Without the unjudged documents."""
        pairs = zip(self.grades, self.unjudged, strict=True)
        known = [grade for grade, unjudged in pairs if not unjudged]
        return replace(self, grades=known, unjudged=[False] * len(known))


def best_first(grades: Sequence[float]) -> list[float]:
    """The grades, the highest first."""
    return sorted(grades, reverse=True)


def share(part: float, whole: float) -> float:
    """The quotient; NaN where it cannot be taken, so that the mistake cannot be made."""
    return part / whole if whole else math.nan
