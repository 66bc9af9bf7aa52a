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


DISCOUNTS = {
    "log2": Discount("log₂(rank + 1)", lambda rank: np.log2(rank + 1.0), r"\log_2(<rank>+1)"),
    "jarvelin": Discount(
        "log₂(rank), none at ranks 1 and 2 (Järvelin & Kekäläinen 2002, b = 2)",
        lambda rank: np.maximum(1.0, np.log2(rank)),
        r"\max(1,\log_2 <rank>)",
    ),
    "ln": Discount("ln(rank + 1)", lambda rank: np.log(rank + 1.0), r"\ln(<rank>+1)"),
}
