"""Columns of a table, or keys of records, as a person names them; and what is shown of them."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice

from ...data import Note
from ...data.column_names import PARTS, is_header, normalised
from ..rows import NUMBER
from .delimited import BY_SPACES, DELIMITERS, MOST_ALIKE, TextTable, by_tabs, cut, filled

UNUSED = ""
NAMES = (*PARTS, "id", "title", "text")
"""What a column may contain, in the words of a header."""
RECORDS = "{"
"""In the place of a delimiter: the rows are records of JSON."""
SHOWN = 5
"""At most this many rows are shown."""
_SPACES, _LOOKED_AT = " ", 50
"""At most this many lines show the delimiter."""
_LINE = re.compile(r"[^\r\n]*")


@dataclass(frozen=True)
class Picked:
    """What the columns of a table contain.

    Attributes
    ----------
    delimiter
        One of `DELIMITERS`; a space for columns that are separated by any spaces or tabs; or
        `RECORDS`.
    names
        One of `NAMES` for each column, or `UNUSED`.
    has_header
        Whether the first line names the columns, and so is not a row.
    keys
        The keys of records, in the order of the names; empty for a table.
    """

    delimiter: str
    names: tuple[str, ...]
    has_header: bool
    keys: tuple[str, ...] = ()

    @property
    def is_texts(self) -> bool:
        """Whether these are the columns of texts, rather than those of a run or qrels."""
        return "id" in self.names

    @property
    def role(self) -> str:
        """The role of a file with these columns; empty for texts, whose ids decide."""
        if self.is_texts:
            return ""
        return "qrels" if "grade" in self.names and "score" not in self.names else "run"

    def missing(self) -> tuple[str, ...]:
        """Return the names that a table needs in addition to these; none if it is complete.

        Examples
        --------
        >>> Picked(",", ("query", "", "score"), False).missing()
        ('document',)
        """
        named = set(self.names)
        if self.is_texts:
            return () if named & {"text", "title"} else ("text",)
        value = () if named & {"score", "rank", "grade"} else ("score or grade",)
        return *(each for each in ("query", "document") if each not in named), *value

    @property
    def note(self) -> Note:
        """The note on what the columns contain."""
        listed = ", ".join(name or "not used" for name in self.names)
        return Note(f"Columns as you chose: {listed}.", "N-PICKED")

    def table(self, text: str) -> TextTable:
        r"""Return the table with these names, without its own header, and a note.

        Every row keeps the number of its line.

        Examples
        --------
        >>> picked = Picked(" ", ("query", "", "document", "score"), True)
        >>> found = picked.table("topic run doc s\nq1 x d1 2.5")
        >>> found.names, found.text
        (('query', 'column 2', 'document', 'score'), '\nq1\tx\td1\t2.5')
        >>> print(*found.notes)
        Columns as you chose: query, not used, document, score.
        """
        mark = self.delimiter
        if mark == _SPACES:
            mark, text = "\t", by_tabs(text)
        if self.has_header:
            above = len(text) - len(text.lstrip(" \t\r\n"))
            text = text[:above] + text[_LINE.match(text, above).end() :]  # type: ignore[union-attr]
        names = tuple(name or f"column {at}" for at, name in enumerate(self.names, 1))
        return TextTable(mark, names, text, 0, notes=(self.note,))


@dataclass(frozen=True)
class Preview:
    """The first lines of a table, cut into columns, or the keys and values of records.

    Attributes
    ----------
    rows
        The first lines; of records the keys, then the values of the first ones.
    has_header
        Whether the first line seems to name the columns: it has no number, and the next one has.
    """

    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    has_header: bool

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of records; empty for a table."""
        return self.rows[0] if self.delimiter == RECORDS else ()

    @property
    def shape(self) -> tuple[str, ...]:
        """What files alike have in common: the delimiter, and the header or as many blanks."""
        first = self.rows[0]
        return self.delimiter, *(first if self.has_header else ("",) * len(first))


def preview(text: str) -> Preview | None:
    r"""Return the first lines of a table; None where lines do not have the same columns.

    Examples
    --------
    >>> preview("topic;result\nq1;d1\nq1;d2").rows[0]
    ('topic', 'result')
    >>> preview("Some words.\nAnd others here.") is None
    True
    """
    lines = [line.strip(" \t") for _, line in islice(filled(text), _LOOKED_AT)]
    if not lines:
        return None
    best: tuple[float, int, str] = (0, 0, "")
    # The words of a single line are not columns.
    for mark in (*DELIMITERS, *([_SPACES] if len(lines) > 1 else [])):
        columns, times = Counter(len(_cells(line, mark)) for line in lines).most_common(1)[0]
        share = times / len(lines)
        # Spaces are often part of a cell.
        if columns > 1 and share >= max(MOST_ALIKE, best[0]) and not (best[2] and mark == _SPACES):
            best = max(best, (share, columns, mark), key=lambda each: each[:2])
    mark = best[2]
    if not mark:
        return None
    rows = [cells for line in lines if len(cells := _cells(line, mark)) == best[1]]
    numbers = [any(NUMBER.fullmatch(cell.strip()) for cell in row) for row in rows[:2]]
    return Preview(mark, tuple(rows[:SHOWN]), is_header(rows[0]) or numbers == [False, True])


def columns_told(found: Preview, columns: Mapping[str, str]) -> Picked | None:
    r"""Return the columns of a table whose names a person tells; None where it has none of these.

    Examples
    --------
    >>> found = preview("term,uid,relevance\nred shoes,d1,2")
    >>> columns_told(found, {"query": "term", "document": "uid"}).names
    ('query', 'document', 'grade')
    """
    cells = [cell.strip() for cell in found.rows[0]]
    parts = {name: part for part, name in columns.items() if name in cells}
    if not parts:
        return None
    names: list[str] = []
    for cell, known in zip(cells, guessed(found.rows[0]), strict=True):
        names.append(parts.get(cell, UNUSED if known in parts.values() else known))
    return Picked(found.delimiter, tuple(names), True, found.keys)


def guessed(cells: Iterable[str]) -> list[str]:
    """Return which part each column has, as far as its name tells; no part twice."""
    names: list[str] = []
    for cell in cells:
        part = next((part for part in PARTS if normalised(cell) in PARTS[part]), UNUSED)
        names.append(UNUSED if part in names else part)
    return names


def _cells(line: str, mark: str) -> tuple[str, ...]:
    return tuple(BY_SPACES.split(line)) if mark == _SPACES else cut(line, mark)
