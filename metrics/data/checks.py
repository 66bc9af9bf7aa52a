"""Checks of runs and qrels, before anything is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Sized
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..errors import DataError
from .duplicates import first_repeat

if TYPE_CHECKING:
    from .run_and_qrels import Pairs

LARGEST_GRADE = 1000
"""The gain 2^grade − 1 of a larger grade overflows a double."""


def texts(kind: type[Pairs], ids: Iterable[str]) -> pa.StringArray:
    """Return the ids as a column of UTF-8 text.

    Raises
    ------
    DataError
        When an id is missing or not text.
    """
    try:
        column = pa.array(ids, pa.string())
    except (pa.ArrowInvalid, pa.ArrowTypeError, UnicodeEncodeError) as error:
        raise DataError(
            f"{kind.__name__}: query and document ids must be text ({error}). "
            "Convert them with str() first, so that '01' and '1' stay different."
        ) from error
    if column.null_count:
        raise DataError(f"{kind.__name__}: an id is missing; give every row both ids.")
    return column


def lengths(kind: type[Pairs], query: Sized, document: Sized, value: Sized) -> None:
    """Refuse columns of different lengths."""
    if not len(query) == len(document) == len(value):
        raise DataError(
            f"{kind.__name__}: {len(query)} queries, {len(document)} documents and {len(value)} "
            f"{kind.VALUE}s; the three columns must be equally long."
        )


def values(pairs: Pairs) -> None:
    """Refuse values that are not finite, and grades whose gain would overflow."""
    _refuse(pairs, ~np.isfinite(pairs.value), "Give a finite number")
    if pairs.VALUE == "grade":
        too_large = np.abs(pairs.value) > LARGEST_GRADE
        _refuse(pairs, too_large, f"Grades are at most {LARGEST_GRADE}; use a small scale, 0 to 3")


def duplicates(pairs: Pairs) -> None:
    """Refuse a document that appears twice in a query."""
    row = first_repeat(pairs.query, pairs.document)
    if row is not None:
        name = type(pairs).__name__
        raise DataError(f"{name}: {pairs.at(row)} appears twice; keep one row.")


def _refuse(pairs: Pairs, wrong: NDArray[np.bool_], fix: str) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{type(pairs).__name__}: the {pairs.VALUE} of {pairs.at(row)} is "
            f"{pairs.value[row]:g}. {fix}."
        )
