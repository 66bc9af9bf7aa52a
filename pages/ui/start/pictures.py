"""The pictures of the story: bars with a label and a number above each, or the discount's curve."""

from __future__ import annotations

from typing import Any

from metrics.colours import INK, NEUTRAL, A
from metrics.rendering import text
from metrics.rendering.charts import Chart, blank
from metrics.teaching.story_views import Row, View

_HEIGHT, _FONT, _LONGEST = 38, 15, 60
HIGHEST = 6 * _HEIGHT
"""The height in pixels of the picture with most rows; every scene keeps this much room."""
_INK = (INK, "#FAFAFA")
_COLOURS = {"plain": "#4A94C4", "picked": A, "out": NEUTRAL}
# A contribution of 0 is a thin grey line, so that its place can be seen.
_NONE = {"plain": 0.004, "picked": 0.004, "out": 0.0}
_FRAMELESS = {"visible": False, "zeroline": False, "showgrid": False}


def picture(view: View, dark: bool) -> Chart:
    """Return the picture of a view, with texts for a dark or a light page."""
    chart = _bars(view.rows, view.most) if view.rows else _curve(view)
    # Streamlit's own colour for texts in charts is too pale on a light page.
    chart.figure.update_layout(font={"color": _INK[dark]})
    return chart


def _bars(rows: tuple[Row, ...], most: float) -> Chart:
    bars = {
        "type": "bar",
        "orientation": "h",
        "base": [row.start for row in rows],
        "x": [row.length or _NONE[row.look] * most for row in rows],
        "y": [place + 0.24 for place in range(len(rows))],
        "width": 0.36,
        "marker": {"color": [_COLOURS[row.look if row.length else "out"] for row in rows]},
        "hoverinfo": "skip",
    }
    figure = blank(
        _HEIGHT * len(rows),
        "",
        "",
        "",
        [bars],
        xaxis=_FRAMELESS | {"range": [0, 1.005 * most]},
        yaxis=_FRAMELESS | {"range": [len(rows) - 0.5, -0.5]},
        annotations=[words for place, row in enumerate(rows) for words in _words(place, row)],
        shapes=[
            _outline(place, row.limit) for place, row in enumerate(rows) if row.limit is not None
        ],
        margin={"l": 2, "r": 2, "t": 0, "b": 0},
    )
    return Chart(figure, "; ".join(f"{row.label}: {row.text}" for row in rows) + ".")


def _words(place: int, row: Row) -> list[dict[str, Any]]:
    """Return the label at the left end above a bar, and the number at the right end."""
    weight = "bold" if row.look == "picked" else "normal"
    ends = ((row.label, 0, "left"), (row.text, 1, "right"))
    return [
        {
            "text": text.for_plotly(words, _LONGEST),
            "x": x,
            "xref": "x domain",
            "xanchor": anchor,
            "y": place - 0.18,
            "showarrow": False,
            "font": {"size": _FONT, "weight": weight},
            "borderpad": 0,
        }
        for words, x, anchor in ends
    ]


def _outline(place: int, limit: float) -> dict[str, Any]:
    return {
        "type": "rect",
        "x0": 0,
        "x1": limit,
        "y0": place + 0.06,
        "y1": place + 0.42,
        "line": {"color": NEUTRAL, "width": 2},
    }


def _curve(view: View) -> Chart:
    """Return the curve of the discount, with one rank marked."""
    ranks, divisors = view.table.index.tolist(), view.table["discount"].tolist()
    here = divisors[view.at - 1]
    line = {"type": "scatter", "x": ranks, "y": divisors, "mode": "lines", "line": {"color": A}}
    point = {
        "type": "scatter",
        "x": [view.at],
        "y": [here],
        "mode": "markers",
        "marker": {"size": 16, "color": A},
    }
    figure = blank(
        HIGHEST,
        "rank",
        "discount, log₂(rank + 1)",
        "",
        [line | {"hoverinfo": "skip"}, point | {"hoverinfo": "skip"}],
        xaxis={"range": [0.5, len(ranks) + 0.5], "tickvals": [1, *range(5, len(ranks) + 1, 5)]},
        yaxis={"range": [0, 1.1 * max(divisors)]},
        showlegend=False,
        annotations=[
            {
                "text": f"÷ {here:.3f}",
                "x": view.at,
                "y": here,
                "xanchor": "left" if view.at < len(ranks) / 2 else "right",
                "yshift": -22,
                "showarrow": False,
                "font": {"size": _FONT},
            }
        ],
    )
    return Chart(
        figure,
        f"The discount log₂(rank + 1) rises from {divisors[0]:g} at rank 1 to {divisors[-1]:.3f} "
        f"at rank {len(ranks)}; at rank {view.at} it is {here:.3f}.",
    )
