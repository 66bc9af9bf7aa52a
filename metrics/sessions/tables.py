"""The tables of a saved session: Parquet files in its archive, each with its digest."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..arrays import Ints, numbers
from ..reading.from_tables.parquet import read_columns
from ..reading.problems import File, ReadError

INTEGER, NUMBER, TEXT = pa.int64(), pa.float64(), pa.string()


def put(files: dict[str, bytes], stem: str, columns: Mapping[str, Any]) -> dict[str, str]:
    """Add a table to the files of an archive.

    Returns
    -------
    dict
        What `get` has to know of it: the file's name and digest.
    """
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream, compression="zstd")
    name = f"{len(files)}-{stem}.parquet"
    files[name] = stream.getvalue()
    return {"file": name, "sha256": hashlib.sha256(files[name]).hexdigest()}


def get(
    about: Mapping[str, Any],
    members: dict[str, bytes],
    types: Mapping[str, pa.DataType],
    per_row: int,
    file: File,
) -> list[pa.ChunkedArray]:
    """The columns of a table, which is taken out of the members.

    Parameters
    ----------
    types
        The type of each column; the texts of the last column of texts are kept for each row,
        with ``per_row`` bytes beside them.

    Raises
    ------
    ReadError
        When it is not there, was changed or has other columns, or is too large.
    """
    if (content := members.pop(about["file"], None)) is None:
        raise changed(file, "a table that is missing or listed twice")
    if hashlib.sha256(content).hexdigest() != about["sha256"]:
        raise changed(file, f"a changed {about['file']}")
    kept = [name for name, of in types.items() if of == TEXT or len(types) == 1][-1]
    table = read_columns(content, list(types), kept, per_row, file)
    if not table.num_rows:
        return [pa.chunked_array([], of) for of in types.values()]
    if table.schema.types != list(types.values()) or any(c.null_count for c in table.columns):
        raise changed(file, "columns of other types, or with nothing in a row")
    return list(table.columns)


def integers(column: pa.ChunkedArray) -> Ints:
    """A column of whole numbers."""
    return numbers(column.combine_chunks()) if len(column) else np.zeros(0, np.int64)


def parts(group: Ints, groups: int) -> list[slice]:
    """Where the rows of each group stand.

    Raises
    ------
    ValueError
        When they are not in the order of the groups, or of a group that there is not.

    Examples
    --------
    >>> parts(np.array([0, 2, 2]), 3)
    [slice(0, 1, None), slice(1, 1, None), slice(1, 3, None)]
    """
    if len(group) and not (0 <= group[0] <= group[-1] < groups and (np.diff(group) >= 0).all()):
        raise ValueError("rows out of order")
    ends = np.searchsorted(group, np.arange(groups), "right").tolist()
    return [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]


def text(value: object) -> str:
    """A value that has to be a text.

    Raises
    ------
    TypeError
        When it is none.
    """
    if not isinstance(value, str):
        raise TypeError(f"{type(value).__name__} in the place of a text")
    return value


def changed(file: File, found: str) -> ReadError:
    """The error for a file that is not as it was saved."""
    fix = "The file was changed or damaged after it was saved; take another copy."
    return file.error("E-SESSION", found, "a session as it was saved", fix)
