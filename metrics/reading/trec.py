"""TREC runs (query Q0 document rank score tag) and qrels (query 0 document grade)."""

from __future__ import annotations

import re
from dataclasses import replace

from ..data import Pairs, Run
from .decode import lines
from .problems import Problem, quote
from .rows import MOST_PROBLEMS, Rows

_SPACE = re.compile("[ \t]+")
_RUN, _QRELS = "query Q0 document rank score tag", "query 0 document grade"


def read_trec(kind: type[Pairs], text: str, file: str) -> Rows:
    """The rows of a TREC file; fields are split on spaces and tabs only."""
    fields, other, place = (_RUN, _QRELS, 4) if kind is Run else (_QRELS, _RUN, 3)
    wanted = len(fields.split())
    rows = Rows({"query": 1, "document": 3, "value": place + 1})
    for number, line in enumerate(lines(text), 1):
        stripped = line.strip(" \t")
        if not stripped:
            continue
        cells = _SPACE.split(stripped)
        if len(cells) != wanted:
            rows.problems.append(_miscounted(file, number, cells, fields))
            if not rows.line and len(cells) == len(other.split()):
                rows.problems = [_other_role(kind, file, number, cells, fields)]
                break
            if len(rows.problems) >= MOST_PROBLEMS:
                break
            continue
        rows.add(number, cells[0], cells[2], cells[place])
        if kind is Run:
            rows.rank.append(cells[3])
    return rows


def _miscounted(file: str, number: int, cells: list[str], fields: str) -> Problem:
    columns = f"{len(cells)} column{'s' if len(cells) > 1 else ''}"
    found = f"{columns} in {quote(' '.join(cells))}"
    expected = f"{len(fields.split())} columns: {fields}"
    fix = "Complete or remove the line; ids must not hold spaces."
    return Problem("E-FIELDS", file, found, expected, fix, number)


def _other_role(
    kind: type[Pairs], file: str, number: int, cells: list[str], fields: str
) -> Problem:
    """A whole file given in the wrong place is one problem, not one for each line."""
    other = "qrels" if kind is Run else "run"
    problem = _miscounted(file, number, cells, fields)
    fix = f"It looks like a {other} file: give it where the {other} is asked for."
    return replace(problem, fix=fix)
