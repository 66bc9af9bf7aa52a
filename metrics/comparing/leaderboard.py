"""The leaderboard of several runs: their means, and which differences are unlikely to be noise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from ..errors import DataError
from ..scoring.evaluate import Scores, mean
from .comparison import align
from .evidence import DEFAULT, Evidence, PairedTest, holm_corrected, uncorrected
from .significance import interval

MOST = 10
"""At most this many runs: every pair is tested, and each test weakens the others' correction."""


@dataclass(frozen=True)
class Standing:
    """One run's place on the leaderboard.

    Attributes
    ----------
    run, place
        Its name, and its place from 1, which stands for the name where space is short.
    mean, low, high
        Its mean over the shared queries, with its 95 % interval.
    beats
        The places of the runs that it beats with a significant difference.
    """

    run: str
    place: int
    mean: float
    low: float
    high: float
    beats: tuple[int, ...]


@dataclass(frozen=True)
class Leaderboard:
    """Runs by descending mean, and every pair of them; a pair's deltas are second − first.

    Attributes
    ----------
    queries
        The number of queries for which all runs have a score; only these count.
    pairs
        The evidence of each pair, with Holm's correction; the better run comes second.
    """

    queries: int
    standings: tuple[Standing, ...]
    pairs: Mapping[tuple[str, str], Evidence]


def leaderboard(
    scores: Mapping[str, Scores],
    measure: str,
    asked: PairedTest = DEFAULT,
) -> Leaderboard:
    """Return the leaderboard of runs over the queries for which all have a score.

    Parameters
    ----------
    scores
        The scores of two to ten runs by name, each with ``measure`` among its ledgers.

    Raises
    ------
    DataError
        When there are fewer than two runs, more than ten, or no query that all have.

    Examples
    --------
    >>> from metrics import Qrels, Run, evaluate
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> good = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"x": 2, "y": 1}})
    >>> bad = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> runs = {"bad": evaluate(qrels, bad, "RR"), "good": evaluate(qrels, good, "RR")}
    >>> board = leaderboard(runs, "RR")
    >>> [(each.run, each.mean) for each in board.standings]
    [('good', 1.0), ('bad', 0.75)]
    >>> board.pairs["bad", "good"].delta
    0.25
    """
    if not 2 <= len(scores) <= MOST:
        raise DataError(f"A leaderboard takes 2 to {MOST} runs; {len(scores)} are chosen.")
    columns = {run: each.per_query[measure].dropna() for run, each in scores.items()}
    shared = set.intersection(*(set(column.index) for column in columns.values()))
    if not shared:
        raise DataError("There is no query for which all chosen runs have a score.")
    first = next(iter(columns.values()))
    queries = [query for query in first.index if query in shared]
    values = {run: column.reindex(queries).to_numpy() for run, column in columns.items()}
    means = {run: mean(value) for run, value in values.items()}
    names = sorted(means, key=lambda run: -means[run])
    drawn = {}
    for better, worse in combinations(names, 2):
        both = align(scores[worse], scores[better]).only(queries)
        drawn[worse, better] = uncorrected(both, measure, asked)
    pairs = holm_corrected(drawn)
    places = {name: place for place, name in enumerate(names, 1)}
    standings = [
        Standing(
            name,
            places[name],
            means[name],
            *interval(np.asarray(values[name])),
            tuple(sorted(places[w] for (w, b), row in pairs.items() if b == name and row.sure)),
        )
        for name in names
    ]
    return Leaderboard(len(queries), tuple(standings), pairs)
