"""The rank column of a run against the order of evaluation."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..columns import take
from ..ranking import Ints


def contradictions(
    query: Ints, document: pa.StringArray, score: NDArray[np.float64], rank: NDArray[np.float64]
) -> int:
    """How many rows stand, by their rank column, above one that is evaluated before them.

    Examples
    --------
    >>> score, rank = np.array([2.0, 3.0, 1.0]), np.array([1.0, 2.0, 3.0])
    >>> contradictions(np.zeros(3, int), pa.array(["a", "b", "c"]), score, rank)
    1
    """
    after, before = slice(1, None), slice(None, -1)
    disorder = (query[after] == query[before]) & (rank[after] < rank[before])
    if (disorder | (query[after] < query[before])).any():
        order = np.lexsort((rank, query))
        query, score, document = query[order], score[order], take(document, order)
    same = query[after] == query[before]
    tied = np.flatnonzero(same & (score[after] == score[before]))
    ascending = pc.less(take(document, tied), take(document, tied + 1))
    return int((same & (score[after] > score[before])).sum()) + (pc.sum(ascending).as_py() or 0)


def told(rows: int) -> tuple[str, ...]:
    """The note on so many contradictions; nothing when there are none."""
    if not rows:
        return ()
    return (
        f"{rows} row{'s' if rows > 1 else ''} where the rank column contradicts the order of "
        "evaluation: by score, and equal scores by document id, descending, as trec_eval.",
    )
