"""Charts of one query of two runs: the movement of ranks, and a waterfall of the delta."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

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
    traces = []
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
        traces.append(
            {
                "type": "scatter",
                "x": [0, 1],
                "y": [end if r is None else r for r, end in zip(ranks, ends.values(), strict=True)],
                "mode": "lines+markers+text",
                "text": ["" if r is None else each for r, each in zip(ranks, labels, strict=True)],
                "textposition": ["middle left", "middle right"],
                "textfont": {"size": 11},
                "line": {
                    "color": NEUTRAL if delta == 0 else (B if delta > 0 else A),
                    "width": 1.0 + (5.0 * abs(delta) / heaviest if heaviest else 0.0),
                },
                "marker": {"size": 7},
                "hovertext": f"{text.for_plotly(line['document'], 60)}: {text.signed(delta, 3)}",
                "hoverinfo": "text",
            }
        )
    figure = blank(90 + 27 * depth, "", "", "", traces, **_sides(depth, below, ends))
    if empty := [side for side, end in ends.items() if end is None]:
        listed = text.count(len(frame), "document")
        return Chart(figure, f"{listed}; no ranking in {' and '.join(empty)}.")
    moved = int((frame["rank A"].fillna(0) != frame["rank B"].fillna(0)).sum())
    return Chart(figure, f"{moved} of {len(frame)} documents have different ranks in A and B.")


def _sides(depth: int, below: float, ends: Mapping[str, float | None]) -> dict[str, Any]:
    """Return the layout with the ranks at the side, and a name above each ranking."""
    ticks = [*range(1, depth + 1)]
    return {
        "yaxis": {
            "range": [below + 0.5, 0.4],
            "tickvals": [*ticks, below],
            "ticktext": [*map(str, ticks), "lower"],
            "zeroline": False,
            "showgrid": False,
        },
        "xaxis": {
            "range": [-1.2, 2.2],
            "tickvals": [0, 1],
            "ticktext": [side if end else f"{side}: no ranking" for side, end in ends.items()],
            "side": "top",
            "showgrid": False,
        },
        "showlegend": False,
    }


DOCUMENTS = 12
"""At most this many documents have a bar each; one bar sums the others."""


def waterfall(frame: pd.DataFrame, measure: str, convention: str) -> Chart:
    """Return a waterfall of the documents' contributions to a query's delta."""
    moved = frame[frame["delta"] != 0]
    moved = moved.reindex(moved["delta"].abs().sort_values(ascending=False, kind="stable").index)
    shown, others = moved[:DOCUMENTS], moved[DOCUMENTS:]
    names = [
        # Only bars that are not documents have no grade.
        label + ("" if np.isnan(grade) else f" ({text.grade(grade)})")
        for label, grade in zip(text.labels(shown["document"], 22), shown["grade"], strict=True)
    ]
    values = shown["delta"].tolist()
    ids = shown["document"].tolist()
    if len(others):
        names.append(f"{len(others)} others")
        values.append(float(others["delta"].sum()))
        ids.append("")
    total = float(frame["delta"].sum())
    x = f"contribution to delta {measure} (B − A)"
    figure = blank(140 + 26 * (len(names) + 1), x, "", convention, showlegend=False)
    figure.add_waterfall(
        orientation="h",
        y=[*range(len(names)), len(names)],
        x=[*values, total],
        measure=[*["relative"] * len(names), "total"],
        customdata=[*ids, ""],
        text=[text.signed(value, 3) for value in [*values, total]],
        textposition="outside",
        cliponaxis=False,
        hoverinfo="none",
        increasing={"marker": {"color": B}},
        decreasing={"marker": {"color": A}},
        totals={"marker": {"color": NEUTRAL}},
        connector={"line": {"color": NEUTRAL, "width": 1}},
    )
    figure.update_yaxes(
        tickvals=[*range(len(names) + 1)],
        ticktext=[*names, "delta of the query"],
        autorange="reversed",
    )
    path = np.cumsum([0.0, *values])
    low, high = float(path.min()), float(path.max())
    room = 0.3 * max(high - low, 0.01)
    figure.update_xaxes(range=[low - room, high + room], zeroline=True)
    return Chart(
        figure,
        f"{text.count(len(moved), 'bar')}, with a total delta of {text.signed(total, 3)} in "
        f"{measure}.",
    )
