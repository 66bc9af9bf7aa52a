"""A plain TREC file, part after part, on as many cores as there are."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, TypeVar

import numpy as np
import pyarrow as pa

from ...arrays import Floats, Ints
from ...data import PairsT
from ..decode import BOM
from ..rank_column import joined
from .blocks import NotPlainError, parts
from .blocks import Part as Block
from .fast_rows import Part, looks_plain, read_plain

T = TypeVar("T")

MOST_WORKERS = 4
"""Each holds a part of the file; more would take memory and wait for the disk."""


def read_quickly(kind: type[PairsT], file: BinaryIO, name: str) -> PairsT | None:
    """The rows of a plain TREC file; None when the careful reader has to look at it."""
    try:
        read = [part for part, _ in over_parts(kind, file, _as_it_is)]
        if not in_one_place(part.pairs.queries for part in read):
            file.seek(0)
            read = [part for part, _ in over_parts(kind, file, _as_it_is, whole=True)]
        tag = only_tag(part.pairs.tag for part in read)
    except NotPlainError:
        return None
    return replace(_joined(kind, read, name), tag=tag)


def over_parts(
    kind: type[PairsT], file: BinaryIO, work: Callable[[Part[PairsT]], T], *, whole: bool = False
) -> Iterator[tuple[T, int]]:
    """What ``work`` makes of each part, in order, and the place in the file where it ends.

    Parameters
    ----------
    whole
        Take the file as one part, which a query with rows in several places needs.

    Raises
    ------
    NotPlainError
        When a part is not plain, or the file is empty.
    """

    def worked(read: Callable[[], bytes]) -> T | None:
        part = read_plain(kind, read())
        return None if part is None else work(part)

    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    waiting: deque[tuple[Future[T | None], int]] = deque()
    with ThreadPoolExecutor(workers) as pool:
        for block in chain(_of_a_trec_file(parts(file, whole)), [None]):
            if block is not None:
                read, end = block
                waiting.append((pool.submit(worked, read), end))
            while len(waiting) > (workers if block is not None else 0):
                future, place = waiting.popleft()
                result = future.result()
                if result is not None:
                    yield result, place


def in_one_place(parts: Iterable[tuple[str, ...]]) -> bool:
    """Whether no query has rows in more than one part."""
    seen: set[str] = set()
    count = 0
    for queries in parts:
        seen.update(queries)
        count += len(queries)
    return len(seen) == count


def only_tag(tags: Iterable[str]) -> str:
    """The one run tag of all parts; empty for qrels.

    Raises
    ------
    NotPlainError
        When there are several tags, which the careful reader notes, or no rows.
    """
    found = set(tags)
    if len(found) != 1:
        raise NotPlainError
    return found.pop()


def _as_it_is(part: Part[PairsT]) -> Part[PairsT]:
    return part


def _of_a_trec_file(blocks: Iterator[Block]) -> Iterator[Block]:
    """The parts, when the first one says that they are TREC; without the byte order mark."""
    read, end = next(blocks)
    first = read().removeprefix(BOM)
    if not looks_plain(first):
        raise NotPlainError
    yield partial(bytes, first), end
    yield from blocks


def _joined(kind: type[PairsT], read: list[Part[PairsT]], name: str) -> PairsT:
    """All rows as one; ``read`` is emptied, so that no column is held twice for long."""
    queries: list[str] = []
    query: list[Ints] = []
    document: list[pa.StringArray] = []
    value: list[Floats] = []
    for part in read:
        query.append(part.pairs.query + len(queries))
        queries += part.pairs.queries
        document.append(part.pairs.document)
        value.append(part.pairs.value)
    notes = joined(part.order for part in read).notes()
    del part
    read.clear()
    return kind(tuple(queries), _emptied(query), _emptied(document), _emptied(value), name, notes)


def _emptied(column: list[Any]) -> Any:
    """The parts of a column joined, and let go."""
    join = np.concatenate if isinstance(column[0], np.ndarray) else pa.concat_arrays
    whole = join(column)
    column.clear()
    return whole
