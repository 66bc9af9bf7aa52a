"""The search for grades of unjudged documents with the lowest and highest delta of two lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement, product
from math import comb, prod

import numpy as np

from ..arrays import Floats, Ints
from ..errors import MeasureError
from ..judging.hits import Hits, ranking
from ..judging.judged import JudgedRankings
from ..measures import Measure
from .significance import TIE

MOST_LINES = 6_000_000
"""This many judged documents in all tried completions take about a second."""
_AT_A_TIME = 100_000

Part = tuple[list[int], bool]
"""Columns of unjudged documents, and whether only ascending levels along them are tried."""


@dataclass(frozen=True)
class Lists:
    """One query's lists with their unjudged documents; levels are indices into the scale."""

    query: str
    measure: Measure
    sides: Sequence[JudgedRankings]
    unjudged: Sequence[str]
    scale: Floats

    def columns(self, hits: Hits) -> Ints:
        """Return ``(n,)`` the index of the unjudged document on each line; −1: none."""
        number = {document: column for column, document in enumerate(self.unjudged)}
        return np.array([number.get(d, -1) for d in hits.document.to_pylist()], np.int64)

    def scores(self, levels: Ints) -> Floats:
        """Return ``(2, m)`` both lists' scores under each completion."""
        step = _AT_A_TIME // sum(len(side.judged) for side in self.sides) + 1
        parts = [self.scale[levels[i : i + step]] for i in range(0, len(levels), step)]
        return np.concatenate([[self._of(s, part) for s in self.sides] for part in parts], axis=1)

    def single_changes(self, levels: Ints) -> Floats:
        """Return ``(n, g)`` the delta after each change of one document to a level."""
        count, size = len(levels), len(self.scale)
        row = np.arange(count * size)
        single = np.tile(levels, (count * size, 1))
        single[row, row // size] = row % size
        return self.deltas(single).reshape(count, size)

    def deltas(self, levels: Ints) -> Floats:
        """Return ``(m,)`` the delta B − A under each completion; NaN where a list has no score."""
        first, second = self.scores(levels)
        return np.asarray(second - first)

    def _of(self, side: JudgedRankings, grades: Floats) -> Floats:
        hits, ideal = self._filled(side.hits, grades), self._filled(side.judged, grades)
        ideal = ranking(ideal.query, ideal.document, ideal.grade, ideal.grade, "ascending")
        queries, size = tuple(map(str, range(len(grades)))), np.repeat(side.retrieved, len(grades))
        many = replace(side, queries=queries, hits=hits, judged=ideal.untied(), retrieved=size)
        return self.measure.ledger(many).scores

    def _filled(self, hits: Hits, grades: Floats) -> Hits:
        """Return the lines once per completion, each time as the lines of another query."""
        column, grade = self.columns(hits), np.tile(hits.grade, (len(grades), 1))
        grade[:, column >= 0] = grades[:, column[column >= 0]]
        query, line = np.indices(grade.shape).reshape(2, -1)
        return replace(hits[line], query=query, grade=grade.ravel())


def combined(lists: Lists, shared: bool) -> tuple[Ints, bool]:
    """Return completions with each list's bounds, and whether they include the delta's too."""
    measure, size = lists.measure, len(lists.scale)
    every = list(range(len(lists.unjudged)))
    a, b = ([c for c in lists.columns(side.hits).tolist() if c >= 0] for side in lists.sides)
    # Not SetAP and Rprec, in which the weight of a rank depends on the documents found.
    if every and measure.linear and measure.suffix == "cutoff" and shared:
        # One document best, the others worst: only the weights of its ranks tell these apart.
        first, second = lists.scores(np.eye(len(every), dtype=np.int64) * (size - 1))
        order = np.argsort(second - first).tolist()
        plans = [([[(order, True)], [(order[::-1], True)]], True)]
    else:
        plans = [([[(every, False)]], True)]
        if measure.exchangeable and lists.scale.min() >= 0:
            only_a, only_b = [c for c in a if c not in b], [c for c in b if c not in a]
            both, ways = ([c for c in a if c in b], False), (1, -1)
            turned = [[(only_a[::w], True), (only_b[::-w], True), both] for w in ways]
            alone = [[(a[::w], True), (only_b, True)] for w in ways]
            alone += [[(b[::w], True), (only_a, True)] for w in ways]
            plans += [(turned, True), (alone, False)]
    most = MOST_LINES // sum(len(side.hits) + len(side.judged) for side in lists.sides)
    for tries, complete in plans:
        if sum(prod(_number(part, size) for part in parts) for parts in tries) <= most:
            return np.concatenate([_crossed(parts, size) for parts in tries]), complete
    raise MeasureError(
        f"{len(every)} unjudged documents and {size} grades are too many to try; "
        "judge some of them, or choose a measure with a smaller cutoff."
    )


def _number(part: Part, size: int) -> int:
    n = len(part[0])
    return comb(n + size - 1, n) if part[1] else size**n


def _crossed(parts: Sequence[Part], size: int) -> Ints:
    """Return every combination of the levels of each part."""
    pick = np.indices([_number(part, size) for part in parts]).reshape(len(parts), -1)
    levels = np.empty((pick.shape[1], sum(len(columns) for columns, _ in parts)), np.int64)
    for chosen, (columns, ascending) in zip(pick, parts, strict=True):
        n, span = len(columns), range(size)
        tuples = combinations_with_replacement(span, n) if ascending else product(span, repeat=n)
        levels[:, columns] = np.array(list(tuples), np.int64)[chosen]
    return levels


def descended(lists: Lists, levels: Ints, sign: int) -> tuple[float, Ints]:
    """Return a delta (times sign) that no single change lowers, and its completion.

    Each step tries all single changes, then the best of them together: the best two, three, ...
    """
    count, best = len(levels), np.inf

    def worth(deltas: Floats) -> Floats:
        values: Floats = np.nan_to_num(sign * deltas, nan=np.inf)
        return values

    while True:
        values = worth(lists.single_changes(levels))
        best_first, best_level = np.argsort(values.min(axis=1)), values.argmin(axis=1)
        together = np.tile(levels, (count + 1, 1))
        for changes, document in enumerate(best_first.tolist(), start=1):
            together[changes:, document] = best_level[document]
        values = worth(lists.deltas(together))
        if not values.min() < best - TIE:
            return best, levels
        best, levels = float(values.min()), together[values.argmin()]
