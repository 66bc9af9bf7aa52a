"""The types of Arrow columns: which can be ids or numbers, and how they become text and doubles."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...arrays import Floats, numbers
from ...data.column_names import SYNONYMS, normalised
from ...words import quote
from ..problems import File, ReadError
from ..rows import NUMBER, is_tiny
from .header import TableColumns

if TYPE_CHECKING:
    from pyarrow.parquet import FileMetaData

E_TYPE = "E-PARQUET"
"""The code of a column whose type cannot be read."""
READ_AGAIN = "The file was cut off or damaged; copy or write it again."
UNREADABLE = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)
"""The exceptions of pyarrow for bytes that are not a whole Parquet file."""
ROWS = 1 << 16
"""Rows decoded at a time."""
_DIFFERENCES = re.compile("DELTA_.*BYTE_ARRAY")
_KNOWN = {synonym for every in SYNONYMS.values() for synonym in every}


@contextmanager
def readable(file: File) -> Iterator[None]:
    """Report what Arrow finds damaged as an error of the file.

    Raises
    ------
    ReadError
        When the block raises what Arrow does for a damaged file.
    """
    try:
        yield
    except ReadError:
        raise
    except UNREADABLE as error:
        found = f"a corrupt Parquet file ({quote(str(error))})"
        raise file.error(E_TYPE, found, "a complete one", READ_AGAIN) from error


def with_codes(meta: FileMetaData, names: Collection[str], most: int) -> tuple[list[str], int]:
    """Return which columns can be read as codes of a dictionary, and how many rows at a time.

    Texts that are stored as differences have no codes: each is in full in its row, however often
    the file repeats it. ``most``: about how many bytes such texts of one step may take.
    """
    groups = map(meta.row_group, range(meta.num_row_groups))
    chunks = [group.column(at) for group in groups for at in range(meta.num_columns)]
    sizes = {
        (chunk.path_in_schema, chunk.total_uncompressed_size)
        for chunk in chunks
        if chunk.path_in_schema in names and any(map(_DIFFERENCES.match, chunk.encodings))
    }
    largest = max((size for _, size in sizes), default=1)
    in_full = {name for name, _ in sizes}
    return [name for name in names if name not in in_full], max(1, min(ROWS, most // largest))


def is_text(of: pa.DataType) -> bool:
    """Return whether a column of this type has texts."""
    return bool(
        pa.types.is_string(of) or pa.types.is_large_string(of) or pa.types.is_string_view(of)
    )


def is_coded(column: pa.Array) -> bool:
    """Return whether a column has codes of a dictionary."""
    return bool(pa.types.is_dictionary(column.type))


def plain_type(of: pa.DataType) -> pa.DataType:
    """Return the type of a column's values, which may be coded by a dictionary."""
    return of.value_type if pa.types.is_dictionary(of) else of


def size_in_full(column: pa.Array) -> int:
    """Return the bytes of a column, each text of a dictionary as often as it is used.

    Examples
    --------
    >>> size_in_full(pa.array(["abc", "abc"]).dictionary_encode())
    6
    """
    if not is_coded(column):
        return int(column.nbytes)
    if not is_text(column.type.value_type):
        return len(column) * 8
    return int(pc.sum(pc.binary_length(column.dictionary).take(column.indices)).as_py() or 0)


def check_nested(field: pa.Field, file: File) -> None:
    """Refuse a known column that contains lists.

    Raises
    ------
    ReadError
        With the column and its type.
    """
    if pa.types.is_nested(field.type) and normalised(field.name) in _KNOWN:
        fix = "Write one row per document."
        found = f"the column {quote(field.name)} of type {field.type}"
        raise file.error(E_TYPE, found, "texts", fix)


def check_type(of: pa.DataType, part: str, name: str, columns: TableColumns, file: File) -> None:
    """Refuse a column whose type is not text or numbers.

    Raises
    ------
    ReadError
        With the column, its type and the type that is needed.
    """
    known = [is_text, pa.types.is_integer, pa.types.is_floating]
    if part == "value":
        known += [pa.types.is_decimal, *([pa.types.is_boolean] if columns.takes_booleans else [])]
    if not any(is_of(plain_type(of)) for is_of in known):
        wanted = "numbers" if part in ("value", "rank") else "text"
        fix = f"Write the column {normalised(name)} as {wanted}."
        raise file.error(E_TYPE, f"the column {quote(name)} of type {of}", wanted, fix)


def texts_of(column: pa.Array) -> pa.StringArray:
    """Return ids as text: whole numbers by their digits, decimal ones with all their digits.

    Examples
    --------
    >>> texts_of(pa.array([7, 12])).to_pylist(), texts_of(pa.array([0.5])).to_pylist()
    (['7', '12'], ['0.5'])
    """
    if pa.types.is_floating(column.type):
        values = numbers(column.cast(pa.float64())).tolist()
        return pa.array([repr(value) for value in values], pa.string())
    return column if pa.types.is_string(column.type) else column.cast(pa.string())


def doubles_of(column: pa.Array) -> tuple[Floats, int | None]:
    """Return numbers as doubles, and the first row that has none; None where every row has one.

    A text is a number if the readers of text files take it for one.

    Examples
    --------
    >>> doubles_of(pa.array(["1e3", "nan"]))[1], doubles_of(pa.array([2, 1]))[0].tolist()
    (1, [2.0, 1.0])
    """
    of = column.type
    if pa.types.is_integer(of) or pa.types.is_floating(of):
        filled = column.fill_null(0) if column.null_count else column
        values: Floats = numbers(filled.cast(pa.float64(), safe=False))
        wrong = ~np.isfinite(values)
        if column.null_count:
            wrong |= np.asarray(pc.is_null(column).to_pylist(), bool)
        return values, int(np.argmax(wrong)) if wrong.any() else None
    values = np.zeros(len(column))
    for row, text in enumerate(column.cast(pa.string()).to_pylist()):
        number = float(text) if text and NUMBER.fullmatch(text) else math.nan
        # A number may also be too small for a double.
        if not math.isfinite(number) or (number == 0 and is_tiny(text)):
            return values, row
        values[row] = number
    return values, None
