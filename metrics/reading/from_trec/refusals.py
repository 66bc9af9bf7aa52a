"""Refusals of files that only look like TREC lines."""

import re
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise

from ...data import Pairs, Run
from ...words import count, quote
from ..decode import each_line
from ..from_tables.delimited import head_below
from ..from_tables.headerless import NAME_THEM
from ..problems import OTHER_ROLE, File, Problem, ReadError
from ..row_errors import is_score
from ..rows import NUMBER, Rows, is_constant, is_whole

Line = tuple[int, list[str]]
"""A line's number and its cells."""

RUN, QRELS = "qid Q0 docid rank score tag", "qid 0 docid grade"
_LETOR = re.compile(r"\S+ +qid:\S+ +[0-9]+:")
_MARKS = {";": "semicolons", ",": "commas", "|": "pipes"}


def refuse_other_files(kind: type[Pairs], first: Line, text: str, file: File) -> None:
    """Refuse a file whose first row shows that it is another kind of file.

    Raises
    ------
    ReadError
        With the kind of file that it seems to be.
    """
    number, cells = first
    fields = RUN if kind is Run else QRELS
    if _LETOR.match(" ".join(cells)):
        fix = "Write each document's label as a line query 0 document grade."
        raise file.error("E-FORMAT", "a LETOR feature file", f"columns: {fields}", fix, number)
    above = next(line.strip() for line in each_line(text) if line.strip())
    is_row = any(map(NUMBER.fullmatch, cells))
    # The words of a title may be as many as the columns of a row, and the last one a number.
    if (head := head_below(text)) and not (is_row and head.delimiter in above):
        names, fix = "the column names", f"Remove the lines above line {head.line}."
        found, expected = f"{quote(above)} above {names}", f"{names} on the first line"
        raise file.error("E-HEADER", found, expected, fix, 1)
    is_run = len(cells) == 6 or _begins_as_run(cells)
    is_qrels = len(cells) == 4 and is_whole(cells[3])
    # After Q0 the number may be a score or a grade, so the kind of file is not certain.
    if (is_qrels and cells[1].upper() != "Q0") if kind is Run else is_run:
        # A whole file of the wrong kind is one problem, not one for each line.
        other = "qrels" if kind is Run else "a run"
        fix = f"It looks like {other}: use the file as {other}."
        raise ReadError([replace(miscounted(file, first, fields), code=OTHER_ROLE, fix=fix)])


def goes_on(cells: list[str]) -> bool:
    """Return whether a run's line has fields after its tag, such as the second word of it.

    A space in a document id also makes a field more, but leaves a number in the tag's place.
    """
    return _begins_as_run(cells) and not _holds_rows(cells)


def _begins_as_run(cells: list[str]) -> bool:
    return (
        len(cells) > 6
        and is_whole(cells[3])
        and bool(NUMBER.fullmatch(cells[4]))
        and not NUMBER.fullmatch(cells[5])
    )


def _holds_rows(cells: list[str]) -> bool:
    """Return whether another row follows a run's tag, such as that of a file joined to this one.

    It has a Q0, a rank before its score, or a character that ends lines elsewhere before it.
    """
    return (
        any(cell.upper() == "Q0" for cell in cells[6:])
        or any(is_whole(a) and NUMBER.fullmatch(b) for a, b in pairwise(cells[6:]))
        or len("".join(cells).splitlines()) > 1
    )


def refuse_spaces_in_cells(fields: str, text: str, file: File) -> None:
    """Refuse tab-separated lines with a space in a cell, which would be split in two.

    In a run's tag a space does no harm.

    Raises
    ------
    ReadError
        For the first such cell.
    """
    if "\t" not in text or " " not in text:
        return
    split, found = 0, None
    for number, line in enumerate(each_line(text), 1):
        stripped = line.rstrip().lstrip(" \t")
        if not stripped or stripped[0] == "#":
            continue
        cells = stripped.split("\t")
        split = split or len(cells)
        if len(cells) != split or split == 1:
            return
        tagged = fields == RUN and split == 6
        ids = cells[:5] if tagged else cells
        if not found and (spaced := [each for each in ids if " " in each.strip(" ")]):
            found = number, spaced[0].strip(" ")
    if found:
        number, cell = found
        cut = f"{count(split, 'column')} separated by tabs, and a space within {quote(cell)}"
        expected = f"{len(fields.split())} columns without spaces: {fields}"
        raise file.error("E-FIELDS", cut, expected, f"{NAME_THEM} to keep the spaces.", number)


def refuse_empty_cell(fields: str, first: Line, text: str, file: File) -> None:
    """Refuse a first row with an empty cell between tabs, which would shift the cells after it.

    Raises
    ------
    ReadError
        When the row is complete except for that cell.
    """
    number, _ = first
    line = next(islice(each_line(text), number - 1, None))
    cells, names = line.strip(" \t\r\n").split("\t"), fields.split()
    if len(cells) == len(names) and "" in cells:
        found = f"an empty cell between two tabs, in the column {names[cells.index('')]}"
        fix = f"Fill in the cell; the columns are {fields}."
        raise file.error("E-FIELDS", found, count(len(names), "column"), fix, number)


def refuse_no_ranks(rows: Rows, file: File) -> None:
    """Refuse a run without tags whose fourth column is not a rank: it may be the score.

    Raises
    ------
    ReadError
        For the first such row.
    """
    for line, text in zip(rows.line, rows.rank, strict=True):
        if not is_whole(text):
            found = f"5 columns, and {quote(text)} as the rank"
            fix = "Write every row with its rank and tag; here the rank may be missing."
            raise file.error("E-FIELDS", found, f"6 columns: {RUN}", fix, line)


def refuse_swapped(fields: str, rows: Rows, second: set[str], file: File) -> None:
    """Refuse rows in which two columns are swapped.

    Raises
    ------
    ReadError
        When all documents or queries are Q0 or 0 while the second column has other values, or
        the documents are the ranks and no rank is a number.
    """
    if not rows.line:
        return
    constant = len(second) > 1 and is_constant(rows.document[0])
    if constant and len(set(rows.document)) == 1:
        found = f"{quote(rows.document[0])} as every document id, and other values before it"
        fix = "Columns 2 and 3 look swapped: write the document id third."
    elif len(set(rows.query)) == 1 and is_constant(rows.query[0]) and _are_queries(second):
        found = f"{quote(rows.query[0])} as every query id, and other values after it"
        fix = "Columns 1 and 2 look swapped: write the query id first."
    elif rows.rank and not any(map(NUMBER.fullmatch, rows.rank)) and _are_ranks(rows):
        found = f"the ranks 1, 2, 3 as document ids, and {quote(rows.rank[0])} as a rank"
        fix = "Columns 3 and 4 look swapped: write the document id third."
    else:
        return
    expected = f"{count(len(fields.split()), 'column')}: {fields}"
    raise file.error("E-FIELDS", found, expected, fix, rows.line[0])


def _are_queries(second: set[str]) -> bool:
    """Return whether the second column is more than Q0 or the number of a judging iteration."""
    if any(map(is_constant, second)):
        return False
    return len(second) > 1 or not all(map(is_whole, second))


def refuse_ranks(rows: Rows, second: set[str], file: File) -> None:
    """Refuse qrels that look like a run without its tag, or without rank and tag.

    Raises
    ------
    ReadError
        When the documents are the ranks 1, 2, 3, …, or a grade after Q0 is not a whole number.
    """
    if not rows.line:
        return
    values = rows.value
    ranked = rows.document[0] == "1" and _are_ranks(rows)
    scored = any(NUMBER.fullmatch(text) and is_score(float(text)) for text in values[:100])
    fractions = (
        row for row, text in enumerate(values) if NUMBER.fullmatch(text) and not is_whole(text)
    )
    if ranked and (scored or len(second) > 1):
        found = f"{quote(values[0])} as a grade, and the ranks 1, 2, 3 as document ids"
        fix, row = f"If it is a run of query, document, rank and score, write {RUN}.", 0
    elif second <= {"Q0", "q0"} and (row := next(fractions, -1)) >= 0:
        found = f"{quote(values[row])} as a grade after Q0, as in a run without rank and tag"
        fix = f"If it is a run, write {RUN}; if these are grades, write 0 instead of Q0."
    else:
        return
    raise file.error("E-FIELDS", found, f"4 columns: {QRELS}", fix, rows.line[row])


def _are_ranks(rows: Rows) -> bool:
    """Return whether the documents of each query are 1, 2, 3, …"""
    last: Counter[str] = Counter()
    for query, document in zip(rows.query, rows.document, strict=True):
        last[query] += 1
        if document != str(last[query]):
            return False
    return True


def miscounted(file: File, line: Line, fields: str, as_line: int = 0) -> Problem:
    """Return the problem of a line with too few or too many columns.

    Parameters
    ----------
    as_line
        The line that sets the number of columns, where it is not the format; else 0.
    """
    number, cells = line
    text = " ".join(cells)
    wanted = len(fields.split())
    fix = "Complete or remove the line; ids must not contain spaces."
    for mark, name in _MARKS.items():
        if len(cells) == 1 and text.count(mark) > 1:
            fix = f"It is separated by {name}: {NAME_THEM[0].lower()}{NAME_THEM[1:]}."
    if len(cells) < wanted <= len(text.split()):
        odd = next(c for c in text if c.isspace() and c not in " \t")
        fix = f"It is separated by U+{ord(odd):04X}, not by spaces or tabs: replace these."
    if _holds_rows(cells):
        fix = "It looks like several rows: begin a new line before each query."
    found = f"{count(len(cells), 'column')} in {quote(text)}"
    pattern = f", as line {as_line} has" if as_line else ""
    expected = f"{wanted} columns{pattern}: {fields}"
    return file.problem("E-FIELDS", found, expected, fix, number)
