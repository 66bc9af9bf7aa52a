"""The order of evaluation: by score, equal scores by the tie rule, ranks from 1.

`ranking` gives all rows their ranks; `place` gives a few theirs without computing all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import Floats, Ints, bincount, order_of_texts, ranges, take

ID_ORDER = {"descending": "descending", "ascending": "ascending", "mean": "descending"}
"""The tie rules that order equal scores by document id; the other rule keeps the input order.

Where scores are averaged over all orders, any fixed order works.
"""


@dataclass(frozen=True, eq=False, repr=False)
class Hits:
    """Documents at ranks: flat columns, query after query, each in rank order.

    Attributes
    ----------
    query
        ``(n,)`` index of the query in the evaluated queries.
    document
        ``(n,)`` document ids.
    rank
        ``(n,)`` rank from 1.
    grade
        ``(n,)`` relevance grade; NaN for an unjudged document.
    first, last
        ``(n,)`` first and last rank of the documents with the same score.
    """

    query: Ints
    document: pa.StringArray
    rank: Ints
    grade: Floats
    first: Ints
    last: Ints

    def __len__(self) -> int:
        return len(self.rank)

    def __getitem__(self, rows: NDArray[Any]) -> Hits:
        index = np.flatnonzero(rows) if rows.dtype == bool else rows
        query, document, *numbers = self._columns
        return Hits(query[index], take(document, index), *(each[index] for each in numbers))

    @property
    def _columns(self) -> tuple[Any, ...]:
        return self.query, self.document, self.rank, self.grade, self.first, self.last

    @property
    def nbytes(self) -> int:
        """The bytes of all columns."""
        return sum(int(each.nbytes) for each in self._columns)

    def untied(self) -> Hits:
        """Return these documents without ties: first and last rank are the rank."""
        return replace(self, first=self.rank, last=self.rank)

    @classmethod
    def joined(cls, parts: Sequence[Hits]) -> Hits:
        """Return the lines of several tables, one after the other."""
        nothing = np.zeros(0, np.int64)
        none = Hits(nothing, pa.nulls(0, pa.string()), nothing, np.zeros(0), nothing, nothing)
        query, document, *numbers = zip(*(hits._columns for hits in [none, *parts]), strict=True)
        joined = map(np.concatenate, numbers)
        return Hits(np.concatenate(query), pa.concat_arrays(document), *joined)


def ranking(
    query: Ints,
    document: pa.StringArray,
    score: NDArray[np.floating[Any]],
    grade: Floats,
    ties: str,
) -> Hits:
    """Return all rows in rank order: by query, score descending, equal scores by the tie rule."""
    order = np.lexsort((-score, query))
    same = np.zeros(len(order), bool)
    same[1:] = (np.diff(query[order]) == 0) & (score[order][1:] == score[order][:-1])
    group = np.cumsum(~same) - 1
    tied = same | np.append(same[1:], False)
    if ties in ID_ORDER and tied.any():
        rows = order[tied]
        order[tied] = rows[order_of_texts(group[tied], take(document, rows), ID_ORDER[ties])]
    starts = np.searchsorted(query[order], query[order], side="left")
    rank = np.arange(len(order)) - starts + 1
    first = rank[np.flatnonzero(~same)]
    return Hits(
        query[order],
        take(document, order),
        rank,
        grade[order],
        first[group],
        (first + bincount(group, minlength=len(first)) - 1)[group],
    )


def place(
    query: Ints,
    document: pa.StringArray,
    score: NDArray[np.floating[Any]],
    rows: Ints,
    grade: Floats,
    ties: str,
) -> Hits:
    """Return the lines of `ranking` for some of the rows.

    ``query``, ``document`` and ``score`` are ``(n,)`` the rows of whole rankings, in any order;
    ``rows``, ``(m,)``, are those to place, ``grade``, ``(m,)``, their grades. The ``(m,)`` lines
    are in the order of ``rows``.

    Examples
    --------
    >>> document = pa.array(["a", "b", "c"])
    >>> hits = place(np.zeros(3, int), document, np.array([1.0, 2.0, 1.0]), np.array([0]),
    ...     np.array([1.0]), "descending")
    >>> hits.rank.tolist(), hits.first.tolist(), hits.last.tolist()
    ([3], [2], [3])
    """
    order = rank_order(query, score)
    if order is None:
        position = rows
    else:
        query, score = query[order], score[order]
        position = np.empty(len(order), np.int64)
        position[order] = np.arange(len(order))
        position = position[rows]
    top, start = _starts(query, score)
    group = np.searchsorted(start, position, "right") - 1
    first, after = start[group], np.append(start[1:], len(query))[group]
    tied = after - first > 1
    if tied.any():
        shared = np.unique(group[tied])
        at = ranges(start[shared], np.append(start[1:], len(query))[shared])
        members = at if order is None else order[at]
        members = members[_inside(np.searchsorted(start, at, "right"), members, document, ties)]
        by_row = np.argsort(members)
        found = by_row[np.searchsorted(members, rows[tied], sorter=by_row)]
        position = position.copy()
        position[tied] = at[found]
    above = top[np.searchsorted(top, position, "right") - 1]
    return Hits(
        query[position],
        take(document, rows),
        position - above + 1,
        grade,
        first - above + 1,
        after - above,
    )


def near_top(query: Ints, score: NDArray[np.floating[Any]], depth: int) -> Ints:
    """Return the rows at ranks from 1 to ``depth``, and all rows that tie with one of them.

    Examples
    --------
    >>> near_top(np.zeros(5, int), np.array([1.0, 3.0, 2.0, 2.0, 0.5]), 2).tolist()
    [1, 2, 3]
    """
    order = rank_order(query, score)
    if order is not None:
        query, score = query[order], score[order]
    top, start = _starts(query, score)
    last = np.minimum(top + depth, np.append(top[1:], len(query))) - 1
    after = np.append(start[1:], len(query))[np.searchsorted(start, last, "right") - 1]
    at = ranges(top, after)
    return at if order is None else order[at]


def _starts(query: Ints, score: NDArray[np.floating[Any]]) -> tuple[Ints, Ints]:
    """Return where each query begins, and where each group of equal scores begins."""
    another = np.ones(len(query), bool)
    another[1:] = query[1:] != query[:-1]
    top = np.flatnonzero(another)
    another[1:] |= score[1:] != score[:-1]
    return top, np.flatnonzero(another)


def rank_order(query: Ints, score: NDArray[np.floating[Any]]) -> Ints | None:
    """Return the rows by query, then score descending; None when they are already sorted.

    Examples
    --------
    >>> rank_order(np.array([1, 0, 0]), np.array([1.0, 2.0, 3.0])).tolist()
    [2, 1, 0]
    """
    step = np.diff(query)
    if not ((step < 0) | ((step == 0) & (score[1:] > score[:-1]))).any():
        return None
    order = np.argsort(-score)
    for shift in range(0, int(query.max()).bit_length(), 16):
        # NumPy's stable sort of 16-bit integers is a radix sort: linear.
        digit = (query >> shift).astype(np.uint16)
        order = order[np.argsort(digit[order], kind="stable")]
    return order


def _inside(group: Ints, rows: Ints, document: pa.StringArray, ties: str) -> Ints:
    """Return the order inside tie groups: by group, then by the tie rule."""
    if ties not in ID_ORDER:
        return np.lexsort((rows, group))
    order: Ints = order_of_texts(group, take(document, rows), ID_ORDER[ties])
    return order
