"""The chart of each query's delta between two runs; without streamlit."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..colours import NEUTRAL, A, B
from ..comparing.significance import TIE
from . import text
from .charts import Chart, blank

BARS = 300
"""At most this many queries have a bar each; more are drawn as a filled step line."""
POINTS = 400
"""At most this many points of the line are drawn, so that each can be clicked."""


def deltas(
    frame: pd.DataFrame, measure: str, picked: str | None, convention: str, tie: float = TIE
) -> Chart:
    """Return each query's delta, the largest gain of B first; customdata holds the query id.

    Deltas up to ``tie`` are marked as ties.
    """
    delta = frame["delta"].to_numpy()
    y = f"delta {measure} (B − A)"
    figure = blank(300, "queries, sorted by delta", y, convention, showlegend=False, bargap=0.15)
    if len(frame) <= BARS:
        _bars(figure, frame, picked, tie)
    else:
        _line(figure, frame, picked)
    largest = max(float(np.abs(delta).max(initial=0.0)) * 1.1, 0.01)
    figure.update_yaxes(range=[-largest, largest], zeroline=True, zerolinewidth=2)
    better, worse = int((delta > tie).sum()), int((delta < -tie).sum())
    return Chart(
        figure,
        f"Delta in {measure} of {text.count(len(frame), 'query', 'queries')}: B higher on "
        f"{better}, A on {worse}.",
    )


def _bars(figure: go.Figure, frame: pd.DataFrame, picked: str | None, tie: float) -> None:
    """Draw a bar for each query, and a mark for each tie."""
    delta = frame["delta"].to_numpy()
    figure.add_bar(
        x=np.arange(len(frame)),
        y=delta,
        customdata=np.array(frame.index, dtype=object),
        marker={
            "color": [B if d > 0 else A for d in delta],
            "line": {
                "width": [3 if query == picked else 0 for query in frame.index],
                "color": NEUTRAL,
            },
        },
        hovertext=text.hovers(frame, [text.signed(d, 3) for d in delta]),
        hoverinfo="text",
    )
    ties = np.flatnonzero(np.abs(delta) <= tie)
    figure.add_scatter(
        x=ties,
        y=delta[ties],
        customdata=np.array(frame.index, dtype=object)[ties],
        mode="markers",
        marker={"symbol": "line-ew", "size": 9, "line": {"width": 2, "color": NEUTRAL}},
        hovertext=text.hovers(frame.iloc[ties], ["tie"] * len(ties)),
        hoverinfo="text",
    )
    if len(frame) <= 40:
        names = text.labels(frame.index, 16)
        figure.update_xaxes(tickvals=np.arange(len(frame)), ticktext=names, tickangle=-90)
        figure.update_xaxes(tickfont={"size": 10})


def _line(figure: go.Figure, frame: pd.DataFrame, picked: str | None) -> None:
    """Draw a filled line, if there are too many queries for bars."""
    delta = frame["delta"].to_numpy()
    # The values are sorted, so each skipped value lies between two drawn ones.
    x = np.unique(np.linspace(0, len(frame) - 1, POINTS).round().astype(int))
    drawn, ids = delta[x], np.array(frame.index, dtype=object)[x]
    for side, colour in ((np.maximum(drawn, 0), B), (np.minimum(drawn, 0), A)):
        figure.add_scatter(
            x=x,
            y=side,
            mode="lines",
            fill="tozeroy",
            line={"color": colour, "shape": "hv"},
            hoverinfo="skip",
        )
    # Invisible markers to click.
    figure.add_scatter(
        x=x,
        y=drawn,
        customdata=ids,
        mode="markers",
        marker={"size": 9, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertext=text.hovers(frame.iloc[x], [text.signed(d, 3) for d in drawn]),
        hoverinfo="text",
    )
    if picked in frame.index:
        at = frame.index.get_loc(picked)
        figure.add_scatter(
            x=[at],
            y=[delta[at]],
            mode="markers",
            marker={"size": 12, "symbol": "circle-open", "color": NEUTRAL, "line_width": 3},
            hoverinfo="skip",
        )
