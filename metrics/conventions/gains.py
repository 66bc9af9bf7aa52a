"""Gains by grade, and discounts by rank: what a document is worth, and how that falls."""

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..errors import RankscopeError

_NUMBER = r"-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?"
_MAP = re.compile(rf"\{{{_NUMBER}:{_NUMBER}(?:,{_NUMBER}:{_NUMBER})*\}}")


def _exponential(grade: Floats) -> Floats:
    # A negative grade has a negative gain, unless the convention sets it to 0 before.
    return np.asarray(np.sign(grade) * (np.exp2(np.abs(grade)) - 1.0))


GAINS: dict[str, Callable[[Floats], Floats]] = {
    "linear": lambda grade: grade,
    "exponential": _exponential,
    "binary": np.sign,
}


def gain_function(text: str) -> Callable[[Floats], Floats]:
    """Return the function that a gain's text names.

    The text is ``linear``, ``exponential``, ``binary``, or a map from grades to gains such as
    ``{1:0.5,2:0.9}``. A grade missing from the map is its own gain, as in trec_eval's ``-m
    ndcg.1=0.5``.

    Raises RankscopeError when the text is none of these, a grade appears twice, or a gain is below
    0.

    Examples
    --------
    >>> gain_function("{1:0.5,2:0.9}")(np.array([0.0, 1.0, 2.0, 3.0])).tolist()
    [0.0, 0.5, 0.9, 3.0]
    """
    return GAINS[text] if text in GAINS else _custom(text)


@cache
def _custom(text: str) -> Callable[[Floats], Floats]:
    if not _MAP.fullmatch(text):
        raise RankscopeError(
            f"Convention: gain cannot be {text!r}; choose one of "
            f"{', '.join(map(repr, GAINS))}, or map grades to gains like {{1:0.5,2:0.9}}."
        )
    pairs = [tuple(map(float, pair.split(":"))) for pair in text[1:-1].split(",")]
    if len({grade for grade, _ in pairs}) < len(pairs):
        raise RankscopeError(f"gain {text}: a grade appears twice; name each once.")
    if not all(0 <= gain < math.inf for _, gain in pairs):
        raise RankscopeError(f"gain {text}: a gain must be a finite number, 0 or more.")

    def gains(grade: Floats) -> Floats:
        result = grade.copy()
        for level, gain in pairs:
            result[grade == level] = gain
        return result

    return gains


@dataclass(frozen=True)
class Discount:
    """A discount by rank.

    Attributes
    ----------
    words
        The divisor in words.
    divisor
        The divisor of each rank, from 1.
    latex
        The divisor in LaTeX, with the slot ``<rank>``.
    """

    words: str
    divisor: Callable[[NDArray[Any]], Floats]
    latex: str


DISCOUNTS = {
    "log2": Discount("log₂(rank + 1)", lambda rank: np.log2(rank + 1.0), r"\log_2(<rank>+1)"),
    "jarvelin": Discount(
        "log₂(rank), none at ranks 1 and 2 (Järvelin & Kekäläinen 2002, b = 2)",
        lambda rank: np.maximum(1.0, np.log2(rank)),
        r"\max(1,\log_2 <rank>)",
    ),
    "ln": Discount("ln(rank + 1)", lambda rank: np.log(rank + 1.0), r"\ln(<rank>+1)"),
}
