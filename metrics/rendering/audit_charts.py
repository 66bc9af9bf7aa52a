"""Charts of the audit: the judged share of each query's top, and the grades; without streamlit."""

from collections.abc import Mapping
from itertools import cycle

import numpy as np
import pandas as pd

from ..auditing.coverage import Coverage
from ..colours import FURTHER, NEUTRAL, A, B
from . import text
from .charts import LEGEND, Chart, blank

_COLOURS = (A, B, NEUTRAL, *FURTHER)
MANY = 10
"""Fewer queries are no curve, and for fewer judgments Plotly would show halves."""


def judged(seen: Mapping[str, Coverage]) -> Chart:
    """Return the judged share of each query's top as a line for each run, the lowest first."""
    depth = next(iter(seen.values())).k if seen else 0
    figure = blank(260, "queries, least judged first", f"judged share of the top {depth}", "")
    summaries = []
    labels = text.labels(seen)
    for (name, of), label, colour in zip(seen.items(), labels, cycle(_COLOURS), strict=False):
        shares = np.sort(of.judged.to_numpy(float))
        figure.add_scatter(
            x=np.arange(len(shares) + 1) + 0.5,
            y=np.append(shares, shares[-1:]),
            name=label,
            mode="lines",
            # Where two lines are one, the first is seen on both sides of the second.
            line={"color": colour, "width": 2.5 if figure.data else 6, "shape": "hv"},
        )
        many = text.count(len(shares), "query", "queries")
        summaries.append(f"{name}: {int((shares < 1).sum()):,} of {many} below 100 %")
    figure.update_layout(legend=LEGEND)
    figure.update_yaxes(range=[0, 1.05], tickvals=[0, 0.5, 1], ticktext=["0 %", "50 %", "100 %"])
    return Chart(figure, f"Judged share of the top {depth} by query. {'; '.join(summaries)}.")


def grades(counted: pd.DataFrame) -> Chart:
    """Return a bar chart of the number of judgments with each grade."""
    figure = blank(260, "grade", "judgments", "")
    names = list(map(str, counted.index))
    numbers = [f"{number:,}" for number in counted["judgments"]]
    figure.add_bar(x=names, y=counted["judgments"].tolist(), marker_color=NEUTRAL)
    figure.update_traces(text=numbers, textposition="outside", cliponaxis=False)
    figure.update_xaxes(type="category")
    figure.update_yaxes(dtick=1 if counted["judgments"].max() < MANY else None)
    listed = ", ".join(f"{n} of grade {g}" for g, n in zip(names, numbers, strict=True))
    return Chart(figure, f"Judgments by grade: {listed}.")
