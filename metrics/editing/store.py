"""All that a user edited, as one value, and the one kind of change that makes another of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from .hand_ranking import HandRanking
from .history import History, entered
from .log import ANEW, SHEET, Grades, Log, Record, Said, Switch
from .origin import Origin
from .sheet import OfQuery, new_in
from .signature import Signature

NOTHING: Switch = ((), ())


@dataclass(frozen=True)
class Writer:
    """Who adds records to a log: a tab, whose records have numbers that it gives once."""

    tab: str
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def record(
        self,
        log: Log,
        on: Origin,
        said: Mapping[str, Said],
        switch: Switch = NOTHING,
        number: int | None = None,
    ) -> Record:
        """Return the next record of a log; ``number``: that of the tab's event which it applies."""
        event = None if number is None else (self.tab, number)
        return Record(log.counter + 1, self.tab, next(self.numbers), on, said, *switch, event)


@dataclass(frozen=True)
class Change:
    """What an event changes: rankings, records of the log, and the lists whose event it was."""

    histories: Mapping[Origin, History] = field(default_factory=dict)
    records: Sequence[Record] = ()
    numbers: Mapping[Origin, int] = field(default_factory=dict)

    def __add__(self, later: Change) -> Change:
        """Return both changes as one."""
        histories = {**self.histories, **later.histories}
        records = (*self.records, *later.records)
        return Change(histories, records, {**self.numbers, **later.numbers})


@dataclass(frozen=True)
class Edits:
    """What edits have made.

    Attributes
    ----------
    histories
        The edited rankings with their undo steps, as `History.bare` returns them.
    applied
        The number of the last event of each list that was applied, by the tab to which the page
        sent it: this one, and those whose edits it goes on with.
    log
        All grades that were given by hand: here, and by all who share the workspace.
    unkept
        What the workspace does not have yet.
    generation
        A number that changes when an editor must discard its own copy of the cells.
    """

    histories: Mapping[Origin, History] = field(default_factory=dict)
    applied: Mapping[Origin, Mapping[str, int]] = field(default_factory=dict)
    log: Log = field(default_factory=Log)
    unkept: Change = field(default_factory=Change)
    generation: int = 0

    def with_change(self, change: Change, tab: str) -> Edits:
        """Return what a change makes of it; ``tab``: who made the events."""
        applied = {
            each: {**self.applied.get(each, {}), tab: number}
            for each, number in change.numbers.items()
        }
        return replace(
            self,
            histories={**self.histories, **change.histories},
            applied={**self.applied, **applied},
            log=self.log.with_records(change.records),
        )

    def events(self, origin: Origin) -> Mapping[str, int]:
        """Return the number of the list's last event that was applied, by tab."""
        numbers = dict(self.applied.get(origin, {}))
        # An edit can be in the log of a workspace, and was cut off before it was kept here.
        for tab, number in self.log.events(origin):
            numbers[tab] = max(number, numbers.get(tab, 0))
        return numbers

    def history(self, origin: Origin, original: HandRanking) -> History:
        """Return a ranking with its edits and the grades that hold; ``original``: as loaded."""
        kept = self.histories.get(origin)
        shown = (kept or History(original, original)).shown(original, origin.qrels, self.log)
        return replace(shown, kept=kept)

    def editing(
        self,
        origin: Origin,
        before: History,
        after: History,
        by: Signature,
        writer: Writer,
        number: int | None = None,
    ) -> Change:
        """Return the change that an edit or a step of a ranking makes.

        ``before`` is as `history` returned it, ``after`` is made of it. ``by``: who gives the
        grades that it changes. ``number``: that of the list's event.
        """
        said, switch = entered(before, after, origin.qrels, self.log, by)
        records = [writer.record(self.log, origin, said, switch, number)]
        if not said and switch == NOTHING:
            records = []
        if after.past and after.past[-1] is before.present:
            now = replace(after.present, record=records[0].name if records else "")
            arrived = now if after.arrived is after.present else after.arrived
            after = replace(after, present=now, arrived=arrived)
        return Change({origin: after.bare()}, records, {} if number is None else {origin: number})

    def judging(
        self, data: str, said: OfQuery, writer: Writer, number: int | None = None, word: str = ""
    ) -> Change:
        """Return the change that a judge's words make, each query's as a step of its own.

        ``data``: the key of the data. ``word``: the judge's own, who judges anew.
        """
        records, numbers = list[Record](), dict[Origin, int]()
        for query, of in said.items():
            on = Origin(data, word or SHEET, query)
            if new := new_in(of, self.log.said(data, query, word)):
                records.append(writer.record(self.log, on, new, NOTHING, number))
            if number is not None:
                numbers[on] = number
        return Change({}, records, numbers)

    def switching(
        self,
        switches: Mapping[Origin, Switch],
        writer: Writer,
        number: int | None = None,
    ) -> Change:
        """Return the change by which records of queries do not count any more, or again."""
        records = [
            writer.record(self.log, on, {}, switch, number)
            for on, switch in switches.items()
            if switch != NOTHING
        ]
        return Change({}, records, {} if number is None else dict.fromkeys(switches, number))

    def opening(
        self, histories: Mapping[Origin, History], log: Log, writer: Writer, alone: bool
    ) -> tuple[Edits, Change]:
        """Return what a saved session replaces, and the change by which it does.

        ``alone``: whether nobody else has grades here, as in a workspace; if others do, theirs
        stay, and of the queries in the session those count again that counted in it.
        """
        base = replace(self, histories={}, log=Log() if alone else self.log.merged(log))
        if alone:
            return base, Change(histories, log.records)
        known = {each.name for each in self.log.records}
        new = [each for each in log.records if each.name not in known]
        switches = self.log.switches(log, writer.tab).items()
        switching = base.switching({Origin(d, SHEET, q): each for (d, q), each in switches}, writer)
        return base, Change(histories, (*new, *switching.records))


@dataclass(frozen=True)
class Sheet:
    """What is known of the documents of a query, apart from any ranking.

    Attributes
    ----------
    origin
        The key of its events.
    grades, before
        By document: those that hold, and those before the last step; None where it has none.
    said
        What was said of documents.
    words
        The last word of each judge on each document, also where another's counts.
    undo, redo
        What takes back the last step here, and what gives the last one taken back again.
    """

    origin: Origin
    grades: Grades
    before: Grades
    said: Mapping[str, Said]
    words: Mapping[str, Mapping[str, Said]]
    undo: Switch
    redo: Switch

    @classmethod
    def of(
        cls, log: Log, origin: Origin, loaded: Mapping[str, float], tab: str, judge: str | None
    ) -> Sheet:
        """Return the sheet of an origin, whose word says which judge's it is, or that it counts.

        ``loaded``: the grades of the query's qrels. ``tab`` and ``judge`` say whose steps can be
        taken back: nobody takes back what somebody else said. None: only those of this tab, as
        where somebody without a name may be anybody.
        """
        data, word, query = origin.qrels, origin.run, origin.query
        layer = word if word.startswith(ANEW) else ""

        def is_mine(record: Record) -> bool:
            judges = {each.signed.judge for each in record.said.values()}
            return record.writer == tab or judges == {judge}

        def at(switched: Switch = NOTHING) -> tuple[Mapping[str, Said], Grades]:
            said = log.said(data, query, layer, switched)
            return said, {**loaded, **{name: each.grade for name, each in said.items()}}

        now = log.fold(data, query)

        def shows(switched: Switch) -> bool:
            then = log.fold(data, query, switched)
            return (now.layers.get(layer), now.words) != (then.layers.get(layer), then.words)

        past, future = (
            [log.undoing(data, query, name) for name in reversed(names)]
            for names in log.steps(origin, is_mine)
        )
        # A word of one's own that a later one replaced is passed over: nothing would be seen.
        undo = next(filter(shows, past), NOTHING)
        redo = next(filter(shows, ((again, off) for off, again in future)), NOTHING)
        said, grades = at()
        words = {} if layer else now.words
        return cls(origin, grades, at(undo)[1], said, words, undo, redo)

    def others(self, document: str) -> dict[str, float | None]:
        """Return who gave a document another grade than it has, and which; None: unclear."""
        now, words = self.grades.get(document), self.words.get(document, {})
        said = self.said.get(document)
        return {
            judge: each.grade
            for judge, each in words.items()
            if each.grade != now and said and judge != said.signed.judge
        }

    def is_seen(self, document: str) -> bool:
        """Return whether a document has a grade, or was found to have none."""
        said = self.said.get(document)
        return said.is_seen if said else document in self.grades
