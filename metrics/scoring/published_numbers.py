"""Compare a value with a number printed in a paper or an article."""

from __future__ import annotations

import re
from fractions import Fraction

from ..arrays import NOISE
from ..errors import RankscopeError

_NUMBER = re.compile(r"[-+−]?(?:[0-9]{1,15}(?:[.,][0-9]{0,30})?|[.,][0-9]{1,30}) ?%?")
_FRACTION = re.compile(r"([0-9]{1,15}) ?/ ?([1-9][0-9]{0,14})")
# The last digit of a fraction, which is exact.
_EXACT = 1e-9
# A value halfway between two printed numbers agrees with both, in spite of its rounding.
HALF = 0.5 + 1e-9


def unit(printed: str) -> tuple[float, float]:
    """Return a printed number and the value of one unit in its last digit.

    A comma is read as a decimal point.

    Raises
    ------
    RankscopeError
        When the text is not a number.

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
    if abs(value - number) <= max(last * HALF, NOISE):
        return "agrees"
    return "last digit" if abs(value - number) < 1.5 * last else "differs"
