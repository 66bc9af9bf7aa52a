"""Judged rankings as one table: a row for each query, each judgment and each hit."""

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from itertools import compress

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Floats, Ints, bincount, column, numbers, take
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run, exclusions
from ..data.checks import LARGEST_GRADE
from ..data.column_names import JUDGED
from ..data.duplicates import first_repeat
from ..errors import DataError
from ..reading.problems import File, ReadError
from ..words import quote
from .hits import Hits
from .judged import JudgedRankings, Matcher, Reduced, gather
from .judgments import add_texts

TEXT, WHOLE, NUMBER = pa.string(), pa.int64(), pa.float64()
SCHEMA = pa.schema(zip(JUDGED, (TEXT, TEXT, TEXT, WHOLE, NUMBER, WHOLE, WHOLE, WHOLE), strict=True))
"""The columns; a row has only those of its kind, and null in the others."""
QUERY, UNJUDGED, JUDGMENT, HIT, TOP = "query", "unjudged query", "judgment", "hit", "top"
ASPECT, BY_ASPECT, EXCLUDED = "aspect", "judgment by aspect", "excluded"
KINDS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    QUERY: (("query",), ("retrieved",)),
    JUDGMENT: (("query", "document", "grade"), ()),
    HIT: (("query", "document", "rank", "first", "last"), ("grade",)),
    TOP: (("query", "document", "rank", "first", "last"), ()),
    UNJUDGED: (("query",), ()),
    ASPECT: (("query", "document", "rank"), ()),
    BY_ASPECT: (("query", "document", "rank", "grade"), ()),
    EXCLUDED: (("query", "document"), ()),
}
"""The columns that a row of each kind has, and those that it may have.

A query of the qrels has no ``retrieved`` where the run lacks it; the hit of an unjudged document,
where every document was kept, has no ``grade``. An unjudged query is one that only the run has. The
kind ``top`` is `JudgedRankings.top`: unjudged documents that are only shown. An aspect has its name
as ``document`` and a number from 0 as ``rank``; a judgment by aspect has that number. An excluded
document was left out of the ranking of its query.
"""
_FIX = "The file was changed or damaged after it was written; copy it again or match the run again."


def table_of(judged: JudgedRankings) -> pa.Table:
    """Return the rows of all queries, judgments and hits, each in its order.

    Examples
    --------
    >>> from metrics import match
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 2.0, "b": 1.0}})
    >>> table_of(match(qrels, run)).to_pylist()[-1]["kind"]
    'hit'
    """
    qrels, hits = judged.qrels, judged.hits
    of_qrels = pa.array(qrels.queries, TEXT)
    size = dict(zip(judged.queries, judged.retrieved.tolist(), strict=True))
    for query in judged.missing_from_run:
        size.pop(query, None)
    grade = column(hits.grade)
    return pa.concat_tables(
        [
            _rows(
                QUERY, query=of_qrels, retrieved=pa.array([*map(size.get, qrels.queries)], WHOLE)
            ),
            _rows(UNJUDGED, query=pa.array(judged.missing_from_qrels, TEXT)),
            _rows(
                JUDGMENT,
                query=take(of_qrels, qrels.query),
                document=qrels.document,
                grade=column(qrels.value),
            ),
            _rows(
                HIT,
                grade=pc.if_else(pc.is_nan(grade), pa.scalar(None, NUMBER), grade),
                **_lines(hits, judged.queries),
            ),
            _rows(TOP, **_lines(judged.top, judged.queries)),
            *_by_aspect(qrels),
            *_excluded(qrels),
        ]
    )


def _excluded(qrels: Qrels) -> Iterator[pa.Table]:
    """Yield the documents that are left out of rankings, if there are some."""
    if rows := exclusions.in_rows(qrels.excluded):
        query, document = (pa.array(of, TEXT) for of in zip(*rows, strict=True))
        yield _rows(EXCLUDED, query=query, document=document)


def _by_aspect(qrels: Qrels) -> Iterator[pa.Table]:
    """Yield the aspects of each query, then the judgments by aspect."""
    if not qrels.aspects:
        return
    judged = {
        (query, document): grades
        for query in qrels.queries
        for document, grades in qrels.aspects.get(query, {}).items()
    }
    number: dict[str, dict[str, int]] = {}
    for (query, _), grades in judged.items():
        of_query = number.setdefault(query, {})
        for name in grades:
            of_query.setdefault(name, len(of_query))
    names = [(query, name, place) for query, of in number.items() for name, place in of.items()]
    rows = [
        (query, document, number[query][name], float(grade))
        for (query, document), grades in judged.items()
        for name, grade in grades.items()
    ]
    for kind, listed in ((ASPECT, names), (BY_ASPECT, rows)):
        columns = zip(KINDS[kind][0], zip(*listed, strict=True), strict=True) if listed else ()
        types = dict(zip(SCHEMA.names, SCHEMA.types, strict=True))
        yield _rows(kind, **{name: pa.array(of, types[name]) for name, of in columns})


def _lines(lines: Hits, queries: tuple[str, ...]) -> dict[str, pa.Array]:
    """Return the columns of documents at ranks, without their grades."""
    return {
        "query": take(pa.array(queries, TEXT), lines.query),
        "document": lines.document,
        "rank": column(lines.rank),
        "first": column(lines.first),
        "last": column(lines.last),
    }


def _rows(kind: str, **columns: pa.Array) -> pa.Table:
    """Return rows of one kind, with null in the columns that they lack."""
    size = len(columns["query"])
    columns["kind"] = pa.repeat(pa.scalar(kind, TEXT), size)
    every = [columns.get(field.name, pa.nulls(size, field.type)) for field in SCHEMA]
    return pa.Table.from_arrays(every, schema=SCHEMA)


def digest(table: pa.Table) -> bytes:
    """Return a hash of the rows, in whatever parts the columns are stored.

    Examples
    --------
    >>> table = _rows(UNJUDGED, query=pa.array(["a", "b"]))
    >>> digest(table) == digest(pa.concat_tables([table[:1], table[1:]])) != digest(table[:1])
    True
    """
    content = hashlib.sha256()
    for name in table.column_names:
        chunks = table.column(name).chunks
        for chunk in chunks:
            content.update(_valid(chunk).tobytes())
        if table.schema.field(name).type != TEXT:
            for chunk in chunks:
                content.update(numbers(chunk.fill_null(0)).tobytes())
            continue
        add_texts(content, [chunk.fill_null("") for chunk in chunks])
    return content.digest()


def judged_of(
    table: pa.Table, convention: Convention, qrels_name: str, file: File
) -> JudgedRankings:
    """Return the judged rankings in the rows of a table, after a check of every row.

    Raises ReadError when a row is not possible: `table_of` cannot have written it.
    """
    rows = {kind: _of_kind(kind, table, file) for kind in KINDS}
    if sum(map(len, rows.values())) < len(table):
        raise damaged("a row of an unknown kind", file)
    queries, unjudged = rows[QUERY], rows[UNJUDGED]
    names = tuple(queries["query"].to_pylist())
    only_in_run = tuple(unjudged["query"].to_pylist())
    if len(set(names)) < len(names) or len(set(only_in_run)) < len(only_in_run):
        raise damaged("a query that is listed twice", file)
    qrels = _qrels(names, rows[JUDGMENT], qrels_name, file)
    qrels = replace(
        qrels,
        aspects=_aspects(set(names), rows[ASPECT], rows[BY_ASPECT], file),
        excluded=exclusions.of_rows(
            zip(*(of.to_pylist() for of in rows[EXCLUDED].columns), strict=True)
        ),
    )
    some = bincount(qrels.query, minlength=len(names)) > 0
    ranked = _valid(queries["retrieved"])
    if (ranked & ~some).any() or set(compress(names, some)) & set(only_in_run):
        raise damaged("a query that is listed as judged and as not judged", file)
    retrieved = numbers(queries["retrieved"].fill_null(0))
    _check_counts(retrieved, file)
    hits, top = (_hits(names, rows[kind], file) for kind in (HIT, TOP))
    lines = Hits.joined([hits, top])
    lines = lines[np.lexsort((lines.rank, lines.query))]
    _check_ranks(lines, np.where(ranked, retrieved, 0), file)
    _check_grades(lines, qrels, file)
    in_run = (*compress(names, ranked.tolist()), *only_in_run)
    number, matcher = np.cumsum(some) - 1, Matcher(qrels, convention)

    def gathered(lines: Hits) -> JudgedRankings:
        lines = replace(lines, query=number[lines.query])
        return gather(matcher, [Reduced(lines, number[ranked], retrieved[ranked])], in_run)

    return replace(gathered(hits), top=gathered(top).hits)


def damaged(found: str, file: File) -> ReadError:
    """Return the exception for content that no version of `table_of` writes."""
    return file.error("E-JUDGED", found, "judged rankings as they were written", _FIX)


def _of_kind(kind: str, table: pa.Table, file: File) -> pa.RecordBatch:
    """Return the rows of a kind, with its columns only.

    Raises ReadError when such a row lacks a column of its kind, or has one of another kind.
    """
    rows = table.filter(pc.equal(table["kind"], kind))
    required, optional = KINDS[kind]
    for name in SCHEMA.names[1:]:
        empty = rows[name].null_count
        if empty if name in required else name not in optional and empty < len(rows):
            raise damaged(f"a row of the kind {quote(kind)} with a wrong {quote(name)}", file)
    kept = [name for name in SCHEMA.names if name in required + optional]
    columns = []
    for name in kept:
        whole = rows[name].combine_chunks()
        if isinstance(whole, pa.ChunkedArray):
            try:
                whole = pa.concat_arrays(whole.chunks)
            except pa.ArrowInvalid as error:
                raise damaged("more characters of ids than a table holds", file) from error
        columns.append(whole)
    return pa.RecordBatch.from_arrays(columns, kept)


def _valid(values: pa.Array) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which values are not null."""
    return numbers(pc.is_valid(values).cast(pa.int32())) > 0


def _places(names: tuple[str, ...], queries: pa.Array, file: File) -> Ints:
    """Return the place of each row's query among the listed ones."""
    place = pc.index_in(queries, pa.array(names, TEXT))
    if place.null_count:
        raise damaged("a row of a query that is not listed", file)
    return numbers(place).astype(np.int64)


def _qrels(names: tuple[str, ...], rows: pa.RecordBatch, name: str, file: File) -> Qrels:
    query = _places(names, rows["query"], file)
    try:
        return Qrels.checked(names, query, rows["document"], numbers(rows["grade"]), name)
    except DataError as error:
        raise damaged(str(error).rstrip("."), file) from error


def _aspects(
    queries: set[str], named: pa.RecordBatch, judged: pa.RecordBatch, file: File
) -> dict[str, dict[str, dict[str, float]]]:
    """Return the judgments by aspect.

    Raises ReadError when an aspect has no name, is listed twice or not at all, or a grade is not
    possible.
    """
    names: dict[tuple[str, int], str] = {}
    for query, name, number in zip(*(of.to_pylist() for of in named.columns), strict=True):
        if query not in queries or not name or (query, number) in names:
            raise damaged("an aspect without a name, or listed twice", file)
        names[query, number] = name
    found: dict[str, dict[str, dict[str, float]]] = {}
    rows = zip(*(judged[name].to_pylist() for name in KINDS[BY_ASPECT][0]), strict=True)
    for query, document, number, grade in rows:
        of_document = found.setdefault(query, {}).setdefault(document, {})
        aspect = names.get((query, number), "")
        if not aspect or aspect in of_document or not abs(grade) <= LARGEST_GRADE:
            raise damaged("a judgment of an aspect that is not possible", file)
        of_document[aspect] = grade
    return found


def _hits(names: tuple[str, ...], rows: pa.RecordBatch, file: File) -> Hits:
    """Return documents at ranks, by the places of their queries in the qrels.

    Raises ReadError when they are not in the order of their queries and ranks, or a grade is not a
    number.
    """
    query = _places(names, rows["query"], file)
    grade: Floats = np.full(len(rows), np.nan)
    if "grade" in rows.schema.names:
        grade = numbers(rows["grade"].fill_null(np.nan))
        if np.isnan(grade).sum() > rows["grade"].null_count:
            raise damaged("a grade that is not a number", file)
    rank, first, last = (numbers(rows[name]) for name in ("rank", "first", "last"))
    step = np.diff(query)
    if (step < 0).any() or ((step == 0) & (np.diff(rank) <= 0)).any():
        raise damaged("documents that are not in rank order", file)
    return Hits(query, rows["document"], rank, grade, first, last)


def _check_counts(retrieved: Ints, file: File) -> None:
    if (retrieved < 0).any():
        raise damaged("a number of retrieved documents below 0", file)
    if (longest := int(retrieved.max(initial=0))) > file.limits.ranking:
        found, fix = f"a query with {longest:,} retrieved documents", "Cut each ranking."
        raise file.error("E-SIZE", found, f"at most {file.limits.ranking:,} (limit ranking)", fix)


def _check_ranks(hits: Hits, retrieved: Ints, file: File) -> None:
    """Refuse hits, in rank order, at ranks and in ties that no ranking has."""
    inside = (hits.first >= 1) & (hits.first <= hits.rank) & (hits.rank <= hits.last)
    if not (inside & (hits.last <= retrieved[hits.query])).all():
        raise damaged("a hit at a rank that is not possible", file)
    same = np.diff(hits.query) == 0
    if (same & (np.diff(hits.rank) == 0)).any():
        raise damaged("two documents at one rank", file)
    tied = (hits.first[1:] == hits.first[:-1]) & (hits.last[1:] == hits.last[:-1])
    if (same & ~tied & (hits.first[1:] <= hits.last[:-1])).any():
        raise damaged("ties that overlap", file)
    if first_repeat(hits.query, hits.document) is not None:
        raise damaged("a document that appears twice in a ranking", file)


def _check_grades(hits: Hits, qrels: Qrels, file: File) -> None:
    """Refuse a hit whose grade is not that of its judgment."""
    run = Run(qrels.queries, hits.query, hits.document, -hits.rank.astype(np.float64))
    again = Matcher(qrels, TREC_EVAL, every=True).reduce(run).hits
    if not np.array_equal(again.grade, hits.grade, equal_nan=True):
        raise damaged("a hit with another grade than its judgment", file)
