"""Write a table for a terminal: cells are wrapped, or its columns are printed in blocks."""

import unicodedata
from collections.abc import Sequence

from ..scoring.plain_formula import as_text
from .table import Table, labelled, numeric, shown

GAP = "  "
_PROSE = 24
"""Sentences are not wrapped into columns narrower than this."""


def text(table: Table, width: int = 0) -> str:
    """Return the heading, aligned columns, the labels and formulas, then the parts.

    Lines have at most ``width`` characters, where words allow it; 0 is no limit.

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
    below = [*labelled(table.labels), *(f"formula: {as_text(each)}" for each in table.formulas)]
    heading = ", ".join(labelled(table.heading))
    blocks = [
        wrapped(heading, width) if heading else [],
        aligned(columns, right, width),
        [line for each in below for line in wrapped(each, width, "  ")],
    ]
    whole = "\n\n".join("\n".join(block) for block in blocks if block)
    return "\n\n".join([whole, *(text(part, width).rstrip("\n") for part in table.parts)]) + "\n"


def aligned(columns: Sequence[Sequence[str]], right: Sequence[bool], width: int) -> list[str]:
    """Return the lines of a table: headers, rules, rows; in blocks if they do not fit.

    Each block repeats the first columns, as many as are needed to tell the rows apart.

    ``columns`` has the header and the cells of each column, ``right`` whether it is aligned right.
    Lines have at most ``width`` characters; 0 is no limit.

    Examples
    --------
    >>> columns = [["run", "a", "b"], ["the score", "0.5", "0.6"]]
    >>> for line in aligned(columns, [False, True], 10):
    ...     print(line)
    run    the
         score
    ---  -----
    a      0.5
    b      0.6
    """
    natural = [max(map(measured, column)) for column in columns]
    if not width or _total(natural) <= width:
        return _block(columns, natural, right)
    least = [_least(column) for column in columns]
    for cap in range(width, 0, -1):
        widths = [min(all_, max(few, cap)) for all_, few in zip(natural, least, strict=True)]
        if _total(widths) <= width:
            return _block(columns, widths, right)
    return _blocks(columns, natural, right, width)


def wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Return the lines of a text; later lines are indented. A longer word stays whole.

    Examples
    --------
    >>> wrapped("one two three", 8, "  ")
    ['one two', '  three']
    """
    lines: list[str] = []
    for word in text.split(" "):
        if lines and (not width or measured(lines[-1]) + 1 + measured(word) <= width):
            lines[-1] += f" {word}"
        else:
            lines.append(f"{indent if lines else ''}{word}")
    return lines


def measured(text: str) -> int:
    """Return the columns a text takes on a terminal: wide characters two, combining ones none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)


def _blocks(
    columns: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool], width: int
) -> list[str]:
    """Return blocks of columns, each behind the columns that tell the rows apart."""
    keys = _keys(columns)
    if _total(widths[:keys]) > width // 2:
        keys, widths = 1, [min(widths[0], width // 2), *widths[1:]]
    room = max(width - _total(widths[:keys]) - len(GAP), 1)
    widths = [*widths[:keys], *(min(each, room) for each in widths[keys:])]
    blocks: list[list[int]] = []
    for place in range(keys, len(columns)):
        if not blocks or _total([widths[each] for each in (*blocks[-1], place)]) > width:
            blocks.append(list(range(keys)))
        blocks[-1].append(place)
    lines: list[str] = []
    for block in blocks:
        chosen, sides = [widths[each] for each in block], [right[each] for each in block]
        lines += ["", *_block([columns[each] for each in block], chosen, sides)]
    return lines[1:]


def _block(
    columns: Sequence[Sequence[str]], widths: Sequence[int], right: Sequence[bool]
) -> list[str]:
    header, *rows = zip(*columns, strict=True)
    rule = ["-" * width for width in widths]
    lines = []
    for row in (header, rule, *rows):
        cells = [_cut(cell, width) for cell, width in zip(row, widths, strict=True)]
        for place in range(max(map(len, cells))):
            parts = (cell[place] if place < len(cell) else "" for cell in cells)
            lines.append(GAP.join(map(_padded, parts, widths, right)).rstrip())
    return lines


def _cut(cell: str, width: int) -> list[str]:
    """Return the lines of a cell; a word longer than the width is split."""
    if measured(cell) <= width:
        return [cell]
    lines = []
    for line in wrapped(cell, width):
        lines.append("")
        for char in line:
            if lines[-1] and measured(lines[-1] + char) > width:
                lines.append("")
            lines[-1] += char
    return lines


def _least(column: Sequence[str]) -> int:
    """Return the least width of a column: its longest word, and enough for sentences."""
    longest = max(measured(word) for cell in column for word in cell.split(" "))
    _, *cells = column
    sentences = any(" " in cell for cell in cells)
    return max(longest, min(_PROSE, max(map(measured, column)))) if sentences else longest


def _keys(columns: Sequence[Sequence[str]]) -> int:
    """Return how many of the first columns tell the rows apart; 1 if all do not."""
    for number in range(1, len(columns)):
        rows = list(zip(*columns[:number], strict=True))
        if len(set(rows)) == len(rows):
            return number
    return 1


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _padded(value: str, width: int, right: bool) -> str:
    space = " " * (width - measured(value))
    return space + value if right else value + space
