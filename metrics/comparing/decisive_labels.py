"""decisive_labels: the fewest grades that, judged in another way, turn the winner of two runs.

`Labels` are the judged documents of both runs, with every query's delta after another grade of one;
`_Changed` chooses among these changes.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrays import NOISE, Floats, Ints, numbers, ranges, repeat
from ..data import Run
from ..errors import DataError, MeasureError
from ..matching.hits import Hits, ranking
from ..matching.judged import JudgedRankings, Rankings, match
from ..measures import Measure
from ..scoring.evaluate import mean
from .comparison import Comparison
from .reversal import deepest
from .significance import TIE

_AT_A_TIME = 200_000
"""Lines scored at a time: few enough for the processor's cache."""
MOST_LINES = 20_000_000
"""With more lines than this in all changed lists together, nothing is tried. These take about 4
seconds."""
_DIGITS = round(-math.log10(NOISE))


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
        cls, comparison: Comparison, measure: Measure, runs: Sequence[Rankings], steps: int | None
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
            a, b = (match(a.qrels, run.only(*queries), kept) for run in _whole(runs))
        condensed = bool(leave and scale[0] < 0)
        return cls(measure, (a, b), scale, len(scale) if steps is None else steps, condensed)

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
        ideal = self._changed(self.judged, np.arange(len(self.judged)), label, grade)
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
        change, row = repeat(np.arange(len(label)), end - first), ranges(first, end)
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


@dataclass(frozen=True)
class LabelChange:
    """Another grade of one judged document for one query.

    Attributes
    ----------
    query, document
        The query, and the document that was judged for it.
    before, after
        The grade in the qrels, and the other one.
    delta_before, delta_after
        The query's delta B − A with either grade; NaN where the convention leaves the query out.
    effect
        The difference that this change alone makes to the mean delta.
    """

    query: str
    document: str
    before: float
    after: float
    delta_before: float
    delta_after: float
    effect: float


@dataclass(frozen=True)
class DecisiveLabels:
    """The smallest set of changed labels that turns the winner, and the labels that weigh most.

    Attributes
    ----------
    delta
        The mean delta B − A as judged; NaN where no query has a score.
    delta_after
        The mean delta after all of ``changes``: the same as before where there are none.
    labels
        The number of judged documents of all compared queries.
    changes
        The smallest set, the strongest change first; empty where no set turns the winner, and
        where neither run leads.
    ranked
        The strongest change of each label, the largest effect on the mean first: those against
        the leader, or of either sign where neither leads. A document that counts only in the
        ideal stands for all those of its query with the same grade, whose effects are equal.
    """

    delta: float
    delta_after: float
    labels: int
    changes: tuple[LabelChange, ...]
    ranked: tuple[LabelChange, ...]

    @property
    def leads(self) -> bool:
        """Whether one of the runs leads, so that there is a winner to turn."""
        return abs(self.delta) > TIE

    @property
    def turns(self) -> bool:
        """Whether changed labels, at most one per query, can put the other run ahead."""
        return bool(self.changes)


def decisive_labels(
    comparison: Comparison,
    measure: str | Measure,
    runs: Sequence[Rankings] = (),
    steps: int | None = None,
    most: int = 100,
) -> DecisiveLabels | None:
    """Return the fewest changed labels that turn the winner; None: too many to try.

    A change gives one judged document of a compared query another grade, 0 or one of the qrels.
    At most one label per query changes, and unjudged documents stay unjudged. So the queries add
    up, and the number of changes is exact: the other run leads by more than `TIE` as soon as the
    sum over the queries that count is below that, and the strongest changes get there first. A
    query that the convention leaves out before or after a change adds nothing to the sum.

    Of changes with the same effect, the smallest step is taken, then the first document in the
    order of the ideal ranking. Grades that a measure of relevant documents cannot tell apart are
    one grade: the nearest is tried.

    Parameters
    ----------
    comparison
        Both runs with the ledgers of the measure. If it is limited to some queries, only their
        labels change.
    measure
        One of the compared measures, as a name or a value.
    runs
        Run A and run B. They are needed only where negative grades count as unjudged, and unjudged
        documents are removed: a better grade then brings a document back to its rank.
    steps
        How far a grade moves at most, in grades of the scale: with 1, to the next higher or lower
        one, as where two assessors nearly agree. None: to any grade.
    most
        The length of ``ranked``.

    Raises
    ------
    MeasureError
        When the measure depends on aspects, is not among those compared, or refuses a grade.
    DataError
        When the runs are needed and not given as a whole.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q": {"x": 1, "y": 1, "z": 0}})
    >>> a = Run.from_dict({"q": {"x": 3, "z": 2, "y": 1}})
    >>> b = Run.from_dict({"q": {"z": 2, "y": 1}})
    >>> found = decisive_labels(compare(qrels, a, b, "RR"), "RR")
    >>> found.labels, found.delta, round(found.delta_after, 4)
    (3, -0.5, 0.1667)
    >>> [(each.document, each.before, each.after) for each in found.changes]
    [('x', 1.0, 0.0)]
    >>> [(each.document, round(each.effect, 4)) for each in found.ranked]
    [('x', 0.6667), ('z', 0.5)]
    """
    of = comparison.a.ledger(measure).measure
    delta = comparison.summary(measure).delta
    if not comparison.queries:
        return DecisiveLabels(delta, delta, 0, (), ())
    labels = Labels.of(comparison, of, runs, steps)
    if math.isnan(delta):
        return DecisiveLabels(delta, delta, len(labels.judged), (), ())
    if labels.lines > MOST_LINES:
        return None
    changed = _Changed(labels)
    sign = math.copysign(1.0, delta) if abs(delta) > TIE else 0.0
    turning = changed.turning(sign) if sign else np.zeros(0, np.int64)
    return DecisiveLabels(
        delta,
        changed.mean_after(turning) if len(turning) else delta,
        len(labels.judged),
        changed.named(turning),
        changed.named(changed.strongest(sign)[:most]),
    )


class _Changed:
    """All single changes of labels, with the delta of each one's query before and after it."""

    def __init__(self, labels: Labels) -> None:
        self.labels = labels
        self.label, self.grade = labels.changes()
        self.query = labels.judged.query[self.label]
        self.as_judged, self.after = labels.as_judged(), labels.deltas(self.label, self.grade)

    @cached_property
    def effect(self) -> Floats:
        """``(m,)`` what each change alone does to the mean; NaN where no query is left."""
        counts, counts_after = ~np.isnan(self.as_judged), ~np.isnan(self.after)
        before, after = np.nan_to_num(self.as_judged), np.nan_to_num(self.after)
        total = before.sum() - before[self.query] + after
        left = counts.sum() - counts[self.query] + counts_after
        effect = np.full(len(left), np.nan)
        np.divide(total, left, out=effect, where=left > 0)
        return effect - mean(self.as_judged)

    def turning(self, sign: float) -> Ints:
        """Return the fewest changes that turn a lead, the strongest first; none: no set does."""

        def lead(deltas: Floats) -> Floats:
            # The mean is below −TIE if the sum of this is below 0, however many queries count.
            return np.nan_to_num(sign * deltas + TIE)

        before = lead(self.as_judged)
        gain = before[self.query] - lead(self.after)
        best = self._best(gain, self.query)
        # Where every query is left out the sum is 0, which rounding must not take below 0.
        needed = math.fsum(before) + NOISE * float(np.abs(before).sum())
        enough = int(np.searchsorted(np.cumsum(gain[best]), needed, "right")) + 1
        return best[:enough] if enough <= len(best) else best[:0]

    def strongest(self, sign: float) -> Ints:
        """Return the strongest change of each label, the largest effect first; see ``ranked``."""
        return self._best(-sign * self.effect if sign else np.abs(self.effect), self.label)

    def _best(self, worth: Floats, group: Ints) -> Ints:
        """Return the change of each group that is worth most, and more than 0, in that order."""
        step = np.abs(self.grade - self.labels.judged.grade[self.label])
        # Equal effects that differ by rounding alone are equal.
        worth = np.round(worth, _DIGITS)
        order = np.lexsort((self.label, step, -worth, group))
        order = order[np.append(True, np.diff(group[order]) != 0)[: len(order)]]
        order = order[worth[order] > 0]
        strongest_first = np.lexsort((self.label[order], step[order], -worth[order]))
        return np.asarray(order[strongest_first])

    def mean_after(self, chosen: Ints) -> float:
        """Return the mean delta after changes of different queries."""
        deltas = self.as_judged.copy()
        deltas[self.query[chosen]] = self.after[chosen]
        return mean(deltas)

    def named(self, chosen: Ints) -> tuple[LabelChange, ...]:
        """Return changes with the ids of their queries and documents."""
        label, query = self.label[chosen], self.query[chosen]
        judged, queries = self.labels.judged, self.labels.sides[0].queries
        columns = (
            [queries[number] for number in query.tolist()],
            judged[label].document.to_pylist(),
            judged.grade[label].tolist(),
            self.grade[chosen].tolist(),
            self.as_judged[query].tolist(),
            self.after[chosen].tolist(),
            self.effect[chosen].tolist(),
        )
        return tuple(LabelChange(*values) for values in zip(*columns, strict=True))
