"""The grades of several judges as one table: their majority, disagreements and noise."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints, bincount, numbers, pd, places, repeat, take
from ..comparing.comparison import compare
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Note, Qrels, Run
from ..defaults import CONFIDENCE, SEED
from ..errors import DataError
from ..matching.batches import Given
from ..measures import Measure
from ..words import count


@dataclass(frozen=True, eq=False)
class SideBySide:
    """The grades of ``j`` judges for the ``n`` pairs that at least one of them judged.

    Attributes
    ----------
    queries
        The queries of all judges, in order of first appearance; some may have no pair.
    query, document
        ``(n,)`` index into the queries, and document ids, in order of first appearance.
    grades
        ``(n, j)`` the grade of each judge; NaN where the judge lacks the pair.
    """

    queries: tuple[str, ...]
    query: Ints
    document: pa.StringArray
    grades: Floats

    def with_at_least(self, judges: int) -> SideBySide:
        """Return the pairs that this many judges graded."""
        rows = np.flatnonzero((~np.isnan(self.grades)).sum(axis=1) >= judges)
        document = take(self.document, rows)
        return SideBySide(self.queries, self.query[rows], document, self.grades[rows])


def side_by_side(judges: Sequence[Given]) -> SideBySide:
    """Return the grades of several judges side by side.

    Raises
    ------
    DataError
        When there is no judge.

    Examples
    --------
    >>> a = Qrels.from_dict({"q1": {"x": 2, "y": 0}})
    >>> b = Qrels.from_dict({"q2": {"x": 1}, "q1": {"y": 1}})
    >>> table = side_by_side([a, b])
    >>> table.queries, table.query.tolist(), table.document.to_pylist()
    (('q1', 'q2'), [0, 0, 1], ['x', 'y', 'x'])
    >>> table.grades.tolist()
    [[2.0, nan], [0.0, 1.0], [nan, 1.0]]
    """
    if not judges:
        raise DataError("There is no judge. Give the qrels of at least one.")
    every = [*map(Qrels.of, judges)]
    queries = tuple(dict.fromkeys(chain.from_iterable(each.queries for each in every)))
    query = np.concatenate([places(each.queries, queries)[each.query] for each in every])
    document = pa.concat_arrays([each.document for each in every])
    encoded = document.dictionary_encode()
    key = query * len(encoded.dictionary) + numbers(encoded.indices)
    _, first, pair = np.unique(key, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    judge = repeat(np.arange(len(every)), [len(each) for each in every])
    grades = np.full((len(first), len(every)), np.nan)
    # Adding 0 makes -0.0 the same grade as 0.0.
    grades[place[pair], judge] = np.concatenate([each.value for each in every]) + 0.0
    return SideBySide(queries, query[first[order]], take(document, first[order]), grades)


TIED = "N-MAJORITY-TIED"
"""Several grades of a document are the most frequent."""
ASPECTS = "N-MAJORITY-ASPECTS"
"""The grades for aspects were left out."""


def majority(judges: Sequence[Given], name: str = "majority") -> Qrels:
    """Return the most frequent grade of each document that anybody judged.

    Where several grades are the most frequent, it is their lower median, so a grade that a judge
    gave: of 0, 1 and 3 it is 1, of 1 and 2 it is 1. Two judges who disagree thus give the lower
    grade. A note counts these documents.

    The grades are those of whole documents: grades for aspects, and the judges' reasons, are left
    out.

    Parameters
    ----------
    judges
        The qrels of each judge; the order of rows is that of the first, then of the others.

    Raises
    ------
    DataError
        When there is no judge.

    Examples
    --------
    >>> judges = [Qrels.from_dict({"q": {"x": grade}}) for grade in (0, 2, 2)]
    >>> found = majority([*judges, Qrels.from_dict({"q": {"y": 1}})])
    >>> found.to_dict()
    {'q': {'x': 2.0, 'y': 1.0}}
    """
    of = [*map(Qrels.of, judges)]
    table = side_by_side(of)
    row, judge = np.nonzero(~np.isnan(table.grades))
    given = np.unique(np.stack([row, table.grades[row, judge]]), axis=1, return_counts=True)
    (pair, grade), times = given
    pair = pair.astype(np.int64)
    most = np.zeros(len(table.query), np.int64)
    np.maximum.at(most, pair, times)
    tied = times == most[pair]
    grades, sizes = grade[tied], bincount(pair[tied], minlength=len(most))
    lower_median = np.cumsum(sizes) - sizes + (sizes - 1) // 2
    value = grades[lower_median]
    qrels = Qrels(table.queries, table.query, table.document, value, name)
    several = int((bincount(row, minlength=len(value)) > 1).sum())
    return qrels.noted(_notes(of, int((sizes > 1).sum()), several, len(value) - several))


def _notes(judges: Sequence[Qrels], tied: int, several: int, single: int) -> list[Note]:
    """Return notes on the documents without a single most frequent grade, and on aspects."""
    notes = []
    if tied:
        of = f"{tied:,} of the {count(several, 'document')} that"
        text = f"{of} several judged have no majority: the lower median of the grades counts."
        if len(judges) == 2:
            text = f"The two differ on {of} both judged: the lower grade counts."
        if single:
            text += f" {count(single, 'document')} {'has' if single == 1 else 'have'} one grade."
        notes.append(Note(text, TIED))
    if any(each.aspects for each in judges):
        text = "The majority is that of whole documents: the grades for aspects were left out."
        notes.append(Note(text, ASPECTS))
    return notes


MOST_GRADES = 1_000
"""A table of grades against grades has at most this many rows."""

OFTEN = 0.05
"""A grade above all of another judge's is a sign of another scale if it is given this often."""


def scales_differ(a: Qrels, b: Qrels) -> tuple[float, float] | None:
    """Return the highest grades of two judges who may use two scales; None if nothing says so.

    One gives grades above all of the other's to at least 5 % of the documents.

    Examples
    --------
    >>> a, b = (Qrels.from_dict({"q": {"x": top, "y": 0}}) for top in (1, 3))
    >>> scales_differ(a, b), scales_differ(a, a)
    ((1.0, 3.0), None)
    """
    if not len(a) or not len(b):
        return None
    tops = float(a.value.max()), float(b.value.max())
    above = (max(a.value, b.value, key=np.max) > min(tops)).mean()
    return tops if above >= OFTEN else None


def confusion(a: Given, b: Given) -> pd.DataFrame:
    """Return how often each grade of judge A met each grade of judge B.

    Returns
    -------
    DataFrame
        A row per grade of A and a column per grade of B, rising; both have every grade that one of
        them gave to a document that both judged.

    Raises
    ------
    DataError
        When there are more than 1,000 different grades.

    Examples
    --------
    >>> a = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 1, "y": 0, "z": 1}})
    >>> b = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 0, "y": 0}})
    >>> print(confusion(a, b).to_csv(), end="")
    A,0.0,1.0,2.0
    0.0,2,0,0
    1.0,1,0,0
    2.0,0,0,1
    """
    met = side_by_side([a, b]).with_at_least(2).grades
    grades, code = np.unique(met, return_inverse=True)
    if len(grades) > MOST_GRADES:
        raise DataError(
            f"The judges gave {len(grades):,} different grades to shared documents, more than the "
            f"{MOST_GRADES:,} that a table can have. Round the grades."
        )
    of_a, of_b = code.reshape(met.shape).T
    counts = bincount(of_a * len(grades) + of_b, minlength=len(grades) ** 2)
    rows, columns = (pd.Index(grades, name=name) for name in "AB")
    return pd.DataFrame(counts.reshape(len(grades), len(grades)), rows, columns)


def disagreements(a: Given, b: Given) -> pd.DataFrame:
    """Return the documents to which two judges gave different grades, largest difference first.

    Returns
    -------
    DataFrame
        Columns ``query, document, A, B``, ``difference`` of the grades, B − A, and ``reason A,
        reason B``, empty where a judge gave no reason. Equal differences are in the order of A.

    Examples
    --------
    >>> a = Qrels.from_dict({"q": {"x": 0, "y": 1, "z": 2}})
    >>> b = Qrels.from_dict({"q": {"x": 1, "y": 1, "z": 0}})
    >>> disagreements(a, b)[["document", "A", "B", "difference"]].values.tolist()
    [['z', 2.0, 0.0, -2.0], ['x', 0.0, 1.0, 1.0]]
    """
    judges = Qrels.of(a), Qrels.of(b)
    table = side_by_side(judges)
    of_a, of_b = table.grades.T
    difference = of_b - of_a
    # NaN, where a judge lacks the document, is not above 0.
    rows = np.flatnonzero(np.abs(difference) > 0)
    rows = rows[np.argsort(-np.abs(difference[rows]), kind="stable")]
    queries = [table.queries[code] for code in table.query[rows].tolist()]
    documents = take(table.document, rows).to_pylist()
    columns = {
        "query": queries,
        "document": documents,
        "A": of_a[rows],
        "B": of_b[rows],
        "difference": difference[rows],
    }
    for name, judge in zip("AB", judges, strict=True):
        columns[f"reason {name}"] = [
            judge.reasons.get(query, {}).get(document, "")
            for query, document in zip(queries, documents, strict=True)
        ]
    texts = dict.fromkeys(("query", "document", "reason A", "reason B"), str)
    return pd.DataFrame(columns).astype(texts)


NOISE_KEPT = "N-NOISE-KEPT"
"""Grades that the judges do not share were kept."""
NOISE_ASPECTS = "N-NOISE-ASPECTS"
"""The grades for aspects were left out."""
DRAWS = 500
"""At most this many draws are made, and fewer of large data."""
FEWEST = 50
"""At least this many draws are made."""
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
            notes.append(Note(f"{count(kept, 'judgment')} kept the grade: {graded}.", NOISE_KEPT))
        if qrels.aspects:
            text = "Whole documents were graded anew: the grades for aspects were left out."
            notes.append(Note(text, NOISE_ASPECTS))
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

    Returns
    -------
    UnderNoise or None
        500 draws, fewer for data of more than 20,000 rows; None for more than 300,000 rows.

    Raises
    ------
    MeasureError
        When the measure is unknown, or one of aspects.

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
    deltas = [
        compare(drawn, a, b, [measure], convention=convention).summary(measure).delta
        for drawn in noise.draws(model, n, seed)
    ]
    return UnderNoise(np.array(deltas), noise.kept(model))
