"""The same score by another route, over plain lists and without a ledger: a check to show."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ..conventions.discounts import DISCOUNTS
from ..conventions.gains import gain_function
from ..measures.ledger import Ledger


@dataclass(frozen=True)
class Route:
    """A second way to a score: in a few words, and what it gives."""

    words: str
    value: float


@dataclass(frozen=True)
class _Query:
    """One query as plain values: ``ranked`` holds (rank, grade) of the judged retrieved ones."""

    ranked: list[tuple[int, float]]
    grades: list[float]
    retrieved: int
    ledger: Ledger

    @property
    def k(self) -> int:
        return self.ledger.measure.cutoff or max(self.retrieved, 1)

    @cached_property
    def hits(self) -> list[int]:
        """The ranks of the relevant documents down to the cutoff."""
        level = self.ledger.convention.level
        return [rank for rank, grade in self.ranked if grade >= level and rank <= self.k]

    @cached_property
    def relevant(self) -> int:
        return sum(grade >= self.ledger.convention.level for grade in self.grades)

    @property
    def divisor(self) -> int:
        few = self.ledger.convention.precision == "returned"
        return min(self.k, self.retrieved) if few else self.k

    def cumulated(self, gains: list[tuple[int, float]], k: int) -> float:
        """DCG by partial summation: each rank's gain so far times how much the discount falls."""
        by_rank, total, so_far = dict(gains), 0.0, 0.0
        # Below the last gain the falls of the discount add up to what is left of it.
        k = min(k, max(by_rank, default=1))
        for rank in range(1, k + 1):
            so_far += by_rank.get(rank, 0.0)
            below = 1 / self.discounted(rank + 1) if rank < k else 0.0
            total += so_far * (1 / self.discounted(rank) - below)
        return total

    def discounted(self, rank: int) -> float:
        divisor = DISCOUNTS[self.ledger.convention.discount].divisor
        return float(divisor(np.array([rank]))[0])

    def gains(self, pairs: list[tuple[int, float]]) -> list[tuple[int, float]]:
        gain = gain_function(self.ledger.convention.gain)
        return [(rank, float(gain(np.array([grade]))[0])) for rank, grade in pairs]


def _precision(query: _Query) -> Route:
    words = f"{len(query.hits)} relevant documents counted, divided by {query.divisor}"
    return Route(words, len(query.hits) / query.divisor if query.divisor else 0.0)


def _recall(query: _Query) -> Route:
    words = f"{len(query.hits)} relevant documents counted, divided by {query.relevant}"
    return Route(words, len(query.hits) / query.relevant)


def _f1(query: _Query) -> Route:
    p, r = _precision(query).value, _recall(query).value
    words = f"the harmonic mean of precision {p:.4f} and recall {r:.4f}"
    return Route(words, 2 / (1 / p + 1 / r) if p and r else 0.0)


def _first(query: _Query) -> Route:
    if not query.hits:
        return Route("no relevant document", 0.0)
    return Route(f"1 divided by the first relevant rank, {query.hits[0]}", 1 / query.hits[0])


def _success(query: _Query) -> Route:
    return Route(f"{len(query.hits)} relevant documents counted", float(bool(query.hits)))


def _area(query: _Query) -> Route | None:
    if query.ledger.convention.ap != "R":
        return None
    area, before = 0.0, 0.0
    for number, rank in enumerate(query.hits, 1):
        recall = number / query.relevant
        area, before = area + (recall - before) * number / rank, recall
    return Route("the area under precision over recall, step by step", area)


def _dcg(query: _Query) -> Route | None:
    if any(grade < 0 for grade in query.grades):
        return None
    value = query.cumulated(query.gains(query.ranked), query.k)
    return Route("cumulated gains, each times the fall of the discount below it", value)


def _ndcg(query: _Query) -> Route | None:
    convention, top = query.ledger.convention, _dcg(query)
    if top is None or convention.ideal == "doubled":
        return None
    retrieved = [grade for _, grade in query.ranked]
    pool = query.grades if convention.ideal == "judged" else retrieved
    gains = sorted((gain for _, gain in query.gains([(0, grade) for grade in pool])), reverse=True)
    cut = query.ledger.measure.cutoff if convention.ideal_cut == "k" else None
    depth = cut or max(len(gains), 1)
    ideal = query.cumulated(list(enumerate(gains, 1)), depth)
    words = f"{top.words}: {top.value:.4f} ÷ {ideal:.4f}"
    return Route(words, top.value / ideal) if ideal else None


ROUTES: dict[str, Callable[[_Query], Route | None]] = {
    "P": _precision,
    "R": _recall,
    "F1": _f1,
    "RR": _first,
    "Success": _success,
    "AP": _area,
    "DCG": _dcg,
    "nDCG": _ndcg,
}
"""The measures that have one, by symbol."""


def second_route(ledger: Ledger, query: str) -> Route | None:
    """One query's score by another route; None where the measure or the convention has none.

    Examples
    --------
    >>> from metrics import Qrels, Run, trace
    >>> qrels = Qrels.from_dict({"q": {"a": 1, "b": 1}})
    >>> run = Run.from_dict({"q": {"a": 3, "x": 2, "b": 1}})
    >>> round(second_route(trace(qrels, run, "AP", "q"), "q").value, 4)
    0.8333
    """
    route = ROUTES.get(ledger.measure.symbol)
    number = ledger.judged.queries.index(query)
    judged = ledger.judged.judged.grade[ledger.judged.judged.query == number]
    plain = _Query(
        [
            (rank, grade)
            for of, rank, grade in zip(
                ledger.judged.hits.query.tolist(),
                ledger.judged.hits.rank.tolist(),
                ledger.judged.hits.grade.tolist(),
                strict=True,
            )
            if of == number and not math.isnan(grade)
        ],
        judged.tolist(),
        int(ledger.judged.retrieved[number]),
        ledger,
    )
    if route is None or ledger.convention.ties == "mean" or not plain.relevant:
        return None
    return route(plain)
