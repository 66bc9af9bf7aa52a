"""What is to be filled in, and what is said to an answer."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...exploring.printed_numbers import unit, verdict
from ...writing.table import shown, whole

TOLERANCE = 0.001
"""An answer this near is right: three decimals are enough."""
_CLOSE = 0.006


@dataclass(frozen=True)
class Reply:
    """Whether an answer is right, and what is said to it."""

    right: bool
    said: str


@dataclass(frozen=True)
class Number:
    """A number to find.

    Attributes
    ----------
    label
        What it is called, such as ``a`` or ``P@3``.
    answer
        The right number.
    mistakes
        What known mistakes come to, by the words for the mistake: they go on after “what comes
        out”. Those that cannot be told from the answer are left out.
    highest
        What it cannot be above.

    Examples
    --------
    >>> blank = Number("RR", 0.25, {"when the reciprocal is forgotten": 4.0})
    >>> blank.check("1/4").right
    True
    >>> blank.check("4").said
    '4 is what comes out when the reciprocal is forgotten.'
    """

    label: str
    answer: float
    mistakes: Mapping[str, float]
    highest: float = math.inf

    def __post_init__(self) -> None:
        told = {
            words: value
            for words, value in self.mistakes.items()
            if math.isfinite(value) and not _same(value, self.answer)
        }
        object.__setattr__(self, "mistakes", told)

    def check(self, text: str) -> Reply:
        """What is said to an answer.

        Raises
        ------
        RankscopeError
            When the text is no number.
        """
        printed = text.strip()
        given, last = unit(printed)
        if _same(given, self.answer):
            return Reply(True, f"Right: {self.key}.")
        causes = [words for words, value in self.mistakes.items() if _same(given, value)]
        if causes:
            return Reply(False, f"{printed} is what comes out {', or '.join(causes)}.")
        if given > self.highest:
            return Reply(False, f"{printed} cannot be: this is never above {self.highest:g}.")
        if last < 1 and verdict(printed, self.answer) == "agrees":
            return Reply(False, f"{printed} is right as far as it goes; give three decimals.")
        if abs(given - self.answer) < _CLOSE:
            return Reply(False, f"{printed} is close, but further off than rounding.")
        way = "higher" if self.answer > given else "lower"
        return Reply(False, f"Not {printed}: it is {way}. No mistake known here gives {printed}.")

    @property
    def key(self) -> str:
        """The right answer, for the key."""
        return shown(whole(self.answer))


@dataclass(frozen=True)
class Choice:
    """One of several options to choose.

    Attributes
    ----------
    replies
        What is said to each option.
    right
        The options that are right: equally good ones all are.
    """

    label: str
    replies: Mapping[str, str]
    right: frozenset[str]

    def check(self, option: str) -> Reply:
        """What is said to an option."""
        return Reply(option in self.right, self.replies[option])

    @property
    def key(self) -> str:
        """The right options, for the key."""
        return " or ".join(option for option in self.replies if option in self.right)


Blank = Number | Choice


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= TOLERANCE * (1 + 1e-9)
