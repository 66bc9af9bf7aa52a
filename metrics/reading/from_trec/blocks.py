"""A file in blocks that end where a query ends, so that large files stay out of memory."""

import mmap
import os
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import BinaryIO

from ...limits import current
from ..packed_streams import FIRST_STEP, LAST_STEP
from ..unpack import room

SIZE = 1 << 22
"""Bytes of a block: about a hundred thousand rows. More would take memory and save no time."""

Block = tuple[Callable[[], bytes], int]
"""A function that reads the bytes of a block, and the position in the file where it ends."""

_WORD = re.compile(rb"[^ \t\r\n]+")


class NotPlainError(Exception):
    """The file is not plain enough for the fast reader; the careful reader takes over."""


class TooManyRowsError(NotPlainError):
    """A file in memory, or packed, has more rows than the limits allow: so many, or more."""


def blocks_of(file: BinaryIO, whole: bool = False) -> Iterator[Block]:
    """Yield the uncompressed bytes in blocks, cut where the first word of a line changes.

    Raises
    ------
    NotPlainError
        When gzip data are corrupt, followed by other data, or too large once expanded.
    TooManyRowsError
        When a file that is in memory, or packed, has more rows than the limit ``plain``.
    """
    if not whole and hasattr(os, "pread") and _is_plain_on_disk(file):
        yield from _on_disk(file)
        return
    # Joined only once they are large: gzip data may expand a byte at a time.
    blocks: list[bytes] = []
    size, goal, rows, most = 0, SIZE, 0, current().plain
    for block in _unpacked(file):
        rows += block.count(b"\n")
        if rows > most:
            raise TooManyRowsError(f"{rows:,} rows")
        blocks.append(block)
        size += len(block)
        if not whole and size >= goal:
            held = b"".join(blocks)
            cut = _cut(held, 0, size)
            if cut:
                yield partial(bytes, held[:cut]), file.tell()
            blocks, size = [held[cut:]], size - cut
            goal = max(SIZE, 2 * size)
    yield partial(bytes, b"".join(blocks)), file.tell()


def _is_plain_on_disk(file: BinaryIO) -> bool:
    """Return whether each block of the file can be read without the earlier ones."""
    if isinstance(file, BytesIO):
        return False
    start = file.read(2)
    file.seek(0)
    return len(start) == 2 and start != b"\x1f\x8b"


def _on_disk(file: BinaryIO) -> Iterator[Block]:
    """Yield blocks that the worker reads itself, so that reading blocks no other thread."""
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as view:
        low, goal = 0, SIZE
        while low + goal < len(view):
            cut = _cut(view, low, low + goal)
            if cut == low:
                goal *= 2
                continue
            yield partial(_read, file.fileno(), low, cut), cut
            low, goal = cut, SIZE
        yield partial(_read, file.fileno(), low, len(view)), len(view)


def _read(number: int, low: int, high: int) -> bytes:
    data = os.pread(number, high - low, low)
    if len(data) < high - low:
        # The file was truncated meanwhile, or the block is too large for one call.
        raise NotPlainError
    return data


def _cut(data: bytes | mmap.mmap, start: int, stop: int) -> int:
    """Return where the last query's lines begin; ``start`` when all lines are of one query.

    A bisection: it errs only when a query has lines in several places, which is noticed when the
    blocks are joined, because the query appears again.
    """
    end = data.rfind(b"\n", start, stop)
    low, high = start, max(data.rfind(b"\n", start, max(end, start)) + 1, start)
    last = _WORD.search(data, high, stop)
    first = _WORD.search(data, start, stop)
    if not last or not first or first.group() == last.group():
        return start
    while True:
        middle = data.rfind(b"\n", low, (low + high) // 2) + 1 or data.find(b"\n", low) + 1
        if middle >= high:
            return high
        word = _WORD.search(data, middle, stop)
        if word and word.group() == last.group():
            high = middle
        else:
            low = middle


def _size(file: BinaryIO) -> int:
    """Return the size of a file in bytes and keep its position."""
    place = file.tell()
    size = file.seek(0, os.SEEK_END)
    file.seek(place)
    return size


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    data = file.read(SIZE)
    if data[:2] != b"\x1f\x8b":
        while data:
            yield data
            data = file.read(SIZE)
        return
    left = room(_size(file), current())
    stream, at, step = zlib.decompressobj(wbits=31), 0, FIRST_STEP
    while data:
        taken = data[at : at + step]
        try:
            block = stream.decompress(taken, SIZE)
        except zlib.error as error:
            raise NotPlainError from error
        left -= len(block)
        if left < 0:
            raise NotPlainError
        yield block
        at += len(taken) - len(stream.unconsumed_tail) - len(stream.unused_data)
        step = min(2 * step, LAST_STEP)
        if at == len(data):
            data, at = file.read(SIZE), 0
        if stream.eof and data:
            stream, step = zlib.decompressobj(wbits=31), FIRST_STEP
    if not stream.eof:
        raise NotPlainError
