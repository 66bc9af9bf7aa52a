"""Charts of two runs over all queries; without streamlit."""

import textwrap
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..arrays import Floats
from ..colours import DARK, MIDDLE, NEUTRAL, A, B, blend
from ..comparing.comparison import Comparison, align
from ..comparing.evidence import intervals
from ..comparing.robustness import Setting
from ..comparing.significance import TIE
from ..measures import Measure
from ..scoring.evaluate import score
from . import text
from .charts import LEGEND, STYLES, Chart, blank

CUTOFFS = (1, 2, 3, 5, 10, 20, 50, 100)
"""The cutoffs of `curves`."""
MARKS = 1_500
"""At most this many queries have a mark each; if there are more, squares count them."""
_SQUARES = 40


def agreement(frame: pd.DataFrame, measure: str, picked: str, convention: str) -> Chart:
    """Return a scatter plot of each query's scores; above the diagonal B is ahead."""
    figure = blank(460, f"{measure} of A", f"{measure} of B", convention, showlegend=False)
    values = frame[["A", "B"]].to_numpy()
    low, high = min(0.0, float(values.min())), max(1.0, float(values.max()))
    figure.add_scatter(
        x=[low, high], y=[low, high], mode="lines", line={"color": NEUTRAL, "dash": "dot"}
    )
    delta = frame["delta"].to_numpy()
    room = 0.03 * (high - low)
    figure.update_xaxes(range=[low - room, high + room], constrain="domain")
    figure.update_yaxes(range=[low - room, high + room], scaleanchor="x", constrain="domain")
    above, below = int((delta > TIE).sum()), int((delta < -TIE).sum())
    alt = (
        f"{measure} of {text.count(len(frame), 'query', 'queries')} under A and B: {above} above "
        f"the diagonal, where B is ahead, {below} below."
    )
    if len(frame) > MARKS:
        _squares(figure, values, low, high)
        return Chart(figure, alt)
    figure.add_scatter(
        x=frame["A"],
        y=frame["B"],
        mode="markers",
        customdata=np.array(frame.index, dtype=object),
        marker={
            "size": [14 if query == picked else 9 for query in frame.index],
            "color": [NEUTRAL if abs(d) <= TIE else B if d > 0 else A for d in delta],
            "symbol": ["circle" if d > 0 else "square" for d in delta],
            "opacity": 0.8,
        },
        hovertext=text.hovers(frame, [f"A {a:.3f}, B {b:.3f}" for a, b in values]),
        hoverinfo="text",
    )
    return Chart(figure, alt)


def _squares(figure: go.Figure, values: Floats, low: float, high: float) -> None:
    """Draw the number of queries in each square of the plot, on a logarithmic scale."""
    edges = np.linspace(low, high, _SQUARES + 1)
    counts, *_ = np.histogram2d(values[:, 1], values[:, 0], (edges, edges))
    middles = (edges[:-1] + edges[1:]) / 2
    filled = np.where(counts > 0, counts, np.nan)
    figure.add_heatmap(
        z=np.log10(filled),
        x=middles,
        y=middles,
        text=filled,
        hovertemplate="%{text:.0f} queries<extra></extra>",
        colorscale=[[0, "#C6DBEF"], [1, DARK]],
        colorbar={"title": "queries", "tickvals": [0, 1, 2, 3, 4], "ticktext": _POWERS},
    )


_POWERS = ["1", "10", "100", "1,000", "10,000"]


def means_by_cutoff(comparison: Comparison, measure: Measure) -> dict[str, pd.DataFrame]:
    """Return the mean at each of `CUTOFFS` with its interval, by the name of the side."""
    at = {k: replace(measure, cutoff=k) for k in CUTOFFS}
    sides = (score(side.judged, at.values()) for side in comparison.sides.values())
    wide = align(*sides).only(comparison.queries)
    found = intervals(wide, map(str, at.values()))
    return {side: frame.set_axis(list(at)) for side, frame in found.items()}


def curves(sides: dict[str, pd.DataFrame], measure: str, convention: str) -> Chart:
    """Return the mean at each cutoff with its interval, A and B in one panel.

    ``sides``: index k; columns mean, low and high.
    """
    figure = blank(340, "cutoff k", f"mean {measure}", convention)
    for side, frame in sides.items():
        style = STYLES[side]
        ks = [str(k) for k in frame.index]
        for column, fill in (("low", None), ("high", "tonexty")):
            figure.add_scatter(
                x=ks,
                y=frame[column].tolist(),
                mode="lines",
                line={"width": 0},
                fill=fill,
                fillcolor=style.band,
                showlegend=False,
                hoverinfo="skip",
            )
        figure.add_scatter(
            x=ks,
            y=frame["mean"].tolist(),
            name=side,
            mode="lines+markers",
            line={"color": style.colour, "width": 3},
            marker={"symbol": style.symbol, "size": 8},
        )
    figure.update_xaxes(type="category")
    figure.update_layout(legend=LEGEND)
    ends = "; ".join(
        f"{side} from {frame['mean'].iloc[0]:.3f} at {frame.index[0]} to "
        f"{frame['mean'].iloc[-1]:.3f} at {frame.index[-1]}"
        for side, frame in sides.items()
    )
    return Chart(figure, f"Mean {measure} by cutoff: {ends}.")


def sign_map(settings: Sequence[Setting], alt: str) -> Chart:
    """Return the mean delta in every setting: a row per choice, a column per cutoff.

    A doubtful delta has a question mark.
    """
    rows = list(dict.fromkeys(setting.choice for setting in settings))
    columns = list(dict.fromkeys(setting.cutoff for setting in settings))
    cells = {(setting.choice, setting.cutoff): setting for setting in settings}
    delta = np.array([[cells[row, column].delta for column in columns] for row in rows])
    names = [textwrap.wrap(text.visible(row or "as chosen above"), 26) for row in rows]
    ks = ["all" if column is None else str(column) for column in columns]
    lines = max([2, *map(len, names)])
    figure = blank(120 + (6 + 16 * lines) * len(rows), "cutoff k", "", "", showlegend=False)
    most = float(np.nanmax(np.abs(delta), initial=0.0)) or 1.0
    figure.add_heatmap(
        z=delta,
        x=ks,
        y=list(range(len(rows))),
        zmin=-most,
        zmax=most,
        colorscale=[[0, _PALE_A], [0.5, MIDDLE], [1, _PALE_B]],
        text=[[_cell(cells[row, column]) for column in columns] for row in rows],
        texttemplate="%{text}",
        textfont={"color": "#111", "size": 14},
        hoverinfo="text",
        showscale=False,
        xgap=2,
        ygap=2,
    )
    figure.update_xaxes(type="category", showgrid=False, tickfont={"size": 13})
    figure.update_yaxes(
        tickfont={"size": 13},
        tickvals=list(range(len(rows))),
        ticktext=["<br>".join(text.for_plotly(line) for line in name) for name in names],
        autorange="reversed",
        showgrid=False,
    )
    return Chart(figure, alt)


_PALE_A, _PALE_B = (blend(colour, "#FFFFFF", 0.25) for colour in (A, B))
"""Digits on them have enough contrast."""


def _cell(setting: Setting) -> str:
    return text.signed(setting.delta, 3) + (" ?" if setting.doubtful else "")
