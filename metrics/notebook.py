"""What a notebook shows of a value: a static table, in which every text is escaped."""

from collections.abc import Iterable, Sequence
from html import escape

MOST = 10
"""At most this many rows are shown."""


def card(title: str, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a title and a table as HTML; numbers have four digits, unless all are whole.

    Examples
    --------
    >>> print(card("Run <b>", ["document", "score"], [("d1", 0.5)]))
    <div><p>Run &lt;b&gt;</p>
    <table>
    <thead><tr><th>document</th><th>score</th></tr></thead>
    <tbody>
    <tr><td>d1</td><td>0.5000</td></tr>
    </tbody>
    </table></div>
    """
    head = _row("th", columns)
    cells = list(rows)
    whole = [all(_is_whole(row[at]) for row in cells) for at in range(len(columns))]
    body = "\n".join(
        _row("td", [_shown(cell, whole[at]) for at, cell in enumerate(row)]) for row in cells
    )
    return (
        f"<div><p>{escape(title, quote=False)}</p>\n<table>\n<thead>{head}</thead>\n"
        f"<tbody>\n{body}\n</tbody>\n</table></div>"
    )


def _row(tag: str, cells: Iterable[str]) -> str:
    return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"


def _is_whole(cell: object) -> bool:
    return isinstance(cell, float) and cell.is_integer()


def _shown(cell: object, whole: bool) -> str:
    """Return a cell as text; numbers of a column of whole numbers have no digits."""
    if not isinstance(cell, float):
        return str(cell)
    return f"{cell:.0f}" if whole else f"{cell:.4f}"
