"""Records of a JSON list or of JSON Lines: a table whose columns are the keys.

A person may name what the keys contain; the preview shows the keys, or the columns of a table.
"""

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

from ...data import Note, Pairs
from ...data.column_names import SYNONYMS, normalised
from ...words import count, quote
from ..decode import decode
from ..from_tables.cells import Cells, cells_of
from ..from_tables.header import columns_in_lists, columns_of
from ..from_tables.picked import RECORDS, SHOWN, Picked, Preview, preview
from ..problems import File, ReadError
from ..row_errors import MOST_PROBLEMS
from ..rows import NUMBER, Rows
from ..unpack import unpack
from .parse import HALF, JsonNumber, Members, kind_of, numbered_lines, parsed, written


def read_records(
    kind: type[Pairs], records: list[tuple[int, Members]], file: File, unit: str
) -> dict[type[Pairs], Rows]:
    """Return the rows of numbered records.

    Raises
    ------
    ReadError
        When a needed key is missing everywhere, or appears twice in a record.
    """
    first = _names(records)
    line, lines = (records[0][0], first) if unit == "line" else (None, {})
    cells = Cells(columns_of(kind, list(first), file, line, lines), file, unit)
    return cells_of(kind, _filled(cells, records))


def read_listed(
    kind: type[Pairs], listed: list[tuple[str, Members]], file: File
) -> dict[type[Pairs], Rows]:
    """Return the rows of records in lists, each with the query of its list.

    Raises
    ------
    ReadError
        As `read_records` does, and when a record has another query than its list.
    """
    records = [
        (number, _under(query, record, file)) for number, (query, record) in enumerate(listed, 1)
    ]
    cells = Cells(columns_in_lists(kind, list(_names(records)), file), file, "record")
    return cells_of(kind, _filled(cells, records))


def _names(records: Iterable[tuple[int, Members]]) -> dict[str, int]:
    """Return the keys, each with the number of the first record that has it."""
    first: dict[str, int] = {}
    for number, record in records:
        for name in record.names:
            first.setdefault(name, number)
    return first


def _filled(cells: Cells, records: Iterable[tuple[int, Members]]) -> Cells:
    reader = _Reader(cells)
    for number, record in records:
        reader.read(number, record)
    cells.rows.notes += reader.notes()
    return cells


def _under(query: str, record: Members, file: File) -> Members:
    """Return a record with the query of its list."""
    own = [
        value for key, value in record if normalised(key) in SYNONYMS["query"] and value is not None
    ]
    if strange := [value for value in own if value != query]:
        found = f"{kind_of(strange[0])} as the query of a record listed under {quote(query)}"
        fix = f"If {quote(query)} is not a query, keep only its list."
        raise file.error("E-JSON", found, f"records of {quote(query)}", fix)
    others = [(key, value) for key, value in record if normalised(key) not in SYNONYMS["query"]]
    return Members([*others, ("query", query)])


class _Reader:
    """Reader of records, one by one, which counts what it assumes."""

    def __init__(self, cells: Cells) -> None:
        self.columns, self.cells = cells.columns, cells
        self._counted: dict[tuple[str, str], tuple[int, str]] = {}

    def notes(self) -> list[Note]:
        """Return the notes on what was assumed."""
        unit = self.cells.rows.unit
        return [
            Note(f"{count(number, 'value')} of {what}; the first on {unit} {first}.", code)
            for (code, what), (number, first) in self._counted.items()
        ]

    def read(self, number: int, record: Members) -> None:
        """Add one record, or the problem that it has."""
        values = dict(record)
        row = [""] * len(self.columns.names)
        if len(self.cells.rows.problems) >= MOST_PROBLEMS:
            return
        for part, at in self.columns.place.items():
            name = self.columns.names[at]
            if record.names.count(name) > 1:
                self._wrong(number, f"{quote(name)} twice (a duplicate key)", "it once", at)
                return
            if part == "rank" and "value" in self.columns.place and values.get(name) is None:
                # A rank beside a score affects no result.
                continue
            if name not in values:
                self._wrong(number, f"a record without {quote(name)}", f"its {name}", at)
                return
            text = self._text(part, values[name], number, name)
            if text is None:
                expected = "a text or a number" if part in ("query", "document") else "a number"
                half = isinstance(values[name], str) and HALF.search(values[name])
                found = f"{'a lone surrogate in ' if half else ''}{kind_of(values[name])}"
                self._wrong(number, f"{found} as {quote(name)}", expected, at)
                return
            row[at] = text
        for part, place in self.columns.optional.items():
            row[place] = written(values.get(self.columns.names[place]))
            if part != "tags" and HALF.search(row[place]):
                found = f"a lone surrogate in {quote(row[place])}"
                self._wrong(number, found, "a text", place)
                return
        self.cells.add(number, row)

    def _text(self, part: str, value: Any, number: int, name: str) -> str | None:
        """Return a value as text; None when it has the wrong type."""
        is_number = isinstance(value, JsonNumber)
        if part in ("query", "document"):
            if isinstance(value, str) and HALF.search(value):
                return None
            if is_number and not NUMBER.fullmatch(value):
                return None
            if is_number:
                what = f"{quote(name)} written as a number, kept as written"
                self._count("N-NUMBER-ID", what, number, value)
            return str(value) if isinstance(value, str) else None
        if isinstance(value, bool) and part == "value" and self.columns.takes_booleans:
            return str(value)
        if isinstance(value, str) and not is_number and NUMBER.fullmatch(value):
            what = f"{quote(name)} written as a string, read as a number"
            self._count("N-TEXT-VALUE", what, number, value)
        if isinstance(value, str) and (is_number or NUMBER.fullmatch(value)):
            return str(value)
        return None

    def _count(self, code: str, what: str, number: int, value: str) -> None:
        known, first = self._counted.get((code, what), (0, f"{number}, {quote(str(value))}"))
        self._counted[code, what] = known + 1, first

    def _wrong(self, number: int, found: str, expected: str, at: int) -> None:
        file, fix, unit = self.cells.file, "Correct or remove the record.", self.cells.rows.unit
        problem = file.problem("E-JSON", found, expected, fix, number, at + 1, unit)
        self.cells.rows.problems.append(problem)


_LONGEST = 200
"""At most this many characters of a value are shown."""


def preview_of_records(text: str, file: File) -> Preview | None:
    """Return the keys and first values of records; None where none have several values.

    Keys of lists and objects are left out: no part of a row is one.

    Raises
    ------
    ReadError
        When the text is not JSON.
    """
    records = [record for _, record in numbered(text, file)[0]]
    every = chain.from_iterable(records)
    keys = tuple(dict.fromkeys(key for key, of in every if not isinstance(of, Members | list)))
    if not 1 < len(keys) <= file.limits.columns:
        return None
    rows = (tuple(written(record.first(key))[:_LONGEST] for key in keys) for record in records)
    return Preview(RECORDS, (keys, *islice(rows, SHOWN - 1)), has_header=True)


def numbered(text: str, file: File) -> tuple[list[tuple[int, Members]], str]:
    """Return the records of a list or of JSON Lines with their numbers, and what they number.

    Raises
    ------
    ReadError
        When the text is not JSON, or has anything but records.
    """
    if (lines := numbered_lines(text, file)) is not None:
        return lines, "line"
    value = parsed(text, file)
    values = value if isinstance(value, list) else [value]
    if strange := [each for each in values if not isinstance(each, Members)]:
        fix = "Write a list of records, or a record on each line."
        raise file.error("E-JSON", f"{kind_of(strange[0])} in a list", "records", fix)
    return list(enumerate(values, 1)), "row"


def renamed(records: Iterable[tuple[int, Members]], picked: Picked) -> list[tuple[int, Members]]:
    """Return the records with the names that were chosen for their keys, and no other keys.

    Examples
    --------
    >>> picked = Picked(RECORDS, ("query", "", "score"), True, ("topic", "query", "value"))
    >>> ((_, record),) = renamed([(1, Members([("topic", "q1"), ("query", "x")]))], picked)
    >>> list(record)
    [('query', 'q1')]
    """
    names = {key: name for key, name in zip(picked.keys, picked.names, strict=True) if name}
    return [
        (number, Members([(names[key], value) for key, value in record if key in names]))
        for number, record in records
    ]


def preview_of(data: bytes, file: File) -> Preview | None:
    """Return the first rows of a file that is a table or has records; None for any other.

    Examples
    --------
    >>> preview_of(b'[{"topic": "q1", "answer": "d1", "value": 9.5}]', File("a.json")).rows
    (('topic', 'answer', 'value'), ('q1', 'd1', '9.5'))
    """
    try:
        (member,) = unpack(data, file)
        text, _ = decode(member.data, file)
        if text.lstrip(" \t\r\n")[:1] in ("{", "["):
            return preview_of_records(text, file)
    except (ReadError, ValueError):
        return None
    return preview(text)
