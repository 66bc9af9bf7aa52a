"""Tables without column names: what each column contains, where the cells leave no doubt."""

import re
from collections import Counter, defaultdict
from itertools import pairwise

from ...data import Note, Pairs, Qrels, Run
from ..problems import File
from ..row_errors import is_score
from ..row_notes import USUAL_GRADE, comments_left_out
from ..rows import NUMBER, is_constant, is_whole
from .delimited import BY_SPACES, DELIMITERS, TextTable, by_tabs, cut, filled

_FORMS: dict[type[Pairs], tuple[tuple[str, ...], ...]] = {
    Run: (
        ("query", "Q0", "document", "rank", "score", "tag"),
        ("query", "Q0", "document", "rank", "score"),
        ("query", "document", "rank", "score"),
        ("query", "document", "rank"),
        ("query", "document", "score"),
    ),
    Qrels: (("query", "iteration", "document", "grade"), ("query", "document", "grade")),
}
NAME_THEM = "Add a header line with the column names"
_COMMENT = re.compile(r"^#[ \t][^\r\n]*", re.MULTILINE)
_MOST = 0.9
"""At least this share of the rows has the form; single lines that are wrong are reported."""


def headerless(kind: type[Pairs], text: str, file: File) -> TextTable | None:
    r"""Return a table without column names; None for TREC's own lines and wherever there is doubt.

    Columns that were aligned with spaces are separated by tabs. The notes say what was taken for
    what, and what was left out.

    The columns of the kind that is wanted come first: three columns with a whole number in the
    last may be a run or qrels.

    Raises
    ------
    ReadError
        When commas, semicolons or pipes separate columns whose meaning is in doubt.

    Examples
    --------
    >>> found = headerless(Run, "q1,d1,2.5\nq1,d2,1.5\n", File("run.csv"))
    >>> print(*found.notes)
    No column names: read as query, document, score, separated by commas.
    >>> headerless(Run, "q1 d1 3\nq1 d2 2\n", File("run.txt")) is None  # scores, or ranks
    True
    """
    comments, text = _COMMENT.findall(text), _COMMENT.sub("", text)
    lines = [line.strip(" \t") for _, line in filled(text)]
    by_spaces = [BY_SPACES.split(line) for line in lines]
    if _is_trec(by_spaces):
        return None
    doubt = None
    for mark, name in DELIMITERS.items():
        separates = mark != "\t" and mark in text
        rows = [list(cut(line, mark)) for line in lines] if separates else []
        if names := _names(kind, rows):
            return TextTable(mark, names, text, 0, notes=_notes(names, name, comments))
        columns, times = Counter(map(len, rows)).most_common(1)[0] if rows else (0, 0)
        if columns > 2 and times >= _MOST * len(rows):
            doubt = doubt or f"{columns} columns separated by {name}, without names"
    names = _names(kind, by_spaces)
    # TREC's and MS MARCO's own columns have their own readers.
    if names is None or names[-1] == "rank" or names[1] in ("Q0", "iteration"):
        if doubt:
            expected = f"column names, such as query, document and {kind.VALUE}"
            raise file.error("E-FIELDS", doubt, expected, f"{NAME_THEM}.", 1)
        return None
    notes = _notes(names, "spaces or tabs", comments)
    return TextTable("\t", names, by_tabs(text), 0, notes=notes)


def _notes(names: tuple[str, ...], mark: str, comments: list[str]) -> tuple[Note, ...]:
    read = f"No column names: read as {', '.join(names)}, separated by {mark}."
    notes = (Note(read, "N-NO-NAMES"),)
    return (*notes, comments_left_out(len(comments), comments[0])) if comments else notes


def _is_trec(rows: list[list[str]]) -> bool:
    """Return whether lines cut at spaces have TREC's columns, of a run or of qrels."""

    def is_row(cells: list[str]) -> bool:
        at = len(cells) - 2 if len(cells) in (5, 6) else 3
        return len(cells) >= 4 and is_constant(cells[1]) and bool(NUMBER.fullmatch(cells[at]))

    return any(map(is_row, rows))


def _names(kind: type[Pairs], rows: list[list[str]]) -> tuple[str, ...] | None:
    """Return the names of the columns that the cells show; None where they leave a doubt."""
    every = [(of, names) for of, forms in _FORMS.items() for names in forms]
    # Three columns of the other kind are not looked for: nothing tells the two apart.
    wanted = [names for of, names in every if of is kind]
    other = [names for of, names in every if of is not kind and len(names) > 3]
    return next((names for names in (*wanted, *other) if _fits(names, rows)), None)


def _fits(names: tuple[str, ...], rows: list[list[str]]) -> bool:
    whole = [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)]
    if not whole or len(whole) < _MOST * len(rows):
        return False
    return all(_CHECKS[name](whole) for name in names if name in _CHECKS)


def _is_rank(rows: list[dict[str, str]]) -> bool:
    """Return whether whole numbers rise in each query, most often from 1 or 0.

    In TREC's own columns any number may be a rank: only the scores count.
    """
    if "Q0" in rows[0]:
        return all(NUMBER.fullmatch(row["rank"]) for row in rows)
    if not all(is_whole(row["rank"]) for row in rows):
        return False
    ranks: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        ranks[row["query"]].append(float(row["rank"]))
    first = sum(each[0] in (0, 1) for each in ranks.values())
    rising = all(before < after for each in ranks.values() for before, after in pairwise(each))
    several = any(len(each) > 1 for each in ranks.values())
    return rising and several and 2 * first > len(ranks)


def _numbers(rows: list[dict[str, str]], name: str) -> list[float]:
    """Return a column's numbers, also those with a decimal comma."""
    values = (row[name].replace(",", ".") for row in rows)
    return [float(value) for value in values if NUMBER.fullmatch(value)]


def _is_score(rows: list[dict[str, str]]) -> bool:
    """Return whether numbers are scores: in TREC's own columns any are, else one is a fraction."""
    numbers = _numbers(rows, "score")
    if len(numbers) < _MOST * len(rows):
        return False
    return "Q0" in rows[0] or not all(number.is_integer() for number in numbers)


def _is_grade(rows: list[dict[str, str]]) -> bool:
    """Return whether numbers are grades; without an iteration they must not be ranks or scores."""
    numbers = _numbers(rows, "grade")
    if len(numbers) < _MOST * len(rows) or any(map(is_score, numbers)):
        return False
    if "iteration" in rows[0]:
        return True
    ranked = [{**row, "rank": row["grade"]} for row in rows]
    return max(numbers) <= USUAL_GRADE and not _is_rank(ranked)


_CHECKS = {
    "Q0": lambda rows: all(is_constant(row["Q0"]) for row in rows),
    "iteration": lambda rows: all(is_whole(row["iteration"]) for row in rows),
    "rank": _is_rank,
    "score": _is_score,
    "grade": _is_grade,
}
