"""Rows from any format -> Run or Qrels: numbers, ids and duplicates checked in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TypeVar

from ..data import Pairs
from .problems import Problem, ReadError, quote

_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_LARGEST_GRADE = 1000
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
    problems
        The lines that could not be cut into cells.
    """

    column: dict[str, int | None]
    line: list[int] = field(default_factory=list)
    query: list[str] = field(default_factory=list)
    document: list[str] = field(default_factory=list)
    value: list[str] = field(default_factory=list)
    rank: list[str] = field(default_factory=list)
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
    problems = list(rows.problems)
    values: list[float] = []
    seen: dict[tuple[str, str], int] = {}
    for row, (line, query, document, text) in enumerate(
        zip(rows.line, rows.query, rows.document, rows.value, strict=True)
    ):
        for label, cell in (("query", query), ("document", document)):
            if not cell:
                problems.append(_problem(rows, file, line, label, "E-ID", "an empty id"))
        number = float(text) if _NUMBER.fullmatch(text) else None
        if number is None or abs(number) == float("inf"):
            problems.append(_bad_number(kind, rows, file, line, text))
        elif kind.VALUE == "grade" and number > _LARGEST_GRADE:
            problems.append(
                Problem(
                    "E-GRADE",
                    file,
                    quote(text),
                    f"a grade up to {_LARGEST_GRADE}: 2^grade would be too large",
                    "Use a small scale such as 0 to 3.",
                    line or None,
                    rows.column["value"],
                )
            )
        if (earlier := seen.setdefault((query, document), row)) != row:
            problems.append(
                Problem(
                    "E-DUP-DOC",
                    file,
                    f"document {quote(document)} of query {quote(query)} again",
                    f"each document once in a query (first on line {rows.line[earlier]})",
                    "Remove one of the duplicate rows.",
                    line or None,
                    rows.column["document"],
                )
            )
        values.append(number if number is not None else 0.0)
    if problems:
        raise ReadError(sorted(problems, key=lambda problem: problem.line or 0))
    return kind.from_columns(rows.query, rows.document, values, name, _notes(kind, rows, values))


def _problem(rows: Rows, file: str, line: int, label: str, code: str, found: str) -> Problem:
    expected, fix = f"a {label} id", "Give the row an id or remove it."
    return Problem(code, file, found, expected, fix, line or None, rows.column[label])


def _bad_number(kind: type[Pairs], rows: Rows, file: str, line: int, text: str) -> Problem:
    fix = "Write it with digits and a decimal point."
    if _NUMBER.fullmatch(text):
        fix = "It is too large for a double; rescale the values."
    elif _NUMBER.fullmatch(text.replace(",", ".", 1)):
        fix = "It has a decimal comma; write a decimal point."
    found = quote(text) if text else "an empty cell"
    expected = f"a number as the {kind.VALUE}"
    return Problem("E-NUMBER", file, found, expected, fix, line or None, rows.column["value"])


def _notes(kind: type[Pairs], rows: Rows, values: list[float]) -> tuple[str, ...]:
    """What was assumed. Ranks count for nothing: documents are ordered by score."""
    last: dict[str, tuple[float, float]] = {}
    contradictions = 0
    for query, rank, score in zip(rows.query, rows.rank, values, strict=False):
        if not _NUMBER.fullmatch(rank):
            continue
        place = float(rank)
        before = last.get(query)
        if before and (place - before[0]) * (score - before[1]) > 0:
            contradictions += 1
        last[query] = (place, score)
    if not contradictions:
        return ()
    return (
        f"{contradictions} row{'s' if contradictions > 1 else ''} where the rank column "
        "contradicts the score; documents are ordered by score, as trec_eval does.",
    )
