"""Sheets of paper: exercises with their key, and one ranking with its ledger."""

import re
from collections.abc import Collection, Mapping
from html import escape
from itertools import starmap

from ..measures.ledger import Ledger
from ..scoring.formula import substituted, symbols
from ..words import visible
from ..writing import Table
from ..writing.html import STYLE as OF_TABLES
from ..writing.html import html
from ..writing.ledger_lines import LABELS, lines
from ..writing.mathml import mathml
from ..writing.table import shown
from .exercises.blanks import Blank, Number
from .exercises.exercise import ALL, Exercise

STYLE = """
body { font-size: 10pt; line-height: 1.4; max-width: 60em; margin: 1em auto; padding: 0 1em; }
small { font-size: 0.9em; font-weight: 400; } .rules { color: #444; font-size: 0.85em; margin: 0; }
h1, h2, h3, figcaption { font-size: 1.05em; font-weight: 600; line-height: 1.25; margin: 0; }
h1 { font-size: 1.6em; } p { margin: 0.6em 0; } p:empty { display: none; }
@page { size: A4; margin: 12mm; @bottom-right { content: counter(page);
  font: 8pt system-ui, sans-serif; color: #444; } } .key { break-before: page; }
.all { display: grid; grid: auto-flow dense / 1fr 1fr; column-gap: 2em; margin: 0.8em 0; }
.all > :is(.blanks, :has(figure ~ figure ~ figure)) { grid-column: 1 / -1; }
table { border-collapse: collapse; } td:not(.text) { white-space: nowrap; }
th, td { border-bottom: 1px solid #bbb; padding: 0.15em 0.5em; text-align: right; }
th { font-weight: 400; vertical-align: bottom; border-color: #000; } figcaption { margin: 0.2em 0; }
tr > :first-child, .text, .id:nth-child(2):not(:last-child, :nth-last-child(3)) {
  text-align: left; } figure { overflow-x: auto; max-width: 100%; }
figure { display: inline-block; vertical-align: top; margin: 0.3em 0.8em 0.3em 0; }
section { break-inside: avoid; padding-bottom: 0.6em; } section table { font-size: 0.85em; }
ul { list-style: none; padding: 0; margin: 0.3em 0; } li { margin: 0.5em 1em 0 0; }
math { font-size: 1.15em; } :is(munderover, munder) > * { padding: 0.1em; }
@media screen { .key { border-top: 1px solid; margin-top: 4em; padding-top: 1em; }
  .key:not(:has(:checked)) > section { display: none; } @media (max-width: 40em) {
    .all { grid: auto / minmax(0, 1fr); } figure, figure table { width: 100%; } } }
@media print, (min-width: 62em) { .blanks h2 ~ figure { width: 61%; margin: 0 2% 0 0; table {
  width: 100%; } } .blanks h2 ~ figure:nth-of-type(even) { width: 37%; margin: 0; } }
@media print { body { margin: 0; padding: 0; font-size: 9.5pt; } label { display: none; }
  figure { overflow: visible; } .key :is(th, td) { padding: 0.08em 0.4em; line-height: 1.2; }
  .key { columns: 2; font-size: 0.87em; } .key > h1 { column-span: all; margin-bottom: 0.4em; } }
.blanks td { height: 1.6em; } .all td:empty::before { content: none; }
.one td:empty { border: 1px solid #767676; padding: 0 0.3em; height: 1.9em; }
.tick { white-space: nowrap; } .all li { display: inline-block; } body > .room { flex: 1; }
.line { display: inline-block; width: 7em; border-bottom: 1px solid; } .all .line { width: 4em; }
.one figure { display: block; margin: 0.6em 0 0; } .one table { width: 100%; }
.one :is(th, td):last-child { padding-right: 0; } .one.blanks :is(th, td):nth-last-child(-n+2) {
  width: 18%; } .formulas { display: flex; flex-wrap: wrap; align-items: center; gap: 0 2.5em; }
.room { min-height: 8em; color: #444; print-color-adjust: exact;
  background: linear-gradient(#0000 calc(100% - 1px), #bbb 0) 0 0 / 100% 2em; }
@media print { body:has(> .room) { display: flex; flex-direction: column; min-height: 270mm; } }
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
    numbered = [(f"{number}.", *each) for number, each in enumerate(exercises.items(), 1)]
    # What differs from what an earlier exercise says is below its own question.
    rules = {name: rule for *_, made in numbered[::-1] for name, rule in made.rules.items()}
    asked = {made.question for *_, made in numbered}
    # What every exercise asks is said once.
    once = asked.pop() if len(asked) == 1 else ""
    known = {*rules.values(), once}
    questions = "\n".join(_question(number, made, known) for number, _, made in numbered)
    key = "\n".join(starmap(_key, numbered))
    body = f"""<p>Name {_BLANK} Date {_BLANK} {escape(once)} Two decimals are enough. {ALL}</p>
<p class="rules">Convention: {_raised("; ".join(sorted(rules.values())))}.</p>
<div class="all">
{questions}
</div>
<div class="key">
<h1>Key: {escape(title)}</h1>
<label><input type="checkbox"> Show the key</label>
{key}
</div>"""
    return _page(title, body)


def _question(number: str, made: Exercise, known: Collection[str]) -> str:
    """Return one exercise with space for its answers, and what is not known of it."""
    own = "; ".join(rule for rule in made.rules.values() if rule not in known)
    # Behind the letter of each blank cell is space to write.
    shown = "".join(starmap(figure, made.tables.items()))
    tables = re.sub(r"(>\([a-z]\))<", rf"\1 {12 * '_'}<", shown)
    asked = [blank for blank in made.blanks if blank.letter not in made.cells]
    answers = "\n".join(f"<li>{_line(blank)}</li>" for blank in asked)
    # Answers are written into the cells, or worked out below the tables.
    look, room = (
        ("", _ROOM.format("")) if len(asked) == len(made.blanks) else (' class="blanks"', "")
    )
    query = "" if made.question in known else f"Query: {escape(made.query)}. "
    return f"""<section{look}>
<h2>{number} {escape(made.question if query else made.query)}</h2>
<p class="rules">{query}{own and f"Convention: {_raised(own)}."}</p>
{tables}
{room}<ul>{answers}</ul>
</section>"""


def _raised(words: str) -> str:
    """Return escaped words in which an exponent is raised."""
    return re.sub(r"\^(\w+)", r"<sup>\1</sup>", escape(words))


_ROOM = '<div class="room">{}</div>'


def marked(table: Table, blanks: bool = False) -> Table:
    """Return the lines with headers for readers, and ``?`` for a missing grade.

    With ``blanks``, what the reader works out is empty.
    """
    names = [LABELS.get(name, name) for name in table.columns]
    empty = [blanks and name in ("contribution", "running") for name in table.columns]
    rows = [
        ["" if out else "?" if v is None else v for out, v in zip(empty, row, strict=True)]
        for row in table.rows
    ]
    return Table.of(names, rows)


def figure(title: str, table: Table) -> str:
    """Return a table with its title."""
    return f"<figure><figcaption>{escape(title)}</figcaption>{html(table, 5)}</figure>"


def _line(blank: Blank) -> str:
    if isinstance(blank, Number):
        return f"{escape(blank.label)} = {_BLANK}"
    if len(blank.replies) > _FEW:
        return f"{escape(blank.label)}: {_BLANK}"
    options = (f'<span class="tick">☐ {escape(option)}</span>' for option in blank.replies)
    return f"{escape(blank.label)}{':' * (blank.label[-1] != '?')} {' &nbsp; '.join(options)}"


_FEW = 5
"""At most this many options get a box to tick; for more, the answer is written on a line."""


def _key(number: str, name: str, made: Exercise) -> str:
    """Return the answers to one exercise, and the lines that sum to them."""
    # Blanks may share a working.
    first = {blank.because: blank.label for blank in made.blanks[::-1]}
    answers = "<br/>".join(
        f"{escape(blank.label)} = {escape(blank.key)}"
        f"<small>{escape(blank.because) * (first[blank.because] == blank.label)}</small>"
        for blank in made.blanks
    )
    # Rankings of the same documents have one ideal, which is the second part.
    tables = {
        f"{of}{ledger.measure} = {shown(float(ledger.scores[0]))}": marked(
            table.only([name for name in table.columns if name in _BRIEF])
        )
        for ranking, ledgers in made.ledgers.items()
        for of, ledger in zip((f"{ranking}: " if ranking else "", ""), ledgers, strict=False)
        for table in [lines(ledger, made.query)]
        if made.lists(ledger)
    }
    return f"""<section>
<h3>{number} {answers}</h3>
<p class="rules">In Practice: {escape(name)}.</p>
{"".join(starmap(figure, tables.items()))}
</section>"""


_BRIEF = {"rank", "document", "grade", "log2", "precision", "contribution"}
"""The columns of a key; the workings and the titles say the rest."""


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
    formulas = [symbols(each, convention) for each in (measure, *measure.parts)]
    formulas += [] if blanks else [substituted(part, query) for part in ledger.parts]
    parts = {str(part.measure): marked(lines(part, query), blanks) for part in ledger.parts}
    name = f"<p>Name {_BLANK} Date {_BLANK}</p>" if blanks else ""
    body = f"""{name}
<p>{escape(str(measure))}: {escape(measure.meaning)}</p>
<p class="rules">Convention: {_raised(measure.label(convention))}.</p>
<div class="{"one blanks" if blanks else "one"}">{"".join(starmap(figure, parts.items()))}</div>
<ul class="formulas">{"".join(f"<li>{mathml(each)}</li>" for each in formulas)}</ul>
<p><strong>{escape(str(measure))} = {score}</strong></p>
{_ROOM.format("" if blanks else "Notes")}"""
    return _page(visible(title), body)


_BLANK = '<span class="line"></span>'


def _page(title: str, body: str) -> str:
    """Return a self-contained HTML document."""
    return f"""<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
<style>{STYLE}{OF_TABLES}</style>
<h1>{escape(title)}</h1>
{body.replace("(rank + 1)", "(rank&nbsp;+&nbsp;1)")}
</html>
"""
