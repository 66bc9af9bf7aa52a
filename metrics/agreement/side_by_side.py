"""The grades of several judges as one table, a column per judge, and the grade that most gave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints, bincount, numbers, places, repeat, take
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
