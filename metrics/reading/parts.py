"""A file in parts that end where a query ends, so that a large one need not be held whole."""

from __future__ import annotations

import mmap
import os
import re
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from typing import BinaryIO

from ..limits import current
from .unpack import room

SIZE = 1 << 23
"""Bytes of a part: about a quarter of a million rows."""

Part = tuple[Callable[[], bytes], int]
"""What reads the bytes of a part, and the place in the file where it ends."""

_WORD = re.compile(rb"[^ \t\r\n]+")


class NotPlainError(Exception):
    """The file is not as plain as the fast reader needs it; the careful one decides."""


def parts(file: BinaryIO, whole: bool = False) -> Iterator[Part]:
    """The unpacked bytes, cut at line ends where the first word of the line changes.

    Raises
    ------
    NotPlainError
        When gzip data is broken, followed by something else, or too large once unpacked.
    """
    if not whole and hasattr(os, "pread") and _is_plain_on_disk(file):
        yield from _on_disk(file)
        return
    held = b""
    for block in _unpacked(file):
        held += block
        if not whole and len(held) >= SIZE and (cut := _cut(held, 0, len(held))):
            yield partial(bytes, held[:cut]), file.tell()
            held = held[cut:]
    yield partial(bytes, held), file.tell()


def _is_plain_on_disk(file: BinaryIO) -> bool:
    """Whether any part of the file can be read without those before it."""
    if isinstance(file, BytesIO):
        return False
    start = file.read(2)
    file.seek(0)
    return len(start) == 2 and start != b"\x1f\x8b"


def _on_disk(file: BinaryIO) -> Iterator[Part]:
    """Parts that are read by whoever takes them: reading holds up no other thread."""
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
        # Somebody cuts the file off meanwhile, or it is too large for one call.
        raise NotPlainError
    return data


def _cut(data: bytes | mmap.mmap, start: int, stop: int) -> int:
    """Where the lines of the last whole line's query begin; ``start`` when all are of one query.

    A bisection: it errs only when a query stands in two places, which whoever joins the parts
    sees from the query's coming back.
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
    """The bytes of a file; its place in it stays."""
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
    stream = zlib.decompressobj(wbits=31)
    while data:
        try:
            block = stream.decompress(data, SIZE)
        except zlib.error as error:
            raise NotPlainError from error
        left -= len(block)
        if left < 0:
            raise NotPlainError
        yield block
        data = stream.unconsumed_tail
        if stream.eof:
            data = stream.unused_data or file.read(SIZE)
            if data:
                stream = zlib.decompressobj(wbits=31)
        data = data or file.read(SIZE)
    if not stream.eof:
        raise NotPlainError
