"""The first (query, document) pair that appears twice: found by hash, confirmed by id.

Three steps, each for the few rows that the one before cannot clear: a small table in which each
pair has a place by the end of its id, a hash of the whole pair, and the ids themselves. A few rows
take only the last one.
"""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import Ints, take

Words = NDArray[np.uint64]
SLICE = 1 << 19
"""Rows hashed at a time, so that intermediate arrays stay small."""

FEW = 200
"""Up to this many rows, comparing their ids is faster than making the table of places."""

ROWS = 1 << 15
"""Rows, of whole queries, put in the table of places at a time: it stays in the processor's cache,
and hardly any two rows share a place."""

MOST_ROWS = 1 << 16
"""More rows of one query, or of queries that are apart, are all hashed as a whole."""

PLACES = 1 << 19
"""The size of the table of places, a power of 2."""

ROUNDS = 3
"""After so many rounds, rows that still share a place are hashed as a whole."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_OF_QUERY = np.uint64(0xD6E8FEB86659FD93)
_FIRST_BYTES = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)


def first_repeat(query: Ints, document: pa.StringArray) -> int | None:
    """Return the first row whose pair is already in an earlier row; None when there is none.

    Examples
    --------
    >>> first_repeat(np.array([0, 0, 1, 0]), pa.array(["a", "b", "a", "a"]))
    3
    """
    rows = _suspects(query, document) if len(query) > FEW else np.arange(len(query))
    seen: set[tuple[int, bytes]] = set()
    # As bytes: a reader may not know yet whether they are UTF-8.
    pairs = zip(query[rows].tolist(), take(document, rows).cast("binary").to_pylist(), strict=True)
    for row, pair in zip(rows.tolist(), pairs, strict=True):
        if pair in seen:
            return int(row)
        seen.add(pair)
    return None


def _suspects(query: Ints, document: pa.StringArray) -> Ints:
    """Return the rows that share a hash: every repeated pair, and hardly any other."""
    table = np.empty(PLACES, np.uint16)
    found = [
        start + _alike(query[start:stop], document[start:stop], table)
        for start, stop in _whole_queries(query)
    ]
    rows = np.concatenate(found) if found else np.zeros(0, np.int64)
    parts = [rows[at : at + SLICE] for at in range(0, len(rows), SLICE)]
    hashed = [_keys(query[part], _ids(document, part)) for part in parts]
    keys = np.concatenate(hashed) if hashed else np.zeros(0, np.uint64)
    ordered = np.sort(keys)
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    return rows[np.isin(keys, shared)] if len(shared) else np.zeros(0, np.int64)


def _ids(document: pa.StringArray, rows: Ints) -> pa.StringArray:
    """Return the ids of ascending rows; without a copy where the rows are adjacent."""
    start, stop = int(rows[0]), int(rows[-1]) + 1
    return document[start:stop] if stop - start == len(rows) else take(document, rows)


def _whole_queries(query: Ints) -> Iterator[tuple[int, int]]:
    """Yield parts of the rows, from start to stop, so that no query is in two of them."""
    apart = bool((query[1:] < query[:-1]).any())
    start = 0
    while start < len(query):
        stop = len(query)
        if not apart and start + ROWS < stop:
            stop = int(np.searchsorted(query, query[start + ROWS - 1], "right"))
        yield start, stop
        start = stop


def _alike(query: Ints, document: pa.StringArray, table: NDArray[np.uint16]) -> Ints:
    """Return the rows whose query and last bytes of the id are those of another: few, or none."""
    if len(query) > MOST_ROWS:
        return np.arange(len(query))
    words = _ends(query, document)
    places = (words >> np.uint64(64 - (PLACES.bit_length() - 1))).view(np.int64)
    rows, place = np.arange(len(query), dtype=table.dtype), places
    alike = np.zeros(len(query), bool)
    for _ in range(ROUNDS):
        # A row that finds another one in its place is compared with it. Where the two differ, the
        # other one leaves, and a new round shows which of the rest share the place.
        table[place] = rows
        winner = table[place]
        lost = np.flatnonzero(winner != rows)
        rows, winner = rows[lost], winner[lost]
        same = words[rows] == words[winner]
        alike[rows[same]] = alike[winner[same]] = True
        rows = rows[~same]
        place = places[rows]
    alike[rows] = True
    return np.flatnonzero(alike)


def _ends(query: Ints, document: pa.StringArray) -> Words:
    """Return a hash of each row's query and of the last bytes of its document id."""
    words = _last_words(document) * _ODD
    words ^= words >> np.uint64(32)
    words += query.astype(np.uint64) * _OF_QUERY
    return words * _ODD


def _last_words(document: pa.StringArray) -> Words:
    """Return the last eight bytes of each id, or the whole id where it is shorter."""
    place, content = _content(document)
    words = _eight_at(np.concatenate([np.zeros(8, np.uint8), content]))[place[1:]]
    size = np.diff(place)
    if size.min() < 8:
        # The bytes before a short id are not its own.
        words >>= (8 * np.clip(8 - size, 0, 7)).astype(np.uint64)
        words[size == 0] = 0
    return words


def _keys(query: Ints, document: pa.StringArray) -> Words:
    """Return a 64-bit hash of each pair."""
    keys: Words = query.astype(np.uint64) * _OF_QUERY
    for rows, word in _words(document):
        mixed = (keys[rows] ^ word) * _ODD
        keys[rows] = mixed ^ (mixed >> np.uint64(32))
    keys *= _ODD
    return keys ^ (keys >> np.uint64(29))


def _words(document: pa.StringArray) -> Iterator[tuple[Ints | slice, Words]]:
    """Yield the ids eight bytes at a time, with the rows that are long enough."""
    place, content = _content(document)
    eight_at = _eight_at(np.concatenate([content, np.zeros(8, np.uint8)]))
    start, size = place[:-1], np.diff(place)
    rows: Ints | slice = slice(None)
    for at in range(0, int(size.max(initial=0)), 8):
        if at:
            rows = np.flatnonzero(size > at) if isinstance(rows, slice) else rows[size[rows] > at]
        yield rows, eight_at[start[rows] + at] & _FIRST_BYTES[np.minimum(size[rows] - at, 8)]


def _content(document: pa.StringArray) -> tuple[Ints, NDArray[np.uint8]]:
    """Return where each id begins, and where the last one ends, in the bytes of all of them."""
    place = np.frombuffer(document.buffers()[1], np.int32)[document.offset :][: len(document) + 1]
    content = np.frombuffer(document.buffers()[2] or b"", np.uint8)[place[0] : place[-1]]
    return place.astype(np.int64) - place[0], content


def _eight_at(content: NDArray[np.uint8]) -> Words:
    """Return the eight bytes at each byte, as one number; a view."""
    return np.ndarray(len(content) - 7, np.dtype("<u8"), content, strides=(1,))
