"""A run as a stream of Arrow batches, from any engine, reduced to its hits part by part."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any, Protocol

import pyarrow as pa

from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Pairs, PairsT, Qrels, Run
from ..data.frames import UNREADABLE, is_ranked
from ..data.run_and_qrels import Documents
from ..errors import DataError
from ..reading import row_notes
from ..reading.from_tables.arrow_stream import RunColumns, in_utf8, over_queries, run_columns
from ..reading.problems import File, ReadError
from ..reading.row_notes import Findings
from . import judged
from .judged import JudgedRankings, Matcher, Rankings, Reduced, gather, in_roles

STREAM = "the stream"
"""The name of a stream in messages."""


class ArrowStream(Protocol):
    """A table that gives its rows as Arrow batches.

    Tables of pyarrow, polars and pandas, relations of DuckDB and DataFrames of PySpark do.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Return a capsule with the stream."""


Given = Pairs | Mapping[str, Documents] | ArrowStream
"""Qrels or a run as people have them: read, as a dict of dicts, or as a frame."""


def built(kind: type[PairsT], given: Rankings | Given) -> Any:
    """Return qrels or a run, built from a dict or a frame; what is read or judged as it is.

    Raises DataError when it is neither, or `Qrels.of` and `Run.of` refuse it.
    """
    return given if isinstance(given, Pairs | JudgedRankings) else kind.of(given)


def remaining(qrels: Qrels, run: Rankings | Given) -> Any:
    """Return a run without the documents that the qrels exclude; judged rankings as they are.

    A run that is matched with other grades than these, as with guesses, has to lack them already.

    Raises DataError as `built` does.
    """
    run = built(Run, run)
    return run.without(qrels.excluded) if isinstance(run, Run) else run


def match(
    qrels: Given,
    run: Rankings | Given,
    convention: Convention | str = TREC_EVAL,
    *,
    every: bool = False,
) -> JudgedRankings:
    """Rank a run under a convention and match it with its judgments.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `Qrels.from_frame`.
    run
        A `Run`, ``{query: {document: score}}``, or a table with ``__arrow_c_stream__`` of pyarrow,
        polars, pandas, DuckDB or PySpark, with columns for query, document and score named as in
        a file. A table is reduced while it streams: see `match_batches`. Rankings that are already
        judged are taken as they are, under the convention.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.
    every
        Keep the unjudged documents as lines of grade NaN: for showing whole rankings. Scores do
        not change, since such lines earn exactly 0. Rankings already judged may hold only some.

    Raises
    ------
    DataError
        When an argument has the wrong type, qrels and run are swapped, or rankings were judged by
        other judgments or ranked under another convention.
    ReadError
        As `match_batches` does, for a table.
    RankscopeError
        When no preset has the convention's name.

    Examples
    --------
    >>> from metrics import Run
    >>> qrels = Qrels.from_dict({"q1": {"a": 2, "b": 1}})
    >>> run = Run.from_dict({"q1": {"x": 3.0, "b": 2.0, "a": 1.0}})
    >>> match(qrels, run).hits.rank.tolist()
    [2, 3]
    >>> table = pa.table({"query": ["q1"] * 3, "document": ["x", "b", "a"], "score": [3, 2, 1]})
    >>> match(qrels, table).hits.rank.tolist()
    [2, 3]
    """
    is_stream = hasattr(run, "__arrow_c_stream__") and not is_ranked(run)
    grades: Qrels = built(Qrels, qrels)
    run = run if is_stream else built(Run, run)
    convention = in_roles(grades, run, convention, object if is_stream else Rankings)
    if isinstance(run, Rankings):
        return judged.match(grades, run, convention, every=every)
    try:
        stream = pa.RecordBatchReader.from_stream(run)
    except UNREADABLE as error:
        raise DataError(
            f"The run is a {type(run).__name__} that cannot be read as a table ({error}). Pass a "
            "table with columns for query, document and score, each of one type: text or numbers."
        ) from error
    return _judged(Matcher(grades, convention, every), stream.schema, stream)


def match_batches(
    qrels: Given, batches: Iterable[pa.RecordBatch], convention: Convention | str = TREC_EVAL
) -> JudgedRankings:
    """Return the judged rankings of a run that comes in record batches, of any size and number.

    The batches are reduced as they come, so that memory does not grow with the run. The rows of a
    query stand together, except in a stream of at most 131,072 rows. Ids of other types become
    text, because ids are compared as text.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame.
    batches
        Arrow record batches with columns for query, document and score, named as in a file.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Raises
    ------
    DataError
        When an argument has the wrong type.
    ReadError
        When a column is missing or has another type than the first batch's; for a null, an empty
        id, a score that is not finite, a document that appears twice in a query, with the query
        and the document; and for a query that comes back after others.

    Examples
    --------
    >>> batch = pa.record_batch({"qid": [7, 7], "docid": ["a", "b"], "score": [0.5, 1.5]})
    >>> match_batches(Qrels.from_dict({"7": {"a": 1}}), [batch]).hits.rank.tolist()
    [2]
    """
    grades, convention = Qrels.of(qrels), named(convention)
    if not isinstance(batches, Iterable):
        raise DataError(f"The batches are {batches!r}; pass an iterable of record batches.")
    rest = iter(batches)
    first = next(rest, None)
    if first is None:
        raise _empty(File(STREAM))
    if not isinstance(first, pa.RecordBatch):
        raise DataError(f"The first batch is a {type(first).__name__}; pass Arrow record batches.")
    return _judged(Matcher(grades, convention), first.schema, chain([first], rest))


def _judged(
    matcher: Matcher, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> JudgedRankings:
    file = File(STREAM)
    columns = run_columns(schema, file)
    rankings, _ = judged_parts(matcher, columns, in_utf8(_alike(schema, batches, file), columns))
    return rankings


def judged_parts(
    matcher: Matcher, columns: RunColumns, batches: Iterable[pa.RecordBatch]
) -> tuple[JudgedRankings, Findings]:
    """Return the judged rankings of a stream with these columns, and what was found in its rows.

    Raises ReadError as `match_batches` does.
    """
    return together(matcher, columns, list(over_queries(batches, columns, matcher.reduce)))


def together(
    matcher: Matcher,
    columns: RunColumns,
    parts: Sequence[tuple[Reduced, tuple[str, ...], Findings]],
    unjudged: tuple[str, ...] = (),
) -> tuple[JudgedRankings, Findings]:
    """Return `judged_parts` of a stream's parts, and of queries without judgments beside them."""
    if not parts and not unjudged:
        raise _empty(columns.file)
    queries = *(query for _, part, _ in parts for query in part), *unjudged
    found = row_notes.together(findings for _, _, findings in parts)
    rankings = gather(matcher, (hits for hits, _, _ in parts), queries)
    return replace(rankings, notes=(*columns.table.notes(), *found.notes(), *rankings.notes)), found


def _alike(
    schema: pa.Schema, batches: Iterable[pa.RecordBatch], file: File
) -> Iterator[pa.RecordBatch]:
    """Yield the batches, all with the columns of the first.

    Raises ReadError when one has other columns.
    """
    for batch in batches:
        if not batch.schema.equals(schema):
            found, expected = (", ".join(map(str, each)) for each in (batch.schema, schema))
            fix = "Give all batches the same columns and types."
            raise file.error("E-HEADER", f"a batch of {found}", expected, fix)
        yield batch


def _empty(file: File) -> ReadError:
    return file.error("E-EMPTY", "no data rows", "rows of a Run", "Fill it.")
