"""Where two scores differ: by document, by rank, the largest differences first."""

from __future__ import annotations

from ..arrays import pd

ROUNDS_TO_0 = 5e-5
"""A smaller difference is 0 to four decimals."""


def by_document(before: pd.DataFrame, after: pd.DataFrame) -> pd.Series[float]:
    """Return the change of each document's contribution, from two ledgers' tables of one query."""
    found: dict[str, float] = {}
    for sign, table in ((-1.0, before), (1.0, after)):
        # An ideal ranking can list a document twice.
        for document, earned in zip(table["document"], table["contribution"], strict=True):
            found[document] = found.get(document, 0.0) + sign * earned
    return pd.Series(dict(sorted(found.items())), dtype=float).rename_axis("document")


def largest(
    differences: pd.Series[float], most: int = 3
) -> tuple[pd.Series[float], pd.Series[float]]:
    """Split differences into the largest and the others; those that print as 0 are dropped.

    Examples
    --------
    >>> import pandas as pd
    >>> first, others = largest(pd.Series({"a": 0.1, "b": -0.5, "c": 1e-9, "d": 0.2}), 2)
    >>> first.to_dict(), others.to_dict()
    ({'b': -0.5, 'd': 0.2}, {'a': 0.1})
    """
    noted = differences[differences.abs() >= ROUNDS_TO_0]
    ordered = noted.sort_values(key=abs, ascending=False, kind="stable")
    return ordered[:most], ordered[most:]
