"""Undo and redo: the rankings that edits made one after the other."""

from __future__ import annotations

from bisect import bisect
from dataclasses import dataclass, replace
from itertools import accumulate

from .hand_ranking import HandRanking

LONGEST = 200
"""So many steps can be undone; older ones are forgotten, except the ranking it all began with."""
MOST_ENTRIES = 500_000
"""So many documents do these steps hold in sum, but for the last step: fewer steps of long ones."""


@dataclass(frozen=True)
class History:
    """A ranking, what it was before and what was undone.

    Attributes
    ----------
    original
        What it all began with.
    past
        The rankings before this one, oldest first.
    future
        The rankings that were undone, the last one undone first.
    arrived
        The ranking that came from elsewhere, if any did: not an edit of the one before it.

    Examples
    --------
    >>> first, second = HandRanking("q", ()), HandRanking("p", ())
    >>> history = History(first, first).then(second)
    >>> history.undo().present == first, history.undo().redo().present == second
    (True, True)
    """

    original: HandRanking
    present: HandRanking
    past: tuple[HandRanking, ...] = ()
    future: tuple[HandRanking, ...] = ()
    arrived: HandRanking | None = None

    @property
    def before(self) -> HandRanking | None:
        """The ranking that the last edit changed; None where there was no edit."""
        return self.past[-1] if self.past and self.present != self.arrived else None

    @property
    def replaced(self) -> bool:
        """Whether no document of the original is left, as after pasting another ranking."""
        ours = {entry.document for entry in self.present.entries}
        return bool(ours) and ours.isdisjoint(entry.document for entry in self.original.entries)

    def then(self, ranking: HandRanking) -> History:
        """The next ranking; an edit that changes nothing is no step."""
        if ranking == self.present:
            return self
        return replace(self, present=ranking, past=_kept((*self.past, self.present)), future=())

    def arrive(self, ranking: HandRanking) -> History:
        """Another ranking in the place of this one, as a step that can be undone."""
        return replace(self.then(ranking), arrived=ranking)

    def undo(self) -> History:
        """One step back; at the start, no step."""
        if not self.past:
            return self
        *past, present = self.past
        future = (self.present, *self.future)
        return replace(self, present=present, past=tuple(past), future=future)

    def reset(self) -> History:
        """The original again, as a step that can be undone."""
        return self.then(self.original)

    def redo(self) -> History:
        """One step on again; after the last, no step."""
        if not self.future:
            return self
        present, *future = self.future
        past = (*self.past, self.present)
        return replace(self, present=present, past=past, future=tuple(future))


def _kept(past: tuple[HandRanking, ...]) -> tuple[HandRanking, ...]:
    """The latest steps that there is room for; the last one always."""
    steps = past[-LONGEST:]
    held = list(accumulate(len(step.entries) for step in reversed(steps)))
    return steps[-max(1, bisect(held, MOST_ENTRIES)) :]
