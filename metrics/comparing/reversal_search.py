"""The search for grades of unjudged documents with the lowest and highest delta of two lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints, places
from ..conventions.convention import Convention
from ..errors import MeasureError
from ..judging.hits import Hits
from ..judging.judged import JudgedRankings
from ..measures import Measure
from .significance import TIE

MOST_LINES = 6_000_000
"""This many judged documents in all tried completions take less than a second."""
_AT_A_TIME = 100_000

Part = list[int]
"""Columns of unjudged documents along which only ascending levels are tried; one alone has all."""


def deepest(measure: Measure, convention: Convention) -> int | None:
    """Return the deepest rank whose documents count; None: every rank does.

    Below the cutoff a document counts only where each list has its own ideal.
    """
    return measure.cutoff if _one_ideal(measure, measure.under(convention)) else None


def _one_ideal(measure: Measure, under: Convention) -> bool:
    """Return whether both lists are divided by the same ideal, whatever they retrieve."""
    own = {"ideal": under.ideal != "judged", "ap": under.ap == "retrieved"}
    return not any(own.get(choice, False) for choice in measure.choices)


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
        return places(hits.document.to_pylist(), self.unjudged)

    def scores(self, levels: Ints) -> Floats:
        """Return ``(2, m)`` both lists' scores under each completion."""
        return np.array([self._of(side, levels) for side in self.sides])

    def deltas(self, levels: Ints) -> Floats:
        """Return ``(m,)`` the delta B − A under each completion; NaN where a list has no score."""
        first, second = self.scores(levels)
        return np.asarray(second - first)

    def single_changes(self, levels: Ints) -> Floats:
        """Return ``(m, n, g)`` the delta after each change of one document to a level."""
        (many, count), size = levels.shape, len(self.scale)
        single = np.tile(levels[:, None, None], (1, count, size, 1))
        document = np.arange(count)
        single[:, document, :, document] = np.arange(size)
        return self.deltas(single.reshape(-1, count)).reshape(many, count, size)

    def _of(self, side: JudgedRankings, levels: Ints) -> Floats:
        """Return ``(m,)`` the list's scores; completions that are alike for it are scored once."""
        hits, depth = side.hits, deepest(self.measure, side.convention)
        if depth is not None:
            hits = hits[(hits.first if side.convention.ties == "mean" else hits.rank) <= depth]
        columns = self.columns(hits), self.columns(side.judged)
        # Of the other documents, only how many have each level counts: in the ideal, or in R.
        listed = np.isin(np.arange(len(self.unjudged)), columns[0])
        others = levels[:, ~listed]
        numbers = [(others == level).sum(axis=1) for level in range(1, len(self.scale))]
        first, number = _distinct(np.column_stack([levels[:, listed], *numbers]))
        side, step = replace(side, hits=hits), _AT_A_TIME // (len(hits) + len(side.judged) + 1) + 1
        parts = [self.scale[levels[first[i : i + step]]] for i in range(0, len(first), step)]
        return np.concatenate([self._ledger(side, part, columns) for part in parts])[number]

    def _ledger(self, side: JudgedRankings, grades: Floats, columns: tuple[Ints, Ints]) -> Floats:
        """Return ``(m,)`` the list's score with each row of grades, as that of another query."""
        hits, ideal = (
            _filled(lines.grade, column, grades)
            for lines, column in zip((side.hits, side.judged), columns, strict=True)
        )
        place = np.arange(1, len(side.judged) + 1)
        many = replace(
            side,
            queries=tuple(map(str, range(len(grades)))),
            hits=_stacked(hits, side.hits.rank, side.hits.first, side.hits.last),
            judged=_stacked(-np.sort(-ideal, axis=1), place, place, place),
            retrieved=np.repeat(side.retrieved, len(grades)),
        )
        return self.measure.ledger(many).scores


def _filled(grade: Floats, column: Ints, grades: Floats) -> Floats:
    """Return ``(m, n)`` the grades of lines, with each row of grades for the unjudged documents."""
    filled = np.tile(grade, (len(grades), 1))
    filled[:, column >= 0] = grades[:, column[column >= 0]]
    return filled


def _stacked(grade: Floats, *ranks: Ints) -> Hits:
    """Return lines of these grades, each row as another query's.

    They have no ids, since a measure without aspects reads none.
    """
    many, count = grade.shape
    query, document = np.repeat(np.arange(many), count), pa.nulls(grade.size, pa.string())
    rank, first, last = (np.tile(each, many) for each in ranks)
    return Hits(query, document, rank, grade.ravel(), first, last)


def _distinct(rows: Ints) -> tuple[Ints, Ints]:
    """Return an index of each distinct row, and for each row the number of the one it equals.

    ``np.unique`` along an axis, but fast: equal rows have the same number as key.
    """
    key = np.zeros(len(rows), np.int64)
    for column in rows.T:
        key = key * (column.max() + 1) + column
        if key.max() >= 2**31:
            key = np.unique(key, return_inverse=True)[1]
    _, first, number = np.unique(key, return_index=True, return_inverse=True)
    return first, number


def combined(lists: Lists) -> tuple[Ints, bool]:
    """Return completions with each list's bounds, and whether they include the delta's too."""
    measure, size = lists.measure, len(lists.scale)
    every = list(range(len(lists.unjudged)))
    a, b = ([c for c in lists.columns(side.hits).tolist() if c >= 0] for side in lists.sides)
    shared = _one_ideal(measure, measure.under(lists.sides[0].convention))
    # Not SetAP and Rprec, in which the weight of a rank depends on the documents found.
    if every and measure.linear and measure.suffix == "cutoff" and shared:
        # One document best, the others worst: only the weights of its ranks tell these apart.
        first, second = lists.scores(np.eye(len(every), dtype=np.int64) * (size - 1))
        order = np.argsort(second - first).tolist()
        plans = [([[order], [order[::-1]]], True)]
    else:
        plans = [([[[c] for c in every]], True)]
        if measure.exchangeable and lists.scale.min() >= 0:
            only_a, only_b = [c for c in a if c not in b], [c for c in b if c not in a]
            both, ways = [[c] for c in a if c in b], (1, -1)
            turned = [[only_a[::w], only_b[::-w], *both] for w in ways]
            alone = [[a[::w], only_b] for w in ways] + [[b[::w], only_a] for w in ways]
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
    return comb(len(part) + size - 1, len(part))


def _crossed(parts: Sequence[Part], size: int) -> Ints:
    """Return every combination of the levels of each part, those of the last one changing first."""
    row = np.arange(prod(_number(part, size) for part in parts))
    levels = np.empty((sum(map(len, parts)), len(row)), np.int64)
    for columns in reversed(parts):
        ascending = np.array([*combinations_with_replacement(range(size), len(columns))], np.int64)
        row, chosen = np.divmod(row, len(ascending))
        levels[columns] = ascending.T[:, chosen]
    return levels.T


def descended(lists: Lists, starts: Ints, signs: Ints) -> tuple[Floats, Ints]:
    """Return for each sign a delta (times it) that no single change lowers, and its completion.

    ``starts``: ``(s, k, n)`` completions to start from for each of ``(s,)`` signs, 1 or −1. Each
    step tries all single changes, then the best of them together: the best two, three, ...
    """
    count = starts.shape[-1]
    levels = starts.reshape(-1, count).copy()
    sign = np.repeat(signs, starts.shape[1])
    best, going = np.full(len(levels), np.inf), np.arange(len(levels))
    while len(going):
        start, turn = levels[going], sign[going, None]
        values = _worth(lists.single_changes(start), turn[..., None])
        place = np.argsort(np.argsort(values.min(axis=2), axis=1), axis=1)
        changed = place[:, None] < np.arange(count + 1)[:, None]
        together = np.where(changed, values.argmin(axis=2)[:, None], start[:, None])
        deltas = lists.deltas(together.reshape(-1, count))
        values = _worth(deltas.reshape(len(going), count + 1), turn)
        number, lowest = np.arange(len(going)), values.argmin(axis=1)
        lower = values[number, lowest] < best[going] - TIE
        going, number, lowest = going[lower], number[lower], lowest[lower]
        best[going], levels[going] = values[number, lowest], together[number, lowest]
    ends = np.arange(len(signs)), best.reshape(len(signs), -1).argmin(axis=1)
    return best.reshape(len(signs), -1)[ends], levels.reshape(starts.shape)[ends]


def _worth(deltas: Floats, sign: Ints) -> Floats:
    return np.nan_to_num(sign * deltas, nan=np.inf)
