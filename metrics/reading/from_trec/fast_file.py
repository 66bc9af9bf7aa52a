"""A plain TREC file, read block by block on several cores.

The blocks end where a query ends, so that large files stay out of memory."""

import mmap
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from io import BytesIO
from typing import BinaryIO, TypeVar

from ...data import PairsT
from ...limits import current
from ..assemble import of_parts
from ..decode import BOM
from ..packed_streams import FIRST_STEP, LAST_STEP
from ..problems import File
from ..rank_column import joined
from ..unpack import room
from ..workers import in_order
from .fast_rows import NotPlainError, PlainRows, looks_plain, read_plain

SIZE = 1 << 22
"""Bytes of a block: about a hundred thousand rows. More would take memory and save no time."""

Block = tuple[Callable[[], bytes], int]
"""A function that reads the bytes of a block, and the position in the file where it ends."""

T = TypeVar("T")


def read_quickly(kind: type[PairsT], stream: BinaryIO, name: str, file: File) -> PairsT | None:
    """Return the rows of a plain TREC file; None when it needs the careful reader.

    Raises
    ------
    ReadError
        When it is in memory, or packed, and has more rows than the limits allow.
    """
    try:
        read = [part for part, _ in over_blocks(kind, stream, _as_it_is)]
        if not in_one_place(part.pairs.queries for part in read):
            stream.seek(0)
            read = [part for part, _ in over_blocks(kind, stream, _as_it_is, whole=True)]
        tag = only_tag(part.pairs.tag for part in read)
    except TooManyRowsError as error:
        raise file.too_large(str(error), "plain") from error
    except NotPlainError:
        return None
    notes = tuple(joined(part.order for part in read).notes())
    parts = [part.pairs for part in read]
    read.clear()
    return replace(of_parts(parts), name=name, notes=notes, tag=tag)


def over_blocks(
    kind: type[PairsT],
    file: BinaryIO,
    work: Callable[[PlainRows[PairsT]], T],
    *,
    whole: bool = False,
) -> Iterator[tuple[T, int]]:
    """Yield the result of ``work`` for each block, in order, and where the block ends.

    Parameters
    ----------
    whole
        Read the file as one block, which a query with rows in several places needs.

    Raises
    ------
    NotPlainError
        When a block is not plain, or the file is empty.
    """

    def worked(block: Block) -> tuple[T | None, int]:
        read, end = block
        part = read_plain(kind, read())
        return None if part is None else work(part), end

    for result, end in in_order(worked, _of_a_trec_file(blocks_of(file, whole))):
        if result is not None:
            yield result, end


def in_one_place(blocks: Iterable[tuple[str, ...]]) -> bool:
    """Return whether no query has rows in more than one block."""
    seen: set[str] = set()
    count = 0
    for queries in blocks:
        seen.update(queries)
        count += len(queries)
    return len(seen) == count


def only_tag(tags: Iterable[str]) -> str:
    """Return the one run tag of all blocks; empty for qrels.

    Raises
    ------
    NotPlainError
        When there are several tags, which the careful reader notes, or no rows.
    """
    found = set(tags)
    if len(found) != 1:
        raise NotPlainError
    return found.pop()


def _as_it_is(part: PlainRows[PairsT]) -> PlainRows[PairsT]:
    return part


def _of_a_trec_file(blocks: Iterator[Block]) -> Iterator[Block]:
    """Yield the blocks of a file that looks like TREC, without the byte order mark."""
    read, end = next(blocks)
    first = read().removeprefix(BOM)
    if not looks_plain(first):
        raise NotPlainError
    yield partial(bytes, first), end
    yield from blocks


_WORD = re.compile(rb"[^ \t\r\n]+")


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
