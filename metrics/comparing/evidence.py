"""Evidence that B differs from A: the delta of each measure, its interval, test and effect."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import TypeVar

import numpy as np

from ..arrays import NOISE, Floats, pd
from ..data import NO_GROUP
from ..defaults import ALPHA, CONFIDENCE, SEED, TEST
from ..errors import MeasureError
from ..scoring.evaluate import mean, weighted_mean, weights_of
from .comparison import Comparison, Summary
from .significance import DIFFERING, TESTS, TIE, effect, holm, interval_of_scores

K = TypeVar("K")


@dataclass(frozen=True)
class PairedTest:
    """The chosen test, the largest delta that counts as a tie, and the seed of random draws."""

    test: str = TEST
    tie: float = TIE
    seed: int = SEED

    def __post_init__(self) -> None:
        if self.test not in TESTS:
            raise MeasureError(f"There is no test {self.test!r}. Choose one of {', '.join(TESTS)}.")

    def p(self, deltas: Floats) -> float:
        """Return the p-value; NaN for fewer than two queries."""
        return TESTS[self.test].p(deltas, self.seed) if len(deltas) > 1 else math.nan

    def towards(self, deltas: Floats) -> float:
        """Return a number with the sign of the side that the test favours."""
        return TESTS[self.test].towards(deltas)


DEFAULT = PairedTest()


@dataclass(frozen=True)
class Evidence(Summary):
    """One measure's summary with its interval, test and effect size.

    Attributes
    ----------
    mean_a, mean_b
        The mean of each run over the compared queries.
    delta
        The mean delta, B − A.
    relative
        The mean delta as a share of A's mean; NaN when that is not above 0.
    wins, ties, losses
        The number of queries on which B wins, ties and loses.
    queries
        The number of compared queries.
    low, high
        The 95 % interval of the mean delta; NaN if fewer than 6 queries differ.
    p, corrected
        The paired test's p-value, raw and with Holm's correction for its family of tests; NaN for
        fewer than two queries, which cannot be tested.
    effect
        The mean delta in standard deviations of the deltas.
    towards
        Above 0 where the test's statistic favours B, below 0 where it favours A.
    """

    queries: int
    low: float
    high: float
    p: float
    corrected: float
    effect: float
    towards: float

    @property
    def sure(self) -> bool:
        """Whether the difference is unlikely to be noise, and the test favours the same run."""
        return self.corrected < ALPHA and self.towards * self.delta > 0


def evidence(
    comparison: Comparison,
    measures: Iterable[str] | None = None,
    test: str = TEST,
    tie: float = TIE,
    seed: int = SEED,
) -> dict[str, Evidence]:
    """Return the evidence of each measure; the first is primary, the others are secondary.

    The verdict is that of the primary measure, which is tested alone. The p-values of the others
    are corrected among themselves.

    Parameters
    ----------
    comparison
        The two runs: see `compare`.
    measures
        The measures of the comparison to test, the primary one first; by default all.
    test
        One of `TESTS`.
    tie
        Deltas up to this size are ties.
    seed
        The seed of a test that draws, of its interval, too.

    Returns
    -------
    dict
        The evidence by the name of the measure.

    Raises
    ------
    MeasureError
        When the comparison does not have a measure, or the test is not known.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> b = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2, "y": 1}})
    >>> evidence(compare(qrels, a, b, "RR"))["RR"].p
    1.0
    """
    names = list(comparison.a.ledgers) if measures is None else list(measures)
    asked = PairedTest(test, tie, seed)
    return primary_first({name: uncorrected(comparison, name, asked) for name in names})


def uncorrected(comparison: Comparison, measure: str, asked: PairedTest = DEFAULT) -> Evidence:
    """Return the evidence of one measure, without a correction of its p-value."""
    deltas = comparison.deltas(measure)
    low, high = interval(deltas, asked)
    p = asked.p(deltas)
    return Evidence(
        **vars(comparison.summary(measure, asked.tie)),
        queries=len(deltas),
        low=low,
        high=high,
        p=p,
        corrected=p,
        effect=effect(deltas),
        towards=asked.towards(deltas),
    )


def interval(
    deltas: Floats, asked: PairedTest = DEFAULT, level: float = CONFIDENCE
) -> tuple[float, float]:
    """Return the interval of a mean delta that belongs to the test; NaN if fewer than 6 differ.

    It held the true mean in at least 94 % of simulated comparisons with symmetric deltas, with up
    to 90 % of them equal to 0: `tests/benchmarks/coverage.py` prints this for each kind of deltas.
    """
    if np.count_nonzero(deltas) < DIFFERING:
        return math.nan, math.nan
    return TESTS[asked.test].interval.of(deltas, asked.seed, level)


def primary_first(rows: Mapping[K, Evidence]) -> dict[K, Evidence]:
    """Return the same evidence, with Holm's correction for all measures but the first."""
    first = dict(islice(rows.items(), 1))
    return first | holm_corrected({name: row for name, row in rows.items() if name not in first})


def holm_corrected(rows: Mapping[K, Evidence]) -> dict[K, Evidence]:
    """Return the same evidence with Holm's correction for the number of p-values."""
    return {
        name: replace(row, corrected=p)
        for (name, row), p in zip(rows.items(), holm(row.p for row in rows.values()), strict=True)
    }


def by_group(
    comparison: Comparison, measure: str, groups: Mapping[str, str], asked: PairedTest = DEFAULT
) -> dict[str, Evidence]:
    """Return one measure's evidence in each group of queries, corrected for the number of groups.

    ``groups``: the group of each query; queries without one form the group ``no group``.
    """
    of_group: dict[str, list[str]] = {}
    for query in comparison.queries:
        of_group.setdefault(groups.get(query, NO_GROUP), []).append(query)
    parts = {name: comparison.only(queries) for name, queries in of_group.items()}
    return holm_corrected({name: uncorrected(part, measure, asked) for name, part in parts.items()})


@dataclass(frozen=True)
class Weighted:
    """Both runs' means in which each query counts by its weight.

    Attributes
    ----------
    mean_a, mean_b
        The weighted mean of each run; NaN where no compared query has a weight above 0.
    deltas
        ``(n,)`` each delta times its weight, in mean weights: their mean is the weighted delta, and
        a paired test of them is one of it.
    without
        The compared queries without a weight, which are left out.
    """

    mean_a: float
    mean_b: float
    deltas: Floats
    without: tuple[str, ...]


def weighted(comparison: Comparison, measure: str, weights: Mapping[str, float]) -> Weighted:
    """Return one measure's weighted means; ``weights`` has the weight of each query.

    Raises DataError when a weight is negative or not finite.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}, "q3": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2}, "q2": {"y": 2, "x": 1}, "q3": {"x": 1}})
    >>> found = weighted(compare(qrels, a, a, "RR"), "RR", {"q1": 3, "q2": 1})
    >>> found.mean_a, found.deltas.tolist(), found.without
    (0.875, [0.0, 0.0], ('q3',))
    """
    frame = comparison.per_query(measure)
    has = frame.index.isin([*weights])
    known = frame[has]
    each = weights_of(map(str, known.index), weights)
    a, b = (weighted_mean(known[side].to_numpy(), each) for side in "AB")
    deltas = known["delta"].to_numpy() * each / each.mean() if each.any() else np.zeros(0)
    return Weighted(a, b, deltas, tuple(map(str, frame.index[~has])))


def intervals(comparison: Comparison, measures: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return the mean of A and of B over the compared queries, each with its interval.

    Each is a frame with the columns ``mean``, ``low`` and ``high`` and one row per measure.
    """
    scores = {name: comparison.per_query(name) for name in measures}

    def of_side(side: str) -> pd.DataFrame:
        values = {name: frame[side].to_numpy() for name, frame in scores.items()}
        rows = {name: (mean(each), *interval_of_scores(each)) for name, each in values.items()}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "low", "high"])

    return {side: of_side(side) for side in comparison.sides}


def queries_to_flip(deltas: Floats) -> int:
    """Return the fewest queries to leave out so that the winner no longer leads; 0 if none leads.

    The winner's largest differences are left out first: no other choice removes more.

    Examples
    --------
    >>> queries_to_flip(np.array([0.5, 0.25, -0.25, -0.125]))
    1
    >>> queries_to_flip(np.array([0.5, 0.25]))
    2
    """
    total, noise = deltas.sum(), NOISE * np.abs(deltas).sum()
    if np.abs(total) <= noise:
        return 0
    towards = np.sort(deltas * np.sign(total))[::-1]
    left = np.abs(total) - np.cumsum(towards)
    return int(np.argmax(left <= noise)) + 1
