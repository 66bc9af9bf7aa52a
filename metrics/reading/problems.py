"""Problems of a file: where, what was found, what was expected, how to fix it; codes and memory."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from ..data import Pairs, Run
from ..errors import RankscopeError
from ..limits import Limits, current
from .told import Told, told

UNNAMED = "N-UNNAMED"
"""A query without a name got one, which matches no other file."""
LEVEL = "N-LEVEL"
"""All scores of every query are equal."""
ONLY_RELEVANT = "N-ONLY-RELEVANT"
"""The qrels have no judged non-relevant document."""
LOW_GRADES = "N-LOW-GRADES"
"""Grades above 0 are below the default level of relevance."""
NO_SCORES = "N-NO-SCORES"
"""The order of a run comes from its ranks or rows, because it has no scores."""
SCORES_COUNT_UP = "N-SCORES-COUNT-UP"
AS_BEIR = "N-BEIR"
"""A run has the columns of BEIR's qrels, and scores that look like grades."""
NO_NAMES = "N-NO-NAMES"
"""The columns of a table have no names: their cells show what they are."""
PAIRS = "N-PAIRS"
"""The qrels are pairs of a query and a document, without grades."""
ASPECTS = "N-ASPECTS"
"""The qrels judge a document for each aspect of its query."""
JUDGES = "N-JUDGES"
"""A file names who gave its grades."""
UNUSED_COLUMNS = "N-UNUSED"
"""A table has columns that are not read."""
REPEAT = "E-DUP-DOC"
"""A document appears twice in a query."""
SEVERAL_JUDGES = "E-JUDGES"
"""Two judges graded one document, in a file that is read as one judge's."""
ABOUT_RANKS = (LEVEL, NO_SCORES, SCORES_COUNT_UP, "N-RANK-")
"""How the codes of notes on the order of a run's documents begin, which refer to the file's ids."""


OVERHEAD = 100
"""Approximate bytes of a text in addition to its characters."""
PER_ROW = 20
"""Bytes of a row in addition to the characters of its document id."""


@dataclass
class Budget:
    """The bytes kept so far, and how many may be kept.

    Attributes
    ----------
    most
        Bytes that may be kept in all; infinite where files are read one by one.
    kept
        Bytes kept so far.
    is_spent
        Whether data were refused because they exceed the budget, so that reading can stop.
    unpacked
        Expanded bytes of the Parquet files of the current upload, with each text in full.
    """

    most: float = math.inf
    kept: int = 0
    is_spent: bool = False
    unpacked: int = 0


def weight(pairs: Pairs) -> int:
    """Return about how many bytes a run or qrels take."""
    ids = sum(OVERHEAD + len(query.encode()) for query in pairs.queries)
    reasons = sum(map(weight_of_texts, pairs.reasons.values()))
    aspects = sum(
        OVERHEAD * len(grades) + sum(map(len, grades))
        for of_query in pairs.aspects.values()
        for grades in of_query.values()
    )
    columns = pairs.query.nbytes + pairs.value.nbytes + int(pairs.document.nbytes)
    excluded = sum(OVERHEAD + len(each) for of in pairs.excluded.values() for each in of)
    return columns + ids + reasons + aspects + excluded


def weight_of_texts(texts: Mapping[str, str]) -> int:
    """Return about how many bytes texts and their ids take."""
    return sum(OVERHEAD + len(key.encode()) + len(text.encode()) for key, text in texts.items())


T = TypeVar("T")

SHOWN = 20
"""At most this many problems are listed in a message."""
OTHER_ROLE = "E-ROLE"
"""The code of a valid file of the other kind: a run where qrels are expected, or the reverse."""


TOO_LARGE = "E-SIZE"
"""The code of a file that is above a limit."""
_UNITS = {
    "line": " characters",
    "id": " characters",
    "rows": " rows",
    "plain": " rows",
    "members": " members",
    "depth": " nested brackets",
}
"""What a limit counts, where it is not what was found."""
_SHORTER = "Cut each ranking at a smaller depth."


@dataclass(frozen=True)
class Problem:
    """One problem of one file.

    Attributes
    ----------
    code
        Stable, for tests and for search: ``E-DUP-DOC``.
    file
        The file's name.
    found, expected, fix
        What the file has, what it should have, and what to do, in words.
    line, column
        From 1; the column counts fields. None when the whole file is meant.
    unit
        The unit of ``line``: ``line``, or ``row`` in a format without lines.
    """

    code: str
    file: str
    found: str
    expected: str
    fix: str
    line: int | None = None
    column: int | None = None
    unit: str = "line"

    @property
    def place(self) -> str:
        """The line and the column in words; empty when the whole file is meant."""
        parts = {self.unit: self.line, "column": self.column}
        return ", ".join(f"{what} {number}" for what, number in parts.items() if number)

    @property
    def remedy(self) -> str:
        """What was expected, and how to fix it."""
        return f"expected {self.expected}. {self.fix}"

    def __str__(self) -> str:
        where = ", ".join(filter(None, (self.file, self.place)))
        return f"{where}: found {self.found}; {self.remedy} [{self.code}]"


class ReadError(RankscopeError):
    """A file that cannot be read without guessing; ``problems`` lists the reasons.

    ``read``: what could be read all the same, from a reader that says so.

    Examples
    --------
    >>> from metrics import read_run
    >>> read_run(b"q1 Q0 d1 1 high tag", "a.run")
    Traceback (most recent call last):
    ...
    metrics.reading.problems.ReadError: a.run, line 1, column 5: found 'high'; expected a number \
as the score. Write it with digits and a decimal point. [E-NUMBER]
    """

    def __init__(self, problems: list[Problem], read: Any = None) -> None:
        self.problems, self.read = tuple(problems), read
        more = len(problems) - SHOWN
        lines = [str(problem) for problem in problems[:SHOWN]]
        super().__init__("\n".join([*lines, f"… and {more} more."] if more > 0 else lines))


@dataclass(frozen=True)
class File:
    """A file's name for messages, the limits under which it is read, and its memory budget.

    Attributes
    ----------
    done
        The results of steps that are the same in every role, for a file that is tried in several.
    told
        What a person says of the file.
    """

    name: str
    limits: Limits = field(default_factory=current)
    budget: Budget = field(default_factory=Budget)
    done: dict[str, Any] | None = None
    told: Told = field(default_factory=told)

    def once(self, step: str, make: Callable[[], T]) -> T:
        """Return the result of a step, or raise its error, without a second try.

        Raises ReadError as the step does.
        """
        if self.done is None:
            return make()
        if step not in self.done:
            try:
                self.done[step] = make()
            except ReadError as error:
                self.done[step] = error
        if isinstance(found := self.done[step], ReadError):
            raise found
        result: T = found
        return result

    def member(self, name: str) -> File:
        """Return the file for a member of an archive, with results of its own."""
        return self if self.done is None else replace(self, done=self.done.setdefault(name, {}))

    def at_most(self, limit: str) -> str:
        """Return what is expected where a limit is exceeded."""
        return f"at most {getattr(self.limits, limit):,}{_UNITS.get(limit, '')} (limit {limit})"

    def of_other_role(
        self, kind: type[Pairs], found: str, expected: str, line: int | None = None
    ) -> ReadError:
        """Return the refusal of a valid file that is read as this kind and is of the other."""
        other = "qrels" if kind is Run else "a run"
        fix = f"It looks like {other}: use the file as {other}."
        return self.error(OTHER_ROLE, found, expected, fix, line)

    def too_large(
        self, found: str, limit: str, fix: str = _SHORTER, line: int | None = None
    ) -> ReadError:
        """Return the error of more than a limit allows."""
        return self.error(TOO_LARGE, found, self.at_most(limit), fix, line)

    def too_long(self, line: str, fix: str, number: int) -> ReadError:
        """Return the error of a line that is longer than the limit."""
        found = f"a line of {len(line):,} characters: too long"
        return self.too_large(found, "line", fix, number)

    def require_expansion(self, size: int) -> None:
        """Refuse a file that expands to more bytes than the limits allow.

        Raises ReadError when there are more.
        """
        if size > self.limits.expanded:
            raise self.too_large(f"a file that expands to {size:,} bytes", "expanded")

    def require_room(self, more: int) -> None:
        """Refuse data of ``more`` bytes before they are created, when the budget has no room.

        Raises ReadError when there is no room; the message names the limit.
        """
        held, most = self.budget.kept + more, self.budget.most
        if held > most:
            self.budget.is_spent = True
            found = f"data that would take at least {held:,} bytes, with what was read before"
            expected = f"at most {most:,} in a session (limit session)"
            fix = "Use fewer files, or cut each ranking at a smaller depth."
            raise self.error(TOO_LARGE, found, expected, fix)

    def keep(self, more: int) -> None:
        """Add bytes of this file that are kept to the budget.

        Raises ReadError when the budget is exceeded.
        """
        self.budget.kept += more
        self.require_room(0)

    def problem(
        self,
        code: str,
        found: str,
        expected: str,
        fix: str,
        line: int | None = None,
        column: int | None = None,
        unit: str = "line",
    ) -> Problem:
        """Return a problem of this file."""
        return Problem(code, self.name, found, expected, fix, line or None, column, unit)

    def error(
        self, code: str, found: str, expected: str, fix: str, line: int | None = None
    ) -> ReadError:
        """Return the exception for one problem of this file."""
        return ReadError([self.problem(code, found, expected, fix, line)])
