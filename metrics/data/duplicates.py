"""The first (query, document) pair that appears twice: found by hash, confirmed by id."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import Ints, take

Words = NDArray[np.uint64]
SLICE = 1 << 19
"""Rows hashed at a time, so that intermediate arrays stay in the processor's cache."""

_ODD = np.uint64(0x9E3779B97F4A7C15)
_FIRST_BYTES = np.array([(1 << 8 * size) - 1 for size in range(9)], np.uint64)


def first_repeat(query: Ints, document: pa.StringArray) -> int | None:
    """Return the first row whose pair is already in an earlier row; None when there is none.

    Examples
    --------
    >>> first_repeat(np.array([0, 0, 1, 0]), pa.array(["a", "b", "a", "a"]))
    3
    """
    rows = _suspects(query, document)
    seen: set[tuple[int, str]] = set()
    pairs = zip(query[rows].tolist(), take(document, rows).to_pylist(), strict=True)
    for row, pair in zip(rows.tolist(), pairs, strict=True):
        if pair in seen:
            return int(row)
        seen.add(pair)
    return None


def _suspects(query: Ints, document: pa.StringArray) -> Ints:
    """Return the rows that share a hash: every repeated pair, and hardly any other."""
    parts = [
        _keys(query[at : at + SLICE], document[at : at + SLICE])
        for at in range(0, len(query), SLICE)
    ]
    keys = np.concatenate(parts) if parts else np.zeros(0, np.uint64)
    ordered = np.sort(keys)
    shared = ordered[1:][ordered[1:] == ordered[:-1]]
    return np.flatnonzero(np.isin(keys, shared)) if len(shared) else np.zeros(0, np.int64)


def _keys(query: Ints, document: pa.StringArray) -> Words:
    """Return a 64-bit hash of each pair."""
    keys: Words = query.astype(np.uint64) * np.uint64(0xD6E8FEB86659FD93)
    for rows, word in _words(document):
        mixed = (keys[rows] ^ word) * _ODD
        keys[rows] = mixed ^ (mixed >> np.uint64(32))
    keys *= _ODD
    return keys ^ (keys >> np.uint64(29))


def _words(document: pa.StringArray) -> Iterator[tuple[Ints | slice, Words]]:
    """Yield the ids eight bytes at a time, with the rows that are long enough."""
    place = np.frombuffer(document.buffers()[1], np.int32)[document.offset :][: len(document) + 1]
    place = place.astype(np.int64)
    content = np.frombuffer(document.buffers()[2] or b"", np.uint8)[place[0] : place[-1]]
    content = np.concatenate([content, np.zeros(8, np.uint8)])
    eight_at: Words = np.ndarray(len(content) - 7, np.dtype("<u8"), content, strides=(1,))
    start, size = place[:-1] - place[0], np.diff(place)
    rows: Ints | slice = slice(None)
    for at in range(0, int(size.max(initial=0)), 8):
        if at:
            rows = np.flatnonzero(size > at) if isinstance(rows, slice) else rows[size[rows] > at]
        yield rows, eight_at[start[rows] + at] & _FIRST_BYTES[np.minimum(size[rows] - at, 8)]
