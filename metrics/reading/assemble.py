"""Rows from any format -> Run or Qrels: numbers, ids and duplicates checked in one place."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain, islice, repeat
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Floats, take
from ..data import Note, Pairs, PairsT, Qrels, Severity
from ..data.aspects import Aspects, has_several
from ..data.checks import LARGEST_GRADE
from ..data.duplicates import first_repeat
from ..words import count, quote
from .problems import ASPECTS, LEVEL, ONLY_RELEVANT, File, ReadError
from .rank_column import order_of
from .row_notes import of_pairs, of_rows
from .rows import MOST_PROBLEMS, NUMBER, PATTERN, Rows, faults, is_tiny


def assemble(kind: type[PairsT], rows: Rows, file: File, name: str) -> PairsT:
    """Check the rows and make the Run or Qrels they describe.

    Raises ReadError for an empty or overlong id, a value that is not a finite number, a document
    that appears twice in a query, and the problems of the format's reader, in the order of the
    lines.
    """
    if kind is Qrels and rows.aspects:
        joined, aspects = by_aspect(rows)
        _require_named(rows, aspects, file)
        names = {name for of in aspects.values() for each in of.values() for name in each}
        if (longest := max(map(len, names), default=0)) > file.limits.id:
            what = f"an aspect of {longest:,} characters"
            raise file.error("E-ID", what, file.at_most("id"), "Use shorter names.")
        return replace(assemble(kind, joined, file, name), aspects=aspects)
    if not len(rows.line) and not rows.problems:
        raise file.error("E-EMPTY", "no data rows", f"rows of a {kind.__name__}", "Fill it.")
    # JSON may have one long query id for many rows, which is not copied for each of them.
    codes: dict[str, int] = {}
    every = (codes.setdefault(query, len(codes)) for query in rows.query)
    code, queries = np.fromiter(every, np.int64), tuple(codes)
    document = pa.array(rows.document, pa.string())
    value = _numbers(rows.value)
    too_long = max(map(len, rows.reasons), default=0) > file.limits.line
    pairs = None if value is None else kind(queries, code, document, value, name)
    if rows.problems or pairs is None or too_long or first_fault(pairs, file) is not None:
        merged, again = rows, list[int]()
        if kind is Qrels and not rows.problems:
            merged, again = _without_repeats(rows)
            merged.notes += _of_repeats(rows, again)
        found = [*merged.problems, *islice(faults(kind, merged, file), MOST_PROBLEMS)]
        if found:
            raise ReadError(sorted(found, key=lambda problem: problem.line or 0))
        return assemble(kind, merged, file, name)
    notes = [*rows.notes, *of_rows(rows, pairs)]
    notes += _of_ranks(rows, pairs)
    for note in of_pairs(pairs):
        if note.code == ONLY_RELEVANT and rows.lists_relevant:
            continue
        if note.code == LEVEL and rows.rank:
            # Ranks that are ignored deserve a warning.
            note = replace(note, kind=Severity.WARNING)
        notes.append(note)
    pairs = replace(pairs, notes=tuple(notes), tag=rows.run_tag, reasons=_reasons(rows))
    return pairs.without(rows.excluded)


def of_parts(parts: list[PairsT]) -> PairsT:
    """Return the rows of all parts, each of which has queries of its own.

    They may fill most of the memory, so no column is in memory twice for long: ``parts`` is
    emptied once their columns are listed, and each list once it is joined.
    """

    def whole(columns: list[Any]) -> Any:
        join = np.concatenate if isinstance(columns[0], np.ndarray) else pa.concat_arrays
        column = join(columns)
        columns.clear()
        return column

    kind = type(parts[0])
    queries = tuple(chain.from_iterable(part.queries for part in parts))
    starts = accumulate([len(part.queries) for part in parts[:-1]], initial=0)
    query = [part.query + start for part, start in zip(parts, starts, strict=True)]
    document, value = [part.document for part in parts], [part.value for part in parts]
    parts.clear()
    return kind(queries, whole(query), whole(document), whole(value))


def _reasons(rows: Rows) -> dict[str, dict[str, str]]:
    """Return the reasons that are not empty, by query, then by document."""
    found: dict[str, dict[str, str]] = {}
    for row, reason in enumerate(rows.reasons):
        if reason:
            found.setdefault(rows.query[row], {})[rows.document[row]] = reason
    return found


def _of_ranks(rows: Rows, pairs: Pairs) -> Iterator[Note]:
    """Yield the notes on the rank column, non-numeric ranks first."""
    odd = [row for row, rank in enumerate(rows.rank) if not NUMBER.fullmatch(rank)]
    kept = np.delete(np.arange(len(rows.rank)), odd)
    rank = np.array(rows.rank, dtype=object)[kept].astype(float)
    if odd:
        yield Note(
            f"{count(len(odd), 'non-numeric rank')}, the first is {quote(rows.rank[odd[0]])} on "
            f"{rows.unit} {rows.line[odd[0]]}: documents are ordered by score, whatever the rank "
            "column says.",
            "N-RANK-NUMBER",
        )
    yield from order_of(pairs.rows(kept), rank).notes()


def _numbers(values: list[str]) -> Floats | None:
    """Return the values as numbers; None when one is not a number or too small for a double."""
    texts = pa.array(values, pa.string())
    if not pc.all(pc.match_substring_regex(texts, f"^(?:{PATTERN})$")).as_py():
        return None
    found = np.array(list(map(float, values)))
    zeros = pc.unique(take(texts, np.flatnonzero(found == 0))).to_pylist()
    return None if any(map(is_tiny, zeros)) else found


def first_fault(pairs: Pairs, file: File) -> int | None:
    """Return a row that is not valid, as `faults` says; None where all are, looked at together."""
    most = LARGEST_GRADE if isinstance(pairs, Qrels) else np.finfo(float).max
    if (wrong := ~(np.abs(pairs.value) <= most)).any():
        return int(np.argmax(wrong))
    size = pc.min_max(pc.binary_length(pairs.document)).as_py()
    # Bytes are counted in no time, and are as many as characters or more.
    if size["min"] == 0 or size["max"] > file.limits.id:
        length = pc.utf8_length(pairs.document).to_numpy()
        if (wrong := (length == 0) | (length > file.limits.id)).any():
            return int(np.argmax(wrong))
    # Not as an array of Arrow, which imports pandas for a list.
    odd = (at for at, each in enumerate(pairs.queries) if not 0 < len(each) <= file.limits.id)
    if (at := next(odd, None)) is not None:
        return int(np.argmax(pairs.query == at))
    return first_repeat(pairs.query, pairs.document)


def _without_repeats(rows: Rows) -> tuple[Rows, list[int]]:
    """Return the rows without those that repeat the grade of an earlier one, and which these are.

    A document may have a grade for each aspect.
    """
    first: dict[tuple[str, str, str], int] = {}
    again = []
    aspects = rows.aspects or repeat("", len(rows.line))
    for row, key in enumerate(zip(rows.query, rows.document, aspects, strict=True)):
        earlier = first.setdefault(key, row)
        one, other = rows.value[earlier], rows.value[row]
        # The same grade may be written as 3 and as 3.0.
        if earlier != row and (one == other or _grade(one) == _grade(other)):
            again.append(row)
    return rows.only(np.delete(np.arange(len(rows.line)), again).tolist()), again


def _require_named(rows: Rows, aspects: Aspects, file: File) -> None:
    """Refuse a row without an aspect in a query that has some.

    Raises ReadError for the first such row.
    """
    for row, aspect in enumerate(rows.aspects):
        if not aspect and rows.query[row] in aspects:
            found = f"a grade of query {quote(rows.query[row])} without an aspect"
            fix = "Fill in the aspect, or leave it out for all rows of the query."
            expected, line = "the aspect of the query", rows.line[row]
            raise ReadError([file.problem("E-ID", found, expected, fix, line, unit=rows.unit)])


def by_aspect(rows: Rows) -> tuple[Rows, Aspects]:
    """Return a row for each document, with its highest grade, and the grades for each aspect.

    Where no query has several aspects, the rows are returned as they are. Rows that cannot be
    joined stay too, for the checks to name them: a grade that is not a number, or two grades of a
    document for the same aspect.

    Examples
    --------
    >>> rows = Rows(line=[1, 2], query=["q", "q"], document=["d", "d"], value=["0", "1"])
    >>> rows.aspects = ["1", "2"]
    >>> joined, aspects = by_aspect(rows)
    >>> joined.value, aspects
    (['1'], {'q': {'d': {'1': 0.0, '2': 1.0}}})
    """
    if not has_several(rows.query, rows.aspects):
        return replace(rows, aspects=[]), {}
    single, again = _without_repeats(rows)
    of_document: dict[tuple[str, str], list[int]] = {}
    for row, pair in enumerate(zip(single.query, single.document, strict=True)):
        of_document.setdefault(pair, []).append(row)
    kept: list[int] = []
    aspects: dict[str, dict[str, dict[str, float]]] = {}
    for (query, document), places in of_document.items():
        first: dict[str, int] = {}
        graded: dict[str, float] = {}
        for row in places:
            name, grade = single.aspects[row], _grade(single.value[row])
            if math.isnan(grade) or name in graded:
                kept += sorted({first.get(name, row), row})
                break
            first[name], graded[name] = row, grade
        else:
            kept.append(first[max(graded, key=graded.__getitem__)])
            aspects.setdefault(query, {})[document] = graded
    # A query whose rows name no aspect is judged as a whole.
    aspects = {query: of for query, of in aspects.items() if any(chain.from_iterable(of.values()))}
    joined = replace(single.only(sorted(kept)), aspects=[])
    joined.notes += [_of_aspects(aspects), *_of_repeats(rows, again)]
    return joined, aspects


def _of_aspects(aspects: Aspects) -> Note:
    """Return the note of how the grades of aspects are used.

    It is a warning where they may be grades of several rounds, or of several judges: most documents
    have one, and some have two that differ.
    """
    judged = [(query, *each) for query, of in aspects.items() for each in of.items()]
    names = {(query, name) for query, _, grades in judged for name in grades}
    text = (
        f"{count(len(names), 'aspect')} of {count(len(aspects), 'query', 'queries')}: measures of "
        "aspects, such as alpha_nDCG, use a document's grade for each; all others use its highest "
        "grade."
    )
    differ = [each for each in judged if len(set(each[2].values())) > 1]
    if not differ or 2 * sum(len(grades) > 1 for *_, grades in judged) >= len(judged):
        return Note(text, ASPECTS, Severity.REMARK)
    query, document, grades = differ[0]
    found = " and ".join(f"{grade:g}" for grade in sorted(set(grades.values())))
    text += (
        f" But most documents have one grade, and {quote(document)} of query {quote(query)} has "
        f"{found}: if these are rounds or judges and no aspects, keep one row for each document."
    )
    return Note(text, ASPECTS)


def _of_repeats(rows: Rows, again: Sequence[int]) -> Iterator[Note]:
    """Yield the note of the rows that repeat a grade, for the same aspect if they name one."""
    if not again:
        return
    row = again[0]
    aspect = f", aspect {quote(rows.aspects[row])}" if rows.aspects else ""
    where = f" on {rows.unit} {rows.line[row]}" if rows.line[row] else ""
    text = (
        f"{count(len(again), 'duplicate judgment')} with the same grade left out, the first is "
        f"{quote(rows.document[row])} of query {quote(rows.query[row])}{aspect}{where}."
    )
    yield Note(text, "N-DUPLICATE")


def _grade(text: str) -> float:
    return float(text) if NUMBER.fullmatch(text) else math.nan
