"""Table of a ledger's lines."""

from __future__ import annotations

from ..measures.ledger import Ledger
from .table import Table

_SUMS = ["contribution", "running"]
"""Columns that keep their decimals even if every value is 0 or 1."""


def lines(ledger: Ledger, query: str) -> Table:
    """Return the lines of one query; columns of whole numbers (grades, ranks, counts) as integers.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1.0}})
    >>> lines(trace(qrels, run, "P@2", "q"), "q").rows
    ((1, 'a', 1, 1, 2, 0.5, 0.5),)
    """
    frame = ledger.table(query).reset_index()
    for name in frame.columns.difference(_SUMS):
        if frame[name].dtype.kind == "f" and (frame[name].dropna() % 1 == 0).all():
            frame[name] = frame[name].astype("Int64")
    return Table.of_frame(frame)
