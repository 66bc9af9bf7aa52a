"""The argument of the tabs under the ledger."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from metrics import Convention, Ledger, Measure
from metrics.editing.hand_ranking import HandRanking
from metrics.exploring.convention_search import Under
from metrics.rendering.comparison_files import Source


@dataclass(frozen=True)
class ScoredRanking:
    """A ranking with its score, and a function that edits it.

    Attributes
    ----------
    run
        The name of its run.
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
    run: str
    grades: tuple[float, ...]
    under: Under
    change: Callable[[Callable[[HandRanking], HandRanking]], None] | None

    @property
    def source(self) -> Source:
        """The numbers of the page's charts."""
        return Source((self.run, self.ranking.query), str(self.measure), self.convention)
