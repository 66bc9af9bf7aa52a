"""The argument of the tabs under the ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metrics import Convention, Ledger, Measure
from metrics.editing.hand_ranking import HandRanking
from metrics.exploring.convention_search import Under


@dataclass(frozen=True)
class ScoredRanking:
    """A ranking with its score, and a function that edits it.

    Attributes
    ----------
    grades
        The possible grades of a document, in ascending order.
    under
        Returns the ranking as a convention orders it.
    change
        Applies an edit to the ranking; None when a lesson does not allow edits.
    """

    ranking: HandRanking
    ledger: Ledger
    measure: Measure
    convention: Convention
    grades: tuple[float, ...]
    under: Under
    change: Callable[[Callable[[HandRanking], HandRanking]], None] | None
