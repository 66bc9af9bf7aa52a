"""The grades of several judges as one table: their majority and their disagreements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints, bincount, numbers, pd, places, repeat, take
from ..data import Note, Qrels
from ..errors import DataError
from ..matching.batches import Given
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

    Raises DataError when there is no judge.

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
    name
        The name of the result.

    Raises
    ------
    DataError
        When there is no judge, or one's grades are no qrels.

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
        text = f"{of} several judged have no most frequent grade: the lower median counts."
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

    Parameters
    ----------
    a, b
        The qrels of each judge: `Qrels`, dicts or frames.

    Returns
    -------
    DataFrame
        A row per grade of A and a column per grade of B, rising; both have every grade that one of
        them gave to a document that both judged.

    Raises
    ------
    DataError
        When a judge's grades are no qrels, or there are more than 1,000 different grades.

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

    Parameters
    ----------
    a, b
        The qrels of each judge: `Qrels`, dicts or frames.

    Returns
    -------
    DataFrame
        Columns ``query, document, A, B``, ``difference`` of the grades, B − A, and ``reason A,
        reason B``, empty where a judge gave no reason. Equal differences are in the order of A.

    Raises
    ------
    DataError
        When a judge's grades are no qrels.

    Examples
    --------
    >>> a = Qrels.from_dict({"q": {"x": 0, "y": 1, "z": 2}})
    >>> b = Qrels.from_dict({"q": {"x": 1, "y": 1, "z": 0}})
    >>> disagreements(a, b)[["document", "A", "B", "difference"]].values.tolist()
    [['z', 2.0, 0.0, -2.0], ['x', 0.0, 1.0, 1.0]]
    """
    return both_judged(a, b, np.greater)


def both_judged(a: Given, b: Given, kept: np.ufunc = np.greater_equal) -> pd.DataFrame:
    """Return the documents that two judges graded, as `disagreements` does those it is about.

    ``kept``: whether a difference, which has no sign here, is kept, compared with 0.
    """
    judges = Qrels.of(a), Qrels.of(b)
    table = side_by_side(judges)
    of_a, of_b = table.grades.T
    difference = of_b - of_a
    # NaN, where a judge lacks the document, is neither above 0 nor 0.
    rows = np.flatnonzero(kept(np.abs(difference), 0))
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
