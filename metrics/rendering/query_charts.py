"""Charts of all queries: each delta, dumbbells, the distribution, and the grades at each rank."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from ..arrays import Floats
from ..colours import DARK, LIGHT, NEUTRAL, A, B, blend, faint
from ..comparing.comparison import Comparison
from ..comparing.significance import TIE
from ..exploring.curves import grades_by_rank
from . import text
from .charts import LEGEND, STYLES, Chart, blank

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
    few = len(frame) <= BARS
    traces = _bars(frame, picked, tie) if few else _line(frame, picked)
    largest = max(float(np.abs(delta).max(initial=0.0)) * 1.1, 0.01)
    names: dict[str, Any] = {}
    if len(frame) <= 40:
        names = {
            "tickvals": np.arange(len(frame)),
            "ticktext": text.labels(frame.index, 16),
            "tickangle": -90,
            "tickfont": {"size": 10},
        }
    figure = blank(
        300,
        "queries, sorted by delta",
        f"delta {measure} (B − A)",
        convention,
        traces,
        xaxis=names,
        yaxis={"range": [-largest, largest], "zeroline": True, "zerolinewidth": 2},
        showlegend=False,
        bargap=0.15,
    )
    better, worse = int((delta > tie).sum()), int((delta < -tie).sum())
    return Chart(
        figure,
        f"Delta in {measure} of {text.count(len(frame), 'query', 'queries')}: B higher on "
        f"{better}, A on {worse}.",
    )


def _bars(frame: pd.DataFrame, picked: str | None, tie: float) -> list[dict[str, Any]]:
    """Return a bar for each query, and a mark for each tie."""
    delta, ids = frame["delta"].to_numpy(), np.array(frame.index, dtype=object)
    ties = np.flatnonzero(np.abs(delta) <= tie)
    bars = {
        "type": "bar",
        "x": np.arange(len(frame)),
        "y": delta,
        "customdata": ids,
        "marker": {
            "color": [B if d > 0 else A for d in delta],
            "line": {
                "width": [3 if query == picked else 0 for query in frame.index],
                "color": NEUTRAL,
            },
        },
        "hovertext": text.hovers(frame, [text.signed(d, 3) for d in delta]),
        "hoverinfo": "text",
    }
    marks = {
        "type": "scatter",
        "x": ties,
        "y": delta[ties],
        "customdata": ids[ties],
        "mode": "markers",
        "marker": {"symbol": "line-ew", "size": 9, "line": {"width": 2, "color": NEUTRAL}},
        "hovertext": text.hovers(frame.iloc[ties], ["tie"] * len(ties)),
        "hoverinfo": "text",
    }
    return [bars, marks]


def _line(frame: pd.DataFrame, picked: str | None) -> list[dict[str, Any]]:
    """Return a filled line, if there are too many queries for bars."""
    delta = frame["delta"].to_numpy()
    # The values are sorted, so each skipped value lies between two drawn ones.
    x = np.unique(np.linspace(0, len(frame) - 1, POINTS).round().astype(int))
    drawn = delta[x]
    traces: list[dict[str, Any]] = [
        {
            "type": "scatter",
            "x": x,
            "y": side,
            "mode": "lines",
            "fill": "tozeroy",
            "line": {"color": colour, "shape": "hv"},
            "hoverinfo": "skip",
        }
        for side, colour in ((np.maximum(drawn, 0), B), (np.minimum(drawn, 0), A))
    ]
    # Invisible markers to click.
    traces.append(
        {
            "type": "scatter",
            "x": x,
            "y": drawn,
            "customdata": np.array(frame.index, dtype=object)[x],
            "mode": "markers",
            "marker": {"size": 9, "opacity": 0},
            "selected": {"marker": {"opacity": 0}},
            "unselected": {"marker": {"opacity": 0}},
            "hovertext": text.hovers(frame.iloc[x], [text.signed(d, 3) for d in drawn]),
            "hoverinfo": "text",
        }
    )
    if picked in frame.index:
        at = frame.index.get_loc(picked)
        traces.append(
            {
                "type": "scatter",
                "x": [at],
                "y": [delta[at]],
                "mode": "markers",
                "marker": {
                    "size": 12,
                    "symbol": "circle-open",
                    "color": NEUTRAL,
                    "line": {"width": 3},
                },
                "hoverinfo": "skip",
            }
        )
    return traces


ROWS = 40
"""At most this many queries are on one page."""
_STEPS = 40


def dumbbells(
    frame: pd.DataFrame, measure: str, picked: str, convention: str, tie: float = TIE
) -> Chart:
    """Return both scores of each query on one row, joined by a line."""
    figure = blank(110 + 22 * len(frame), measure, "", convention)
    rows = list(range(len(frame)))
    delta = frame["delta"].to_numpy()
    ways = (("B ahead", delta > tie, B), ("A ahead", delta < -tie, A), ("", abs(delta) <= tie, ""))
    for name, these, colour in ways:
        x: list[float | None] = []
        y: list[int | None] = []
        for row in np.flatnonzero(these).tolist():
            x += [float(frame["A"].iloc[row]), float(frame["B"].iloc[row]), None]
            y += [row, row, None]
        line = {"color": colour or NEUTRAL, "width": 3}
        figure.add_scatter(
            x=x, y=y, mode="lines", line=line, name=name, showlegend=False, hoverinfo="skip"
        )
    names = text.labels(frame.index, 22)
    for side, style in STYLES.items():
        figure.add_scatter(
            x=frame[side],
            y=rows,
            name=side,
            mode="markers",
            customdata=np.array(frame.index, dtype=object),
            marker={"size": 10, "color": style.colour, "symbol": style.symbol},
            hovertext=text.hovers(frame, [f"{side} {value:.3f}" for value in frame[side]]),
            hoverinfo="text",
        )
    if picked in frame.index:
        at = frame.index.tolist().index(picked)
        figure.add_hrect(
            y0=at - 0.5, y1=at + 0.5, fillcolor=NEUTRAL, opacity=0.2, line_width=0, layer="below"
        )
    figure.update_yaxes(
        tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.6], showgrid=False, zeroline=False
    )
    most = max(1.0, float(frame[["A", "B"]].to_numpy().max(initial=0.0)))
    figure.update_xaxes(range=[min(0.0, float(frame[["A", "B"]].min().min())) - 0.02, most * 1.02])
    figure.update_layout(legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0})
    return Chart(
        figure, f"{measure} of A and of B for each of {text.count(len(frame), 'query', 'queries')}."
    )


def distribution(delta: Floats, measure: str, convention: str, tie: float) -> Chart:
    """Return a histogram of the deltas, with a separate bar for ties."""
    most = max(float(np.abs(delta).max(initial=0.0)), tie, TIE)
    # A round width that gives about forty bars.
    raw = 2 * most / _STEPS
    power = 10 ** np.floor(np.log10(raw))
    width = float(next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= raw * 0.999))
    edges = width * np.arange(-np.ceil(most / width), np.ceil(most / width) + 1)
    ties = np.abs(delta) <= tie
    counts, _ = np.histogram(delta[~ties], edges)
    middles = (edges[:-1] + edges[1:]) / 2
    figure = blank(340, f"delta {measure} (B − A)", "queries", convention)
    figure.add_bar(
        x=middles,
        y=counts,
        width=width * 0.94,
        marker={"color": [B if middle > 0 else A for middle in middles]},
        hovertext=[
            f"{text.signed(low, 3)} to {text.signed(low + width, 3)}: {count}"
            for low, count in zip(edges[:-1], counts, strict=True)
        ],
        hoverinfo="text",
    )
    figure.add_bar(
        x=[0],
        y=[int(ties.sum())],
        width=width * 0.3,
        marker={"color": NEUTRAL, "line": {"color": "white", "width": 1}},
        text=[f"{text.count(int(ties.sum()), 'tie')}"] if ties.any() else None,
        textposition="outside",
        constraintext="none",
        hoverinfo="skip",
    )
    mean = float(delta.mean())
    figure.add_vline(
        x=mean,
        line={"color": NEUTRAL, "dash": "dash"},
        annotation_text=f"mean {text.signed(mean, 3)}",
        annotation_position="top right" if mean >= 0 else "top left",
    )
    figure.update_xaxes(range=[-most * 1.05 - width, most * 1.05 + width])
    figure.update_yaxes(range=[0, 1.2 * max(1, int(counts.max(initial=0)), int(ties.sum()))])
    figure.update_layout(showlegend=False, barmode="overlay")
    return Chart(
        figure,
        f"Distribution of delta {measure} over {text.count(len(delta), 'query', 'queries')}: "
        f"mean {text.signed(mean, 3)}, median {text.signed(float(np.median(delta)), 3)}, "
        f"from {text.signed(float(delta.min()), 3)} to {text.signed(float(delta.max()), 3)}.",
    )


CELLS = 500
"""At most this many queries have a row of grades each; more are drawn as shares per rank."""
_UNJUDGED = faint(NEUTRAL, 0.25)


def grades(comparison: Comparison, order: list[str], depth: int, convention: str) -> Chart:
    """Return the grade at each rank of each query, A beside B, or the shares per rank."""
    sides = {
        name: grades_by_rank(scores.judged, order, depth)
        for name, scores in (("A", comparison.a), ("B", comparison.b))
    }
    most = max(1.0, *(float(np.nanmax(cells, initial=0.0)) for cells, _ in sides.values()))
    many = len(order) > CELLS
    figure = make_subplots(cols=2, shared_yaxes=True, horizontal_spacing=0.03)
    height = 360 if many else 130 + max(4, min(22, 900 // max(len(order), 1))) * len(order)
    figure.update_layout(blank(height, "", "", convention).layout)
    for column, (cells, known) in enumerate(sides.values(), 1):
        if many:
            _shares(figure, cells, known, most, column)
        else:
            _cells(figure, cells, known, most, column, digits=len(order) <= ROWS)
    for column, side in enumerate(sides, 1):
        figure.update_xaxes(title=f"rank in {side}", dtick=1 if depth <= 20 else 5, col=column)
    if many:
        figure.update_yaxes(title="share of the queries", range=[0, 1], col=1)
    else:
        ticks = list(range(len(order))) if len(order) <= ROWS else []
        figure.update_yaxes(
            tickvals=ticks,
            ticktext=text.labels(order[: len(ticks)], 16),
            autorange="reversed",
            showgrid=False,
            zeroline=False,
        )
    unjudged = {
        side: int((known & np.isnan(cells)).sum()) for side, (cells, known) in sides.items()
    }
    return Chart(
        figure,
        f"Grades at the ranks 1 to {depth} of {text.count(len(order), 'query', 'queries')}. "
        f"Unjudged: {unjudged['A']:,} ranks in A, {unjudged['B']:,} in B.",
    )


def _cells(
    figure: go.Figure,
    cells: Floats,
    known: NDArray[np.bool_],
    most: float,
    column: int,
    digits: bool,
) -> None:
    unjudged = np.where(known & np.isnan(cells), 1.0, np.nan)
    ranks = list(range(1, cells.shape[1] + 1))
    labels = [
        [text.grade(grade) if exists else "" for grade, exists in zip(*row, strict=True)]
        for row in zip(cells.tolist(), known.tolist(), strict=True)
    ]
    layers = (
        (unjudged, [[0, _UNJUDGED], [1, _UNJUDGED]]),
        (cells, [[0, LIGHT], [1, DARK]]),
    )
    for z, colours in layers:
        figure.add_heatmap(
            z=z,
            x=ranks,
            zmin=0.0,
            zmax=most,
            colorscale=colours,
            showscale=False,
            text=labels if digits else None,
            texttemplate="%{text}" if digits else None,
            hoverinfo="skip",
            xgap=1,
            ygap=1 if digits else 0,
            row=1,
            col=column,
        )


def _shares(
    figure: go.Figure,
    cells: Floats,
    known: NDArray[np.bool_],
    most: float,
    column: int,
) -> None:
    ranks = list(range(1, cells.shape[1] + 1))
    values = sorted(
        {float(grade) for grade in np.unique(cells) if not np.isnan(grade)}, reverse=True
    )
    parts = [
        (text.grade(grade), blend(LIGHT, DARK, max(grade, 0) / most), cells == grade)
        for grade in values
    ]
    parts.append(("? unjudged", _UNJUDGED, known & np.isnan(cells)))
    for name, colour, matches in parts:
        figure.add_bar(
            x=ranks,
            y=matches.mean(axis=0),
            name=name,
            legendgroup=name,
            showlegend=column == 1,
            marker={"color": colour},
            hoverinfo="name+y",
            row=1,
            col=column,
        )
    figure.update_layout(barmode="stack", legend=LEGEND)
