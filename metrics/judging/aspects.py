"""Which aspects of its query a document is relevant for."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow.compute as pc

from ..arrays import Floats, Ints, bincount, numbers, repeat
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

    def sums(self, lines: int, values: Floats) -> Floats:
        """``(n,)`` the sum of a line's values, one for each aspect it covers."""
        total: Floats = bincount(self.line, values, minlength=lines).astype(float)
        return total

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

    A query that is judged as a whole has one aspect. A grade that is not the highest of the
    document's aspects was given by hand: it holds for the aspects that the document was relevant
    for, and for every aspect of the query if there is none.

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
    size = np.array([max(1, len(names)) for names in table.names], np.int64)
    first = np.cumsum(size) - size

    # A row for each relevant line and each aspect that its document was judged for.
    documents = pc.unique(table.document)
    key = table.query * len(documents) + numbers(pc.index_in(table.document, documents))
    order = np.argsort(key, kind="stable")
    key = key[order]
    code = numbers(pc.index_in(lines.document, documents).fill_null(-1)).astype(np.int64)[relevant]
    sought = np.where(code < 0, -1, in_qrels[query] * len(documents) + code)
    low, high = (np.searchsorted(key, sought, side) for side in ("left", "right"))
    row, at = _expanded(high - low)
    grade = table.grade[order[low[row] + at]]
    top = np.full(len(relevant), -np.inf)
    np.maximum.at(top, row, grade)
    by_hand = top != lines.grade[relevant]
    kept = np.where(by_hand[row], grade > 0, grade >= level)
    aspect = table.aspect[order[low[row] + at]][kept]
    row = row[kept]

    # Lines that none of these rows is of are relevant for every aspect.
    some = bincount(row, minlength=len(relevant)) > 0
    of_all = np.flatnonzero(~some)
    more, every = _expanded(size[in_qrels[query[of_all]]])
    row, aspect = np.append(row, of_all[more]), np.append(aspect, every)
    order = np.lexsort((aspect, row))
    row, aspect = row[order], aspect[order]
    return Covered(relevant[row], query[row], first[in_qrels[query[row]]] + aspect)


def _expanded(size: Ints) -> tuple[Ints, Ints]:
    """Return 0 … n − 1, each as often as its size, and the place of each in its repetition."""
    row = repeat(np.arange(len(size)), size)
    return row, np.arange(len(row)) - (np.cumsum(size) - size)[row]
