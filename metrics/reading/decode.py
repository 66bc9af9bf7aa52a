"""Bytes of a file -> text: gzip undone and checked, UTF-8 required."""

from __future__ import annotations

import re
import zlib
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from .problems import Problem, ReadError

LIMIT = 2_000_000_000
"""Largest size in bytes of a file once unpacked."""

STARTS = {b"%PDF": "a PDF", b"PK\x03\x04": "a zip archive", b"PAR1": "a Parquet file"}
_END_OF_LINE = re.compile(r"\r\n|\n|\r")


def file_name(source: str | Path | bytes, name: str) -> str:
    """What to call a source in messages."""
    return name or ("input" if isinstance(source, bytes) else Path(source).name)


def open_bytes(source: str | Path | bytes) -> BinaryIO:
    """A source as a file that can be read more than once; a pipe is read to its end."""
    if isinstance(source, bytes):
        return BytesIO(source)
    file = Path(source).open("rb")  # noqa: SIM115
    if file.seekable():
        return file
    with file:
        return BytesIO(file.read())


def decode(data: bytes, file: str) -> str:
    """The text of a file, plain or gzipped; a byte order mark is dropped.

    Raises
    ------
    ReadError
        When it is empty, cut off, too large, not text, or not UTF-8.
    """
    if data[:2] == b"\x1f\x8b":
        data = _gunzip(data, file)
    if not data:
        raise ReadError([Problem("E-EMPTY", file, "an empty file", "rows", "Choose another.")])
    for start, kind in STARTS.items():
        if data.startswith(start):
            raise _not_text(file, kind)
    if data[:2] in (b"\xff\xfe", b"\xfe\xff") or data[1:8:2] == b"\0" * 4:
        fix = "In the program that wrote it, save as UTF-8."
        raise ReadError([Problem("E-ENCODING", file, "UTF-16 text", "UTF-8 text", fix)])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = len(lines(data[: error.start].decode("utf-8-sig", "replace")))
        found = f"the byte 0x{data[error.start]:02x}"
        fix = "Save the file as UTF-8; it may be Latin-1 or not a text file at all."
        raise ReadError([Problem("E-ENCODING", file, found, "UTF-8 text", fix, line)]) from error
    if (place := text.find("\0")) >= 0:
        line = text.count("\n", 0, place) + 1
        fix = "The file is damaged or not a text file; copy or export it again."
        raise ReadError([Problem("E-NUL", file, "a NUL character", "text", fix, line)])
    return text


def lines(text: str) -> list[str]:
    r"""The lines of a text, ended by ``\n``, ``\r\n`` or ``\r`` and nothing else."""
    return _END_OF_LINE.split(text)


def _gunzip(data: bytes, file: str) -> bytes:
    parts: list[bytes] = []
    room = LIMIT
    while data.strip(b"\0"):
        stream = zlib.decompressobj(wbits=31)
        try:
            parts.append(stream.decompress(data, room + 1))
        except zlib.error as error:
            raise _broken_gzip(file, f"broken gzip data ({error})") from error
        room -= len(parts[-1])
        if room < 0:
            found = f"more than {LIMIT:,} bytes once unpacked"
            fix = "Split it, or cut each ranking at a smaller depth."
            raise ReadError([Problem("E-SIZE", file, found, "a smaller file", fix)])
        if not stream.eof:
            raise _broken_gzip(file, "gzip data that ends too early")
        data = stream.unused_data
    return b"".join(parts)


def _broken_gzip(file: str, found: str) -> ReadError:
    fix = "The file was cut off or damaged; download or compress it again."
    return ReadError([Problem("E-GZIP", file, found, "a whole gzip file", fix)])


def _not_text(file: str, kind: str) -> ReadError:
    fix = "Export the rows as TREC, CSV, TSV or JSON."
    return ReadError([Problem("E-FORMAT", file, f"{kind}, not a text file", "rows of text", fix)])
