"""Write a table as CSV."""

import csv
import re
from collections.abc import Collection

from .table import Cell, Table

# Some spreadsheets read the full-width signs as the plain ones, and some start a new cell after a
# semicolon, a tab or a line end.
_FORMULA = re.compile(r"^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


def delimited(table: Table, repeated: Collection[str] = ()) -> str:
    """Return the rows of the table and of its parts under one header.

    Facts that are the same for every row are not repeated on each: the other formats hold them. A
    heading that differs between the parts, such as the measure, is a column; so are the headings
    and labels in ``repeated``, unless the table has such a column.

    Numbers keep all their digits; a missing value is an empty cell. Spreadsheets run a text as a
    formula if it begins with ``=``, ``+``, ``-``, ``@`` (full-width too), a tab or a line end; some
    also if that follows a semicolon, a tab or a line end. Ids come from files that somebody else
    wrote, so an apostrophe is put before each such character. A plain number is harmless and is
    left as it is. `altered` counts the changed texts, so that the change can be reported. To join
    by such ids, use JSON, which does not change them.

    Examples
    --------
    >>> table = Table(("document", "AP"), (("=1+1", 0.5), ("-5", None)), labels={"cut": "a,b"})
    >>> print(delimited(table), end="")
    document,AP
    '=1+1,0.5
    -5,
    """
    tables = [table, *table.parts]
    names = dict.fromkeys(name for each in tables for name in each.columns)
    said = {**table.heading, **table.labels}
    headings: dict[str, set[Cell]] = {}
    for each in tables:
        for name in each.heading.keys() | table.heading.keys():
            headings.setdefault(name, set()).add(each.heading.get(name))
    last = [
        name
        for name in {**said, **headings}
        if (name in repeated and name not in names) or len(headings.get(name, ())) > 1
    ]
    lines = _EndedLines()
    # With this line end the writer also quotes cells that contain a carriage return.
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([*names, *last])
    for each in tables:
        for row in each.rows:
            values = dict(zip(each.columns, row, strict=True))
            cells = [*map(values.get, names), *map({**said, **each.heading}.get, last)]
            writer.writerow(map(_text, cells))
    return "".join(lines)


def for_spreadsheets(table: Table) -> bytes:
    """Return `delimited` as bytes that spreadsheets read as UTF-8: they look for its mark.

    A file can lose its name, so each row says its measure and its convention.
    """
    return delimited(table, ("measure", "convention")).encode("utf-8-sig")


class _EndedLines(list[str]):
    """The lines written so far, each ended by a line feed."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def altered(table: Table) -> int:
    """Return the number of texts in the rows that get an apostrophe."""
    cells = [value for each in (table, *table.parts) for row in each.rows for value in row]
    return sum(isinstance(value, str) and guarded(value) != value for value in cells)


def guarded(value: str) -> str:
    """Return the text with an apostrophe wherever a spreadsheet could start a formula.

    Examples
    --------
    >>> guarded("@a"), guarded("a;=b"), guarded("a=b"), guarded("-5")
    ("'@a", "a;'=b", 'a=b', '-5')
    """
    return value if _NUMBER.fullmatch(value) else _FORMULA.sub("'", value)


def _text(value: Cell) -> str:
    if value is None:
        return ""
    return guarded(value) if isinstance(value, str) else repr(value)
