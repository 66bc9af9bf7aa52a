"""Charts of two judges: how often their grades met, and who leads under each; no streamlit."""

from collections.abc import Sequence
from typing import Any

import pandas as pd

from ..colours import EARNED, NEUTRAL, A, B, faint
from ..comparing.significance import TIE
from . import text
from .charts import Chart, blank

_SQUARE = "#666B76"
"""Seen on a light and on a dark page; white digits are read on it."""
_LONGEST = 20
"""At most this many characters of a name are in a chart."""
_SMALLEST = 24
"""The side of a square that holds two digits, in pixels."""


def met(counts: pd.DataFrame, a: str, b: str) -> Chart:
    """Return a square for each pair of grades that met, the larger the more often.

    Beside each grade of A is how often B gave the same.

    ``counts``: rows and columns are the same grades, those of the judges with these names.
    """
    exact = counts.index.tolist()
    grades = [f"{grade:g}" for grade in exact]
    many, size = len(grades), max(_SMALLEST, min(40, 300 // len(grades)))
    rows = counts.to_numpy().tolist()
    cells = [(x, y, rows[x][y]) for x in range(many) for y in range(many) if rows[x][y]]
    most = max(times for *_, times in cells)
    sizes = [max(_SMALLEST, size * (times / most) ** 0.5) for *_, times in cells]
    squares = {
        "type": "scatter",
        "x": [y for _, y, _ in cells],
        "y": [x for x, *_ in cells],
        "mode": "markers+text",
        "text": [f"{times:,}" for *_, times in cells],
        "textfont": {"size": 13, "color": "#FFFFFF"},
        "marker": {"symbol": "square", "size": sizes, "color": _SQUARE, "opacity": 1},
        # So much less that the page's style can tell the selected one.
        "unselected": {"marker": {"opacity": 0.99}, "textfont": {"color": "#FFFFFF"}},
        "customdata": [f"{exact[x]},{exact[y]}" for x, y, _ in cells],
        "hoverinfo": "none",
    }
    axis = {"tickvals": list(range(many)), "ticktext": grades, "range": [-0.6, many - 0.4]}
    axis |= {"zeroline": False, "showgrid": False}
    beside = [f"{row[x]:,} of {sum(row):,}" if sum(row) else "" for x, row in enumerate(rows)]
    same_grade: list[dict[str, Any]] = [
        {"x": 1, "xref": "paper", "xanchor": "right", "y": y, "text": said, "showarrow": False}
        for y, said in [*enumerate(beside), (many - 0.3, "same grade")]
    ]
    look = {"layer": "below", "line": {"width": 0}, "fillcolor": faint(NEUTRAL, 0.25)}
    diagonal = [
        {"type": "rect", "x0": at - 0.5, "x1": at + 0.5, "y0": at - 0.5, "y1": at + 0.5, **look}
        for at in range(many)
    ]
    one, other = (f"grade by {name}" for name in text.labels((a, b), _LONGEST))
    height, looks = 90 + (many + 1) * (size + 6), dict[str, Any](showlegend=False, shapes=diagonal)
    wide, high = [-0.6, many + 0.025 * many + 0.3], [-0.6, many - 0.1]
    across, up = axis | {"range": wide}, axis | {"range": high}
    looks |= {"annotations": same_grade, "margin": {"l": 8, "r": 8, "t": 0, "b": 8}}
    figure = blank(height, other, one, "", [squares], across, up, **looks)
    same = sum(times for x, y, times in cells if x == y)
    of = text.count(sum(times for *_, times in cells), "document")
    return Chart(figure, f"Grades by {a} against grades by {b}: {same:,} of {of} on the diagonal.")


def means(table: pd.DataFrame, title: str) -> Chart:
    """Return each run's mean before and after judgments as two marks, with both numbers.

    ``table``: ``loaded``, NaN without grades before, and ``now``, by run. Two runs have the colours
    of A and B. ``title``: the measure.
    """
    before, after = (table[name].tolist() for name in ("loaded", "now"))
    names, said = text.labels(map(str, table.index), _LONGEST), list(map(text.moved, before, after))
    look: dict[str, Any] = {"type": "scatter", "mode": "markers", "hoverinfo": "skip"}
    ticks = [f"<b>{name}</b><br>{words}" for name, words in zip(names, said, strict=True)]
    hollow = {"size": 15, "symbol": "circle-open", "color": NEUTRAL, "line": {"width": 2}}
    full = {"size": 11, "color": [A, B] if len(names) == 2 else EARNED, "opacity": 1}
    traces = [
        look | {"x": x, "y": ticks, "marker": m} for x, m in ((before, hollow), (after, full))
    ]
    under, y = f"mean {title}<br>○ before · ● now", {"range": [len(names) - 0.5, -0.5]}
    looks: dict[str, Any] = {"showlegend": False, "margin": {"l": 8, "r": 8, "t": 0, "b": 8}}
    figure = blank(62 + 44 * len(names), under, "", "", traces, yaxis=y, **looks)
    listed = map(" ".join, zip(map(str, table.index), said, strict=True))
    return Chart(figure, f"Mean {title}: {', '.join(listed)}.")


def _led(delta: float) -> str:
    return NEUTRAL if abs(delta) <= TIE else B if delta > 0 else A


def deltas_by_judge(table: pd.DataFrame, runs: Sequence[str], title: str) -> Chart:
    """Return the difference of two runs under each judge, with its interval.

    ``table``: ``difference``, ``low`` and ``high``, by judge. A mark has the colour of the run that
    it favours. ``title``: the measure.
    """
    deltas, low, high = (table[name] for name in ("difference", "low", "high"))
    one, other = text.labels(runs, _LONGEST)
    names = text.labels(map(str, table.index), _LONGEST + 12)
    rows = [f"{name}<br>{text.signed(x, 3)}" for name, x in zip(names, deltas, strict=True)]
    up, down = (high - deltas).tolist(), (deltas - low).tolist()
    bars = {"array": up, "arrayminus": down, "color": NEUTRAL, "thickness": 2}
    dots = {"size": 13, "opacity": 1, "color": [_led(delta) for delta in deltas]}
    trace = {"type": "scatter", "mode": "markers", "x": deltas.tolist(), "y": rows, "marker": dots}
    trace |= {"error_x": bars, "hoverinfo": "skip"}
    most = 1.1 * table[["difference", "low", "high"]].abs().max().max() or 1.0
    x = {"range": [-most, most], "zeroline": True, "zerolinecolor": NEUTRAL, "zerolinewidth": 2}
    y = {"autorange": "reversed", "showgrid": False}
    under = f"← {one} leads · {other} leads →<br>difference of mean {title}<br>lines: 95 % interval"
    figure = blank(116 + 44 * len(rows), under, "", "", [trace], x, y, showlegend=False)
    said = (f"{name} {text.signed(delta, 3)}" for name, delta in deltas.items())
    return Chart(figure, f"{runs[1]} − {runs[0]} in mean {title}: {', '.join(said)}.")
