"""The cells of a file as text, before they are checked, and the problems of single rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..data import Note, Pairs, Qrels, Severity
from ..data.checks import LARGEST_GRADE
from ..words import listed, quote
from .problems import REPEAT, SEVERAL_JUDGES, File, Problem
from .sources import line_ends

PATTERN = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
NUMBER = re.compile(PATTERN)


_BY_ROW = ("line", "query", "document", "value", "rank", "tags", "reasons", "aspects", "judges")
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
    excluded
        The documents that the file leaves out of each query's ranking.
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
    excluded: dict[str, list[str]] = field(default_factory=dict)

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


Found = dict[type[Pairs], Rows]
"""The rows of a file, of each kind that it has."""


def of_tags(tags: Iterable[str]) -> Iterator[Note]:
    """Yield a note where a file has several run tags."""
    if len(names := list(dict.fromkeys(tags))) > 1:
        yield Note(
            f"{len(names)} run tags in one file ({', '.join(map(quote, names[:3]))}): kept as one "
            "run; if they are several runs, split the file.",
            "N-TAGS",
        )


def part_by_tag(rows: Rows) -> None:
    """Take each tag for a run of its own where a document has several of them, else note the tags.

    Examples
    --------
    >>> rows = Rows(query=["q", "q"], document=["d", "d"], tags=["bm25", "dense"])
    >>> part_by_tag(rows)
    >>> rows.runs, str(rows.notes[0])
    (['bm25', 'dense'], "2 runs in one file: 'bm25', 'dense'.")
    """
    if len(names := dict.fromkeys(rows.tags)) < 2:
        return
    pairs = [*zip(rows.query, rows.document, strict=True)]
    if len({*pairs}) == len(pairs):
        rows.notes += of_tags(rows.tags)
    elif len({*zip(rows.tags, pairs, strict=True)}) == len(pairs):
        rows.runs = rows.tags
        rows.note(f"{len(names)} runs in one file: {listed(names, MOST_LISTED)}.", "N-RUNS")


MOST_LISTED = 20
"""At most this many names are listed."""


def is_tiny(text: str) -> bool:
    """Return whether a text with the value 0 has a digit other than 0."""
    return re.search("[1-9]", re.split("[eE]", text)[0]) is not None


def is_constant(text: str) -> bool:
    """Return whether a cell is Q0 or 0, the usual second column of TREC lines."""
    return text.upper() in ("Q0", "0")


def is_whole(text: str) -> bool:
    """Return whether a cell is a whole number, such as a rank or most grades."""
    return bool(NUMBER.fullmatch(text)) and float(text).is_integer()


MOST_PROBLEMS = 10_000
"""At most this many problems are collected; reading then ends, to save memory."""


def faults(kind: type[Pairs], rows: Rows, file: File) -> Iterator[Problem]:
    """Yield the problems of each row, in order."""
    seen: dict[tuple[str, str], int] = {}
    cells = zip(rows.line, rows.query, rows.document, rows.value, strict=True)
    for row, (line, query, document, text) in enumerate(cells):
        for part, cell in (("query", query), ("document", document)):
            if not cell or len(cell) > file.limits.id:
                yield _bad_id(kind, rows, file, row, part, cell)
        number = float(text) if NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(number) or (number == 0 and is_tiny(text)):
            yield _bad_number(kind, rows, file, row, text)
        elif kind is Qrels and abs(number) > LARGEST_GRADE:
            expected = f"a grade of at most {LARGEST_GRADE}: 2^grade would be too large"
            if number < 0:
                expected = (
                    f"a grade of at least -{LARGEST_GRADE}: 2^−grade, which a convention may "
                    "subtract, would be too large"
                )
            fix = "Use a small scale such as 0 to 3."
            found = quote(text) + _whose(rows, row)
            yield rows.problem(file, "E-GRADE", found, expected, fix, line, "value")
        earlier = seen.setdefault((query, document), row)
        if earlier != row:
            yield _repeated(rows, file, row, earlier)
        if rows.reasons and len(rows.reasons[row]) > file.limits.line:
            found = f"a reason of {len(rows.reasons[row]):,} characters{_whose(rows, row)}"
            expected = file.at_most("line")
            yield rows.problem(file, "E-SIZE", found, expected, "Shorten it.", line, "reason")


def _bad_id(kind: type[Pairs], rows: Rows, file: File, row: int, part: str, cell: str) -> Problem:
    called, line = rows.name(part, kind), rows.line[row]
    found, expected = f"an empty {called}{_whose(rows, row)}", f"an id as the {called}"
    fix = "Give the row an id or remove it."
    if cell:
        found = f"{quote(cell)} as the {called}, {len(cell):,} characters: too long"
        expected = file.at_most("id")
        fix = "Use shorter ids; check that the columns are separated."
    return rows.problem(file, "E-ID", found, expected, fix, line, part)


def _repeated(rows: Rows, file: File, row: int, earlier: int) -> Problem:
    line, query, document = rows.line[row], rows.query[row], rows.document[row]
    found = f"a duplicate: document {quote(document)} of query {quote(query)} again"
    first = f" (first on {rows.unit} {rows.line[earlier]})" if line else ""
    fix = "Remove one of the duplicate rows."
    tags = {rows.tags[at] for at in (earlier, row)} if rows.tags else set()
    if len(tags) > 1:
        names = " and ".join(sorted(map(quote, tags)))
        fix = f"The file seems to contain two runs, {names}: split it."
    judges = {rows.judges[at] for at in (earlier, row)} if rows.judges else set()
    if len(judges) > 1:
        names = " and ".join(sorted(map(quote, judges)))
        fix = f"The judges {names} both graded it: keep the rows of one, or compare the judges."
    code = SEVERAL_JUDGES if len(judges) > 1 else REPEAT
    expected = f"each document once per query{first}"
    return rows.problem(file, code, found, expected, fix, line, "document")


def _whose(rows: Rows, row: int) -> str:
    """Return the query and document of a value, where the line number does not identify them."""
    # A line that begins with # may be meant as a comment.
    if rows.line[row] and rows.query[row][:1] != "#":
        return ""
    return f" for query {quote(rows.query[row])}, document {quote(rows.document[row])}"


def _bad_number(kind: type[Pairs], rows: Rows, file: File, row: int, text: str) -> Problem:
    called, line = rows.name("value", kind), rows.line[row]
    such = "in digits, such as 0, 1, 2 or 3" if kind is Qrels else "with digits and a decimal point"
    fix = f"Write it {such}."
    if NUMBER.fullmatch(text):
        size = "small" if is_tiny(text) and float(text) == 0 else "large"
        fix = f"It is too {size} for a double; rescale the values."
    elif re.fullmatch("[+-]?[0-9]{1,3}(,[0-9]{3})+", text):
        fix = "Remove commas between thousands, or write a decimal comma as a decimal point."
    elif NUMBER.fullmatch(text.replace(",", ".", 1)):
        fix = "It has a decimal comma; write a decimal point."
    elif not text and kind is Qrels:
        fix = "Remove the row if the document is unjudged; write 0 if it is not relevant."
    found = (quote(text) if text else f"an empty {called}") + _whose(rows, row)
    expected = f"a number as the {called}"
    return rows.problem(file, "E-NUMBER", found, expected, fix, line, "value")


def require_room(rows: int, file: File) -> None:
    """Refuse one more row than the limits allow.

    Raises ReadError when there are as many rows as the limit allows.
    """
    if rows >= (most := file.limits.rows):
        raise file.too_large(f"more than {most:,} rows", "rows")


def require_few_lines(text: str, file: File) -> None:
    """Refuse a text whose lines are more than twice the rows allowed, before they are parsed.

    Some lines may be blank or comments, and a quoted cell may have several; half of them are not.

    Raises ReadError with the number of lines.
    """
    lines = line_ends(text)
    if lines > 2 * file.limits.rows:
        raise file.too_large(f"{lines:,} lines", "rows")


def is_score(value: float) -> bool:
    """Return whether a number is certainly not a grade: those are whole, or means of small ones."""
    return 5 < value < math.inf and not value.is_integer()


def refuse_scores(rows: Rows, file: File) -> None:
    """Refuse grades that are certainly scores, in a format that does not name its numbers.

    Raises ReadError for the first such grade.
    """
    for row, text in enumerate(rows.value):
        if NUMBER.fullmatch(text) and is_score(float(text)):
            where = f"{quote(rows.query[row])}, {quote(rows.document[row])}"
            found = f"{quote(text)} for {where}"
            raise file.of_other_role(Qrels, found, "grades", rows.line[row])
