"""A run from a stream of Arrow batches: whole queries, checked, a few hundred thousand rows a time.

The rows of a query have to stand together, except in a stream so short that it is read as one part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...arrays import Floats, Ints, bincount, numbers, repeat, take
from ...data import Pairs, Qrels, Run
from ...data.column_names import SYNONYMS, normalised, tag_of
from ...words import quote
from ..assemble import first_fault
from ..problems import File, ReadError
from ..row_notes import Findings, findings_of
from ..rows import NUMBER, Rows, faults, is_tiny
from ..workers import in_order
from .cells import TableColumns, columns_of

_LISTS = "Write one row per document, or the table as JSON Lines, whose lists are read."
_KNOWN = {synonym for every in SYNONYMS.values() for synonym in every}


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


def _is_nested(field: pa.Field) -> bool:
    return bool(pa.types.is_nested(field.type))


def typed_columns(kind: type[Pairs], schema: pa.Schema, file: File) -> TableColumns:
    """Return the columns of each part of a row, by their names.

    Raises ReadError as `columns_of` does, for a known column that contains lists, and for one whose
    type is not the text or the numbers that are needed.
    """
    parts = {name: part for part, name in file.told.columns.items()}
    names = [parts.get(name, name) for name in schema.names]
    flat = {normalised(name) for name, of in zip(names, schema, strict=True) if not _is_nested(of)}
    for each in filter(_is_nested, schema):
        if normalised(each.name) in _KNOWN or not flat & {*SYNONYMS["document"]}:
            found = f"the column {quote(each.name)} of type {each.type}"
            expected = "a text or a number in each cell"
            raise file.error("E-PARQUET", found, expected, _LISTS)
    columns = columns_of(kind, names, file, None)
    columns = replace(columns, names=tuple(schema.names))
    for part, at in columns.place.items():
        name, of = schema.names[at], schema.field(at).type
        known = [is_text, pa.types.is_integer, pa.types.is_floating]
        if part in ("value", "score"):
            known.append(pa.types.is_decimal)
            known += [pa.types.is_boolean] if columns.takes_booleans else []
        if not any(is_of(plain_type(of)) for is_of in known):
            wanted = "numbers" if part in ("value", "score", "rank") else "text"
            fix = f"Write the column {normalised(name)} as {wanted}."
            raise file.error("E-PARQUET", f"the column {quote(name)} of type {of}", wanted, fix)
    return columns


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


T = TypeVar("T")

ROWS = 1 << 17
"""About this many rows are one part: few enough for little memory, enough to hide the overhead."""
_IDS = ("query", "document")


class ScatteredQueryError(ReadError):
    """A query that comes back after rows of other queries, where rows are read part by part."""


@dataclass(frozen=True)
class RunColumns:
    """The columns of a stream, and the name of the stream for messages.

    Attributes
    ----------
    names
        The column of ``query``, ``document``, ``value``, and ``rank`` and ``tag`` if there are any.
    some
        The codes of what the types of the columns are noted for.
    has_grades
        Whether each row may have a grade beside its score.
    """

    file: File
    table: TableColumns
    names: dict[str, str]
    some: frozenset[str]
    has_grades: bool


@dataclass(frozen=True, eq=False)
class _Batch:
    """A batch with its queries as stretches of rows: ``name[i]`` up to row ``end[i]``."""

    name: list[str]
    end: Ints
    columns: dict[str, pa.Array]
    tags: tuple[str, ...]

    def __len__(self) -> int:
        return int(self.end[-1])

    def rows(self, first: int, last: int) -> _Batch:
        """Return stretches ``first`` to ``last`` − 1."""
        start = int(self.end[first - 1]) if first else 0
        end = self.end[first:last] - start
        columns = {part: of.slice(start, int(end[-1])) for part, of in self.columns.items()}
        return _Batch(self.name[first:last], end, columns, self.tags)


def run_columns(schema: pa.Schema, file: File) -> RunColumns:
    """Return the columns of a run; their names are those that tables may have.

    Raises ReadError when a column is missing, appears twice, or cannot be ids or numbers.
    """
    every = typed_columns(Run, schema, file)
    table = every.of_run()
    if missing := [part for part in ("query", "value") if part not in table.place]:
        wanted = {"query": "query", "value": "score"}[missing[0]]
        expected = f"a {wanted} column ({', '.join(SYNONYMS[wanted])})"
        fix = "A run that is read part by part needs query, document and score."
        raise file.error("E-HEADER", quote(", ".join(schema.names)), expected, fix)
    names = {part: schema.names[at] for part, at in table.place.items()}
    tag = schema.names[tag_of(schema.names) or 0]
    # A name that several columns have is that of no column.
    is_one = tag_of([tag]) is not None and schema.get_field_index(tag) >= 0
    if is_one and is_text(plain_type(schema.field(tag).type)):
        names["tag"] = tag
    types = {part: plain_type(schema.field(name).type) for part, name in names.items()}
    some = {"N-TEXT-VALUE"} if is_text(types["value"]) else set()
    if any(pa.types.is_floating(types[part]) for part in _IDS):
        some.add("N-NUMBER-ID")
    return RunColumns(file, table, names, frozenset(some), Qrels in every.kinds)


def over_queries(
    batches: Iterable[pa.RecordBatch],
    columns: RunColumns,
    work: Callable[[Run], T],
    rows: int | None = None,
) -> Iterator[tuple[T, tuple[str, ...], Findings]]:
    """Yield, part by part, the result of ``work``, the queries, and what was found.

    About ``rows`` rows are one part; `ROWS` by default.

    Raises ReadError for a null, an empty or overlong id, a score that is not finite, a document
    that appears twice in a query, and a `ScatteredQueryError` for a query that comes back.
    """

    def worked(part: tuple[list[_Batch], bool]) -> tuple[T, tuple[str, ...], Findings]:
        run, found = _checked(*part, columns)
        return work(run), run.queries, found

    seen: set[str] = set()
    for done in in_order(
        worked, _whole_queries(map(partial(_read, columns), batches), rows or ROWS)
    ):
        if again := next((query for query in done[1] if query in seen), None):
            raise _scattered(again, columns.file)
        seen.update(done[1])
        yield done


def _read(columns: RunColumns, batch: pa.RecordBatch) -> list[_Batch]:
    """Return a batch in pieces of at most `ROWS` rows, its ids as text."""
    pieces = []
    for start in range(0, len(batch), ROWS):
        piece = batch.slice(start, ROWS)
        parts = {part: piece.column(name) for part, name in columns.names.items()}
        tags = pc.unique(parts.pop("tag")).to_pylist() if "tag" in parts else []
        parts = {
            part: of.dictionary_decode() if is_coded(of) and part != "query" else of
            for part, of in parts.items()
        }
        _refuse_nulls(parts, columns)
        names, ends = _stretches(parts.pop("query"))
        parts["document"] = texts_of(parts["document"])
        pieces.append(_Batch(names, ends, parts, tuple(tag or "" for tag in tags)))
    return pieces


def _stretches(query: pa.Array) -> tuple[list[str], Ints]:
    """Return the queries of neighbouring rows, and where the rows of each end."""
    coded = is_coded(query)
    runs = pc.run_end_encode(query.indices if coded else texts_of(query), run_end_type=pa.int32())
    if not coded:
        return runs.values.to_pylist(), numbers(runs.run_ends).astype(np.int64)
    names = texts_of(query.dictionary.take(runs.values)).to_pylist()
    if any(one == other for one, other in pairwise(names)):
        # A dictionary may have a text twice.
        return _stretches(query.dictionary_decode())
    return names, numbers(runs.run_ends).astype(np.int64)


def _refuse_nulls(parts: dict[str, pa.Array], columns: RunColumns) -> None:
    """Refuse a row without a query, a document or a score.

    Raises ReadError with the ids that the row has.
    """
    for part in (*_IDS, "value"):
        column = parts[part]
        if not _may_miss(column, part):
            continue
        column = column.dictionary_decode() if is_coded(column) else column
        if (row := pc.index(pc.is_null(column, nan_is_null=True), True).as_py()) < 0:
            continue
        ids = {other: parts[other][row].as_py() for other in _IDS if other != part}
        whose = ", ".join(f"{other} {quote(str(known))}" for other, known in ids.items())
        found = f"nothing in the column {quote(columns.table.called[part])}, {whose}"
        fix = "Fill in the value or remove the row."
        raise columns.file.error("E-NULL", found, "a value", fix)


def _may_miss(column: pa.Array, part: str) -> bool:
    """Return whether a value may be missing; a decimal number as an id may also be NaN."""
    if is_coded(column) and _may_miss(column.dictionary, part):
        return True
    return column.null_count > 0 or (part in _IDS and pa.types.is_floating(column.type))


def _whole_queries(
    batches: Iterable[list[_Batch]], rows: int
) -> Iterator[tuple[list[_Batch], bool]]:
    """Yield parts of whole queries, each with whether it is the whole stream."""
    held: list[_Batch] = []
    size, goal, is_first = 0, rows, True
    for batch in (piece for pieces in batches for piece in pieces):
        held.append(batch)
        size += len(batch)
        # One more row than the goal shows that more rows follow.
        if size <= goal:
            continue
        last = held[-1].name[-1]
        kept = len(held)
        while kept and held[kept - 1].name[-1] == last and len(held[kept - 1].name) == 1:
            kept -= 1
        if not kept:
            # One query is larger than the goal.
            goal = 2 * size
            continue
        whole, rest = held[:kept], held[kept:]
        if whole[-1].name[-1] == last:
            stretches = len(whole[-1].name)
            rest.insert(0, whole[-1].rows(stretches - 1, stretches))
            whole[-1] = whole[-1].rows(0, stretches - 1)
        yield whole, False
        held, size, goal, is_first = rest, sum(map(len, rest)), rows, False
    if held:
        yield held, is_first


def _scattered(query: str, file: File) -> ScatteredQueryError:
    found = f"query {quote(query)} again, after rows of other queries"
    fix = (
        "Order the rows by query, or install DuckDB, which sorts a file that is larger than the "
        "memory: pip install 'rankscope[duckdb]'."
    )
    expected = "all rows of a query together"
    return ScatteredQueryError([file.problem("E-SCATTERED", found, expected, fix)])


def _checked(batches: list[_Batch], is_all: bool, columns: RunColumns) -> tuple[Run, Findings]:
    """Return the rows of whole queries as a run, checked, and what was found in them.

    Raises ReadError as `over_queries` does.
    """
    queries, query = _coded(batches, is_all, columns.file)
    parts = {
        part: pa.concat_arrays([batch.columns[part] for batch in batches])
        for part in batches[0].columns
    }
    sizes = bincount(query)
    if (most := int(sizes.max())) > columns.file.limits.ranking:
        what = f"{most:,} documents of query {quote(queries[np.argmax(sizes)])}"
        raise columns.file.too_large(what, "ranking")
    document, (value, bad) = parts["document"], doubles_of(parts["value"])
    run = Run(queries, query, document, -value if columns.table.is_distance else value)
    bad = first_fault(run, columns.file) if bad is None else bad
    if bad is not None:
        # With the rows of its query above it, one of which it may repeat.
        at = np.flatnonzero(query[: bad + 1] == query[bad])
        rows = Rows(called=columns.table.called)
        texts = map(str, take(parts["value"], at).to_pylist())
        rows.extend(queries[query[bad]], take(document, at).to_pylist(), [*texts])
        raise ReadError([*faults(Run, rows, columns.file)])
    tags = dict.fromkeys(tag for batch in batches for tag in batch.tags)
    rank = doubles_of(parts["rank"]) if "rank" in parts else None
    found = findings_of(run, rank, columns.table.is_beir)
    return run, replace(found, some=found.some | columns.some, tags=tuple(tags))


def _coded(batches: list[_Batch], is_all: bool, file: File) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct queries, and the index of each row's.

    Raises ScatteredQueryError when a query's rows are apart in a stream of several parts.
    """
    codes: dict[str, int] = {}
    index, last = [], ""
    for batch in batches:
        for name in batch.name:
            if name != last and name in codes and not is_all:
                raise _scattered(name, file)
            index.append(codes.setdefault(name, len(codes)))
            last = name
    sizes = np.concatenate([np.diff(batch.end, prepend=0) for batch in batches])
    return tuple(codes), repeat(np.array(index, np.int64), sizes)


def in_utf8(batches: Iterable[pa.RecordBatch], columns: RunColumns) -> Iterator[pa.RecordBatch]:
    """Yield the batches; the texts of an engine may be any bytes, and Arrow's are UTF-8.

    Raises ReadError with the bytes, and the query of the row.
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
        row = next((row for row, text in enumerate(again) if text != of[row]), None)
        if row is not None:
            whose = ""
            if part != "query":
                query = batch.column(columns.names["query"])[row].as_py()
                whose = f" of query {quote(str(query))}"
            found = f"the bytes {of[row][:80]!r} as a {what}{whose}"
    return columns.file.error("E-ENCODING", found, "UTF-8 text", fix)
