"""The cells of a table with named columns -> rows of a run, of qrels, or of both."""

import re
from collections import defaultdict
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pyarrow as pa

from ...data import Pairs, Qrels, Run
from ...data.column_names import normalised
from ...words import count, quote
from ..note_codes import AS_BEIR, NO_SCORES, UNNAMED
from ..problems import File
from ..rank_column import order_of
from ..row_errors import MOST_PROBLEMS, refuse_scores, require_room
from ..rows import Rows, of_tags
from .header import TableColumns

ONLY_QUERY = "q1"
"""The name of the query in a table without a query column."""
MAY_BE_GRADES = (
    "BEIR's qrels have these columns, and the scores are small whole numbers: if these are grades, "
    "use {} as qrels."
)
_BOOLEANS = {"true": "1", "false": "0"}
_SMALL = {str(grade) for grade in range(6)}
_WHOLE = re.compile("([0-9]{1,15})(?:[.]0*)?")
_EXCEL_NUMBER = re.compile(r"[0-9](?:[.,][0-9]+)?[Ee]\+[0-9]+")
_COMMA = re.compile("[+-]?[0-9]+(?:,[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_THOUSANDS = re.compile("[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")
_MONTHS = "Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec"
_EXCEL_DATE = re.compile(
    rf"(?:{_MONTHS})-(?:[0-9]{{2}}){{1,2}}|[0-9]{{1,2}}-(?:{_MONTHS})(?:-(?:[0-9]{{2}}){{1,2}})?"
)
_EXCEL_ERROR = re.compile(r"#(?:NAME[?]|REF!|N/A|VALUE!|NUM!|DIV/0!|NULL!|#+)")


class Cells:
    """The cells of the columns that are used, as text.

    Attributes
    ----------
    rows
        The numbers, problems and notes of the rows; their ids and values are in ``parts``.
    parts
        The cells of ``query``, ``document``, ``value`` and ``rank``, and of the columns that are
        optional: ``tags`` of a run; ``reasons``, ``confidences``, ``aspects`` and ``judges`` of
        grades. Of all these, those that exist.
    """

    def __init__(self, columns: TableColumns, file: File, unit: str = "line") -> None:
        self.columns, self.file = columns, file
        fields: dict[str, int | None] = {part: at + 1 for part, at in columns.place.items()}
        self.rows = Rows(fields, columns.called, unit)
        places = columns.place | columns.optional
        self.parts: dict[str, list[str]] = {part: [] for part in places}
        self._into = [(at, self.parts[part]) for part, at in places.items()]

    def remarks(self) -> list[str]:
        """Return what the judge said of each row: the reason, and how sure the judge was."""
        if not (confidences := self.parts.get("confidences")):
            return self.parts.get("reasons", [])
        reasons = self.parts.get("reasons") or [""] * len(confidences)
        return [
            f"{reason} (confidence {sure})".lstrip() if sure else reason
            for reason, sure in zip(reasons, confidences, strict=True)
        ]

    def add(self, line: int, row: list[str]) -> None:
        """Add one row.

        Raises
        ------
        ReadError
            When there are too many rows.
        """
        require_room(len(self.rows.line), self.file)
        self.rows.line.append(line)
        for at, column in self._into:
            column.append(row[at])


def cells_of(kind: type[Pairs], cells: Cells) -> dict[type[Pairs], Rows]:
    """Return the rows of a table: of a run, of qrels, or of both."""
    rows, columns, parts = cells.rows, cells.columns, cells.parts
    rows.document = parts["document"]
    ranked = replace(rows, problems=list(rows.problems), notes=list(rows.notes))
    rows.notes += columns.notes()
    grades = parts.get("value", [])
    if columns.takes_booleans:
        grades = [_BOOLEANS.get(grade.lower(), grade) for grade in grades]
    if columns.kinds == (kind,):
        rows.query, rows.value = parts["query"], grades
        if kind is Run:
            if "value" in parts:
                rows.rank = parts.get("rank", [])
            else:
                rows.called["value"] = columns.called["rank"]
                rows.value = _down(rows, parts["rank"], cells.file)
            rows.tags = parts.get("tags", [])
            rows.notes += of_tags(rows.tags)
            if columns.is_beir and set(grades) <= _SMALL:
                rows.note(MAY_BE_GRADES.format("the file"), AS_BEIR)
        else:
            rows.reasons, rows.aspects = cells.remarks(), parts.get("aspects", [])
            # A column that is blank throughout names nobody.
            judges = parts.get("judges", [])
            rows.judges = judges if any(map(str.strip, judges)) else []
            rows.lists_relevant = columns.is_beir
            if normalised(columns.called["value"]) == "score":
                refuse_scores(rows, cells.file)
        return {kind: rows}
    rows.query = parts.get("query", [ONLY_QUERY] * len(rows.line))
    rows.value, rows.reasons = grades, cells.remarks()
    graded = "The grades come with the ranking: other judged documents are unknown."
    rows.note(graded, "N-GRADED-RANKING")
    ranked.query = rows.query
    by = quote(columns.called["rank"]) if "rank" in parts else "the rows"
    text = f"Rows with grades and without scores, ranked in the order of {by}."
    ranked.note(text, NO_SCORES)
    if "query" not in parts:
        text = f"No query column: the rows belong to one query, here called {ONLY_QUERY}."
        ranked.note(text, UNNAMED)
    order = parts.get("rank") or [str(at + 1) for at in range(len(rows.line))]
    ranked.value = _down(ranked, order, cells.file)
    return {Run: ranked, Qrels: rows}


def note_excel(rows: Rows) -> None:
    """Add notes on ids that a spreadsheet seems to have changed."""
    ids = [*rows.document, *dict.fromkeys(rows.query)]
    for pattern, what in (
        (_EXCEL_NUMBER, "look like numbers that Excel has rounded"),
        (_EXCEL_DATE, "look like ids that Excel has turned into a date"),
        (_EXCEL_ERROR, "Excel shows in place of the original id"),
    ):
        if found := [each for each in ids if pattern.fullmatch(each)]:
            rows.note(
                f"{count(len(found), 'id')} that {what}, the first is {quote(found[0])}: kept; "
                "export the ids as text.",
                "N-EXCEL",
            )


def read_decimal_commas(rows: Rows) -> None:
    """Read decimal commas as points, with a note, where all values have one meaning as such.

    Where every comma could also part thousands, the values stay as they are, and are refused.

    Examples
    --------
    >>> rows = Rows(value=["2,5", "1,250", "3"])
    >>> read_decimal_commas(rows)
    >>> rows.value, str(rows.notes[0])
    (['2.5', '1.250', '3'], "Decimal commas were read as points: '2,5' as 2.5, in 2 rows.")
    >>> rows = Rows(value=["1,250", "12,000"])
    >>> read_decimal_commas(rows)
    >>> rows.value
    ['1,250', '12,000']
    """
    commas = [value for value in rows.value if "," in value]
    if all(map(_THOUSANDS.fullmatch, commas)) or not all(map(_COMMA.fullmatch, rows.value)):
        return
    rows.value = [value.replace(",", ".") for value in rows.value]
    first, many = commas[0], count(len(commas), "row")
    example = f"{quote(first)} as {first.replace(',', '.')}"
    rows.note(f"Decimal commas were read as points: {example}, in {many}.", "N-DECIMAL-COMMA")


def _down(rows: Rows, ranks: list[str], file: File) -> list[str]:
    """Return scores that fall as the ranks rise: the last rank of a query scores 1."""
    numbers = []
    for line, rank in zip(rows.line, ranks, strict=True):
        whole = _WHOLE.fullmatch(rank)
        if not whole and len(rows.problems) < MOST_PROBLEMS:
            found = f"{quote(rank)} as the {rows.called.get('rank', 'rank')}"
            fix = "Ranks are 1, 2, 3, …; call the column score if these are scores."
            problem = rows.problem(file, "E-RANK", found, "a whole number", fix, line, "rank")
            rows.problems.append(problem)
        numbers.append(int(whole[1]) if whole else 0)
    of_query: dict[str, list[int]] = defaultdict(list)
    for query, number in zip(rows.query, numbers, strict=True):
        of_query[query].append(number)
    deepest = {query: max(found) for query, found in of_query.items()}
    scores = [deepest[query] + 1 - n for query, n in zip(rows.query, numbers, strict=True)]
    if not rows.problems and rows.line:
        _refuse_falling(rows, list(of_query.values()), file)
        places = {query: place for place, query in enumerate(of_query)}
        code = np.array([places[query] for query in rows.query])
        document = pa.array(rows.document, pa.string())
        run = Run(tuple(places), code, document, np.array(scores, float))
        order = order_of(run, np.array(numbers, float))
        then = "documents are ordered by rank, equal ranks by document id, descending"
        rows.notes += order.of_ranks(then)
    return list(map(str, scores))


def _refuse_falling(rows: Rows, of_query: list[list[int]], file: File) -> None:
    """Refuse ranks that are certainly scores: they fall in every query, and none of them is 1."""
    several = [found for found in of_query if len(found) > 1]
    falling = all(before > after for found in several for before, after in pairwise(found))
    if several and falling and min(map(min, of_query)) > 1:
        found = f"the column {quote(rows.called.get('rank', 'rank'))}, which falls in every query"
        fix = "If these are scores, call the column score."
        raise file.error("E-RANK", found, "ranks 1, 2, 3, …", fix, rows.line[0])
