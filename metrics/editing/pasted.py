"""A pasted ranking: a list of grades, or rows from a spreadsheet."""

import csv
import io
import math
import re
from collections.abc import Iterator, Sequence

from ..data.checks import LARGEST_GRADE
from ..reading.problems import File, Problem, ReadError
from ..reading.rows import NUMBER
from ..reading.sources import lines
from ..words import count, quote
from .hand_ranking import LONGEST_ID, Entry, HandRanking, bad_id

_PASTED = File("Your list")
MOST_ROWS = 1000
GRAMMAR = (
    "One title per line, its grade last: Red shoes, 3. Or grades alone, from rank 1 down: 3 2 0. "
    "After | come those that were not retrieved."
)
"""What can be typed or pasted, in one line."""
_A_TITLE = f"a title of 1 to {LONGEST_ID} characters on one line"
_LIST = re.compile(r"[-+.0-9eE?,;|\s]*")
_CELL = re.compile(r"[^,;\s]+")
# A bar at the start of a line or after a grade; any other belongs to a title.
_BAR = re.compile(r"(^|[,; \t](?:-?\d{1,3}(?:\.\d+)?|\?))[ \t]*\|[ \t]*")
# Where a grade is missing: before the first separator, or between two of them.
_GAP = re.compile(r"^\s*[,;]|[,;](?=\s*[,;])|\t(?= *\t)")
_NAMES = {"rank": "rank"} | dict.fromkeys(["document", "doc", "id", "title"], "document")
_NAMES |= dict.fromkeys(["grade", "relevance", "rel", "label"], "grade")


def read_ranking(text: str, query: str) -> HandRanking:
    """Return the ranking in a typed or pasted text.

    The text has grades in rank order, ``3,2,3,0,1,2``, for documents d1, d2, …; ``?`` is an
    unjudged document, and the grades after ``|`` are of judged documents that are not ranked. Or it
    has rows of document and grade, or of rank, document and grade, with or without a header; an
    empty rank means not ranked. Or it has lines that end with a grade, before which is a title.
    Rows that are numbered lose their numbers; those from a ``|`` on are not ranked.

    Raises ReadError with the line, what was found and what was expected, and as ``read`` the
    ranking of the lines that can be read. Raises EditError when a document that is not ranked has
    no grade.

    Examples
    --------
    >>> [entry.grade for entry in read_ranking("3, 2, ? | 1", "q").entries]
    [3.0, 2.0, None, 1.0]
    >>> read_ranking("laptop\\t3\\ntablet\\t0", "q").retrieved[0].document
    'laptop'
    >>> found = read_ranking("1. Laptop, blue, 3\\n2. Tablet 0 | Red laptop 2", "q")
    >>> [entry.document for entry in found.retrieved], found.unretrieved[0].document
    (['Laptop, blue', 'Tablet'], 'Red laptop')
    """
    if not text.strip():
        raise _nothing()
    if _LIST.fullmatch(text) and not _is_table(text):
        return _of_grades(text, query)
    return _of_rows(text, query)


def _nothing() -> ReadError:
    expected, fix = "one title per line, its grade last", "Type the first, such as Red shoes, 3."
    return _error("E-EMPTY", "nothing", expected, fix)


def _is_table(text: str) -> bool:
    """Return whether numbers are in columns: several lines, each with two or each with three."""
    cells = {len(re.split(r"[\t,;]", line.strip())) for line in lines(text) if line.strip()}
    return len(lines(text.strip())) > 1 and len(cells) == 1 and cells <= {2, 3}


def _of_grades(text: str, query: str) -> HandRanking:
    many = [row for row in lines(text) if len(re.findall(r"[^,;|\s]+", row)) > 1]
    if len(many) > 1:
        found, fix = f"{len(many)} lines of grades", "Put those that are not retrieved after |."
        raise _error("E-LIST", found, "one line, like 3,2,0 | 1", fix)
    ranked, *rest = text.split("|")
    if len(rest) > 1:
        raise _error("E-LIST", f"{len(rest)} |", "at most one |", "Delete the others.")
    parts = [_CELL.findall(part) for part in (ranked, *rest)]
    for part, above in zip((ranked, *rest), (0, len(parts[0])), strict=False):
        _whole(part, above)
    _few(sum(map(len, parts)))
    entries = [
        Entry(f"d{number}", _grade(cell, 1, number))
        for number, cell in enumerate(parts[0] + (parts[1] if rest else []), 1)
    ]
    ranked_ones = len(parts[0])
    return HandRanking(query, tuple(entries[:ranked_ones]), tuple(entries[ranked_ones:]))


def _whole(part: str, above: int) -> None:
    """Refuse a list in which a grade is missing; ``above``: the number of grades before the list.

    Separators after the last grade are ignored: spreadsheets pad their rows.
    """
    if gap := _GAP.search(part.rstrip(",; \t\r\n")):
        column = above + len(_CELL.findall(part[: gap.start()])) + 1
        fix = "Write ? for an unjudged document, or delete the separator."
        raise _error("E-NUMBER", "nothing", "a grade or ?", fix, 1, column)


def _of_rows(text: str, query: str) -> HandRanking:
    if re.match(r"\s*1[.)] ", text):
        text = re.sub(r"(?m)^[ \t]*\d+[.)] +", "", text)
    bar = re.search(r"(?m)^\|(?:[ \t]+|$)", text)
    missing = text.count("\n", 0, bar.start()) + 1 if bar else math.inf
    table = text[: bar.start()] + text[bar.end() :] if bar else text
    wrong: list[Problem] = []
    rows = [row for row in _cells(table, wrong) if any(map(str.strip, row[1]))]
    _few(len(rows))
    if not rows:
        raise ReadError(wrong) if wrong else _nothing()
    names = [_NAMES.get(cell.strip().lower(), "") for cell in rows[0][1]]
    if {"document", "grade"} <= set(names):
        rows = rows[1:]
    else:
        if not _are_columns(table, [cells for _, cells in rows]):
            rows = list(_titles(text, wrong))
        names = ["rank", "document", "grade"][-len(rows[0][1]) :] if rows else []
    ranked: list[tuple[float, Entry]] = []
    rest: list[Entry] = []
    seen: dict[str, int] = {}

    def read(number: int, cells: list[str]) -> None:
        if len(cells) != len(names) or "document" not in names:
            found = count(len(cells), "cell")
            expected = "title and grade, or rank, title and grade"
            fix = "Or paste grades only, like 3,2,0 | 1; those after | are not retrieved."
            raise _error("E-COLUMNS", found, expected, fix, number)
        cell = dict(zip(names, cells, strict=True))
        entry = Entry(_new(cell["document"], seen, number), _grade(cell["grade"], number))
        if number >= missing:
            rest.append(entry)
        elif "rank" not in names:
            ranked.append((len(ranked), entry))
        elif cell["rank"].strip() in {"", "-", "–"}:
            rest.append(entry)
        else:
            ranked.append((_number(cell["rank"], "a rank", number), entry))

    for row in rows:
        try:
            read(*row)
        except ReadError as error:
            wrong += error.problems
    ranked.sort(key=lambda pair: pair[0])
    retrieved = [
        Entry(entry.document, entry.grade, tied=i > 0 and rank == ranked[i - 1][0])
        for i, (rank, entry) in enumerate(ranked)
    ]
    found = HandRanking(query, tuple(retrieved), tuple(rest))
    if wrong:
        wrong.sort(key=lambda each: each.line or 0)
        raise ReadError(wrong, found if retrieved else None)
    return found


def _are_columns(text: str, rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows without a header are those of a table, not lines with a title each."""
    is_cut = "\t" in text and all(len(row) > 1 for row in rows)
    if is_cut or (len(rows[0]) > 2 and _LIST.fullmatch(rows[0][0].strip("–"))):
        return True
    return "|" not in text and all(len(row) == 2 and _LIST.fullmatch(row[1]) for row in rows)


def _titles(text: str, wrong: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Yield rank, title and grade of each line that has them; from a bar on there are no ranks.

    ``wrong`` gets the others.
    """
    ranked = True
    for number, line in enumerate(lines(text), 1):
        for place, part in enumerate(_BAR.sub(r"\1\n", line).split("\n")):
            ranked = ranked and not place
            if not (row := part.strip(" \t")):
                continue
            grade = re.split(r"[,; \t]", row)[-1]
            title = row[: len(row) - len(grade)].rstrip(",; \t")
            if not title or not (grade == "?" or NUMBER.fullmatch(grade)):
                fix = "Write the grade last, such as 0, 1, 2 or 3; ? is unjudged."
                expected = "a title, then its grade"
                wrong.append(_PASTED.problem("E-COLUMNS", quote(row), expected, fix, number))
            else:
                yield number, [str(number) if ranked else "", title, grade]


def _cells(text: str, wrong: list[Problem]) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows, each with the number of its first line: a row may have several.

    ``wrong``: as in `_titles`.
    """
    delimiter = next((mark for mark in "\t;," if mark in text), None)
    if delimiter is None:
        yield from _titles(text, wrong)
        return
    # The text is not split into lines, because a quoted cell may contain line breaks.
    stream = io.StringIO(text, newline="")
    rows = csv.reader(stream, delimiter=delimiter, skipinitialspace=True, strict=True)
    number = 1
    try:
        for cells in rows:
            # Only spaces and tabs are removed: other white space may belong to an id.
            yield number, [cell.strip(" \t") for cell in cells]
            number = rows.line_num + 1
    except csv.Error as error:
        if "field limit" in str(error):
            found = f"a cell of more than {csv.field_size_limit():,} characters: too long"
            raise _error("E-ID", found, _A_TITLE, "Shorten it.", number) from error
        fix = "Close or double the quotes around the cell."
        raise _error("E-QUOTE", str(error), "rows of cells", fix, number) from error


def _new(document: str, seen: dict[str, int], line: int) -> str:
    """Return a document's id that no earlier line has; ``seen`` holds the lines of those ids."""
    if wrong := bad_id(document, "title"):
        raise _error("E-ID", wrong, _A_TITLE, "Change the title.", line)
    first = seen.setdefault(document, line)
    if first != line:
        found, expected = f"{quote(document)} again", f"each title once (first on line {first})"
        raise _error("E-DUP-DOC", found, expected, "Remove one of the lines.", line)
    return document


def _grade(cell: str, line: int, column: int | None = None) -> float | None:
    if cell.strip() in {"?", ""}:
        return None
    grade = _number(cell, "a grade or ?", line, column)
    if abs(grade) > LARGEST_GRADE:
        expected, fix = f"a grade up to {LARGEST_GRADE}", "Use a small scale such as 0 to 3."
        raise _error("E-GRADE", quote(cell), expected, fix, line, column)
    return grade


def _number(cell: str, expected: str, line: int, column: int | None = None) -> float:
    if not NUMBER.fullmatch(cell.strip()):
        fix = "Write it in digits, such as 0, 1, 2 or 3."
        raise _error("E-NUMBER", quote(cell), expected, fix, line, column)
    return float(cell.strip())


def _few(rows: int) -> None:
    if rows > MOST_ROWS:
        fix = "Upload larger rankings as run and qrels files."
        expected = f"at most {MOST_ROWS:,}, the limit of a pasted ranking"
        raise _error("E-SIZE", f"{rows:,} documents", expected, fix)


def _error(
    code: str, found: str, expected: str, fix: str, line: int = 0, column: int | None = None
) -> ReadError:
    return ReadError([_PASTED.problem(code, found, expected, fix, line, column)])
