"""The grades of several judges as one table: a row per document of a query, a column per judge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints, numbers, places, repeat, take
from ..data import Qrels
from ..errors import DataError
from ..judging.batches import Given


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The grades of ``j`` judges for the ``n`` pairs that at least one of them judged.

    Attributes
    ----------
    queries
        The queries of all judges, in order of first appearance; some may have no pair.
    query, document
        ``(n,)`` index into the queries, and document ids, in order of first appearance.
    grades
        ``(n, j)`` the grade of each judge; NaN where the judge lacks the pair.
    """

    queries: tuple[str, ...]
    query: Ints
    document: pa.StringArray
    grades: Floats

    def with_at_least(self, judges: int) -> SideBySide:
        """Return the pairs that this many judges graded."""
        rows = np.flatnonzero((~np.isnan(self.grades)).sum(axis=1) >= judges)
        document = take(self.document, rows)
        return SideBySide(self.queries, self.query[rows], document, self.grades[rows])


def side_by_side(judges: Sequence[Given]) -> SideBySide:
    """Return the grades of several judges side by side.

    Raises
    ------
    DataError
        When there is no judge.

    Examples
    --------
    >>> a = Qrels.from_dict({"q1": {"x": 2, "y": 0}})
    >>> b = Qrels.from_dict({"q2": {"x": 1}, "q1": {"y": 1}})
    >>> table = side_by_side([a, b])
    >>> table.queries, table.query.tolist(), table.document.to_pylist()
    (('q1', 'q2'), [0, 0, 1], ['x', 'y', 'x'])
    >>> table.grades.tolist()
    [[2.0, nan], [0.0, 1.0], [nan, 1.0]]
    """
    if not judges:
        raise DataError("There is no judge. Give the qrels of at least one.")
    every = [*map(Qrels.of, judges)]
    queries = tuple(dict.fromkeys(chain.from_iterable(each.queries for each in every)))
    query = np.concatenate([places(each.queries, queries)[each.query] for each in every])
    document = pa.concat_arrays([each.document for each in every])
    encoded = document.dictionary_encode()
    key = query * len(encoded.dictionary) + numbers(encoded.indices)
    _, first, pair = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    judge = repeat(np.arange(len(every)), [len(each) for each in every])
    grades = np.full((len(first), len(every)), np.nan)
    # Adding 0 makes -0.0 the same grade as 0.0.
    grades[place[pair], judge] = np.concatenate([each.value for each in every]) + 0.0
    return SideBySide(queries, query[first[order]], take(document, first[order]), grades)
