"""The columns of a table as a person named them, and the preview by which they do."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from itertools import islice

from ...data import Note
from ...data.column_names import is_header
from ..decode import decode
from ..problems import File, ReadError
from ..rows import NUMBER
from ..unpack import unpack
from .delimited import BY_SPACES, DELIMITERS, Head, by_tabs, cut, filled

UNUSED = ""
NAMES = ("query", "document", "score", "rank", "grade", "id", "title", "text")
"""What a column may contain, in the words of a header."""
_SPACES = " "
_LOOKED_AT, _SHOWN = 50, 5
"""The most lines by which the delimiter is found, and the most that are shown."""
_MOST = 0.9
"""At least this share of the lines has the same number of columns."""
_LINE = re.compile(r"[^\r\n]*")


@dataclass(frozen=True)
class Picked:
    """What the columns of a table contain.

    Attributes
    ----------
    delimiter
        One of `DELIMITERS`, or a space for columns that are separated by any spaces or tabs.
    names
        One of `NAMES` for each column, or `UNUSED`.
    has_header
        Whether the first line names the columns, and so is not a row.
    """

    delimiter: str
    names: tuple[str, ...]
    has_header: bool

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

    def table(self, text: str) -> tuple[Head, str, Note]:
        r"""Return the head of the table with these names, its rows, and a note.

        Every row keeps the number of its line.

        Examples
        --------
        >>> picked = Picked(" ", ("query", "", "document", "score"), True)
        >>> head, rows, note = picked.table("topic run doc s\nq1 x d1 2.5")
        >>> head.names, rows
        (('query', 'column 2', 'document', 'score'), '\nq1\tx\td1\t2.5')
        >>> print(note)
        Columns as you chose: query, not used, document, score.
        """
        mark = self.delimiter
        if mark == _SPACES:
            mark, text = "\t", by_tabs(text)
        if self.has_header:
            above = len(text) - len(text.lstrip(" \t\r\n"))
            text = text[:above] + text[_LINE.match(text, above).end() :]  # type: ignore[union-attr]
        names = tuple(name or f"column {at}" for at, name in enumerate(self.names, 1))
        listed = ", ".join(name or "not used" for name in self.names)
        return Head(mark, names, 0), text, Note(f"Columns as you chose: {listed}.", "N-PICKED")


@dataclass(frozen=True)
class Preview:
    """The first lines of a table, cut into columns.

    Attributes
    ----------
    has_header
        Whether the first line seems to name the columns: it has no number, and the next one has.
    """

    delimiter: str
    rows: tuple[tuple[str, ...], ...]
    has_header: bool

    @property
    def shape(self) -> tuple[str, ...]:
        """What files alike have in common: the delimiter, and the header or as many blanks."""
        first = self.rows[0]
        return self.delimiter, *(first if self.has_header else ("",) * len(first))


def preview_of(data: bytes, file: File) -> Preview | None:
    """Return the first lines of a file that is a table; None for any other."""
    try:
        (member,) = unpack(data, file)
        text, _ = decode(member.data, file)
    except (ReadError, ValueError):
        return None
    return preview(text)


def preview(text: str) -> Preview | None:
    r"""Return the first lines of a table; None where lines do not have the same columns.

    Examples
    --------
    >>> preview("topic;result\nq1;d1\nq1;d2").rows[0]
    ('topic', 'result')
    >>> preview("Some words.\nAnd others here.") is None
    True
    """
    if text.lstrip(" \t\r\n")[:1] in ("{", "["):
        return None
    lines = [line.strip(" \t") for _, line in islice(filled(text), _LOOKED_AT)]
    if not lines:
        return None
    best: tuple[float, int, str] = (0, 0, "")
    # The words of a single line are not columns.
    for mark in (*DELIMITERS, *([_SPACES] if len(lines) > 1 else [])):
        columns, times = Counter(len(_cells(line, mark)) for line in lines).most_common(1)[0]
        share = times / len(lines)
        # Spaces are often part of a cell.
        if columns > 1 and share >= max(_MOST, best[0]) and not (best[2] and mark == _SPACES):
            best = max(best, (share, columns, mark), key=lambda each: each[:2])
    mark = best[2]
    if not mark:
        return None
    rows = [cells for line in lines if len(cells := _cells(line, mark)) == best[1]]
    numbers = [any(NUMBER.fullmatch(cell.strip()) for cell in row) for row in rows[:2]]
    named = is_header(rows[0]) or numbers == [False, True]
    return Preview(mark, tuple(rows[:_SHOWN]), named)


def _cells(line: str, mark: str) -> tuple[str, ...]:
    return tuple(BY_SPACES.split(line)) if mark == _SPACES else cut(line, mark)
