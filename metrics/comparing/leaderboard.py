"""The leaderboard of several runs: their means, and which differences are unlikely to be noise."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from string import ascii_lowercase

import numpy as np

from ..arrays import Floats, pd
from ..conventions.convention import Convention
from ..defaults import ALPHA
from ..errors import DataError, MeasureError
from ..measures import Measure
from ..scoring.evaluate import Scores, mean
from ..scoring.naming import several
from .comparison import align
from .evidence import DEFAULT, Evidence, PairedTest, holm_corrected, interval, uncorrected
from .significance import holm, interval_of_scores

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
        The measure that orders the runs, and others beside it. The pairs of runs are tested in each
        measure: those of the first measure are one family, corrected with Holm's method, and those
        of all others another.
    asked
        The paired test, the largest delta that is a tie, and the seed.

    Raises
    ------
    DataError
        When there are fewer than two runs, more than ten, or no query that all have in the first
        measure.
    MeasureError
        When a run is not scored by one of the measures.

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
    if not (names := [*dict.fromkeys(map(str, several(measures)))]):
        raise MeasureError("A leaderboard takes one measure or more; none is named.")
    first, *others = names
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
    columns = {
        run: pd.Series(each.ledger(measure).scores, each.judged.queries).dropna()
        for run, each in scores.items()
    }
    shared = set.intersection(*(set(column.index) for column in columns.values()))
    queries = [query for query in next(iter(columns.values())).index if query in shared]
    return queries, {run: np.asarray(column.reindex(queries)) for run, column in columns.items()}


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
