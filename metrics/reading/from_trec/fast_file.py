"""A plain TREC file, read block by block on several cores."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from typing import BinaryIO, TypeVar

from ...data import PairsT
from ..assemble import of_parts
from ..decode import BOM
from ..problems import File
from ..rank_column import joined
from ..workers import in_order
from .blocks import Block, NotPlainError, TooManyRowsError, blocks_of
from .fast_rows import PlainRows, looks_plain, read_plain

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
        raise file.too_many_rows(str(error), "plain") from error
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
