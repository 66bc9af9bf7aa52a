"""Printable sheet of exercises, with the key on a separate page."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from ...writing import Table
from ...writing.html import html
from ...writing.labels import LABELS
from ...writing.ledger_lines import lines
from .blanks import TOLERANCE, Blank, Number
from .exercise import Exercise

_STYLE = """
body { font: 11pt/1.4 Georgia, serif; max-width: 46em; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin: 1.6em 0 0; } h3 { font-size: 1em; }
table { border-collapse: collapse; } h3, figcaption { margin: 0.4em 0; font-weight: bold; }
th, td { border: 1px solid #888; padding: 0.15em 0.6em; text-align: right; }
figure { display: inline-block; vertical-align: top; margin: 0.6em 1.5em 0.6em 0; }
section { break-inside: avoid; } .rules { color: #444; font-size: 0.85em; margin: 0; }
.key { break-before: page; } .key table { font-size: 0.8em; }
ul { list-style: none; padding: 0; } li { margin: 0.5em 0; }
.line { display: inline-block; width: 8em; border-bottom: 1px solid #444; }
"""


def sheet(title: str, exercises: Mapping[str, Exercise]) -> str:
    """Return a self-contained HTML document with the exercises by name, then the key.

    Examples
    --------
    >>> from metrics.teaching.exercises import exercise
    >>> page = sheet("Week 3", {"no. 1": exercise("first", "1", 1)})
    >>> page.count("Work out the reciprocal rank, RR."), "<h1>Key: Week 3</h1>" in page
    (1, True)
    """
    numbered = [
        (f"{number}.", name, made) for number, (name, made) in enumerate(exercises.items(), 1)
    ]
    questions = "\n".join(_question(number, name, made) for number, name, made in numbered)
    key = "\n".join(_key(number, name, made) for number, name, made in numbered)
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{escape(title)}</title>
<style>{_STYLE}</style>
<h1>{escape(title)}</h1>
<p>Name <span class="line"></span> Date <span class="line"></span></p>
<p class="rules">Three decimals are enough: an answer may be off by {TOLERANCE:g}.</p>
{questions}
<div class="key">
<h1>Key: {escape(title)}</h1>
{key}
</div>
</html>
"""


def _question(number: str, name: str, made: Exercise) -> str:
    """Return one exercise with space for its answers."""
    tables = "".join(map(_figure, made.tables.keys(), made.tables.values()))
    answers = "\n".join(f"<li>{_line(blank)}</li>" for blank in made.blanks)
    return f"""<section>
<h2>{number} {escape(made.question)}</h2>
<p class="rules">{escape(name)}. Convention: {escape(made.rules)}.</p>
{tables}
<ul>{answers}</ul>
</section>"""


def _marked(table: Table) -> Table:
    """Return the lines with headers for readers, and ``?`` for a missing grade."""
    names = [LABELS.get(name, name) for name in table.columns]
    return Table.of(names, [["?" if v is None else v for v in row] for row in table.rows])


def _figure(title: str, table: Table) -> str:
    return f"<figure><figcaption>{escape(title)}</figcaption>{html(table)}</figure>"


def _line(blank: Blank) -> str:
    if isinstance(blank, Number):
        return f'{escape(blank.label)} = <span class="line"></span>'
    if len(blank.replies) > _FEW:
        return f'{escape(blank.label)}: <span class="line"></span>'
    options = " &nbsp; ".join(f"☐ {escape(option)}" for option in blank.replies)
    return f"{escape(blank.label)}: {options}"


_FEW = 5
"""At most this many options get a box to tick; for more, the answer is written on a line."""


def _key(number: str, name: str, made: Exercise) -> str:
    """Return the answers to one exercise, and the lines that sum to them."""
    answers = "; ".join(f"{escape(blank.label)} = {escape(blank.key)}" for blank in made.blanks)
    tables = "".join(
        _figure(
            f"{ranking}: {ledger.measure}" if ranking else str(ledger.measure),
            _marked(lines(ledger, made.rankings[ranking].query)),
        )
        for ranking, ledgers in made.ledgers.items()
        for ledger in ledgers
    )
    return f"""<section>
<h3>{number} {escape(name)}: {answers}</h3>
{tables}
</section>"""
