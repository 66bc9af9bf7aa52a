"""TREC runs (query Q0 document rank score tag) and qrels (query 0 document grade)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from ..data import Pairs, Run
from .decode import each_line
from .faults import MOST_PROBLEMS, is_score, require_room
from .header import SYNONYMS, plain
from .problems import OTHER_ROLE, File, Problem, ReadError, count, quote
from .rows import NUMBER, Rows

_SPACE = re.compile("[ \t]+")
_RUN, _QRELS = "qid Q0 docid rank score tag", "qid 0 docid grade"
_LETOR = re.compile(r"\S+ +qid:\S+ +[0-9]+:")
_MARKS = {";": "semicolons", ",": "commas", "|": "pipes"}

Line = tuple[int, list[str]]
"""A line's number and its cells."""


def read_trec(kind: type[Pairs], text: str, file: File) -> Rows:
    """The rows of a TREC file; fields are split on spaces and tabs only.

    MS MARCO's lines of query, document and rank are taken for a run too.

    Raises
    ------
    ReadError
        When it is another kind of file altogether, or has too long a line or too many.
    """
    place = 4 if kind is Run else 3
    rows = Rows({"query": 1, "document": 3, "value": place + 1})
    fields = _RUN if kind is Run else _QRELS
    every = _without_comments(_cut(text, file), rows)
    start = next(every, None)
    if start is None:
        return rows
    _refuse_other_files(kind, *start, fields, file)
    if kind is Run and len(start[1]) == 3 and _are_ranks(listed := [start, *every]):
        return _ranked(listed, rows.notes)
    if kind is Run and len(start[1]) == 3:
        every = iter(listed[1:])
    wanted = len(fields.split())
    if _is_header(start[1]):
        rows.notes.append(f"The header on line {start[0]} left out.")
    else:
        every = chain([start], every)
    if kind is Run and _lacks_tag(start[1]):
        rows.notes.append("5 columns: the run tag is missing, which changes no number.")
        wanted = 5
    for number, cells in every:
        if len(cells) == wanted:
            rows.add(number, cells[0], cells[2], cells[place])
            if kind is Run:
                rows.rank.append(cells[3])
                rows.tag += cells[5:]
        elif len(rows.problems) < MOST_PROBLEMS:
            rows.problems.append(_miscounted(file, number, cells, fields))
    if kind is not Run:
        _refuse_ranks(rows, file)
    if len(tags := list(dict.fromkeys(rows.tag))) > 1:
        rows.notes.append(
            f"{len(tags)} run tags in one file ({', '.join(map(quote, tags[:3]))}): kept as one "
            "run; if they are several runs, part the file."
        )
    return rows


def _refuse_other_files(
    kind: type[Pairs], number: int, cells: list[str], fields: str, file: File
) -> None:
    """Refuse what the first line shows to be another kind of file."""
    if _LETOR.match(" ".join(cells)):
        fix = "Write each document's label as a line query 0 document grade."
        raise file.error("E-FORMAT", "a LETOR feature file", f"columns: {fields}", fix, number)
    if len(cells) == len((_QRELS if kind is Run else _RUN).split()):
        raise _other_role(kind, file, number, cells, fields)


def _refuse_ranks(rows: Rows, file: File) -> None:
    """Refuse lines of query, document, rank and score, which are as long as those of qrels."""
    numbers = [text for text in rows.value[:100] if NUMBER.fullmatch(str(text))]
    if not rows.line or not any(is_score(float(text)) for text in numbers):
        return
    first = [row for row, query in enumerate(rows.query) if query == rows.query[0]]
    if [rows.document[row] for row in first] == [str(rank + 1) for rank in range(len(first))]:
        found = f"{quote(str(rows.value[0]))} as a grade, and the ranks 1, 2, 3 as document ids"
        fix = f"If it is a run of query, document, rank and score, write {_RUN}."
        raise file.error("E-FIELDS", found, f"4 columns: {_QRELS}", fix, rows.line[0])


def _cut(text: str, file: File) -> Iterator[Line]:
    """The lines that are not blank, cut into cells.

    Raises
    ------
    ReadError
        When a line is too long or there are too many.
    """
    filled, longest = 0, file.limits.line
    for number, line in enumerate(each_line(text), 1):
        if len(line) > longest:
            told = f"a line of {len(line):,} characters: too long"
            expected = f"at most {longest:,} characters (limit line)"
            fix = "Check the line ends, and whether this is a ranking at all."
            raise file.error("E-SIZE", told, expected, fix, number)
        if stripped := line.strip(" \t"):
            require_room(filled, file)
            filled += 1
            yield number, _SPACE.split(stripped)


def _without_comments(every: Iterator[Line], rows: Rows) -> Iterator[Line]:
    """The rows, without comments such as trec_eval 10 allows."""
    comments, kept = 0, []
    for number, cells in every:
        if cells[0][0] != "#":
            yield number, cells
        elif len(cells) in (4, 6):
            kept.append(cells[0])
            yield number, cells
        else:
            comments += 1
    if kept:
        rows.notes.append(
            f"{count(len(kept), 'row')} of a query whose id begins with # kept, the first is "
            f"{quote(kept[0])}; trec_eval 10 takes such a line for a comment."
        )
    if comments:
        rows.notes.append(f"{count(comments, 'comment line')} beginning with # left out.")


def _is_header(cells: list[str]) -> bool:
    names = [plain(cell) for cell in cells]
    known = names[0] in SYNONYMS["query"] and len(names) > 2 and names[2] in SYNONYMS["document"]
    # A query may be called query: a row has a number, a header has none.
    return known and not any(map(NUMBER.fullmatch, cells[3:]))


def _lacks_tag(cells: list[str]) -> bool:
    return len(cells) == 5 and cells[1].upper() == "Q0" and bool(NUMBER.fullmatch(cells[4]))


def _are_ranks(every: list[Line]) -> bool:
    """Whether three columns are query, document and rank: each query has the ranks 1, 2, 3, …"""
    ranks: dict[str, set[str]] = {}
    for _, cells in every:
        if len(cells) != 3:
            return False
        ranks.setdefault(cells[0], set()).add(cells[2])
    wanted = (ranks[query] == {str(n + 1) for n in range(len(ranks[query]))} for query in ranks)
    return all(wanted) and sum(map(len, ranks.values())) == len(every)


def _ranked(every: list[Line], notes: list[str]) -> Rows:
    """The rows of MS MARCO's lines: the best rank has the highest score."""
    rows = Rows({"query": 1, "document": 2, "value": 3}, notes=notes)
    deepest: dict[str, int] = {}
    for _, (query, _, _) in every:
        deepest[query] = deepest.get(query, 0) + 1
    for number, (query, document, rank) in every:
        rows.add(number, query, document, str(deepest[query] + 1 - int(rank)))
    rows.notes.append(
        "3 columns, taken for query, document and rank, as MS MARCO has them: no scores, the "
        "order is that of the ranks."
    )
    return rows


def _miscounted(file: File, number: int, cells: list[str], fields: str) -> Problem:
    line = " ".join(cells)
    wanted = len(fields.split())
    fix = "Complete or remove the line; ids must not hold spaces."
    for mark, name in _MARKS.items():
        if len(cells) == 1 and line.count(mark) > 1:
            fix = f"It is separated by {name}: put a line with the columns' names on top."
    if len(cells) < wanted <= len(line.split()):
        odd = next(c for c in line if c.isspace() and c not in " \t")
        fix = f"It is separated by U+{ord(odd):04X}, not by spaces or tabs: replace these."
    found = f"{count(len(cells), 'column')} in {quote(line)}"
    return file.problem("E-FIELDS", found, f"{wanted} columns: {fields}", fix, number)


def _other_role(
    kind: type[Pairs], file: File, number: int, cells: list[str], fields: str
) -> ReadError:
    """A whole file given in the wrong place is one problem, not one for each line."""
    other = "qrels" if kind is Run else "run"
    problem = _miscounted(file, number, cells, fields)
    fix = f"It looks like a {other} file: give it where the {other} is asked for."
    return ReadError([replace(problem, code=OTHER_ROLE, fix=fix)])
