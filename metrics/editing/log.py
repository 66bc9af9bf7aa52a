"""The log of all grades given by hand: who said what, and when; what holds now is its fold.

Nothing in it is changed or removed. A grade that is taken back stays, and so do two that conflict:
the later one holds. A later one is one of a higher counter, and of equal ones that of the later
writer, so that any two logs with the same records have the same grades, in whatever order the
records came and whatever the clocks of their writers say.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..data import Qrels
from ..data.checks import LARGEST_GRADE
from ..errors import EditError
from .origin import Origin
from .signature import Signature

Grades = Mapping[str, float | None]
"""The grade of each document, None where it is no longer judged."""
SHEET = "sheet"
"""What an origin has in the place of a run's digest for grades that were given in no list."""
ANEW = "anew-"
"""What that begins with for grades given anew, which count only once they are adopted."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a judge said of a document.

    Raises EditError when the grade is not a finite number up to 1000.

    Attributes
    ----------
    grade
        None: it has none now.
    signed
        Who says so.
    unclear
        Whether it cannot be graded; else a document without a grade is not judged any more.
    """

    grade: float | None
    signed: Signature
    unclear: bool = False

    @property
    def is_seen(self) -> bool:
        """Whether the document has a grade, or was found to have none."""
        return self.unclear or self.grade is not None

    def __post_init__(self) -> None:
        grade, number = self.grade, type(self.grade) in (int, float)
        if grade is not None and not (number and abs(grade) <= LARGEST_GRADE):
            raise EditError(f"A grade is a number up to {LARGEST_GRADE}, not {grade}.")


@dataclass(frozen=True, slots=True)
class Record:
    """What one writer did at once to the grades of one query.

    Attributes
    ----------
    counter
        Higher than that of each record that its writer knew.
    writer, number
        Its name: no two records share one.
    on
        The data and the query; in the place of the run the list where the grades were given,
        ``SHEET``, or a judge's own word that begins with ``ANEW``.
    said
        By document.
    off, again
        The names of earlier records of the query that do not count any more, or again.
    event
        The tab and the number of the event that it applies, by which it is not applied twice.
    """

    counter: int
    writer: str
    number: int
    on: Origin
    said: Mapping[str, Said] = field(default_factory=dict)
    off: tuple[str, ...] = ()
    again: tuple[str, ...] = ()
    event: tuple[str, int] | None = None

    @property
    def name(self) -> str:
        """The record's name."""
        return f"{self.writer}-{self.number}"


Of = tuple[str, str]
"""The key of the data, and the query."""
Switch = tuple[tuple[str, ...], tuple[str, ...]]
"""The names of records that do not count any more, and of those that count again."""


@dataclass(frozen=True)
class Fold:
    """What holds of one query: the names of the records taken back, and what each layer says.

    ``words``: of what counts the last word of each judge, by document. ``judges``: who gave a
    grade in one.
    """

    off: frozenset[str]
    layers: Mapping[str, Mapping[str, Said]]
    words: Mapping[str, Mapping[str, Said]]
    judges: frozenset[str]


@dataclass(frozen=True)
class Log:
    """Records by the query that they belong to, in order.

    Examples
    --------
    >>> ada, bob = (Signature(name, "2026-11-25T09:30:00Z") for name in ("Ada", "Bob"))
    >>> on = Origin("data", SHEET, "q")
    >>> three = Record(1, "a", 1, on, {"d": Said(3, ada)})
    >>> two = Record(2, "b", 1, on, {"d": Said(2, bob)})
    >>> log = Log.of([two, three])
    >>> log.said("data", "q")["d"].grade
    2
    >>> log.with_records([Record(3, "b", 2, on, off=(two.name,))]).said("data", "q")["d"].grade
    3
    """

    of_query: Mapping[Of, tuple[Record, ...]] = field(default_factory=dict)
    counter: int = field(default=0, compare=False)
    _folds: dict[Of, Fold] = field(default_factory=dict, compare=False, repr=False)
    _changed: dict[Of, tuple[str, Grades]] = field(default_factory=dict, compare=False, repr=False)

    @classmethod
    def of(cls, records: Iterable[Record]) -> Log:
        """Return the log of some records, given in any order, and maybe more than once."""
        return cls().with_records(records)

    @property
    def records(self) -> list[Record]:
        """All records in order."""
        return sorted((each for of in self.of_query.values() for each in of), key=_place)

    def with_records(self, records: Iterable[Record]) -> Log:
        """Return the log with some more records; those that it has already change nothing."""
        new: dict[Of, list[Record]] = {}
        for each in records:
            new.setdefault((each.on.qrels, each.on.query), []).append(each)
        return self._with({of: tuple(sorted(more, key=_place)) for of, more in new.items()})

    def merged(self, other: Log) -> Log:
        """Return the log with the records of another one; itself where that has no other one."""
        return self._with(other.of_query)

    def _with(self, others: Mapping[Of, tuple[Record, ...]]) -> Log:
        changed, counter = dict[Of, tuple[Record, ...]](), self.counter
        for of, theirs in others.items():
            mine = self.of_query.get(of, ())
            if mine is theirs:
                continue
            known = {each.name for each in mine}
            if new := {each.name: each for each in theirs if each.name not in known}:
                counter = max(counter, *(each.counter for each in new.values()))
                both = (*mine, *new.values())
                # Almost always they follow.
                follow = not mine or _place(mine[-1]) < _place(next(iter(new.values())))
                in_order = follow and len(new) == 1
                changed[of] = both if in_order else tuple(sorted(both, key=_place))
        if not changed:
            return self
        # What was found of other queries still holds; another thread may find more just now.
        found: tuple[dict[Of, Any], ...] = (self._folds, self._changed)
        kept = ({of: x for of, x in each.copy().items() if of not in changed} for each in found)
        return Log({**self.of_query, **changed}, counter, *kept)

    def said(
        self, data: str, query: str, layer: str = "", switched: Switch = ((), ())
    ) -> Mapping[str, Said]:
        """Return what holds of each document of a query about which something was said.

        ``layer``: the judge's own word; empty for what counts. ``switched``: the names of records
        as if they did not count any more, and again.
        """
        return self.fold(data, query, switched).layers.get(layer, {})

    def fold(self, data: str, query: str, switched: Switch = ((), ())) -> Fold:
        """Return all that holds of a query; ``switched``: as for `said`."""
        if not any(switched):
            return self._fold((data, query))
        off, again = switched
        last = Record(self.counter, "", 0, Origin(data, SHEET, query), {}, off, again)
        return _fold((*self.of_query.get((data, query), ()), last))

    def undoing(self, data: str, query: str, name: str) -> Switch:
        """Return what a record takes that undoes one: the names not to count any more, and again.

        Nothing where the query has no record of that name.
        """
        records = self.of_query.get((data, query), ())
        record = next((each for each in reversed(records) if each.name == name), None)
        if record is None:
            return (), ()
        return (*((name,) if record.said else ()), *record.again), record.off

    def counted(self, data: str, query: str) -> list[Record]:
        """Return the records of a query whose grades count."""
        off = self._fold((data, query)).off
        records = self.of_query.get((data, query), ())
        return [each for each in records if each.said and not _layer(each) and each.name not in off]

    def queries(self, data: str) -> list[str]:
        """Return the queries of data about which there are records."""
        return [query for key, query in self.of_query if key == data]

    def counting(self, data: str) -> dict[str, Mapping[str, Said]]:
        """Return what counts of each query of data about which something was said."""
        found = {query: self.said(data, query) for query in self.queries(data)}
        return {query: said for query, said in found.items() if said}

    def names(self, data: str) -> frozenset[str]:
        """Return the names of `judges` who gave a grade; an empty one is that of nobody."""
        return frozenset[str]().union(
            *(self._fold((data, each)).judges for each in self.queries(data))
        )

    def judges(self, data: str) -> dict[str, dict[str, dict[str, Said]]]:
        """Return the last word of each judge on each document of each query, by judge."""
        found: dict[str, dict[str, dict[str, Said]]] = {}
        for query in self.queries(data):
            for document, words in self._fold((data, query)).words.items():
                for judge, said in words.items():
                    found.setdefault(judge, {}).setdefault(query, {})[document] = said
        return found

    def changed(self, data: str, loaded: Qrels) -> dict[str, Grades]:
        """Return the grades that differ from those of the data's own qrels, by query."""
        # The qrels of data whose grades count by a rule change while its judges go on.
        of = loaded.digest
        found_of = {query: self._changed.get((data, query)) for query in self.queries(data)}
        new = [query for query, found in found_of.items() if found is None or found[0] != of]
        known = loaded.only(*new).to_dict() if new else {}
        for query in new:
            before = known.get(query, {})
            said = self.said(data, query).items()
            changed = {name: each.grade for name, each in said if each.grade != before.get(name)}
            self._changed[data, query] = of, changed
        every = {query: self._changed[data, query][1] for query in self.queries(data)}
        return {query: changed for query, changed in every.items() if changed}

    def anew(self, data: str) -> dict[str, dict[str, Mapping[str, Said]]]:
        """Return what was said anew, by the judge's own word, then by query."""
        found: dict[str, dict[str, Mapping[str, Said]]] = {}
        for query in self.queries(data):
            for layer, said in self._fold((data, query)).layers.items():
                if layer and said:
                    found.setdefault(layer, {})[query] = said
        return found

    def steps(self, on: Origin, mine: Callable[[Record], bool]) -> tuple[list[str], list[str]]:
        """Return the names of the records that can be taken back there, and given again; last last.

        ``mine`` says which ones: nobody takes back what somebody else said.
        """
        past, future = list[str](), list[str]()
        for each in self.of_query.get((on.qrels, on.query), ()):
            for name in (name for name in each.off if name in past):
                past.remove(name)
                future.append(name)
            for name in (name for name in each.again if name in future):
                future.remove(name)
                past.append(name)
            if each.said and each.on == on and mine(each):
                past.append(each.name)
                future.clear()
        return past, future

    def events(self, on: Origin) -> list[tuple[str, int]]:
        """Return the events that records there apply: each tab and number."""
        records = self.of_query.get((on.qrels, on.query), ())
        return [each.event for each in records if each.event and each.on == on]

    def switches(self, other: Log, tab: str) -> dict[Of, Switch]:
        """Return what makes the grades of another log count again, once both are merged.

        For each query of the other one: the names of records not to count any more, and again.
        What others said since stays, and only what ``tab`` did is switched off.
        """
        both, found = self.merged(other), dict[Of, Switch]()
        for data, query in other.of_query:
            known = {each.name for each in other.of_query[data, query]}
            mine = [x for x in both.counted(data, query) if x.name in known or x.writer == tab]
            now, then = {x.name for x in mine}, {x.name for x in other.counted(data, query)}
            if now != then:
                found[data, query] = tuple(sorted(now - then)), tuple(sorted(then - now))
        return found

    def _fold(self, of: Of) -> Fold:
        if of not in self._folds:
            self._folds[of] = _fold(self.of_query.get(of, ()))
        return self._folds[of]


def _place(record: Record) -> tuple[int, str, int]:
    return record.counter, record.writer, record.number


def _layer(record: Record) -> str:
    return record.on.run if record.on.run.startswith(ANEW) else ""


def _fold(records: Iterable[Record]) -> Fold:
    listed, off = [*records], set[str]()
    for each in listed:
        off = (off | {*each.off}) - {*each.again}
    layers, words = dict[str, dict[str, Said]](), dict[str, dict[str, Said]]()
    for each in listed:
        if each.said and each.name not in off:
            layers.setdefault(layer := _layer(each), {}).update(each.said)
            for document, said in each.said.items() if not layer else ():
                words.setdefault(document, {})[said.signed.judge] = said
    every = (each.items() for each in words.values())
    judges = frozenset(judge for of in every for judge, each in of if each.grade is not None)
    return Fold(frozenset(off), layers, words, judges)
