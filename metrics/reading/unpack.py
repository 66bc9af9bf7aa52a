"""Packed files, such as gzip and zip, unpacked within limits and checked to their end."""

import io
import math
import re
import stat
import struct
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass

from ..data import Note
from ..limits import Limits
from ..words import count, quote
from . import packed_streams
from .from_tables import workbook
from .problems import File, ReadError

_FIRST_OF_ZIP, _LAST_OF_ZIP = b"PK\x03\x04", b"PK\x05\x06"
_END = 22
"""Bytes of the record that ends an archive, without its comment."""
SMALL = 10_000_000
"""Up to this many bytes any compression ratio is harmless."""
LONGEST_NAME = 1_000
"""A member's name has at most this many characters, folders included."""
_SHOWN = 200
"""At most this many characters of a member's name are shown."""
_LISTED, _AROUND = 10_000, 1 << 17
"""The most bytes that list one member of an archive, and the bytes read to find that list."""
_ONLY = "Pack only the runs and the qrels."
_READ_AGAIN = "The file was cut off or damaged; download or compress it again."
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
"""`zipfile` unpacks other methods all at once: two kilobytes of bzip2 may become many GB."""
_BESIDE = re.compile(r"__MACOSX/|(.*/)?([.]_[^/]*|[.]DS_Store|Thumbs[.]db|desktop[.]ini)?$", re.S)
"""The names of folders, and of hidden files of macOS or Windows."""
_OFFICE = {"[Content_Types].xml": "an Office document", "mimetype": "an OpenDocument"}


@dataclass(frozen=True)
class Member:
    """An uncompressed file, and notes on its compression.

    Attributes
    ----------
    name
        With the folders of the archive.
    is_sheet
        Whether it is a sheet of a workbook, as a table.
    """

    name: str
    data: bytes
    notes: tuple[Note, ...] = ()
    is_sheet: bool = False


def is_zip(data: bytes) -> bool:
    """Return whether the bytes begin like a zip archive, which may be empty."""
    return data[:4] in (_FIRST_OF_ZIP, _LAST_OF_ZIP)


def shortened(name: str) -> str:
    """Return a member's name for messages and notes; a long one as its beginning and end."""
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN // 2]}…{name[1 - _SHOWN // 2 :]}"


def room(packed: int, limits: Limits) -> int:
    """Return how many bytes ``packed`` compressed bytes may expand to."""
    return min(limits.expanded, max(SMALL, limits.ratio * packed))


def unpack(data: bytes, file: File) -> list[Member]:
    """Return the files in a zip archive, or the one in gzip, bzip2, xz, Zstandard or lz4.

    Any other file is returned as it is.

    Raises
    ------
    ReadError
        When it is damaged, protected by a password, has no file or one with an unsafe name, or
        expands to more than the limits allow.
    """
    if is_zip(data):
        return _unzipped(data, file)
    if kind := packed_streams.packing(data):
        return [_streamed(data, kind, file)]
    return [Member(file.name, data)]


def _streamed(data: bytes, kind: packed_streams.Packing, file: File) -> Member:
    parts: list[bytes] = []
    notes: tuple[Note, ...] = ()
    left = most = room(len(data), file.limits)
    corrupt = ""
    try:
        for part in kind.parts(data, most + 1):
            parts.append(part)
            left -= len(part)
            if left < 0:
                raise _too_large(file, most, len(data))
    except packed_streams.OtherDataError as error:
        notes = (_trailing(error.size, f"{kind.name} data"),)
    except packed_streams.CutOffError:
        corrupt = f"{kind.name} data that ends too early: truncated or corrupt"
    except packed_streams.DAMAGE as error:
        corrupt = f"corrupt {kind.name} data ({error})"
    if corrupt:
        raise file.error(kind.code, corrupt, f"a complete {kind.name} file", _READ_AGAIN)
    whole = b"".join(parts)
    if packed_as(whole):
        found, fix = f"{kind.name} data compressed twice", "Unpack it once and use the result."
        raise file.error(kind.code, found, "data compressed once", fix)
    return Member(file.name, whole, notes)


def packed_as(data: bytes) -> str:
    r"""Return the extension of files that are packed as this one is; empty for no packing.

    Examples
    --------
    >>> packed_as(b"\x1f\x8b"), packed_as(b"q1 0 d1 1")
    ('gz', '')
    """
    if is_zip(data):
        return "zip"
    kind = packed_streams.packing(data)
    return kind.ending if kind else ""


class _Bounded(io.BytesIO):
    """Bytes that limit how much ``zipfile`` reads to list the members of an archive.

    The archive may lie about the number and size of its members, but not about the bytes read.
    """

    def __init__(self, data: bytes, file: File) -> None:
        super().__init__(data)
        self._file = file
        self.most = _AROUND + _LISTED * file.limits.members
        self.left: float = self.most

    def read(self, size: int | None = -1, /) -> bytes:
        """Read bytes, up to the size that the list of the most members allowed can have."""
        data = super().read(size)
        self.left -= len(data)
        if self.left < 0:
            found = f"a zip archive that lists its members in more than {self.most:,} bytes"
            raise self._file.error("E-ZIP", found, self._file.at_most("members"), _ONLY)
        return data


def _unzipped(data: bytes, file: File) -> list[Member]:
    try:
        with _Bounded(data, file) as stream, zipfile.ZipFile(stream) as archive:
            stream.left = math.inf
            if min((entry.header_offset for entry in archive.infolist()), default=0):
                found = "a zip archive with other data before it"
                fix = "Two archives seem to be joined: use each on its own."
                raise file.error("E-ZIP", found, "one archive", fix)
            entries = [entry for entry in archive.infolist() if not _BESIDE.match(entry.filename)]
            _check(entries, len(data), file)
            end = data.rfind(_LAST_OF_ZIP) + _END + len(archive.comment)
            follows = packed_streams.FILLED.search(data, end)
            notes = (_trailing(len(data) - end, "zip archive"),) if follows else ()
            if workbook.PART in archive.namelist():
                return _sheets(data, notes, file)
            return [_member(archive, entry, notes, file) for entry in entries]
    except ReadError:
        raise
    except DAMAGE as error:
        what = "corrupt" if _LAST_OF_ZIP in data else "truncated"
        raise file.error("E-ZIP", f"a {what} zip archive", "a complete one", _READ_AGAIN) from error


def _sheets(data: bytes, notes: tuple[Note, ...], file: File) -> list[Member]:
    """Return the sheets of a workbook as tables: one under the file's own name, or several."""
    found = workbook.sheets(data, room(len(data), file.limits), file)
    if not found:
        raise file.error("E-EMPTY", "a workbook without rows", "rows", "Fill it.")
    return [
        Member(
            f"{file.name} {name}.csv" if len(found) > 1 else file.name,
            text.encode("utf-8", "surrogatepass"),
            (*notes, *of_sheet),
            is_sheet=True,
        )
        for name, text, of_sheet in found
    ]


DAMAGE = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OSError),
    *(RuntimeError, LookupError, MemoryError),
)
"""What `zipfile` raises for a damaged archive."""


def _check(entries: list[zipfile.ZipInfo], packed: int, file: File) -> None:
    """Refuse an archive by its list of members, before anything is unpacked."""
    names = [entry.filename for entry in entries]
    if not names:
        raise file.error("E-ZIP", "no file in the zip archive", "at least one", "Pack it again.")
    if len(names) > file.limits.members:
        found = f"{len(names):,} members in the zip archive"
        raise file.error("E-ZIP", found, file.at_most("members"), _ONLY)
    if long := next((name for name in names if len(name) > LONGEST_NAME), None):
        found = f"a member whose name has {len(long):,} characters, {quote(long)}"
        expected = f"at most {LONGEST_NAME:,}"
        raise file.error("E-ZIP", found, expected, "Pack the files themselves again.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        found = f"{quote(twice[0])} twice in the zip archive"
        raise file.error("E-ZIP", found, "each name once", "Pack it again.")
    office = next((_OFFICE[name] for name in names if name in _OFFICE), None)
    if office and workbook.PART not in names:
        fix = "Save the sheet as .xlsx or CSV (UTF-8) and use that."
        raise file.error("E-FORMAT", f"{office} (such as .docx or .ods)", "a run or qrels", fix)
    for entry in entries:
        name = entry.filename.replace("\\", "/")
        if name.startswith("/") or ":" in name[:2] or ".." in name.split("/") or "\0" in name:
            found = f"a member with the name {quote(entry.filename)}"
            expected = "a name that stays within the archive"
            raise file.error("E-ZIP", found, expected, "Pack the files themselves again.")
        if stat.S_ISLNK(entry.external_attr >> 16):
            fix = "Pack the file itself."
            raise file.error("E-ZIP", f"a symbolic link, {quote(name)}", "a file", fix)
        if entry.flag_bits & 1:
            found = f"{quote(name)}, protected by a password"
            fix = "Pack it again without one."
            raise file.error("E-ZIP", found, "an archive without a password", fix)
        if entry.compress_type not in _METHODS:
            found = f"{quote(name)}, compressed with another method than Deflate"
            raise file.error("E-ZIP", found, "a zip archive with Deflate", "Pack it again.")
    if sum(entry.file_size for entry in entries) > (most := room(packed, file.limits)):
        raise _too_large(file, most, packed)


def _trailing(size: int, what: str) -> Note:
    """Return a note on bytes that follow what a file should be."""
    return Note(f"{count(size, 'byte')} after the end of the {what} left out.", "N-TRAILING")


def _member(
    archive: zipfile.ZipFile, entry: zipfile.ZipInfo, notes: tuple[Note, ...], file: File
) -> Member:
    with archive.open(entry) as stream:
        # The declared size was checked; the real size must not exceed it.
        data = stream.read(entry.file_size + 1)
        whole = len(data) == entry.file_size and not stream.read(1)
    if not whole:
        found = f"{quote(entry.filename)}, whose size differs from the archive's list: corrupt"
        raise file.error("E-ZIP", found, "a complete archive", _READ_AGAIN)
    if packed_as(data):
        found = f"an archive nested in the archive, {quote(entry.filename)}"
        raise file.error("E-ZIP", found, "plain files", "Unpack the outer archive first.")
    return Member(entry.filename, data, notes)


def _too_large(file: File, most: int, packed: int) -> ReadError:
    limits = file.limits
    bound = f"limit expanded, {limits.expanded:,}"
    if most < limits.expanded:
        bound = f"limit ratio, {limits.ratio} times its compressed size of {packed:,}"
    found = f"a file that expands to more than {most:,} bytes"
    fix = "Split it, or cut each ranking at a smaller depth."
    return file.error("E-SIZE", found, f"at most {most:,} bytes ({bound})", fix)
