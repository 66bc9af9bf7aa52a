"""Undo and redo: the sequence of rankings that edits produced."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, pairwise

from .hand_ranking import HandRanking

LONGEST = 200
"""At most this many steps can be undone; older ones are dropped, except the original ranking."""
MOST_ENTRIES = 500_000
"""At most this many documents in all steps together; the last step is kept whatever its size."""


@dataclass(frozen=True)
class History:
    """A ranking with its earlier and its undone versions.

    Attributes
    ----------
    original
        The ranking before the first edit.
    past
        The rankings before this one, oldest first.
    future
        The undone rankings, the last one undone first.
    arrived
        The ranking that replaced another instead of editing it, as from a link; None if none did.

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

    def of_aspects(self, aspects: Mapping[str, Mapping[str, float]]) -> History:
        """Return the history in which the rankings that are scored have these aspects."""
        before = tuple(replace(each, aspects=aspects) for each in self.past[-1:])
        return replace(
            self,
            original=replace(self.original, aspects=aspects),
            present=replace(self.present, aspects=aspects),
            past=(*self.past[:-1], *before),
        )

    def with_grades(self, grades: Mapping[str, float | None]) -> History:
        """Return the history with grades that were given elsewhere, in each step but the original.

        A later undo of a step here does not take them back.
        """
        return self.each(lambda step: step.with_grades(grades))

    def each(self, change: Callable[[HandRanking], HandRanking]) -> History:
        """Return the history with a change in each step but the original.

        A step that then is like the one before it is none any more.

        Examples
        --------
        >>> first, other = HandRanking("q", ()), HandRanking("p", ())
        >>> History(first, first).then(other).each(lambda step: first).past
        ()
        """
        past = [*map(change, self.past), change(self.present)]
        future = [past[-1], *map(change, self.future)]
        return replace(
            self,
            present=past[-1],
            past=tuple(step for step, after in pairwise(past) if step != after),
            future=tuple(step for before, step in pairwise(future) if step != before),
            arrived=self.arrived and change(self.arrived),
        )

    @property
    def of_query(self) -> HandRanking:
        """The last ranking of the query itself: a list that took its place has its own grades.

        Such a list has a title, or ranks documents but has none of the original.

        Examples
        --------
        >>> first, other = HandRanking("q", ()), HandRanking("q", (), title="mine")
        >>> History(first, first).then(other).of_query == first
        True
        """
        steps = (self.present, *reversed(self.past), self.original)
        return next(
            (step for step in steps if not step.title and not self._is_replaced_by(step)),
            self.original,
        )

    @cached_property
    def changed_grades(self) -> dict[str, float | None]:
        """The grades of the query that differ from those before the first edit."""
        # Asked of every history each time a page is drawn; one history changes with an edit.
        return differences(self.original.grades, self.of_query.grades)

    @property
    def reordered(self) -> bool:
        """Whether the query's documents are ranked otherwise than in the original.

        A list that took its place is not.
        """
        now, original = (
            [(entry.document, entry.tied) for entry in ranking.retrieved]
            for ranking in (self.present, self.original)
        )
        return now != original and not self.present.title and not self.replaced

    @property
    def before(self) -> HandRanking | None:
        """The ranking before the last edit; None if there was no edit."""
        return self.past[-1] if self.past and self.present != self.arrived else None

    @property
    def replaced(self) -> bool:
        """Whether no document of the original is left, as after pasting another ranking."""
        return self._is_replaced_by(self.present)

    def _is_replaced_by(self, ranking: HandRanking) -> bool:
        documents = {entry.document for entry in ranking.entries}
        original = {entry.document for entry in self.original.entries}
        return bool(ranking.retrieved) and documents.isdisjoint(original)

    def then(self, ranking: HandRanking) -> History:
        """Return the history with a further ranking; an unchanged ranking adds no step."""
        if ranking == self.present:
            return self
        return replace(self, present=ranking, past=_kept((*self.past, self.present)), future=())

    def to(self, ranking: HandRanking) -> History:
        """Return the history at a ranking: one step back or forward if it is there, else then."""
        for step in (self.undo(), self.redo()):
            if step.present == ranking:
                return step
        return self.then(ranking)

    def arrive(self, ranking: HandRanking) -> History:
        """Return the history with this ranking replaced by another; the step can be undone."""
        return replace(self.then(ranking), arrived=ranking)

    def undo(self) -> History:
        """Return the history one step back; unchanged at the start."""
        if not self.past:
            return self
        *past, present = self.past
        return replace(self, present=present, past=tuple(past), future=(self.present, *self.future))

    def reset(self) -> History:
        """Return the history with the original ranking again; the step can be undone."""
        return self.then(self.original)

    def redo(self) -> History:
        """Return the history one step forward; unchanged at the end."""
        if not self.future:
            return self
        present, *future = self.future
        return replace(self, present=present, past=(*self.past, self.present), future=tuple(future))


def differences(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float | None]:
    """Return the grades that differ: those after, None for a judgment that is gone.

    Examples
    --------
    >>> differences({"a": 1, "b": 2, "c": 0}, {"a": 1, "b": 3, "d": 0})
    {'b': 3, 'c': None, 'd': 0}
    """
    return {
        document: after.get(document)
        for document in dict.fromkeys((*before, *after))
        if before.get(document) != after.get(document)
    }


def _kept(past: tuple[HandRanking, ...]) -> tuple[HandRanking, ...]:
    """Return the latest steps within the limits, and always the last one."""
    steps = past[-LONGEST:]
    held = list(accumulate(len(step.entries) for step in reversed(steps)))
    return steps[-max(1, bisect(held, MOST_ENTRIES)) :]
