"""The judged documents of two compared runs, and every query's delta with another grade of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrays import Floats, Ints, numbers, repeat
from ..data import Run
from ..errors import DataError, MeasureError
from ..judging.hits import Hits, ranking
from ..judging.judged import JudgedRankings, Rankings, judge
from ..measures import Measure
from .comparison import Comparison
from .reversal_search import deepest

_AT_A_TIME = 200_000
"""Lines scored at a time: few enough for the processor's cache."""


@dataclass(frozen=True, eq=False, repr=False)
class Labels:
    """The judged documents of the compared queries, and both lists of each query.

    ``sides`` have the compared queries alone, in the same order. ``scale``: the grades in use, and
    0, ascending. ``condensed``: whether a document leaves its list with a grade below 0.
    """

    measure: Measure
    sides: tuple[JudgedRankings, JudgedRankings]
    scale: Floats
    steps: int
    condensed: bool

    @classmethod
    def of(
        cls,
        comparison: Comparison,
        measure: Measure,
        runs: Sequence[Rankings],
        steps: int | None,
    ) -> Labels:
        """Return the labels of a comparison: see `decisive_labels`."""
        qrels, queries = comparison.a.judged.qrels, comparison.queries
        if measure.by_aspect and any(qrels.aspects.get(query) for query in queries):
            raise MeasureError(
                f"{measure} depends on the aspects that a document is relevant for, and another "
                "grade does not say which: what it would change is not known. Choose a measure "
                "without aspects."
            )
        a, b = (each.judged.by(qrels).only(*queries) for each in (comparison.a, comparison.b))
        scale = np.unique(np.append(0.0, qrels.value))
        convention = a.convention
        leave = convention.unjudged == "removed" and convention.negative == "unjudged"
        if leave and (a.judged.grade < 0).any():
            # The rankings have lost these documents, and with them their ranks.
            kept = replace(convention, unjudged="zero")
            a, b = (judge(a.qrels, run.only(*queries), kept) for run in _whole(runs))
        return cls(
            measure,
            (a, b),
            scale,
            len(scale) if steps is None else steps,
            bool(leave and scale[0] < 0),
        )

    @property
    def judged(self) -> Hits:
        """The labels: query after query, the highest grade first."""
        return self.sides[0].judged

    @cached_property
    def places(self) -> tuple[Ints, Ints]:
        """``(n,)`` the label of each line of both lists; −1 for an unjudged document."""
        a, b = (_places(self.judged, side.hits) for side in self.sides)
        return a, b

    @cached_property
    def tried(self) -> Ints:
        """The labels to change: of those that are alike, the first."""
        counts = np.zeros(len(self.judged), bool)
        for side, place in zip(self.sides, self.places, strict=True):
            counts[place[self._within(side) & (place >= 0)]] = True
        others = np.flatnonzero(~counts)
        query, grade = self.judged.query[others], self.judged.grade[others]
        first = np.append(True, (np.diff(query) != 0) | (np.diff(grade) != 0))[: len(others)]
        return np.sort(np.append(np.flatnonzero(counts), others[first]))

    def _within(self, side: JudgedRankings) -> NDArray[np.bool_]:
        """Return ``(n,)`` which lines count beside their part in the ideal."""
        depth = deepest(self.measure, side.convention)
        if depth is None or self.condensed:
            return np.ones(len(side.hits), bool)
        hits = side.hits
        return (hits.first if side.convention.ties == "mean" else hits.rank) <= depth

    @cached_property
    def kinds(self) -> tuple[Floats, Floats]:
        """The lowest and the highest of all grades that the measure cannot tell apart."""
        if self.measure.graded:
            return self.scale, self.scale
        under = self.measure.under(self.sides[0].convention)
        kind = (self.scale >= under.level).astype(np.int64)
        if under.negative == "unjudged":
            kind += self.scale >= 0
        change = np.diff(kind) != 0
        return self.scale[np.append(True, change)], self.scale[np.append(change, True)]

    @cached_property
    def size(self) -> Ints:
        """``(q,)`` the number of lines of each query: its labels and both lists."""
        a, b = self.sides
        return np.asarray(sum(a.per_query(of.query) for of in (a.judged, a.hits, b.hits)))

    @property
    def lines(self) -> int:
        """The number of lines of all changed lists, or more."""
        others = min(len(self.kinds[0]) - 1, 2 * self.steps)
        return int(self.size[self.judged.query[self.tried]].sum()) * others

    def changes(self) -> tuple[Ints, Floats]:
        """Return the label and the grade of every change."""
        before = self.judged.grade[self.tried]
        after = np.clip(before[:, None], *self.kinds)
        step = np.abs(
            np.searchsorted(self.scale, after) - np.searchsorted(self.scale, before)[:, None]
        )
        row, kind = np.nonzero((step > 0) & (step <= self.steps))
        return self.tried[row], after[row, kind]

    def as_judged(self) -> Floats:
        """Return ``(q,)`` the delta of each query; NaN: no score."""
        a, b = (self._scores(side) for side in self.sides)
        return b - a

    def deltas(self, label: Ints, grade: Floats) -> Floats:
        """Return ``(m,)`` the delta of each change's query after it; NaN: no score."""
        end = np.cumsum(self.size[self.judged.query[label]])
        parts = np.flatnonzero(np.diff(end // _AT_A_TIME)) + 1
        pairs = zip(np.split(label, parts), np.split(grade, parts), strict=True)
        return np.concatenate([self._deltas(*pair) for pair in pairs])

    def _deltas(self, label: Ints, grade: Floats) -> Floats:
        own = np.arange(len(self.judged))
        ideal = self._changed(self.judged, own, label, grade)
        # The order of equal grades does not matter, and texts are slow to sort.
        ideal = ranking(ideal.query, ideal.document, ideal.grade, ideal.grade, "input").untied()
        query, names = self.judged.query[label], tuple(map(str, range(len(label))))
        a, b = (
            self._scores(
                replace(
                    side,
                    queries=names,
                    hits=self._changed(side.hits, place, label, grade),
                    judged=ideal,
                    retrieved=side.retrieved[query],
                )
            )
            for side, place in zip(self.sides, self.places, strict=True)
        )
        return b - a

    def _changed(self, lines: Hits, place: Ints, label: Ints, grade: Floats) -> Hits:
        """Return each change's query with its new grade, as the lines of a query of its own."""
        query = self.judged.query[label]
        first, end = (np.searchsorted(lines.query, query, side) for side in ("left", "right"))
        size = end - first
        change = repeat(np.arange(len(label)), size)
        row = np.arange(len(change)) + repeat(first - np.cumsum(size) + size, size)
        found = lines[row]
        changed = np.where(place[row] == label[change], grade[change], found.grade)
        return replace(found, query=change, grade=changed)

    def _scores(self, side: JudgedRankings) -> Floats:
        return self.measure.ledger(side.condensed() if self.condensed else side).scores


def _places(labels: Hits, hits: Hits) -> Ints:
    """Return ``(n,)`` the label of each line; −1 for an unjudged document."""
    documents = pc.unique(labels.document)
    label, sought = (
        each.query * len(documents)
        + numbers(pc.index_in(each.document, documents).fill_null(0)).astype(np.int64)
        for each in (labels, hits)
    )
    order = np.argsort(label)
    found = order[np.searchsorted(label, sought, sorter=order).clip(max=len(label) - 1)]
    return np.asarray(np.where(np.isnan(hits.grade), -1, found))


def _whole(runs: Sequence[Rankings]) -> list[Run]:
    whole = [run for run in runs if isinstance(run, Run)]
    if len(whole) != 2:
        raise DataError(
            "Documents with a negative grade are removed from the rankings, so their ranks are not "
            "known. Pass both runs as a whole, or choose how negative grades count: "
            'negative="nonrelevant".'
        )
    return whole
