"""A chart of two judges: how often their grades met; no streamlit."""

import pandas as pd

from ..colours import NEUTRAL
from . import text
from .charts import Chart, blank

_SQUARE = "#666B76"
"""Seen on a light and on a dark page; white digits are read on it."""
_SMALLEST = 24
"""The side of a square that holds two digits, in pixels."""


def met(counts: pd.DataFrame) -> Chart:
    """Return a square for each pair of grades that met, the larger the more often.

    ``counts``: rows and columns are the same grades, those of A and of B.
    """
    grades = [f"{grade:g}" for grade in counts.index]
    many, size = len(grades), max(_SMALLEST, min(46, 300 // len(grades)))
    rows = counts.to_numpy().tolist()
    cells = [(a, b, rows[a][b]) for a in range(many) for b in range(many) if rows[a][b]]
    most = max(times for *_, times in cells)
    squares = {
        "type": "scatter",
        "x": [b for _, b, _ in cells],
        "y": [a for a, *_ in cells],
        "mode": "markers+text",
        "text": [f"{times:,}" for *_, times in cells],
        "textfont": {"size": 13, "color": "#FFFFFF"},
        "marker": {
            "symbol": "square",
            "size": [max(_SMALLEST, size * (times / most) ** 0.5) for *_, times in cells],
            "color": _SQUARE,
            "line": {"width": [2 if a == b else 0 for a, b, _ in cells], "color": NEUTRAL},
            "opacity": 1,
        },
        "hoverinfo": "skip",
    }
    axis = {
        "tickvals": list(range(many)),
        "ticktext": grades,
        "tickfont": {"size": 13},
        "range": [-0.6, many - 0.4],
        "zeroline": False,
        "showgrid": False,
    }
    height = 110 + many * (size + 6)
    titles = "grade of B", "grade of A"
    figure = blank(height, *titles, "", [squares], axis, axis, showlegend=False)
    same = sum(times for a, b, times in cells if a == b)
    of = text.count(sum(times for *_, times in cells), "document")
    return Chart(figure, f"Grades of A against grades of B: {same:,} of {of} on the diagonal.")
