"""A table of results, independent of the format it is written in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..arrays import NOISE, pd
from ..words import flat, visible

Cell = str | int | float | None
"""None for a missing value, such as the score of a query that is left out of the mean."""

TEXTS = {"text", "snippet", "reason A", "reason B", "note"}
"""The columns of texts, which readers see on one line; an id shows each of its line ends."""
_RAISED = str.maketrans("abcdefghij", "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲ")


def raised(letters: str) -> str:
    """Return letters from a to j as raised letters.

    Examples
    --------
    >>> raised("bc")
    'ᵇᶜ'
    """
    return letters.translate(_RAISED)


class Marked(float):
    """A number with raised letters after it, and whether it is the best of its column."""

    letters: str
    best: bool

    @classmethod
    def of(cls, value: float, letters: str, best: bool) -> Marked:
        """Return a number with these letters, from a to j."""
        marked = cls(value)
        marked.letters, marked.best = letters, best
        return marked


@dataclass(frozen=True)
class Table:
    """Rows of cells with a heading, labels and formulas.

    Attributes
    ----------
    name
        The kind of table, such as ``comparison``: the schema of its JSON, and its label in LaTeX.
    heading
        The subject of the rows, shown above them: measure, query, run.
    labels
        Facts about every row for readers, shown below them: the convention.
    facts
        The same facts for programs, as JSON holds them; by default the labels.
    titles
        Headers for readers, by the name of the column; CSV and JSON keep the name.
    printed
        The columns that a page of paper has room for; by default all.
    formulas
        Formulas in LaTeX, shown below the rows.
    parts
        Tables that belong to this one: DCG and IDCG for nDCG.
    raised
        By the name of a column of numbers, the column with its letters. Formats for readers raise
        the letters after the numbers; CSV and JSON keep the column.
    best
        The columns whose highest number is bold in Markdown and LaTeX.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    name: str = ""
    heading: Mapping[str, Cell] = field(default_factory=dict)
    labels: Mapping[str, Cell] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    printed: tuple[str, ...] = ()
    formulas: tuple[str, ...] = ()
    parts: tuple[Table, ...] = ()
    raised: Mapping[str, str] = field(default_factory=dict)
    best: frozenset[str] = frozenset()

    @classmethod
    def of(cls, columns: Iterable[str], rows: Iterable[Iterable[Any]]) -> Table:
        """Return a table of any numbers and texts; NaN and NA become None.

        Examples
        --------
        >>> Table.of(["x"], [[float("nan")], [1.5]]).rows
        ((None,), (1.5,))
        """
        return cls(tuple(columns), tuple(tuple(map(cell, row)) for row in rows))

    @classmethod
    def of_frame(cls, frame: pd.DataFrame) -> Table:
        """Return a table of a DataFrame's columns, without its index."""
        columns = [frame[name].tolist() for name in frame.columns]
        return cls.of(map(str, frame.columns), zip(*columns, strict=True))

    @property
    def headers(self) -> tuple[str, ...]:
        """The header of each column for readers."""
        return tuple(self.titles.get(name, name) for name in self.columns)

    def saying(self, **more: Any) -> Table:
        """Return the same rows with another name, heading, labels, facts, titles or parts."""
        return replace(self, **more)

    def only(self, columns: Sequence[str]) -> Table:
        """Return the same table with these columns alone.

        Examples
        --------
        >>> Table(("a", "b"), ((1, 2),)).only(["b"]).rows
        ((2,),)
        """
        places = [self.columns.index(name) for name in columns]
        rows = tuple(tuple(row[place] for place in places) for row in self.rows)
        return replace(self, columns=tuple(columns), rows=rows)

    def for_readers(self) -> Table:
        """Return the table for readers: texts on one line, raised letters and best in marked cells.

        Examples
        --------
        >>> table = Table(("AP", "over"), ((0.5, "b"), (0.25, "")), raised={"AP": "over"})
        >>> table.for_readers().columns, [shown(value) for value, in table.for_readers().rows]
        (('AP',), ['0.5000ᵇ', '0.2500'])
        """
        kept = [name for name in self.columns if name not in self.raised.values()]
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        for row in rows:
            row |= {name: flat(str(row[name])) for name in TEXTS.intersection(row)}
        for name in {*self.raised, *self.best}:
            numbers = [value for row in rows if isinstance(value := row[name], float)]
            top = max(numbers, default=math.nan) if name in self.best else math.nan
            for row in rows:
                value = row[name]
                if isinstance(value, float):
                    letters = str(row[self.raised[name]] or "") if name in self.raised else ""
                    best = math.isclose(value, top, rel_tol=NOISE, abs_tol=NOISE)
                    row[name] = Marked.of(value, letters, best)
        shape = tuple(tuple(row[name] for name in kept) for row in rows)
        return replace(self, columns=tuple(kept), rows=shape, raised={}, best=frozenset())

    def upright(self) -> Table:
        """Return a table of one row turned on its side: one line for each column."""
        (row,) = self.rows
        return replace(
            self, columns=("field", "value"), rows=tuple(zip(self.columns, row, strict=True))
        )


def cell(value: Any) -> Cell:
    """Return a value as a plain Python object; None for NaN and other missing values.

    Raises TypeError when it is neither a number nor a text.
    """
    if type(value) is not float:
        value = getattr(value, "item", lambda: value)()
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, float) and math.isnan(value):
        return None
    if not isinstance(value, str | int | float):
        raise TypeError(f"A table cannot hold {value!r}; give a number or a text.")
    return value


def as_integer(value: Any) -> Cell:
    """Return a value as an integer if it is a whole number, such as a grade or a count.

    Examples
    --------
    >>> as_integer(3.0), as_integer(0.5), as_integer(float("nan"))
    (3, 0.5, None)
    """
    plain = cell(value)
    return int(plain) if isinstance(plain, float) and plain.is_integer() else plain


def shown(value: Cell, digits: int = 4) -> str:
    """Return a cell for readers: four decimals or others, a dash for a missing value.

    Examples
    --------
    >>> shown(2 / 3), shown(3), shown(-1e-17), shown(None), shown("d1")
    ('0.6667', '3', '0.0000', '–', 'd1')
    """
    if value is None:
        return "–"
    if isinstance(value, Marked):
        return f"{float(value):z.4f}{raised(value.letters)}"
    return f"{value:z.{digits}f}" if isinstance(value, float) else visible(str(value))


def labelled(facts: Mapping[str, Cell]) -> list[str]:
    """Return each heading or label with its value, as ``name: value``."""
    return [f"{name}: {shown(value)}" for name, value in facts.items()]


def numeric(table: Table, column: int) -> bool:
    """Return whether a column holds only numbers, which are aligned right."""
    return all(not isinstance(row[column], str) for row in table.rows)
