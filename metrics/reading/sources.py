"""What a reader is given: a path, bytes, or a file that is open."""

import errno
import os
import stat
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import IO, Any, BinaryIO

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

    Parameters
    ----------
    name
        The file's name in messages.

    Raises
    ------
    ReadError
        When there is no such file, or this is neither a path, bytes nor an open file.

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

    Raises
    ------
    ReadError
        When the file cannot be opened.
    """
    if isinstance(source, bytes):
        return BytesIO(source)
    try:
        return Path(source).open("rb")
    except OSError as error:
        raise _unread(Path(source).name, str(error.strerror)) from error


def status(path: Path) -> os.stat_result:
    """Return the status of a stored file.

    Raises
    ------
    ReadError
        When there is none, or something else: a link to nothing, or a pipe, which would keep a
        reader waiting.
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

    Raises
    ------
    ReadError
        When it cannot be read, as a folder cannot.
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
