"""The chart of judged runs over time; without streamlit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from ..deciding.trend import PastRun, Point
from . import text
from .charts import NEUTRAL, STYLES, Chart, blank

TICKS = 6
"""At most this many runs have their date below the axis, so that it fits a phone."""
LONGEST = 40
"""At most this many characters of a name are under the pointer."""


def means(
    points: Sequence[Point], measure: str, convention: str, sides: dict[str, PastRun]
) -> Chart:
    """Return the mean of each run with its 95 % interval, the oldest run at the left.

    The line breaks before a run that is not comparable with the one before it. ``sides``: the runs
    that are marked, by the name of their side, A or B.
    """
    values = np.array([point.means[measure].mean for point in points])
    figure = blank(
        340,
        "runs, the oldest first",
        f"mean {measure}",
        convention,
        [*_lines(points, values, measure), *_marks(points, values, sides)],
        xaxis={"range": [-0.5, len(points) - 0.5], "showgrid": False, "zeroline": False}
        | _ticks(points),
        showlegend=False,
    )
    return Chart(figure, _alt(points, values, measure))


def _lines(
    points: Sequence[Point], values: np.ndarray[Any, Any], measure: str
) -> Iterator[dict[str, Any]]:
    """Return a line for each series of comparable runs."""
    starts = [place for place, point in enumerate(points) if not place or point.differences]
    for start, stop in zip(starts, [*starts[1:], len(points)], strict=True):
        places = list(range(start, stop))
        each = [points[place].means[measure] for place in places]
        yield {
            "type": "scatter",
            "x": places,
            "y": values[start:stop].tolist(),
            "mode": "lines+markers",
            "line": {"color": NEUTRAL, "width": 2},
            "marker": {"size": 8, "color": NEUTRAL, "symbol": "diamond"},
            "error_y": {
                "array": [mean.high - mean.mean for mean in each],
                "arrayminus": [mean.mean - mean.low for mean in each],
                "color": NEUTRAL,
                "thickness": 1.5,
            },
            "hovertext": [_hover(points[place], measure) for place in places],
            "hoverinfo": "text",
        }


def _marks(
    points: Sequence[Point], values: np.ndarray[Any, Any], sides: dict[str, PastRun]
) -> Iterator[dict[str, Any]]:
    """Return a mark for each of the two compared runs."""
    places = {point.run.path: place for place, point in enumerate(points)}
    for side, run in sides.items():
        place, style = places[run.path], STYLES[side]
        yield {
            "type": "scatter",
            "x": [place],
            "y": [values[place].item()],
            "mode": "markers+text",
            "marker": {"size": 13, "color": style.colour, "symbol": style.symbol},
            "text": [f"<b>{side}</b>"],
            "textposition": "middle right",
            "textfont": {"size": 15, "color": style.colour},
            "hoverinfo": "skip",
        }


def _ticks(points: Sequence[Point]) -> dict[str, Any]:
    """Return the dates below the axis; with the time of day where one date has several runs."""
    times = [point.run.file.time for point in points]
    form = "%Y-%m-%d" if len({time.date() for time in times}) == len(times) else "%m-%d %H:%M"
    many = min(TICKS, len(points))
    places = np.unique(np.linspace(0, len(points) - 1, many).round().astype(int)).tolist()
    return {"tickvals": places, "ticktext": [f"{times[place]:{form}}" for place in places]}


def _hover(point: Point, measure: str) -> str:
    """Return what is under the pointer: the run, its commit and tags, its mean and interval."""
    file, mean = point.run.file, point.means[measure]
    names = [file.name, file.commit, " ".join(file.tags)]
    number = f"{mean.mean:.3f} ({mean.low:.3f} to {mean.high:.3f})"
    shown = [text.for_plotly(name, LONGEST) for name in names if name]
    return "<br>".join([*shown, f"{file.time:%Y-%m-%d %H:%M} UTC", number])


def _alt(points: Sequence[Point], values: np.ndarray[Any, Any], measure: str) -> str:
    breaks = sum(bool(point.differences) for point in points)
    broken = f" The line has {text.count(breaks, 'break')}." if breaks else ""
    return (
        f"Mean {measure} of {text.count(len(points), 'run')} with 95 % intervals, the oldest "
        f"first: from {text.number(values[0], 3)} to {text.number(values[-1], 3)}; lowest "
        f"{text.number(np.nanmin(values, initial=np.inf), 3)}, highest "
        f"{text.number(np.nanmax(values, initial=-np.inf), 3)}.{broken}"
    )
