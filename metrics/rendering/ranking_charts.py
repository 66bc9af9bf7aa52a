"""Charts of one ranking: contributions, loss, cutoffs, precision and recall, swaps, ranges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from ..arrays import Floats
from ..colours import EARNED, INK, MIDDLE, NEUTRAL, blend, faint
from ..measures.ledger import Ledger
from . import tables, text
from .charts import LEGEND, Chart, blank, running_totals

_FAINT = faint(NEUTRAL, 0.3)
_WRITTEN = 12
"""At most this many ranks have their changes written, half as many with three decimals."""


def running(ledger: Ledger, query: str, picked: str = "", convention: str = "") -> Chart:
    """Return the running total by rank, against the ideal; a picked document is marked."""
    lines = [part.table(query) for part in ledger.parts]
    names = ["ideal", "this ranking"][-len(lines) :]
    return running_totals(
        {name: each["running"] for name, each in zip(names, reversed(lines), strict=True)},
        str(ledger.parts[0].measure),
        picked=tables.rank_of(lines[0], picked),
        documents=lines[0]["document"],
        convention=convention,
    )


def earned(lines: pd.DataFrame, measure: str) -> Chart:
    """Return each rank's contribution, with its gain and discount if the measure has them."""
    lines = lines[lines.index > 0]
    figure = blank(300, "rank", f"contribution to {measure}", "")
    ranks = lines.index.tolist()
    discounted = "discount" in lines and "gain" in lines
    if discounted:
        figure.add_bar(
            x=ranks, y=lines["gain"], name="gain", marker={"color": _FAINT}, hoverinfo="y+name"
        )
    figure.add_bar(
        x=ranks,
        y=lines["contribution"],
        name="contribution",
        customdata=lines["document"].tolist(),
        marker={"color": EARNED},
        hoverinfo="y+name",
    )
    if discounted:
        figure.add_scatter(
            x=ranks,
            y=lines["discount"],
            name="discount, right axis",
            line={"color": NEUTRAL, "width": 2},
            yaxis="y2",
            hoverinfo="skip",
        )
        figure.update_layout(
            yaxis2={
                "overlaying": "y",
                "side": "right",
                "range": [0, max(1.05, float(lines["discount"].max()) * 1.05)],
                "tickvals": [0, 0.5, 1],
                "tickmode": "array",
                "tickfont": figure.layout.yaxis.tickfont,
                "showgrid": False,
                "fixedrange": True,
            }
        )
    figure.update_layout(legend=LEGEND, barmode="overlay")
    _whole_ranks(figure, ranks)
    best = lines["contribution"].idxmax() if len(lines) else 0
    return Chart(figure, f"Contribution of each rank to {measure}; the largest is at rank {best}.")


def by_cutoff(frame: pd.DataFrame, shown: str) -> Chart:
    """Return several measures at every cutoff, a line per column; ``shown`` is the one in colour.

    Each line has its name at its end: the others have one colour, which means none of them.
    """
    margin = {"l": 8, "r": 64, "t": 24, "b": 8}
    figure = blank(340, "cutoff k", "score", "", showlegend=False, margin=margin)
    ks, ends = frame.index.tolist(), frame.iloc[-1].dropna().sort_values(kind="stable")
    # Names of lines that end at one place are above each other: each has a line of text.
    room = 0.07 * np.arange(len(ends))
    places = np.maximum.accumulate(ends.to_numpy() - room) + room
    places = np.minimum(places, 1.04 - room[::-1])
    for name, place in zip(ends.index, places.tolist(), strict=True):
        own = name == shown
        figure.add_scatter(
            x=ks,
            y=frame[name].tolist(),
            name=name,
            mode="lines+markers",
            line={"color": EARNED if own else NEUTRAL, "width": 3 if own else 1.5},
        )
        label = {"x": ks[-1], "y": place, "xanchor": "left", "xshift": 8, "showarrow": False}
        figure.add_annotation(text=f"<b>{name}</b>" if own else name, **label)
    _whole_ranks(figure, ks)
    figure.update_yaxes(range=[0, 1.04])
    listed = ", ".join(f"{name} {values.iloc[-1]:.3f}" for name, values in frame.items())
    return Chart(figure, f"Scores by cutoff; at k = {ks[-1]}: {listed}.")


def precision_recall(steps: pd.DataFrame, ap: float) -> Chart:
    """Return precision over recall: a rectangle per relevant document; the areas sum to AP."""
    figure = blank(320, "recall", "precision", "", showlegend=False)
    before, recall, precision = (steps[name] for name in ("before", "recall", "precision"))
    nothing = 0.0 * precision
    labels = [
        f"rank {rank}: {width:.3f} × {height:.3f}"
        for rank, width, height in zip(steps.index, recall - before, precision, strict=True)
    ]
    # One outline for all rectangles, because thousands of separate shapes take a minute.
    figure.add_scatter(
        x=np.column_stack([before, before, recall, recall]).ravel(),
        y=np.column_stack([nothing, precision, precision, nothing]).ravel(),
        mode="lines",
        fill="tozeroy",
        fillcolor=faint(EARNED, 0.2),
        line={"color": EARNED, "width": 1.5},
        hovertext=np.repeat(labels, 4),
        hoverinfo="text",
    )
    for rank, x, y in zip(steps.index, (before + recall) / 2, precision / 2, strict=True):
        if len(steps) <= 12:
            figure.add_annotation(x=x, y=y, text=f"rank {rank}", showarrow=False, font={"size": 11})
    figure.update_xaxes(range=[0, 1])
    figure.update_yaxes(range=[0, 1.04])
    return Chart(
        figure, f"Precision at each of {len(steps)} relevant documents; the area is AP = {ap:.3f}."
    )


def swap_lens(deltas: Floats, measure: str) -> Chart:
    """Return the change of the score for each swap of two ranks, as a matrix."""
    size = len(deltas)
    written = size <= _WRITTEN
    digits = 3 if size <= _WRITTEN // 2 else 2
    ranks = list(range(1, size + 1))
    low, high = (float(each.max(initial=0.0)) or 1e-9 for each in (-deltas, deltas))
    figure = blank(min(150 + 30 * size, 640), "swapped with rank", "rank", "")
    figure.add_heatmap(
        z=deltas,
        x=ranks,
        y=ranks,
        zmin=-low,
        zmax=high,
        colorscale=[
            [0, blend(MIDDLE, NEUTRAL, 0.6)],
            # What gains is as strong as what loses, however small the gains are.
            [low / (low + high), "#FFFFFF"],
            [1, blend(MIDDLE, EARNED, 0.5)],
        ],
        text=[
            ["" if i == j else text.signed(value, digits) for j, value in enumerate(row)]
            for i, row in enumerate(deltas)
        ],
        texttemplate="%{text}" if written else None,
        # Plotly would make it as small as the cell.
        textfont={"size": 13, "color": INK},
        hovertemplate="ranks %{y} and %{x}: %{text}<extra></extra>",
        showscale=not written,
        colorbar={"title": f"change of {measure}", "thickness": 12},
        xgap=1,
        ygap=1,
    )
    figure.update_xaxes(dtick=1, showgrid=False, zeroline=False)
    figure.update_yaxes(dtick=1, autorange="reversed", showgrid=False, zeroline=False)
    i, j = np.unravel_index(int(np.argmax(deltas)), deltas.shape)
    best = f"the best swap, of ranks {i + 1} and {j + 1}, adds {deltas[i, j]:.3f}"
    return Chart(figure, f"Change of {measure} for each swap of two of {size} ranks; {best}.")


def whisker(
    over: str, low: float, high: float, marks: Sequence[tuple[str, float]], x: str
) -> Chart:
    """Return a range of scores as a line, with single values marked; ``over``: what it spans."""
    figure = blank(110 + 34 * len(marks), x, "", "", showlegend=False)
    names = [name for name, _ in marks]
    figure.add_scatter(
        x=[low, high],
        y=[len(marks)] * 2,
        mode="lines+markers",
        line={"color": NEUTRAL, "width": 3},
        marker={"symbol": "line-ns", "size": 16, "line": {"width": 3, "color": NEUTRAL}},
        hoverinfo="x",
    )
    figure.add_scatter(
        x=[value for _, value in marks],
        y=list(range(len(marks))),
        mode="markers+text",
        marker={"color": EARNED, "size": 10},
        text=[f" {text.number(value)} " for _, value in marks],
        textposition=[
            f"middle {'right' if value < (low + high) / 2 else 'left'}" for _, value in marks
        ],
        hoverinfo="x",
    )
    figure.update_yaxes(
        tickvals=list(range(len(marks) + 1)),
        ticktext=[*names, over],
        range=[-0.5, len(marks) + 0.6],
        showgrid=False,
        zeroline=False,
    )
    room = max((high - low) * 0.15, 0.02)
    left, right = low - room, high + room
    if 0 <= low <= high <= 1:
        # The axis names no score that cannot be; marks at its ends are drawn in full.
        left, right = max(0.0, left), min(1.0, right)
        figure.update_traces(cliponaxis=False)
    figure.update_xaxes(range=[left, right], zeroline=False)
    listed = ", ".join(f"{name} {text.number(value)}" for name, value in marks)
    return Chart(figure, f"From {text.number(low)} to {text.number(high)}; {listed}.")


def _whole_ranks(figure: go.Figure, ranks: Sequence[int]) -> None:
    figure.update_xaxes(dtick=1 if len(ranks) <= 21 else None, zeroline=False)
