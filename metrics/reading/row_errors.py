"""Problems of single rows, in words."""

import math
import re
from collections.abc import Iterator

from ..data import Pairs, Qrels
from ..data.checks import LARGEST_GRADE
from ..words import quote
from .decode import line_ends
from .note_codes import REPEAT, SEVERAL_JUDGES
from .problems import OTHER_ROLE, File, Problem
from .rows import NUMBER, Rows, is_tiny

MOST_PROBLEMS = 10_000
"""At most this many problems are collected; reading then ends, to save memory."""


def faults(kind: type[Pairs], rows: Rows, file: File) -> Iterator[Problem]:
    """Yield the problems of each row, in order."""
    seen: dict[tuple[str, str], int] = {}
    cells = zip(rows.line, rows.query, rows.document, rows.value, strict=True)
    for row, (line, query, document, text) in enumerate(cells):
        for part, cell in (("query", query), ("document", document)):
            if not cell or len(cell) > file.limits.id:
                yield _bad_id(kind, rows, part, cell, line, file)
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


def _bad_id(kind: type[Pairs], rows: Rows, part: str, cell: str, line: int, file: File) -> Problem:
    called = rows.name(part, kind)
    found, expected = f"an empty {called}", f"an id as the {called}"
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

    Raises
    ------
    ReadError
        When there are as many rows as the limit allows.
    """
    if rows >= (most := file.limits.rows):
        raise file.too_large(f"more than {most:,} rows", "rows")


def require_few_lines(text: str, file: File) -> None:
    """Refuse a text whose lines are more than twice the rows allowed, before they are parsed.

    Some lines may be blank or comments, and a quoted cell may have several; half of them are not.

    Raises
    ------
    ReadError
        With the number of lines.
    """
    lines = line_ends(text)
    if lines > 2 * file.limits.rows:
        raise file.too_large(f"{lines:,} lines", "rows")


def is_score(value: float) -> bool:
    """Return whether a number is certainly not a grade: those are whole, or means of small ones."""
    return 5 < value < math.inf and not value.is_integer()


def refuse_scores(rows: Rows, file: File) -> None:
    """Refuse grades that are certainly scores, in a format that does not name its numbers.

    Raises
    ------
    ReadError
        For the first such grade.
    """
    for row, text in enumerate(rows.value):
        if NUMBER.fullmatch(text) and is_score(float(text)):
            where = f"{quote(rows.query[row])}, {quote(rows.document[row])}"
            fix = "It looks like a run: use the file as a run."
            raise file.error(
                OTHER_ROLE, f"{quote(text)} for {where}", "grades", fix, rows.line[row]
            )
