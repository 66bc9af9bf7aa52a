"""A lesson on one ranking: its texts, what students see and may change, and its link."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from ..errors import RankscopeError
from ..link_text import LinkText
from ..reading.from_json.parse import HALF
from ..words import number

SHOWN = {
    "score": "score",
    "lines": "ledgers",
    "chart": "chart",
    "strip": "other measures",
    "more": "formula, curves, swaps",
    "rules": "convention",
}
"""The parts of a page that students can see, by their name in a link."""
ALLOWED = {
    "editing": "edit the ranking",
    "measure": "change measure and k",
    "convention": "change the convention",
    "data": "change data, run and query",
}
"""What students can do, by its name in a link."""
_NEEDED = {
    "lines": {"score"},
    "strip": {"score", "measure"},
    "chart": {"score", "lines"},
    "more": {"score", "lines"},
    # Whoever changes the convention sees it.
    "convention": {"rules"},
}
"""What must be shown with a part: these numbers can be read from it, or worked out."""

LONGEST = {"title": 80, "prompt": 300, "question": 200}
"""At most this many characters of each text."""
LONGEST_READ = 4000
"""At most this many characters of a link are read as a lesson."""
LONGEST_PREDICTION = 100

TOP, IDEAL, SCORE = "dcg", "ideal", "score"
"""The stages of a reveal, by their name in a link."""

_VERSION = 1
_LINK = LinkText("lesson", _VERSION, LONGEST_READ)


@dataclass(frozen=True)
class Lesson:
    """What students read, see and may do; as it is, a page without a lesson.

    Raises RankscopeError when a text is too long or not on one line, or a name is unknown.

    Attributes
    ----------
    shown, allowed
        Names of `SHOWN` and of `ALLOWED`.
    steps
        Whether students can reveal the score, step by step.
    """

    title: str = ""
    prompt: str = ""
    question: str = ""
    shown: frozenset[str] = frozenset(SHOWN)
    allowed: frozenset[str] = frozenset(ALLOWED)
    steps: bool = False

    def __post_init__(self) -> None:
        for name, longest in LONGEST.items():
            text = getattr(self, name)
            if text != one_line(text) or len(text) > longest or HALF.search(text):
                raise RankscopeError(f"The {name} is one line of at most {longest} characters.")
        for names, known in ((self.shown, SHOWN), (self.allowed, ALLOWED)):
            if unknown := names - known.keys():
                raise RankscopeError(f"A lesson has no part {min(unknown)!r}.")

    @property
    def left_out(self) -> frozenset[str]:
        """The names of all that the teacher did not choose."""
        return frozenset(SHOWN.keys() | ALLOWED.keys()) - self.shown - self.allowed

    @property
    def hidden(self) -> frozenset[str]:
        """The names of all that students do not see and may not do.

        A part that gives a hidden number away is hidden, too.

        Examples
        --------
        >>> sorted(Lesson(shown=frozenset({"score", "chart", "rules"})).hidden)
        ['chart', 'lines', 'more', 'strip']
        """
        hidden = self.left_out
        return hidden | {name for name, needed in _NEEDED.items() if needed & hidden}

    @property
    def written(self) -> bool:
        """Whether the lesson has a text."""
        return bool(self.title or self.prompt or self.question)

    def revealed(self) -> Lesson:
        """Return the lesson with every part shown."""
        return replace(self, shown=frozenset(SHOWN))


def one_line(text: str) -> str:
    """Return a text on one line."""
    return " ".join(text.split())


def hiding(lesson: Lesson, names: Iterable[str]) -> Lesson:
    """Return the lesson without these parts, which may be names of both kinds.

    Examples
    --------
    >>> "editing" in hiding(Lesson(), ["score", "editing"]).allowed
    False
    """
    hidden = frozenset(names)
    if unknown := hidden - SHOWN.keys() - ALLOWED.keys():
        raise RankscopeError(f"A lesson has no part {min(unknown)!r}.")
    return replace(lesson, shown=lesson.shown - hidden, allowed=lesson.allowed - hidden)


def pack(lesson: Lesson) -> str:
    """Return the lesson's texts for a link: letters, digits, ``-``, ``_`` and ``.``.

    What is hidden is not in it: its names are in the link as they are, and anyone can edit them.

    Examples
    --------
    >>> unpack(pack(Lesson("Order", question="Which nDCG@5?"))).question
    'Which nDCG@5?'
    """
    value: dict[str, Any] = {name: getattr(lesson, name) for name in LONGEST}
    value = {name: text for name, text in value.items() if text}
    if lesson.steps:
        value["steps"] = 1
    plain = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return _LINK.wrap(_VERSION, plain.encode())


def unpack(text: str) -> Lesson:
    """Return the texts that `pack` wrote, as a lesson that hides nothing.

    Raises RankscopeError when the link was cut or changed, is not from Rankscope, too long or from
    a newer version. The message says which, and contains no text of the link.
    """
    content = _LINK.unwrap(text)
    try:
        value = json.loads(content.decode())
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise _LINK.damaged() from error
    if not _is_lesson(value):
        raise _LINK.damaged()
    return Lesson(**{name: value.get(name, "") for name in LONGEST}, steps="steps" in value)


def _is_lesson(value: object) -> bool:
    """Return whether the content of a link is texts, and a 1 for the steps."""
    if not isinstance(value, Mapping) or value.keys() - LONGEST.keys() - {"steps"}:
        return False
    texts = all(isinstance(value.get(name, ""), str) for name in LONGEST)
    return texts and value.get("steps", 1) == 1


_NUMBER = re.compile(r"([+−-]?(?:\d+[.,]?\d*|[.,]\d+))( ?%)?", re.ASCII)


def predicted(said: str) -> Decimal | None:
    """Return the number of a prediction; None if it is none.

    Examples
    --------
    >>> predicted("0,9"), predicted("96 %"), predicted("high")
    (Decimal('0.9'), Decimal('0.96'), None)
    """
    if not (found := _NUMBER.fullmatch(said)):
        return None
    value = Decimal(found[1].replace(",", ".").replace("−", "-"))
    return value.scaleb(-2) if found[2] else value


def as_number(said: str) -> str:
    """Return a prediction as scores are written; as it is if it is no number.

    Examples
    --------
    >>> as_number("0,9"), as_number("96.25 %"), as_number("high")
    ('0.90', '0.9625', 'high')
    """
    value = predicted(said)
    return said if value is None else number(float(value), _decimals(value))


def _decimals(value: Decimal) -> int:
    """Return the decimals of a prediction, at least two and at most four."""
    return min(max(-int(value.as_tuple().exponent), 2), 4)


def how_far(said: str, score: float) -> str:
    """Return how far a predicted number is from the score; empty if no number was said.

    The difference has the decimals with which `as_number` writes the prediction.

    Examples
    --------
    >>> how_far("0.9", 0.9602), how_far("96 %", 0.9602), how_far("high", 0.9602)
    ('0.06 too low', 'right, to 2 decimals', '')
    """
    value = predicted(said)
    if value is None or score != score:
        return ""
    decimals = _decimals(value)
    off = round(float(value) - score, decimals)
    if not off:
        return f"right, to {decimals} decimals"
    return f"{number(abs(off), decimals)} too {'high' if off > 0 else 'low'}"
