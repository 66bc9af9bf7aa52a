"""Ids of a stream that are no text: engines may hold any bytes, and Arrow's texts are UTF-8."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from ...words import quote
from ..problems import ReadError
from .arrow_stream import IDS, RunColumns
from .arrow_types import is_text


def in_utf8(batches: Iterable[pa.RecordBatch], columns: RunColumns) -> Iterator[pa.RecordBatch]:
    """Yield the batches; the texts of an engine may be any bytes, and Arrow's are UTF-8.

    Raises
    ------
    ReadError
        With the bytes, and the query of a document.
    """
    for batch in batches:
        for part in IDS:
            ids = batch.column(columns.names[part])
            try:
                ids.validate(full=True)
            except pa.ArrowInvalid as error:
                raise _not_text(part, ids, batch, columns, error) from error
        yield batch


def _not_text(
    part: str, ids: pa.Array, batch: pa.RecordBatch, columns: RunColumns, error: pa.ArrowInvalid
) -> ReadError:
    """Return the refusal of ids that are not text: the first that is not, where it can be shown."""
    fix = "Decode the ids from the encoding that they were written in."
    found = f"ids that are not valid ({quote(str(error))})"
    if is_text(ids.type):
        of = ids.cast(pa.large_binary()).to_pylist()
        row = next((row for row, text in enumerate(of) if text and not _is_utf8(text)), None)
        if row is not None:
            whose = ""
            if part == "document":
                query = batch.column(columns.names["query"])[row].as_py()
                whose = f" of query {quote(str(query))}"
            found = f"the bytes {of[row][:80]!r} as a {part}{whose}"
    return columns.file.error("E-ENCODING", found, "UTF-8 text", fix)


def _is_utf8(text: bytes) -> bool:
    try:
        text.decode()
    except UnicodeDecodeError:
        return False
    return True
