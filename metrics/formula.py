"""A measure's formula with one ranking's numbers in it, as LaTeX."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

from .ledger import Ledger

ALL_TERMS = 8
"""Up to so many lines every term is written; above, only those that earn something."""
MOST_TERMS = 8
NOTHING = r"0 \quad \text{(by convention: there is nothing relevant to find)}"


def substituted(ledger: Ledger, query: str) -> str:
    """One query's score and the contributions it is the sum of, term by term.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0}})
    >>> run = Run.from_dict({"q1": {"b": 2.0, "a": 1.0}})
    >>> print(substituted(trace(qrels, run, "RR", "q1"), "q1"))
    \\mathrm{RR} = 0.5000 = \\frac{0}{1} + \\frac{1}{2}
    """
    table = ledger.table(query).reset_index()
    score = float(ledger.scores[ledger.judged.queries.index(query)])
    if any(_divides_by_0(ledger, values) for values in table.to_dict("records")):
        return f"{name(ledger)} = {NOTHING}"
    if len(table) > ALL_TERMS:
        table = table[table["contribution"] != 0]
    terms = [ledger.measure.term.format_map(values) for values in table.to_dict("records")]
    if len(terms) > MOST_TERMS:
        terms = [*terms[:MOST_TERMS], r"\cdots"]
    return rf"{name(ledger)} = {score:.4f} = {' + '.join(terms) or '0'}"


def line(ledger: Ledger, query: str, document: str) -> str:
    """One document's contribution with its numbers; 0 where the ledger has no line for it.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0}})
    >>> run = Run.from_dict({"q1": {"b": 2.0, "a": 1.0}})
    >>> print(line(trace(qrels, run, "RR", "q1"), "q1", "a"))
    \\frac{1}{2} = 0.5000
    """
    table = ledger.table(query).reset_index()
    for values in table[table["document"] == document].to_dict("records"):
        if _divides_by_0(ledger, values):
            return NOTHING
        return f"{ledger.measure.term.format_map(values)} = {values['contribution']:.4f}"
    return r"0 \quad \text{(not in this ranking down to the cutoff)}"


def name(ledger: Ledger) -> str:
    """The measure's name, set upright."""
    cutoff = ledger.measure.cutoff
    return rf"\mathrm{{{ledger.measure.symbol}{'' if cutoff is None else f'@{cutoff}'}}}"


def _divides_by_0(ledger: Ledger, values: Mapping[Hashable, Any]) -> bool:
    divisor = ledger.measure.divisor
    return bool(divisor) and values[divisor] == 0
