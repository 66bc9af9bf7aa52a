"""One set of judgments out of several: the grade that most judges gave."""

from collections.abc import Sequence

import numpy as np

from ..arrays import bincount
from ..data import Note, Qrels
from ..judging.batches import Given
from ..words import count
from .side_by_side import side_by_side

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
    return qrels.noted(_notes(of, int((sizes > 1).sum()), len(value)))


def _notes(judges: Sequence[Qrels], tied: int, pairs: int) -> list[Note]:
    """Return notes on the documents without a single most frequent grade, and on aspects."""
    notes = []
    if tied:
        text = (
            f"{tied:,} of {count(pairs, 'document')} have no majority: "
            f"the lower{' median' if len(judges) > 2 else ''} of the grades counts."
        )
        notes.append(Note(text, TIED))
    if any(each.aspects for each in judges):
        text = "The majority is that of whole documents: the grades for aspects were left out."
        notes.append(Note(text, ASPECTS))
    return notes
