"""The order of evaluation: by score, equal scores by the tie rule, ranks from 1."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ..arrays import Floats, Ints, bincount, order_of_texts, take

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
