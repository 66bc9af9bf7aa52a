"""Parquet files: the same columns as a text table, read column by column.

A run, in one file or in a folder of files, is first read part by part; what is odd in it is left to
the careful reader, which names the row.
"""

import io
import math
import re
import sys
import tempfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...data import Pairs, Run
from ...words import count, quote
from ..assemble import of_parts
from ..problems import PER_ROW, UNUSED_COLUMNS, File, ReadError
from ..row_notes import Findings, together
from ..rows import NUMBER, Found
from ..sources import PARQUET
from .arrow_stream import (
    RunColumns,
    ScatteredQueryError,
    is_coded,
    is_text,
    over_queries,
    plain_type,
    run_columns,
    texts_of,
    typed_columns,
)
from .cells import Cells, TableColumns, cells_of

READ_AGAIN = "The file was cut off or damaged; copy or write it again."
UNREADABLE = (pa.ArrowException, OSError, ValueError, OverflowError, MemoryError)
"""The exceptions of pyarrow for bytes that are not a whole Parquet file."""
STEP = 1 << 16
"""Rows decoded at a time."""
_DIFFERENCES = re.compile("DELTA_.*BYTE_ARRAY")


@contextmanager
def readable(file: File) -> Iterator[None]:
    """Report what Arrow finds damaged as an error of the file.

    Raises ReadError when the block raises what Arrow does for a damaged file.
    """
    try:
        yield
    except ReadError:
        raise
    except UNREADABLE as error:
        found = f"a corrupt Parquet file ({quote(str(error))})"
        raise file.error("E-PARQUET", found, "a complete one", READ_AGAIN) from error


def with_codes(meta: pq.FileMetaData, names: Collection[str], most: int) -> tuple[list[str], int]:
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
    return [name for name in names if name not in in_full], max(1, min(STEP, most // largest))


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


def read_parquet(kind: type[Pairs], data: bytes, file: File) -> Found:
    """Return the rows of a Parquet file.

    Raises ReadError when it is damaged or too large, a column is missing, nested or of the wrong
    type, or has a null.
    """
    table, columns = _table(kind, data, file)
    cells = Cells(columns, file, "row")
    cells.rows.line = list(range(1, table.num_rows + 1))
    for part, at in columns.place.items():
        name = columns.names[at]
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks)
        if part in columns.may_be_blank and column.null_count:
            column = column.cast(pa.string()).fill_null("")
        if column.null_count:
            row = int(np.argmax(pc.is_null(column).to_numpy(zero_copy_only=False))) + 1
            fix = "Fill in the value or remove the row."
            found, expected = f"a null in the column {quote(name)}, row {row}", "a value"
            raise file.error("E-PARQUET", found, expected, fix)
        cells.parts[part] = _texts(column, part, name, cells)
    for part, at in columns.optional.items():
        if (name := columns.names[at]) in table.column_names:
            cells.parts[part] = table.column(name).cast(pa.string()).fill_null("").to_pylist()
        elif part != "run":
            unused = f"Columns that are not used: {quote(name)} (neither texts nor numbers)."
            cells.rows.note(unused, UNUSED_COLUMNS)
    rows_of = cells_of(cells)
    for rows in rows_of.values():
        rows.column = {}
    return rows_of


def _table(kind: type[Pairs], data: bytes, file: File) -> tuple[pa.Table, TableColumns]:
    """Return the needed columns, after a check of the size that the file declares."""
    if data[-4:] != PARQUET:
        found = "a Parquet file without its end: truncated"
        raise file.error("E-PARQUET", found, "a complete one", READ_AGAIN)
    with readable(file):
        source = _opened(pa.BufferReader(data))
        names = list(source.schema_arrow.names)
        columns = typed_columns(kind, source.schema_arrow, file)
        _check_size(source, PER_ROW, file)
        needed = [names[at] for at in columns.place.values()]
        for part, at in columns.optional.items():
            of = plain_type(source.schema_arrow.field(at).type)
            numeric = pa.types.is_primitive(of) or pa.types.is_decimal(of)
            if is_text(of) or (numeric and part != "run"):
                needed.append(names[at])
        whole = read_columns(data, needed, names[columns.place["document"]], PER_ROW, file)
        if whole.num_rows != source.metadata.num_rows:
            raise pa.ArrowInvalid("the number of rows differs from the metadata")
    if not whole.num_rows:
        raise file.error("E-EMPTY", "no data rows", f"rows of a {kind.__name__}", "Fill it.")
    return whole, columns


def read_columns(data: bytes, needed: list[str], kept: str, per_row: int, file: File) -> pa.Table:
    """Read the columns piece by piece: a text that is stored once may appear in every row.

    The texts of the column ``kept`` are kept for each row, with ``per_row`` further bytes.

    Raises ReadError when they are larger than the limits allow.
    """
    meta = _opened(pa.BufferReader(data)).metadata
    coded, step = with_codes(meta, needed, file.limits.expanded)
    source = _opened(pa.BufferReader(data), read_dictionary=coded, metadata=meta)
    _check_size(source, per_row, file)
    pieces, held = [], 0
    for batch in source.iter_batches(step, columns=needed, use_threads=False):
        batch.validate(full=True)
        file.budget.unpacked += sum(map(size_in_full, batch.columns))
        file.require_expansion(file.budget.unpacked)
        texts = batch.column(kept)
        # The texts of numbers may be shorter.
        characters = size_in_full(texts) if is_text(plain_type(texts.type)) else 0
        held += per_row * len(batch) + characters
        file.require_room(held)
        plain = [each.dictionary_decode() if is_coded(each) else each for each in batch.columns]
        pieces.append(pa.table(plain, names=batch.schema.names))
    return pa.concat_tables(pieces) if pieces else source.schema_arrow.empty_table()


def _check_size(source: pq.ParquetFile, per_row: int, file: File) -> None:
    """Refuse a file by the size in its metadata, before anything is read."""
    meta = source.metadata
    groups = [meta.row_group(number) for number in range(meta.num_row_groups)]
    rows = max(meta.num_rows, sum(group.num_rows for group in groups))
    if rows > file.limits.rows:
        raise file.too_large(f"{rows:,} rows", "rows")
    file.require_room(rows * per_row)
    file.require_expansion(file.budget.unpacked + sum(group.total_byte_size for group in groups))


def _texts(column: pa.Array, part: str, name: str, cells: Cells) -> list[str]:
    """Return a column as text; numbers with all their digits."""
    texts: list[str] = texts_of(column).to_pylist()
    if pa.types.is_floating(column.type) and part in ("query", "document"):
        if odd := [row for row, each in enumerate(texts, 1) if not math.isfinite(float(each))]:
            found = f"{texts[odd[0] - 1]} in the column {quote(name)}, row {odd[0]}"
            fix = "Fill in the value or remove the row."
            raise cells.file.error("E-PARQUET", found, "an id", fix)
        cells.rows.note(
            f"The column {quote(name)} has decimal numbers as ids, such as {texts[0]}: kept as "
            "written; ids should be text.",
            "N-NUMBER-ID",
        )
    if part in ("value", "score") and is_text(column.type) and NUMBER.fullmatch(texts[0]):
        many = count(len(column), "value")
        cells.rows.note(
            f"{many} of {quote(name)} written as text, read as numbers.", "N-TEXT-VALUE"
        )
    return texts


MEMORY = "1GB"
"""What DuckDB may take before it spills to disk."""
_BUFFER = 1 << 20
"""Bytes of a column read at a time, so that one large row group takes no more memory."""
_HARMLESS = 1 << 26
"""Up to so many bytes a batch may grow when one text is stored once for many rows."""

Source = str | Path | BinaryIO


@dataclass(frozen=True, eq=False)
class ParquetRun:
    """A run in one or more Parquet files with the same columns.

    Attributes
    ----------
    sources
        The files, in the order of their rows.
    file
        The name for messages, and the limits.
    """

    sources: Sequence[Source]
    file: File

    @cached_property
    def rows(self) -> int:
        """The number of rows that the files declare."""
        with readable(self.file):
            return sum(_opened(source).metadata.num_rows for source in self.sources)

    @property
    def may_be_careful(self) -> bool:
        """Whether the careful reader takes the file, and says in which row a problem is."""
        return len(self.sources) == 1 and self.rows <= self.file.limits.rows

    @cached_property
    def columns(self) -> RunColumns:
        """The columns that are read.

        Raises ReadError when a file is damaged, a needed column is missing or has a type that
        cannot be used, or a file has other columns than the first.
        """
        with readable(self.file):
            first, *others = (_opened(source).schema_arrow for source in self.sources)
        found = run_columns(first, self.file)
        for other in others:
            if other.names != first.names:
                expected = f"the columns of the first file: {quote(', '.join(first.names))}"
                fix = "Put runs with different columns in folders of their own."
                raise self.file.error("E-HEADER", quote(", ".join(other.names)), expected, fix)
            run_columns(other, self.file)
        return found

    def batches(self) -> Iterator[pa.RecordBatch]:
        """Yield the rows of all files, of the columns that are read.

        Raises ReadError when a file is damaged, or expands to more than the limits allow.
        """
        wanted = list(self.columns.names.values())
        return chain.from_iterable(self._batches(source, wanted) for source in self.sources)

    def _batches(self, source: Source, wanted: list[str]) -> Iterator[pa.RecordBatch]:
        with readable(self.file):
            names = self.columns.names
            coded = [names[part] for part in ("query", "tag") if part in names]
            coded, _ = with_codes(_opened(source).metadata, coded, _HARMLESS)
            read = _opened(source, read_dictionary=coded, buffer_size=_BUFFER)
            groups = map(read.metadata.row_group, range(read.metadata.num_row_groups))
            largest = max((group.total_byte_size for group in groups), default=0)
            if largest > self.file.limits.expanded:
                found = f"rows that expand to {largest:,} bytes"
                raise self.file.too_large(found, "expanded", "Write smaller row groups.")
            size = 0
            for batch in read.iter_batches(STEP, columns=wanted, use_threads=False):
                batch.validate(full=True)
                size += len(batch)
                yield batch
            if size != read.metadata.num_rows:
                raise pa.ArrowInvalid("the number of rows differs from the metadata")

    def require_short_texts(self) -> None:
        """Refuse a text that is stored once, is in many rows, and is longer than any id.

        Decoded, it would take the memory of others who use the same server.

        Raises ReadError with the column and the length of the text.
        """
        with readable(self.file):
            for source in self.sources:
                for name in self.columns.names.values():
                    self._check_texts(source, name)

    def _check_texts(self, source: Source, name: str) -> None:
        coded, step = with_codes(_opened(source).metadata, [name], _HARMLESS)
        read = _opened(source, read_dictionary=coded)
        at = read.schema_arrow.get_field_index(name)
        if not is_text(plain_type(read.schema_arrow.field(at).type)):
            return
        for number in range(read.num_row_groups):
            group = read.metadata.row_group(number)
            if min(group.num_rows, STEP) * group.column(at).total_uncompressed_size <= _HARMLESS:
                continue
            pieces = read.iter_batches(1 if coded else step, row_groups=[number], columns=[name])
            texts = [next(pieces).column(0).dictionary] if coded else (p.column(0) for p in pieces)
            longest = max(pc.max(pc.binary_length(each)).as_py() or 0 for each in texts)
            if longest > 4 * self.file.limits.id:
                expected = self.file.at_most("id")
                fix = "Use shorter ids; check that the columns are separated."
                found = f"a text of {longest:,} bytes in the column {quote(name)}"
                raise self.file.error("E-SIZE", found, expected, fix)


def _opened(source: Source, **options: Any) -> pq.ParquetFile:
    if not isinstance(source, str | Path):
        source.seek(0)
    # What is read ahead would stay in memory until the end of the file.
    opened = pq.ParquetFile(source, page_checksum_verification=True, pre_buffer=False, **options)
    if "metadata" not in options:
        _require_places(opened.metadata)
    return opened


def _require_places(meta: pq.FileMetaData) -> None:
    """Have Arrow look up where each column's bytes are, and read none of them.

    Damaged places of columns are an exception here, and end the process where Python asks for them.
    """
    looked_up = pq.ParquetFile(_Unread(), metadata=meta, pre_buffer=True)
    try:
        next(looked_up.iter_batches(), None)
    except _UnreadError as error:
        # Arrow keeps it for good, and it would keep the data of all functions that are under way.
        error.__traceback__ = None


class _UnreadError(Exception):
    """Bytes of a file are asked for, because their places are known."""


class _Unread(io.RawIOBase):
    """A file of any size, whose bytes are not read."""

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return sys.maxsize

    def seek(self, place: int, whence: int = 0) -> int:
        return place

    def read(self, size: int = -1) -> bytes:
        raise _UnreadError


def files_of(folder: Path, file: File) -> list[Path]:
    """Return the Parquet files of a folder, in the order of their names.

    Raises ReadError when there is none.
    """
    found = sorted(folder.glob("*.parquet"))
    if not found:
        fix = "Name the folder that has the run's files, or one file."
        raise file.error("E-EMPTY", "a folder without .parquet files", "a run in Parquet", fix)
    return found


def read_quickly(run: ParquetRun, name: str) -> Run | None:
    """Return the rows of a run in Parquet as columns; None when it needs the careful reader.

    Raises ReadError when the rows are wrong and too many for the careful reader, or take more
    memory than the limits allow.
    """
    budget = run.file.budget
    before = budget.unpacked
    try:
        if run.columns.has_grades and run.may_be_careful:
            return None
        pairs, found = _in_memory(run)
    except ReadError as error:
        is_too_large = any(problem.code == "E-SIZE" for problem in error.problems)
        if is_too_large or not run.may_be_careful:
            raise
        pairs = None
    if pairs is None or (run.may_be_careful and not found.is_plain):
        budget.unpacked = before
        return None
    return pairs.renamed(name).noted((*run.columns.table.notes(), *found.notes()))


def _in_memory(run: ParquetRun) -> tuple[Run, Findings]:
    """Return all rows, in any order of the queries."""
    try:
        done = list(over_queries(_counted(run), run.columns, lambda part: part))
    except ScatteredQueryError:
        rows = max(run.rows, 1)
        done = list(over_queries(_counted(run), run.columns, lambda part: part, rows))
    if not done:
        raise run.file.error("E-EMPTY", "no data rows", "rows of a Run", "Fill it.")
    found = together(found for _, _, found in done)
    parts = [part for part, _, _ in done]
    done.clear()
    return of_parts(parts), found


def _counted(run: ParquetRun) -> Iterator[pa.RecordBatch]:
    """Yield the batches while the budget has room for them.

    Raises ReadError when it has none.
    """
    file, held, unpacked = run.file, 0, 0
    if run.rows > file.limits.plain:
        raise file.too_large(f"{run.rows:,} rows", "plain")
    file.require_room(run.rows * PER_ROW)
    run.require_short_texts()
    for batch in run.batches():
        held += PER_ROW * len(batch) + batch.column(run.columns.names["document"]).nbytes
        unpacked += sum(map(size_in_full, batch.columns))
        file.require_room(held)
        file.require_expansion(file.budget.unpacked + unpacked)
        yield batch
    file.budget.unpacked += unpacked


def can_order(run: ParquetRun) -> bool:
    """Return whether DuckDB is installed, and the run is in files that it can read."""
    on_disk = all(isinstance(source, str | Path) for source in run.sources)
    return on_disk and find_spec("duckdb") is not None


def ordered(run: ParquetRun) -> Iterator[pa.RecordBatch]:
    """Yield the rows of a run by query; those of one query stay in the order of the files."""
    # Imported here, because it is an extra.
    import duckdb

    # The names in quotes, as SQL has them.
    names = {part: '"' + name.replace('"', '""') + '"' for part, name in run.columns.names.items()}
    paths = [str(source) for source in run.sources]
    with (
        tempfile.TemporaryDirectory(prefix="rankscope-") as spilled,
        duckdb.connect(config={"memory_limit": MEMORY, "temp_directory": spilled}) as connection,
    ):
        rows = connection.sql(
            f"select {', '.join(names.values())} "
            "from read_parquet(?, filename = true, file_row_number = true) "
            f"order by {names['query']}, filename, file_row_number",
            params=[paths],
        )
        reader: pa.RecordBatchReader = rows.to_arrow_reader(STEP)
        yield from reader
