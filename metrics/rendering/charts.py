"""Charts as plotly figures, each with a sentence that describes it; without streamlit."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from ..colours import EARNED, NEUTRAL, A, B, faint

Figure = go.Figure
"""For the types of modules that do not import plotly themselves."""


LEGEND = {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
"""The place of a legend: in a row above the chart."""


@dataclass(frozen=True)
class Style:
    """How a run is drawn in every chart: its colour, that of its interval, and its mark."""

    colour: str
    band: str
    symbol: str


STYLES = {"A": Style(A, faint(A, 0.18), "square"), "B": Style(B, faint(B, 0.18), "circle")}
"""By the name of the side."""


@dataclass(frozen=True)
class Chart:
    """A figure, and a sentence that describes it for readers who cannot see it."""

    figure: go.Figure
    alt: str


def enlarged(chart: Chart) -> Chart:
    """Return the chart for a projector: on most of the screen, with letters of 30 pixels."""
    letters = 30
    of_axis = {"title": {"font": {"size": letters}}, "tickfont": {"size": letters}}
    figure = go.Figure(chart.figure).update_layout(
        font={"size": letters}, legend={"font": {"size": letters}}, xaxis=of_axis, yaxis=of_axis
    )
    figure.update_traces(textfont={"size": letters}, line={"width": 5}, marker={"size": 14})
    return Chart(figure, chart.alt)


def running_totals(
    totals: Mapping[str, pd.Series[float]],
    name: str,
    picked: int | None = None,
    documents: pd.Series[Any] | None = None,
    convention: str = "",
    height: int = 196,
) -> Chart:
    """Return the running totals of a ranking and of those above it; a picked rank is marked.

    ``totals``, by rank, are those of the ideal and of the best order, if there are some, and last
    of this ranking. ``documents`` has the id of the document at each rank of the ranking, which its
    mark gets.
    """
    shown = [rank for total in totals.values() for rank in total.index]
    # Rank 0 exists if the sum starts from a value other than 0.
    ranks = range(min(shown, default=1), max(shown, default=0) + 1)
    looks: dict[str, dict[str, Any]] = {
        "ideal": {"line": {"color": NEUTRAL, "dash": "dot", "shape": "hv"}},
        "best order": {"line": {"color": NEUTRAL, "dash": "dash", "shape": "hv"}},
        "this ranking": {
            "line": {"color": EARNED, "width": 3, "shape": "hv"},
            # What it lacks; alone it lacks nothing.
            "fill": "tonexty" if len(totals) > 1 else "none",
            "fillcolor": faint(NEUTRAL, 0.18),
        },
    }
    # Below its last document a ranking earns nothing more.
    traces = [
        {
            "type": "scatter",
            "x": list(ranks),
            "y": total.reindex(ranks).ffill().fillna(0.0).tolist(),
            "name": label,
            **looks[label],
        }
        for label, total in totals.items()
    ]
    if documents is not None:
        traces[-1]["customdata"] = [documents.get(rank) for rank in ranks]
    figure = blank(
        height,
        "rank",
        f"total {name}",
        convention,
        traces,
        legend=LEGEND,
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
    """Return a band that marks a rank over the whole height."""
    return {
        "type": "rect",
        "xref": "x",
        "x0": rank - 0.5,
        "x1": rank + 0.5,
        "yref": "y domain",
        "y0": 0,
        "y1": 1,
        "fillcolor": EARNED,
        "opacity": 0.15,
        "line": {"width": 0},
    }


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
    """Return a figure with these titles, and the convention below the horizontal axis.

    Plotly checks everything passed here once; each later update of the figure costs as much again.
    """
    lines = textwrap.wrap(f"convention: {convention}", 38) if convention else []
    under = "<br>".join([x, *lines])
    letters = {"size": 13}
    title = {"font": letters, "standoff": 12}
    axis = {"automargin": True, "fixedrange": True, "tickfont": letters}
    return go.Figure(
        data=list(traces),
        layout={
            "height": height,
            "margin": {"l": 8, "r": 8, "t": 24, "b": 8},
            "xaxis": {"title": {"text": under, **title}, **axis, **(xaxis or {})},
            "yaxis": {"title": {"text": y, **title}, **axis, **(yaxis or {})},
            "font": letters,
            "dragmode": False,
            **layout,
        },
    )
