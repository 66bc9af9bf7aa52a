"""Write a table as Markdown, with the pipe syntax that GitHub reads."""

import re
from collections.abc import Iterable

from .table import Cell, Marked, Table, labelled, numeric, shown

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")


def markdown(table: Table) -> str:
    r"""Return the heading, the rows, the labels and formulas, then the parts.

    Ids read as they are: characters that Markdown would interpret are escaped.

    Examples
    --------
    >>> table = Table(("run", "AP"), (("bm_25", 0.5),), labels={"convention": "trec_eval"})
    >>> print(markdown(table), end="")
    | run | AP |
    |:---|---:|
    | bm\_25 | 0.5000 |
    <BLANKLINE>
    convention: trec\_eval
    """
    table = table.for_readers()
    alignments = ["---:" if numeric(table, i) else ":---" for i in range(len(table.columns))]
    rows = [map(_cell, row) for row in table.rows]
    lines = [_row(map(escaped, table.headers)), f"|{'|'.join(alignments)}|", *map(_row, rows)]
    blocks = [
        [f"**{escaped(', '.join(labelled(table.heading)))}**"] if table.heading else [],
        lines,
        ["  \n".join(map(escaped, labelled(table.labels)))] if table.labels else [],
        *([f"$${formula}$$"] for formula in table.formulas),
        *([markdown(part).rstrip("\n")] for part in table.parts),
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def escaped(value: str) -> str:
    """Return a text that Markdown shows character by character."""
    return _SPECIAL.sub(r"\\\1", value)


def _cell(value: Cell) -> str:
    text = escaped(shown(value))
    if isinstance(value, Marked) and value.best:
        number = escaped(shown(float(value)))
        return f"**{number}**{text.removeprefix(number)}"
    return text


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
