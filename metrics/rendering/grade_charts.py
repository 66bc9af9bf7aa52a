"""The grades at each rank of many queries, A beside B; without streamlit."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
from numpy.typing import NDArray
from plotly.subplots import make_subplots

from ..arrays import Floats
from ..colours import DARK, LIGHT, NEUTRAL, blend, faint
from ..comparing.comparison import Comparison
from ..exploring.grades_by_rank import grades_by_rank
from . import text
from .charts import LEGEND, Chart, blank
from .query_charts import ROWS

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
