"""CSV, TSV and similar files: tables of text, whose columns a header, cells or a person names."""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice, pairwise, takewhile

from ...data import Note, Pairs, Qrels, Run
from ...data.column_names import is_header, normalised
from ...limits import current
from ...words import count, quote
from ..labels import scale_of
from ..problems import NO_NAMES, File, Problem, ReadError
from ..row_notes import USUAL_GRADE, comments_left_out
from ..rows import MOST_PROBLEMS, NUMBER, Found, is_constant, is_score, is_whole, require_room
from ..sources import each_part, lines
from .cells import Cells, cells_of, columns_of, note_excel, read_decimal_commas

_SEP = re.compile('"?sep=([^"])\\1*"?', re.IGNORECASE)
_ONE_LINE = re.compile(r"[^\r\n]*[\r\n]{0,2}").fullmatch
_END = re.compile(r"\r\n|\n|\r")
_FAR = 100
"""A misplaced header is searched for in at most this many lines."""
BY_SPACES = re.compile("[ \t]+")
_AT_ENDS = re.compile(r"^[ \t]+|[ \t]+(?=[\r\n]|\Z)", re.MULTILINE)
DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas", "|": "pipes"}


@dataclass(frozen=True)
class TextTable:
    """A table as text, and its header.

    Attributes
    ----------
    names
        The column names, as written.
    text
        The whole text, header included; every row is on the line that it has in the file.
    line
        The number of the header line; 0 where the text has none.
    says_delimiter
        Whether a line ``sep=`` above the header sets the delimiter.
    notes
        What was assumed of the text, and left out of it.
    """

    delimiter: str
    names: tuple[str, ...]
    text: str
    line: int = 1
    says_delimiter: bool = False
    notes: tuple[Note, ...] = ()

    @property
    def body(self) -> str:
        """The text below the header, with an empty line in the place of each one above."""
        return below(self.text, self.line) if self.line else self.text

    def rows(self, file: File) -> Iterator[tuple[int, list[str]]]:
        """Yield the rows that are not blank, each with the number of its line.

        Raises ReadError when a row has other cells than the header, or invalid quotes.
        """
        problems: list[Problem] = []
        for number, row, _ in records(self.body, self.delimiter, file, problems):
            if not any(cell.strip() for cell in row):
                continue
            if len(row) != len(self.names):
                expected = f"{len(self.names)}, as many as in the header"
                fix = "Quote cells that contain the delimiter, or complete the row."
                raise file.error("E-FIELDS", f"{len(row)} fields", expected, fix, number)
            yield number, row
        if problems:
            raise ReadError(problems)


def table_in(text: str) -> TextTable | None:
    """Return a table whose header is on the first line, or below remarks; None for none."""
    return head_of(text) or below_remarks(text)


def head_of(text: str) -> TextTable | None:
    """Return a table by its header; None when the first line does not name columns."""
    rows = filled(text)
    number, first = next(rows, (1, ""))
    sep = _SEP.fullmatch(first.strip(" "))
    if sep:
        number, first = next(rows, (1, ""))
    marks = [sep[1]] if sep else list(DELIMITERS)
    below = next(rows, (1, ""))[1]
    return next(
        (
            TextTable(mark, names, text, number, bool(sep))
            for names_columns in (_is_known, _is_unknown)
            for mark in marks
            if names_columns(names := cut(first, mark), first, cut(below, mark))
        ),
        None,
    )


def head_below(text: str) -> TextTable | None:
    """Return a table by a header that is not on the first line; None when there is none."""
    for number, line in islice(filled(text), 1, _FAR):
        for mark in DELIMITERS:
            if _is_known(names := cut(line, mark), line, ()):
                return TextTable(mark, names, text, number)
    return None


def below_remarks(text: str) -> TextTable | None:
    """Return a table below comments or titles, with blank lines for them, and a note.

    None where a line above the header may be a row, or there is none.

    Examples
    --------
    >>> found = below_remarks("# by hand\\nMy export\\nquery;document;score\\nq1;d1;2.5")
    >>> found.line, found.text.split(), str(found.notes[0])
    (3, ['query;document;score', 'q1;d1;2.5'], "2 lines above the column names were left out, the \
first is '# by hand'.")
    """
    head = head_below(text)
    if head is None:
        return None
    above = [line for number, line in takewhile(lambda each: each[0] < head.line, filled(text))]
    if not all(_is_remark(line, head.delimiter) for line in above):
        return None
    lines_above = count(len(above), "line")
    were = "was" if len(above) == 1 else "were"
    said = f"{lines_above} above the column names {were} left out, the first is {quote(above[0])}."
    return replace(head, text=below(text, head.line - 1), notes=(Note(said, "N-REMARKS"),))


def below(text: str, line: int) -> str:
    """Return the text below a line, with an empty line in the place of each one above."""
    end = next(islice(_END.finditer(text), line - 1, line), None)
    return "\n" * line + text[end.end() :] if end else ""


def _is_remark(line: str, delimiter: str) -> bool:
    """Return whether a line is certainly no row: a comment, or words without numbers or cells."""
    if _SEP.fullmatch(line.strip(" ")):
        # It contradicts the header, so it is not certain which of the two holds.
        return False
    words = line.split()
    is_comment = line.lstrip()[:1] == "#"
    return is_comment or not (delimiter in line or any(map(NUMBER.fullmatch, words)))


def filled(text: str) -> Iterator[tuple[int, str]]:
    """Return the lines that are not blank, with their numbers, of the text's first million."""
    every = enumerate(lines(text[:1_000_000]), 1)
    return ((number, line) for number, line in every if line.strip(" \t"))


def by_tabs(text: str) -> str:
    r"""Return a table whose columns are aligned with spaces as one that is separated by tabs.

    Examples
    --------
    >>> by_tabs("  q1   d1 3 \nq2 \t d2 1")
    'q1\td1\t3\nq2\td2\t1'
    """
    return BY_SPACES.sub("\t", _AT_ENDS.sub("", text))


def cut(line: str, delimiter: str) -> tuple[str, ...]:
    """Return the cells of a line; none when its quotes are invalid or it is too long."""
    if len(line) > current().line:
        return ()
    try:
        return tuple(next(csv.reader([line], delimiter=delimiter, skipinitialspace=True), []))
    except csv.Error:
        return ()


def _is_known(names: tuple[str, ...], line: str, below: tuple[str, ...]) -> bool:
    """Return whether a line names a query or a document; ids of a TREC row may be such words."""
    words = line.split()
    is_trec = len(words) > 1 and is_constant(words[1]) and any(map(NUMBER.fullmatch, words[2:]))
    return is_header(names) and not is_trec


def _is_unknown(names: tuple[str, ...], line: str, below: tuple[str, ...]) -> bool:
    """Return whether a line has unknown column names: no number, above a line with numbers."""
    return (
        1 < len(names) == len(below)
        and all(name.strip() for name in names)
        and not any(map(NUMBER.fullmatch, " ".join(names).split()))
        and "q0" not in map(normalised, names)
        and any(NUMBER.fullmatch(cell.strip()) for cell in below)
    )


def read_delimited(kind: type[Pairs], head: TextTable, file: File) -> Found:
    """Return the rows of a table below its header.

    Raises ReadError when a needed column is missing or appears twice, or a line is too long.
    """
    names, mark = head.names, head.delimiter
    called = DELIMITERS.get(mark, mark)
    if not names[-1].strip():
        names = names[:-1]
    cells = Cells(columns_of(kind, names, file, head.line or None), file)
    rows = cells.rows
    if names != head.names:
        text = f"The header ends in an empty cell (trailing {called}), which was left out."
        rows.note(text, "N-EMPTY-CELL")
    if head.says_delimiter:
        rows.note(f"The line sep={mark} at the top was applied and left out.", "N-SEP")
    if mark == "|":
        rows.note("Columns separated by |, which is unusual.", "N-PIPES")
    wanted, blank, spaced, trailing = len(names), 0, 0, 0
    above = head.says_delimiter + (head.line > 0)
    for line, row, raw in records(head.text, mark, file, rows.problems):
        if not any(cell.strip() for cell in row):
            blank += len(row) > 1 or bool("".join(row).strip(" \t"))
            require_room(blank - 1, file)
            continue
        if above:
            above -= 1
            if not above and row[:wanted] != list(names):
                found = f"{quote(', '.join(row))} as the column names"
                fix = "Check the quotes: each name must end on the first line."
                raise file.error("E-HEADER", found, "the names on one line", fix, line)
            continue
        if len(row) == wanted + 1 and not row[-1].strip():
            row, trailing = row[:-1], trailing + 1
        if wrong := _wrong(row, line, raw, head, cells):
            rows.problems.append(wrong)
            if len(rows.problems) >= MOST_PROBLEMS:
                break
            continue
        # Only spaces and tabs are removed: other white space may belong to an id.
        tidy = [cell.strip(" \t") for cell in row]
        spaced += tidy != row or _is_cut(row, raw, mark)
        cells.add(line, tidy)
    cut_off = f"Rows that end in an empty cell (trailing {called}), which was left out"
    for many, what, code in (
        (blank, "Blank rows, in which every cell is empty, were left out", "N-BLANK"),
        (0 if rows.problems else trailing, cut_off, "N-EMPTY-CELL"),
        (spaced, "Rows whose cells had spaces around them, which were removed", "N-SPACES"),
    ):
        if many:
            rows.note(f"{what}: {many:,}.", code)
    of_kinds = cells_of(cells)
    for each in of_kinds.values():
        note_excel(each)
        if mark != ",":
            read_decimal_commas(each)
    return of_kinds


def records(
    text: str, delimiter: str, file: File, problems: list[Problem]
) -> Iterator[tuple[int, list[str], str]]:
    """Yield the rows, each with the number of its first line and its text.

    Rows end before a cell whose quotes are invalid, which is added to the problems.

    Raises ReadError when a row is too long.
    """
    taken: list[str] = []
    first, most = 1, file.limits.line

    def each() -> Iterator[str]:
        held = 0
        # Read in parts, because reading a text line by line takes four times its size.
        parts = (io.StringIO(within + end, newline="") for within, end in each_part(text))
        for line in chain.from_iterable(parts):
            # No line is taken yet where a row begins.
            held = held + len(line) if taken else len(line)
            if held > most + 2:
                fix = "Check for a quote that is never closed, or leave the texts out."
                found, expected = "a row that is too long", file.at_most("line")
                raise file.error("E-SIZE", found, expected, fix, first)
            taken.append(line)
            yield line

    reader = csv.reader(each(), delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        for row in reader:
            yield first, row, "".join(taken)
            first = reader.line_num + 1
            taken.clear()
    except csv.Error as error:
        fix = "Close or double the quotes around the cell."
        if "field" in str(error):
            fix = "No cell may be that long; check for a quote that is never closed."
        found = f"a cell that is too long ({error})" if "field" in str(error) else str(error)
        problems.append(file.problem("E-QUOTE", quote(found), "CSV", fix, first))


def _is_cut(row: list[str], raw: str, mark: str) -> bool:
    """Return whether the CSV reader removed spaces before a cell."""
    spaced = mark + " "
    if spaced not in raw and raw[0] != " ":
        return False
    return (mark + raw).count(spaced) > sum(cell.count(spaced) for cell in row)


def _wrong(row: list[str], line: int, raw: str, head: TextTable, cells: Cells) -> Problem | None:
    """Return the problem in the form of a row; None when there is none."""
    names, mark, file = cells.columns.names, head.delimiter, cells.file
    if row[0] == names[0] and row == list(names):
        found, expected = f"the header of line {head.line} again", "a row"
        fix = "Two files seem to be joined: remove this line."
        return file.problem("E-HEADER", found, expected, fix, line)
    if len(row) != len(names):
        like = "in the header" if head.line else "the other lines have"
        found, expected = count(len(row), "field"), f"{len(names)}, as many as {like}"
        fix = "Quote cells that contain the delimiter, or complete the row."
        others = [
            each for each in DELIMITERS if len(row) == 1 and len(cut(row[0], each)) == len(names)
        ]
        if others:
            fix = (
                f"It is separated by {DELIMITERS[others[0]]}, not by {DELIMITERS.get(mark, mark)}."
            )
        return file.problem("E-FIELDS", found, expected, fix, line)
    if _ONE_LINE(raw):
        return None
    # An unclosed quote swallows the rows below, each of which has a number.
    place = cells.columns.place
    at = place.get("value", place.get("rank", 0))

    def is_row(fields: Sequence[str]) -> bool:
        return len(fields) == len(names) and bool(NUMBER.fullmatch(fields[at].strip(' "')))

    within = [each for cell in row for each in lines(cell)[1:] if is_row(cut(each, mark))]
    first, *_, last = lines(raw.strip("\r\n"))
    # Two stray quotes join two rows: without quotes, each is one.
    if is_row(first.split(mark)) and is_row(last.split(mark)):
        within.append(last)
    if within:
        found = f"a quoted cell that contains a whole row, {quote(within[0])}"
        fix = "Close or double the quotes in this line."
        return file.problem("E-QUOTE", found, "a cell", fix, line)
    return None


_FORMS: dict[type[Pairs], tuple[tuple[str, ...], ...]] = {
    Run: (
        ("query", "Q0", "document", "rank", "score", "tag"),
        ("query", "Q0", "document", "rank", "score"),
        ("query", "document", "rank", "score"),
        ("query", "document", "rank"),
        ("query", "document", "score"),
    ),
    Qrels: (
        ("query", "iteration", "document", "grade"),
        ("query", "document", "grade"),
        ("query", "document"),
    ),
}
NAME_THEM = "Add a header line with the column names"
_COMMENT = re.compile(r"^#[ \t][^\r\n]*", re.MULTILINE)
MOST_ALIKE = 0.9
"""At least this share of the rows has the form; single lines that are wrong are reported."""


def headerless(kind: type[Pairs], text: str, file: File) -> TextTable | None:
    r"""Return a table without column names; None for TREC's own lines and wherever there is doubt.

    Columns that were aligned with spaces are separated by tabs. The notes say what was taken for
    what, and what was left out.

    The columns of the kind that is wanted come first: three columns with a whole number in the
    last may be a run or qrels.

    Raises ReadError when commas, semicolons or pipes separate columns whose meaning is in doubt.

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
        if columns > 2 and times >= MOST_ALIKE * len(rows):
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
    notes = (Note(read, NO_NAMES),)
    return (*notes, comments_left_out(len(comments), comments[0])) if comments else notes


def _is_trec(rows: list[list[str]]) -> bool:
    """Return whether lines cut at spaces have TREC's columns, of a run or of qrels."""

    def is_row(cells: list[str]) -> bool:
        at = len(cells) - 2 if len(cells) in (5, 6) else 3
        return len(cells) >= 4 and is_constant(cells[1]) and bool(NUMBER.fullmatch(cells[at]))

    return any(map(is_row, rows))


def _names(kind: type[Pairs], rows: list[list[str]]) -> tuple[str, ...] | None:
    """Return the names of the columns that the cells show; None where they leave a doubt."""
    # Three columns of the other kind are not looked for: nothing tells the two apart.
    other = [names for names in _FORMS[Run if kind is Qrels else Qrels] if len(names) > 3]
    return next((names for names in (*_FORMS[kind], *other) if _fits(names, rows)), None)


def _fits(names: tuple[str, ...], rows: list[list[str]]) -> bool:
    whole = [dict(zip(names, row, strict=True)) for row in rows if len(row) == len(names)]
    if not whole or len(whole) < MOST_ALIKE * len(rows):
        return False
    if len(names) == 2:
        return _is_pair(whole)
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
    scale = scale_of({row[name] for row in rows})
    values = (str(scale.get(row[name], row[name]) if scale else row[name]) for row in rows)
    values = (value.replace(",", ".") for value in values)
    return [float(value) for value in values if NUMBER.fullmatch(value)]


def _is_score(rows: list[dict[str, str]]) -> bool:
    """Return whether numbers are scores: in TREC's own columns any are, else one is a fraction."""
    numbers = _numbers(rows, "score")
    if len(numbers) < MOST_ALIKE * len(rows):
        return False
    return "Q0" in rows[0] or not all(number.is_integer() for number in numbers)


def _is_grade(rows: list[dict[str, str]]) -> bool:
    """Return whether numbers are grades; without an iteration they must not be ranks or scores."""
    numbers = _numbers(rows, "grade")
    if len(numbers) < MOST_ALIKE * len(rows) or any(map(is_score, numbers)):
        return False
    if "iteration" in rows[0]:
        return True
    ranked = [{**row, "rank": row["grade"]} for row in rows]
    return max(numbers) <= USUAL_GRADE and not _is_rank(ranked)


_ID = re.compile(r"""[^\s"'{}\[\],;|]+""")
_FEW = 10
"""A number up to this may be a grade or a rank rather than the id of a document."""


def _is_pair(rows: list[dict[str, str]]) -> bool:
    """Return whether rows of two cells are a query and a document: a query has several of them.

    Without that the second cells must not be small numbers alone.
    """
    if len(rows) < 2 or not all(_ID.fullmatch(cell) for row in rows for cell in row.values()):
        return False
    numbers = _numbers(rows, "document")
    is_id = len(numbers) < len(rows) or max(numbers) > _FEW
    return is_id or len({row["query"] for row in rows}) < len(rows)


_CHECKS = {
    "Q0": lambda rows: all(is_constant(row["Q0"]) for row in rows),
    "iteration": lambda rows: all(is_whole(row["iteration"]) for row in rows),
    "rank": _is_rank,
    "score": _is_score,
    "grade": _is_grade,
}
