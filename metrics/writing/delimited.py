"""Tables as CSV."""

from __future__ import annotations

import csv
import re

from .table import Cell, Table

# With the full-width forms, which some spreadsheets take for the plain ones; also behind what some
# of them split a line at.
_FORMULA = re.compile(r"^(?=[\t\r\n])|(?:^|(?<=[;\t\r\n]))(?=[=+\-@\uff1d\uff0b\uff0d\uff20])")
_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


def delimited(table: Table) -> str:
    """One row for each row, of the parts too, with heading and labels as columns.

    Numbers have all their digits, a missing value is an empty cell. Spreadsheets run a text that
    begins with ``=``, ``+``, ``-``, ``@`` (full-width too), a tab or a line end as a formula, some
    also where it stands behind a semicolon, a tab or a line end, and ids come from files that
    others wrote: an apostrophe stands before each, unless the text is a plain number, which is
    harmless. `altered` counts these texts, so that it can be said. Who joins by such ids takes
    JSON, which has them as they are.

    Examples
    --------
    >>> table = Table(("document", "AP"), (("=1+1", 0.5), ("-5", None)), labels={"cut": "a,b"})
    >>> print(delimited(table), end="")
    document,AP,cut
    '=1+1,0.5,"a,b"
    -5,,"a,b"
    """
    tables = [table, *table.parts]
    names = dict.fromkeys(name for each in tables for name in each.columns)
    facts = [{**each.heading, **each.labels} for each in tables]
    said = dict.fromkeys(name for each in facts for name in each)
    # A label must not take the place of a column that is called the same.
    titles = [f"{name}, of all rows" if name in names else name for name in said]
    lines = _Lines()
    # With this line end a cell that holds a carriage return is quoted too.
    writer = csv.writer(lines, lineterminator="\r\n")
    writer.writerow([*names, *titles])
    for each, fixed in zip(tables, facts, strict=True):
        for row in each.rows:
            values = dict(zip(each.columns, row, strict=True))
            cells = [*map(values.get, names), *map(fixed.get, said)]
            writer.writerow(map(_text, cells))
    return "".join(lines)


class _Lines(list[str]):
    """What is written, line by line, each ended by a line feed."""

    def write(self, line: str) -> None:
        self.append(line.removesuffix("\r\n") + "\n")


def altered(table: Table) -> int:
    """How many texts of the rows get an apostrophe."""
    cells = [value for each in (table, *table.parts) for row in each.rows for value in row]
    return sum(isinstance(value, str) and guarded(value) != value for value in cells)


def guarded(value: str) -> str:
    """A text in which no spreadsheet finds a formula.

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
