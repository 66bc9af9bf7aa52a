"""What a judge's errors do to scores and to a verdict: grades drawn anew as another judge's."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints
from ..comparing.comparison import align, compare
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Note, Qrels, Run
from ..defaults import CONFIDENCE, SEED
from ..matching.batches import Given
from ..matching.hits import Hits
from ..matching.judged import JudgedRankings, match
from ..measures import Measure
from ..scoring.evaluate import mean, score
from ..scoring.naming import several
from ..words import count
from .side_by_side import side_by_side

KEPT, ASPECTS = "N-NOISE-KEPT", "N-NOISE-ASPECTS"
DRAWS = 500
"""At most this many draws are made, and fewer of large data."""
FEWEST = 50
"""At least this many draws are made."""
AT_ONCE = 60_000
"""About so many rows are compared at once."""
ROWS = 300_000
"""Of data with more rows than this, no draws are made: they take too long for a page."""


@dataclass(frozen=True, eq=False)
class JudgeNoise:
    """For each grade of an observed judge, the grades that another judge gave to these documents.

    Attributes
    ----------
    grades
        ``(k,)`` the observed grades, rising.
    start, size
        ``(k,)`` where the documents of each grade begin, and how many there are.
    truth
        ``(n,)`` the other judge's grade of each shared document, in the order of observed grades.
    """

    grades: Floats
    start: Ints
    size: Ints
    truth: Floats

    def kept(self, qrels: Qrels) -> int:
        """Return the number of judgments whose grade was not observed, so that no draw changes it.

        Parameters
        ----------
        qrels
            The judgments of the observed judge, as for `draws`.

        Examples
        --------
        >>> observed, truth = Qrels.from_dict({"q": {"x": 1}}), Qrels.from_dict({"q": {"x": 2}})
        >>> noise = judge_noise(observed, truth)
        >>> noise.kept(Qrels.from_dict({"q": {"x": 1, "y": 0, "z": 3}}))
        2
        """
        return len(qrels) - len(self._rows(qrels)[0])

    def draws(self, qrels: Qrels, n: int, seed: int = SEED) -> Iterator[Qrels]:
        """Yield ``n`` qrels in which each grade is drawn from the other judge's for this grade.

        The first draws are the same whatever ``n``. Each document is drawn by itself: a judge whose
        errors come in whole queries moves means more than these draws show. Reasons and grades for
        aspects, which belong to the grades before, are left out.

        Parameters
        ----------
        qrels
            The judgments to draw anew: those of the observed judge, also of more documents than
            both judged.
        n
            The number of draws.
        seed
            The seed of the random draws, 0 or above.

        Examples
        --------
        >>> observed = Qrels.from_dict({"q": {"w": 1, "x": 1, "y": 1, "z": 0}})
        >>> truth = Qrels.from_dict({"q": {"w": 1, "x": 1, "y": 0, "z": 0}})
        >>> drawn = list(judge_noise(observed, truth).draws(observed, 1000))
        >>> mean = float(sum(each.value.mean() for each in drawn) / 1000)
        >>> 0.48 < mean < 0.52, drawn[0].name, float(drawn[0].value[3])
        (True, 'draw 1', 0.0)
        """
        lots = np.random.default_rng(seed)
        rows, place = self._rows(qrels)
        notes = []
        if kept := len(qrels) - len(rows):
            graded = "no document that both judges graded has it"
            notes.append(Note(f"{count(kept, 'judgment')} kept the grade: {graded}.", KEPT))
        if qrels.aspects:
            text = "Whole documents were graded anew: the grades for aspects were left out."
            notes.append(Note(text, ASPECTS))
        for number in range(1, n + 1):
            value = qrels.value.copy()
            value[rows] = self.truth[self.start[place] + lots.integers(self.size[place])]
            name = f"{qrels.name} draw {number}".lstrip()
            yield replace(qrels, value=value, name=name, notes=tuple(notes), reasons={}, aspects={})

    def _rows(self, qrels: Qrels) -> tuple[Ints, Ints]:
        """Return the rows whose grade was observed, and the place of each one's grade."""
        place = np.searchsorted(self.grades, qrels.value)
        # A grade above all others would lie behind the last one.
        known = np.append(self.grades, np.nan)[place] == qrels.value
        return np.flatnonzero(known), place[known]


def judge_noise(observed: Given, truth: Given) -> JudgeNoise:
    """Return how a judge's grades would turn out had another judged, from the documents they share.

    A draw takes the other judge's grade of a random shared document with the same observed grade,
    so that it follows the rows of their `confusion`, P(grade of B | grade of A). That these rows
    come from few documents adds uncertainty which the draws do not show.

    Parameters
    ----------
    observed
        The judge whose grades are to be drawn anew, as a model's.
    truth
        The judge taken as right, as a person's.

    Raises
    ------
    DataError
        When a judge's grades are no qrels.

    Examples
    --------
    A winner that many draws reverse depends on the judge:

    >>> from metrics import Run, compare
    >>> model, person = Qrels.from_dict({"q": {"x": 1, "y": 1}}), Qrels.from_dict({"q": {"x": 0}})
    >>> a, b = Run.from_dict({"q": {"x": 1}}), Run.from_dict({"q": {"y": 1}})
    >>> draws = judge_noise(model, person).draws(model, 3)
    >>> [compare(each, a, b, "P@1").summary("P@1").delta for each in draws]
    [0.0, 0.0, 0.0]
    """
    of_observed, of_truth = side_by_side([observed, truth]).with_at_least(2).grades.T
    order = np.argsort(of_observed, kind="stable")
    grades, start, size = np.unique(of_observed[order], return_index=True, return_counts=True)
    return JudgeNoise(grades, start, size, of_truth[order])


@dataclass(frozen=True, eq=False)
class UnderNoise:
    """The deltas of the means of two runs under judgments drawn anew.

    Attributes
    ----------
    deltas
        ``(n,)`` the delta B − A of each draw.
    kept
        The number of judgments whose grade no shared document has, so that no draw changes it.
    """

    deltas: Floats
    kept: int

    @property
    def mean(self) -> float:
        """The mean delta of the draws."""
        return float(self.deltas.mean())

    def interval(self, level: float = CONFIDENCE) -> tuple[float, float]:
        """Return the percentiles that hold this share of the draws."""
        low, high = np.quantile(self.deltas, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return low, high

    @property
    def ahead(self) -> float:
        """The share of draws in which B is ahead."""
        return float((self.deltas > 0).mean())


def under_noise(
    model: Qrels,
    person: Qrels,
    a: Run,
    b: Run,
    measure: str | Measure,
    convention: Convention = TREC_EVAL,
    seed: int = SEED,
) -> UnderNoise | None:
    """Return the deltas of two runs under a model's grades as a person may have given them.

    Each draw replaces every grade of the model as `judge_noise` does. The interval of the draws is
    that of the judge's errors; it says nothing about other queries.

    There are 500 draws, and fewer of data of more than 20,000 rows; of more than 300,000 rows, the
    result is None.

    Raises MeasureError when the measure is unknown, or one of aspects.

    Examples
    --------
    >>> model, person = Qrels.from_dict({"q": {"x": 1, "y": 1}}), Qrels.from_dict({"q": {"x": 0}})
    >>> a, b = Run.from_dict({"q": {"x": 1}}), Run.from_dict({"q": {"y": 1}})
    >>> under_noise(model, person, a, b, "P@1").mean
    0.0
    """
    rows = len(model) + len(a) + len(b)
    if rows > ROWS:
        return None
    n = max(FEWEST, min(DRAWS, 20_000 * DRAWS // max(rows, 1)))
    noise = judge_noise(model, person)
    draws = noise.draws(model, n, seed)
    if convention.unjudged == "removed" and convention.negative == "unjudged":
        # Grades decide which documents are ranked: each draw is matched anew.
        compared = (compare(drawn, a, b, [measure], convention=convention) for drawn in draws)
        deltas = [each.summary(measure).delta for each in compared]
    else:
        deltas = [*_deltas(model, draws, (a, b), measure, convention)]
    return UnderNoise(np.array(deltas), noise.kept(model))


def _deltas(
    model: Qrels,
    draws: Iterator[Qrels],
    runs: tuple[Run, Run],
    measure: str | Measure,
    convention: Convention,
) -> Iterator[float]:
    """Yield the delta of each draw; the runs are matched once, by the rows of the qrels."""
    numbered = replace(model, value=np.arange(len(model), dtype=float))
    sides = [match(numbered, run, convention) for run in runs]
    at_once = max(1, AT_ONCE // max(1, *map(len, (model, *runs))))
    while some := [drawn.value for drawn in islice(draws, at_once)]:
        a, b = (score(_graded(side, np.stack(some)), several(measure)) for side in sides)
        of_query = align(a, b).per_query(measure)["delta"]
        place = np.array([int(query.split(" ", 1)[0]) for query in of_query.index], np.int64)
        yield from (mean(of_query.to_numpy()[place == draw]) for draw in range(len(some)))


def _graded(side: JudgedRankings, values: Floats) -> JudgedRankings:
    """Return rankings whose grades are rows of qrels with each draw of their grades.

    ``values``: ``(m, n)``, by draw and row. The queries are those of the first draw, then those of
    the next; the documents have no ids, which no measure without aspects reads.
    """
    many, queries = len(values), len(side.queries)

    def lines(hits: Hits, is_ideal: bool) -> Hits:
        query = (hits.query + queries * np.arange(many)[:, np.newaxis]).ravel()
        grade = values[:, hits.grade.astype(np.int64)].ravel()
        if is_ideal:
            grade = grade[np.lexsort((-grade, query))]
        rank, first, last = (np.tile(each, many) for each in (hits.rank, hits.first, hits.last))
        return Hits(query, pa.nulls(len(query), pa.string()), rank, grade, first, last)

    return replace(
        side,
        queries=tuple(f"{draw} {query}" for draw in range(many) for query in side.queries),
        hits=lines(side.hits, is_ideal=False),
        judged=lines(side.judged, is_ideal=True),
        retrieved=np.tile(side.retrieved, many),
    )
