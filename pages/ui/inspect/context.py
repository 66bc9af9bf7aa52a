"""What the tabs under the ledger get: the ranking with its score, and how to edit it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metrics import Convention, Ledger, Measure
from metrics.editing.hand_ranking import HandRanking
from metrics.exploring.convention_search import Under


@dataclass(frozen=True)
class ScoredRanking:
    """A ranking with its score, and how an edit of it is made.

    Attributes
    ----------
    grades
        The grades that a document may get, in ascending order.
    under
        The ranking as each convention orders it.
    change
        Makes an edit of the ranking.
    """

    ranking: HandRanking
    ledger: Ledger
    measure: Measure
    convention: Convention
    grades: tuple[float, ...]
    under: Under
    change: Callable[[Callable[[HandRanking], HandRanking]], None]

    @property
    def label(self) -> str:
        """The convention's name."""
        return self.measure.label(self.convention)
