"""Files of several judges -> the qrels of each: a column of judges, or a column of each one's."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..data import Note, Qrels, Severity
from ..data.column_names import OPTIONAL, SYNONYMS, first_of, normalised
from ..words import free, quote
from . import file_names, of_kind, read_all, rows_of
from .assemble import assemble
from .from_json.parse import HALF, JsonNumber, Members
from .from_json.records import numbered, read_records, renamed
from .from_tables.cells import OF_NO_USE, beside, ids_in, judge_columns
from .from_tables.delimited import TextTable, read_delimited, table_in
from .from_tables.picked import RECORDS, Picked
from .labels import read_labels
from .problems import PER_ROW, UNUSED_COLUMNS, Budget, File, ReadError, weight
from .row_notes import names_alike
from .rows import NUMBER, Rows
from .sources import PARQUET, Shared, Source, decode, line_ends, open_bytes, path_or_bytes, settled
from .unpack import Member, unpack

if TYPE_CHECKING:
    import pyarrow as pa

MOST = 200
"""At most this many judges are read from a file."""
MOST_CELLS = 20_000_000
"""At most this many numbers in a table of all graded documents by all judges."""


@dataclass(frozen=True)
class JudgesTable:
    """The column names of a table, and its rows in one of three forms.

    Attributes
    ----------
    text
        A table of text.
    records
        The numbered records of JSON.
    columns
        The columns of Parquet that have numbers or texts.
    notes
        What was left out of a text.
    """

    names: tuple[str, ...]
    text: TextTable | None = None
    records: Sequence[tuple[int, Members]] = ()
    columns: "pa.Table | None" = None
    unit: str = "line"
    notes: tuple[Note, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows; of a text that of the lines below the header."""
        if self.columns is not None:
            return int(self.columns.num_rows)
        if self.text is None:
            return len(self.records)
        whole = self.text.text
        return line_ends(whole) - self.text.line + (whole[-1:] not in ("\r", "\n"))

    def numbered(self) -> Sequence[tuple[int, Members]]:
        """Return the records of JSON, or the rows of Parquet as records."""
        if self.columns is None:
            return self.records
        rows = enumerate(zip(*map(_values, self.columns.columns), strict=True), 1)
        return [(at, Members([*zip(self.names, row, strict=True)])) for at, row in rows]

    def cells(self, places: Sequence[int], file: File) -> Iterator[list[Any]]:
        """Yield some columns of each row, one row at a time.

        Raises ReadError when a row of a text is not one of the table.
        """
        if self.text:
            yield from ([row[at] for at in places] for _, row in self.text.rows(file))
            return
        names = [self.names[at] for at in places]
        yield from ([record.first(name) for name in names] for _, record in self.numbered())


def table_of(
    data: bytes, file: File, wanted: Callable[[Sequence[str]], object] = judge_columns
) -> JudgesTable | None:
    """Return a table whose columns have names; None for any other file.

    ``wanted`` says whether Parquet with these names is read; otherwise only its names are returned.
    """
    if data.startswith(PARQUET):
        return _of_parquet(data, file, wanted)
    text, notes = file.once("text", lambda: decode(data, file))
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        try:
            rows, unit = numbered(text, file)
        except ReadError:
            # Another form, or a damaged file, which the reader of qrels explains.
            return None
        names = tuple(dict.fromkeys(name for _, record in rows for name in record.names))
        if any(map(HALF.search, names)):
            return None
        return JudgesTable(names, records=rows, unit=unit, notes=(*notes,))
    table = table_in(text)
    return JudgesTable(table.names, table, notes=(*notes, *table.notes)) if table else None


def _of_parquet(
    data: bytes, file: File, wanted: Callable[[Sequence[str]], object]
) -> JudgesTable | None:
    # Imported here, because it takes a tenth of a second and few files are Parquet.
    import pyarrow as pa
    import pyarrow.parquet as pq

    from .from_tables.arrow_stream import is_text, plain_type
    from .from_tables.parquet import read_columns

    try:
        schema = pq.read_schema(pa.BufferReader(data))
        names = tuple(schema.names)
        if first_of(OPTIONAL["judge"], names) is not None or not wanted(names):
            return JudgesTable(names)
        simple = (pa.types.is_integer, pa.types.is_floating, is_text)
        kept = [each.name for each in schema if any(is_a(plain_type(each.type)) for is_a in simple)]
        document = names[first_of(SYNONYMS["document"], names) or 0]
        if document not in kept or len(set(names)) < len(names):
            return JudgesTable(names)
        table = read_columns(data, kept, document, PER_ROW * len(kept), file)
    except ReadError:
        raise
    except (pa.ArrowException, OSError, ValueError):
        # A damaged file, which the reader of qrels explains.
        return None
    return JudgesTable(tuple(kept), columns=table.select(kept), unit="row")


def _values(column: Any) -> list[Any]:
    """Return the values of a column as JSON has them; NaN, pandas' blank, as null."""
    return [
        (None if value != value else JsonNumber(repr(value)))
        if isinstance(value, int | float)
        else value
        for value in column.to_pylist()
    ]


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
    shared = _shared(data, name)
    if (only := only_member(shared, name)) and (found := _of_member(*only)):
        return found
    return named(of_kind(Qrels, read_all(Qrels, shared, name, Budget()), name))


def only_table(
    data: Source, name: str = "", wanted: Callable[[Sequence[str]], object] = judge_columns
) -> tuple[JudgesTable, File] | None:
    """Return the table in a file whose columns have names; None for any other, or for several.

    ``wanted`` says whether Parquet with these names is read; otherwise only its names are returned.

    Raises ReadError when the file cannot be unpacked or decoded, or is too large.

    Examples
    --------
    >>> table, _ = only_table(b"query,document,alice,bob\\nq1,d1,2,1")
    >>> table.names
    ('query', 'document', 'alice', 'bob')
    """
    name = file_names.name_of(data, name)
    if (only := only_member(_shared(data, name), name)) is None:
        return None
    member, file = only
    table = table_of(member.data, file, wanted)
    return None if table is None else (table, file)


def _shared(data: Source, name: str) -> Shared:
    """Return a source that can be read more than once, with the results of earlier steps."""
    done = data.done if isinstance(data, Shared) else {}
    source = settled(path_or_bytes(data, name))
    return Shared(source if isinstance(source, bytes) else Path(source), done)


def only_member(shared: Shared, name: str) -> tuple[Member, File] | None:
    """Return the one file in an upload; None for an archive of several."""
    file = File(file_names.shown(name), done=shared.done)
    with open_bytes(shared.data) as stream:
        members = file.once("unpacked", lambda: unpack(stream.read(), file))
    return (members[0], file.member(members[0].name)) if len(members) == 1 else None


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
        name = free(each.name, found.keys() | others)
        found[name] = each if name == each.name else each.renamed(name)
    return found


def _of_member(member: Member, file: File) -> dict[str, Qrels]:
    """Return the judges that a file names in a column or in its header; none where it has none."""
    table = table_of(member.data, file)
    if table is None:
        return {}
    if None not in (
        first_of(known, table.names) for known in (OPTIONAL["judge"], SYNONYMS["grade"])
    ):
        rows, notes = rows_of(Qrels, member, file, None)
        return _by_judge(rows[Qrels], [*notes, *member.notes], file) if Qrels in rows else {}
    return _by_column(table, file, member.notes)


def _by_judge(rows: Rows, notes: Sequence[Note], file: File) -> dict[str, Qrels]:
    """Return the qrels of each judge that a column names.

    Raises ReadError for a row without a judge, a name that is too long, and too many judges.
    """
    if rows.problems:
        raise ReadError(rows.problems)
    read_labels(rows, file)
    for row, judge in enumerate(rows.judges):
        if not judge.strip(" \t") or len(judge) > file.limits.id:
            many = f"a judge's name of {len(judge):,} characters"
            found = many if judge else "a row without a judge"
            expected = f"the name of the judge, of {file.at_most('id')}"
            fix, line = "Name the judge of every row.", rows.line[row]
            raise ReadError([file.problem("E-JUDGE", found, expected, fix, line, unit=rows.unit)])
    parts = rows.by(rows.judges)
    _require_few(len(parts), len(rows.line), file)
    notes = [*notes, *names_alike(parts, "names of judges")]
    return _judges(parts, notes, file)


def _require_few(judges: int, rows: int, file: File) -> None:
    if judges > MOST:
        fix = "Check that the column names the judges; keep those to be compared."
        raise file.error("E-SIZE", f"{judges:,} judges", f"at most {MOST}", fix)
    if judges * rows > MOST_CELLS:
        found = f"{rows:,} judgments of {judges} judges"
        fix = "Keep the judges to be compared."
        raise file.error("E-SIZE", found, f"at most {MOST_CELLS:,} in all as a table", fix)


def _by_column(table: JudgesTable, file: File, notes: Sequence[Note]) -> dict[str, Qrels]:
    """Return the judges that have a column of grades each; none where there are not two."""
    columns = judge_columns(table.names)
    if not columns:
        return {}
    _require_few(len(columns), table.rows, file)
    records_of = table.numbered()
    by_place = {at: _rows_of_column(table, records_of, at, file) for at in columns}
    # A column without any number, such as one of remarks, is no judge's.
    found = {at: rows for at, rows in by_place.items() if any(map(NUMBER.fullmatch, rows.value))}
    if len(found) < 2:
        return {}
    names = {at: table.names[at].strip() for at in found}
    # Two columns of one name cannot be told apart.
    for name, times in Counter(names.values()).items():
        if times > 1:
            what, fix = f"the column {quote(name)} twice", "Rename or remove one of them."
            line = table.text.line if table.text else None
            raise file.error("E-HEADER", what, "a column for each judge", fix, line)
    listed = ", ".join(map(quote, names.values()))
    text = f"A column of grades for each of {len(found)} judges: {listed}."
    alike = names_alike(names.values(), "names of judges")
    notes = [Note(text, "N-JUDGE-COLUMNS", Severity.REMARK), *alike, *_unused(table, found), *notes]
    return _judges({names[at]: rows for at, rows in found.items()}, notes, file)


def _unused(table: JudgesTable, judges: Iterable[int]) -> list[Note]:
    """Return the note on columns that no judge has."""
    used = {*ids_in(table.names).values()}
    used |= {place for at in judges for place in (at, *beside(table.names, at))}
    names = [name.strip() for at, name in enumerate(table.names) if at not in used]
    if names := [name for name in names if normalised(name) not in OF_NO_USE]:
        text = f"Columns that are not used: {', '.join(map(quote, names))}."
        return [Note(text, UNUSED_COLUMNS), *table.notes]
    return list(table.notes)


def _rows_of_column(
    table: JudgesTable, listed: Sequence[tuple[int, Members]], at: int, file: File
) -> Rows:
    """Return the rows in which one judge gave a grade."""
    names = [""] * len(table.names)
    for part, place in ids_in(table.names).items():
        names[place] = part
    names[at] = "grade"
    for place, name in beside(table.names, at).items():
        names[place] = name
    rows = Rows(unit=table.unit)
    if table.text is None:
        named_so = renamed(listed, Picked(RECORDS, tuple(names), True, table.names))
        given_by = [each for each in named_so if each[1].first("grade") not in (None, "")]
        if given_by:
            rows = read_records(Qrels, given_by, file, table.unit)[Qrels]
    else:
        of_judge = Picked(table.text.delimiter, tuple(names), False).table(table.text.body)
        rows = read_delimited(Qrels, of_judge, file)[Qrels]
        rows = replace(rows.only([row for row, cell in enumerate(rows.value) if cell]), aspects=[])
    rows.called["value"] = f"grade of {quote(table.names[at].strip())}"
    rows.notes = [note for note in rows.notes if note.code != UNUSED_COLUMNS]
    return rows


def _judges(parts: Mapping[str, Rows], notes: Sequence[Note], file: File) -> dict[str, Qrels]:
    judges = {}
    for judge, rows in parts.items():
        qrels = assemble(Qrels, replace(rows, judges=[]), file, judge)
        judges[judge] = qrels.noted((*notes, *qrels.notes))
        file.keep(weight(qrels))
    return judges
