"""Files packed as one stream, such as gzip and xz, unpacked within limits."""

import bz2
import lzma
import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

FIRST_STEP, LAST_STEP = 1 << 10, 1 << 20
"""Bytes passed to a stream at once: it copies all that follows it, and streams may be many."""
START = 10
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


class CutOffError(Exception):
    """The data end before the stream does."""


class OtherDataError(Exception):
    """After the last stream, this many bytes of something else follow."""

    def __init__(self, size: int) -> None:
        super().__init__(f"{size} bytes of other data")
        self.size = size


DAMAGE = (OSError, ValueError, EOFError, lzma.LZMAError, zlib.error)
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
                raise CutOffError

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
