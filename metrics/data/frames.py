"""Columns of a frame -> query, document and value, whichever library the frame is of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import pyarrow as pa

from ..arrays import pd
from ..errors import DataError
from .column_names import OPTIONAL, SYNONYMS, first_of, is_distance, like_score, normalised

UNREADABLE = (pa.ArrowException, TypeError, ValueError, KeyError, OverflowError)
"""What the libraries raise where Arrow cannot hold a column."""


def is_frame(given: object) -> bool:
    """Return whether this is a table with named columns, as of pandas, polars, pyarrow or DuckDB.

    Examples
    --------
    >>> is_frame(pa.table({"a": [1]})), is_frame({"a": [1]})
    (True, False)
    """
    return hasattr(given, "__arrow_c_stream__") and bool(_names(given))


def columns_of(kind: str, value: str, frame: Any) -> tuple[Any, Any, Any]:
    """Return the columns of the query, the document and the value.

    ``kind`` is ``Run`` or ``Qrels``, for messages; ``value`` is ``score`` or ``grade``. The columns
    may have all names that a file's may have.

    Raises DataError when this is not a frame, a column is missing or appears twice, or ids are not
    text or whole numbers.

    Examples
    --------
    >>> frame = pa.table({"qid": [7], "docno": ["d1"], "label": [2]})
    >>> [column.to_pylist() for column in columns_of("Qrels", "grade", frame)]
    [['7'], ['d1'], [2]]
    """
    if not is_frame(frame):
        raise DataError(
            f"{kind}: this is a {type(frame).__name__}; pass a frame of pandas, polars, pyarrow or "
            f"DuckDB with columns for query, document and {value}."
        )
    names = _names(frame)
    parts = ("query", "document", value)
    wanted = [_name(part, names) for part in parts]
    if ranked := is_ranked(frame) and value == "score":
        wanted[2] = _name("rank", names)
    if missing := [part for part, name in zip(parts, wanted, strict=True) if name is None]:
        known = "; ".join(f"{part}: {', '.join(SYNONYMS[part])}" for part in missing)
        raise DataError(
            f"{kind}: no column of the frame is the {' or the '.join(missing)}; its columns are "
            f"{', '.join(names)}. Rename them; known names are {known}."
        )
    for name in wanted:
        if names.count(str(name)) > 1:
            raise DataError(f"{kind}: the column {name} appears twice in the frame; keep one.")
    query, document, values = (_column(kind, frame, str(name)) for name in wanted)
    if ranked:
        values = _down(query, values)
    elif value == "score" and is_distance(str(wanted[2])):
        values = -values.to_pandas()
    return _ids(kind, str(wanted[0]), query), _ids(kind, str(wanted[1]), document), values


def is_ranked(frame: object) -> bool:
    """Return whether the rows of a frame have ranks and no scores."""
    return _name("rank", _names(frame)) is not None and _name("score", _names(frame)) is None


def _down(query: pa.ChunkedArray, rank: pa.ChunkedArray) -> pd.Series[float]:
    """Return for each row the number of ranks from its own to the last of its query."""
    ranks: pd.Series[float] = rank.to_pandas()
    return ranks.groupby(query.to_pylist()).transform("max") + 1 - ranks


def aspects_of(frame: Any) -> list[str] | None:
    """Return the column of the aspects that grades are for, as text; None where there is none.

    Examples
    --------
    >>> aspects_of(pa.table({"subtopic": [1, 2]})), aspects_of(pa.table({"label": [1]}))
    (['1', '2'], None)
    """
    names = _names(frame)
    at = first_of(OPTIONAL["aspect"], names)
    if at is None:
        return None
    column = _column("Qrels", frame, names[at]).cast(pa.string())
    found: list[str] = column.fill_null("").to_pylist()
    return found


def _names(frame: Any) -> list[str]:
    """The names of a frame's columns; empty where it has none."""
    names = getattr(frame, "column_names", None)
    if names is None:
        names = getattr(frame, "columns", ())
    return [str(name) for name in names] if isinstance(names, Iterable) else []


def _name(part: str, names: Sequence[str]) -> str | None:
    """The column of a part: the one whose name stands first among the known names."""
    found = {normalised(name): name for name in reversed(names)}
    known = next((found[known] for known in SYNONYMS[part] if known in found), None)
    if known is None and part == "score" and (at := like_score(names)) is not None:
        return names[at]
    return known


def _column(kind: str, frame: Any, name: str) -> pa.ChunkedArray:
    try:
        # A frame of pandas may have columns that Arrow cannot hold beside these.
        return pa.table(frame[[name]] if hasattr(frame, "iloc") else frame)[name]
    except UNREADABLE as error:
        raise DataError(
            f"{kind}: the column {name} of the frame cannot be read ({error}). Give it one type, "
            "text or numbers."
        ) from error


def _ids(kind: str, name: str, column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return ids as text, whole numbers by their digits."""
    of = column.type.value_type if pa.types.is_dictionary(column.type) else column.type
    if pa.types.is_integer(of):
        return column.cast(of).cast(pa.string())
    if pa.types.is_floating(of):
        raise DataError(
            f"{kind}: the column {name} has decimal numbers as ids; convert it to text, so that "
            "7 and 7.0 stay the same. pandas makes whole numbers so where an id is missing."
        )
    return column
