"""The sheets of an Excel workbook (``.xlsx``) -> tables in CSV, which the other readers read.

openpyxl reads row by row, so that a sheet that claims a million columns takes no memory.
"""

from __future__ import annotations

import csv
import io
import warnings
import zipfile
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any

from ...data import Note
from ...words import count, quote
from ..problems import File, ReadError
from ..row_errors import require_room

PART = "xl/workbook.xml"
"""The member of a zip archive that makes it a workbook."""
_SHEETS = "xl/worksheets/"
"""The folder of the sheets."""
_STEP = 1 << 20
_BEFORE_XML = b"\0 \t\r\n\xef\xbb\xbf\xfe\xff"
"""What may come before the first tag: blanks and the marks of UTF-8 and UTF-16."""
_LINE_ENDS = {ord("\n"): " ", ord("\r"): " "}


def has_one_sheet(data: bytes) -> bool:
    """Return whether a zip archive is a workbook of one sheet, without reading the sheet.

    Raises
    ------
    zipfile.BadZipFile
        When the archive is damaged.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
    return PART in names and sum(name.startswith(_SHEETS) for name in names) < 2


def sheets(data: bytes, file: File) -> list[tuple[str, str, tuple[Note, ...]]]:
    """Return the name, the rows as CSV and the notes of each sheet that has rows.

    A row of the sheet is a line of the text with the same number.

    Raises
    ------
    ReadError
        When the workbook is damaged, or larger than the limits.
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
            left = file.limits.values
            for sheet in book.worksheets:
                text, notes, left = _table(sheet, left, file)
                found.append((sheet.title, text, notes))
    except ReadError:
        raise
    except Exception as error:
        # Whatever the XML of a damaged workbook raises.
        what = f"a workbook that cannot be read ({type(error).__name__})"
        fix = "Open it in the program that wrote it and save it again, or save the sheet as CSV."
        raise file.error("E-XLSX", what, "a complete .xlsx file", fix) from error
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
    most = file.limits.values
    found = f"a workbook of more than {most:,} {what}"
    expected = f"at most {most:,} (limit values)"
    return file.error("E-SIZE", found, expected, "Save the sheet as CSV, which is read faster.")


def _table(sheet: Any, left: int, file: File) -> tuple[str, tuple[Note, ...], int]:
    """Return the rows of a sheet as CSV without columns that are empty, notes, and cells left.

    ``left``: at most this many cells are read, the blank ones before the last of a row with them.
    """
    dates: list[str] = []
    # A sheet may claim a size at which each of its blank rows would take a megabyte.
    sheet.reset_dimensions()
    rows: list[list[str]] = []
    size = 0
    for cells in sheet.iter_rows(values_only=True):
        if (left := left - len(cells)) < 0:
            raise _too_large("cells", file)
        row = [_text(cell, dates) for cell in cells]
        while row and not row[-1]:
            row.pop()
        require_room(len(rows), file)
        size += sum(map(len, row)) + len(row)
        _require_small(len(row), size, file)
        rows.append(row)
    filled = sorted({at for row in rows for at, cell in enumerate(row) if cell})
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for row in rows:
        kept = [row[at] if at < len(row) else "" for at in filled]
        # A title above the table has one cell.
        writer.writerow(kept[:1] if kept and not any(kept[1:]) else kept)
    return stream.getvalue(), tuple(_notes(dates)), left


def _require_small(columns: int, size: int, file: File) -> None:
    limits = file.limits
    if columns > limits.columns:
        found = f"a row of {columns:,} cells"
        expected = f"at most {limits.columns:,} (limit columns)"
        raise file.error("E-SIZE", found, expected, "Leave the other columns out.")
    if size > limits.expanded:
        found = f"a sheet of more than {limits.expanded:,} characters"
        expected = f"at most {limits.expanded:,} (limit expanded)"
        raise file.error("E-SIZE", found, expected, "Split it.")


def _text(cell: Any, dates: list[str]) -> str:
    """Return a cell as text: whole numbers without a point, dates as year-month-day."""
    if cell is None:
        return ""
    if isinstance(cell, datetime | date | time):
        written = cell.isoformat().removesuffix("T00:00:00")
        dates.append(written)
        return written
    if isinstance(cell, float) and cell.is_integer() and abs(cell) < 2**53:
        return str(int(cell))
    return str(cell).translate(_LINE_ENDS)


def _notes(dates: list[str]) -> Iterator[Note]:
    if dates:
        yield Note(
            f"{count(len(dates), 'cell')} with a date, read as text, the first is "
            f"{quote(dates[0])}: Excel may have made it of an id.",
            "N-EXCEL-DATE",
        )
