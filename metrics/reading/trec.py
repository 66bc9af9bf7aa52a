"""TREC runs (query Q0 document rank score tag) and qrels (query 0 document grade)."""

from __future__ import annotations

import re

from ..data import Pairs, Run
from .decode import lines
from .problems import Problem, quote
from .rows import Rows

_SPACE = re.compile("[ \t]+")
_RUN, _QRELS = "query Q0 document rank score tag", "query 0 document grade"


def read_trec(kind: type[Pairs], text: str, file: str) -> Rows:
    """The rows of a TREC file; fields are split on spaces and tabs only."""
    fields, place = (_RUN, 4) if kind is Run else (_QRELS, 3)
    wanted = len(fields.split())
    rows = Rows({"query": 1, "document": 3, "value": place + 1})
    for number, line in enumerate(lines(text), 1):
        stripped = line.strip(" \t")
        if not stripped:
            continue
        cells = _SPACE.split(stripped)
        if len(cells) != wanted:
            rows.problems.append(_miscounted(kind, file, number, cells, fields))
            continue
        rows.add(number, cells[0], cells[2], cells[place])
        if kind is Run:
            rows.rank.append(cells[3])
    return rows


def _miscounted(
    kind: type[Pairs], file: str, number: int, cells: list[str], fields: str
) -> Problem:
    wanted = len(fields.split())
    fix = "Complete or remove the line; ids must not hold spaces."
    other = {6: "run", 4: "qrels"}.get(len(cells))
    if other and number == 1:
        fix = f"It looks like a {other} file: give it where the {other} is asked for."
    found = f"{len(cells)} columns in {quote(' '.join(cells))}"
    expected = f"{wanted} columns: {fields}"
    return Problem("E-FIELDS", file, found, expected, fix, number)
