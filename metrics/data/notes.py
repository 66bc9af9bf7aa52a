"""Notes on what was assumed, left out or found odd while data were read or changed."""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a note matters."""

    WARNING = "warning"
    """An assumption, or something odd, that may make a number misleading."""
    REMARK = "remark"
    """Information: nothing was assumed."""


@dataclass(frozen=True)
class Note:
    """One or more sentences about a run or qrels.

    Attributes
    ----------
    text
        The sentences to show.
    code
        Stable, for decisions, tests and search: ``N-RANK-ORDER``.
    kind
        A warning that a number may mislead, or a remark.

    Examples
    --------
    >>> note = Note("5 columns: the run tag is missing.", "N-NO-TAG")
    >>> str(note), note.warns
    ('5 columns: the run tag is missing.', True)
    """

    text: str
    code: str
    kind: Severity = Severity.WARNING

    def __str__(self) -> str:
        return self.text

    @property
    def warns(self) -> bool:
        """Whether the note is a warning: it may make a number misleading."""
        return self.kind is Severity.WARNING
