"""The tally of answered exercises, short enough for a link."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count

from ...errors import RankscopeError
from .draw import LEVELS

MOST = 200
"""At most this many exercises are kept; the oldest are dropped first."""
RIGHT, TRIED, SHOWN = "", "x", "s"
"""The marks of an exercise: right at first try, not at first try, solution shown before that."""
_ENTRY = re.compile(rf"([1-9][0-9]{{0,6}})([{TRIED}{SHOWN}]?)")

Key = tuple[str, str, int]
"""The kind, level and number of an exercise."""


@dataclass(frozen=True)
class Tally:
    """The exercises that were tried, with their marks, oldest first."""

    marks: Mapping[Key, str] = field(default_factory=dict)

    @classmethod
    def read(cls, text: str, kinds: Mapping[str, object]) -> Tally:
        """Return the tally in a link.

        Raises RankscopeError when the text is not a tally of these kinds.

        Examples
        --------
        >>> Tally.read("table1.3.4x~sets2.5", {"table": "", "sets": ""}).counted()
        {('table', '1'): (1, 2), ('sets', '2'): (1, 1)}
        """
        marks: dict[Key, str] = {}
        for group in text.split("~") if text else []:
            name, *entries = group.split(".")
            kind, level = name[:-1], name[-1:]
            read = [_ENTRY.fullmatch(entry) for entry in entries]
            if kind not in kinds or level not in LEVELS or not entries or not all(read):
                raise RankscopeError("Expected a tally as Practice writes it.")
            marks |= {(kind, level, int(entry[1])): entry[2] for entry in read if entry}
        return cls(dict(list(marks.items())[-MOST:]))

    def __str__(self) -> str:
        """Return the text for a link; exercises in a row of the same kind and level share a name.

        Examples
        --------
        >>> print(Tally({("table", "1", 3): RIGHT, ("table", "1", 4): TRIED}))
        table1.3.4x
        """
        groups: list[str] = []
        last = ""
        for (kind, level, number), mark in self.marks.items():
            name = f"{kind}{level}"
            if name != last:
                groups.append(name)
            groups[-1] += f".{number}{mark}"
            last = name
        return "~".join(groups)

    def then(self, key: Key, right: bool, shown: bool) -> Tally:
        """Return the tally after an answer, or after the solution was shown.

        The first mark stays.

        Examples
        --------
        >>> tally = Tally().then(("sets", "1", 7), right=False, shown=False)
        >>> print(tally, tally.then(("sets", "1", 7), right=True, shown=False))
        sets1.7x sets1.7x
        """
        if key in self.marks:
            return self
        mark = RIGHT if right else SHOWN if shown else TRIED
        return Tally(dict(list({**self.marks, key: mark}.items())[-MOST:]))

    def counted(self) -> dict[tuple[str, str], tuple[int, int]]:
        """Return how many exercises are right and how many were tried, by kind and level."""
        counts: dict[tuple[str, str], tuple[int, int]] = {}
        for (kind, level, _), mark in self.marks.items():
            right, tried = counts.get((kind, level), (0, 0))
            counts[kind, level] = right + (mark == RIGHT), tried + 1
        return counts

    def untried(self, kind: str, level: str) -> int:
        """Return the number of the first exercise of a kind and level that was not tried.

        Examples
        --------
        >>> Tally({("table", "1", 1): RIGHT, ("table", "1", 3): TRIED}).untried("table", "1")
        2
        """
        return next(number for number in count(1) if (kind, level, number) not in self.marks)
