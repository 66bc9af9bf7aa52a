"""Charts of the audit: the judged share of each query's top, and the grades; without streamlit."""

from collections.abc import Mapping
from itertools import cycle

import numpy as np
import pandas as pd

from ..auditing.coverage import Coverage
from ..colours import FURTHER, NEUTRAL, A, B
from . import text
from .charts import LEGEND, Chart, blank

_STEPS = 10
_COLOURS = (A, B, NEUTRAL, *FURTHER)


def judged(seen: Mapping[str, Coverage]) -> Chart:
    """Return a histogram of queries by the judged share of their top, for each run."""
    depth = next(iter(seen.values())).k if seen else 0
    figure = blank(300, f"judged share of the top {depth}", "queries", "")
    summaries = []
    labels = text.labels(seen)
    for (name, of), label, colour in zip(seen.items(), labels, cycle(_COLOURS), strict=False):
        shares = of.judged.to_numpy(float)
        counts, _ = np.histogram(shares, bins=_STEPS, range=(0.0, 1.0))
        middles = (np.arange(_STEPS) + 0.5) / _STEPS
        figure.add_bar(x=middles, y=counts, name=label, marker_color=colour)
        many = text.count(len(shares), "query", "queries")
        summaries.append(f"{name}: {int((shares < 1).sum()):,} of {many} below 100 %")
    figure.update_layout(legend=LEGEND)
    figure.update_xaxes(range=[0, 1.02], tickformat=".0%")
    return Chart(figure, f"Judged share of the top {depth} by query. {'; '.join(summaries)}.")


def grades(counted: pd.DataFrame) -> Chart:
    """Return a bar chart of the number of judgments with each grade."""
    figure = blank(300, "grade", "judgments", "")
    names = list(map(str, counted.index))
    numbers = [f"{number:,}" for number in counted["judgments"]]
    figure.add_bar(x=names, y=counted["judgments"].tolist(), marker_color=NEUTRAL)
    figure.update_traces(text=numbers, textposition="outside", cliponaxis=False)
    figure.update_xaxes(type="category")
    listed = ", ".join(f"{n} of grade {g}" for g, n in zip(names, numbers, strict=True))
    return Chart(figure, f"Judgments by grade: {listed}.")
