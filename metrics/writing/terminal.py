"""Write a table for a terminal."""

from __future__ import annotations

import unicodedata

from .table import Table, labelled, numeric, shown


def text(table: Table) -> str:
    """Return the heading, aligned columns, the labels and formulas, then the parts.

    Examples
    --------
    >>> table = Table(("run", "AP"), (("bm25", 0.5),), labels={"convention": "trec_eval"})
    >>> print(text(table), end="")
    run       AP
    ----  ------
    bm25  0.5000
    <BLANKLINE>
    convention: trec_eval
    """
    table = table.for_readers()
    cells = [[shown(value) for value in row] for row in table.rows]
    columns = zip(table.headers, *cells, strict=True)
    widths = [max(map(_width, column)) for column in columns]
    rule = ["-" * width for width in widths]
    right = [numeric(table, column) for column in range(len(widths))]
    lines = [
        "  ".join(map(_padded, row, widths, right)).rstrip()
        for row in (table.headers, rule, *cells)
    ]
    below = [*labelled(table.labels), *(f"formula: {formula}" for formula in table.formulas)]
    blocks = [[", ".join(labelled(table.heading))] if table.heading else [], lines, below]
    whole = "\n\n".join("\n".join(block) for block in blocks if block)
    return "\n\n".join([whole, *(text(part).rstrip("\n") for part in table.parts)]) + "\n"


def _padded(value: str, width: int, right: bool) -> str:
    space = " " * (width - _width(value))
    return space + value if right else value + space


def _width(value: str) -> int:
    """Return the columns a text takes on a terminal: wide characters two, combining ones none."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in value)
    return len(value) + wide - sum(unicodedata.combining(char) > 0 for char in value)
