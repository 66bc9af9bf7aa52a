"""Texts of a stream that are not UTF-8: engines may hold any bytes, and Arrow's texts are UTF-8."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from ...words import quote
from ..problems import ReadError
from .arrow_stream import RunColumns
from .arrow_types import is_text


def in_utf8(batches: Iterable[pa.RecordBatch], columns: RunColumns) -> Iterator[pa.RecordBatch]:
    """Yield the batches; the texts of an engine may be any bytes, and Arrow's are UTF-8.

    Raises
    ------
    ReadError
        With the bytes, and the query of the row.
    """
    # The query first, because the refusals of the other columns name it.
    parts = sorted(columns.names, key=lambda part: part != "query")
    for batch in batches:
        for part in parts:
            texts = batch.column(columns.names[part])
            try:
                texts.validate(full=True)
            except pa.ArrowInvalid as error:
                raise _not_text(part, texts, batch, columns, error) from error
        yield batch


def _not_text(
    part: str, texts: pa.Array, batch: pa.RecordBatch, columns: RunColumns, error: pa.ArrowInvalid
) -> ReadError:
    """Return the refusal of a column: the first that is no text, where it can be shown."""
    fix = "Decode the texts from the encoding that they were written in."
    what = {"value": "score"}.get(part, part)
    found = f"a column of {what} that is not valid ({quote(str(error))})"
    if is_text(texts.type):
        of = texts.cast(pa.large_binary()).to_pylist()
        # What is not UTF-8 is lost on the way to a text and back.
        again = (text and text.decode(errors="ignore").encode() for text in of)
        changed = (row for row, text in enumerate(again) if text != of[row])
        row = next(changed, None)
        if row is not None:
            whose = ""
            if part != "query":
                query = batch.column(columns.names["query"])[row].as_py()
                whose = f" of query {quote(str(query))}"
            found = f"the bytes {of[row][:80]!r} as a {what}{whose}"
    return columns.file.error("E-ENCODING", found, "UTF-8 text", fix)
