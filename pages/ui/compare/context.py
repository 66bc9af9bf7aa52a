"""What the closer looks of Compare are at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from metrics import Comparison, Convention, Dataset, Measure, Run
from metrics.comparing.evidence import Evidence, PairedTest

from .runs import Contenders

DEPTH = 10
"""So deep unjudged documents are counted where the measure has no cutoff."""


@dataclass(frozen=True)
class Look:
    """What a closer look is at."""

    contenders: Contenders
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
        """How deep lists are looked at."""
        return self.measure.cutoff or DEPTH

    @property
    def dataset(self) -> Dataset:
        """The data."""
        return self.contenders.dataset

    @property
    def two(self) -> tuple[Run, Run]:
        """Run A and run B."""
        a, b = self.pair
        return self.run(a), self.run(b)

    def run(self, key: str) -> Run:
        """One of the runs."""
        return self.contenders.run(key, self.convention)
