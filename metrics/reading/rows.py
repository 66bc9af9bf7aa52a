"""Rows from any format -> Run or Qrels: numbers, ids and duplicates checked in one place."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TypeVar

import numpy as np
import pyarrow as pa

from ..checks import LARGEST_GRADE
from ..columns import numbers
from ..data import Pairs
from .problems import Problem, ReadError, quote
from .ranks import contradictions, told

NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
MOST_PROBLEMS = 10_000
"""Reading ends after so many: more would only fill the memory."""
P = TypeVar("P", bound=Pairs)


@dataclass
class Rows:
    """The cells of a file as text, before anything is believed.

    Attributes
    ----------
    line
        Line number of each row, from 1; 0 where the format has no lines.
    column
        The field number of ``query``, ``document`` and ``value``, for messages.
    rank
        What a rank column said, where there was one.
    bare
        Queries that stand there without a document.
    problems
        The lines that could not be cut into cells.
    """

    column: dict[str, int | None]
    line: list[int] = field(default_factory=list)
    query: list[str] = field(default_factory=list)
    document: list[str] = field(default_factory=list)
    value: list[str] = field(default_factory=list)
    rank: list[str] = field(default_factory=list)
    bare: list[str] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def add(self, line: int, query: str, document: str, value: str) -> None:
        self.line.append(line)
        self.query.append(query)
        self.document.append(document)
        self.value.append(value)


def assemble(kind: type[P], rows: Rows, file: str, name: str) -> P:
    """Check the rows and make the Run or Qrels they describe.

    Raises
    ------
    ReadError
        For an empty id, a value that is no finite number, a document twice in a query, and for
        what the format's reader found, in the order of the lines.
    """
    if not rows.line and not rows.problems:
        raise ReadError(
            [Problem("E-EMPTY", file, "no data rows", f"rows of a {kind.__name__}", "Fill it.")]
        )
    problems = [*rows.problems, *islice(_problems(kind, rows, file), MOST_PROBLEMS)]
    if problems:
        raise ReadError(sorted(problems, key=lambda problem: problem.line or 0))
    query = pa.array(rows.query, pa.string()).dictionary_encode()
    pairs = kind(
        tuple(query.dictionary.to_pylist()),
        numbers(query.indices).astype(np.int64),
        pa.array(rows.document, pa.string()),
        np.array(list(map(float, rows.value))),
        name,
    )
    return replace(pairs, notes=tuple(_notes(rows, pairs)))


def _problems(kind: type[Pairs], rows: Rows, file: str) -> Iterator[Problem]:
    """What is wrong with each row, in order."""
    seen: dict[tuple[str, str], int] = {}
    cells = zip(rows.line, rows.query, rows.document, rows.value, strict=True)
    for row, (line, query, document, text) in enumerate(cells):
        for label, cell in (("query", query), ("document", document)):
            if not cell:
                expected, fix = f"a {label} id", "Give the row an id or remove it."
                at = rows.column[label]
                yield Problem("E-ID", file, "an empty id", expected, fix, line or None, at)
        number = float(text) if NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(number) or (number == 0 and is_tiny(text)):
            yield _bad_number(kind, rows, file, line, text)
        elif kind.VALUE == "grade" and abs(number) > LARGEST_GRADE:
            expected = f"a grade up to {LARGEST_GRADE}: 2^grade would be too large"
            fix, at = "Use a small scale such as 0 to 3.", rows.column["value"]
            yield Problem("E-GRADE", file, quote(text), expected, fix, line or None, at)
        earlier = seen.setdefault((query, document), row)
        if earlier != row:
            found = f"document {quote(document)} of query {quote(query)} again"
            first = f" (first on line {rows.line[earlier]})" if line else ""
            expected = f"each document once in a query{first}"
            fix, at = "Remove one of the duplicate rows.", rows.column["document"]
            yield Problem("E-DUP-DOC", file, found, expected, fix, line or None, at)


def _bad_number(kind: type[Pairs], rows: Rows, file: str, line: int, text: str) -> Problem:
    fix = "Write it with digits and a decimal point."
    if NUMBER.fullmatch(text):
        size = "small" if is_tiny(text) and float(text) == 0 else "large"
        fix = f"It is too {size} for a double; rescale the values."
    elif NUMBER.fullmatch(text.replace(",", ".", 1)):
        fix = "It has a decimal comma; write a decimal point."
    found = quote(text) if text else "an empty cell"
    expected = f"a number as the {kind.VALUE}"
    return Problem("E-NUMBER", file, found, expected, fix, line or None, rows.column["value"])


def is_tiny(text: str) -> bool:
    """Whether a number that reads as 0 was written as something else."""
    return re.search("[1-9]", re.split("[eE]", text)[0]) is not None


def _notes(rows: Rows, pairs: Pairs) -> Iterator[str]:
    """What was assumed or left out, one sentence each."""
    if rows.bare:
        yield (
            f"{_count(len(rows.bare), 'query', 'queries')} without a document left out, "
            f"the first is {quote(rows.bare[0])}."
        )
    if rows.rank and all(map(NUMBER.fullmatch, rows.rank)):
        rank = np.array(rows.rank, dtype=float)
        yield from told(contradictions(pairs.query, pairs.document, pairs.value, rank))


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
