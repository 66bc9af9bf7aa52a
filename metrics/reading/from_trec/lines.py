"""TREC runs (query Q0 document rank score tag) and qrels (query 0 document grade)."""

import re
from collections.abc import Iterator
from itertools import chain

from ...data import Kind, Pairs, Run
from ...data.column_names import SYNONYMS, plain
from ...words import count, quote
from ..decode import each_line
from ..problems import File
from ..row_errors import MOST_PROBLEMS, require_room
from ..row_notes import comments_left_out
from ..rows import NUMBER, Rows, is_constant, is_whole, of_tags
from . import refusals
from .ms_marco import is_ranked, read_ranked
from .refusals import QRELS, RUN, Line, goes_on, miscounted

_SPACE = re.compile("[ \t]+")


def read_trec(kind: type[Pairs], text: str, file: File) -> Rows:
    """Return the rows of a TREC file; fields are split on spaces and tabs only.

    MS MARCO's lines of query, document and rank are also read as a run.

    Raises
    ------
    ReadError
        When it is another kind of file, or has too long a line or too many lines.
    """
    rows = Rows()
    every = _without_comments(_cut(text, file), text, rows, file)
    first = next(every, None)
    header: Line | None = None
    if first and _is_header(first[1]):
        rows.note(f"The header on line {first[0]} left out.", "N-HEADER")
        header, first = first, next(every, None)
    if first is None:
        return rows
    fields = RUN if kind is Run else QRELS
    refusals.refuse_spaces_in_cells(fields, text, file)
    refusals.refuse_empty_cell(fields, first, text, file)
    refusals.refuse_other_files(kind, first, text, file)
    every = chain([first], every)
    # The first line may be the truncated one, so all lines decide.
    if kind is Run and len(first[1]) < 5:
        listed = list(every)
        if read_ranked(listed, rows, file):
            return rows
        every = iter(listed)
    _fill(kind, rows, every, first, header, file)
    return rows


def _fill(
    kind: type[Pairs],
    rows: Rows,
    every: Iterator[Line],
    first: Line,
    header: Line | None,
    file: File,
) -> None:
    """Add the cells of each line to the rows, and refuse lines that look like another form."""
    fields, as_line, place = (RUN, 0, 4) if kind is Run else (QRELS, 0, 3)
    rows.column = {"query": 1, "document": 3, "value": place + 1}
    if kind is Run and _lacks_tag(first[1]):
        text = "5 columns: the run tag is missing, which changes no number."
        rows.note(text, "N-NO-TAG", Kind.REMARK)
        fields, as_line = RUN.removesuffix(" tag"), first[0]
    wanted = len(fields.split())
    more: list[Line] = []
    seconds: list[str] = []
    for number, cells in every:
        if len(rows.problems) >= MOST_PROBLEMS:
            break
        if header and cells == header[1]:
            found, fix = f"the header of line {header[0]} again", "Remove this line."
            rows.problems.append(file.problem("E-HEADER", found, "a row", fix, number))
        elif len(cells) == wanted or (wanted == 6 and goes_on(cells)):
            rows.add(number, cells[0], cells[2], cells[place])
            seconds.append(cells[1])
            if kind is Run:
                rows.rank.append(cells[3])
                rows.tags += cells[5:6]
            if len(cells) > wanted:
                more.append((number, cells))
        else:
            rows.problems.append(miscounted(file, (number, cells), fields, as_line))
    if more:
        number, cells = more[0]
        rows.note(
            f"{count(len(more), 'line')} with fields after the run tag, which are left out as "
            f"trec_eval does, the first is {quote(' '.join(cells[6:]))} on line {number}.",
            "N-AFTER-TAG",
            Kind.REMARK,
        )
    second = set(seconds)
    refusals.refuse_swapped(fields, rows, second, file)
    if kind is not Run:
        refusals.refuse_ranks(rows, second, file)
        if all(map(is_whole, second)) or len(
            set(zip(rows.query, rows.document, strict=True))
        ) < len(rows.line):
            rows.aspects = seconds
    elif as_line:
        refusals.refuse_no_ranks(rows, file)
    rows.notes += of_tags(rows.tags)
    rows.run_tag = rows.tags[-1] if rows.tags else ""


def _cut(text: str, file: File) -> Iterator[Line]:
    """Yield the lines that are not blank, split into cells.

    Raises
    ------
    ReadError
        When a line is too long or there are too many lines.
    """
    filled, longest = 0, file.limits.line
    for number, line in enumerate(each_line(text), 1):
        if len(line) > longest:
            found = f"a line of {len(line):,} characters: too long"
            fix = "Check the line ends, and whether this is a ranking at all."
            raise file.error("E-SIZE", found, file.at_most("line", " characters"), fix, number)
        # The last cell is not an id, so any white space after it can be removed.
        if stripped := line.rstrip().lstrip(" \t"):
            require_room(filled, file)
            filled += 1
            yield number, _SPACE.split(stripped)


def _without_comments(every: Iterator[Line], text: str, rows: Rows, file: File) -> Iterator[Line]:
    """Yield the rows without comments, which trec_eval 10 allows."""
    lines = (cells for _, cells in _cut(text, file))
    plain = next((cells for cells in lines if cells[0][0] != "#" and not _is_header(cells)), [])
    kept, comments, query, remark = 0, 0, "", ""
    for number, cells in every:
        if cells[0][0] != "#":
            yield number, cells
        elif _is_row(cells, len(plain)):
            kept += 1
            query = query or cells[0]
            yield number, cells
        else:
            comments += 1
            remark = remark or " ".join(cells)
    if kept:
        rows.note(
            f"{count(kept, 'row')} of a query whose id begins with # kept, the first is "
            f"{quote(query)}; trec_eval 10 reads such a line as a comment.",
            "N-HASH-QUERY",
        )
    if comments:
        rows.notes.append(comments_left_out(comments, remark))


def _is_row(cells: list[str], columns: int) -> bool:
    """Return whether a line that begins with # is a row and not a comment.

    Parameters
    ----------
    columns
        The number of columns of the first row without #; 0 where there is none.
    """
    if cells[0] == "#" or len(cells) != (columns or len(cells)):
        return False
    if columns == 3:
        return is_ranked(cells)
    # A row has a number in the column of the score or grade; a comment does not.
    valued = len(cells) in (4, 6) and bool(NUMBER.fullmatch(cells[len(cells) // 2 + 1]))
    constant = len(cells) > 3 and is_constant(cells[1])
    return valued or (constant and any(map(NUMBER.fullmatch, cells[3:])))


def _is_header(cells: list[str]) -> bool:
    names = [plain(cell) for cell in cells]
    known = names[0] in SYNONYMS["query"] and len(names) > 2 and names[2] in SYNONYMS["document"]
    # A query may be called query: a row has a number, a header has none.
    return known and not any(map(NUMBER.fullmatch, cells[3:]))


def _lacks_tag(cells: list[str]) -> bool:
    return len(cells) == 5 and cells[1].upper() == "Q0" and bool(NUMBER.fullmatch(cells[4]))
