"""The argument of the tabs under the overview."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from metrics import Dataset, Pairing
from metrics.rendering.comparison_files import Source

from .query_filter import Filtered
from .runs import AvailableRuns


@dataclass(frozen=True)
class ComparisonPage:
    """The comparison shown on the page.

    Attributes
    ----------
    pairing
        Run A and run B by the tested measures, over the queries that fit the filter.
    runs, pair
        The runs that can be compared, and the keys of A and B among them.
    frame
        Each query's scores under A and B by the shown measure, the largest gain of B first.
    picked
        The query shown under One query.
    only
        The filter of queries.
    """

    pairing: Pairing
    runs: AvailableRuns
    pair: tuple[str, str]
    frame: pd.DataFrame
    picked: str
    only: Filtered

    @property
    def shown(self) -> str:
        """The name of the shown measure."""
        return str(self.pairing.measure)

    @property
    def label(self) -> str:
        """The convention's label for this measure, with the number of queries if filtered."""
        return self.only.label(self.pairing.measure.label(self.pairing.convention))

    @property
    def source(self) -> Source:
        """The numbers of the page's charts."""
        of = self.pairing
        return Source((of.a.name, of.b.name, self.only.label("")), self.shown, of.convention)

    @property
    def dataset(self) -> Dataset:
        """The data set of both runs."""
        return self.runs.dataset
