"""Why a printed result is not the value that its data give, in a few sentences."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Floats
from ..conventions.convention import TREC_EVAL
from ..editing.hand_ranking import HandRanking
from ..exploring.published_numbers import unit, verdict
from ..exploring.what_if import score_all
from ..measures import Measure
from ..scoring.naming import parse
from ..words import joined, number
from .published_results import convention_behind
from .samples import Sample, recomputed
from .single_change import MEAN, rankings_of, single_change

if TYPE_CHECKING:
    import pandas as pd

_SAME = 9
"""Values that agree in this many digits are the same."""


@cache
def reasons(sample: Sample) -> tuple[str, ...]:
    """Return for each row of `recomputed` why it does not agree; empty where it does."""
    rows = (row for _, row in recomputed(sample).iterrows())
    return tuple(_reason(sample, row) for row in rows)


def _reason(sample: Sample, row: pd.Series[str]) -> str:
    if row["verdict"] == "agrees":
        return ""
    differs = row["verdict"] == "differs"
    return diagnosis(sample, row) if differs else rounded_terms(sample, row["measure"])


def diagnosis(sample: Sample, row: pd.Series[str]) -> str:
    """Return what the data give, and what would give the printed number.

    Parameters
    ----------
    row
        A row of `recomputed`, whose verdict is ``"differs"``.

    Examples
    --------
    >>> from metrics.teaching.samples import catalogue
    >>> sample = catalogue()["recall-seven"]
    >>> diagnosis(sample, recomputed(sample).iloc[1])
    'In the top 3 only doc_1 is relevant: 1/4 = 0.2500. The printed 0.50 is R@5.'
    """
    case = _Case.of(sample, row)
    behind = convention_behind(sample, row)
    if behind.found:
        return f"{case.given} The printed {case.printed} comes from {behind.found}."
    single = single_change(sample, row)
    if reason := _another_result(case) or single.reason:
        return f"{case.given} {reason}"
    causes = _wrong_ideal, _no_order, _several_queries
    reason = next(filter(None, (explained(case) for explained in causes)), "")
    none = f"No single change gives {case.printed}; tried were {behind.tried}, {single.tried}."
    return " ".join(filter(None, (case.given, reason, none)))


def rounded_terms(sample: Sample, measure: str) -> str:
    """Return that a printed total is the sum of its printed, rounded terms; empty if it is not.

    Examples
    --------
    >>> from metrics.teaching.samples import catalogue
    >>> rounded_terms(catalogue()["laptop"], "DCG@5")
    'The rounded terms 3.000 + 1.262 + 0.000 + 0.431 + 0.774 add up to 5.467.'
    """
    cells = [cell for cell in sample.printed if cell.measure == measure]
    terms = [cell.value for cell in cells if cell.column == "contribution"]
    total = next(cell.value for cell in cells if not cell.column)
    if verdict(total, math.fsum(map(float, terms))) != "agrees":
        return ""
    return f"The rounded terms {' + '.join(terms)} add up to {total}."


@dataclass(frozen=True)
class _Case:
    """One printed result, with the ranking and the score of each of its queries."""

    sample: Sample
    run: str
    measure: Measure
    printed: str
    rankings: Mapping[str, HandRanking]

    @classmethod
    def of(cls, sample: Sample, row: pd.Series[str]) -> _Case:
        rankings = rankings_of(sample, row["run"], row["query"])
        return cls(sample, row["run"], parse(row["measure"]), row["printed"], rankings)

    @cached_property
    def values(self) -> Floats:
        """``(q,)`` the score of each query."""
        return score_all(self.rankings.values(), self.measure)

    @property
    def quotient(self) -> bool:
        """Whether the measure divides by the value of an ideal ranking."""
        return bool(self.measure.parts)

    def is_printed(self, total: float) -> bool:
        """Return whether a sum over the queries has the printed number as its mean."""
        return verdict(self.printed, total / len(self.rankings)) == "agrees"

    def written(self, ranking: HandRanking, value: float) -> str:
        """Return a query's score as the fraction that it is counted as; else as a decimal."""
        relevant = sum(grade >= TREC_EVAL.level for grade in ranking.grades.values())
        whole = {"P": self.measure.cutoff, "R": relevant}.get(self.measure.symbol)
        if whole:
            return f"{round(value * whole)}/{whole}"
        if self.measure.symbol == "RR" and value:
            return f"1/{round(1 / value)}"
        return f"{value:g}" if value in (0, 1) else number(value)

    @cached_property
    def given(self) -> str:
        """What the data give, in arithmetic."""
        shares = list(map(self.written, self.rankings.values(), self.values))
        if len(shares) > 1:
            mean = math.fsum(self.values) / len(shares)
            return f"Query by query the data give {joined(shares)}; the mean is {number(mean)}."
        (ranking,) = self.rankings.values()
        if self.quotient:
            parts = [
                f"{part} = {number(score_all([ranking], part)[0])}" for part in self.measure.parts
            ]
            return f"{' and '.join(parts)} give {self.measure} = {number(self.values[0])}."
        hits = [
            entry.document
            for entry in ranking.retrieved[: self.measure.cutoff]
            if (entry.grade or 0) >= TREC_EVAL.level
        ]
        only = {0: "no document is", 1: f"only {joined(hits)} is"}
        found = only.get(len(hits), f"{joined(hits)} are")
        return (
            f"In the top {self.measure.cutoff} {found} relevant: {shares[0]} = "
            f"{number(self.values[0])}."
        )


def _another_result(case: _Case) -> str:
    """Return that the number is another result of the same run that the source prints, if so."""
    results = recomputed(case.sample)
    own = MEAN if len(case.rankings) > 1 else next(iter(case.rankings))
    others = results[(results["run"] == case.run) & (results["query"] == own)]
    same = [
        name
        for name, value in zip(others["measure"], others["recomputed"], strict=True)
        if name != str(case.measure) and verdict(case.printed, value) == "agrees"
    ]
    return f"The printed {case.printed} is {same[0]}." if same else ""


def _wrong_ideal(case: _Case) -> str:
    """Return the ideal that the number needs, if the source prints the right numerator."""
    if len(case.rankings) > 1 or not case.quotient:
        return ""
    (ranking,) = case.rankings.values()
    top, ideal = case.measure.parts
    frame = recomputed(case.sample)
    agrees = (frame["measure"] == str(top)) & (frame["verdict"] == "agrees")
    if not agrees.any():
        return ""
    earned, best = (float(score_all([ranking], part)[0]) for part in (top, ideal))
    needed = earned / unit(case.printed)[0]
    return (
        f"The printed {top} agrees, so the ideal ranking differs: {case.printed} needs "
        f"{ideal} = {needed:.2f}, and the data give {best:.2f}."
    )


def _no_order(case: _Case) -> str:
    """Return that no order of the documents gives the number, if none does."""
    found = [reachable(ranking, case.measure) for ranking in case.rankings.values()]
    *others, last = found
    sums = {round(math.fsum(values), _SAME) for values in product(*others)}
    if any(case.is_printed(one + other) for one in sums for other in last):
        return ""
    return f"No order of the documents gives {case.printed}."


def _several_queries(case: _Case) -> str:
    """Return values that would be right, if few are possible."""
    if case.quotient:
        return ""
    rankings = case.rankings.values()
    possible = product(*(reachable(ranking, case.measure) for ranking in rankings))
    nearest = min(
        (values for values in possible if case.is_printed(math.fsum(values))),
        key=lambda values: math.fsum(abs(np.subtract(values, case.values))),
    )
    return f"{case.printed} needs, for example, {joined([*map(case.written, rankings, nearest)])}."


@lru_cache(256)
def reachable(ranking: HandRanking, measure: Measure) -> list[float]:
    """Return the scores that the retrieved documents have in all their orders, ascending.

    Examples
    --------
    >>> from metrics import parse
    >>> reachable(HandRanking.of("q", {"a": 1}, ["b", "a", "c"]), parse("RR"))
    [0.333333333, 0.5, 1.0]
    """
    grades = [entry.grade or 0.0 for entry in ranking.retrieved]
    orders = (
        replace(
            ranking,
            retrieved=tuple(
                replace(entry, grade=grade, tied=False)
                for entry, grade in zip(ranking.retrieved, order, strict=True)
            ),
        )
        for order in _orders(grades)
    )
    values: list[float] = np.unique(score_all(orders, measure).round(_SAME)).tolist()
    return values


def _orders(grades: Sequence[float]) -> Iterator[tuple[float, ...]]:
    """Return the different orders of some grades."""
    if not grades:
        yield ()
    for first in sorted(set(grades)):
        rest = list(grades)
        rest.remove(first)
        for others in _orders(rest):
            yield first, *others
