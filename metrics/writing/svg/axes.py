"""The axes of a static chart: where its values lie, its ticks, titles and margins."""

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape, unescape
from typing import Any

from ...colours import INK

WIDTH = 720.0
"""Pixels; the text area of an A4 page shows them at almost full size."""
FONT = "system-ui,sans-serif"
GRID, _ZERO = "#E6E8EC", "#B4B8C0"
_LINE = 15
"""Pixels from one line of text to the next."""


def n(value: float, digits: int = 1) -> str:
    """Return a number in SVG, without needless zeros.

    Examples
    --------
    >>> n(3.0), n(0.25), n(-0.04)
    ('3', '0.2', '0')
    """
    shown = f"{value:z.{digits}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def lines_of(label: Any) -> list[str]:
    """Return the lines of a label, which is HTML with ``<br>``, as plain text.

    Examples
    --------
    >>> lines_of("a &lt; b<br>c")
    ['a < b', 'c']
    """
    return [unescape(line) for line in str(label).split("<br>")] if label else []


def width(words: str) -> float:
    """Return about how many pixels a line of text is wide."""
    return sum(12.0 if unicodedata.east_asian_width(each) in "WF" else 6.8 for each in words)


def text(
    x: float, y: float, label: Any, anchor: str = "start", ink: str = INK, turned: bool = False
) -> str:
    """Return a label with its middle at this height; ``turned``: it reads from below."""
    lines = lines_of(label)
    first = 4 - _LINE * (len(lines) - 1) / 2
    place = f' transform="translate({n(x)} {n(y)})' + (' rotate(-90)"' if turned else '"')
    colour = "" if ink == INK else f' fill="{ink}"'
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    spans = "".join(
        f'<tspan x="0" y="{n(first + _LINE * at)}">{escape(line, quote=False)}</tspan>'
        for at, line in enumerate(lines)
    )
    return f"<text{place}{side}{colour}>{spans}</text>"


@dataclass(frozen=True)
class Axis:
    """Where the values of one axis lie, from the pixel ``start`` at ``low`` to ``end`` at ``high``.

    ``names``: the categories; the position of each counts as its value.
    """

    low: float
    high: float
    start: float
    end: float
    names: tuple[Any, ...] = ()
    ticks: tuple[tuple[Any, str], ...] = ()

    def at(self, value: Any) -> float:
        """Return the pixel of a value or a category."""
        place = self.names.index(value) if self.names else float(value)
        return self.start + (place - self.low) / (self.high - self.low) * (self.end - self.start)

    @property
    def unit(self) -> float:
        """The pixels from one whole number to the next."""
        return abs((self.end - self.start) / (self.high - self.low))


@dataclass(frozen=True)
class Frame:
    """The area of a chart with its axes, and the size of the whole."""

    width: float
    height: float
    top: float
    x: Axis
    y: Axis
    layout: Any
    traces: tuple[Any, ...]
    named: tuple[Any, ...]

    def behind(self) -> str:
        """Return the lines of the grid and those at 0, which lie behind the marks."""
        bottom, top, left, right = self.y.start, self.y.end, self.x.start, self.x.end
        upright = [(self.x.at(v), look) for v, look in _rules(self.x, self.layout.xaxis)]
        level = [(self.y.at(v), look) for v, look in _rules(self.y, self.layout.yaxis)]
        drawn = [f'<path d="M{n(x)} {n(bottom)}V{n(top)}" {look}/>' for x, look in upright]
        drawn += [f'<path d="M{n(left)} {n(y)}H{n(right)}" {look}/>' for y, look in level]
        return "".join(drawn)

    def labels(self) -> str:
        """Return the ticks' labels and the titles of the axes."""
        bottom, turned = self.y.start, bool(self.layout.xaxis.tickangle)
        drawn = [
            text(self.x.at(value), bottom + 8, label, "end", turned=True)
            if turned
            else text(self.x.at(value), bottom + 14, label, "middle")
            for value, label in self.x.ticks
        ]
        drawn += [
            text(self.x.start - 8, self.y.at(value), label, "end") for value, label in self.y.ticks
        ]
        under = lines_of(self.layout.xaxis.title.text)
        middle = (self.x.start + self.x.end) / 2
        height = self.height - 4 - _LINE * len(under) / 2
        drawn.append(text(middle, height, self.layout.xaxis.title.text, "middle"))
        upright = (self.y.start + self.y.end) / 2
        drawn.append(text(10, upright, self.layout.yaxis.title.text, "middle", turned=True))
        return "".join(drawn)


def _rules(axis: Axis, layout: Any) -> list[tuple[Any, str]]:
    """Return the values with a line across the chart, each with its look."""
    # Named places, such as queries or documents, are no scale to read values from.
    grid = layout.showgrid is not False and layout.tickvals is None
    lines = [(value, GRID) for value, _ in axis.ticks if grid]
    lines += [(0.0, _ZERO)] if layout.zeroline else []
    return [(value, f'stroke="{colour}"') for value, colour in lines]


def frame_of(figure: Any) -> Frame:
    """Return the area of a figure, with room for its labels."""
    layout, traces = figure.layout, tuple(figure.data)
    names = _names(layout.xaxis, [trace.x for trace in traces])
    low, high = _range(layout.xaxis, traces, "x", names)
    bottom_value, top_value = _range(layout.yaxis, traces, "y", ())
    named = tuple(
        trace
        for trace in traces
        if layout.showlegend is not False and trace.name and trace.showlegend is not False
    )
    top = 30.0 if named else 12.0
    scaled = any(trace.type == "heatmap" and trace.showscale is not False for trace in traces)
    top += 18 if scaled else 0
    y_ticks = _ticks(layout.yaxis, bottom_value, top_value, (), 7)
    widest = max((width(line) for _, label in y_ticks for line in lines_of(label)), default=0.0)
    left = 14 + widest + (20 if layout.yaxis.title.text else 0)
    x_ticks = _ticks(layout.xaxis, low, high, names, 9)
    labels = [lines_of(label) for _, label in x_ticks]
    turned = max((width(line) for label in labels for line in label), default=0.0)
    tall = turned if layout.xaxis.tickangle else 18.0
    bottom = 14 + tall + _LINE * len(lines_of(layout.xaxis.title.text))
    height = layout.height + (max(0.0, tall - 40) if layout.xaxis.tickangle else 0.0)
    right, whole = (96.0 if scaled else 16.0), WIDTH
    if layout.yaxis.scaleanchor:
        # Both axes have the same scale, so the area is a square.
        whole = left + (height - top - bottom) + right
    x = Axis(low, high, left, whole - right, names, tuple(x_ticks))
    y = Axis(bottom_value, top_value, height - bottom, top, (), tuple(y_ticks))
    return Frame(whole, height, top, x, y, layout, traces, named)


def _names(axis: Any, columns: Sequence[Any]) -> tuple[Any, ...]:
    """Return the categories of an axis, in the order of their first use."""
    if axis.type != "category":
        return ()
    return tuple(dict.fromkeys(value for column in columns for value in column))


def _range(
    axis: Any, traces: Sequence[Any], side: str, names: Sequence[Any]
) -> tuple[float, float]:
    """Return the values at both ends of an axis."""
    if axis.range is not None:
        low, high = axis.range
        return float(low), float(high)
    if names:
        return -0.5, len(names) - 0.5
    values = [float(v) for trace in traces for v in trace[side] if v is not None and v == v]
    low, high = min(values, default=0.0), max(values, default=1.0)
    boxes = any(trace.type != "scatter" for trace in traces)
    room = 0.5 if boxes else 0.04 * (high - low) or 0.5
    ends = (low - room, high + room)
    return (ends[1], ends[0]) if axis.autorange == "reversed" else ends


def _ticks(
    axis: Any, low: float, high: float, names: Sequence[Any], most: int
) -> list[tuple[Any, str]]:
    """Return the value and the label of each tick."""
    if axis.tickvals is not None:
        return list(zip(map(float, axis.tickvals), axis.ticktext, strict=True))
    if names:
        return [(name, str(name)) for name in names]
    return [*ticks(min(low, high), max(low, high), most)]


def ticks(low: float, high: float, most: int) -> list[tuple[float, str]]:
    """Return at most ``most`` round numbers between two others, with their labels.

    Examples
    --------
    >>> [label for _, label in ticks(-0.5, 0.6, 7)]
    ['−0.4', '−0.2', '0', '0.2', '0.4', '0.6']
    """
    least = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= least)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    values = [at * step for at in range(first, last + 1)]
    return [(v, f"{v:z,.{digits}f}".replace("-", "−") if v else "0") for v in values]
