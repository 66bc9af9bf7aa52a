"""The order of evaluation: by score, equal scores by the tie rule, ranks from 1."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
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
        ``(n,)`` relevance grade; NaN for a document that nobody judged.
    first, last
        ``(n,)`` first and last rank of the documents that share this one's score.
    """

    query: Ints
    document: pa.StringArray
    rank: Ints
    grade: NDArray[np.float64]
    first: Ints
    last: Ints

    def __len__(self) -> int:
        return len(self.rank)

    def __getitem__(self, rows: NDArray[Any]) -> Hits:
        index = np.flatnonzero(rows) if rows.dtype == bool else rows
        return Hits(
            self.query[index],
            self.document.take(index),
            self.rank[index],
            self.grade[index],
            self.first[index],
            self.last[index],
        )

    def untied(self) -> Hits:
        """These documents with a place of their own each."""
        return replace(self, first=self.rank, last=self.rank)

    def and_also(self, other: Hits) -> Hits:
        """These documents and the other's, in one list."""
        columns = ("query", "rank", "grade", "first", "last")
        joined = {
            name: np.concatenate([getattr(self, name), getattr(other, name)]) for name in columns
        }
        document = pa.chunked_array([self.document, other.document]).combine_chunks()
        return Hits(document=document, **joined)


def ranking(
    query: Ints,
    document: pa.StringArray,
    score: NDArray[np.float64],
    grade: NDArray[np.float64],
    ties: str,
) -> Hits:
    """All rows in rank order: by query, score descending, equal scores by the tie rule."""
    order = np.lexsort((-score, query))
    same = np.zeros(len(order), bool)
    same[1:] = (np.diff(query[order]) == 0) & (np.diff(score[order]) == 0)
    group = np.cumsum(~same) - 1
    tied = same | np.append(same[1:], False)
    if ties != "input" and tied.any():
        rows = order[tied]
        table = pa.table({"group": group[tied], "document": document.take(rows)})
        by_id = pc.sort_indices(table, [("group", "ascending"), ("document", ties)])
        order[tied] = rows[by_id.to_numpy()]
    starts = np.searchsorted(query[order], query[order], side="left")
    rank = np.arange(len(order)) - starts + 1
    first = rank[np.flatnonzero(~same)]
    return Hits(
        query[order],
        document.take(order),
        rank,
        grade[order],
        first[group],
        (first + np.bincount(group, minlength=len(first)) - 1)[group],
    )
