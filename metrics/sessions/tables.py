"""The tables of a saved session: Parquet files in its archive, each with its digest."""

import hashlib
import io
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ..arrays import Ints, numbers
from ..reading.budget import OVERHEAD
from ..reading.from_json.saved_parts import DamagedError, object_at, text_at
from ..reading.from_tables.parquet import read_columns
from ..reading.problems import File
from ..words import quote

INTEGER, NUMBER, TEXT = pa.int64(), pa.float64(), pa.string()
_UNREADABLE = (pa.ArrowException, OSError, UnicodeDecodeError, OverflowError, MemoryError)
"""The exceptions of pyarrow for bytes that are not a whole Parquet file."""


def put(files: dict[str, bytes], stem: str, columns: Mapping[str, Any]) -> dict[str, str]:
    """Add a table to the files of an archive.

    Returns
    -------
    dict
        The description that `Archive.get` reads: the file's name and digest.
    """
    stream = io.BytesIO()
    pq.write_table(pa.table(dict(columns)), stream, compression="zstd")
    name = f"{len(files)}-{stem}.parquet"
    files[name] = stream.getvalue()
    return {"file": name, "sha256": hashlib.sha256(files[name]).hexdigest()}


@dataclass(frozen=True)
class Archive:
    """The files of a session that is opened, each of which is read once."""

    members: dict[str, bytes]
    file: File

    def get(
        self, about: Mapping[str, Any], types: Mapping[str, pa.DataType], per_row: int = OVERHEAD
    ) -> list[pa.ChunkedArray]:
        """Return the columns of a table, and remove its file from the members.

        Parameters
        ----------
        types
            The type of each column; the texts of the last column of texts are kept for each row,
            with ``per_row`` bytes beside them.

        Raises
        ------
        DamagedError
            When the table is missing, was changed, or has other columns or an empty cell.
        ReadError
            When the table is too large.
        """
        name = text_at(about, "file")
        if (content := self.members.pop(name, None)) is None:
            raise DamagedError("a table that is missing or listed twice")
        if hashlib.sha256(content).hexdigest() != text_at(about, "sha256"):
            raise DamagedError(f"{quote(name)}, which was changed")
        kept = [name for name, of in types.items() if of == TEXT or len(types) == 1][-1]
        try:
            schema = pq.read_schema(pa.BufferReader(content))
            if (schema.names, schema.types) != ([*types], [*types.values()]):
                raise DamagedError(f"columns with other names or other types in {quote(name)}")
            table = read_columns(content, [*types], kept, per_row, self.file)
        except _UNREADABLE as error:
            raise DamagedError(f"{quote(name)}, which cannot be read as a table") from error
        if not table.num_rows:
            return [pa.chunked_array([], of) for of in types.values()]
        if any(column.null_count for column in table.columns):
            raise DamagedError(f"a row with an empty cell in {quote(name)}")
        return list(table.columns)

    def rows(
        self, of: Mapping[str, Any], key: str, types: Mapping[str, pa.DataType]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of the table under a key of a description, as `get` reads it."""
        table = self.get(object_at(of, key), types)
        return zip(*(column.to_pylist() for column in table), strict=True)


def columns(
    rows: Iterable[tuple[object, ...]], types: Mapping[str, pa.DataType]
) -> dict[str, pa.Array]:
    """Return rows as columns of these types."""
    of_column = zip(*listed, strict=True) if (listed := [*rows]) else ((),) * len(types)
    return {
        name: pa.array(values, of)
        for (name, of), values in zip(types.items(), of_column, strict=True)
    }


def integers(column: pa.ChunkedArray) -> Ints:
    """Return a column of whole numbers as an array."""
    return numbers(column.combine_chunks()) if len(column) else np.zeros(0, np.int64)


def parts(group: Ints, groups: int) -> list[slice]:
    """Return the rows of each group.

    Raises
    ------
    DamagedError
        When the rows are not in the order of the groups, or of a group that does not exist.

    Examples
    --------
    >>> parts(np.array([0, 2, 2]), 3)
    [slice(0, 1, None), slice(1, 1, None), slice(1, 3, None)]
    """
    if len(group) and not (0 <= group[0] <= group[-1] < groups and (np.diff(group) >= 0).all()):
        raise DamagedError("rows that are not in the order of their groups")
    ends = np.searchsorted(group, np.arange(groups), "right").tolist()
    return [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]
