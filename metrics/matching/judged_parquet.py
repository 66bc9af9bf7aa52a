"""The bytes of a file of judged rankings: Parquet, with its description and a digest of both."""

import hashlib
import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq

from ..reading.from_tables.parquet import UNREADABLE, read_columns
from ..reading.problems import PER_ROW, File, ReadError
from ..reading.sources import PARQUET
from ..words import quote
from .judged_table import SCHEMA, damaged, digest

_ABOUT, _DIGEST = b"rankscope.judged", b"rankscope.sha256"
_LEAST = 12
"""The bytes of the smallest Parquet file: its mark twice, and the length of its metadata."""


def packed(table: pa.Table, described: bytes) -> bytes:
    """Return a file with these rows and this description."""
    stream = io.BytesIO()
    with pq.ParquetWriter(
        stream,
        SCHEMA,
        compression="zstd",
        # A dictionary holds equal numbers once; a grade keeps its bits without one.
        use_dictionary=["kind", "query", "document"],
        write_page_checksum=True,
        store_schema=False,
    ) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({_ABOUT: described, _DIGEST: _digest(table, described)})
    return stream.getvalue()


def says_judged(stream: BinaryIO) -> bool:
    """Return whether a Parquet file has a description of judged rankings."""
    try:
        return _ABOUT in (pq.read_metadata(stream).metadata or {})
    except UNREADABLE:
        return False


def description_of(data: bytes, file: File) -> bytes:
    """Return the description in a file.

    Raises ReadError when it is not a whole Parquet file, or one of other data.
    """
    if not data.startswith(PARQUET):
        raise _another("a file in another format", file)
    if data[-len(PARQUET) :] != PARQUET or len(data) < _LEAST:
        raise damaged("a Parquet file without its end: truncated", file)
    with _readable(file):
        metadata: dict[bytes, bytes] = _opened(data).metadata.metadata or {}
    if _ABOUT not in metadata:
        raise _another("a Parquet file of other data", file)
    return metadata[_ABOUT]


def rows_of(data: bytes, described: bytes, file: File) -> pa.Table:
    """Return the rows of a file.

    Raises ReadError when the columns are others, the file is too large, or the digest does not
    match.
    """
    with _readable(file):
        opened = _opened(data)
        schema, metadata = opened.schema_arrow, opened.metadata
        if (schema.names, schema.types) != (SCHEMA.names, SCHEMA.types):
            raise damaged("columns with other names or other types", file)
        table = read_columns(data, SCHEMA.names, "document", PER_ROW, file)
        if table.num_rows != metadata.num_rows:
            raise damaged("another number of rows than it says", file)
        if _digest(table, described) != metadata.metadata.get(_DIGEST):
            raise damaged("content that does not match its digest", file)
    return table


def _opened(data: bytes) -> pq.ParquetFile:
    return pq.ParquetFile(pa.BufferReader(data), page_checksum_verification=True)


@contextmanager
def _readable(file: File) -> Iterator[None]:
    """Raise pyarrow's errors as ours."""
    try:
        yield
    except UNREADABLE as error:
        raise damaged(f"a corrupt Parquet file ({quote(str(error))})", file) from error


def _another(found: str, file: File) -> ReadError:
    fix = "Match a run with: rankscope match QRELS RUN -o FILE."
    return file.error("E-JUDGED", found, "a file of judged rankings", fix)


def _digest(table: pa.Table, described: bytes) -> bytes:
    """Return the digest of the description and of all rows, in hexadecimal digits."""
    return hashlib.sha256(described + digest(table)).hexdigest().encode()
