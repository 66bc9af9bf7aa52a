"""Who gave a grade by hand, when, and why."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Self

from ..errors import EditError

LONGEST_NAME = 100
"""At most this many characters in a judge's name."""
LONGEST_NOTE = 2_000
"""At most this many characters in a note."""
_FORM = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True, slots=True)
class Signature:
    """Who gave a grade by hand, when, and why.

    Raises EditError when the name is too long or has a line break, the note is too long, or the
    time has another form.

    Attributes
    ----------
    judge
        The judge's name; empty where none was given.
    time
        In UTC, to the second.
    note
        The reason; empty for none.

    Examples
    --------
    >>> Signature("Ada", "2026-11-25T09:30:00Z").note
    ''
    """

    judge: str
    time: str
    note: str = ""

    def __post_init__(self) -> None:
        if len(self.judge) > LONGEST_NAME or len(self.judge.splitlines()) > 1:
            raise EditError(f"A judge's name is one line of at most {LONGEST_NAME} characters.")
        if len(self.note) > LONGEST_NOTE:
            raise EditError(f"A note has at most {LONGEST_NOTE:,} characters.")
        try:
            datetime.strptime(self.time, _FORM)
        except ValueError as error:
            raise EditError(f"A time looks like 2026-11-25T09:30:00Z, not {self.time}.") from error

    @classmethod
    def now(cls, judge: str, note: str = "") -> Self:
        """Return the signature of a grade that is given now."""
        return cls(judge, datetime.now(UTC).strftime(_FORM), note)
