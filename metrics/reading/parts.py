"""A file in parts that end where a query ends, so that a large one need not be held whole."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from .decode import LIMIT

SIZE = 1 << 23
"""Bytes of a part: about a quarter of a million rows."""

_WORD = re.compile(rb"[^ \t\r\n]+")


class NotPlainError(Exception):
    """The file is not as plain as the fast reader needs it; the careful one decides."""


def parts(file: BinaryIO, whole: bool = False) -> Iterator[bytes]:
    """The unpacked bytes, cut at line ends where the first word of the line changes.

    Raises
    ------
    NotPlainError
        When gzip data is broken, followed by something else, or too large once unpacked.
    """
    if whole:
        yield b"".join(_unpacked(file))
        return
    held: list[bytes] = []
    goal = SIZE
    for block in _unpacked(file):
        held.append(block)
        if sum(map(len, held)) < goal:
            continue
        data = b"".join(held)
        cut = _cut(data)
        if cut:
            yield data[:cut]
        held = [data[cut:]]
        goal = max(SIZE, 2 * len(held[0]))
    yield b"".join(held)


def _cut(data: bytes) -> int:
    """Where the lines of the last whole line's query begin; 0 when all lines are of one query.

    A bisection: it errs only when a query stands in two places, which whoever joins the parts
    sees from the query's coming back.
    """
    low, high = 0, data.rfind(b"\n", 0, data.rfind(b"\n")) + 1
    last = _WORD.search(data, high)
    first = _WORD.search(data)
    if not last or not first or first.group() == last.group():
        return 0
    while True:
        middle = data.rfind(b"\n", low, (low + high) // 2) + 1 or data.find(b"\n", low) + 1
        if middle >= high:
            return high
        word = _WORD.search(data, middle)
        if word and word.group() == last.group():
            high = middle
        else:
            low = middle


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    data = file.read(SIZE)
    if data[:2] != b"\x1f\x8b":
        while data:
            yield data
            data = file.read(SIZE)
        return
    room = LIMIT
    stream = zlib.decompressobj(wbits=31)
    while data:
        try:
            block = stream.decompress(data, SIZE)
        except zlib.error as error:
            raise NotPlainError from error
        room -= len(block)
        if room < 0:
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
