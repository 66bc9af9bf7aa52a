"""The sheets of an Excel workbook (``.xlsx``) -> tables in CSV, which the other readers read.

openpyxl reads row by row, so that a sheet that claims a million columns takes no memory.
"""

import csv
import io
import re
import warnings
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any

from ...data import Note
from ...words import count
from ..problems import File, ReadError
from ..rows import require_room

PART = "xl/workbook.xml"
"""The member of a zip archive that makes it a workbook."""
_SHEETS = "xl/worksheets/"
"""The folder of the sheets."""
_STEP = 1 << 20
_BEFORE_XML = b"\0 \t\r\n\xef\xbb\xbf\xfe\xff"
"""What may come before the first tag: blanks and the marks of UTF-8 and UTF-16."""
_LINE_BREAK = re.compile(r"(?:[\n\r]|_x000[AD]_)+", re.IGNORECASE)
"""Line breaks in a cell, as they are and as Excel escapes them."""
_LAST_ROW = 1 << 20
"""The most rows that spreadsheet programs have."""
_SAVE = "Open it in a spreadsheet program and save it again, or save the sheet as CSV."
_SHOWN = 80
"""At most this many characters of a cell are in a note."""
_ODD = {
    "cell": {
        "date": "with a date or a duration, read as text, the first is {!r}: Excel may have made "
        "it of an id.",
        "line": "with a line break, read as a blank, the first is {!r}.",
        "formula": "with a formula whose value the file lacks, read as its text, the first is "
        "{!r}. Open the workbook in a spreadsheet program and save it.",
    },
    "row": {
        "hidden": "hidden, read like all others, the first is row {}.",
        "sheet": "of the hidden sheet {!r}, read like all others.",
    },
}
"""The notes on what is not as it seems: how many cells or rows, and the first of them."""


@dataclass
class _Room:
    """How many cells and characters a workbook may still have, and how many characters in all."""

    cells: int
    characters: int
    most: int


_Odd = defaultdict[str, list[str]]
"""What is odd, by its name in `_ODD`: each cell or row."""


def has_one_sheet(data: bytes) -> bool:
    """Return whether a zip archive is a workbook of one sheet, without reading the sheet.

    Raises zipfile.BadZipFile when the archive is damaged.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
    return PART in names and sum(name.startswith(_SHEETS) for name in names) < 2


def sheets(data: bytes, most: int, file: File) -> list[tuple[str, str, tuple[Note, ...]]]:
    """Return the name, the rows as CSV and the notes of each sheet that has rows.

    A row of the sheet is a line of the text with the same number. ``most``: the characters that all
    cells together may have; a text that many cells refer to is in the file once.

    Raises ReadError when the workbook is damaged, or larger than the limits.
    """
    _require_readable(data, file)
    # Imported here, because it takes a fifth of a second and few files are workbooks.
    import openpyxl

    try:
        with warnings.catch_warnings():
            # Styles and data validation that it does not know are no part of the rows.
            warnings.simplefilter("ignore")
            book = openpyxl.load_workbook(
                io.BytesIO(data), read_only=True, data_only=True, keep_links=False
            )
            found = []
            room = _Room(file.limits.values, most, most)
            for sheet in book.worksheets:
                found.append((sheet.title, *_table(sheet, room, file)))
    except ReadError:
        raise
    except Exception as error:
        # Whatever the XML of a damaged workbook raises.
        what = f"a workbook that cannot be read ({type(error).__name__})"
        raise file.error("E-XLSX", what, "a complete .xlsx file", _SAVE) from error
    return [(name, text, notes) for name, text, notes in found if text.strip()]


def _require_readable(data: bytes, file: File) -> None:
    """Refuse XML with a document type, or with more tags and attributes than there is room for.

    The reader would expand the entities that a document type defines, and hold each tag of some
    parts of the workbook. A part that cannot begin XML, such as a picture, is not read.
    """
    left = file.limits.values
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for name in archive.namelist():
            before = b""
            for xml in _xml(archive, name):
                left -= xml.count(b"<") - xml.count(b"</") + xml.count(b"=")
                if left < 0:
                    raise _too_large("tags and attributes of XML", file)
                if b"<!DOCTYPE" in before + xml:
                    fix = "Save the sheet again in a spreadsheet program."
                    raise file.error("E-XLSX", "XML with a document type", "XML without", fix)
                before = xml[-len(b"<!DOCTYPE") :]


def _xml(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    """Yield a member in pieces, UTF-16 as ASCII; nothing if it does not begin as XML does."""
    with archive.open(name) as stream:
        begun = False
        while piece := stream.read(_STEP):
            if not begun and not (piece := piece.lstrip(_BEFORE_XML)):
                continue
            if not begun and not piece.startswith(b"<"):
                return
            begun = True
            yield piece.replace(b"\0", b"")


def _too_large(what: str, file: File) -> ReadError:
    found = f"a workbook of more than {file.limits.values:,} {what}"
    return file.too_large(found, "values", "Save the sheet as CSV, which is read faster.")


def _table(sheet: Any, room: _Room, file: File) -> tuple[str, tuple[Note, ...]]:
    """Return the rows of a sheet as CSV without columns that are empty, and notes."""
    odd = _Odd(list)
    rows: list[list[str]] = []
    for number, cells in _rows(sheet, odd):
        columns = [cell["column"] for cell in cells]
        if not len(rows) < number <= _LAST_ROW or len({*columns}) < len(columns):
            is_twice = len(rows) < number <= _LAST_ROW
            found = "a cell twice" if is_twice else f"row {number:,} after row {len(rows):,}"
            expected = f"each cell once, and rows in order up to {_LAST_ROW:,}"
            raise file.error("E-XLSX", found, expected, _SAVE, number)
        # The blank cells before the last of a row count, too.
        room.cells -= max(columns, default=0)
        if room.cells < 0:
            raise _too_large("cells", file)
        # A sheet may have its first row far down.
        rows += [[]] * (number - len(rows) - 1)
        row = [""] * max(columns, default=0)
        for cell in cells:
            row[cell["column"] - 1] = _text(cell["value"], odd)
            room.characters -= len(row[cell["column"] - 1]) + 1
            if room.characters < 0:
                found = f"a workbook whose cells have more than {room.most:,} characters"
                expected = f"at most {room.most:,} (limits expanded and ratio)"
                fix = "Save the sheet as CSV, which has each text in full."
                raise file.error("E-SIZE", found, expected, fix, number)
        while row and not row[-1]:
            row.pop()
        require_room(len(rows), file)
        if len(row) > file.limits.columns:
            found, fix = f"a row of {len(row):,} cells", "Leave the other columns out."
            raise file.too_large(found, "columns", fix, number)
        rows.append(row)
    if sheet.sheet_state != "visible":
        odd["sheet"] = [sheet.title] * sum(map(bool, rows))
    filled = sorted({at for row in rows for at, cell in enumerate(row) if cell})
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        kept = [row[at] if at < len(row) else "" for at in filled]
        # A title above the table has one cell.
        writer.writerow(kept[:1] if kept and not any(kept[1:]) else kept)
    return stream.getvalue(), tuple(_notes(odd))


def _notes(odd: _Odd) -> Iterator[Note]:
    for unit, texts in _ODD.items():
        for what, text in texts.items():
            if found := odd.get(what):
                about = text.format(found[0][:_SHOWN])
                yield Note(f"{count(len(found), unit)} {about}", f"N-EXCEL-{what.upper()}")


def _rows(sheet: Any, odd: _Odd) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Yield the number and the cells of each row that the sheet lists.

    By openpyxl's own parser, since its rows leave out which are hidden, and what is there twice.
    """
    from openpyxl.worksheet import _reader

    book = sheet.parent
    with sheet._get_source() as source:
        parser = _reader.WorkSheetParser(
            source,
            sheet._shared_strings,
            data_only=True,
            epoch=book.epoch,
            date_formats=book._date_formats,
            timedelta_formats=book._timedelta_formats,
        )
        usual = parser.parse_cell

        def parse_cell(element: Any) -> dict[str, Any]:
            value, formula = element.find(_reader.VALUE_TAG), element.find(_reader.FORMULA_TAG)
            if element.get("t") == "s" and value is not None and "-" in (value.text or ""):
                raise IndexError("a shared text before the first")
            cell: dict[str, Any] = usual(element)
            if value is None and formula is not None:
                cell["value"] = f"={formula.text or ''}"
                odd["formula"].append(cell["value"])
            return cell

        parser.parse_cell = parse_cell
        for number, cells in parser.parse():
            about = parser.row_dimensions.pop(str(number), {})
            if cells and about.get("hidden") in ("1", "true"):
                odd["hidden"].append(str(number))
            yield number, cells


def _text(cell: Any, odd: _Odd) -> str:
    """Return a cell as text: whole numbers without a point, dates as year-month-day."""
    if cell is None:
        return ""
    if isinstance(cell, datetime | date | time | timedelta):
        written = str(cell) if isinstance(cell, timedelta) else cell.isoformat()
        written = written.removesuffix("T00:00:00")
        odd["date"].append(written)
        return written
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    written = _LINE_BREAK.sub(" ", text := str(cell))
    if written != text:
        odd["line"].append(text)
    return written
