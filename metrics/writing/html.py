"""Write a table as HTML, to insert into a page."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from .table import Table, numeric, shown


def html(table: Table) -> str:
    """Return the rows as a ``<table>`` whose header repeats on each printed page.

    Markup in texts is escaped; cells of columns with texts have the class ``text``.

    Examples
    --------
    >>> print(html(Table(("run", "AP"), (("<b>", 0.5),))))
    <table>
    <thead><tr><th class="text">run</th><th>AP</th></tr></thead>
    <tbody>
    <tr><td class="text">&lt;b&gt;</td><td>0.5000</td></tr>
    </tbody>
    </table>
    """
    texts = [not numeric(table, column) for column in range(len(table.columns))]
    head = _row("th", table.headers, texts)
    rows = [_row("td", map(shown, row), texts) for row in table.rows]
    return "\n".join(
        ["<table>", f"<thead>{head}</thead>", "<tbody>", *rows, "</tbody>", "</table>"]
    )


def _row(tag: str, cells: Iterable[str], texts: Iterable[bool]) -> str:
    each = (
        f"<{tag}{_TEXT if text else ''}>{escape(cell)}</{tag}>"
        for cell, text in zip(cells, texts, strict=True)
    )
    return f"<tr>{''.join(each)}</tr>"


_TEXT = ' class="text"'
