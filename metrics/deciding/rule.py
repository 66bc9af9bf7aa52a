"""The rule of a check: when a drop is a regression."""

import math
from dataclasses import dataclass
from enum import Enum

from ..comparing.significance import EXACT, SAMPLES, TIE
from ..defaults import ALPHA, SEED
from ..errors import RankscopeError
from ..words import count
from .statement import UNEVEN

MAX_DROP = 0.01
"""A mean may drop by this much, in the unit of the measure."""
LESS_IS_BETTER = frozenset({"NumNonrelRet", "RBPres", "Unjudged"})
"""Measures that rise where a run gets worse."""


class Ruling(Enum):
    """What a check finds, for one measure or in all."""

    HOLDS = "holds"
    CHANCE = "may be chance"
    """The mean drops by more than is allowed, but the test cannot tell that from chance."""
    REGRESSION = "regression"
    CANNOT_TELL = "cannot tell"
    """The runs have unjudged documents in uneven shares, and with or without these it differs."""
    NOT_COMPARABLE = "not comparable"
    """Not of one measure: the two runs are not judged alike."""


IN_A_CHECK = {
    "unjudged": "5 where their shares differ by more than --max-gap and they decide the answer",
    "queries": "3 where one run lacks them; those that the convention counts as 0 drop",
    "ties": "ranked as the convention says, in both runs",
    "level": "as the convention says, for both runs",
}
"""What a check answers for each kind of `statement.LEAVES_OPEN`."""


@dataclass(frozen=True)
class Rule:
    """When a drop is a regression: it is larger than allowed *and* unlikely to be chance.

    Several measures must all hold. Their p-values are corrected together (Holm), so that more
    measures do not raise more false alarms.

    The p-value is two-sided, as in every other place of Rankscope. Only a drop fails, so of two
    equally good runs at most half of alpha fails: 2.5 % for 0.05. A one-sided test would find
    smaller drops at twice as many false alarms; a higher alpha does the same.

    Attributes
    ----------
    max_drop
        The largest drop of a mean that is allowed whatever its p-value, in the measure's unit.
    alpha
        A larger drop fails if the corrected p-value is below this. 1: nothing is tested, and the
        drop alone decides.
    must_hold
        Queries that must not drop at all, in any measure.
    max_gap
        The largest difference between the unjudged shares of the two runs, near the top, at which
        unjudged documents simply count as 0. Beyond it they favour the run that was pooled: a drop
        is a regression only where the judged documents alone show it, too. 1: any difference.
    seed
        The seed of the randomisation test.

    Raises
    ------
    RankscopeError
        When ``max_drop`` is negative, ``alpha`` not above 0 and at most 1, or ``max_gap`` not
        between 0 and 1.
    """

    max_drop: float = MAX_DROP
    alpha: float = ALPHA
    must_hold: tuple[str, ...] = ()
    max_gap: float = UNEVEN
    seed: int = SEED

    def __post_init__(self) -> None:
        if not 0 <= self.max_drop < math.inf:
            raise RankscopeError(f"max_drop must be a number, 0 or more, not {self.max_drop!r}.")
        if not 0 < self.alpha <= 1:
            raise RankscopeError(f"alpha must be above 0 and at most 1, not {self.alpha!r}.")
        if not 0 <= self.max_gap <= 1:
            raise RankscopeError(f"max_gap must be between 0 and 1, not {self.max_gap!r}.")

    @property
    def tests(self) -> bool:
        """Whether a drop is tested; else it alone decides."""
        return self.alpha < 1

    def ruling(self, delta: float, p: float) -> Ruling:
        """Return what a mean delta and its corrected p-value mean for one measure.

        Examples
        --------
        >>> [Rule().ruling(*each).value for each in ((-0.01, 0.0), (-0.02, 0.2), (-0.02, 0.01))]
        ['holds', 'may be chance', 'regression']
        >>> Rule(alpha=1).ruling(-0.02, 1.0).value
        'regression'
        """
        # A drop of exactly the limit can come out above it, by rounding.
        if not -delta > self.max_drop + TIE:
            return Ruling.HOLDS
        return Ruling.REGRESSION if not self.tests or p < self.alpha else Ruling.CHANCE

    def require_power(self, queries: int, measures: int) -> None:
        """Refuse a test that no drop could fail.

        Raises
        ------
        RankscopeError
            When the lowest p-value of so few queries, corrected, is not below alpha.

        Examples
        --------
        >>> Rule().require_power(queries=6, measures=1)
        >>> Rule().require_power(queries=5, measures=1)
        Traceback (most recent call last):
        ...
        metrics.errors.RankscopeError: With 5 queries p is never below 0.0625, so no drop could \
fail at alpha 0.05. Use more queries, or alpha 1: then nothing is tested and the drop alone decides.
        """
        lowest = 2.0 ** (1 - queries) if queries <= EXACT else 1 / (SAMPLES + 1)
        least = min(1.0, measures * lowest)
        if self.tests and least >= self.alpha:
            number = count(queries, "query", "queries")
            of = f" and {measures} measures" if measures > 1 else ""
            raise RankscopeError(
                f"With {number}{of} p is never below {least:g}, so no drop could fail at alpha "
                f"{self.alpha:g}. Use more queries, or alpha 1: then nothing is tested and the "
                "drop alone decides."
            )
