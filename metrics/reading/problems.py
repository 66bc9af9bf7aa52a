"""What is wrong with a file: where, what was found, what was expected, how to mend it."""

from __future__ import annotations

from dataclasses import dataclass

from ..errors import RankscopeError

SHOWN = 20


@dataclass(frozen=True)
class Problem:
    """One thing wrong in one file.

    Attributes
    ----------
    code
        Stable, for tests and for searching: ``E-DUP-DOC``.
    line, column
        From 1; the column counts fields. None when the whole file is meant.
    """

    code: str
    file: str
    found: str
    expected: str
    fix: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        line = f", line {self.line}" if self.line else ""
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


def quote(text: str) -> str:
    """A text from a file as it may stand in a message: quoted, at most 80 characters."""
    return repr(text if len(text) <= 80 else text[:79] + "…")
