"""Which aspects of its query a document is relevant for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from ..arrays import Ints, numbers, repeat
from .hits import Hits
from .judged import JudgedRankings


@dataclass(frozen=True, eq=False)
class Covered:
    """Aspects that lines are relevant for: a row for each line and aspect, in the order of lines.

    Attributes
    ----------
    line
        ``(m,)`` index of the line.
    query
        ``(m,)`` index of its query.
    aspect
        ``(m,)`` index of the aspect among all queries' aspects: no two queries share one.
    """

    line: Ints
    query: Ints
    aspect: Ints

    def above(self) -> Ints:
        """``(m,)`` how many lines further up are relevant for the same aspect."""
        order = np.argsort(self.aspect, kind="stable")
        aspect = self.aspect[order]
        place = np.arange(len(aspect)) - np.searchsorted(aspect, aspect, side="left")
        above = np.empty_like(place)
        above[order] = place
        return above


def covered(judged: JudgedRankings, lines: Hits, level: float) -> Covered:
    """Return the aspects that lines of these queries are relevant for, from a grade on.

    A query that is judged as a whole has one aspect. `Qrels.by_aspect` has the grades.

    Examples
    --------
    >>> from metrics import Qrels, Run, judge
    >>> qrels = Qrels.from_aspects({"q": {"a": {"1": 1, "2": 1}, "b": {"1": 0, "2": 1}}})
    >>> judged = judge(qrels, Run.from_dict({"q": {"a": 2.0, "b": 1.0}}))
    >>> found = covered(judged, judged.hits, 1)
    >>> found.line.tolist(), found.aspect.tolist(), found.above().tolist()
    ([0, 0, 1], [0, 1, 1], [0, 0, 1])
    """
    relevant = np.flatnonzero(lines.grade >= level)
    query = lines.query[relevant]
    if not judged.qrels.aspects:
        return Covered(relevant, query, query)
    table = judged.qrels.by_aspect
    place = {name: number for number, name in enumerate(judged.qrels.queries)}
    in_qrels = np.array([place[name] for name in judged.queries], np.int64)
    size = np.array(list(map(len, table.names)), np.int64)
    first = np.cumsum(size) - size

    # A document's rows are next to each other once they are sorted by query and document.
    documents = pc.unique(table.document)
    key = table.query * len(documents) + numbers(pc.index_in(table.document, documents))
    order = np.argsort(key, kind="stable")
    key = key[order]
    code = numbers(pc.index_in(lines.document, documents).fill_null(-1))[relevant]
    sought = in_qrels[query] * len(documents) + code
    low, high = (np.searchsorted(key, sought, side) for side in ("left", "right"))
    row = repeat(np.arange(len(relevant)), high - low)
    at = np.arange(len(row)) - (np.cumsum(high - low) - high + low)[row]
    found = order[low[row] + at]
    kept = table.grade[found] >= level
    row, found = row[kept], found[kept]
    return Covered(relevant[row], query[row], first[in_qrels[query[row]]] + table.aspect[found])


def names_covered(judged: JudgedRankings, lines: Hits, level: float) -> list[list[str]]:
    """Return the names of the aspects that each line is relevant for.

    Examples
    --------
    >>> from metrics import Qrels, Run, judge
    >>> qrels = Qrels.from_aspects({"q": {"a": {"price": 1, "size": 0}, "b": {"size": 1}}})
    >>> judged = judge(qrels, Run.from_dict({"q": {"a": 2.0, "b": 1.0}}))
    >>> names_covered(judged, judged.hits, 1)
    [['price'], ['size']]
    """
    every = [name for names in judged.qrels.by_aspect.names for name in names]
    names: list[list[str]] = [[] for _ in range(len(lines))]
    found = covered(judged, lines, level)
    for line, aspect in zip(found.line.tolist(), found.aspect.tolist(), strict=True):
        names[line].append(every[aspect])
    return names
