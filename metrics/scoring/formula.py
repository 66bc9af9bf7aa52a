"""A measure's formula with the numbers of one ranking, as LaTeX."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from ..arrays import pd
from ..conventions.convention import Convention
from ..latex_slots import filled
from ..measures import Measure
from ..measures.ledger import Ledger
from .expressions import equals
from .plain_formula import as_text

ALL_TERMS = 8
"""With at most this many lines, every term is written; with more, or where one line decides, only
terms other than 0."""
MOST_TERMS = 8


def substituted(ledger: Ledger, query: str) -> str:
    """Return one query's score as the sum of its contributions, term by term.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0}})
    >>> run = Run.from_dict({"q1": {"b": 2.0, "a": 1.0}})
    >>> print(substituted(trace(qrels, run, "RR", "q1"), "q1"))
    \\mathrm{RR} = 0.5000 = \\frac{1}{2}
    """
    score = ledger.score(query)
    if nothing_to_find(ledger, query):
        return f"{name(ledger)} = {by_convention(score)}"
    written = " + ".join(latex for _, latex in terms(ledger, query)) or "0"
    return rf"{name(ledger)} = {score:.4f} {_equals(written, score)} {written}"


def terms(ledger: Ledger, query: str) -> list[tuple[str, str]]:
    """Return the document and the term of each line; of others the first that are not 0.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0}})
    >>> run = Run.from_dict({"q1": {"b": 2.0, "a": 1.0}})
    >>> for document, latex in terms(trace(qrels, run, "RR", "q1"), "q1"):
    ...     print(document, latex)
    a \\frac{1}{2}
    """
    table = ledger.table(query)
    if len(table) > ALL_TERMS or not ledger.measure.summed:
        table = table[table["contribution"] != 0]
    # One term beyond the limit shows that there are more.
    found = [
        (values["document"], _term(ledger, values))
        for values in _records(table.head(MOST_TERMS + 1))
    ]
    return found if len(found) <= MOST_TERMS else [*found[:MOST_TERMS], ("", r"\cdots")]


def line(ledger: Ledger, query: str, document: str) -> str:
    """Return one document's contribution with its numbers; 0 where the ledger has no line for it.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0}})
    >>> run = Run.from_dict({"q1": {"b": 2.0, "a": 1.0}})
    >>> print(line(trace(qrels, run, "RR", "q1"), "q1", "a"))
    \\frac{1}{2} = 0.5000
    """
    if nothing_to_find(ledger, query):
        return by_convention(ledger.score(query))
    table = ledger.table(query)
    for values in _records(table[table["document"] == document]):
        written, worth = _term(ledger, values), values["contribution"]
        return f"{written} {_equals(written, worth)} {worth:.4f}"
    return r"0 \quad \text{(not among the ranks that count)}"


def quotient(ledger: Ledger, query: str) -> str:
    """Return one query's score as the quotient of its parts, such as DCG and IDCG."""
    score = ledger.score(query)
    if nothing_to_find(ledger, query):
        return f"{name(ledger)} = {by_convention(score)}"
    top, bottom = (f"{part.score(query):.4f}" for part in ledger.parts)
    written = rf"\frac{{{top}}}{{{bottom}}}"
    return f"{name(ledger)} = {written} {_equals(written, score)} {score:.4f}"


def name(ledger: Ledger) -> str:
    """Return the measure's name in upright type."""
    return rf"\mathrm{{{ledger.measure.short}}}"


def nothing_to_find(ledger: Ledger, query: str) -> bool:
    """Return whether the query's score is 0/0, so that the convention decides it."""
    found = ledger.measure.to_find(ledger.judged, ledger.convention)
    return ledger.measure.normalised and float(found[ledger.place(query)]) == 0


def by_convention(score: float) -> str:
    """Return a score of 0/0 with the reason."""
    shown = "left out" if math.isnan(score) else f"{score:g}"
    return rf"{shown} \quad \text{{(by convention: there is nothing relevant to find)}}"


def symbols(measure: Measure, convention: Convention) -> str:
    """Return the measure's formula in symbols, as the convention has it.

    Examples
    --------
    >>> from metrics import Convention, parse
    >>> r"\\ln(i+1)" in symbols(parse("DCG"), Convention(discount="ln"))
    True
    """
    return filled(measure.formula, measure.slots(convention))


def term(measure: Measure, convention: Convention, values: Mapping[str, Any]) -> str:
    """Return the LaTeX of one line's contribution; ``values``: its numbers by column."""
    averaged = convention.ties == "mean"
    slots = {name: filled(latex, values) for name, latex in measure.slots(convention).items()}
    return filled((averaged and measure.mean_term) or measure.term, {**values, **slots})


def _records(table: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Yield the lines of a ledger's table as values by column name."""
    columns = [table.index.tolist(), *(table[name].tolist() for name in table.columns)]
    for values in zip(*columns, strict=True):
        yield dict(zip(["rank", *table.columns], values, strict=True))


def _equals(written: str, score: float) -> str:
    return equals(as_text(written), f"{score:.4f}").replace("≈", r"\approx")


def _term(ledger: Ledger, values: Mapping[str, Any]) -> str:
    if values["rank"] == 0:
        return filled("<contribution:.6g>", values)
    return term(ledger.measure, ledger.convention, values)
