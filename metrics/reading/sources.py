"""What a reader is given: a path, bytes, or a file that is open; and bytes -> text."""

import errno
import os
import re
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO

from ..data import Note
from .problems import File, ReadError

PARQUET = b"PAR1"


@dataclass(frozen=True)
class Shared:
    """A file that is tried in several roles, and the results of the steps that they share."""

    data: bytes | Path
    done: dict[str, Any] = field(default_factory=dict)


Source = str | os.PathLike[str] | bytes | bytearray | memoryview | IO[Any] | Shared
"""A path, bytes, an open file of bytes or text, or one of these that is tried in several roles."""


def path_or_bytes(source: Source, name: str = "") -> str | Path | bytes:
    """Return a source as a path or bytes: the rest of an open file as bytes.

    ``name`` is the file's name in messages.

    Raises ReadError when there is no such file, or this is neither a path, bytes nor an open file.

    Examples
    --------
    >>> import io
    >>> path_or_bytes(io.StringIO("q1 0 d1 1"))
    b'q1 0 d1 1'
    """
    if isinstance(source, Shared):
        source = source.data
    if isinstance(source, bytes):
        return source
    if isinstance(source, bytearray | memoryview):
        return bytes(source)
    if isinstance(source, str | os.PathLike):
        path = Path(source)
        if not _exists(path):
            raise _unread(name or path.name, os.strerror(errno.ENOENT))
        return path
    read = getattr(source, "read", None)
    content = read() if callable(read) else None
    if isinstance(content, str):
        return content.encode("utf-8", "surrogatepass")
    if isinstance(content, bytes):
        return content
    what = f"a {type(source).__name__}"
    expected = "a path, bytes, or a file opened for reading"
    raise File(name or "input").error("E-OPEN", what, expected, "Pass the path of the file.")


def open_bytes(source: str | Path | bytes) -> BinaryIO:
    """Open a path or bytes as a binary file.

    Raises ReadError when the file cannot be opened.
    """
    if isinstance(source, bytes):
        return BytesIO(source)
    try:
        return Path(source).open("rb")
    except OSError as error:
        raise _unread(Path(source).name, str(error.strerror)) from error


def status(path: Path) -> os.stat_result:
    """Return the status of a stored file.

    Raises ReadError when there is none, or something else: a link to nothing, or a pipe, which
    would keep a reader waiting.
    """
    try:
        found = path.stat()
    except OSError as error:
        raise _unread(path.name, str(error.strerror)) from error
    if not stat.S_ISREG(found.st_mode):
        raise _unread(path.name, "a folder, a pipe or a device")
    return found


def is_folder(source: str | Path | bytes) -> bool:
    """Return whether a source is a folder, as engines write a run in Parquet."""
    return not isinstance(source, bytes) and Path(source).is_dir()


def starts_as_parquet(source: str | Path | bytes) -> bool:
    """Return whether a file begins as Parquet does."""
    with open_bytes(source) as stream:
        return stream.read(len(PARQUET)) == PARQUET


def settled(source: str | Path | bytes) -> str | Path | bytes:
    """Return a source that can be read more than once: a pipe as its bytes.

    Raises ReadError when it cannot be read, as a folder cannot.
    """
    if isinstance(source, bytes) or Path(source).is_file():
        return source
    with open_bytes(source) as stream:
        return stream.read()


def _exists(path: Path) -> bool:
    try:
        return path.exists()
    except (OSError, ValueError):
        # Too long for a name, or with a null character: these are rows rather than a path.
        return False


def _unread(name: str, found: str) -> ReadError:
    fix = "Check the path; rows themselves are passed as bytes."
    return File(name[:200]).error("E-OPEN", found, "a file with rows", fix)


BOM = b"\xef\xbb\xbf"
_POINTER, _PROGRAM, _OFFICE = "a Git LFS pointer", "a program", "an old Office document"
_LOCKED = "a workbook or document with a password"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
"""The name of the only part of an Office document that a password protects."""
STARTS = {
    b"%PDF": "a PDF",
    b"\x1f\x8b": "a gzip file",
    b"PK\x03\x04": "a zip archive",
    b"PK\x05\x06": "an empty zip archive",
    PARQUET: "a Parquet file",
    b"7z\xbc\xaf\x27\x1c": "a 7z archive (.7z)",
    b"Rar!": "a RAR archive (.rar)",
    b"\x89PNG": "a picture",
    b"\xff\xd8\xff": "a picture",
    b"GIF87a": "a picture",
    b"GIF89a": "a picture",
    b"SQLite format": "a database",
    b"ARROW1": "an Arrow file",
    b"\xd0\xcf\x11\xe0": _OFFICE,
    b"version https://git-lfs.github.com/spec/": _POINTER,
    # Two letters alone may begin a text.
    b"MZ\x90\0": _PROGRAM,
    b"\x7fELF": _PROGRAM,
}
"""What a file is, by its first bytes, if it holds no rows."""
_FIXES = {
    _POINTER: "Fetch the file that it stands for: git lfs pull.",
    _PROGRAM: "Choose the file with the rows, or pack it without the program.",
    _LOCKED: "Remove the password in the program that set it, and save it again.",
    _OFFICE: "Save the sheet as CSV (UTF-8) and use that.",
}
_PAGE = re.compile(
    r"\s*<(?:!doctype|html|\?xml)[\s>](?![^<]*(?:<\w+[^>]*>\s*)?<(?:topic|query)\b)", re.IGNORECASE
)
_NULS = bytes(4)
# The longer marks come first: that of UTF-32 may begin like that of UTF-16.
_MARKS = {
    b"\xff\xfe\0\0": "UTF-32-LE",
    b"\0\0\xfe\xff": "UTF-32-BE",
    b"\xff\xfe": "UTF-16-LE",
    b"\xfe\xff": "UTF-16-BE",
}
_END_OF_LINE = re.compile(r"\r\n|\n|\r")
_CONTROLS = re.compile(rb"[\x01-\x08\x0e-\x19\x1b\x7f]")


def decode(data: bytes, file: File) -> tuple[str, list[Note]]:
    """Return the text of a file that is not compressed, and notes on how it was read.

    Raises ReadError when it is empty, too large, not text, or text in an unknown encoding.
    """
    if not data:
        raise file.error("E-EMPTY", "an empty file", "rows", "Choose another file.")
    if len(data) > file.limits.expanded:
        fix = "Split it, or cut each ranking at a smaller depth."
        raise file.too_large(f"{len(data):,} bytes", "expanded", fix)
    kind = next((kind for start, kind in STARTS.items() if data.startswith(start)), None)
    if kind == _OFFICE and _ENCRYPTED in data:
        kind = _LOCKED
    if kind:
        usual = "Supported are TREC, CSV, TSV, JSON, JSON Lines and Parquet, also packed."
        fix = _FIXES.get(kind, usual)
        raise file.error("E-FORMAT", kind, "rows of text", fix)
    bom = next((mark for mark in _MARKS if data.startswith(mark)), b"")
    encoding = _MARKS.get(bom) or _unmarked(data)
    text, notes = _wide(data, bom, encoding, file) if encoding else (_utf8(data, file), [])
    if (place := text.find("\0")) >= 0:
        line = len(lines(text[:place]))
        fix = "The file is damaged or not a text file; copy or export it again."
        raise file.error("E-NUL", "a NUL character", "text", fix, line)
    if _PAGE.match(text):
        fix = "Download the file itself, not the page that shows it."
        raise file.error("E-FORMAT", "a web page (HTML or XML)", "rows of text", fix, 1)
    # Not a pattern: it would search to the end of the text again from each such mark.
    if (mark := text.find("\x1a", len(text.rstrip("\x1a\r\n")))) >= 0:
        text = text[:mark]
        end = f"The end-of-file mark (Ctrl-Z) on line {len(lines(text))} was left out."
        notes.append(Note(end, "N-CTRL-Z"))
    return text, notes


def lines(text: str) -> list[str]:
    r"""Split a text into lines at ``\n``, ``\r\n`` and ``\r`` only."""
    return _END_OF_LINE.split(text)


def line_ends(text: str) -> int:
    r"""Return how many ends of a line a text has, which are those of `lines`.

    Examples
    --------
    >>> line_ends("a\nb\r\nc\rd")
    3
    """
    return text.count("\n") + text.count("\r") - text.count("\r\n")


def each_line(text: str, part: int = 1 << 20) -> Iterator[str]:
    r"""Yield the `lines` of a text, which is split a part at a time to save memory.

    At least ``part`` characters are split at a time.

    Examples
    --------
    >>> list(each_line("a\r\n\rb"))
    ['a', '', 'b']
    """
    for within, _ in each_part(text, part):
        yield from lines(within)


def each_part(text: str, part: int = 1 << 20) -> Iterator[tuple[str, str]]:
    r"""Yield whole lines of at least ``part`` characters together, and the line end after them.

    Examples
    --------
    >>> list(each_part("a\nb\r\nc", 2))
    [('a\nb', '\r\n'), ('c', '')]
    """
    start = 0
    while True:
        place = start + part
        # Not between the two characters of one line end.
        if text[place - 1 : place + 1] == "\r\n":
            place -= 1
        end = _END_OF_LINE.search(text, place)
        if end is None:
            break
        yield text[start : end.start()], end[0]
        start = end.end()
    yield text[start:], ""


def _unmarked(data: bytes) -> str:
    """Return the wide encoding that the zero bytes of the first characters suggest; else empty."""
    start = data[:8]
    if not any(start):
        return ""  # A damaged file: no text begins with eight NULs.
    if _NULS in (start[2:4] + start[6:], start[:2] + start[4:6]):
        return "UTF-32"
    return "UTF-16" if _NULS in (start[1::2], start[::2]) else ""


def _wide(data: bytes, bom: bytes, encoding: str, file: File) -> tuple[str, list[Note]]:
    """Return the text of UTF-16 or UTF-32; its byte order mark is required."""
    name = encoding[:6]
    try:
        if not bom:
            raise UnicodeError("no byte order mark")
        note = Note(f"Read as {name}, detected from the first bytes.", "N-ENCODING")
        return data[len(bom) :].decode(encoding), [note]
    except UnicodeError as error:
        found = f"{name} text that cannot be read ({error})"
        fix = "In the program that wrote it, save as UTF-8."
        raise file.error("E-ENCODING", found, "UTF-8 text", fix) from error


def _utf8(data: bytes, file: File) -> str:
    try:
        return data.removeprefix(BOM).decode()
    except UnicodeDecodeError as error:
        if _CONTROLS.search(data[:4096]):
            fix = "Export the rows as TREC, CSV, TSV, JSON or Parquet."
            found = "bytes that are not a text"
            raise file.error("E-FORMAT", found, "rows of text", fix) from error
        place = error.start + len(data) - len(error.object)
        line = len(lines(data[:place].decode("utf-8", "replace")))
        found = f"the byte 0x{data[place]:02x}"
        fix = "Save the file as UTF-8; it may be Latin-1 or not a text file at all."
        raise file.error("E-ENCODING", found, "UTF-8 text", fix, line) from error
