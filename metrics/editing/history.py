"""Undo and redo: the sequence of rankings that edits produced."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from .hand_ranking import Entry, HandRanking
from .log import Grades, Log, Said, Switch
from .signature import Signature

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
    kept
        What `shown` showed, if it was kept before: by which a later one is told from it, whatever
        it contains.

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
    kept: History | None = field(default=None, compare=False, repr=False)

    @property
    def steps(self) -> tuple[HandRanking, ...]:
        """The original ranking, those before the present one, oldest first, and the present one."""
        return self.original, *self.past, self.present

    def of_aspects(self, aspects: Mapping[str, Mapping[str, float]]) -> History:
        """Return the history in which the rankings that are scored have these aspects."""
        before = tuple(replace(each, aspects=aspects) for each in self.past[-1:])
        return replace(
            self,
            original=replace(self.original, aspects=aspects),
            present=replace(self.present, aspects=aspects),
            past=(*self.past[:-1], *before),
        )

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

    def bare(self) -> History:
        """Return the history as it is kept: of a ranking of the query the order alone.

        Its grades are the query's, and in the log.
        """

        def order(step: HandRanking) -> HandRanking:
            if self.is_own(step):
                return step
            documents = tuple(Entry(each.document, None, each.tied) for each in step.retrieved)
            return replace(step, retrieved=documents, unretrieved=(), aspects={})

        # An edit of a history as it is shown adds at most two steps with grades.
        return replace(
            self,
            original=order(self.original),
            present=order(self.present),
            past=(*self.past[:-2], *map(order, self.past[-2:])),
            future=(*map(order, self.future[:2]), *self.future[2:]),
            arrived=self.arrived and order(self.arrived),
            kept=None,
        )

    def shown(self, original: HandRanking, data: str, log: Log) -> History:
        """Return a history that was kept, with the grades that hold by the log.

        So are the steps before and after; the others have no grade. ``original``: the ranking as
        loaded. ``data``: the key of the data.
        """
        query, loaded = original.query, original.grades
        whole = replace(self, original=original)

        def graded(step: HandRanking, switched: Switch = ((), ())) -> HandRanking:
            if whole.is_own(step):
                return step
            said = log.said(data, query, switched=switched)
            now = {**loaded, **{name: each.grade for name, each in said.items()}}
            return original.in_order_of(step, now)

        undone = log.undoing(data, query, self.present.record)
        before = (graded(step, undone) for step in self.past[-1:])
        redone = [(step, log.undoing(data, query, step.record)) for step in self.future[:1]]
        after = (graded(step, (again, off)) for step, (off, again) in redone)
        return replace(
            whole,
            present=graded(self.present),
            past=(*self.past[:-1], *before),
            future=(*after, *self.future[1:]),
            arrived=self.arrived and graded(self.arrived),
        )

    def first(self, data: str, log: Log) -> HandRanking:
        """Return the ranking before the first edit, by the grades that hold without all of them.

        ``self`` is as `shown` returned it, and has an edit.
        """
        step, query = self.past[0], self.original.query
        if len(self.past) == 1 or self.is_own(step):
            return step
        counts = dict[str, bool]()
        # Each is taken back in turn, with what it took back or gave again itself.
        for each in (self.present, *reversed(self.past)):
            off, again = log.undoing(data, query, each.record)
            counts |= dict.fromkeys(off, False) | dict.fromkeys(again, True)
        off, again = (tuple(x for x in counts if counts[x] == each) for each in (False, True))
        said = log.said(data, query, switched=(off, again))
        now = {**self.original.grades, **{name: each.grade for name, each in said.items()}}
        return self.original.in_order_of(step, now)

    def is_own(self, ranking: HandRanking) -> bool:
        """Return whether a ranking is a list that took the query's place, with its own grades.

        Such a list has a title, or ranks documents but has none of the original.
        """
        return bool(ranking.title) or self._is_replaced_by(ranking)

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
        came = self.arrived
        is_edited = came is None or (self.present, self.present.record) != (came, came.record)
        return self.past[-1] if self.past and is_edited else None

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


def entered(
    before: History, after: History, data: str, log: Log, by: Signature
) -> tuple[dict[str, Said], Switch]:
    """Return what a record of an edit or a step takes: what was said, and what is switched.

    ``before`` is as `History.shown` returned it, ``after`` is made of it.
    """
    query = before.original.query
    if before.past and after.present is before.past[-1]:
        return {}, log.undoing(data, query, before.present.record)
    if before.future and after.present is before.future[0]:
        off, again = log.undoing(data, query, after.present.record)
        return {}, (again, off)
    if after.is_own(after.present):
        return {}, ((), ())
    loaded, now = before.original.grades, after.present.grades
    known: Grades = before.present.grades
    if before.is_own(before.present):
        known = {**loaded, **{name: each.grade for name, each in log.said(data, query).items()}}
    changed = differences(known, now)
    # A loaded grade is nobody's: where it is given again, what was said does not count any more.
    back = {name for name, grade in changed.items() if grade == loaded.get(name)}
    off = tuple(each.name for each in log.counted(data, query) if each.said.keys() <= back)
    rest = log.said(data, query, switched=(off, ()))
    held: Grades = {**loaded, **{name: each.grade for name, each in rest.items()}}
    said = {name: Said(x, by) for name, x in changed.items() if x != held.get(name)}
    return said, (off, ())


def differences(before: Grades, after: Grades) -> dict[str, float | None]:
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
