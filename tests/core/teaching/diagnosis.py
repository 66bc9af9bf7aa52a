"""Why printed results are not the values that their data give, in a few sentences.

Each sentence is the ``why`` of its result in `sample_data/worked_examples.json`. When a sentence is
meant to change: `python -m tests.core.teaching.diagnosis` writes all of them.
"""

import json
import math
import re
from collections import Counter
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from itertools import product

import numpy as np

from metrics.conventions.choices import CHOICES
from metrics.conventions.convention import PRESETS, TREC_EVAL
from metrics.editing.edits import move, set_grade
from metrics.editing.hand_ranking import HandRanking
from metrics.exploring.convention_search import search
from metrics.exploring.what_if import score_all
from metrics.measures import Measure
from metrics.scoring.evaluate import evaluate
from metrics.scoring.expressions import unit, verdict
from metrics.scoring.naming import parse
from metrics.teaching.samples import FOLDER, Sample, catalogue, recomputed
from metrics.words import count, joined, number

FILE = FOLDER / "worked_examples.json"
MEAN = "mean"
"""The query of a result that is a mean over all queries."""
_SAME = 9
"""Values that agree in this many digits are the same."""
_RESULT = re.compile(r'\{"measure"(?!.*"column").*\}')
"""A printed result in the file, on a line of its own; not a cell of a table."""


def build():
    """Return the content of the file with the sentences that are found now."""
    text, lines = FILE.read_text("utf-8"), []
    for example in json.loads(text):
        sample = catalogue()[example["id"]]
        frame = recomputed(sample).set_index(["measure", "run", "query"], drop=False)
        for printed in example["printed"]:
            if "column" not in printed:
                printed.pop("why", None)
                row = frame.loc[printed["measure"], printed["run"], printed["query"] or MEAN]
                why = {"why": reason(sample, row)} if row["verdict"] != "agrees" else {}
                lines.append(json.dumps(printed | why, ensure_ascii=False))
    left = iter(lines)
    return _RESULT.sub(lambda _: next(left), text)


def reason(sample, row):
    """Return why the result in a row of `recomputed`, whose verdict is not ``"agrees"``, is off."""
    if row["verdict"] == "last digit":
        return rounded_terms(sample, row["measure"])
    case = Case(sample, row["run"], row["query"], parse(row["measure"]), row["printed"])
    convention, conventions = convention_behind(case)
    if convention:
        return f"{case.given} The printed {case.printed} comes from {convention}."
    change, changes = single_change(case)
    if found := _another_result(case) or change:
        return f"{case.given} {found}"
    causes = _wrong_ideal, _no_order, _several_queries
    cause = next(filter(None, (explained(case) for explained in causes)), "")
    none = f"No single change gives {case.printed}; tried were {conventions}, {changes}."
    return " ".join(filter(None, (case.given, cause, none)))


def rounded_terms(sample, measure):
    """Return that a printed total is the sum of its printed, rounded terms; empty if it is not."""
    cells = [cell for cell in sample.printed if cell.measure == measure]
    terms = [cell.value for cell in cells if cell.column == "contribution"]
    total = next(cell.value for cell in cells if not cell.column)
    if verdict(total, math.fsum(map(float, terms))) != "agrees":
        return ""
    return f"The rounded terms {' + '.join(terms)} add up to {total}."


@cache
def rankings_of(sample, run, query):
    """Return a run's ranking of a query, or of each query if the query is `MEAN`."""
    qrels = sample.load().qrels
    queries = qrels.queries if query == MEAN else [query]
    return {q: HandRanking.from_run(qrels, _run(sample, run), q, TREC_EVAL) for q in queries}


def _run(sample, name):
    return next(run for run in sample.load().runs if run.name == name)


def _results(sample, run, query):
    """Return the printed results of a run that are of one query, or means."""
    frame = recomputed(sample)
    return frame[(frame["run"] == run) & (frame["query"] == query)]


@dataclass(frozen=True)
class Case:
    """One printed result, with the ranking and the score of each of its queries."""

    sample: Sample
    run: str
    query: str
    measure: Measure
    printed: str

    @property
    def place(self):
        """Where the source prints the result."""
        return self.sample, self.run, self.query

    @cached_property
    def rankings(self):
        return rankings_of(*self.place).values()

    @cached_property
    def values(self):
        """``(q,)`` the score of each query."""
        return score_all(self.rankings, self.measure)

    def is_printed(self, value):
        return verdict(self.printed, value) == "agrees"

    def written(self, ranking, value):
        """Return a query's score as the fraction that it is counted as; else as a decimal."""
        relevant = sum(grade >= TREC_EVAL.level for grade in ranking.grades.values())
        whole = {"P": self.measure.cutoff, "R": relevant}.get(self.measure.symbol)
        if whole:
            return f"{round(value * whole)}/{whole}"
        if self.measure.symbol == "RR" and value:
            return f"1/{round(1 / value)}"
        return f"{value:g}" if value in (0, 1) else number(value)

    @cached_property
    def given(self):
        """What the data give, in arithmetic."""
        shares = list(map(self.written, self.rankings, self.values))
        mean = number(math.fsum(self.values) / len(shares))
        if len(shares) > 1:
            return f"Query by query the data give {joined(shares)}; the mean is {mean}."
        (ranking,) = self.rankings
        if self.measure.parts:
            parts = [
                f"{part} = {number(score_all([ranking], part)[0])}" for part in self.measure.parts
            ]
            return f"{' and '.join(parts)} give {self.measure} = {mean}."
        hits = [
            entry.document
            for entry in ranking.retrieved[: self.measure.cutoff]
            if (entry.grade or 0) >= TREC_EVAL.level
        ]
        only = {0: "no document is", 1: f"only {joined(hits)} is"}
        found = only.get(len(hits), f"{joined(hits)} are")
        return f"In the top {self.measure.cutoff} {found} relevant: {shares[0]} = {mean}."


def convention_behind(case):
    """Return the convention that reproduces the number, if one does, and which were tried.

    A mean is recomputed under every preset, the score of one query under every combination of
    choices that matter to it.
    """
    if case.query == MEAN:
        name, scores = str(case.measure), _under_presets(case.sample, case.run)
        found = [key for key, under in scores.items() if case.is_printed(under.value(name))]
        tried = f"{len(PRESETS)} presets"
    else:
        run = _run(case.sample, case.run)
        under = partial(HandRanking.from_run, case.sample.load().qrels, run, case.query)
        result = search(case.printed, under, case.measure)
        found = [" and ".join(reading.differs) for reading in result.found]
        tried = f"{result.tried} combinations of choices"
    return next(iter(found), ""), tried


@cache
def _under_presets(sample, run):
    """Return the scores of a run in the measures whose means the source prints, by preset."""
    measures, chosen = _results(sample, run, MEAN)["measure"], _run(sample, run)
    qrels = sample.load().qrels
    return {key: evaluate(qrels, chosen, measures, preset) for key, preset in PRESETS.items()}


@dataclass(frozen=True)
class Change:
    """One change, and what the printed results of the run would be after it.

    ``kind``: a cutoff, a choice of the convention, a grade or a rank. ``words`` complete “The
    printed 0.7 …”. ``values``: of each measure whose result would change.
    """

    kind: str
    words: str
    values: dict


def single_change(case):
    """Return the single change that makes a result right, if one does, and how many were tried.

    Of several it is the one that makes the most results of the source right, and the fewest wrong,
    but first another cutoff, which changes nothing else.
    """
    name, results = str(case.measure), _results(*case.place)
    tried = [*_cutoffs(case), *_changes(*case.place)]
    fitting = [
        (change, *_effects(change, results))
        for change in tried
        if name in change.values and case.is_printed(change.values[name])
    ]
    kinds = [count(many, f"other {kind}") for kind, many in Counter(c.kind for c in tried).items()]
    if not fitting:
        return "", joined(kinds)
    change, mended, broken = max(
        fitting, key=lambda f: (f[0].kind == "cutoff", len(f[1]), -len(f[2]))
    )
    others = [other for other in mended if other != name]
    clauses = [
        f"this also gives the printed {joined(others)}" if others else "",
        f"but the printed {joined(broken)} would then be wrong" if broken else "",
    ]
    effects = ", ".join(filter(None, clauses))
    effects = f" {effects[0].upper()}{effects[1:]}." if effects else ""
    return f"The printed {case.printed} {change.words}.{effects}", joined(kinds)


def _effects(change, results):
    """Return the measures whose printed results a change makes right, and wrong."""
    now = [
        (row.measure, row.verdict, verdict(row.printed, change.values[row.measure]) == "agrees")
        for row in results.itertuples()
        if row.measure in change.values
    ]
    mended = [name for name, before, agrees in now if agrees and before == "differs"]
    broken = [name for name, before, agrees in now if not agrees and before == "agrees"]
    return mended, broken


def _cutoffs(case):
    """Return the result at each other cutoff, if the measure has one."""
    if not case.measure.cutoff:
        return
    for k in range(1, max(len(ranking.retrieved) for ranking in case.rankings) + 1):
        if k != case.measure.cutoff:
            other = replace(case.measure, cutoff=k)
            mean = math.fsum(score_all(case.rankings, other)) / len(case.rankings)
            yield Change("cutoff", f"is {other}", {str(case.measure): mean})


@cache
def _changes(sample, run, query):
    """Return every change that is the same for all measures."""
    measures = {name: parse(name) for name in _results(sample, run, query)["measure"]}
    rankings = rankings_of(sample, run, query)
    grades = sorted({0.0, *(g for each in rankings.values() for g in each.grades.values())})
    by_hand = _by_hand(rankings, grades, measures)
    return *_conventions(sample, run, query, grades, measures), *by_hand


def _conventions(sample, run, query, grades, measures):
    """Return each change of one choice of the convention."""
    choices = {field: [*choice.values] for field, choice in CHOICES.items()}
    for field, values in (choices | {"level": [g for g in grades if g > 0]}).items():
        for value in values:
            if value != getattr(TREC_EVAL, field):
                convention = replace(TREC_EVAL, **{field: value})
                scores = evaluate(sample.load().qrels, _run(sample, run), measures, convention)
                values = {
                    name: scores.value(name, None if query == MEAN else query) for name in measures
                }
                words = f"would be right under the convention “{convention.sentences()[field]}”"
                yield Change("choice", words, values)


def _by_hand(rankings, grades, measures):
    """Return each change to the grade or the rank of one document."""
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


def _regraded(ranking, grades, of_query):
    for entry in ranking.entries:
        now = "it is unjudged" if entry.grade is None else f"it has grade {entry.grade:g}"
        for grade in grades:
            if grade != (entry.grade or 0.0):
                words = f"{entry.document} had grade {grade:g}{of_query} ({now})"
                yield "grade", words, set_grade(ranking, entry.document, grade)


def _moved(ranking, of_query):
    for now, entry in enumerate(ranking.retrieved, 1):
        for rank in range(1, len(ranking.retrieved) + 1):
            if rank != now:
                words = f"{entry.document} were at rank {rank}{of_query} (it is at rank {now})"
                yield "rank", words, move(ranking, entry.document, rank)


def _another_result(case):
    """Return that the number is another result of the same run that the source prints, if so."""
    others = _results(*case.place)
    same = [
        name
        for name, value in zip(others["measure"], others["recomputed"], strict=True)
        if name != str(case.measure) and case.is_printed(value)
    ]
    return f"The printed {case.printed} is {same[0]}." if same else ""


def _wrong_ideal(case):
    """Return the ideal that the number needs, if the source prints the right numerator."""
    if len(case.rankings) > 1 or not case.measure.parts:
        return ""
    top, ideal = case.measure.parts
    frame = recomputed(case.sample)
    agrees = (frame["measure"] == str(top)) & (frame["verdict"] == "agrees")
    if not agrees.any():
        return ""
    earned, best = (float(score_all(case.rankings, part)[0]) for part in (top, ideal))
    needed = earned / unit(case.printed)[0]
    return (
        f"The printed {top} agrees, so the ideal ranking differs: {case.printed} needs "
        f"{ideal} = {needed:.2f}, and the data give {best:.2f}."
    )


def _no_order(case):
    """Return that no order of the documents gives the number, if none does."""
    *others, last = (reachable(ranking, case.measure) for ranking in case.rankings)
    sums = {round(math.fsum(values), _SAME) for values in product(*others)}
    means = ((one + np.array(last)) / len(case.rankings) for one in sums)
    nearest = (each[abs(each - unit(case.printed)[0]).argmin()] for each in means)
    if any(map(case.is_printed, nearest)):
        return ""
    return f"No order of the documents gives {case.printed}."


def _several_queries(case):
    """Return values that would be right, if few are possible."""
    if case.measure.parts:
        return ""
    possible = product(*(reachable(ranking, case.measure) for ranking in case.rankings))
    nearest = min(
        (each for each in possible if case.is_printed(math.fsum(each) / len(case.rankings))),
        key=lambda values: math.fsum(abs(np.subtract(values, case.values))),
    )
    needed = joined(map(case.written, case.rankings, nearest))
    return f"{case.printed} needs, for example, {needed}."


@cache
def reachable(ranking, measure):
    """Return the scores that the retrieved documents have in all their orders, ascending."""
    return np.unique(score_all(_reordered(ranking), measure).round(_SAME)).tolist()


@cache
def _reordered(ranking):
    """Return the ranking with its grades in each order."""
    grades = [entry.grade or 0.0 for entry in ranking.retrieved]
    graded = [
        {grade: replace(entry, grade=grade, tied=False) for grade in grades}
        for entry in ranking.retrieved
    ]
    return [
        replace(ranking, retrieved=tuple(map(dict.__getitem__, graded, order)))
        for order in _orders(grades)
    ]


def _orders(grades):
    """Return the different orders of some grades."""
    if not grades:
        yield ()
    for first in sorted(set(grades)):
        rest = list(grades)
        rest.remove(first)
        for others in _orders(rest):
            yield first, *others


if __name__ == "__main__":
    FILE.write_text(build(), "utf-8", newline="\n")
