"""MS MARCO's runs: lines of query, document and rank, without a score."""

import re
from collections.abc import Iterator
from itertools import pairwise

from ...words import count, quote
from ..from_tables.headerless import NAME_THEM
from ..note_codes import NO_SCORES, RANK_MISSING
from ..problems import File, Problem
from ..row_errors import MOST_PROBLEMS
from ..rows import NUMBER, Rows
from .refusals import RUN, Line, miscounted

FIELDS = "qid docid rank"
_RANK = re.compile("0|[1-9][0-9]{0,8}")


def read_ranked(every: list[Line], rows: Rows, file: File) -> bool:
    """Fill the rows from lines whose third cell is certainly a rank; False when it may be a score.

    The best rank has the highest score. Single lines that are wrong become problems.

    Raises
    ------
    ReadError
        When the ranks fall to 1 in each query, as scores may.
    """
    good = [line for line in every if is_ranked(line[1])]
    # A fraction is a score, even among whole numbers.
    bad = [line for line in every if not is_ranked(line[1]) and not _is_scored(line[1])]
    if len(good) + len(bad) < len(every) or len(good) <= len(bad):
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
            RANK_MISSING,
        )
    # A missing line also leaves a gap in the ranks, so only the lines are reported.
    found = [_bad(line, good[0][0], file) for line in bad] or list(_misplaced(good, odd, file))
    rows.problems += found[:MOST_PROBLEMS]
    return True


def is_ranked(cells: list[str]) -> bool:
    """Return whether a line has a query, a document and a rank."""
    return len(cells) == 3 and bool(_RANK.fullmatch(cells[2]))


def _is_scored(cells: list[str]) -> bool:
    return len(cells) == 3 and bool(NUMBER.fullmatch(cells[2]))


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
