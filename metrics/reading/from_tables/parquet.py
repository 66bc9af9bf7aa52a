"""Parquet files: the same columns as a text table, read column by column."""

import math

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ...data import Pairs
from ...words import count, quote
from ..budget import PER_ROW
from ..note_codes import UNUSED_COLUMNS
from ..problems import File
from ..rows import Rows
from ..sources import PARQUET
from .arrow_types import (
    E_TYPE,
    READ_AGAIN,
    check_nested,
    check_type,
    is_coded,
    is_text,
    plain_type,
    readable,
    size_in_full,
    texts_of,
    with_codes,
)
from .cells import Cells, cells_of
from .header import TableColumns, columns_of


def read_parquet(kind: type[Pairs], data: bytes, file: File) -> dict[type[Pairs], Rows]:
    """Return the rows of a Parquet file.

    Raises
    ------
    ReadError
        When it is damaged or too large, a column is missing, nested or of the wrong type, or
        has a null.
    """
    table, columns = _table(kind, data, file)
    cells = Cells(columns, file, "row")
    cells.rows.line = list(range(1, table.num_rows + 1))
    for part, at in columns.place.items():
        name = columns.names[at]
        column = table.column(name).combine_chunks()
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks)
        if part == "rank" and "value" in columns.place and column.null_count:
            # A rank beside a score affects no result.
            column = column.cast(pa.string()).fill_null("")
        if column.null_count:
            row = int(np.argmax(pc.is_null(column).to_numpy(zero_copy_only=False))) + 1
            fix = "Fill in the value or remove the row."
            found, expected = f"a null in the column {quote(name)}, row {row}", "a value"
            raise file.error(E_TYPE, found, expected, fix)
        cells.parts[part] = _texts(column, part, name, cells)
    for part, at in columns.optional.items():
        if (name := columns.names[at]) in table.column_names:
            cells.parts[part] = table.column(name).cast(pa.string()).fill_null("").to_pylist()
        elif part != "tags":
            unused = f"Columns that are not used: {quote(name)} (neither texts nor numbers)."
            cells.rows.note(unused, UNUSED_COLUMNS)
    rows_of = cells_of(kind, cells)
    for rows in rows_of.values():
        rows.column = {}
    return rows_of


def _table(kind: type[Pairs], data: bytes, file: File) -> tuple[pa.Table, TableColumns]:
    """Return the needed columns, after a check of the size that the file declares."""
    if data[-4:] != PARQUET:
        found = "a Parquet file without its end: truncated"
        raise file.error(E_TYPE, found, "a complete one", READ_AGAIN)
    with readable(file):
        source = pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)
        names = list(source.schema_arrow.names)
        for field in source.schema_arrow:
            check_nested(field, file)
        columns = columns_of(kind, names, file, None)
        _check_size(source, PER_ROW, file)
        for part, at in columns.place.items():
            check_type(source.schema_arrow.field(at).type, part, names[at], columns, file)
        needed = [names[at] for at in columns.place.values()]
        for part, at in columns.optional.items():
            of = plain_type(source.schema_arrow.field(at).type)
            numeric = pa.types.is_primitive(of) or pa.types.is_decimal(of)
            if is_text(of) or (numeric and part != "tags"):
                needed.append(names[at])
        whole = read_columns(data, needed, names[columns.place["document"]], PER_ROW, file)
        if whole.num_rows != source.metadata.num_rows:
            raise pa.ArrowInvalid("the number of rows differs from the metadata")
    if not whole.num_rows:
        raise file.error("E-EMPTY", "no data rows", f"rows of a {kind.__name__}", "Fill it.")
    return whole, columns


def read_columns(data: bytes, needed: list[str], kept: str, per_row: int, file: File) -> pa.Table:
    """Read the columns piece by piece: a text that is stored once may appear in every row.

    Parameters
    ----------
    kept
        The column whose texts are kept for each row, with ``per_row`` further bytes.

    Raises
    ------
    ReadError
        When they are larger than the limits allow.
    """
    coded, step = with_codes(pq.read_metadata(pa.BufferReader(data)), needed, file.limits.expanded)
    source = pq.ParquetFile(
        pa.BufferReader(data), read_dictionary=coded, page_checksum_verification=True
    )
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
            raise cells.file.error(E_TYPE, found, "an id", fix)
        cells.rows.note(
            f"The column {quote(name)} has decimal numbers as ids, such as {texts[0]}: kept as "
            "written; ids should be text.",
            "N-NUMBER-ID",
        )
    if part == "value" and is_text(column.type):
        many = count(len(column), "value")
        cells.rows.note(
            f"{many} of {quote(name)} written as text, read as numbers.", "N-TEXT-VALUE"
        )
    return texts
