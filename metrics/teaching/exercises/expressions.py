"""Read an answer: a number in any usual notation, or arithmetic such as ``2/log2(3)``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from ...errors import RankscopeError
from ...exploring.published_numbers import unit
from ...words import number, quote

LONGEST = 200
"""At most this many characters in an answer."""
_DEEPEST = 12
"""At most this many parentheses, functions and powers inside each other."""
_LARGEST = 1e12
_TOKEN = re.compile(
    r"\s*(?:([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)|(log2|log10|log|ln|sqrt)|([-+*/^()%]))"
)
_SIGNS = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", ":": "/"})
_NAMES = {"log₂": "log2", "log_": "log", "lg": "log", "ld": "log2", "√": "sqrt"}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "log2": math.log2,
    "log10": math.log10,
    "log": math.log10,
    "ln": math.log,
    "sqrt": math.sqrt,
}


@dataclass(frozen=True)
class Answer:
    """An answer that was read.

    Attributes
    ----------
    value
        Its value.
    printed
        The number as it was written; for arithmetic, its value.
    short
        Whether it is a decimal number, which can have too few decimals.
    """

    value: float
    printed: str
    short: bool


def read(text: str) -> Answer:
    """Return the number that an answer is.

    Raises
    ------
    RankscopeError
        When the text is not a number, and not arithmetic with numbers, + − * / ^, parentheses,
        log2, ln, log (to base 10) and sqrt.

    Examples
    --------
    >>> [round(read(text).value, 4) for text in ("0,6", "60%", "3/5", "2/log₂ 3", "2^3 − 1")]
    [0.6, 0.6, 0.6, 1.2619, 7.0]
    """
    written = text.strip()
    try:
        value, last = unit(written)
    except RankscopeError:
        value = _Arithmetic(written).value()
        return Answer(value, number(value), False)
    return Answer(value, written, "/" not in written and last < 1)


class _Arithmetic:
    """Reads arithmetic from left to right, one function for each rule of precedence."""

    def __init__(self, text: str) -> None:
        self.text, self.depth, self.place = text, 0, 0
        self.tokens = self._split()

    def _split(self) -> list[str]:
        text = self.text.lower().translate(_SIGNS)
        for written, name in _NAMES.items():
            text = text.replace(written, name)
        tokens, place = [], 0
        while text[place:].strip() and len(self.text) <= LONGEST:
            if not (token := _TOKEN.match(text, place)):
                raise self._refused()
            tokens.append(token[0].strip())
            place = token.end()
        return tokens

    def _refused(self) -> RankscopeError:
        return RankscopeError(
            f"{quote(self.text)} is not a number; write it like 0.795, 3/5, 96% or 2/log2(3)."
        )

    def value(self) -> float:
        """Return the value of the whole text."""
        try:
            value = self._sum()
        except (ArithmeticError, ValueError) as error:
            # Such as a division by 0, or the logarithm of 0.
            raise self._refused() from error
        if self.place < len(self.tokens) or not abs(value) <= _LARGEST:
            raise self._refused()
        return value

    def _next(self, *wanted: str) -> str:
        """Take the next token if it is one of these; else return an empty text."""
        if self.place < len(self.tokens) and self.tokens[self.place] in wanted:
            self.place += 1
            return self.tokens[self.place - 1]
        return ""

    def _sum(self) -> float:
        sign = self._next("-", "+")
        total = -self._product() if sign == "-" else self._product()
        while sign := self._next("+", "-"):
            total += self._product() if sign == "+" else -self._product()
        return total

    def _product(self) -> float:
        total = self._power()
        while sign := self._next("*", "/"):
            total = total * self._power() if sign == "*" else total / self._power()
        return total

    def _power(self) -> float:
        self._deeper()
        base = self._factor()
        if self._next("^"):
            base = math.pow(base, self._power())
        self.depth -= 1
        return base

    def _deeper(self) -> None:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise self._refused()

    def _factor(self) -> float:
        """Return a number, a sum in parentheses, or a function of one of the two."""
        if name := self._next(*_FUNCTIONS):
            self._deeper()
            value = _FUNCTIONS[name](self._factor())
            self.depth -= 1
            return value
        if self._next("("):
            value = self._sum()
            if not self._next(")"):
                raise self._refused()
        else:
            value = self._number()
        return value / 100 if self._next("%") else value

    def _number(self) -> float:
        if self.place == len(self.tokens) or not re.match("[0-9.,]", self.tokens[self.place]):
            raise self._refused()
        self.place += 1
        return float(self.tokens[self.place - 1].replace(",", "."))
