"""The waterfall of one query of two runs: which documents its delta comes from."""

import numpy as np
import pandas as pd

from ..colours import NEUTRAL, A, B
from . import text
from .charts import Chart, blank

DOCUMENTS = 12
"""At most this many documents have a bar each; one bar sums the others."""


def steps(frame: pd.DataFrame, most: int) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the bars of a waterfall, largest first: at most so many, and those to sum up.

    One alone is not summed up: it has a bar.
    """
    moved = frame[frame["delta"] != 0]
    moved = moved.reindex(moved["delta"].abs().sort_values(ascending=False, kind="stable").index)
    most += len(moved) == most + 1
    return moved[:most], moved[most:]


def waterfall(frame: pd.DataFrame, measure: str, convention: str) -> Chart:
    """Return a waterfall of the documents' contributions to a query's delta."""
    shown, others = steps(frame, DOCUMENTS)
    moved = len(shown) + len(others)
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
        text=[text.signed(value, 3) for value in values]
        + [text.near(total, values, 3) + text.signed(total, 3)],
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
        f"{text.count(moved, 'bar')}, with a total delta of {text.signed(total, 3)} in {measure}.",
    )
