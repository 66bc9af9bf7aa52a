"""CSV, TSV and the like: tables of text with a header that names the columns."""

from __future__ import annotations

import csv
import io
import re
from dataclasses import dataclass

from ..data import Pairs
from .cells import Cells, cells_of, note_excel
from .decode import lines
from .faults import MOST_PROBLEMS
from .header import Columns, columns_of, is_header
from .problems import File, ReadError, quote
from .rows import Rows

_SEP = re.compile('sep=([^"])')
_NAMES = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "pipes"}


@dataclass(frozen=True)
class Head:
    """How a table begins.

    Attributes
    ----------
    names
        The columns' names, as they stand there.
    line
        The number of that line.
    said
        Whether a line ``sep=`` above the names says the delimiter.
    """

    delimiter: str
    names: tuple[str, ...]
    line: int = 1
    said: bool = False


def head_of(text: str) -> Head | None:
    """How a table begins; None when the text is none: its first line names no columns."""
    every = enumerate(lines(text[:1_000_000]), 1)
    filled = ((number, line) for number, line in every if line.strip(" \t"))
    number, first = next(filled, (1, ""))
    said = _SEP.fullmatch(first.strip(" "))
    if said:
        number, first = next(filled, (1, ""))
    for delimiter in [said[1]] if said else _NAMES:
        try:
            names = tuple(next(csv.reader([first], delimiter=delimiter), []))
        except csv.Error:
            return None
        if is_header(names):
            return Head(delimiter, names, number, bool(said))
    return None


def read_delimited(kind: type[Pairs], text: str, file: File, head: Head) -> dict[type[Pairs], Rows]:
    """The rows of a table whose first line is the header.

    Raises
    ------
    ReadError
        When a needed column is missing or stands there twice, or a line is too long.
    """
    names = head.names
    if not names[-1].strip():
        names = names[:-1]
    columns = columns_of(kind, names, file, head.line)
    cells = Cells(columns, file)
    if head.said:
        cells.notes.append(f"The line sep={head.delimiter} on top left out, and followed.")
    if head.delimiter == "|":
        cells.notes.append("Columns separated by |, which is unusual.")
    _fill(cells, text, head, columns, file)
    found = cells_of(kind, cells)
    for rows in found.values():
        note_excel(rows)
    return found


def _fill(cells: Cells, text: str, head: Head, columns: Columns, file: File) -> None:
    """Read the rows below the header into the cells."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=head.delimiter, strict=True)
    wanted, first, blank, above, spaced = len(columns.names), 1, 0, 1 + head.said, 0
    trailing = 0
    try:
        for row in reader:
            first, line = reader.line_num + 1, first
            if not any(cell.strip() for cell in row):
                blank += len(row) > 1 or bool("".join(row).strip(" \t"))
                continue
            if above:
                above -= 1
                if not above and row[:wanted] != list(columns.names):
                    raise _not_one_line(row, line, file)
                continue
            if len(row) == wanted + 1 and not row[-1].strip():
                row, trailing = row[:-1], trailing + 1
            if len(row) != wanted:
                if len(cells.problems) >= MOST_PROBLEMS:
                    break
                found, expected = f"{len(row)} fields", f"{wanted}, as in the header"
                fix = "Quote cells that hold the delimiter, or complete the row."
                cells.problems.append(file.problem("E-FIELDS", found, expected, fix, line))
                continue
            # Spaces and tabs only: other white space may belong to an id.
            tidy = [cell.strip(" \t") for cell in row]
            spaced += tidy != row
            cells.add(line, tidy)
    except csv.Error as error:
        fix = "Close or double the quotes around the cell."
        if "field" in str(error):
            fix = "No cell may be that long; check for a quote that is never closed."
        found = f"a cell that is too long ({error})" if "field" in str(error) else str(error)
        cells.problems.append(file.problem("E-QUOTE", quote(found), "CSV", fix, first))
    if blank:
        cells.notes.append(f"Blank rows, in which every cell is empty, left out: {blank:,}.")
    if trailing and not cells.problems:
        mark = _NAMES.get(head.delimiter, head.delimiter)
        said = (
            f"Rows that end in an empty cell (trailing {mark}), which was left out: {trailing:,}."
        )
        cells.notes.append(said)
    if spaced:
        cells.notes.append(f"Rows whose cells had spaces around them, which were cut: {spaced:,}.")


def _not_one_line(row: list[str], line: int, file: File) -> ReadError:
    found = f"{quote(', '.join(row))} as the columns' names"
    fix = "Check the quotes: each name is closed on the first line."
    return file.error("E-HEADER", found, "the names on one line", fix, line)
