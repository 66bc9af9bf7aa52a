"""Charts of several runs: their means, each pair, and their means over time; no streamlit."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ..arrays import Floats
from ..colours import NEUTRAL, A, B, blend
from ..comparing.leaderboard import Leaderboard
from ..deciding.trend import PastRun, Point
from . import text
from .charts import STYLES, Chart, blank

TICKS = 6
"""At most this many runs have their date below the axis, so that it fits a phone."""
LONGEST = 40
"""At most this many characters of a name are under the pointer."""


def standings(board: Leaderboard, convention: str) -> Chart:
    """Return the mean of each run in the first measure with its interval, the best at the top."""
    rows, measure = list(range(len(board.standings))), board.measures[0]
    means = [each.means[measure] for each in board.standings]
    figure = blank(120 + 34 * len(rows), f"mean {measure}", "", convention, showlegend=False)
    figure.add_scatter(
        x=means,
        y=rows,
        mode="markers+text",
        marker={"size": 11, "color": NEUTRAL, "symbol": "diamond"},
        text=[text.number(value, 3) for value in means],
        textposition="top center",
        error_x={
            "array": [e.high - mean for e, mean in zip(board.standings, means, strict=True)],
            "arrayminus": [mean - e.low for e, mean in zip(board.standings, means, strict=True)],
            "color": NEUTRAL,
            "thickness": 2,
        },
        hoverinfo="skip",
    )
    runs = text.labels((each.run for each in board.standings), 22)
    names = [f"{place}  {run}" for place, run in enumerate(runs, 1)]
    figure.update_yaxes(
        tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.8], showgrid=False, zeroline=False
    )
    return Chart(
        figure,
        f"Mean {measure} of {len(rows)} runs with intervals; the highest is "
        f"{text.number(means[0], 3)}.",
    )


def matrix(board: Leaderboard, convention: str) -> Chart:
    """Return the mean delta of every pair, row − column; customdata holds both indices."""
    measure = board.measures[0]
    at = {each.run: number for number, each in enumerate(board.standings)}
    most = max((abs(row.delta) for row in board.pairs.values()), default=0.0) or 1.0
    cells = []
    for (worse, better), row in board.pairs.items():
        w, b = at[worse], at[better]
        mark = "" if row.sure else " ?"
        cells += [(b, w, row.delta, mark), (w, b, -row.delta, mark)]
    size = min(56, 380 // max(len(at), 1))
    figure = blank(110 + (size + 6) * len(at), f"delta {measure}, row − column", "", convention)
    figure.add_scatter(
        x=[column for _, column, _, _ in cells],
        y=[row for row, _, _, _ in cells],
        mode="markers+text",
        customdata=[f"{row} {column}" for row, column, _, _ in cells],
        text=[text.signed(delta, 2 if len(at) > 6 else 3) + mark for *_, delta, mark in cells],
        textfont={"size": 10 if len(at) > 6 else 12, "color": "#1A1A1A"},
        marker={
            "symbol": "square",
            "size": size,
            # Light enough for dark digits.
            "color": [
                blend("#E8E8E8", B if delta > 0 else A, 0.7 * abs(delta / most))
                for *_, delta, _ in cells
            ],
            "opacity": 1,
            "line": {"width": 0},
        },
        hoverinfo="none",
        # A click picks a pair; Plotly would fade the others.
        unselected={"marker": {"opacity": 1}, "textfont": {"color": "#1A1A1A"}},
    )
    places = range(len(at))
    ticks = {"tickvals": [*places], "ticktext": [str(place + 1) for place in places]}
    figure.update_xaxes(**ticks, range=[-0.6, len(at) - 0.4], side="top")
    figure.update_yaxes(**ticks, range=[len(at) - 0.4, -0.6])
    for axis in (figure.update_xaxes, figure.update_yaxes):
        axis(showgrid=False, zeroline=False)
    figure.update_layout(showlegend=False)
    sure = sum(row.sure for row in board.pairs.values())
    return Chart(
        figure,
        f"Mean deltas of {text.count(len(board.pairs), 'pair')} of runs in {measure}; {sure} "
        "unlikely to be due to chance.",
    )


def trend(
    points: Sequence[Point], measure: str, convention: str, sides: Mapping[str, PastRun]
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
        annotations=_letters(points, sides),
        showlegend=False,
    )
    return Chart(figure, _alt(points, values, measure))


def _lines(points: Sequence[Point], values: Floats, measure: str) -> Iterator[dict[str, Any]]:
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
    points: Sequence[Point], values: Floats, sides: Mapping[str, PastRun]
) -> Iterator[dict[str, Any]]:
    """Return a mark for each of the two compared runs."""
    places = {point.run.path: place for place, point in enumerate(points)}
    for side, run in sides.items():
        place, style = places[run.path], STYLES[side]
        yield {
            "type": "scatter",
            "x": [place],
            "y": [values[place].item()],
            "mode": "markers",
            "marker": {"size": 13, "color": style.colour, "symbol": style.symbol},
            "hoverinfo": "skip",
        }


def _letters(points: Sequence[Point], sides: Mapping[str, PastRun]) -> list[dict[str, Any]]:
    """Return the letter of each marked run, at the upper edge, where no interval crosses it."""
    places = {point.run.path: place for place, point in enumerate(points)}
    return [
        {
            "text": f"<b>{side}</b>",
            "x": places[run.path],
            "y": 1,
            "yref": "paper",
            "yanchor": "bottom",
            "showarrow": False,
            "font": {"size": 15, "color": STYLES[side].colour},
        }
        for side, run in sides.items()
    ]


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


def _alt(points: Sequence[Point], values: Floats, measure: str) -> str:
    breaks = sum(bool(point.differences) for point in points)
    broken = f" The line has {text.count(breaks, 'break')}." if breaks else ""
    known = values[~np.isnan(values)]
    ends = "no query has a score"
    if len(known):
        first, last, low, high = (
            text.number(float(each), 3) for each in (known[0], known[-1], known.min(), known.max())
        )
        ends = f"from {first} to {last}; lowest {low}, highest {high}"
    return (
        f"Mean {measure} of {text.count(len(points), 'run')} with 95 % intervals, the oldest "
        f"first: {ends}.{broken}"
    )
