"""The coefficients of agreement, computed from counts of grades that met on one document.

Cohen's kappa and Krippendorff's alpha are both 1 − observed / expected disagreement. The observed
one is a sum over the pairs of grades that met, the expected one depends on how often each grade
was given. So one count of the pairs of grades per query is enough for any sample of queries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from ..arrays import Floats, Ints, bincount
from .side_by_side import SideBySide


@dataclass(frozen=True, eq=False)
class Coincidences:
    """How often two grades met on a document, for each query.

    Attributes
    ----------
    grades
        ``(k,)`` the grades that met another or themselves, rising.
    first, second
        ``(c,)`` indexes into the grades: the pairs of grades that met.
    per_query
        ``(q, c)`` sparse: how often, in each query that has such a document, in the order of the
        queries' ids, so that a seed gives the same samples whatever the order of rows and judges.
    pooled
        Whether the two grades of a pair are those of any judges, not of A and of B.
    pairs
        The number of (query, document) pairs that count.
    """

    grades: Floats
    first: Ints
    second: Ints
    per_query: Any
    pooled: bool
    pairs: int

    @property
    def queries(self) -> int:
        """The number of queries that count."""
        return int(self.per_query.shape[0])

    @cached_property
    def _margins(self) -> tuple[Any, Any]:
        """Two ``(c, k)`` sparse matrices: which pairs of grades have a grade first, and second."""
        from scipy import sparse

        one, cell = np.ones(len(self.first)), np.arange(len(self.first))
        shape = len(self.first), len(self.grades)
        sides = (self.first, self.second)
        first, second = (sparse.csr_array((one, (cell, side)), shape) for side in sides)
        return first, second

    def margins(self, totals: Floats) -> tuple[Floats, Floats]:
        """Return ``(s, k)`` how often A gave each grade, and B, in ``s`` samples.

        Pooled, both are how often any judge gave it.
        """
        first, second = (np.asarray(totals @ side) for side in self._margins)
        return (first + second,) * 2 if self.pooled else (first, second)

    def sums(self, totals: Floats, distances: Floats) -> Floats:
        """Return ``(s,)`` the sums of ``(c,)`` or ``(s, c)`` distances over all that met."""
        summed: Floats = (totals * distances).sum(axis=1)
        return 2 * summed if self.pooled else summed


def of_two(table: SideBySide) -> Coincidences:
    """Return which grade of judge A met which grade of judge B."""
    both = table.with_at_least(2)
    a, b = both.grades.T
    return _counted(both, both.query, a, b, np.ones(len(both.query)), pooled=False)


def of_any(table: SideBySide) -> Coincidences:
    """Return which grades of any two judges met.

    On a document of m judges each of the m (m − 1) ordered pairs counts 1/(m − 1), so that each
    grade counts once.

    References
    ----------
    Krippendorff, Computing Krippendorff's alpha-reliability (2011).
    """
    met = table.with_at_least(2)
    grades = np.sort(met.grades, axis=1)  # NaN comes last
    judges = (~np.isnan(grades)).sum(axis=1)
    # Sorted, the grades of two columns meet in one order only.
    parts = [
        (met.query[rows], grades[rows, i], grades[rows, j], 1 / (judges[rows] - 1))
        for i, j in combinations(range(int(judges.max(initial=0))), 2)
        if len(rows := np.flatnonzero(judges > j))
    ]
    none = (met.query[:0], *(np.zeros(0),) * 3)
    query, low, high, weight = map(np.concatenate, zip(none, *parts, strict=True))
    return _counted(met, query, low, high, weight, pooled=True)


def _counted(
    table: SideBySide, query: Ints, a: Floats, b: Floats, weight: Floats, *, pooled: bool
) -> Coincidences:
    """Count the pairs of grades per query, in a table of the pairs that count."""
    from scipy import sparse

    grades, code = np.unique(np.concatenate([a, b]), return_inverse=True)
    cell, column = np.unique(code[: len(a)] * len(grades) + code[len(a) :], return_inverse=True)
    first, second = np.divmod(cell, max(len(grades), 1))
    used = np.flatnonzero(bincount(query, minlength=len(table.queries)))
    used = np.array(sorted(used.tolist(), key=table.queries.__getitem__), np.int64)
    row = np.zeros(len(table.queries), np.int64)
    row[used] = np.arange(len(used))
    counts = sparse.coo_array((weight, (row[query], column)), (len(used), len(cell))).tocsr()
    return Coincidences(grades, first, second, counts, pooled, len(table.query))


def scaled(grades: Floats) -> Floats:
    """Return rising grades moved and scaled to 0 … 1, which changes no coefficient.

    Evenly spaced grades thus give the same coefficients whatever their unit, but for rounding.

    Examples
    --------
    >>> scaled(np.array([-1.0, 0.0, 3.0])).tolist()
    [0.0, 0.25, 1.0]
    """
    if len(grades) < 2:
        return np.zeros(len(grades))
    return np.asarray((grades - grades[0]) / (grades[-1] - grades[0]))


def mid_ranks(margins: Floats) -> Floats:
    """Return ``(s, k)`` the mean rank of each grade among all that were given, as a share.

    The ordinal distance of two grades is the difference of their mid-ranks.

    Examples
    --------
    >>> mid_ranks(np.array([[2.0, 1.0, 1.0]])).tolist()
    [[0.25, 0.625, 0.875]]
    """
    n = np.maximum(margins.sum(axis=1, keepdims=True), 1)
    return np.asarray((np.cumsum(margins, axis=1) - margins / 2) / n)


def _differing(a: Floats, b: Floats, x: Floats) -> Floats:
    return np.asarray(a.sum(axis=1) * b.sum(axis=1) - (a * b).sum(axis=1))


def _linear(a: Floats, b: Floats, x: Floats) -> Floats:
    # |x − y| is the sum of the gaps between neighbouring grades that lie between x and y.
    a_below, b_below = (np.cumsum(each, axis=1)[:, :-1] for each in (a, b))
    a_above, b_above = (
        each.sum(axis=1, keepdims=True) - below for each, below in ((a, a_below), (b, b_below))
    )
    return np.asarray(((a_below * b_above + b_below * a_above) * np.diff(x)).sum(axis=1))


def _squared(a: Floats, b: Floats, x: Floats) -> Floats:
    n_a, n_b = (each.sum(axis=1) for each in (a, b))
    both = a + b
    centre = (both * x).sum(axis=1) / np.maximum(both.sum(axis=1), 1)
    # Around their mean, the squares do not cancel.
    x = x - centre[:, None]
    means = (a * x).sum(axis=1) * (b * x).sum(axis=1)
    return np.asarray(n_b * (a * x * x).sum(axis=1) + n_a * (b * x * x).sum(axis=1) - 2 * means)


@dataclass(frozen=True)
class Distance:
    """How far two grades are apart.

    Attributes
    ----------
    apart
        The distance of two grades from the difference of their positions.
    expected
        The sum of the distances of all grades of A from all of B, from ``(s, k)`` how often each
        gave each grade, and the positions of the grades, ``(k,)`` or ``(s, k)``.
    """

    apart: Callable[[Floats], Floats]
    expected: Callable[[Floats, Floats, Floats], Floats]


DIFFERING = Distance(lambda gap: (gap != 0).astype(float), _differing)
LINEAR = Distance(np.abs, _linear)
SQUARED = Distance(np.square, _squared)


def coefficients(
    met: Coincidences, totals: Floats, distance: Distance, positions: Floats | None
) -> Floats:
    """Return ``(s,)`` 1 − observed / expected disagreement; NaN where fewer than two grades occur.

    Parameters
    ----------
    totals
        ``(s, c)`` how often each pair of grades met in each of ``s`` samples.
    positions
        ``(k,)`` where each grade lies on its scale; None: at its mid-rank in the sample.

    References
    ----------
    Cohen, Psychological Bulletin 70 (1968); Krippendorff, Computing Krippendorff's
    alpha-reliability (2011).
    """
    a, b = met.margins(totals)
    x = mid_ranks(a) if positions is None else positions
    observed = met.sums(totals, distance.apart(x[..., met.second] - x[..., met.first]))
    expected = distance.expected(a, b, x)
    # The squares of differences far below the range of the grades are 0.
    defined = ((a + b > 0).sum(axis=1) >= 2) & (expected > 0)
    # Pooled, no grade meets itself by chance.
    times = a.sum(axis=1) - met.pooled
    ratio = np.full(len(totals), np.nan)
    np.divide(observed * times, expected, out=ratio, where=defined)
    return np.asarray(1 - ratio)


def same_shares(met: Coincidences, totals: Floats) -> Floats:
    """Return ``(s,)`` the share of pairs with the same grade; NaN where a sample has no pair."""
    same = totals[:, met.first == met.second].sum(axis=1)
    every = totals.sum(axis=1)
    share = np.full(len(totals), np.nan)
    np.divide(same, every, out=share, where=every > 0)
    return share
