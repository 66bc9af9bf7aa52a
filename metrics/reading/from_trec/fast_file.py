"""A plain TREC file, read block by block on several cores.

The blocks end where a query ends, so that large files stay out of memory."""

import mmap
import os
import re
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from io import BytesIO
from itertools import chain
from typing import BinaryIO, Generic, TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv

from ...arrays import Floats, Ints, numbers, repeat, take
from ...data import Pairs, PairsT, Qrels, Run
from ...limits import current
from ...words import is_hidden
from ..assemble import first_fault, of_parts
from ..from_tables.delimited import head_of
from ..problems import File
from ..rank_column import Order, joined, order_of
from ..row_notes import EXACT, USUAL_GRADE, is_level, may_look_alike
from ..rows import is_constant, is_tiny
from ..sources import BOM, STARTS, lines
from ..unpack import FIRST_STEP, LAST_STEP, packed_as, room
from ..workers import in_order

_FIELDS: dict[type[Pairs], list[str]] = {
    Run: ["query", "Q0", "document", "rank", "value", "tag"],
    Qrels: ["query", "0", "document", "value"],
}
_TYPES = {
    "query": pa.string(),
    "document": pa.string(),
    "rank": pa.float64(),
    "value": pa.float64(),
}
_PARSE = csv.ParseOptions(delimiter=" ", quote_char=False, double_quote=False, escape_char=False)


class NotPlainError(Exception):
    """The file is not plain enough for the fast reader; the careful reader takes over."""


@dataclass(frozen=True, eq=False)
class PlainRows(Generic[PairsT]):
    """Rows of a file with one run tag, and the findings on their rank column."""

    pairs: PairsT
    order: Order = field(default_factory=Order)


def looks_plain(data: bytes) -> bool:
    """Return whether a file that begins with these bytes would be read as TREC."""
    start = data.lstrip(b" \t\r\n")
    if start[:1] in (b"", b"{", b"[", b"<") or data.startswith(tuple(STARTS)) or packed_as(data):
        return False
    top = len(data) - len(start)
    line = data[max(data.rfind(b"\n", 0, top), data.rfind(b"\r", 0, top)) + 1 :].partition(b"\n")
    try:
        first = lines(line[0].decode())[0]
        return not head_of(first) and not first.startswith("sep=")
    except UnicodeDecodeError:
        return False


def read_plain(kind: type[PairsT], data: bytes) -> PlainRows[PairsT] | None:
    """Return the rows of whole lines; None when all of them are blank.

    Raises NotPlainError when any row is not proved to be plain.
    """
    data, is_ascii = tidied(data)
    if not data:
        return None
    require(lines_end_within(current().line, data))
    types = {field: _TYPES[field] for field in _FIELDS[kind] if field in _TYPES}
    if kind is Qrels:
        types["0"] = pa.string()
    tag = data[data.rfind(b" ") + 1 :].removesuffix(b"\n")
    # Each row's tag is kept until it is compared.
    require(len(tag) <= current().id)
    if kind is Run:
        types["tag"] = pa.binary(len(tag))
    columns = _columns(kind, data, types)
    queries, query = _coded(columns["query"])
    document = columns["document"]
    # Where every document is Q0, or a rank in qrels, the ids may be in the second column.
    first = document[0].as_py()
    require(not is_constant(first) and (kind is Run or first != "1"))
    if len(queries) == 1 and is_constant(queries[0]):
        # The second column may also contain the queries.
        name = _FIELDS[kind][1]
        second = _columns(kind, data, {name: pa.string()})[name]
        require(all(map(is_constant, pc.unique(second).to_pylist())))
    if kind is Qrels:
        # Numbers in the second column may be aspects.
        require(len(pc.unique(columns["0"])) == 1)
    value = numbers(columns["value"])
    _require_sound(value)
    # A number can underflow to 0 only with an exponent or 300 zeros.
    if (value == 0).any() and (b"e-" in data or b"E-" in data or b"0" * 300 in data):
        written = _columns(kind, data, {"value": pa.string()})["value"]
        zeros = pc.unique(take(written, np.flatnonzero(value == 0)))
        require(not any(map(is_tiny, zeros.to_pylist())))
    if kind is Qrels:
        require(bool(((value >= 0) & (value <= USUAL_GRADE) & (value == np.floor(value))).all()))
    pairs = kind(queries, query, document, value)
    require(first_fault(pairs, File("")) is None)
    if not is_ascii:
        require(not may_look_alike(pairs))
    if not isinstance(pairs, Run):
        return PlainRows(pairs)
    require(not is_level(pairs))
    rank = numbers(columns["rank"])
    _require_sound(rank)
    require(_all_equal(columns["tag"]))
    tagged = replace(pairs, tag=tag.decode())
    return PlainRows(tagged, order_of(pairs, rank))


def _all_equal(texts: pa.FixedSizeBinaryArray) -> bool:
    """Return whether all texts, of one width, are the same."""
    codes = np.frombuffer(texts.buffers()[1], np.uint8, len(texts) * texts.type.byte_width)
    return bool((codes[texts.type.byte_width :] == codes[: -texts.type.byte_width]).all())


def _coded(query: pa.StringArray) -> tuple[tuple[str, ...], Ints]:
    """Return the distinct ids and the index of each row's; rows of a query are mostly adjacent."""
    runs = pc.run_end_encode(query, run_end_type=pa.int32())
    codes = runs.values.dictionary_encode()
    index = repeat(numbers(codes.indices), np.diff(numbers(runs.run_ends), prepend=0))
    return tuple(codes.dictionary.to_pylist()), index.astype(np.int64)


def _columns(kind: type[Pairs], data: bytes, types: dict[str, pa.DataType]) -> dict[str, pa.Array]:
    try:
        table = csv.read_csv(
            pa.BufferReader(data),
            csv.ReadOptions(
                use_threads=False, block_size=len(data) + 1, column_names=_FIELDS[kind]
            ),
            _PARSE,
            csv.ConvertOptions(
                column_types=types, include_columns=list(types), null_values=[], check_utf8=False
            ),
            # Arrow's own pool would keep each thread's peak memory.
            pa.system_memory_pool(),
        )
    except (pa.ArrowInvalid, OverflowError) as error:
        raise NotPlainError from error
    table = table.combine_chunks()
    return {name: table[name].chunk(0) for name in types}


def _require_sound(numbers: Floats) -> None:
    # Arrow reads "nan" and "inf", and overflows to infinity; the careful reader reports the line,
    # and also where whole numbers are too long to be distinguished.
    require(bool((np.abs(numbers) < EXACT).all()))


_BLOCK = 1 << 18
"""Bytes tested at a time: few enough for the processor's cache."""


def survey(data: bytes) -> tuple[bool, bool, bool]:
    """Look at all bytes once, by reductions of a block at a time.

    The result is whether there are control characters other than line feeds, whether all is ASCII,
    and whether all is tidy: something, no two adjacent spaces or line ends, and none at the start
    or end except for one last line feed.

    Examples
    --------
    >>> survey(b"q1 Q0 d1 1 2.5 run\\n")
    (False, True, True)
    >>> survey(b"q1\\tQ0\\td1\\t1\\t2.5\\tr\\xc3\\xbcn\\t\\n")
    (True, False, False)
    """
    codes = np.frombuffer(data, np.uint8)
    odd, ascii_, tidy = False, True, len(data) > 0 and data[0] > 32 and data[-1] != 32
    for at in range(0, len(codes), _BLOCK):
        block = codes[at : at + _BLOCK + 1]
        if block.max() > 126:
            odd |= bool((block == 127).any())
            ascii_ &= bool(block.max() < 128)
            block = np.minimum(block, 126)
        # Modulo 256 a line feed becomes 255; lower codes 245 to 254, other control characters 0
        # to 20, everything else 21 to 115.
        shifted = block - np.uint8(11)
        odd |= bool(shifted.min() <= 20 or shifted.view(np.int8).min() < -1)
        tidy &= bool(np.maximum(block[1:], block[:-1]).min(initial=255) > 32)
    return odd, ascii_, tidy


def tidied(data: bytes) -> tuple[bytes, bool]:
    """Return the lines with one space between fields and one line feed between lines.

    Also returns whether all bytes are ASCII. Blank lines are left out; there may be no others.

    Raises NotPlainError when the careful reader would read the bytes in another way than parsing
    them at the spaces.

    Examples
    --------
    >>> tidied(b"\\n q1  Q0 d1 1 2.5 run \\n\\n")
    (b'q1 Q0 d1 1 2.5 run', True)
    """
    odd, is_ascii, tidy = survey(data)
    if odd:
        data = data.replace(b"\r\n", b"\n")
        # Between tabs, a space would belong to a cell.
        require(b"\t" not in data or b" " not in data)
        data = data.replace(b"\t", b" ")
        odd, is_ascii, tidy = survey(data)
        require(not odd)
    if not tidy:
        data = re.sub(rb" ?\n[ \n]*", b"\n", re.sub(rb"  +", b" ", data)).strip(b" \n")
    # Arrow would treat these bytes as a byte order mark; here they belong to an id.
    require(not data.startswith(BOM))
    # Most files have no # at all, and the search for one character is fast.
    require(b"#" not in data or (data[:1] != b"#" and b"\n#" not in data))
    if not is_ascii:
        _require_utf8(data)
        require(not any(map(is_hidden, set(data.decode()) - {"\n"})))
    return data, is_ascii


def lines_end_within(size: int, data: bytes) -> bool:
    """Return whether no line is longer than ``size``, from the line ends at about every ``size``.

    Examples
    --------
    >>> lines_end_within(3, b"abc\\nab\\n\\nabc"), lines_end_within(3, b"abc\\nabcd\\n")
    (True, False)
    """
    start = 0
    while len(data) - start > size:
        end = data.rfind(b"\n", start, start + size + 1)
        if end < 0:
            return False
        start = end + 1
    return True


def require(proved: bool) -> None:
    """Leave the file to the careful reader unless something is proved.

    Raises NotPlainError when it is not.
    """
    if not proved:
        raise NotPlainError


def _require_utf8(data: bytes) -> None:
    ends = pa.py_buffer(np.array([0, len(data)], np.int64))
    text = pa.LargeStringArray.from_buffers(1, ends, pa.py_buffer(data))
    try:
        text.validate(full=True)
    except pa.ArrowInvalid as error:
        raise NotPlainError from error


SIZE = 1 << 22
"""Bytes of a block: about a hundred thousand rows. More would take memory and save no time."""

Block = tuple[Callable[[], bytes], int]
"""A function that reads the bytes of a block, and the position in the file where it ends."""

T = TypeVar("T")


def read_quickly(kind: type[PairsT], stream: BinaryIO, name: str, file: File) -> PairsT | None:
    """Return the rows of a plain TREC file; None when it needs the careful reader.

    Raises ReadError when it is in memory, or packed, and has more rows than the limits allow.
    """
    try:
        read = [part for part, _ in over_blocks(kind, stream, lambda part: part)]
        if not in_one_place(part.pairs.queries for part in read):
            stream.seek(0)
            read = [part for part, _ in over_blocks(kind, stream, lambda part: part, whole=True)]
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

    With ``whole``, the file is read as one block, which a query with rows in several places needs.

    Raises NotPlainError when a block is not plain, or the file is empty.
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
    queries = [*chain.from_iterable(blocks)]
    return len(set(queries)) == len(queries)


def only_tag(tags: Iterable[str]) -> str:
    """Return the one run tag of all blocks; empty for qrels.

    Raises NotPlainError when there are several tags, which the careful reader notes, or no rows.
    """
    found = set(tags)
    if len(found) != 1:
        raise NotPlainError
    return found.pop()


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

    Raises NotPlainError when gzip data are corrupt, followed by other data, or too large once
    expanded. Raises TooManyRowsError when a file that is in memory, or packed, has more rows than
    the limit ``plain``.
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


def _unpacked(file: BinaryIO) -> Iterator[bytes]:
    data = file.read(SIZE)
    if data[:2] != b"\x1f\x8b":
        while data:
            yield data
            data = file.read(SIZE)
        return
    after = file.tell()
    left = room(file.seek(0, os.SEEK_END), current())
    file.seek(after)
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
