"""Packed files, such as gzip and zip, unpacked within limits and checked to their end."""

import bz2
import io
import lzma
import math
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from ..data import Note, Severity
from ..limits import Limits
from ..words import count, listed, quote
from .from_tables import workbook
from .problems import File, ReadError

FIRST_STEP, LAST_STEP = 1 << 10, 1 << 20
"""Bytes passed to a stream at once: it copies all that follows it, and streams may be many."""
START = 262
"""The first bytes of a file that show how it is packed."""
_MEMORY = 1 << 28
"""At most this many bytes for the dictionary of an xz file."""
FILLED = re.compile(rb"[^\0]")


@dataclass(frozen=True)
class Packing:
    """A way to pack a file.

    Attributes
    ----------
    name, ending, code
        Its name, the extension of its files, and the code of one that is damaged.
    start
        What every file begins with. Letters alone may begin a text, so bzip2 needs ten bytes.
    parts
        Yields the unpacked parts of the data, none longer than ``most`` bytes.
    """

    name: str
    ending: str
    start: re.Pattern[bytes]
    parts: Callable[[bytes, int], Iterator[bytes]]
    code: str = "E-PACKED"


class OtherDataError(Exception):
    """After the last stream, this many bytes of something else follow."""


_STREAM_DAMAGE = (OSError, ValueError, lzma.LZMAError, zlib.error)
"""What the libraries raise for data that are no such stream."""


def packing(data: bytes) -> Packing | None:
    """Return how a file is packed; None for any other file, such as a zip archive.

    Examples
    --------
    >>> packing(bz2.compress(b"q1 0 d1 1")).name, packing(b"BZh1 0 d1 1")
    ('bzip2', None)
    """
    return next((each for each in (GZIP, *PACKINGS) if each.start.match(data)), None)


def _by_python(
    new: Callable[[], Any], start: re.Pattern[bytes] | None = None
) -> Callable[[bytes, int], Iterator[bytes]]:
    """Return the parts function for a decompressor of the standard library.

    Zeros may follow a stream, and other streams; anything else is no such stream, unless ``start``
    shows that it does not claim to be one.
    """

    def parts(data: bytes, most: int) -> Iterator[bytes]:
        at = 0
        while FILLED.search(data, at):
            if at and start and not start.match(data, at):
                raise OtherDataError(len(data) - at)
            stream, step = new(), FIRST_STEP
            while at < len(data) and not stream.eof:
                taken = data[at : at + step]
                yield stream.decompress(taken, most)
                # That of gzip never holds back more than would be too much anyway.
                while not (stream.eof or getattr(stream, "needs_input", True)):
                    yield stream.decompress(b"", most)
                at += len(taken) - len(stream.unused_data)
                step = min(2 * step, LAST_STEP)
            if not stream.eof:
                raise EOFError

    return parts


def _by_arrow(codec: str) -> Callable[[bytes, int], Iterator[bytes]]:
    def parts(data: bytes, most: int) -> Iterator[bytes]:
        with pa.CompressedInputStream(pa.BufferReader(data), codec) as stream:
            while part := stream.read(LAST_STEP):
                yield part

    return parts


_GZIP = re.compile(rb"\x1f\x8b")
GZIP = Packing(
    "gzip", "gz", _GZIP, _by_python(lambda: zlib.decompressobj(wbits=31), _GZIP), "E-GZIP"
)
PACKINGS = (
    Packing(
        "bzip2",
        "bz2",
        re.compile(rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)"),
        _by_python(bz2.BZ2Decompressor),
    ),
    Packing(
        "xz",
        "xz",
        re.compile(rb"\xfd7zXZ\0"),
        _by_python(lambda: lzma.LZMADecompressor(memlimit=_MEMORY)),
    ),
    Packing("Zstandard", "zst", re.compile(rb"\x28\xb5\x2f\xfd"), _by_arrow("zstd")),
    Packing("lz4", "lz4", re.compile(rb"\x04\x22\x4d\x18"), _by_arrow("lz4")),
)


_TAR, _IS_TAR = b"ustar", slice(257, 262)
"""What a tar archive has there."""
_FIRST_OF_ZIP, _LAST_OF_ZIP = b"PK\x03\x04", b"PK\x05\x06"
_ENTRIES = 10
"""For each member that is allowed, so many entries of a tar archive are looked at."""
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
_NO_DATA = re.compile(
    r"(.*/)?((README|LICEN[CS]E|CITATION|CHANGELOG)[^/]*"
    r"|[^/]*[.](ya?ml|toml|cfg|ini|md|rst|log|py|sh|ipynb|html?|pdf|png|jpe?g|svg))$",
    re.IGNORECASE | re.DOTALL,
)
"""The names of files that tell of the data beside them, such as ``ir-metadata.yml``."""
NO_DATA = "N-NO-DATA"
"""An archive has files beside its data."""
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
    """Return the files in a zip or tar archive, or the one in gzip, bzip2, xz, Zstandard or lz4.

    A tar archive may be packed itself. Any other file is returned as it is.

    Raises ReadError when it is damaged, protected by a password, has no file or one with an unsafe
    name, or expands to more than the limits allow.
    """
    if is_zip(data):
        return _unzipped(data, file)
    kind = packing(data)
    whole = _streamed(data, kind, file) if kind else Member(file.name, data)
    if whole.data[_IS_TAR] != _TAR:
        return [whole]
    found = _unzipped(_as_zip(whole.data, file), file)
    return [replace(each, notes=(*whole.notes, *each.notes)) for each in found]


def is_archive(data: bytes) -> bool:
    """Return whether a file begins like a zip archive or a tar archive, which may be packed."""
    start, kind = data, packing(data)
    if kind:
        start = b""
        # A damaged file is reported where it is read.
        with suppress(*_STREAM_DAMAGE, EOFError, OtherDataError):
            for part in kind.parts(data, START):
                if len(start := start + part) >= START:
                    break
    return is_zip(data) or start[_IS_TAR] == _TAR


def _as_zip(data: bytes, file: File) -> bytes:
    """Return a tar archive as a zip archive, so that both are checked by the same rules."""
    with io.BytesIO() as stream:
        try:
            with (
                tarfile.open(fileobj=io.BytesIO(data), mode="r:") as archive,
                zipfile.ZipFile(stream, "w") as made,
            ):
                for _ in range(_ENTRIES * file.limits.members):
                    if (entry := archive.next()) is None:
                        break
                    if entry.isdir():
                        continue
                    if not entry.isreg() or entry.issparse():
                        found = f"{quote(entry.name)}, a link or another thing that is no file"
                        raise file.error("E-TAR", found, "files", "Pack the file itself.")
                    of_entry = archive.extractfile(entry)
                    name = zipfile.ZipInfo(entry.name.removeprefix("./"))
                    # `zipfile` itself only warns of it.
                    if name.filename in made.NameToInfo:
                        raise _twice(name.filename, file)
                    made.writestr(name, of_entry.read() if of_entry else b"")
                else:
                    found = "a tar archive of very many files and folders"
                    raise file.error("E-TAR", found, file.at_most("members"), _ONLY)
        except (tarfile.TarError, *DAMAGE) as error:
            what = "a corrupt or truncated tar archive"
            raise file.error("E-TAR", what, "a complete one", _READ_AGAIN) from error
        return stream.getvalue()


def _streamed(data: bytes, kind: Packing, file: File) -> Member:
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
    except OtherDataError as error:
        notes = (_trailing(error.args[0], f"{kind.name} data"),)
    except EOFError:
        corrupt = f"{kind.name} data that ends too early: truncated or corrupt"
    except _STREAM_DAMAGE as error:
        corrupt = f"corrupt {kind.name} data ({error})"
    if corrupt:
        raise file.error(kind.code, corrupt, f"a complete {kind.name} file", _READ_AGAIN)
    whole = b"".join(parts)
    if packed_as(whole) not in ("", "tar"):
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
    kind = packing(data)
    return kind.ending if kind else "tar" * (data[_IS_TAR] == _TAR)


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
            of_rows = [entry for entry in entries if not _NO_DATA.match(entry.filename)]
            end = data.rfind(_LAST_OF_ZIP) + _END + len(archive.comment)
            follows = FILLED.search(data, end)
            notes = (_trailing(len(data) - end, "zip archive"),) if follows else ()
            if of_rows and (left := [each.filename for each in entries if each not in of_rows]):
                text = f"Left out of the archive, since they have no rows: {listed(left)}."
                notes = (*notes, Note(text, NO_DATA, Severity.REMARK))
            if workbook.PART in archive.namelist():
                return _sheets(data, notes, file)
            return [_member(archive, entry, notes, file) for entry in of_rows or entries]
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
        raise file.error("E-ZIP", "no file in the archive", "at least one", "Pack it again.")
    if len(names) > file.limits.members:
        found = f"{len(names):,} members in the archive"
        raise file.error("E-ZIP", found, file.at_most("members"), _ONLY)
    if long := next((name for name in names if len(name) > LONGEST_NAME), None):
        found = f"a member whose name has {len(long):,} characters, {quote(long)}"
        expected = f"at most {LONGEST_NAME:,}"
        raise file.error("E-ZIP", found, expected, "Pack the files themselves again.")
    if twice := [name for name, times in Counter(names).items() if times > 1]:
        raise _twice(twice[0], file)
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


def _twice(name: str, file: File) -> ReadError:
    """Return the refusal of an archive in which a name comes again."""
    found = f"{quote(name)} twice in the archive"
    return file.error("E-ZIP", found, "each name once", "Pack it again.")


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
