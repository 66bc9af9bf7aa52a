"""Checks of runs and qrels, before anything is computed from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import Floats
from ..errors import DataError
from .duplicates import first_repeat

if TYPE_CHECKING:
    from .run_and_qrels import Pairs

LARGEST_GRADE = 1000
"""The gain 2^grade − 1 of a larger grade overflows a double."""


def texts(kind: type[Pairs], ids: Iterable[str]) -> pa.StringArray:
    """Return the ids as a column of UTF-8 text.

    Raises DataError when an id is missing or not text.
    """
    try:
        column = _text(ids)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise DataError(
            f"{kind.__name__}: query and document ids must be text ({error}). "
            "Convert them with str() first, so that '01' and '1' stay different."
        ) from error
    if column.null_count:
        raise DataError(f"{kind.__name__}: an id is missing; give every row both ids.")
    return column


def _text(ids: Any) -> pa.StringArray:
    """Return ids as one array of texts of 32 bits, which the rest of the code works with."""
    if not isinstance(ids, pa.Array | pa.ChunkedArray):
        # A column of polars; a list or another iterable has to hold nothing but texts.
        if not hasattr(ids, "__arrow_c_stream__"):
            return pa.array(ids, pa.string())
        ids = pa.chunked_array(ids)
    of = ids.type.value_type if pa.types.is_dictionary(ids.type) else ids.type
    if not (pa.types.is_string(of) or pa.types.is_large_string(of) or pa.types.is_string_view(of)):
        raise TypeError(f"these are of the type {ids.type}")
    whole = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    return whole.cast(of).cast(pa.string())


def doubles(kind: type[Pairs], values: Any) -> Floats:
    """Return the scores or grades as a column of doubles.

    Raises DataError when one is not a number, or they are not one column.
    """
    try:
        if isinstance(values, pa.Array | pa.ChunkedArray):
            values = values.to_pylist() if values.null_count else values.__array__()
        found = np.array(values if hasattr(values, "__array__") else list(values))
        if np.iscomplexobj(found):
            raise TypeError("these are complex numbers")
        column = found.astype(float)
    except (TypeError, ValueError, OverflowError, pa.ArrowException) as error:
        raise DataError(
            f"{kind.__name__}: a {kind.VALUE} is not a number ({error}). Give one finite number "
            "for each row."
        ) from error
    if column.ndim != 1:
        raise DataError(
            f"{kind.__name__}: the {kind.VALUE}s have the shape {column.shape}; give one number "
            "for each row, as values.ravel() does for a column."
        )
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


def by_query(kind: type[Pairs], values: object) -> None:
    """Refuse what is not a dict of dicts or of lists.

    Raises DataError with the query whose documents are not a dict.
    """
    form = f"{{query: {{document: {kind.VALUE}}}}}"
    if not isinstance(values, Mapping):
        raise DataError(f"{kind.__name__}: this is a {type(values).__name__}; pass {form}.")
    for query, documents in values.items():
        if not isinstance(documents, Mapping | list | tuple):
            raise DataError(
                f"{kind.__name__}: the documents of query {query!r} are a "
                f"{type(documents).__name__}; pass {form}."
            )


def duplicates(pairs: Pairs) -> None:
    """Refuse a document that appears twice in a query."""
    row = first_repeat(pairs.query, pairs.document)
    if row is not None:
        raise DataError(f"{type(pairs).__name__}: {pairs.at(row)} appears twice; keep one row.")


def _refuse(pairs: Pairs, wrong: NDArray[np.bool_], fix: str) -> None:
    if wrong.any():
        row = int(np.argmax(wrong))
        raise DataError(
            f"{type(pairs).__name__}: the {pairs.VALUE} of {pairs.at(row)} is "
            f"{pairs.value[row]:g}. {fix}."
        )
