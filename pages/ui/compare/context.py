"""The argument of the tabs under the overview."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from metrics import Comparison, Convention, Dataset, Measure, Run
from metrics.comparing.evidence import Evidence, PairedTest
from metrics.judging.judged import Rankings
from metrics.rendering.comparison_files import Source

from .query_filter import Filtered
from .runs import AvailableRuns

DEPTH = 10
"""Unjudged documents are counted down to this rank if the measure has no cutoff."""


@dataclass(frozen=True)
class ComparisonPage:
    """The comparison shown on the page.

    Attributes
    ----------
    runs, pair
        The runs that can be compared, and the keys of A and B among them.
    comparison
        A and B by the measure under the convention.
    paired_test
        The paired test chosen under Tests.
    rows
        The evidence of each tested measure, the chosen measure first.
    frame
        Each query's scores under A and B, the largest gain of B first.
    picked
        The query shown under One query.
    only
        The filter of queries; every other field is of the queries that fit.
    """

    runs: AvailableRuns
    pair: tuple[str, str]
    comparison: Comparison
    measure: Measure
    convention: Convention
    paired_test: PairedTest
    rows: Mapping[str, Evidence]
    frame: pd.DataFrame
    picked: str
    only: Filtered

    @property
    def label(self) -> str:
        """The convention's label for this measure, with the number of queries if filtered."""
        return self.only.label(self.measure.label(self.convention))

    @property
    def source(self) -> Source:
        """The numbers of the page's charts."""
        a, b = self.two
        return Source((a.name, b.name, self.only.label("")), str(self.measure), self.convention)

    @property
    def depth(self) -> int:
        """The rank down to which lists are compared."""
        return self.measure.cutoff or DEPTH

    @property
    def dataset(self) -> Dataset:
        """The data set of both runs."""
        return self.runs.dataset

    @property
    def two(self) -> tuple[Rankings, Rankings]:
        """Run A and run B."""
        a, b = self.pair
        return self.run(a), self.run(b)

    @property
    def whole(self) -> tuple[Run, Run] | None:
        """Run A and run B; None where one of them is judged rankings only."""
        a, b = self.two
        return (a, b) if isinstance(a, Run) and isinstance(b, Run) else None

    def run(self, key: str) -> Rankings:
        """Return one of the runs by its key."""
        return self.runs.run(key, self.convention)
