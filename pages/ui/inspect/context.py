"""What a closer look is at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metrics import Convention, Ledger, Measure
from metrics.editing.hand_ranking import HandRanking
from metrics.exploring.convention_search import Under


@dataclass(frozen=True)
class Look:
    """What a closer look is at, and how an edit that it proposes is made."""

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
