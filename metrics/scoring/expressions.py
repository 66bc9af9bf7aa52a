"""Read a number in any usual notation, or arithmetic such as ``2/log2(3)``.

A number printed in a paper or an article is compared by its digits.
"""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from ..arrays import NOISE
from ..errors import RankscopeError
from ..words import number, quote

_NUMBER = re.compile(r"[-+−]?(?:[0-9]{1,15}(?:[.,][0-9]{0,30})?|[.,][0-9]{1,30}) ?%?")
_FRACTION = re.compile(r"([0-9]{1,15}) ?/ ?([1-9][0-9]{0,14})")
# The last digit of a fraction, which is exact.
_EXACT = 1e-9
# A value halfway between two printed numbers agrees with both, in spite of its rounding.
HALF = 0.5 + 1e-9
LONGEST = 200
"""At most this many characters in an answer."""
_DEEPEST = 12
"""At most this many parentheses, functions and powers inside each other."""
_LARGEST = 1e12
_TOKEN = re.compile(
    r"\s*(?:([0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)|(log2|log10|log|ln|sqrt|max1)|([-+*/^()%]))"
)
_SIGNS = str.maketrans({"−": "-", "–": "-", "·": "*", "×": "*", "⋅": "*", "÷": "/", ":": "/"})
_NAMES = {"log₂": "log2", "log_": "log", "lg": "log", "ld": "log2", "√": "sqrt", "max(1,": "max1("}
_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "log2": math.log2,
    "log10": math.log10,
    "log": math.log10,
    "ln": math.log,
    "sqrt": math.sqrt,
    "max1": partial(max, 1.0),
}


def unit(printed: str) -> tuple[float, float]:
    """Return a printed number and the value of one unit in its last digit.

    A comma is read as a decimal point.

    Raises RankscopeError when the text is not a number.

    Examples
    --------
    >>> unit("0.795"), unit("96%")
    ((0.795, 0.001), (0.96, 0.01))
    """
    text = printed.strip()
    if fraction := _FRACTION.fullmatch(text):
        return float(Fraction(*map(int, fraction.groups()))), _EXACT
    if not _NUMBER.fullmatch(text):
        raise RankscopeError(f"{printed!r} is not a number; write it like 0.795, 3/5 or 96%.")
    share = 100.0 if text.endswith("%") else 1.0
    digits = text.rstrip(" %").replace("−", "-").replace(",", ".")
    last = 10.0 ** -len(digits.partition(".")[2])
    return float(digits) / share, last / share


def verdict(printed: str, value: float) -> str:
    """Return how a recomputed value relates to the printed digits.

    ``"agrees"`` if it rounds to them; ``"last digit"`` if it is off by one in the last digit, as
    sums of rounded terms often are; else ``"differs"``.

    Examples
    --------
    >>> [verdict("0.795", value) for value in (0.7954, 0.7962, 0.9434)]
    ['agrees', 'last digit', 'differs']
    """
    number, last = unit(printed)
    if Answer(number, printed, last).rounds(value):
        return "agrees"
    return "last digit" if abs(value - number) < 1.5 * last else "differs"


@dataclass(frozen=True)
class Answer:
    """An answer that was read.

    Attributes
    ----------
    value
        Its value.
    printed
        The number as it was written; for arithmetic, its value.
    unit
        One unit in its last digit; for a fraction and arithmetic, next to nothing.
    """

    value: float
    printed: str
    unit: float

    def rounds(self, value: float) -> bool:
        """Return whether a value rounds to this number, as it was written."""
        return abs(value - self.value) <= max(self.unit * HALF, NOISE)


def read(text: str) -> Answer:
    """Return the number that an answer is.

    Raises RankscopeError when the text is not a number, and not arithmetic with numbers, + − * / ^,
    parentheses, log2, ln, log (to base 10) and sqrt.

    Examples
    --------
    >>> [round(read(text).value, 4) for text in ("0,6", "60%", "3/5", "2/log₂ 3", "2^3 − 1")]
    [0.6, 0.6, 0.6, 1.2619, 7.0]
    """
    written = text.strip()
    try:
        value, last = unit(written)
    except RankscopeError:
        value = _Arithmetic(written[: LONGEST + 1]).value()
        if len(written) > LONGEST or not abs(value) <= _LARGEST:
            raise _refused(written) from None
        return Answer(value, number(value), NOISE)
    return Answer(value, written, last)


def equals(working: str, printed: str) -> str:
    """Return the sign between arithmetic and its result, as both are printed: = or ≈.

    Terms that are rounded may add up to another last digit. Terms that are left out, ``…``, are
    whatever is missing.

    Examples
    --------
    >>> equals("2/log₂ 3", "1.2619"), equals("0.3333 + 0.3333", "0.6667"), equals("1 + …", "2")
    ('=', '≈', '=')
    """
    if "…" in working:
        return "="
    number, last = unit(printed)
    # A whole number is as exact as one with four decimals.
    rounds = abs(_Arithmetic(working).value() - number) <= min(last, 1e-4) * HALF
    return "=" if rounds else "≈"


def _refused(text: str) -> RankscopeError:
    return RankscopeError(
        f"{quote(text)} is not a number; write it like 0.795, 3/5, 96% or 2/log2(3)."
    )


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
        while text[place:].strip():
            if not (token := _TOKEN.match(text, place)):
                raise _refused(self.text)
            tokens.append(token[0].strip())
            place = token.end()
        return tokens

    def value(self) -> float:
        """Return the value of the whole text."""
        try:
            value = self._sum()
        except (ArithmeticError, ValueError) as error:
            # Such as a division by 0, or the logarithm of 0.
            raise _refused(self.text) from error
        if self.place < len(self.tokens):
            raise _refused(self.text)
        return value

    def _next(self, *wanted: str) -> str:
        """Take the next token if it is one of these; else return an empty text."""
        if self.place < len(self.tokens) and self.tokens[self.place] in wanted:
            self.place += 1
            return self.tokens[self.place - 1]
        return ""

    def _sum(self) -> float:
        total = self._signed()
        while sign := self._next("+", "-"):
            total += self._signed() if sign == "+" else -self._signed()
        return total

    def _signed(self) -> float:
        return -self._product() if self._next("-", "+") == "-" else self._product()

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
            raise _refused(self.text)

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
                raise _refused(self.text)
        else:
            value = self._number()
        return value / 100 if self._next("%") else value

    def _number(self) -> float:
        if self.place == len(self.tokens) or not re.match("[0-9.,]", self.tokens[self.place]):
            raise _refused(self.text)
        self.place += 1
        return float(self.tokens[self.place - 1].replace(",", "."))
