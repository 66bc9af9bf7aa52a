"""One query of two runs with its charts and numbers; each is made once, when first needed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd

from metrics import RankscopeError
from metrics.comparing import reversal as reversing
from metrics.comparing.one_query import OneQuery
from metrics.rendering import comparison_tables, slope_chart, waterfall_chart
from metrics.rendering.charts import Chart


@dataclass(frozen=True, eq=False, repr=False)
class DrawnQuery:
    """What depends on nothing but one query of two runs: not on texts or titles of documents."""

    one: OneQuery

    @property
    def depth(self) -> int:
        """How many ranks of both rankings are shown."""
        return min(self.one.measure.cutoff or 10, slope_chart.SLOPES)

    @cached_property
    def movement(self) -> pd.DataFrame:
        """The table of rank movement, without texts."""
        return comparison_tables.movement(self.one, self.depth, {})

    @cached_property
    def slopes(self) -> Chart:
        """The chart of rank movement."""
        return slope_chart.slopes(self.movement, self.depth)

    @cached_property
    def waterfall(self) -> Chart:
        """The waterfall that sums to the delta."""
        label = self.one.measure.label(self.one.convention)
        return waterfall_chart.waterfall(self.one.bars, str(self.one.measure), label)

    @cached_property
    def reversal(self) -> reversing.Reversal | str:
        """The deltas over all grades of unjudged documents; a text: why they are not known."""
        try:
            return reversing.reversal(self.one)
        except RankscopeError as error:
            return str(error)

    @cached_property
    def condensed(self) -> tuple[float, float]:
        """A's and B's score without the unjudged documents."""
        return self.one.condensed()
