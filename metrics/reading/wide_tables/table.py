"""A table, records or Parquet whose columns have names, before any is known to be of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from ...data import Note
from ...data.column_names import JUDGES, SYNONYMS, first_of
from ..budget import PER_ROW
from ..decode import decode, line_ends
from ..from_json.parse import HALF, JsonNumber, Members
from ..from_json.picked_records import numbered
from ..from_tables.delimited import Head, below, below_remarks, head_of, records
from ..problems import File, Problem, ReadError
from ..sources import PARQUET
from .names import judge_columns


@dataclass(frozen=True)
class Table:
    """The column names of a table, and its rows in one of three forms.

    Attributes
    ----------
    head, text
        The header of a text table, and the text.
    records
        The numbered records of JSON.
    columns
        The columns of Parquet that have numbers or texts.
    notes
        What was left out of a text.
    """

    names: tuple[str, ...]
    head: Head | None = None
    text: str = ""
    records: Sequence[tuple[int, Members]] = ()
    columns: pa.Table | None = None
    unit: str = "line"
    notes: tuple[Note, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows; of a text that of the lines below the header."""
        if self.columns is not None:
            return int(self.columns.num_rows)
        if self.head is None:
            return len(self.records)
        return line_ends(self.text) - self.head.line + (self.text[-1:] not in ("\r", "\n"))

    def numbered(self) -> Sequence[tuple[int, Members]]:
        """Return the records of JSON, or the rows of Parquet as records."""
        if self.columns is None:
            return self.records
        rows = enumerate(zip(*map(_values, self.columns.columns), strict=True), 1)
        return [(at, Members([*zip(self.names, row, strict=True)])) for at, row in rows]

    def cells(self, places: Sequence[int], file: File) -> Iterator[list[Any]]:
        """Yield some columns of each row, one row at a time.

        Raises
        ------
        ReadError
            When a row of a text is not one of the table.
        """
        names = [self.names[at] for at in places]
        if self.columns is not None:
            for batch in self.columns.select(names).to_batches():
                yield from map(list, zip(*map(_values, batch.columns), strict=True))
            return
        if self.head is None:
            yield from ([record.first(name) for name in names] for _, record in self.records)
            return
        text, problems = below(self.text, self.head.line), list[Problem]()
        width = len(self.names)
        for line, row, _ in records(text, self.head.delimiter, file, problems):
            if not any(cell.strip() for cell in row):
                continue
            if len(row) < width or any(cell.strip() for cell in row[width:]):
                raise file.error("E-FIELDS", f"{len(row)} fields", f"{width}", "", line)
            yield [row[at] for at in places]
        if problems:
            raise ReadError(problems)


def table_of(
    data: bytes, file: File, wanted: Callable[[Sequence[str]], object] = judge_columns
) -> Table | None:
    """Return a table whose columns have names; None for any other file.

    Parameters
    ----------
    wanted
        Whether Parquet with these names is read; else only its names are returned.
    """
    if data.startswith(PARQUET):
        return _of_parquet(data, file, wanted)
    text, notes = file.once("text", lambda: decode(data, file))
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        try:
            rows, unit = numbered(text, file)
        except ReadError:
            # Another form, or a damaged file, which the reader of qrels explains.
            return None
        names = tuple(dict.fromkeys(name for _, record in rows for name in record.names))
        if any(map(HALF.search, names)):
            return None
        return Table(names, records=rows, unit=unit, notes=(*notes,))
    if head := head_of(text):
        return Table(head.names, head, text, notes=(*notes,))
    if found := below_remarks(text):
        head, text, note = found
        return Table(head.names, head, text, notes=(*notes, note))
    return None


def _of_parquet(data: bytes, file: File, wanted: Callable[[Sequence[str]], object]) -> Table | None:
    # Imported here, because it takes a tenth of a second and few files are Parquet.
    import pyarrow.parquet as pq

    from ..from_tables.arrow_types import is_text, plain_type
    from ..from_tables.parquet import read_columns

    try:
        schema = pq.read_schema(pa.BufferReader(data))
        names = tuple(schema.names)
        if first_of(JUDGES, names) is not None or not wanted(names):
            return Table(names)
        simple = (pa.types.is_integer, pa.types.is_floating, is_text)
        kept = [each.name for each in schema if any(is_a(plain_type(each.type)) for is_a in simple)]
        document = names[first_of(SYNONYMS["document"], names) or 0]
        if document not in kept or len(set(names)) < len(names):
            return Table(names)
        table = read_columns(data, kept, document, PER_ROW * len(kept), file)
    except ReadError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        # A damaged file, which the reader of qrels explains.
        return None
    return Table(tuple(kept), columns=table.select(kept), unit="row")


def _values(column: Any) -> list[Any]:
    """Return the values of a column as JSON has them; NaN, pandas' blank, as null."""
    return [
        (None if value != value else JsonNumber(repr(value)))
        if isinstance(value, int | float)
        else value
        for value in column.to_pylist()
    ]
