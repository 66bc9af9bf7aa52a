"""Score one ranking under many conventions, and find the convention behind a printed number."""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import product
from typing import Any

from ..arrays import NOISE
from ..conventions.choices import CHOICES
from ..conventions.convention import PRESET_MEASURES, PRESETS, TREC_EVAL, Convention
from ..editing.hand_ranking import HandRanking
from ..errors import MeasureError
from ..matching.judged import match
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.expressions import unit, verdict
from ..scoring.known_differences import exceptions
from .what_if import score_all


@dataclass(frozen=True)
class Reading:
    """One ranking's score under one convention.

    Attributes
    ----------
    name
        The name of a preset, or of the choice that was changed.
    value
        The score; NaN if the convention leaves the query out or the measure cannot be computed.
    changed
        The choices that affect this ranking and differ from the reference convention.
    differs
        The same choices in words.
    ranking
        The ranking in the order of this convention.
    problem
        Why there is no score; empty if there is one.
    exceptions
        What the tool of a preset does otherwise here, in words.
    """

    name: str
    convention: Convention
    ranking: HandRanking
    value: float
    changed: tuple[str, ...]
    differs: tuple[str, ...]
    problem: str = ""
    exceptions: tuple[str, ...] = ()


Under = Callable[[Convention], HandRanking]
"""Return one ranking in a convention's order: conventions differ in which scores are equal, and in
how they order them."""


def presets(under: Under, measure: Measure, convention: Convention = TREC_EVAL) -> list[Reading]:
    """Return the score under every preset whose tool has the measure, and how the preset differs.

    ``convention``: what the presets are compared with.
    """
    read = _Rescored(under, measure, convention)
    return [
        _with_exceptions(read(preset, name), measure)
        for name, preset in PRESETS.items()
        if measure.symbol in PRESET_MEASURES.get(name, (measure.symbol,))
    ]


def _with_exceptions(reading: Reading, measure: Measure) -> Reading:
    if reading.problem:
        return reading
    judged = reading.ranking.ledger(measure, reading.convention).judged
    return replace(reading, exceptions=tuple(exceptions([judged], [measure])))


def choices(under: Under, measure: Measure, convention: Convention = TREC_EVAL) -> list[Reading]:
    """Return the score after changing one choice at a time, for the choices that affect it."""
    read = _Rescored(under, measure, convention)
    return [
        read(replace(convention, **{field: value}), CHOICES[field].label)
        for field, values in read.alternatives.items()
        for value in values
        if field in CHOICES and value != getattr(convention, field)
    ]


def merged(readings: Iterable[Reading], score: float) -> list[Reading]:
    """Return one reading for all that change nothing, and one for all that differ alike.

    ``score``: the score under the reference convention. A reading has the names of all it is of.
    """
    groups: dict[tuple[str, ...], list[Reading]] = {}
    for reading in readings:
        same = abs(reading.value - score) < NOISE
        groups.setdefault(() if same else reading.differs, []).append(reading)
    return [_of_all(group) for group in groups.values()]


def _of_all(group: list[Reading]) -> Reading:
    first = group[0]
    names = dict.fromkeys(reading.name for reading in group)
    return replace(
        first,
        name=", ".join(names),
        differs=tuple(dict.fromkeys(words for reading in group for words in reading.differs)),
        exceptions=tuple(dict.fromkeys(words for reading in group for words in reading.exceptions)),
    )


@dataclass(frozen=True)
class Step:
    """One choice changed on the way from one convention to another.

    Attributes
    ----------
    choice
        The field of the convention.
    before, after
        The ledgers before and after the change.
    was, now
        The rankings before and after: conventions order equal scores differently.
    """

    choice: str
    before: Ledger
    after: Ledger
    was: HandRanking
    now: HandRanking


def steps(reading: Reading, under: Under, measure: Measure, convention: Convention) -> list[Step]:
    """Return what each choice of a reading changes, one after the other.

    The first step starts at ``convention``, the last one ends at the reading's score. A convention
    under which the measure cannot be computed has no step of its own.
    """
    found: list[Step] = []
    ranking = under(convention)
    ledger = ranking.ledger(measure, convention)
    for choice in reading.changed:
        convention = replace(convention, **{choice: getattr(reading.convention, choice)})
        then = under(convention)
        try:
            after = then.ledger(measure, convention)
        except MeasureError:
            continue
        found.append(Step(choice, ledger, after, ranking, then))
        ranking, ledger = then, after
    return found


@dataclass(frozen=True)
class Search:
    """Conventions that reproduce a printed number.

    Attributes
    ----------
    found
        The conventions that give the number to its printed digits, fewest changes first.
    nearest
        The three closest conventions when none gives the number.
    tried
        The number of conventions tried.
    """

    found: list[Reading]
    nearest: list[Reading]
    tried: int


def search(
    printed: str, under: Under, measure: Measure, convention: Convention = TREC_EVAL
) -> Search:
    """Find the conventions under which a ranking has a printed score.

    Raises RankscopeError when ``printed`` is not a number.

    Examples
    --------
    >>> from metrics import parse
    >>> from metrics.editing.pasted import read_ranking
    >>> ranking = read_ranking("3,2,3,0,1,2 | 3,2", "q")
    >>> search("0.7511", ranking.evaluated, parse("nDCG@6")).found[0].differs
    ('gain: 2^grade − 1',)
    """
    number, _ = unit(printed)
    read = _Rescored(under, measure, convention)
    readings = [
        read(replace(convention, **dict(zip(read.alternatives, values, strict=True))))
        for values in product(*read.alternatives.values())
    ]
    scored = [reading for reading in readings if not math.isnan(reading.value)]
    found = [reading for reading in scored if verdict(printed, reading.value) == "agrees"]
    scored.sort(key=lambda reading: (abs(reading.value - number), len(reading.differs)))
    found.sort(key=lambda reading: len(reading.differs))
    return Search(found, [] if found else scored[:3], len(readings))


def giving(printed: str, readings: Iterable[Reading]) -> list[str]:
    """Return the names of the readings that give a printed number to its digits.

    Raises RankscopeError when ``printed`` is not a number.

    Examples
    --------
    >>> from metrics import parse
    >>> from metrics.editing.pasted import read_ranking
    >>> ranking = read_ranking("3,2,3,0,1,2 | 3,2", "q")
    >>> giving("0.9608", presets(ranking.evaluated, parse("nDCG@6")))
    ['scikit-learn', 'torchmetrics']
    """
    return [reading.name for reading in readings if verdict(printed, reading.value) == "agrees"]


class _Rescored:
    """Score one ranking under one convention after another."""

    def __init__(self, under: Under, measure: Measure, convention: Convention) -> None:
        self.under, self.measure, self.convention = under, measure, convention
        self.ranking = under(convention)
        self.alternatives = self._alternatives()

    def _alternatives(self) -> dict[str, list[Any]]:
        """Values of each choice that can change this ranking's score, the current one first."""
        ranking, own = self.ranking, self.measure.choices
        grades = ranking.grades.values()
        needed = {
            "ties": any(entry.tied for entry in ranking.retrieved),
            "unjudged": any(e.grade is None or e.grade < 0 for e in ranking.retrieved),
            "own_document": any(entry.document == ranking.query for entry in ranking.retrieved),
            "undefined": self._may_be_undefined(),
            "negative": "negative" in own and any(grade < 0 for grade in grades),
        }
        values: dict[str, list[Any]] = {
            name: list(dict.fromkeys([getattr(self.convention, name), *choice.values]))
            for name, choice in CHOICES.items()
            if needed.get(name, name in own)
        }
        if "level" in own:
            others = sorted({grade for grade in grades if grade > 0})
            values["level"] = list(dict.fromkeys([self.convention.level, *others]))
        return values

    def _may_be_undefined(self) -> bool:
        """Return whether no document is relevant, among the judged or among the retrieved."""
        judged = match(self.ranking.qrels, self.ranking.run, self.convention)
        under = (judged.under(ideal=ideal) for ideal in ("judged", "retrieved"))
        wholes = (self.measure.to_find(j, self.measure.under(j.convention)) for j in under)
        return any((whole == 0).any() for whole in wholes)

    def __call__(self, convention: Convention, name: str = "") -> Reading:
        sentences = convention.sentences()
        changed = tuple(convention.differences(self.alternatives, self.convention))
        differs = tuple(sentences[field] for field in changed)
        ranking, value, problem = self.under(convention), math.nan, ""
        try:
            value = float(score_all([ranking], self.measure, convention)[0])
        except MeasureError as error:
            problem = str(error)
        return Reading(name, convention, ranking, value, changed, differs, problem)
