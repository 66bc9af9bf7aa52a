"""What is shown of one query of two runs; each depends on nothing else, and is made once."""

from __future__ import annotations

import pandas as pd

from metrics import OneQuery, RankscopeError
from metrics.comparing import reversal as reversing
from metrics.defaults import DEPTH
from metrics.rendering import comparison_tables, one_query_charts
from metrics.rendering.charts import Chart


def depth(one: OneQuery) -> int:
    """Return how many ranks of both rankings are shown."""
    return min(one.measure.cutoff or DEPTH, one_query_charts.SLOPES)


def movement(one: OneQuery) -> tuple[pd.DataFrame, Chart]:
    """Return the table of rank movement, without texts, and its chart."""
    table = comparison_tables.movement(one, depth(one), {})
    return table, one_query_charts.slopes(table, depth(one))


def waterfall(one: OneQuery) -> Chart:
    """Return the waterfall that sums to the delta."""
    label = one.measure.label(one.convention)
    return one_query_charts.waterfall(one.waterfall, str(one.measure), label)


def reversal(one: OneQuery) -> reversing.Reversal | str:
    """Return the deltas over all grades of unjudged documents; a text: why they are not known."""
    try:
        return reversing.reversal(one)
    except RankscopeError as error:
        return str(error)
