"""TREC runs (query Q0 document rank score tag) and qrels (query 0 document grade).

Also MS MARCO's runs (query, document and rank), and the refusals of files that only look like
these.
"""

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice, pairwise

from ...data import Pairs, Run, Severity
from ...data.column_names import SYNONYMS, normalised
from ...words import count, quote
from ..from_tables.delimited import BY_SPACES, DELIMITERS, NAME_THEM, head_below
from ..problems import NO_SCORES, File, Problem
from ..row_notes import comments_left_out
from ..rows import (
    MOST_PROBLEMS,
    NUMBER,
    Rows,
    is_constant,
    is_score,
    is_whole,
    of_tags,
    require_room,
)
from ..sources import each_line

Line = tuple[int, list[str]]
"""A line's number and its cells."""

RUN, QRELS = "qid Q0 docid rank score tag", "qid 0 docid grade"
FIELDS = "qid docid rank"
"""The columns of MS MARCO's runs, which have no score."""
_RANK = re.compile("0|[1-9][0-9]{0,8}")
_LETOR = re.compile(r"\S+ +qid:\S+ +[0-9]+:")


def read_trec(kind: type[Pairs], text: str, file: File) -> Rows:
    """Return the rows of a TREC file; fields are split on spaces and tabs only.

    MS MARCO's lines of query, document and rank are also read as a run.

    Raises ReadError when it is another kind of file, or has too long a line or too many lines.
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
    refuse_spaces_in_cells(fields, text, file)
    refuse_empty_cell(fields, first, text, file)
    refuse_other_files(kind, first, text, file)
    every = chain([first], every)
    # The first line may be the truncated one, so all lines decide.
    if kind is Run and len(first[1]) < 5:
        listed = list(every)
        if read_ranked(listed, rows, file):
            return rows
        every = iter(listed)
    as_line, place = 0, 4 if kind is Run else 3
    rows.column = {"query": 1, "document": 3, "value": place + 1}
    cells = first[1]
    is_tagless = len(cells) == 5 and cells[1].upper() == "Q0" and NUMBER.fullmatch(cells[4])
    if kind is Run and is_tagless:
        text = "5 columns: the run tag is missing, which changes no number."
        rows.note(text, "N-NO-TAG", Severity.REMARK)
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
        elif len(cells) == wanted or (
            # Fields after the tag; a space in an id also makes one more, but moves the numbers.
            wanted == 6 and _begins_as_run(cells) and not _holds_rows(cells)
        ):
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
            Severity.REMARK,
        )
    second = set(seconds)
    refuse_swapped(fields, rows, second, file)
    if kind is not Run:
        refuse_ranks(rows, second, file)
        if all(map(is_whole, second)) or len(
            set(zip(rows.query, rows.document, strict=True))
        ) < len(rows.line):
            rows.aspects = seconds
    elif as_line:
        refuse_no_ranks(rows, file)
    rows.notes += of_tags(rows.tags)
    rows.run_tag = rows.tags[-1] if rows.tags else ""
    return rows


def _cut(text: str, file: File) -> Iterator[Line]:
    """Yield the lines that are not blank, split into cells.

    Raises ReadError when a line is too long or there are too many lines.
    """
    filled, longest = 0, file.limits.line
    for number, line in enumerate(each_line(text), 1):
        if len(line) > longest:
            fix = "Check the line ends, and whether this is a ranking at all."
            raise file.too_long(line, fix, number)
        # The last cell is not an id, so any white space after it can be removed.
        if stripped := line.rstrip().lstrip(" \t"):
            require_room(filled, file)
            filled += 1
            yield number, BY_SPACES.split(stripped)


def _without_comments(every: Iterator[Line], text: str, rows: Rows, file: File) -> Iterator[Line]:
    """Yield the rows without comments, which trec_eval 10 allows."""
    lines = (cells for _, cells in _cut(text, file))
    plain = (cells for cells in lines if not cells[0].startswith(_COMMENTS))
    first = next((cells for cells in plain if not _is_header(cells)), [])
    kept, comments, query, remark = 0, 0, "", ""
    for number, cells in every:
        if not cells[0].startswith(_COMMENTS):
            yield number, cells
        elif _is_row(cells, len(first)):
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


_COMMENTS = ("#", "<SYSDESC>")
"""What begins a comment, or what NTCIR's runs say of their system."""


def _is_row(cells: list[str], columns: int) -> bool:
    """Return whether a line that begins with # is a row and not a comment.

    ``columns`` is the number of columns of the first row without #, or 0 where there is none.
    """
    if cells[0] in _COMMENTS or len(cells) != (columns or len(cells)):
        return False
    if columns == 3:
        return is_ranked(cells)
    # A row has a number in the column of the score or grade; a comment does not.
    valued = len(cells) in (4, 6) and bool(NUMBER.fullmatch(cells[len(cells) // 2 + 1]))
    constant = len(cells) > 3 and is_constant(cells[1])
    return valued or (constant and any(map(NUMBER.fullmatch, cells[3:])))


def _is_header(cells: list[str]) -> bool:
    names = [normalised(cell) for cell in cells]
    known = names[0] in SYNONYMS["query"] and len(names) > 2 and names[2] in SYNONYMS["document"]
    # A query may be called query: a row has a number, a header has none.
    return known and not any(map(NUMBER.fullmatch, cells[3:]))


def refuse_other_files(kind: type[Pairs], first: Line, text: str, file: File) -> None:
    """Refuse a file whose first row shows that it is another kind of file.

    Raises ReadError with the kind of file that it seems to be.
    """
    number, cells = first
    fields = RUN if kind is Run else QRELS
    if _LETOR.match(" ".join(cells)):
        fix = "Use it as qrels, and a file with a score for each of its lines as the run."
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
        wrong = miscounted(file, first, fields)
        raise file.of_other_role(kind, wrong.found, wrong.expected, number)


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

    Raises ReadError for the first such cell.
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

    Raises ReadError when the row is complete except for that cell.
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

    Raises ReadError for the first such row.
    """
    for line, text in zip(rows.line, rows.rank, strict=True):
        if not is_whole(text):
            found = f"5 columns, and {quote(text)} as the rank"
            fix = "Write every row with its rank and tag; here the rank may be missing."
            raise file.error("E-FIELDS", found, f"6 columns: {RUN}", fix, line)


def refuse_swapped(fields: str, rows: Rows, second: set[str], file: File) -> None:
    """Refuse rows in which two columns are swapped.

    Raises ReadError when all documents or queries are Q0 or 0 while the second column has other
    values, or the documents are the ranks and no rank is a number.
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

    Raises ReadError when the documents are the ranks 1, 2, 3, …, or a grade after Q0 is not a whole
    number.
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

    ``as_line`` is the line that sets the number of columns, or 0 where the format does.
    """
    number, cells = line
    text = " ".join(cells)
    wanted = len(fields.split())
    fix = "Complete or remove the line; ids must not contain spaces."
    for mark, name in DELIMITERS.items():
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


def read_ranked(every: list[Line], rows: Rows, file: File) -> bool:
    """Fill the rows from lines whose third cell is certainly a rank; False when it may be a score.

    The best rank has the highest score. Single lines that are wrong become problems.

    Raises ReadError when the ranks fall to 1 in each query, as scores may.
    """
    good = [line for line in every if is_ranked(line[1])]
    bad = [line for line in every if not is_ranked(line[1])]
    # A fraction is a score, even among whole numbers.
    scored = any(len(cells) == 3 and NUMBER.fullmatch(cells[2]) for _, cells in bad)
    if scored or len(good) <= len(bad):
        return False
    ranks: dict[str, list[int]] = {}
    for _, (query, _, rank) in good:
        ranks.setdefault(query, []).append(int(rank))
    odd = {query: at for query, of_query in ranks.items() if (at := _out_of_place(of_query))}
    # Lines may be missing where the others are still in order, as where documents were removed.
    gaps = {query: at for query, at in odd.items() if _rises_from_1(ranks[query])}
    odd = {query: at for query, at in odd.items() if query not in gaps}
    several = sum(len(of_query) > 1 for query, of_query in ranks.items() if query not in odd)
    if len(odd) > several:
        return False
    if not odd and not bad:
        _refuse_falling(every, ranks, file)
    rows.column = {"query": 1, "document": 2, "value": 3}
    deepest = {query: max(of_query) for query, of_query in ranks.items()}
    for number, (query, document, rank) in good:
        rows.add(number, query, document, str(deepest[query] + 1 - int(rank)))
    rows.note(
        "3 columns, read as query, document and rank, as in MS MARCO: there are no scores, so "
        "documents are ordered by rank.",
        NO_SCORES,
    )
    if gaps and not odd:
        query, (_, place) = next(iter(gaps.items()))
        rows.note(
            f"In {count(len(gaps), 'query', 'queries')} ranks are missing, the first is rank "
            f"{place} of query {quote(query)}. Documents count by their place in the order, as in "
            "trec_eval; MS MARCO's script counts the rank as written.",
            "N-RANK-MISSING",
        )
    # A missing line also leaves a gap in the ranks, so only the lines are reported.
    found = [_bad(line, good[0][0], file) for line in bad] or list(_misplaced(good, odd, file))
    rows.problems += found[:MOST_PROBLEMS]
    return True


def is_ranked(cells: list[str]) -> bool:
    """Return whether a line has a query, a document and a rank."""
    return len(cells) == 3 and bool(_RANK.fullmatch(cells[2]))


def _out_of_place(ranks: list[int]) -> tuple[int, int] | None:
    """Return the first rank that differs from its position in sorted order, and that position."""
    places = enumerate(sorted(ranks), 1)
    return next(((rank, place) for place, rank in places if rank != place), None)


def _rises_from_1(ranks: list[int]) -> bool:
    return ranks[0] == 1 and all(before < after for before, after in pairwise(ranks))


def _refuse_falling(every: list[Line], ranks: dict[str, list[int]], file: File) -> None:
    """Refuse ranks that fall to 1 in every query of several rows, as scores may too."""
    several = [of_query for of_query in ranks.values() if len(of_query) > 1]
    if several and all(each == sorted(each, reverse=True) for each in several):
        found = "3 columns, of which the last falls to 1 in every query: ranks, or scores"
        fix = f"{NAME_THEM}, such as query, document and score, separated by tabs."
        raise file.error("E-FIELDS", found, f"6 columns: {RUN}", fix, every[0][0])


def _bad(line: Line, as_line: int, file: File) -> Problem:
    """Return the problem of a line that is not query, document and rank."""
    number, cells = line
    if len(cells) != 3:
        return miscounted(file, line, FIELDS, as_line)
    expected, fix = "a whole number as the rank", "Write 1 for the best document of a query."
    return file.problem("E-NUMBER", quote(cells[2]), expected, fix, number, 3)


def _misplaced(good: list[Line], odd: dict[str, tuple[int, int]], file: File) -> Iterator[Problem]:
    """Yield the problem of each query whose ranks are not 1, 2, 3, …"""
    left = dict(odd)
    for number, (query, _, rank) in reversed(good):
        if query in left and int(rank) == left[query][0]:
            _, place = left.pop(query)
            found = f"rank {rank} of query {quote(query)}, whose ranks are not 1, 2, 3, …"
            fix = f"Renumber them. {NAME_THEM} if ranks may be missing or these are scores."
            yield file.problem("E-NUMBER", found, f"rank {place}", fix, number, 3)
