"""The ledger: one line per rank, whose contributions sum to the score."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .. import notebook
from ..arrays import Floats, pd
from ..conventions.convention import Convention
from ..errors import DataError
from ..matching import Hits, JudgedRankings

if TYPE_CHECKING:
    from . import Measure


@dataclass(frozen=True, eq=False, repr=False)
class Ledger:
    """The contribution of each rank of each query under one measure.

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
    earned
        ``(n,)`` what each line earns, before it is divided.
    divisor
        ``(q,)`` what all that a query earns is divided by, once: k, R, IDCG …; 1 for none.
    at_start
        ``(q,)`` what each query has before any document, before it is divided: usually 0. NaN: no
        score.
    """

    measure: Measure
    convention: Convention
    judged: JudgedRankings
    hits: Hits
    working: Mapping[str, NDArray[Any]]
    earned: Floats
    divisor: Floats
    at_start: Floats

    def __repr__(self) -> str:
        return f"Ledger({self.measure}: {len(self.at_start)} queries, {len(self.hits)} lines)"

    def _repr_html_(self) -> str:
        """Return the first lines of the first query, for a notebook."""
        if not self.judged.queries:
            return notebook.card(repr(self), (), ())
        query = self.judged.queries[0]
        table = self.table(query).head(notebook.MOST)
        title = f"{self!r}; {query}: {self.score(query):.4f}"
        return notebook.card(title, ("rank", *map(str, table.columns)), table.itertuples(name=None))

    @cached_property
    def start(self) -> Floats:
        """``(q,)`` the start of each query's sum, before any document: usually 0. NaN: no score."""
        return self.at_start / self.divisor

    @cached_property
    def contribution(self) -> Floats:
        """``(n,)`` what each line adds to its query's score."""
        return self.earned / self.divisor[self.hits.query]

    @cached_property
    def scores(self) -> Floats:
        """``(q,)`` the score of each query: the start and all that it earns, divided once.

        Three hits in five are 3/5 = 0.6 so; three times 1/5 would be 0.6000000000000001.
        """
        query = np.append(np.arange(len(self.at_start)), self.hits.query)
        total = self.judged.per_query(query, np.append(self.at_start, self.earned))
        return np.asarray(total / self.divisor)

    def score(self, query: str) -> float:
        """Return the score of one query.

        Parameters
        ----------
        query
            The id of an evaluated query.

        Raises
        ------
        DataError
            When the query was not evaluated.
        """
        return float(self.scores[self.place(query)])

    def place(self, query: str) -> int:
        """Return the place, from 0, of a query in the arrays with one number per query.

        Parameters
        ----------
        query
            The id of an evaluated query.

        Raises
        ------
        DataError
            When the query was not evaluated.
        """
        if not isinstance(query, str) or query not in self.judged.queries:
            raise DataError(
                f"Query {query!r} was not evaluated: it must be in the qrels and in the run."
            )
        return self.judged.queries.index(query)

    @cached_property
    def parts(self) -> tuple[Ledger, ...]:
        """The ledgers of numerator and denominator; this one where the measure has no parts."""
        return tuple(part.ledger(self.judged) for part in self.measure.parts) or (self,)

    @cached_property
    def shown(self) -> Hits:
        """``(n,)`` the lines as they are shown: an ideal orders equal grades as the list does."""
        return self.measure.shown(self)

    @property
    def ideal(self) -> Ledger | None:
        """The ledger of the ideal ranking, the denominator; None where the measure has no parts."""
        return self.parts[1] if self.measure.parts else None

    def table(self, query: str) -> pd.DataFrame:
        """Return the lines of one query, with the running total: metric@k at each rank k.

        A start that is not 0 is a line of its own, at rank 0.

        Parameters
        ----------
        query
            The id of an evaluated query.

        Returns
        -------
        DataFrame
            Index ``rank``; columns ``document`` and ``grade``, those of the working,
            ``contribution``, and ``running``, the total so far.

        Raises
        ------
        DataError
            When the query was not evaluated.
        """
        number = self.place(query)
        if query not in self._tables:
            self._tables[query] = self._table(number)
        return self._tables[query].copy()

    @cached_property
    def _tables(self) -> dict[str, pd.DataFrame]:
        """The tables made so far: a page shows the same lines in several forms."""
        return {}

    def _table(self, number: int) -> pd.DataFrame:
        lines = self.hits.query == number
        hits = self.shown[lines]
        start = float(self.start[number])
        columns: dict[str, Any] = {"document": hits.document.to_pylist(), "grade": hits.grade}
        columns |= {name: column[lines] for name, column in self.working.items()}
        columns["contribution"] = self.contribution[lines]
        sums = np.cumsum(np.append(self.at_start[number], self.earned[lines]))[1:]
        columns["running"] = sums / self.divisor[number]
        table = pd.DataFrame(columns, index=pd.Index(hits.rank, name="rank"))
        if start == 0:
            return table
        # Int64 keeps whole numbers whole next to the missing values of the first line.
        table = table.astype(dict.fromkeys(table.select_dtypes("integer"), "Int64"))
        first = {
            "document": [self.start_names[number]],
            "contribution": [start],
            "running": [start],
        }
        return pd.concat([pd.DataFrame(first, index=pd.Index([0], name="rank")), table])[
            list(table.columns)
        ]

    @cached_property
    def start_names(self) -> NDArray[np.object_]:
        """``(q,)`` the words in place of a document on the line of each query's start."""
        own = self.measure.start(self.judged, self.convention)
        # Only a query with nothing to find has a start other than the measure's own.
        names = np.where(self.at_start == own, self.measure.start_name, "nothing to find")
        return np.array([f"({name})" for name in names], dtype=object)
