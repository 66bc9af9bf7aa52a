"""Write a table as HTML, to insert into a page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .table import Table, shown


def html(table: Table) -> str:
    """Return the rows as a ``<table>``; markup in texts is escaped.

    Examples
    --------
    >>> print(html(Table(("run", "AP"), (("<b>", 0.5),))))
    <table>
    <tr><th>run</th><th>AP</th></tr>
    <tr><td>&lt;b&gt;</td><td>0.5000</td></tr>
    </table>
    """
    table = table.printed()
    rows = [_row("th", table.headers), *(_row("td", map(shown, row)) for row in table.rows)]
    return "\n".join(["<table>", *rows, "</table>"])


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"
