"""Discounts: the divisor of a gain, larger at lower ranks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats


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


def _log2(rank: NDArray[Any]) -> Floats:
    return np.asarray(np.log2(rank + 1.0))


def _two_in_full(rank: NDArray[Any]) -> Floats:
    return np.asarray(np.maximum(1.0, np.log2(rank)))


def _natural(rank: NDArray[Any]) -> Floats:
    return np.asarray(np.log(rank + 1.0))


DISCOUNTS = {
    "log2": Discount("log₂(rank + 1)", _log2, r"\log_2(<rank>+1)"),
    "jarvelin": Discount(
        "log₂(rank), none at ranks 1 and 2 (Järvelin & Kekäläinen 2002, b = 2)",
        _two_in_full,
        r"\max(1,\log_2 <rank>)",
    ),
    "ln": Discount("ln(rank + 1)", _natural, r"\ln(<rank>+1)"),
}
