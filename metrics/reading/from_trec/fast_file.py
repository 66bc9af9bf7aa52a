"""A plain TREC file, read block by block on several cores."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import accumulate, chain
from typing import Any, BinaryIO, TypeVar

import numpy as np
import pyarrow as pa

from ...data import PairsT
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
    return _joined(kind, read, name, tag)


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


def _joined(kind: type[PairsT], read: list[PlainRows[PairsT]], name: str, tag: str) -> PairsT:
    """Return all rows as one run or qrels.

    A file may fill most of the memory, so no column is in memory twice for long: ``read`` is
    emptied once the columns of its blocks are listed, and each list once it is joined.
    """

    def whole(columns: list[Any]) -> Any:
        join = np.concatenate if isinstance(columns[0], np.ndarray) else pa.concat_arrays
        column = join(columns)
        columns.clear()
        return column

    tables = [part.pairs for part in read]
    notes = tuple(joined(part.order for part in read).notes())
    queries = tuple(chain.from_iterable(table.queries for table in tables))
    starts = accumulate([len(table.queries) for table in tables[:-1]], initial=0)
    query = [table.query + start for table, start in zip(tables, starts, strict=True)]
    document = [table.document for table in tables]
    value = [table.value for table in tables]
    read.clear()
    tables.clear()
    return kind(queries, whole(query), whole(document), whole(value), name, notes, tag)
