"""Otherwise: the deltas of two runs in changed circumstances, and what they do to the verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from ..arrays import Floats
from ..comparing.comparison import Comparison
from ..comparing.significance import TESTS, TIE
from ..defaults import ALPHA
from ..judging.judged import JudgedRankings
from ..measures import Measure
from ..scoring.evaluate import mean, score
from ..words import p_is, signed

if TYPE_CHECKING:
    from .pairing import Pairing


@dataclass(frozen=True, eq=False, repr=False)
class Otherwise:
    """The delta of each query in changed circumstances, beside those of the pairing.

    The test runs when it is asked for: most circumstances change no sign.
    """

    pairing: Pairing
    deltas: Floats

    @cached_property
    def delta(self) -> float:
        """The mean delta B − A."""
        return mean(self.deltas)

    @cached_property
    def p(self) -> float:
        """The p-value of the paired test; NaN for fewer than two queries."""
        if len(self.deltas) < 2:
            return math.nan
        asked = self.pairing.test
        return TESTS[asked.test].p(self.deltas, asked.seed)

    @cached_property
    def sure(self) -> bool:
        """Whether the difference is unlikely to be noise, and the test favours the same run."""
        towards = TESTS[self.pairing.test.test].towards(self.deltas)
        return self.p < ALPHA and towards * self.delta > 0

    @property
    def turns(self) -> bool:
        """Whether these deltas favour another run than the verdict's.

        A lead that may be chance is not reversed by another that may be chance.
        """
        found = self.pairing.found
        if abs(self.delta) <= TIE or self.delta * found.delta > 0:
            return False
        return found.sure or self.sure

    @property
    def lead(self) -> tuple[str, tuple[str, ...]]:
        """Who leads by how much, as a template and its names."""
        if not abs(self.delta) > TIE:
            return "neither leads", ()
        tested = "" if math.isnan(self.p) else f", {p_is(self.p)}"
        if self.pairing.found.sure and not self.sure and tested:
            tested += ", which may be chance"
        leader = self.pairing.leader(self.delta)
        return f"{{}} leads by {signed(abs(self.delta))}{tested}", (leader,)


def under(of: Pairing, **choices: object) -> Otherwise:
    """Return the runs compared with other choices that do not affect the rankings."""
    return rescored(of, [side.under(**choices) for side in of.sides])


def at(of: Pairing, cutoff: int | None) -> Otherwise:
    """Return the runs compared by the same measure at another cutoff."""
    return rescored(of, of.sides, replace(of.measure, cutoff=cutoff))


def rescored(
    of: Pairing, sides: Sequence[JudgedRankings], measure: Measure | None = None
) -> Otherwise:
    """Return the runs compared on these rankings, on the compared queries that both score."""
    measure = measure or of.measure
    a, b = (score(side, [measure]) for side in sides)
    return Otherwise(of, Comparison(a, b, of.comparison.queries).deltas(measure))
