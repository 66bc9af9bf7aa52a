"""Write a chart as static SVG, from the Plotly figure that the pages show."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Any

import numpy as np

from ...colours import INK, channels
from .axes import FONT, Axis, Frame, frame_of, lines_of, n, text

_SOLID, _DOTTED = "", ' stroke-dasharray="2 4"'
_CRISP = ' shape-rendering="crispEdges"'
_CLEAR = 0.35
"""The luminance of a cell from which its text is dark."""


def svg(figure: Any, alt: str) -> str:
    """Return a figure as an ``<svg>`` element, described by the sentence ``alt``.

    It draws what the charts of a comparison use: bars, lines with and without steps, filled areas,
    markers, heatmaps, waterfalls, axes and a legend. The figure's texts are HTML, as Plotly reads
    them; here they become plain text. A hover text becomes the title of its mark.

    Raises
    ------
    KeyError
        When the figure has a trace or a mark of another kind.
    """
    frame = frame_of(figure)
    marks = "".join(mark for trace in frame.traces for mark in _TRACES[trace.type](frame, trace))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{n(frame.width)}" '
        f'height="{n(frame.height)}" viewBox="0 0 {n(frame.width)} {n(frame.height)}" '
        f'font-family="{FONT}" font-size="12" fill="{INK}">'
        f"<desc>{escape(alt)}</desc>{frame.behind()}{marks}{frame.labels()}"
        f"{_legend(frame)}</svg>"
    )


def _each(given: Any, number: int) -> list[Any]:
    """Return a property of marks as one value per mark."""
    return [given] * number if given is None or np.ndim(given) == 0 else list(given)


def _titled(tag: str, hover: str | None) -> str:
    """Return an element, with its hover text as its title."""
    if not hover:
        return f"<{tag}/>"
    words = "\n".join(lines_of(hover))
    return f"<{tag}><title>{escape(words, quote=False)}</title></{tag.split()[0]}>"


def _bars(frame: Frame, trace: Any) -> Iterator[str]:
    width = (1 - (frame.layout.bargap or 0.2)) * frame.x.unit
    number = len(trace.x)
    hover, colours = _each(trace.hovertext, number), _each(trace.marker.color, number)
    edges = _each(trace.marker.line.width, number)
    for x, y, colour, edge, title in zip(trace.x, trace.y, colours, edges, hover, strict=True):
        line = f' stroke="{trace.marker.line.color}" stroke-width="{n(edge)}"' if edge else ""
        box = _box(frame.x.at(x) - width / 2, frame.y.at(0), width, frame.y.at(y) - frame.y.at(0))
        yield _titled(f'rect {box} fill="{colour}"{line}', title)


def _box(x: float, y: float, width: float, height: float) -> str:
    """Return the position and size of a rectangle; its sides may be negative."""
    left, top = min(x, x + width), min(y, y + height)
    return f'x="{n(left)}" y="{n(top)}" width="{n(abs(width))}" height="{n(abs(height))}"'


def _scatter(frame: Frame, trace: Any) -> Iterator[str]:
    mode = trace.mode or "lines"
    points = [
        (frame.x.at(x), frame.y.at(y)) for x, y in zip(trace.x, trace.y, strict=True) if y == y
    ]
    if "lines" in mode and points:
        yield from _line(frame, trace, points)
    if "markers" in mode and (1.0 if trace.marker.opacity is None else trace.marker.opacity):
        yield from _markers(trace, points)


def _line(frame: Frame, trace: Any, points: list[tuple[float, float]]) -> Iterator[str]:
    stepped = trace.line.shape == "hv"
    if trace.fill == "tozeroy":
        zero = frame.y.at(0)
        yield _area([*_path(points, stepped), (points[-1][0], zero), (points[0][0], zero)], trace)
    elif trace.fill == "tonexty":
        # The area reaches down to the trace before this one.
        traces = list(frame.traces)
        below = traces[[each is trace for each in traces].index(True) - 1]
        under = [(frame.x.at(x), frame.y.at(y)) for x, y in zip(below.x, below.y, strict=True)]
        yield _area([*_path(points, stepped), *reversed(_path(under, stepped))], trace)
    width = 2 if trace.line.width is None else trace.line.width
    if width:
        dash = _DOTTED if trace.line.dash == "dot" else _SOLID
        yield (
            f'<polyline points="{_joined(_path(points, stepped))}" fill="none" '
            f'stroke="{trace.line.color}" stroke-width="{n(width)}"{dash}/>'
        )


def _path(points: list[tuple[float, float]], stepped: bool) -> list[tuple[float, float]]:
    """Return the corners of a line, which first runs to the side and then up if it has steps."""
    if not stepped:
        return points
    corners = [corner for (_, y), (x, below) in pairwise(points) for corner in ((x, y), (x, below))]
    return [points[0], *corners]


def _joined(points: list[tuple[float, float]]) -> str:
    return " ".join(f"{n(x)},{n(y)}" for x, y in points)


def _area(points: list[tuple[float, float]], trace: Any) -> str:
    colour, opacity = trace.fillcolor, ""
    if colour is None:
        colour, opacity = trace.line.color, ' fill-opacity="0.5"'
    return f'<polygon points="{_joined(points)}" fill="{colour}"{opacity}/>'


def _markers(trace: Any, points: list[tuple[float, float]]) -> Iterator[str]:
    marker, number = trace.marker, len(points)
    looks = zip(
        points,
        _each(marker.size or 6, number),
        _each(marker.color or trace.line.color, number),
        _each(marker.symbol or "circle", number),
        _each(trace.hovertext, number),
        strict=True,
    )
    shade = "" if marker.opacity is None else f' opacity="{n(marker.opacity, 2)}"'
    for (x, y), size, colour, symbol, hover in looks:
        yield _titled(f"{_SYMBOLS[symbol](x, y, size / 2, colour, marker.line)}{shade}", hover)


def _circle(x: float, y: float, r: float, colour: str, line: Any) -> str:
    return f'circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" fill="{colour}"'


def _ring(x: float, y: float, r: float, colour: str, line: Any) -> str:
    look = f'fill="none" stroke="{colour}" stroke-width="{n(line.width)}"'
    return f'circle cx="{n(x)}" cy="{n(y)}" r="{n(r)}" {look}'


def _square(x: float, y: float, r: float, colour: str, line: Any) -> str:
    return f'rect {_box(x - r, y - r, 2 * r, 2 * r)} fill="{colour}"'


def _dash(x: float, y: float, r: float, colour: str, line: Any) -> str:
    return _stroke((x - r, y), (x + r, y), line.color, line.width)


def _slash(x: float, y: float, r: float, colour: str, line: Any) -> str:
    return _stroke((x - r, y + r), (x + r, y - r), line.color, line.width)


def _stroke(start: tuple[float, float], end: tuple[float, float], colour: str, wide: float) -> str:
    (x1, y1), (x2, y2) = start, end
    look = f'stroke="{colour}" stroke-width="{n(wide)}"'
    return f'line x1="{n(x1)}" y1="{n(y1)}" x2="{n(x2)}" y2="{n(y2)}" {look}'


_SYMBOLS: dict[str, Callable[[float, float, float, str, Any], str]] = {
    "circle": _circle,
    "circle-open": _ring,
    "square": _square,
    "line-ew": _dash,
    "line-ne": _slash,
}


@dataclass(frozen=True)
class _Scale:
    """The colours of a heatmap from its lowest to its highest value."""

    low: float
    high: float
    stops: tuple[tuple[float, str], ...]

    def colour(self, value: float) -> str:
        share = (value - self.low) / ((self.high - self.low) or 1)
        places = [place for place, _ in self.stops]
        stops = np.array([channels(colour) for _, colour in self.stops])
        mixed = [round(float(np.interp(share, places, channel))) for channel in stops.T]
        return f"#{bytes(mixed).hex()}"


def _heatmap(frame: Frame, trace: Any) -> Iterator[str]:
    z = np.asarray(trace.z, float)
    low, high = (
        end if given is None else given
        for given, end in ((trace.zmin, np.nanmin(z)), (trace.zmax, np.nanmax(z)))
    )
    scale = _Scale(float(low), float(high), tuple(trace.colorscale))
    width, height = (_spacing(axis, at) for axis, at in ((frame.x, trace.x), (frame.y, trace.y)))
    xgap, ygap = trace.xgap or 0, trace.ygap or 0
    for row, column in zip(*np.nonzero(~np.isnan(z)), strict=True):
        x, y = frame.x.at(trace.x[column]), frame.y.at(trace.y[row])
        colour = scale.colour(float(z[row, column]))
        sides = (width - xgap, height - ygap)
        box = _box(x - sides[0] / 2, y - sides[1] / 2, *sides)
        yield f'<rect {box} fill="{colour}"{_CRISP}/>'
        if trace.texttemplate:
            red, green, blue = ((channel / 255) ** 2.2 for channel in channels(colour))
            dark = 0.21 * red + 0.72 * green + 0.07 * blue > _CLEAR
            ink = INK if dark else "#FFFFFF"
            yield text(x, y, trace.text[row][column], "middle", ink=ink)
    if trace.showscale is not False:
        yield from _colour_bar(frame, scale, trace.colorbar)


def _spacing(axis: Axis, places: Any) -> float:
    """Return the pixels from one cell to the next."""
    first, *others = places
    return abs(axis.at(others[0]) - axis.at(first)) if others else axis.unit


def _colour_bar(frame: Frame, scale: _Scale, bar: Any) -> Iterator[str]:
    """Draw the colours from the lowest to the highest value beside the chart."""
    left, steps = frame.x.end + 24, 24
    axis = Axis(scale.low, scale.high, frame.y.start, frame.y.end)
    edges = np.linspace(scale.low, scale.high, steps + 1)
    for low, high in pairwise(edges):
        box = _box(left, axis.at(low), 14, axis.at(high) - axis.at(low))
        yield f'<rect {box} fill="{scale.colour((low + high) / 2)}"{_CRISP}/>'
    for value, label in zip(bar.tickvals, bar.ticktext, strict=True):
        if scale.low <= value <= scale.high:
            yield text(left + 20, axis.at(value), label)
    yield text(left, frame.y.end - 12, bar.title.text)


def _waterfall(frame: Frame, trace: Any) -> Iterator[str]:
    colours = [each.marker.color for each in (trace.decreasing, trace.increasing)]
    thick, total = 0.8 * frame.y.unit, 0.0
    before: tuple[float, float] | None = None
    rows = zip(trace.x, trace.y, trace.measure, trace.text, strict=True)
    for value, place, kind, label in rows:
        start = 0.0 if kind == "total" else total
        total = start + value
        y, left, right = frame.y.at(place), frame.x.at(start), frame.x.at(total)
        if before is not None:
            line = trace.connector.line
            yield f"<{_stroke(before, (before[0], y - thick / 2), line.color, line.width)}/>"
        colour = trace.totals.marker.color if kind == "total" else colours[value > 0]
        yield f'<rect {_box(left, y - thick / 2, right - left, thick)} fill="{colour}"/>'
        forward = value >= 0
        yield text(right + (4 if forward else -4), y, label, "start" if forward else "end")
        before = (right, y + thick / 2)


def _legend(frame: Frame) -> str:
    """Draw the name of each trace beside its mark, above the chart."""
    drawn, left = [], frame.x.start
    for trace in frame.named:
        line = trace.line
        ends = (left, frame.top - 14), (left + 24, frame.top - 14)
        wide = 2 if line.width is None else line.width
        drawn.append(f"<{_stroke(*ends, line.color, wide)}/>")
        drawn += _markers(trace, [(left + 12, frame.top - 14)])
        drawn.append(text(left + 30, frame.top - 14, trace.name))
        left += 60 + 8 * len(trace.name)
    return "".join(drawn)


_TRACES: dict[str, Callable[[Frame, Any], Iterator[str]]] = {
    "bar": _bars,
    "scatter": _scatter,
    "heatmap": _heatmap,
    "waterfall": _waterfall,
}
"""The function that draws each kind of trace."""
