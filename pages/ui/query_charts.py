"""Charts with a mark, a row or a bar for many queries at once; no streamlit here."""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from metrics import Comparison
from metrics.compare import TIE

from . import text
from .charts import NEUTRAL, A, B, Chart, blank

ROWS = 40
"""So many queries have a row each; more are on further pages."""
CELLS = 500
"""Up to so many queries each has a row of grades; beyond, ranks show shares."""
_STEPS = 40
_UNJUDGED = "rgba(138,143,152,0.25)"


def dumbbells(
    frame: pd.DataFrame, measure: str, picked: str, convention: str, tie: float = TIE
) -> Chart:
    """Both scores of each query on one line, and the way from A to B between them."""
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
    names = [text.for_plotly(query, 22) for query in frame.index]
    for side, colour, symbol in (("A", A, "square"), ("B", B, "circle")):
        figure.add_scatter(
            x=frame[side],
            y=rows,
            name=side,
            mode="markers",
            customdata=np.array(frame.index, dtype=object),
            marker={"size": 10, "color": colour, "symbol": symbol},
            hovertext=[f"{n}: {side} {v:.3f}" for n, v in zip(names, frame[side], strict=True)],
            hoverinfo="text",
        )
    if picked in frame.index:
        at = frame.index.tolist().index(picked)
        figure.add_hrect(
            y0=at - 0.5, y1=at + 0.5, fillcolor=NEUTRAL, opacity=0.2, line_width=0, layer="below"
        )
    figure.update_yaxes(
        tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.6], showgrid=False
    )
    most = max(1.0, float(frame[["A", "B"]].to_numpy().max(initial=0.0)))
    figure.update_xaxes(range=[min(0.0, float(frame[["A", "B"]].min().min())) - 0.02, most * 1.02])
    figure.update_layout(legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0})
    return Chart(figure, f"{measure} of A and of B for each of {len(frame)} queries.")


def distribution(delta: NDArray[np.float64], measure: str, convention: str, tie: float) -> Chart:
    """How many queries have a delta of each size; ties are a bar of their own."""
    most = max(float(np.abs(delta).max(initial=0.0)), tie, 1e-9)
    width = _width(most)
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


def _width(most: float) -> float:
    """A round width that makes about forty bars."""
    raw = 2 * most / _STEPS
    power = 10 ** np.floor(np.log10(raw))
    return float(next(step * power for step in (1, 2, 2.5, 5, 10) if step * power >= raw * 0.999))


def grades(comparison: Comparison, order: list[str], depth: int, convention: str) -> Chart:
    """The grade at each rank of each query, A beside B; of very many queries, shares per rank."""
    sides = {side: _grades(comparison, side, order, depth) for side in ("A", "B")}
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
            ticktext=[text.for_plotly(query, 16) for query in order[: len(ticks)]],
            autorange="reversed",
            showgrid=False,
        )
    unjudged = {
        side: int((known & np.isnan(cells)).sum()) for side, (cells, known) in sides.items()
    }
    return Chart(
        figure,
        f"Grades at the ranks 1 to {depth} of {len(order)} queries. Without a grade: "
        f"{unjudged['A']:,} places in A, {unjudged['B']:,} in B.",
    )


def _grades(
    comparison: Comparison, side: str, order: list[str], depth: int
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """``(q, depth)`` the grade at each rank, NaN where nobody judged; and whether it has any."""
    judged = (comparison.a if side == "A" else comparison.b).judged
    place = {query: row for row, query in enumerate(order)}
    row = np.array([place.get(query, -1) for query in judged.queries], np.int64)
    cells = np.full((len(order), depth), np.nan)
    hits = judged.hits[(judged.hits.rank <= depth) & (row[judged.hits.query] >= 0)]
    cells[row[hits.query], hits.rank - 1] = hits.grade
    retrieved = np.zeros(len(order), np.int64)
    retrieved[row[row >= 0]] = judged.retrieved[row >= 0]
    return cells, np.arange(depth) < retrieved[:, None]


def _colour(share: float) -> str:
    """One hue, from light to dark."""
    light, dark = (222, 235, 247), (8, 48, 107)
    mixed = (round(a + (b - a) * share) for a, b in zip(light, dark, strict=True))
    return f"rgb({', '.join(map(str, mixed))})"


def _cells(
    figure: go.Figure,
    cells: NDArray[np.float64],
    known: NDArray[np.bool_],
    most: float,
    column: int,
    digits: bool,
) -> None:
    unjudged = np.where(known & np.isnan(cells), 1.0, np.nan)
    ranks = list(range(1, cells.shape[1] + 1))
    written = [
        [text.grade(grade) if there else "" for grade, there in zip(*row, strict=True)]
        for row in zip(cells.tolist(), known.tolist(), strict=True)
    ]
    layers = (
        (unjudged, [[0, _UNJUDGED], [1, _UNJUDGED]]),
        (cells, [[0, _colour(0)], [1, _colour(1)]]),
    )
    for z, colours in layers:
        figure.add_heatmap(
            z=z,
            x=ranks,
            zmin=0.0,
            zmax=most,
            colorscale=colours,
            showscale=False,
            text=written if digits else None,
            texttemplate="%{text}" if digits else None,
            hoverinfo="skip",
            xgap=1,
            ygap=1 if digits else 0,
            row=1,
            col=column,
        )


def _shares(
    figure: go.Figure,
    cells: NDArray[np.float64],
    known: NDArray[np.bool_],
    most: float,
    column: int,
) -> None:
    ranks = list(range(1, cells.shape[1] + 1))
    found = sorted(
        {float(grade) for grade in np.unique(cells) if not np.isnan(grade)}, reverse=True
    )
    parts = [
        (text.grade(grade), _colour(max(grade, 0) / most), (cells == grade)) for grade in found
    ]
    parts.append(("? unjudged", _UNJUDGED, known & np.isnan(cells)))
    for name, colour, here in parts:
        figure.add_bar(
            x=ranks,
            y=here.mean(axis=0),
            name=name,
            legendgroup=name,
            showlegend=column == 1,
            marker={"color": colour},
            hoverinfo="name+y",
            row=1,
            col=column,
        )
    figure.update_layout(
        barmode="stack", legend={"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0}
    )
