"""A chart of two rankings side by side, with a line between the ranks of each document."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd
import plotly.graph_objects as go

from ..colours import NEUTRAL, A, B
from . import text
from .charts import STYLES, Chart, blank

SLOPES = 30
"""At most this many ranks are drawn."""


def slopes(frame: pd.DataFrame, depth: int, longest: int = 16) -> Chart:
    """Return two rankings side by side, with a line between the ranks of each document.

    A line's width is the document's share of the delta; a line without one is grey. No line leads
    to an empty ranking. ``longest``: at most this many characters of a document's name.
    """
    below = depth + 1.3
    ends = {side: None if frame[f"rank {side}"].isna().all() else below for side in STYLES}
    heaviest = float(frame["delta"].abs().max()) if len(frame) else 0.0
    figure = blank(90 + 27 * depth, "", "", "", showlegend=False)
    names = text.labels(frame.index, longest)
    for name, line in zip(names, frame.reset_index().to_dict("records"), strict=True):
        ranks = [
            None if pd.isna(rank) or rank > depth else float(rank)
            for rank in (line["rank A"], line["rank B"])
        ]
        if ranks == [None, None]:
            continue
        grade = f"({line['grade']})"
        # The grade is next to the mark: where there is little room, only the name is cut.
        labels = (f"{name} {grade}", f"{grade} {name}")
        delta = line["delta"]
        figure.add_scatter(
            x=[0, 1],
            y=[end if r is None else r for r, end in zip(ranks, ends.values(), strict=True)],
            mode="lines+markers+text",
            text=["" if r is None else label for r, label in zip(ranks, labels, strict=True)],
            textposition=["middle left", "middle right"],
            textfont={"size": 11},
            line={
                "color": NEUTRAL if delta == 0 else (B if delta > 0 else A),
                "width": 1.0 + (5.0 * abs(delta) / heaviest if heaviest else 0.0),
            },
            marker={"size": 7},
            hovertext=f"{text.for_plotly(line['document'], 60)}: {text.signed(delta, 3)}",
            hoverinfo="text",
        )
    _sides(figure, depth, below, ends)
    if empty := [side for side, end in ends.items() if end is None]:
        listed = text.count(len(frame), "document")
        return Chart(figure, f"{listed}; no ranking in {' and '.join(empty)}.")
    moved = int((frame["rank A"].fillna(0) != frame["rank B"].fillna(0)).sum())
    return Chart(figure, f"{moved} of {len(frame)} documents have different ranks in A and B.")


def _sides(figure: go.Figure, depth: int, below: float, ends: Mapping[str, float | None]) -> None:
    """Label the ranks at the side, and each ranking above."""
    ticks = [*range(1, depth + 1)]
    figure.update_yaxes(
        range=[below + 0.5, 0.4],
        tickvals=[*ticks, below],
        ticktext=[*map(str, ticks), "lower"],
        zeroline=False,
        showgrid=False,
    )
    figure.update_xaxes(
        range=[-1.2, 2.2],
        tickvals=[0, 1],
        ticktext=[side if end else f"{side}: no ranking" for side, end in ends.items()],
        side="top",
        showgrid=False,
    )
