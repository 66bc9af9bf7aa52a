"""Charts as plotly figures, each with a sentence that says what it shows; no streamlit here."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from metrics.compare import TIE

from . import text

A, B, NEUTRAL = "#0072B2", "#D55E00", "#8A8F98"
BARS = 300
"""Above so many queries single bars cannot be told apart; a filled step line is drawn."""
POINTS = 400
"""So many places across the page can be told apart, and hit."""


@dataclass(frozen=True)
class Chart:
    """A figure and the sentence that stands for it where it cannot be seen."""

    figure: go.Figure
    alt: str


def running_totals(
    ranking: pd.Series[float],
    ideal: pd.Series[float] | None,
    name: str,
    convention: str,
    picked: int | None = None,
) -> Chart:
    """What a ranking has earned down to each rank, against the ideal; a picked rank is marked."""
    totals = (
        {"this ranking": ranking} if ideal is None else {"ideal": ideal, "this ranking": ranking}
    )
    shown = [rank for total in totals.values() for rank in total.index]
    # Rank 0 is there when the sum starts before any document.
    ranks = range(min(shown, default=1), max(shown, default=0) + 1)
    # A ranking that ends early earns nothing further down.
    totals = {label: total.reindex(ranks).ffill().fillna(0.0) for label, total in totals.items()}
    looks: dict[str, dict[str, Any]] = {
        "ideal": {"line": {"color": NEUTRAL, "dash": "dot", "shape": "hv"}},
        "this ranking": {
            "line": {"color": A, "width": 3, "shape": "hv"},
            "fill": "tozeroy" if ideal is None else "tonexty",
            "fillcolor": "rgba(138,143,152,0.18)",
        },
    }
    traces = [
        {"type": "scatter", "x": list(ranks), "y": total.tolist(), "name": label, **looks[label]}
        for label, total in totals.items()
    ]
    figure = blank(
        280,
        "rank",
        name,
        convention,
        traces,
        legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
        xaxis={
            "range": [ranks.start - 0.5, ranks.stop - 0.5],
            "dtick": 1 if len(ranks) <= 20 else None,
            "zeroline": False,
        },
        yaxis={"rangemode": "tozero"},
        shapes=[] if picked is None else [_band(picked)],
    )
    ends = ", ".join(
        f"{label} {total.iloc[-1]:.3f}" for label, total in totals.items() if len(total)
    )
    return Chart(
        figure, f"Running total of {name} by rank; it ends at: {ends or 'nothing ranked'}."
    )


def _band(rank: int) -> dict[str, Any]:
    """What marks a rank, over the whole height."""
    return {
        "type": "rect",
        "xref": "x",
        "x0": rank - 0.5,
        "x1": rank + 0.5,
        "yref": "y domain",
        "y0": 0,
        "y1": 1,
        "fillcolor": A,
        "opacity": 0.15,
        "line": {"width": 0},
    }


def deltas(
    frame: pd.DataFrame, measure: str, picked: str | None, convention: str, tie: float = TIE
) -> Chart:
    """Per-query differences, the largest gain of B first; customdata holds the query id.

    Differences up to ``tie`` are marked as ties.
    """
    delta = frame["delta"].to_numpy()
    y = f"delta {measure} (B − A)"
    figure = blank(340, "queries, sorted by delta", y, convention)
    if len(frame) <= BARS:
        _bars(figure, frame, picked, tie)
    else:
        _line(figure, frame, picked)
    largest = max(float(np.abs(delta).max(initial=0.0)) * 1.1, 0.01)
    figure.update_yaxes(range=[-largest, largest], zeroline=True, zerolinewidth=2)
    figure.update_layout(showlegend=False, bargap=0.15)
    better, worse = int((delta > tie).sum()), int((delta < -tie).sum())
    return Chart(
        figure,
        f"Differences in {measure} of {text.count(len(frame), 'query', 'queries')}: B higher on "
        f"{better}, A on {worse}.",
    )


def _bars(figure: go.Figure, frame: pd.DataFrame, picked: str | None, tie: float) -> None:
    """A bar for each query, and a mark for each tie."""
    delta = frame["delta"].to_numpy()
    names = [text.for_plotly(query, 16) for query in frame.index]
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
        hovertext=[f"{n}: {text.signed(d, 3)}" for n, d in zip(names, delta, strict=True)],
        hoverinfo="text",
    )
    ties = np.flatnonzero(np.abs(delta) <= tie)
    figure.add_scatter(
        x=ties,
        y=delta[ties],
        customdata=np.array(frame.index, dtype=object)[ties],
        mode="markers",
        marker={"symbol": "line-ew", "size": 9, "line": {"width": 2, "color": NEUTRAL}},
        hovertext=[f"{names[i]}: tie" for i in ties],
        hoverinfo="text",
    )
    if len(frame) <= 40:
        figure.update_xaxes(tickvals=np.arange(len(frame)), ticktext=names, tickangle=-90)
        figure.update_xaxes(tickfont={"size": 10})


def _line(figure: go.Figure, frame: pd.DataFrame, picked: str | None) -> None:
    """A filled line for more queries than there are bars to see."""
    delta = frame["delta"].to_numpy()
    # Sorted values: between two drawn ones lies nothing but values between them.
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
    # What is clicked: markers that are seen only where the query is picked.
    figure.add_scatter(
        x=x,
        y=drawn,
        customdata=ids,
        mode="markers",
        marker={"size": 9, "opacity": 0},
        selected={"marker": {"opacity": 0}},
        unselected={"marker": {"opacity": 0}},
        hovertext=[
            f"{text.for_plotly(name, 16)}: {text.signed(d, 3)}"
            for name, d in zip(ids, drawn, strict=True)
        ],
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


def blank(
    height: int,
    x: str,
    y: str,
    convention: str,
    traces: Sequence[dict[str, Any]] = (),
    xaxis: Mapping[str, Any] | None = None,
    yaxis: Mapping[str, Any] | None = None,
    **layout: Any,
) -> go.Figure:
    """A chart with these titles; the convention stands under the horizontal axis, in lines.

    What is given here at once, Plotly checks once; each update of a figure costs as much again.
    """
    said = textwrap.wrap(f"convention: {convention}", 48) if convention else []
    under = "<br>".join([x, *said])
    axis = {"automargin": True, "fixedrange": True}
    return go.Figure(
        data=list(traces),
        layout={
            "height": height,
            "margin": {"l": 8, "r": 8, "t": 24, "b": 8},
            "xaxis": {"title": under, **axis, **(xaxis or {})},
            "yaxis": {"title": y, **axis, **(yaxis or {})},
            "dragmode": False,
            **layout,
        },
    )
