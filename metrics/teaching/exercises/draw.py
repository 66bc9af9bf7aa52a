"""Random rankings that are the same on every machine, so a link always shows the same exercise."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from ...editing.hand_ranking import Entry, HandRanking

T = TypeVar("T")


@dataclass(frozen=True)
class Level:
    """The difficulty of an exercise.

    Attributes
    ----------
    ranked, missed, unjudged
        The number of documents that are retrieved, judged but not retrieved, and retrieved but
        not judged.
    highest
        The highest grade.
    k
        The cutoff.
    gains
        The gains to choose from.
    """

    title: str
    ranked: int
    missed: int
    unjudged: int
    highest: int
    k: int
    gains: tuple[str, ...] = ("linear",)


_BOTH = ("linear", "exponential")
LEVELS = {
    "1": Level("easy", ranked=5, missed=0, unjudged=0, highest=2, k=5),
    "2": Level("usual", ranked=6, missed=1, unjudged=0, highest=3, k=5),
    "3": Level("tricky", ranked=7, missed=2, unjudged=1, highest=3, k=5, gains=_BOTH),
}
"""The levels, by their names in links."""


class Draw:
    """Random choices made only with ``random()``, whose sequence Python promises to keep."""

    def __init__(self, seed: str) -> None:
        self._random = random.Random()
        self._random.seed(seed, version=2)

    def below(self, number: int) -> int:
        """Return a whole number from 0 to ``number`` − 1."""
        return int(self._random.random() * number)

    def one(self, options: Sequence[T]) -> T:
        """Return one of the options."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in random order."""
        rest = list(items)
        return [rest.pop(self.below(len(rest))) for _ in items]

    def ranking(self, level: Level, query: str = "exercise") -> HandRanking:
        """Return a ranking of documents A, B, … with grades from 0, the likeliest, upwards."""
        size = level.ranked + level.missed
        names = self.shuffled([chr(ord("A") + number) for number in range(size)])
        grades = [max(0, self.below(level.highest + 2) - 1) for _ in names]
        entries = [Entry(name, float(grade)) for name, grade in zip(names, grades, strict=True)]
        for place in self.shuffled(range(level.ranked))[: level.unjudged]:
            entries[place] = Entry(entries[place].document, None)
        return HandRanking(query, tuple(entries[: level.ranked]), tuple(entries[level.ranked :]))
