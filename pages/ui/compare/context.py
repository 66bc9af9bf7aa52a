"""The comparison that is on the page: what the panels under it say more of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from metrics import Comparison, Convention, Dataset, Measure, Run
from metrics.comparing.evidence import Evidence, PairedTest

from .runs import AvailableRuns

DEPTH = 10
"""Unjudged documents are counted down to this rank where the measure has no cutoff."""


@dataclass(frozen=True)
class ComparisonPage:
    """The comparison that is on the page.

    Attributes
    ----------
    runs, pair
        The runs that can be compared, and the keys of A and B among them.
    comparison
        A and B by the measure under the convention.
    asked
        The paired test that is asked for.
    rows
        The evidence of each measure that is tested, the page's own first.
    frame
        The queries with both scores, the largest gain of B first.
    picked
        The query that is shown below.
    """

    runs: AvailableRuns
    pair: tuple[str, str]
    comparison: Comparison
    measure: Measure
    convention: Convention
    asked: PairedTest
    rows: Mapping[str, Evidence]
    frame: pd.DataFrame
    picked: str

    @property
    def label(self) -> str:
        """The convention's name."""
        return self.measure.label(self.convention)

    @property
    def depth(self) -> int:
        """Lists are compared down to this rank."""
        return self.measure.cutoff or DEPTH

    @property
    def dataset(self) -> Dataset:
        """The data."""
        return self.runs.dataset

    @property
    def two(self) -> tuple[Run, Run]:
        """Run A and run B."""
        a, b = self.pair
        return self.run(a), self.run(b)

    def run(self, key: str) -> Run:
        """One of the runs."""
        return self.runs.run(key, self.convention)
