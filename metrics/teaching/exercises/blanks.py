"""Blanks of an exercise: numbers and choices, which check an answer and reply to it."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from ...scoring.expressions import HALF, equals, read
from ...writing.table import as_integer, shown

TOLERANCE = 0.001
"""An answer that is off by at most this is right."""
_CLOSE = 0.006
"""An answer that is off by less than this is called close."""
_ONE_DECIMAL = 0.1
RIGHT, WRONG, SHORT, UNREADABLE = "✓", "✗", "≈", "?"
"""The signs of a reply; an answer that is too short to say is neither right nor wrong."""


@dataclass(frozen=True)
class Reply:
    """The reply to an answer: a sign, a sentence about it, and whether that says what is wrong."""

    sign: str
    text: str
    explains: bool = True

    @property
    def right(self) -> bool:
        """Whether the answer is right."""
        return self.sign == RIGHT


@dataclass(frozen=True)
class Hints:
    """Three hints to one blank, each closer to the answer.

    Attributes
    ----------
    where
        Where to look, as a sentence.
    formula
        The formula, in symbols.
    working
        The formula with the numbers put in: what the answer is.
    verb
        The word between the answer and a working that is no arithmetic.
    """

    where: str
    formula: str
    working: str
    verb: str = ""

    def first(self, count: int) -> tuple[str, ...]:
        """Return the first hints."""
        return (self.where, self.formula, self.working)[:count]


@dataclass(frozen=True)
class Number:
    """A number to fill in.

    Attributes
    ----------
    label
        Its name, such as ``a`` or ``P@3``.
    answer
        The right number.
    mistakes
        The values that common mistakes give, by a description that completes “0.8 is what you
        get …”. A value that equals the answer is left out.
    highest, most
        The highest possible value, and what it is.
    hints
        The hints, the last of which is also why the answer is right.
    digits
        The decimals of the answer as it is printed.

    Examples
    --------
    >>> hints = Hints("The first relevant document.", "RR = 1/rank", "1/4")
    >>> blank = Number("RR", 0.25, {"when the reciprocal is forgotten": 4.0}, hints=hints)
    >>> blank.check("0.25").text
    'Right: 0.2500 = 1/4.'
    >>> blank.check("4").text
    'Too high. 4 is what you get when the reciprocal is forgotten.'
    """

    label: str
    answer: float
    mistakes: Mapping[str, float]
    highest: float = math.inf
    hints: Hints | None = None
    most: str = ""
    digits: int = 4

    def __post_init__(self) -> None:
        distinct = {
            words: value
            for words, value in self.mistakes.items()
            if math.isfinite(value) and not _same(value, self.answer)
        }
        object.__setattr__(self, "mistakes", distinct)

    def check(self, text: str) -> Reply:
        """Return the reply to an answer.

        Raises RankscopeError when the text is not a number.
        """
        answer = read(text)
        value, printed = answer.value, answer.printed
        same, two = _same(value, self.answer), answer.unit < _ONE_DECIMAL
        # A whole number is an answer of its own, such as a mistake gives, not a short one.
        rounds = answer.rounds(self.answer) and answer.unit < min(1, self.answer)
        if same or (rounds and two):
            more = "" if same else f"{printed}; to four decimals "
            return Reply(RIGHT, f"Right: {more}{self.key}{self.because}.")
        near = answer.unit * HALF if two else 0.0
        causes = [words for words, wrong in self.mistakes.items() if _same(value, wrong, near)]
        if rounds and not causes:
            return Reply(SHORT, f"{printed} is right as far as it goes; give two decimals.")
        way = "low" if self.answer > value else "high"
        if causes:
            return Reply(WRONG, f"Too {way}. {printed} is what you get {', or '.join(causes)}.")
        if value > self.highest:
            bound = f"more than {self.most}," if self.most else "the value is at most"
            return Reply(WRONG, f"{printed} is too high: {bound} {self.highest:g}.")
        if abs(value - self.answer) < _CLOSE:
            return Reply(WRONG, f"{printed} is close, but too {way} by more than rounding.")
        return Reply(WRONG, f"{printed} is too {way}.", explains=False)

    @property
    def letter(self) -> str:
        """The letter of a blank that has one, in brackets; else empty."""
        return self.label.split(" ")[0] if self.label.startswith("(") else ""

    @property
    def key(self) -> str:
        """The right answer, as the key prints it."""
        return shown(as_integer(self.answer), self.digits)

    @property
    def because(self) -> str:
        """What follows the right answer: its working, after a sign; empty without hints."""
        of = self.hints
        return f" {of.verb or equals(of.working, self.key)} {of.working}" if of else ""


@dataclass(frozen=True)
class Selection:
    """One of several options to choose.

    Attributes
    ----------
    replies
        The reply to each option.
    right
        The right options; options that are equally good are all right.
    hints
        The hints.
    """

    label: str
    replies: Mapping[str, str]
    right: frozenset[str]
    hints: Hints | None = None
    letter: ClassVar[str] = ""

    def check(self, option: str) -> Reply:
        """Return the reply to an option."""
        return Reply(RIGHT if option in self.right else WRONG, self.replies[option])

    @property
    def key(self) -> str:
        """The right options, as the key prints them."""
        return " or ".join(option for option in self.replies if option in self.right)

    @property
    def because(self) -> str:
        """What follows the right option: its working."""
        return f" ({self.hints.working})" if self.hints else ""


Blank = Number | Selection


def _same(a: float, b: float, near: float = 0.0) -> bool:
    return abs(a - b) <= max(near, TOLERANCE) * (1 + 1e-9)
