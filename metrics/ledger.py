"""The ledger: one line per rank, whose contributions sum to the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .convention import Convention
from .judged import JudgedRankings
from .ranking import Hits

if TYPE_CHECKING:
    import pandas as pd

    from .measures import Measure


@dataclass(frozen=True, eq=False)
class Ledger:
    """What each rank of each query earned under one measure.

    Attributes
    ----------
    measure
        The measure that was applied.
    convention
        The convention it was applied under, the measure's own parameters included.
    judged
        The rankings it was applied to.
    hits
        ``(n,)`` the lines: documents at ranks, down to the cutoff.
    working
        ``(n,)`` columns that lead to the contribution (gain, discount, precision …), in order.
    contribution
        ``(n,)`` what each line adds to its query's score.
    """

    measure: Measure
    convention: Convention
    judged: JudgedRankings
    hits: Hits
    working: Mapping[str, NDArray[Any]]
    contribution: NDArray[np.float64]

    @cached_property
    def scores(self) -> NDArray[np.float64]:
        """``(q,)`` the score of each query: its contributions added in rank order."""
        return self.judged.per_query(self.hits.query, self.contribution)

    def table(self, query: str) -> pd.DataFrame:
        """The lines of one query, with the running total: metric@k at each rank k.

        Raises
        ------
        ValueError
            When the query was not evaluated.
        """
        import pandas as pd

        lines = self.hits.query == self.judged.queries.index(query)
        hits = self.hits[lines]
        columns: dict[str, Any] = {
            "rank": hits.rank,
            "document": hits.document.to_pylist(),
            "grade": hits.grade,
        }
        columns |= {name: column[lines] for name, column in self.working.items()}
        columns["contribution"] = self.contribution[lines]
        columns["running"] = np.cumsum(self.contribution[lines])
        return pd.DataFrame(columns).set_index("rank")
