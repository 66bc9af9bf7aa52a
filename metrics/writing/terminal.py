"""Write a table for a terminal."""

from __future__ import annotations

from .columns import aligned, wrapped
from .plain_formula import plain
from .table import Table, labelled, numeric, shown


def text(table: Table, width: int = 0) -> str:
    """Return the heading, aligned columns, the labels and formulas, then the parts.

    Parameters
    ----------
    width
        The most characters in a line, where words allow it; 0 for any number.

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
    rows = [[shown(value) for value in row] for row in table.rows]
    columns = list(zip(table.headers, *rows, strict=True))
    right = [numeric(table, column) for column in range(len(columns))]
    below = [*labelled(table.labels), *(f"formula: {plain(each)}" for each in table.formulas)]
    heading = ", ".join(labelled(table.heading))
    blocks = [
        wrapped(heading, width) if heading else [],
        aligned(columns, right, width),
        [line for each in below for line in wrapped(each, width, "  ")],
    ]
    whole = "\n\n".join("\n".join(block) for block in blocks if block)
    return "\n\n".join([whole, *(text(part, width).rstrip("\n") for part in table.parts)]) + "\n"
