"""Situation: two compared runs with everything that a verdict rests on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ..arrays import Floats, Ints
from ..auditing.id_mismatch import Mend, for_documents
from ..comparing.comparison import Comparison
from ..comparing.evidence import ALPHA, Evidence, PairedTest
from ..comparing.mean_range import MeanRange, mean_range
from ..comparing.significance import TESTS, TIE, without_noise
from ..data import Qrels, Run
from ..judging.judged import JudgedRankings, Rankings
from ..measures import Measure
from ..measures.arithmetic import assessed
from ..scoring.evaluate import mean, score
from ..words import p_is, signed

DEPTH = 10
"""Documents count as near the top down to this rank if the measure has no cutoff."""


@dataclass(frozen=True, eq=False, repr=False)
class Other:
    """The delta of each query in changed circumstances, and whether it is unlikely to be chance.

    The test runs when it is asked for: most circumstances change no sign.
    """

    deltas: Floats
    asked: PairedTest

    @cached_property
    def delta(self) -> float:
        """The mean delta B − A."""
        return mean(self.deltas)

    @cached_property
    def p(self) -> float:
        """The p-value of the paired test; NaN for fewer than two queries."""
        if len(self.deltas) < 2:
            return math.nan
        return TESTS[self.asked.test].p(self.deltas, self.asked.seed)

    @cached_property
    def sure(self) -> bool:
        """Whether the difference is unlikely to be noise, and the test favours the same run."""
        return self.p < ALPHA and TESTS[self.asked.test].towards(self.deltas) * self.delta > 0


@dataclass(frozen=True, eq=False, repr=False)
class Situation:
    """Two runs compared by one measure.

    Attributes
    ----------
    qrels, runs
        The judgments, run A and run B; judged rankings in the place of a run that is not known
        as a whole.
    comparison
        The comparison, with the ledgers of at least the measure.
    measure
        The primary measure.
    rows
        The evidence of each measure, the primary one first.
    asked
        The paired test.
    find_mend
        Returns a change after which a run's document ids match the qrels, if there is one.
    """

    qrels: Qrels
    runs: tuple[Rankings, Rankings]
    comparison: Comparison
    measure: Measure
    rows: Mapping[str, Evidence]
    asked: PairedTest
    find_mend: Callable[[Run, Qrels], Mend | None] = for_documents

    @cached_property
    def found(self) -> Evidence:
        """The evidence of the primary measure."""
        return self.rows[str(self.measure)]

    @cached_property
    def deltas(self) -> Floats:
        """``(n,)`` the delta of each scored query."""
        return np.asarray(self.comparison.per_query(str(self.measure))["delta"])

    @cached_property
    def queries(self) -> tuple[str, ...]:
        """The scored queries, in the order of `deltas`."""
        return tuple(map(str, self.comparison.per_query(str(self.measure)).index))

    @property
    def sides(self) -> tuple[JudgedRankings, JudgedRankings]:
        """The judged rankings of A and of B."""
        return self.comparison.a.judged, self.comparison.b.judged

    @property
    def names(self) -> tuple[str, str]:
        """The names of A and B, told apart where they are equal or missing."""
        a, b = (run.name for run in self.runs)
        return (a, b) if a != b and a and b else (f"{a} (A)".strip(), f"{b} (B)".strip())

    @property
    def depth(self) -> int:
        """The rank down to which documents count as near the top."""
        return self.measure.cutoff or DEPTH

    @cached_property
    def matched(self) -> tuple[int, int]:
        """The number of judged documents that A and B retrieve for the evaluated queries."""
        a, b = (int(assessed(side.hits, side.convention).sum()) for side in self.sides)
        return a, b

    @cached_property
    def unjudged(self) -> tuple[float, float]:
        """The unjudged share of the documents near the top of A and of B, over the queries."""
        holes = self.comparison.unjudged_documents(self.depth).loc[list(self.queries)].sum()
        near = []
        for side in self.sides:
            size = dict(zip(side.queries, np.minimum(side.retrieved, self.depth), strict=True))
            near.append(sum(int(size[query]) for query in self.queries))
        a, b = (
            float(number / of) if of else 0.0
            for number, of in zip(holes[["A", "B"]], near, strict=True)
        )
        return a, b

    @property
    def whole(self) -> tuple[Run, Run] | None:
        """Run A and run B with their unjudged documents; None where one is not known as a whole."""
        a, b = self.runs
        return (a, b) if isinstance(a, Run) and isinstance(b, Run) else None

    @property
    def same(self) -> bool:
        """Whether A and B are certainly the same run."""
        a, b = (run.digest for run in self.runs)
        return bool(a) and a == b

    @cached_property
    def over_grades(self) -> MeanRange | None:
        """The range of the mean delta over all grades of unjudged documents.

        None where they are too many, or not known.
        """
        if self.whole is None:
            return None
        return mean_range(self.qrels, *self.whole, self.measure, self.comparison)

    def towards_leader(self, low: float, high: float) -> tuple[float, float]:
        """Return a range of B − A as one of the leader's lead, the lowest first."""
        return (low, high) if self.found.delta > 0 else (-high, -low)

    def leader(self, delta: float) -> str:
        """Return the name of the run that a mean delta favours."""
        return self.names[int(delta > 0)]

    def tested(self, deltas: Floats) -> Other:
        """Return other deltas with the chosen test of them."""
        return Other(deltas, self.asked)

    def scored(self, sides: Sequence[JudgedRankings]) -> Other:
        """Return the runs compared on these rankings, on the compared queries that both score."""
        a, b = (
            score(side, [self.measure]).ledgers[str(self.measure)].scores[rows]
            for side, rows in zip(sides, self._rows, strict=True)
        )
        both = ~(np.isnan(a) | np.isnan(b))
        a, b = a[both], b[both]
        largest = float(np.abs(np.append(a, b)).max(initial=0.0))
        return self.tested(without_noise(b - a, largest))

    @cached_property
    def _rows(self) -> tuple[Ints, Ints]:
        """The place of each compared query among those of A and of B."""
        places = [{query: i for i, query in enumerate(side.queries)} for side in self.sides]
        a, b = (np.array([each[q] for q in self.comparison.queries], np.int64) for each in places)
        return a, b

    def turns(self, other: Other) -> bool:
        """Return whether the other deltas favour another run than the verdict's.

        A lead that may be chance is not reversed by another that may be chance.
        """
        if abs(other.delta) <= TIE or other.delta * self.found.delta > 0:
            return False
        return self.found.sure or other.sure

    def lead(self, other: Other) -> tuple[str, tuple[str, ...]]:
        """Return who leads by how much, as a template and its names."""
        if not abs(other.delta) > TIE:
            return "neither leads", ()
        tested = "" if np.isnan(other.p) else f", {p_is(other.p)}"
        if self.found.sure and not other.sure and tested:
            tested += ", which may be chance"
        return f"{{}} leads by {signed(abs(other.delta))}{tested}", (self.leader(other.delta),)

    def under(self, **choices: object) -> Other:
        """Return the runs compared with other choices that do not affect the rankings."""
        return self.scored([side.under(**choices) for side in self.sides])

    def at(self, cutoff: int | None) -> Other:
        """Return the runs compared by the same measure at another cutoff."""
        return replace(self, measure=replace(self.measure, cutoff=cutoff)).scored(self.sides)
