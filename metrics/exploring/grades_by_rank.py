"""The grades at each rank of many queries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..judging.judged import JudgedRankings


def grades_by_rank(
    judged: JudgedRankings, queries: Sequence[str], depth: int
) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the grades at the ranks 1 to ``depth`` of some queries, in their order.

    Returns
    -------
    grades
        ``(q, depth)`` the grade at each rank, NaN where nobody judged or nothing is retrieved.
    retrieved
        ``(q, depth)`` whether a document is retrieved at the rank.

    Examples
    --------
    >>> from metrics import Qrels, Run, judge
    >>> run = Run.from_dict({"q": {"x": 2, "d": 1}})
    >>> grades, retrieved = grades_by_rank(judge(Qrels.from_dict({"q": {"d": 3}}), run), ["q"], 3)
    >>> grades.tolist(), retrieved.tolist()
    ([[nan, 3.0, nan]], [[True, True, False]])
    """
    place = {query: row for row, query in enumerate(queries)}
    row = np.array([place.get(query, -1) for query in judged.queries], np.int64)
    cells = np.full((len(queries), depth), np.nan)
    hits = judged.hits[(judged.hits.rank <= depth) & (row[judged.hits.query] >= 0)]
    cells[row[hits.query], hits.rank - 1] = hits.grade
    retrieved = np.zeros(len(queries), np.int64)
    retrieved[row[row >= 0]] = judged.retrieved[row >= 0]
    return cells, np.arange(depth) < retrieved[:, None]
