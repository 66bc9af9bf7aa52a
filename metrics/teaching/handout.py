"""One ranking with its ledger on a sheet of paper, complete or with blanks to fill in."""

from __future__ import annotations

from dataclasses import replace
from html import escape

from ..measures.ledger import Ledger
from ..scoring.formula import substituted, symbols
from ..scoring.plain_formula import plain
from ..words import visible
from ..writing import Table
from ..writing.ledger_lines import lines
from ..writing.table import Cell, shown
from .exercises.print_sheet import STYLE, figure, marked

_SUMS = ("contribution", "running")
"""The columns that a reader works out."""


def handout(ledger: Ledger, query: str, title: str, blanks: bool = False) -> str:
    """Return a self-contained HTML document with the ledger, its formula and its convention.

    ``blanks``: leave the contributions, the totals and the score to the reader.

    Examples
    --------
    >>> from metrics.editing.hand_ranking import HandRanking
    >>> ledger = HandRanking.of("q", {"a": 1}, ["b", "a"]).ledger("RR")
    >>> "RR = 0.5000" in handout(ledger, "q", "A & B"), "A &amp; B" in handout(ledger, "q", "A & B")
    (True, True)
    >>> "0.5000" in handout(ledger, "q", "A", blanks=True)
    False
    """
    measure, convention = ledger.measure, ledger.convention
    score = _BLANK if blanks else shown(float(ledger.scores[0]))
    formulas = [symbols(part.measure, convention) for part in ledger.parts]
    formulas += [] if blanks else [substituted(part, query) for part in ledger.parts]
    if measure.parts:
        formulas.insert(0, symbols(measure, convention))
    tables = "".join(
        figure(str(part.measure), _sheet(lines(part, query), blanks)) for part in ledger.parts
    )
    name = f"<p>Name {_BLANK} Date {_BLANK}</p>" if blanks else ""
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{escape(visible(title))}</title>
<style>{STYLE}</style>
<h1>{escape(visible(title))}</h1>
{name}
<p>{escape(str(measure))}: {escape(measure.meaning)}</p>
<p class="rules">Convention: {escape(measure.label(convention))}.</p>
{tables}
<ul>{"".join(f"<li>{escape(plain(each))}</li>" for each in formulas)}</ul>
<p><strong>{escape(str(measure))} = {score}</strong></p>
</html>
"""


_BLANK = '<span class="line"></span>'


def _sheet(table: Table, blanks: bool) -> Table:
    """Return the lines of a ledger; with blanks, empty where the reader works."""
    hidden = {table.columns.index(name) for name in _SUMS if name in table.columns}
    rows: list[tuple[Cell, ...]] = [
        tuple("" if blanks and at in hidden else each for at, each in enumerate(row))
        for row in table.rows
    ]
    return marked(replace(table, rows=tuple(rows)))
