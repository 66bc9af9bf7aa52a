"""Evidence that B differs from A, by measure; and of every pair of several runs."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from string import ascii_lowercase
from typing import TypeVar

import numpy as np

from ..arrays import NOISE, Floats, pd
from ..conventions.convention import Convention
from ..data import NO_GROUP
from ..defaults import ALPHA, CONFIDENCE, SEED, TEST
from ..errors import DataError
from ..measures import Measure
from ..scoring.evaluate import Scores, mean
from ..scoring.naming import several
from .comparison import Comparison, Summary, align
from .significance import DIFFERING, TESTS, TIE, effect, holm, interval_of_scores

K = TypeVar("K")


@dataclass(frozen=True)
class PairedTest:
    """The chosen test, the largest delta that counts as a tie, and the seed of random draws."""

    test: str = TEST
    tie: float = TIE
    seed: int = SEED

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
    measures
        The measures of the comparison to test, the primary one first; by default all.
    test
        One of `TESTS`.
    tie
        Deltas up to this size are ties.

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
    comparison: Comparison,
    measure: str,
    groups: Mapping[str, str],
    asked: PairedTest = DEFAULT,
) -> dict[str, Evidence]:
    """Return one measure's evidence in each group of queries, corrected for the number of groups.

    ``groups``: the group of each query; queries without one form the group ``no group``.
    """
    of_group: dict[str, list[str]] = {}
    for query in comparison.queries:
        of_group.setdefault(groups.get(query, NO_GROUP), []).append(query)
    parts = {name: comparison.only(queries) for name, queries in of_group.items()}
    return holm_corrected({name: uncorrected(part, measure, asked) for name, part in parts.items()})


def intervals(comparison: Comparison, measures: Iterable[str]) -> dict[str, pd.DataFrame]:
    """Return the mean of A and of B over the compared queries, each with its interval.

    Returns
    -------
    dict
        By ``"A"`` and ``"B"``: columns ``mean, low, high``, one row per measure.
    """
    scores = {name: comparison.per_query(name) for name in measures}

    def of_side(side: str) -> pd.DataFrame:
        values = {name: frame[side].to_numpy() for name, frame in scores.items()}
        rows = {name: (mean(each), *interval_of_scores(each)) for name, each in values.items()}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["mean", "low", "high"])

    return {side: of_side(side) for side in comparison.sides}


def without_each(deltas: Floats) -> Floats:
    """Return ``(n,)`` the mean difference with each query left out in turn; NaN for n = 1.

    Examples
    --------
    >>> without_each(np.array([0.5, 0.25, 0.0])).tolist()
    [0.125, 0.25, 0.375]
    """
    if len(deltas) < 2:
        return np.full(len(deltas), np.nan)
    others: Floats = (deltas.sum() - deltas) / (len(deltas) - 1)
    return others


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


MOST = 10
"""At most this many runs: every pair is tested, and each test weakens the others' correction."""


@dataclass(frozen=True)
class Standing:
    """One run on the leaderboard.

    Attributes
    ----------
    run, letter
        Its name, and the letter of its place (a is the first), which stands for the name where
        space is short.
    means
        Its mean in each measure, the first measure first; NaN where no query has a score.
    low, high
        The 95 % interval of its mean in the first measure, not corrected.
    ahead_of
        By measure, the runs that have a significantly lower mean, the best first.
    """

    run: str
    letter: str
    means: Mapping[str, float]
    low: float
    high: float
    ahead_of: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Leaderboard:
    """Runs by descending mean in the first measure, and every pair of them.

    Attributes
    ----------
    queries
        By measure, the number of queries for which all runs have a score; only these count.
    standings
        The runs, the best first.
    pairs
        The evidence of each pair in the first measure; the better run comes second, and deltas are
        second − first. All pairs are one family: ``corrected`` is p with Holm's correction, and
        ``low, high`` have the level at which this correction tests the pair.
    tests
        By family, the number of p-values that are corrected together: those of the first measure,
        and those of all other measures.
    convention, paired_test
        The convention of the scores, and the paired test.
    """

    queries: Mapping[str, int]
    standings: tuple[Standing, ...]
    pairs: Mapping[tuple[str, str], Evidence]
    tests: tuple[int, int]
    convention: Convention
    paired_test: PairedTest

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures; the first orders the runs."""
        return tuple(self.queries)

    @property
    def letters(self) -> dict[str, str]:
        """The letter of each run."""
        return {each.run: each.letter for each in self.standings}


def leaderboard(
    scores: Mapping[str, Scores],
    measures: str | Measure | Iterable[str | Measure],
    asked: PairedTest = DEFAULT,
) -> Leaderboard:
    """Return the leaderboard of runs over the queries for which all have a score.

    Parameters
    ----------
    scores
        The scores of two to ten runs by name, each with all ``measures`` among its ledgers.
    measures
        The measure that orders the runs, and others beside it. The pairs of runs are tested in
        each measure: those of the first measure are one family, corrected with Holm's method, and
        those of all others another.

    Raises
    ------
    DataError
        When there are fewer than two runs, more than ten, or no query that all have in the first
        measure.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> good = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2, "y": 1}})
    >>> bad = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> asked = ["RR", "P@1"]
    >>> runs = {"bad": evaluate(qrels, bad, asked), "good": evaluate(qrels, good, asked)}
    >>> board = leaderboard(runs, asked)
    >>> [(each.letter, each.run, each.means) for each in board.standings]
    [('a', 'good', {'RR': 1.0, 'P@1': 1.0}), ('b', 'bad', {'RR': 0.75, 'P@1': 0.5})]
    >>> board.pairs["bad", "good"].delta
    0.25
    """
    if not 2 <= len(scores) <= MOST:
        raise DataError(f"A leaderboard takes 2 to {MOST} runs; {len(scores)} are chosen.")
    first, *others = dict.fromkeys(map(str, several(measures)))
    columns = {name: _shared(scores, name) for name in (first, *others)}
    if not columns[first][0]:
        raise DataError("There is no query for which all chosen runs have a score.")
    means = {
        name: {run: mean(value) for run, value in values.items()}
        for name, (_, values) in columns.items()
    }
    runs = sorted(scores, key=lambda run: -means[first][run])
    pairs = _pairs(scores, runs, first, columns[first][0], asked)
    ahead = {first: {pair for pair, row in pairs.items() if row.sure}}
    beside, tests = _ahead(scores, {name: columns[name][0] for name in others}, asked)
    ahead |= beside
    intervals = {run: interval_of_scores(columns[first][1][run]) for run in runs}
    return Leaderboard(
        {name: len(queries) for name, (queries, _) in columns.items()},
        tuple(
            Standing(
                run,
                letter,
                {name: of_runs[run] for name, of_runs in means.items()},
                *intervals[run],
                {name: tuple(r for r in intervals if (r, run) in p) for name, p in ahead.items()},
            )
            for letter, run in zip(ascii_lowercase, intervals, strict=False)
        ),
        pairs,
        (_tested(row.p for row in pairs.values()), tests),
        next(iter(scores.values())).convention,
        asked,
    )


def _shared(scores: Mapping[str, Scores], measure: str) -> tuple[list[str], dict[str, Floats]]:
    """Return the queries for which all runs have a score, and each run's scores of these."""
    columns = {run: each.per_query[measure].dropna() for run, each in scores.items()}
    shared = set.intersection(*(set(column.index) for column in columns.values()))
    queries = [query for query in next(iter(columns.values())).index if query in shared]
    return queries, {run: column.reindex(queries).to_numpy() for run, column in columns.items()}


def _pairs(
    scores: Mapping[str, Scores],
    runs: Sequence[str],
    measure: str,
    queries: Sequence[str],
    asked: PairedTest,
) -> dict[tuple[str, str], Evidence]:
    """Return the evidence of each pair of runs, ordered best first, corrected as one family."""
    compared = {
        (worse, better): align(scores[worse], scores[better]).only(queries)
        for better, worse in combinations(runs, 2)
    }
    corrected = holm_corrected(
        {pair: uncorrected(both, measure, asked) for pair, both in compared.items()}
    )
    pairs, levels = {}, _levels(corrected)
    for pair, row in corrected.items():
        low, high = interval(compared[pair].deltas(measure), asked, levels[pair])
        pairs[pair] = replace(row, low=low, high=high)
    return pairs


def _levels(pairs: Mapping[tuple[str, str], Evidence]) -> dict[tuple[str, str], float]:
    """Return the level of each pair's interval: the one at which Holm's correction tests it.

    Holm compares p with 0.05/n, so the interval has the level 1 − 0.05/n. For a significant pair,
    n is what Holm multiplies its p by; for all others, it is the number of these others.
    """
    others = _tested(row.p for row in pairs.values() if not row.corrected < ALPHA)
    levels = {}
    for pair, row in pairs.items():
        times: float = max(1, others)
        if row.corrected < ALPHA:
            times = row.corrected / row.p if row.p > 0 else len(pairs)
        levels[pair] = 1 - ALPHA / times
    return levels


def _ahead(
    scores: Mapping[str, Scores], queries: Mapping[str, Sequence[str]], asked: PairedTest
) -> tuple[dict[str, set[tuple[str, str]]], int]:
    """Return the pairs whose second run is ahead, by measure, and the number of tests in all."""
    rows = []
    for measure, shared in queries.items():
        for a, b in combinations(scores, 2):
            deltas = align(scores[a], scores[b]).only(shared).deltas(measure)
            delta = mean(deltas)
            pair = (b, a) if delta < 0 else (a, b)
            rows.append((measure, pair, asked.p(deltas), asked.towards(deltas) * delta > 0))
    corrected = holm(p for _, _, p, _ in rows)
    ahead: dict[str, set[tuple[str, str]]] = {measure: set() for measure in queries}
    for (measure, pair, _, same), p in zip(rows, corrected, strict=True):
        if p < ALPHA and same:
            ahead[measure].add(pair)
    return ahead, _tested(p for _, _, p, _ in rows)


def _tested(values: Iterable[float]) -> int:
    """Return how many p-values there are; NaN is none."""
    return sum(not np.isnan(p) for p in values)
