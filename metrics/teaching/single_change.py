"""Single changes that would make a printed result right: of cutoff, convention, grade or rank."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

from ..conventions.choices import CHOICES
from ..conventions.convention import TREC_EVAL, Convention
from ..editing.edits import move, set_grade
from ..editing.hand_ranking import Entry, HandRanking
from ..exploring.published_numbers import verdict
from ..exploring.what_if import score_all
from ..measures import Measure
from ..scoring.evaluate import evaluate
from ..scoring.naming import parse
from ..words import count, joined
from .samples import Sample, recomputed

if TYPE_CHECKING:
    import pandas as pd

MEAN = "mean"
"""The query of a result that is a mean over all queries."""


@dataclass(frozen=True)
class Change:
    """One change, and what the printed results of the run would be after it.

    Attributes
    ----------
    kind
        What changes: a cutoff, a choice of the convention, a grade or a rank.
    words
        What completes “The printed 0.7 …”.
    values
        The value of each measure whose result would change.
    """

    kind: str
    words: str
    values: Mapping[str, float]


@dataclass(frozen=True)
class Found:
    """The changes tried on one printed result.

    Attributes
    ----------
    reason
        The change that makes the result right, in words; of several, the one that makes the most
        results of the source right, but first another cutoff. Empty if there is none.
    tried
        How many changes of each kind were tried, in words.
    """

    reason: str
    tried: str


def rankings_of(sample: Sample, run: str, query: str) -> dict[str, HandRanking]:
    """Return a run's ranking of a query, or of each query if the query is `MEAN`."""
    dataset = sample.load()
    chosen = next(each for each in dataset.runs if each.name == run)
    queries = dataset.qrels.queries if query == MEAN else [query]
    return {q: HandRanking.from_run(dataset.qrels, chosen, q, TREC_EVAL) for q in queries}


def single_change(sample: Sample, row: pd.Series[str]) -> Found:
    """Return the single change that makes a printed result right.

    Parameters
    ----------
    row
        A row of `recomputed`.

    Examples
    --------
    >>> from metrics.teaching.samples import catalogue
    >>> sample = catalogue()["two-retrievers"]
    >>> single_change(sample, recomputed(sample).iloc[1]).reason
    'The printed 0.3889 is R@2.'
    """
    run, query, measure, printed = (row[name] for name in ("run", "query", "measure", "printed"))
    tried = [*_cutoffs(sample, run, query, measure), *_changes(sample, run, query)]
    fitting = [
        _Effect.of(change, sample, run, query)
        for change in tried
        if measure in change.values and verdict(printed, change.values[measure]) == "agrees"
    ]
    kinds = [count(many, f"other {kind}") for kind, many in Counter(c.kind for c in tried).items()]
    best = max(fitting, key=_Effect.merit, default=None)
    return Found(best.sentence(measure, printed) if best else "", joined(kinds))


@dataclass(frozen=True)
class _Effect:
    """One change with the measures whose printed results it makes right, and wrong."""

    change: Change
    mended: list[str]
    broken: list[str]

    @classmethod
    def of(cls, change: Change, sample: Sample, run: str, query: str) -> _Effect:
        mended, broken = [], []
        for _, row in _results(sample, run, query).iterrows():
            if row["measure"] in change.values:
                agrees = verdict(row["printed"], change.values[row["measure"]]) == "agrees"
                if agrees and row["verdict"] == "differs":
                    mended.append(row["measure"])
                elif not agrees and row["verdict"] == "agrees":
                    broken.append(row["measure"])
        return cls(change, mended, broken)

    def merit(self) -> tuple[bool, int, int]:
        """Return what a change is chosen by: another cutoff changes nothing else."""
        return self.change.kind == "cutoff", len(self.mended), -len(self.broken)

    def sentence(self, measure: str, printed: str) -> str:
        """Return what the change gives, and what else it makes right or wrong."""
        others = [name for name in self.mended if name != measure]
        clauses = [
            f"this also gives the printed {joined(others)}" if others else "",
            f"but the printed {joined(self.broken)} would then be wrong" if self.broken else "",
        ]
        effects = ", ".join(filter(None, clauses))
        effects = f" {effects[0].upper()}{effects[1:]}." if effects else ""
        return f"The printed {printed} {self.change.words}.{effects}"


def _results(sample: Sample, run: str, query: str) -> pd.DataFrame:
    """Return the printed results of a run that are of one query, or means."""
    frame = recomputed(sample)
    return frame[(frame["run"] == run) & (frame["query"] == query)]


def _cutoffs(sample: Sample, run: str, query: str, name: str) -> Iterator[Change]:
    """Return the result at each other cutoff, if the measure has one."""
    measure = parse(name)
    if not measure.cutoff:
        return
    rankings = rankings_of(sample, run, query).values()
    for k in range(1, max(len(ranking.retrieved) for ranking in rankings) + 1):
        if k != measure.cutoff:
            other = replace(measure, cutoff=k)
            mean = math.fsum(score_all(rankings, other)) / len(rankings)
            yield Change("cutoff", f"is {other}", {name: mean})


@cache
def _changes(sample: Sample, run: str, query: str) -> tuple[Change, ...]:
    """Return every change that is the same for all measures."""
    measures = {name: parse(name) for name in _results(sample, run, query)["measure"]}
    rankings = rankings_of(sample, run, query)
    return *_conventions(sample, run, query, measures), *_by_hand(rankings, measures)


def _conventions(sample: Sample, run: str, query: str, measures: Iterable[str]) -> Iterator[Change]:
    """Return each change of one choice of the convention."""
    dataset = sample.load()
    chosen = next(each for each in dataset.runs if each.name == run)
    for field, convention in _one_choice_changed(_grades(rankings_of(sample, run, query))):
        scores = evaluate(dataset.qrels, chosen, measures, convention)
        values = {name: scores.value(name, None if query == MEAN else query) for name in measures}
        words = f"would be right under the convention “{convention.sentences()[field]}”"
        yield Change("choice", words, values)


def _one_choice_changed(grades: Iterable[float]) -> Iterator[tuple[str, Convention]]:
    """Return each convention that differs from trec_eval in one choice, and that choice."""
    choices: dict[str, list[Any]] = {field: [*choice.values] for field, choice in CHOICES.items()}
    for field, values in (choices | {"level": [g for g in grades if g > 0]}).items():
        for value in values:
            if value != getattr(TREC_EVAL, field):
                yield field, replace(TREC_EVAL, **{field: value})


def _by_hand(
    rankings: Mapping[str, HandRanking], measures: Mapping[str, Measure]
) -> Iterator[Change]:
    """Return each change to the grade or the rank of one document."""
    grades = _grades(rankings)
    for query, ranking in rankings.items():
        of_query = f" in query {query}" if len(rankings) > 1 else ""
        edited = [*_regraded(ranking, grades, of_query), *_moved(ranking, of_query)]
        kinds, words, changed = zip(*edited, strict=True)
        others = [each for name, each in rankings.items() if name != query]
        means = {
            name: (score_all(changed, each) + math.fsum(score_all(others, each))) / len(rankings)
            for name, each in measures.items()
        }
        for place, (kind, said) in enumerate(zip(kinds, words, strict=True)):
            values = {name: float(scores[place]) for name, scores in means.items()}
            yield Change(kind, f"would be right if {said}", values)


_Edited = tuple[str, str, HandRanking]
"""The kind of an edit, the edit in words, and the ranking after it."""


def _regraded(ranking: HandRanking, grades: Iterable[float], of_query: str) -> Iterator[_Edited]:
    for entry in ranking.entries:
        for grade in grades:
            if grade != (entry.grade or 0.0):
                words = f"{entry.document} had grade {grade:g}{of_query} ({_now(entry)})"
                yield "grade", words, set_grade(ranking, entry.document, grade)


def _moved(ranking: HandRanking, of_query: str) -> Iterator[_Edited]:
    for now, entry in enumerate(ranking.retrieved, 1):
        for rank in range(1, len(ranking.retrieved) + 1):
            if rank != now:
                words = f"{entry.document} were at rank {rank}{of_query} (it is at rank {now})"
                yield "rank", words, move(ranking, entry.document, rank)


def _now(entry: Entry) -> str:
    return "it is unjudged" if entry.grade is None else f"it has grade {entry.grade:g}"


def _grades(rankings: Mapping[str, HandRanking]) -> list[float]:
    """Return all grades of some rankings, and 0."""
    return sorted({0.0, *(g for ranking in rankings.values() for g in ranking.grades.values())})
