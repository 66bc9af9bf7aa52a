"""The argument of all parts of the page below its pickers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from metrics import Comparison, Dataset, Pairing
from metrics.comparing.slices import first_to_read
from metrics.rendering import comparison_tables
from metrics.rendering.comparison_files import Source

from .fusing import AvailableRuns
from .query_filter import Filtered


@dataclass(frozen=True)
class ComparisonPage:
    """The comparison shown on the page.

    Attributes
    ----------
    pairing
        Run A and run B by the tested measures, over the queries that fit the filter.
    runs, pair
        The runs that can be compared, and the keys of A and B among them.
    only
        The filter of queries.
    picked
        The query shown under One query.
    """

    pairing: Pairing
    runs: AvailableRuns
    pair: tuple[str, str]
    only: Filtered
    picked: str = ""

    @cached_property
    def comparison(self) -> Comparison:
        """The comparison by the shown measure alone."""
        return self.pairing.by(self.pairing.measure).comparison

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Each query's scores by the shown measure, the largest gain of B first."""
        return comparison_tables.queries(self.comparison, self.shown, self.dataset.query_texts)

    @property
    def first(self) -> str:
        """The query to read first."""
        return first_to_read(self.frame["delta"], self.pairing.found, self.pairing.test.tie)

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
