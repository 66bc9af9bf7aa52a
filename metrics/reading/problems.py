"""What is wrong with a file: where, what was found, what was expected, how to mend it."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..errors import RankscopeError
from ..limits import Limits, current
from .budget import Budget

SHOWN = 20
OTHER_ROLE = "E-ROLE"
"""The code of a file that is surely sound, but of the other kind than was asked for."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong in one file.

    Attributes
    ----------
    code
        Stable, for tests and for searching: ``E-DUP-DOC``.
    line, column
        From 1; the column counts fields. None when the whole file is meant.
    unit
        What ``line`` counts: ``line``, or ``row`` in a format without lines.
    """

    code: str
    file: str
    found: str
    expected: str
    fix: str
    line: int | None = None
    column: int | None = None
    unit: str = "line"

    def __str__(self) -> str:
        line = f", {self.unit} {self.line}" if self.line else ""
        column = f", column {self.column}" if self.column else ""
        return (
            f"{self.file}{line}{column}: found {self.found}; expected {self.expected}. "
            f"{self.fix} [{self.code}]"
        )


class ReadError(RankscopeError):
    """A file that cannot be read without guessing; ``problems`` says why.

    Examples
    --------
    >>> from metrics import read_run
    >>> read_run(b"q1 Q0 d1 1 high tag", "a.run")
    Traceback (most recent call last):
    ...
    metrics.reading.problems.ReadError: a.run, line 1, column 5: found 'high'; expected a number \
as the score. Write it with digits and a decimal point. [E-NUMBER]
    """

    def __init__(self, problems: list[Problem]) -> None:
        self.problems = tuple(problems)
        more = len(problems) - SHOWN
        lines = [str(problem) for problem in problems[:SHOWN]]
        super().__init__("\n".join([*lines, f"… and {more} more."] if more > 0 else lines))


@dataclass(frozen=True)
class File:
    """A file's name for messages, the limits under which it is read, and what is left of them."""

    name: str
    limits: Limits = field(default_factory=current)
    budget: Budget = field(default_factory=Budget)

    def require_room(self, more: int) -> None:
        """Refuse what would take so many bytes more than may be kept, before it is made.

        Raises
        ------
        ReadError
            Naming the limit.
        """
        held, most = self.budget.kept + more, self.budget.most
        if held > most:
            self.budget.is_spent = True
            found = f"data that would take {held:,} bytes, with what was read before, or more"
            expected = f"at most {most:,} in a session (limit session)"
            raise self.error("E-SIZE", found, expected, "Give fewer files, or cut each ranking.")

    def keep(self, more: int) -> None:
        """Count bytes that are kept of this file.

        Raises
        ------
        ReadError
            When they are too many.
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
    ) -> Problem:
        """What is wrong here."""
        return Problem(code, self.name, found, expected, fix, line or None, column)

    def error(
        self, code: str, found: str, expected: str, fix: str, line: int | None = None
    ) -> ReadError:
        """The exception that says what is wrong here."""
        return ReadError([self.problem(code, found, expected, fix, line)])
