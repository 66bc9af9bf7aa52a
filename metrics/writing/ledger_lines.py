"""Table of a ledger's lines."""

from ..measures import REGISTRY
from ..measures.ledger import Ledger
from ..scoring.formula import substituted, symbols
from ..scoring.known_differences import exception_label
from .table import Table, cell

LABELS = {
    "covers": "covers the aspects",
    "jarvelin": "max(1, log₂ r)",
    "ln": "ln(r+1)",
    "log2": "log₂(r+1)",
    "running": "total",
} | {column: label for kind in REGISTRY.values() for column, label in kind.labels.items()}
"""The columns whose names are not the words for them: every measure's, the divisors of the
discounts, and the running total."""


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


def explained(ledger: Ledger, query: str, title: str) -> Table:
    """Return one query's lines with the score, the convention and the formulas.

    ``title``: the name of the run.
    """
    score = cell(ledger.scores[0])
    # A query that is left out of the mean has no numbers to substitute into the formula.
    worked = () if score is None else (substituted(ledger, query),)
    return lines(ledger, query).saying(
        heading={"measure": str(ledger.measure), "query": query, "run": title, "score": score},
        labels={
            "convention": ledger.convention.label,
            **exception_label([ledger.judged], [ledger.measure]),
        },
        formulas=(symbols(ledger.measure, ledger.convention), *worked),
    )
