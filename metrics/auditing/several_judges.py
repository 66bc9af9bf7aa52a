"""A table with a column for each of several judges, or of several systems: which of the two?"""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from ..data.column_names import SYNONYMS, first_of, normalised
from ..reading import ReadError
from ..reading.from_tables.judge_columns import IDS, judge_columns, name_judges, name_systems
from ..reading.judges import only_table
from ..reading.sources import Source
from ..reading.texts import columns_of

_MANY = 20
"""More columns of numbers than this are features, unless their names say that they are judges."""
_GRADE = re.compile(r"[ \t]*(10|[0-9]|)(?:(?<=[0-9])\.0*)?[ \t]*")


def has_judge_columns(data: Source, name: str = "") -> bool:
    """Return whether the columns of a table may be several judges', by their names alone.

    Two known names of a grade, as ``label`` and ``grade``, are two columns of one judge's.

    Raises
    ------
    ReadError
        When the file cannot be unpacked or decoded.

    Examples
    --------
    >>> has_judge_columns(b"query,document,alice,bob\\nq1,d1,2,1")
    True
    """
    found = only_table(data, name, lambda names: False)
    if found is None:
        return False
    names = [found[0].names[at] for at in judge_columns(found[0].names)]
    return bool(names) and sum(normalised(name) in SYNONYMS["grade"] for name in names) < 2


def are_judges(data: Source, name: str = "") -> bool | None:
    """Return whether the columns of a table are certainly the grades of several judges.

    They are where all their names say so, as ``grade_ann`` or ``rater 2``, and all their cells are
    whole numbers from 0 to 10, or blank. Where only one of the two holds, somebody has to say; the
    cells of columns with other names must repeat a grade within a query, as ranks do not.

    Returns
    -------
    bool or None
        False where somebody has to say. None where nothing speaks for judges, a name speaks for
        the scores of systems, as ``rank_a`` or ``bm25``, or there are texts or titles.

    Examples
    --------
    >>> are_judges(b"query,document,rater 1,rater 2\\nq1,d1,2,1")
    True
    >>> are_judges(b"query,document,alice,bob\\nq1,d1,2,1\\nq1,d2,2,0")
    False
    >>> are_judges(b"query,document,tfidf,bm25\\nq1,d1,2,1\\nq1,d2,2,0") is None
    True
    """
    try:
        found = only_table(data, name, _may_be_judges)
    except ReadError:
        return None
    if found is None or not _may_be_judges(found[0].names):
        return None
    table, file = found
    columns = judge_columns(table.names)
    query = first_of(SYNONYMS["query"], table.names)
    assert query is not None
    try:
        all_grades, repeats = _grades_in(table.cells([query, *columns], file))
    except ReadError:
        # The reader of judges reports it, once it is certain that these are judges.
        all_grades = repeats = False
    names = [table.names[at] for at in columns]
    is_named = name_judges(names)
    is_unique = len({each.strip() for each in names}) == len(names)
    if is_named:
        return all_grades and is_unique
    return False if all_grades and repeats and is_unique else None


def _may_be_judges(names: Sequence[str]) -> bool:
    """Return whether the names of columns leave open, at least, that some are several judges'."""
    columns = [names[at] for at in judge_columns(names)]
    if not columns or name_systems(columns):
        return False
    if len(columns) > _MANY and not name_judges(columns):
        return False
    # The reader of texts takes a column of queries beside the documents for their texts.
    ids = {name for part in IDS for name in SYNONYMS[part]}
    found = columns_of(names)
    return found is None or (not found.title and normalised(found.text) in ids)


def _grades_in(rows: Iterable[list[Any]]) -> tuple[bool, bool]:
    """Return whether all cells are grades or blank, and whether one repeats within a query.

    No column may be blank throughout, and the rows of a query are those that follow each other.
    """
    last: object = None
    seen: set[tuple[int, float]] = set()
    filled: set[int] = set()
    width, repeats = 0, False
    for query, *cells in rows:
        if query != last:
            last, width = query, len(cells)
            seen.clear()
        for at, cell in enumerate(cells):
            found = _GRADE.fullmatch(cell) if isinstance(cell, str) else None
            if cell is not None and not found:
                return False, False
            if found and found[1]:
                grade = at, float(found[1])
                repeats = repeats or grade in seen
                seen.add(grade)
                filled.add(at)
    return 0 < width == len(filled), repeats
