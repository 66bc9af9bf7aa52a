"""Where two judges disagree: counts of grades against grades, and the documents."""

from __future__ import annotations

import numpy as np

from ..arrays import bincount, pd, take
from ..data import Qrels
from ..errors import DataError
from ..matching.batches import Given
from .side_by_side import side_by_side

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
