"""Files of several judges -> the qrels of each: a column of judges, or a column of each one's."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..data import Kind, Note, Qrels
from ..data.column_names import CONFIDENCES, JUDGES, REASONS, SYNONYMS, first_of, plain
from ..words import quote
from . import file_names, read_all, rows_of
from .assemble import assemble
from .budget import PER_ROW, Budget, weight
from .decode import decode
from .from_json.parse import HALF, JsonNumber, Members
from .from_json.picked_records import numbered, renamed
from .from_json.records import read_records
from .from_tables.delimited import Head, below_remarks, head_of
from .from_tables.header import HARMLESS
from .from_tables.picked import RECORDS, Picked
from .problems import File, Problem, ReadError
from .rows import NUMBER, Rows
from .sources import PARQUET, Shared, Source, given, open_bytes, settled
from .unpack import Member, unpack

MOST = 200
"""At most this many judges are read from a file."""
MOST_CELLS = 20_000_000
"""At most this many numbers in a table of all graded documents by all judges."""
_GRADES = {word for name in SYNONYMS["grade"] for word in name.split("_")} - {"is", "llm"}
_OTHERS = {word for name in (*REASONS, *CONFIDENCES) for word in name.split("_")}
_PARTS = re.compile(r"[^\w]+|_|(?<=[^\W\d])(?=\d)")


def read_judges(data: Source, name: str = "") -> dict[str, Qrels]:
    """Read the judgments of several judges, people or models, as one set of qrels for each.

    A table may have a column of judges, such as ``judge`` or ``annotator``, or beside the query
    and the document a column of grades for each judge, in which a blank cell is a missing
    judgment. Any other file of qrels is one judge, named after the file.

    Parameters
    ----------
    data
        A path, the bytes of a file, or an open file: CSV, TSV, a workbook, JSON, JSON Lines,
        Parquet or TREC; plain or packed.
    name
        The file's name in messages, when ``data`` has none.

    Returns
    -------
    dict of str to Qrels
        The qrels of each judge, in order of first appearance, with the judge's reasons.

    Raises
    ------
    ReadError
        As `read_qrels` does, and for a row without a judge and for more than 200 judges.

    Examples
    --------
    >>> table = b"query,document,alice,bob\\nq1,d1,2,1\\nq1,d2,0,\\n"
    >>> {judge: qrels.to_dict() for judge, qrels in read_judges(table).items()}
    {'alice': {'q1': {'d1': 2.0, 'd2': 0.0}}, 'bob': {'q1': {'d1': 1.0}}}
    >>> table = b"judge,query,document,grade\\nann,q1,d1,2\\nmodel 7,q1,d1,3\\n"
    >>> list(read_judges(table))
    ['ann', 'model 7']
    """
    name = file_names.name_of(data, name)
    source = settled(given(data, name))
    shared = Shared(source if isinstance(source, bytes) else Path(source))
    file = File(file_names.shown(name), done=shared.done)
    with open_bytes(shared.data) as stream:
        members = file.once("unpacked", lambda: unpack(stream.read(), file))
    if len(members) == 1:
        (member,) = members
        if found := _of_member(member, file.member(member.name)):
            return found
    read = read_all(Qrels, shared, name, Budget())
    return named(each for each in read if isinstance(each, Qrels))


def named(judges: Iterable[Qrels], taken: Iterable[str] = ()) -> dict[str, Qrels]:
    """Return judges by their names; a number follows a name that another judge has.

    Examples
    --------
    >>> list(named([Qrels.from_dict({}, "a"), Qrels.from_dict({}, "a")], ["a"]))
    ['a (2)', 'a (3)']
    """
    others = set(taken)
    found: dict[str, Qrels] = {}
    for each in judges:
        name, number = each.name, 1
        while name in found or name in others:
            number += 1
            name = f"{each.name} ({number})"
        found[name] = each if name == each.name else each.renamed(name)
    return found


def _of_member(member: Member, file: File) -> dict[str, Qrels]:
    """Return the judges that a file names in a column or in its header; none where it has none."""
    table = _table(member, file)
    if table is None:
        return {}
    if first_of(JUDGES, table.names) is not None and _graded(table.names):
        rows, notes = rows_of(Qrels, member, file, None)
        return _by_judge(rows[Qrels], [*notes, *member.notes], file) if Qrels in rows else {}
    return _by_column(table, member, file)


@dataclass(frozen=True)
class _Table:
    """The column names of a table and, of JSON and Parquet, its records."""

    names: tuple[str, ...]
    head: Head | None = None
    records: Sequence[tuple[int, Members]] = ()
    unit: str = "line"


def _table(member: Member, file: File) -> _Table | None:
    """Return a table whose columns have names; None for any other file."""
    if member.data.startswith(PARQUET):
        return _of_parquet(member.data, file)
    text, _ = file.once("text", lambda: decode(member.data, file))
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        try:
            records, unit = numbered(text, file)
        except ReadError:
            # Another form, or a damaged file, which the reader of qrels explains.
            return None
        names = tuple(dict.fromkeys(name for _, record in records for name in record.names))
        if any(map(HALF.search, names)):
            return None
        return _Table(names, None, records, unit)
    if head := head_of(text):
        return _Table(head.names, head)
    if found := below_remarks(text):
        return _Table(found[0].names, found[0])
    return None


def _of_parquet(data: bytes, file: File) -> _Table | None:
    # Imported here, because it takes a tenth of a second and few files are Parquet.
    import pyarrow as pa
    import pyarrow.parquet as pq

    from .from_tables.arrow_types import is_text, plain_type
    from .from_tables.parquet import read_columns

    try:
        schema = pq.read_schema(pa.BufferReader(data))
        names = tuple(schema.names)
        if first_of(JUDGES, names) is not None or not _columns(names):
            return _Table(names)
        simple = (pa.types.is_integer, pa.types.is_floating, is_text)
        kept = [each.name for each in schema if any(is_a(plain_type(each.type)) for is_a in simple)]
        document = names[first_of(SYNONYMS["document"], names) or 0]
        if document not in kept or len(set(names)) < len(names):
            return _Table(names)
        table = read_columns(data, kept, document, PER_ROW * len(kept), file)
    except ReadError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        # A damaged file, which the reader of qrels explains.
        return None
    columns = [list(map(_as_json, table.column(name).to_pylist())) for name in kept]
    rows = enumerate(zip(*columns, strict=True), 1)
    records = [(at, Members(list(zip(kept, row, strict=True)))) for at, row in rows]
    return _Table(tuple(kept), None, records, "row")


def _as_json(value: Any) -> Any:
    """Return a number of Parquet as JSON writes it; NaN, which pandas writes for blank, as null."""
    if isinstance(value, int | float):
        return None if value != value else JsonNumber(repr(value))
    return value


def _by_judge(rows: Rows, notes: Sequence[Note], file: File) -> dict[str, Qrels]:
    """Return the qrels of each judge that a column names.

    Raises
    ------
    ReadError
        For a row without a judge, a name that is too long, and too many judges.
    """
    if rows.problems:
        raise ReadError(rows.problems)
    for row, judge in enumerate(rows.judges):
        if not judge.strip(" \t") or len(judge) > file.limits.id:
            raise ReadError([_no_name(rows, row, file)])
    parts = rows.by_judge()
    _require_few(len(parts), len(rows.line), file)
    judges = {judge: _judge(judge, part, notes, file) for judge, part in parts.items()}
    file.keep(sum(map(weight, judges.values())))
    return judges


def _no_name(rows: Rows, row: int, file: File) -> Problem:
    judge, line = rows.judges[row], rows.line[row]
    found = f"a judge's name of {len(judge):,} characters" if judge else "a row without a judge"
    expected = f"the name of the judge, of at most {file.limits.id:,} characters (limit id)"
    problem = file.problem("E-JUDGE", found, expected, "Name the judge of every row.", line)
    return replace(problem, unit=rows.unit)


def _require_few(judges: int, rows: int, file: File) -> None:
    if judges > MOST:
        fix = "Check that the column names the judges; keep those to be compared."
        raise file.error("E-SIZE", f"{judges:,} judges", f"at most {MOST}", fix)
    if judges * rows > MOST_CELLS:
        found = f"{rows:,} judgments of {judges} judges"
        fix = "Keep the judges to be compared."
        raise file.error("E-SIZE", found, f"at most {MOST_CELLS:,} in all as a table", fix)


def _by_column(table: _Table, member: Member, file: File) -> dict[str, Qrels]:
    """Return the judges that have a column of grades each; none where there are not two."""
    columns = _columns(table.names)
    _require_few(len(columns), len(table.records), file)
    found: dict[str, tuple[Rows, list[Note]]] = {}
    for at in columns:
        rows, notes = _rows_of_column(table, at, member, file)
        # A column without any number, such as one of remarks, is no judge's.
        if any(NUMBER.fullmatch(cell) for cell in rows.value):
            found[table.names[at].strip()] = rows, notes
    if len(found) < 2:
        return {}
    _require_few(len(found), max(len(rows.line) for rows, _ in found.values()), file)
    text = f"A column of grades for each of {len(found)} judges: {', '.join(map(quote, found))}."
    listed = Note(text, "N-JUDGE-COLUMNS", Kind.REMARK)
    judges = {
        judge: _judge(judge, rows, [listed, *notes, *member.notes], file)
        for judge, (rows, notes) in found.items()
    }
    file.keep(sum(map(weight, judges.values())))
    return judges


def _rows_of_column(table: _Table, at: int, member: Member, file: File) -> tuple[Rows, list[Note]]:
    """Return the rows in which one judge gave a grade."""
    names = [""] * len(table.names)
    for part in ("query", "document"):
        place = first_of(SYNONYMS[part], table.names)
        assert place is not None
        names[place] = part
    names[at] = "grade"
    for place, name in enumerate(table.names):
        if _words(name) & _OTHERS and _whose(name) == _whose(table.names[at]):
            names[place] = "confidence" if _words(name) & {*CONFIDENCES} else "reason"
    notes: list[Note] = []
    if table.head is None:
        picked = Picked(RECORDS, tuple(names), True, table.names)
        records = renamed(table.records, picked)
        given_by = [each for each in records if each[1].first("grade") not in (None, "")]
        rows = Rows(unit=table.unit)
        if given_by:
            rows = read_records(Qrels, given_by, file, table.unit)[Qrels]
    else:
        picked = Picked(table.head.delimiter, tuple(names), True)
        of, notes = rows_of(Qrels, member, file, picked)
        rows = of[Qrels]
        rows = rows.only([row for row, cell in enumerate(rows.value) if cell])
    rows.called["value"] = f"grade of {quote(table.names[at].strip())}"
    codes = "N-PICKED", "N-UNUSED"
    rows.notes = [note for note in rows.notes if note.code not in codes]
    return rows, [note for note in notes if note.code not in codes]


def _judge(judge: str, rows: Rows, notes: Sequence[Note], file: File) -> Qrels:
    qrels = assemble(Qrels, replace(rows, judges=[]), file, judge)
    return qrels.noted((*notes, *qrels.notes))


def _columns(names: Sequence[str]) -> list[int]:
    """Return the columns of the judges' grades; none where there is one column of grades.

    Where names say grade or label, those with such a name; where none does, or only that of a
    model, as llm_label, also all without a known name.
    """
    known = list(map(plain, names))
    parts = {name for part in ("query", "document") for name in SYNONYMS[part]}
    if any(first_of(SYNONYMS[part], names) is None for part in ("query", "document")):
        return []
    others = [at for at, name in enumerate(known) if name not in parts and name != "score"]
    graded = [
        at for at in others if _words(names[at]) & _GRADES and not _words(names[at]) & _OTHERS
    ]
    if len(graded) > 1:
        return graded
    if "score" in known or any("llm" not in _words(names[at]) for at in graded):
        return []
    found = [
        at
        for at in others
        if at in graded
        or (known[at] and known[at] not in HARMLESS and not _words(names[at]) & _OTHERS)
    ]
    return found if len(found) > 1 else []


def _graded(names: Sequence[str]) -> bool:
    return first_of(SYNONYMS["grade"], names) is not None


def _words(name: str) -> set[str]:
    return {word for word in _PARTS.split(plain(name)) if word}


def _whose(name: str) -> frozenset[str]:
    """Return the words of a name that say whose grade or reason it is."""
    return frozenset(_words(name) - _GRADES - _OTHERS)
