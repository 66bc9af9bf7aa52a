"""Write a table as HTML, to insert into a page."""

import re
from collections.abc import Iterable
from html import escape

from .table import Cell, Table, numeric, shown


def html(table: Table, wide: int = 8) -> str:
    """Return the rows as a ``<table>`` whose header repeats on each printed page.

    Markup in texts is escaped. Cells of columns with texts have the class ``text``, or ``id`` if
    the column is narrow enough to stay on one line; the header of a run's numbers has its letter.
    From ``wide`` columns on, each cell has its header, which a phone shows in front of it.

    Examples
    --------
    >>> print(html(Table(("run", "AP", "delta", "relative"), (("<b>", -0.5, 0.25, 0.1434),))))
    <table>
    <thead><tr><th class="id">run</th><th>AP</th><th>delta</th><th>relative</th></tr></thead>
    <tbody>
    <tr><td class="id">&lt;b&gt;</td><td>−0.5000</td><td>+0.2500</td><td>+14.3 %</td></tr>
    </tbody>
    </table>
    """
    table = table.for_readers()
    cells = [list(map(_cell, row, table.headers)) for row in table.rows]
    kinds = [_kind(table, column, cells) for column in range(len(table.columns))]
    heads = list(map(_of_run, table.columns, kinds))
    head = _row("th", table.headers, heads)
    if len(kinds) >= wide:
        kinds = list(map('{} data-label="{}"'.format, heads, map(escape, table.headers)))
    rows = "\n".join(_row("td", row, kinds) for row in cells)
    return f"<table>\n<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def _cell(value: Cell, header: str) -> str:
    if header == "relative" and isinstance(value, float):
        return f"{100 * value:+.1f} %".replace("-", "−")
    sign = "+" if "delta" in header and isinstance(value, float) and value >= 5e-5 else ""
    return shown(value) if isinstance(value, str) else sign + shown(value).replace("-", "−")


STYLE = """
body, small, svg { font-family: "Source Sans 3", "Source Sans Pro", -apple-system, "Segoe UI",
  Roboto, "Noto Sans", "Liberation Sans", "DejaVu Sans Condensed", system-ui, sans-serif; }
h1, h2, h3, figcaption, .verdict { font-family: "Source Serif 4", "Source Serif Pro", Charter,
  Georgia, "Noto Serif", "DejaVu Serif Condensed", serif; }
@media screen and (max-width: 82em) { table, figure { overflow-x: auto; background:
  linear-gradient(90deg, #fff 50%, #fff0) 0 / 4em local no-repeat,
  linear-gradient(270deg, #fff 50%, #fff0) 100% / 4em local no-repeat,
  linear-gradient(270deg, #1f212855, #fff0) 100% / 1em scroll no-repeat; } }
@media screen and (max-width: 40em) { table { font-size: 13px; } th, td { padding-inline: 0.3em; }
  table:has(th:nth-child(5)) { tr { padding-block: 0.3em; border-bottom: 1px solid #ccc; }
    th, td { border: 0; padding: 0; min-width: 0; white-space: normal; } th { align-self: end; } }
  table:has(th:nth-child(5)):not(:has([data-label])) {
    &, thead, tbody, tr { display: grid; grid: auto / subgrid; gap: 0 0.4em; }
    & { grid-template-columns: repeat(6, auto); } :is(thead, tbody, tr) { grid-column: 1 / -1; }
    .text:first-child ~ td.id { font-size: 12px; white-space: nowrap; }
    tr > .id:first-child { grid-column: 1 / 6; &:has(+ :is(.id, .text)) { grid-column: 1; } }
    tr > .id:first-child + :is(.id, .text) { grid-column: 2 / -1; } .text { grid-column: 1 / -1; } }
  table:has(td[data-label]) { &, tbody { display: block; } thead { display: none; }
    tr { display: flex; flex-wrap: wrap; gap: 0 1.5em; }
    td { display: flex; flex: 0 0 calc(50% - 0.75em); justify-content: space-between; gap: 0.5em;
      box-sizing: border-box; height: auto; &::before { content: attr(data-label); }
      &:not(.A, .B)::before { color: #555; font-weight: 400; }
      &:is(:first-child, .text, .id:nth-child(2)) { justify-content: start; font-weight: 600; }
      &:is(.text, .id:is(:first-child, :nth-child(2)))::before { content: none; }
      &:first-child:has(+ :is(.id, .text)) { flex: none; & + * { flex: 1 0 70%; } } } } }
"""
"""The type of a page. What scrolls has a visible edge; on a phone names are above their numbers."""
_SHORT = 20
"""At most this many characters of an id stay on one line."""


def _kind(table: Table, column: int, cells: list[list[str]]) -> str:
    """Return the attribute of a column's cells."""
    if numeric(table, column):
        return ""
    longest = max((len(row[column]) for row in cells), default=0)
    return ' class="id"' if longest <= _SHORT else ' class="text"'


def _of_run(column: str, kind: str) -> str:
    found = re.fullmatch("(?:.*[ _])?([ab])", column, re.IGNORECASE)
    return kind or (f' class="{found[1].upper()}"' if found else "")


def _row(tag: str, cells: Iterable[str], kinds: Iterable[str]) -> str:
    each = (f"<{tag}{kind}>{escape(cell)}</{tag}>" for cell, kind in zip(cells, kinds, strict=True))
    return f"<tr>{''.join(each)}</tr>"
