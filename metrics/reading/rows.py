"""The cells of a file as text, before they are checked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..data import Note, Pairs, Severity
from ..words import quote
from .problems import File, Problem

PATTERN = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
NUMBER = re.compile(PATTERN)


_BY_ROW = ("line", "query", "document", "value", "rank", "reasons", "aspects", "judges")
"""The columns of which `Rows.only` keeps some rows."""


@dataclass
class Rows:
    """The cells of a file as text, before they are checked.

    Attributes
    ----------
    column
        The field number of ``query``, ``document`` and ``value``, for messages.
    called
        The column names of the file.
    unit
        The unit in which rows are counted: ``line``, or ``row`` in a format without lines.
    line
        Number of each row, from 1; 0 in a format without row numbers.
    value
        The cell of each row's score or grade.
    rank
        The cell of each row's rank, where there is a rank column.
    tags
        The run tag of each row, where the file has tags.
    runs
        The name of each row's run, where a file has several by its format.
    reasons
        The judge's reason in each row, where there is a column of reasons.
    aspects
        The aspect of the query that each row judges, where qrels name aspects.
    judges
        Who gave the grade of each row, where qrels name judges.
    run_tag
        The run tag in the last row of a TREC run.
    problems, notes
        The problems that the format's reader found, and its assumptions.
    lists_relevant
        Whether the format lists only relevant documents.
    """

    column: dict[str, int | None] = field(default_factory=dict)
    called: dict[str, str] = field(default_factory=dict)
    unit: str = "line"
    line: list[int] = field(default_factory=list)
    query: list[str] = field(default_factory=list)
    document: list[str] = field(default_factory=list)
    value: list[str] = field(default_factory=list)
    rank: list[str] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    runs: list[str] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)
    aspects: list[str] = field(default_factory=list)
    judges: list[str] = field(default_factory=list)
    run_tag: str = ""
    problems: list[Problem] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    lists_relevant: bool = False

    def add(self, line: int, query: str, document: str, value: str) -> None:
        """Add one row."""
        self.line.append(line)
        self.query.append(query)
        self.document.append(document)
        self.value.append(value)

    def extend(self, query: str, documents: Sequence[str], values: Sequence[str]) -> None:
        """Add rows of one query, in a format without lines."""
        self.line += [0] * len(documents)
        self.query += [query] * len(documents)
        self.document += documents
        self.value += values

    def only(self, index: list[int]) -> Rows:
        """Return some rows, without what the format says of all."""
        every = {name: getattr(self, name) for name in _BY_ROW}
        some: dict[str, Any] = {
            name: [of[row] for row in index] if of else [] for name, of in every.items()
        }
        return replace(self, **some, notes=list(self.notes), runs=[])

    def by(self, names: list[str]) -> dict[str, Rows]:
        """Return the rows of each name, such as a judge's, in order of first appearance."""
        places: dict[str, list[int]] = {}
        for row, name in enumerate(names):
            places.setdefault(name, []).append(row)
        return {name: self.only(at) for name, at in places.items()}

    def note(self, text: str, code: str, kind: Severity = Severity.WARNING) -> None:
        self.notes.append(Note(text, code, kind))

    def problem(
        self, file: File, code: str, found: str, expected: str, fix: str, line: int, part: str
    ) -> Problem:
        """Return a problem in one part of a row."""
        return file.problem(code, found, expected, fix, line, self.column.get(part), self.unit)

    def name(self, part: str, kind: type[Pairs]) -> str:
        """Return the name of a part in messages."""
        ours = {"query": "query id", "document": "document id", "value": kind.VALUE}
        return self.called.get(part, ours[part])


def of_tags(tags: Iterable[str]) -> Iterator[Note]:
    """Yield a note where a file has several run tags."""
    if len(names := list(dict.fromkeys(tags))) > 1:
        yield Note(
            f"{len(names)} run tags in one file ({', '.join(map(quote, names[:3]))}): kept as one "
            "run; if they are several runs, split the file.",
            "N-TAGS",
        )


def is_tiny(text: str) -> bool:
    """Return whether a text with the value 0 has a digit other than 0."""
    return re.search("[1-9]", re.split("[eE]", text)[0]) is not None


def is_constant(text: str) -> bool:
    """Return whether a cell is Q0 or 0, the usual second column of TREC lines."""
    return text.upper() in ("Q0", "0")


def is_whole(text: str) -> bool:
    """Return whether a cell is a whole number, such as a rank or most grades."""
    return bool(NUMBER.fullmatch(text)) and float(text).is_integer()
