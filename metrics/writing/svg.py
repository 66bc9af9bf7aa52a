"""Charts as SVG, drawn as text without a browser: tables, bars beside names, two lists, curves."""

import math
import textwrap
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Any, NamedTuple

from ..colours import INK, NEUTRAL, A, B, blend

WIDTH = 720.0
"""Pixels; the text area of an A4 page shows them at almost full size."""
FONT = "system-ui,sans-serif"
GRID = "#E6E8EC"


def n(value: float, digits: int = 1) -> str:
    """Return a number in SVG, without needless zeros.

    Examples
    --------
    >>> n(3.0), n(0.25), n(-0.04)
    ('3', '0.2', '0')
    """
    shown = f"{value:z.{digits}f}"
    return shown.rstrip("0").rstrip(".") if "." in shown else shown


def width(words: str) -> float:
    """Return about how many pixels a line of text is wide."""
    return sum(12.0 if unicodedata.east_asian_width(each) in "WF" else 6.8 for each in words)


def text(
    x: float, y: float, words: str, anchor: str = "start", ink: str = INK, room: float = WIDTH
) -> str:
    """Return words with their middle at this height, without their own middle where they are long.

    ``room``: the pixels that they may take.
    """
    if width(words) > room:
        most = int(len(words) * room / width(words))
        words = f"{words[: most // 2]}…{words[len(words) - (most - 1) // 2 :]}"
    side = "" if anchor == "start" else f' text-anchor="{anchor}"'
    colour = "" if ink == INK else f' fill="{ink}"'
    return f'<text x="{n(x)}" y="{n(y + 4)}"{side}{colour}>{escape(words, quote=False)}</text>'


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


_ROW, _GAP = 22, 16
_SERIF = "'Source Serif 4',Georgia,serif"
_GREY = "#5F6470"
_WORDS = [blend(colour, INK, 0.22) for colour in (A, B)]
"""The colours of A's and B's words, which need more contrast than areas."""


class Drawing(NamedTuple):
    """A part of a picture, drawn from its own top left corner."""

    drawn: str
    height: float
    width: float = WIDTH


class Bar(NamedTuple):
    """A bar beside its name, in the colour of the run it is in favour of; a sum is in ink."""

    name: str
    start: float
    end: float
    value: str
    is_sum: bool = False

    @property
    def colour(self) -> str:
        """The colour of the bar."""
        return INK if self.is_sum else B if self.end > self.start else A


def picture(title: str, parts: Iterable[Drawing], below: str, alt: str) -> str:
    """Return an ``<svg>`` of the parts one below the other, with a title and a line of facts.

    It stands on its own: on white, in fonts that every computer has or replaces.

    Examples
    --------
    >>> made = picture("nDCG@5", [bars([Bar("<q1>", 0, 0.5, "+0.5")])], "trec_eval", "One bar.")
    >>> "&lt;q1&gt;" in made, made.count("<rect")
    (True, 2)
    """
    parts = list(parts)
    wide = max((part.width for part in parts), default=WIDTH)
    heading, facts = textwrap.wrap(title, int(wide / 11)), textwrap.wrap(below, int(wide / 7))
    top = _GAP + 24.0 * len(heading)
    drawn = [
        f'<g font-family="{_SERIF}" font-size="18" font-weight="600">{text(0, 24 * at + 20, line)}'
        "</g>"
        for at, line in enumerate(heading)
    ]
    for part in parts:
        drawn.append(f'<g transform="translate(0 {n(top)})">{part.drawn}</g>')
        top += part.height + _GAP
    drawn += [text(0, top + 18 * at, line, ink=_GREY) for at, line in enumerate(facts)]
    high = top + 18 * len(facts)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" width="{n(wide + 2 * _GAP)}" '
        f'height="{n(high + _GAP)}" viewBox="{-_GAP} 0 {n(wide + 2 * _GAP)} {n(high + _GAP)}" '
        f'font-family="{FONT}" font-size="13" fill="{INK}"><title>{escape(title)}</title>'
        f'<desc>{escape(alt)}</desc><rect x="{-_GAP}" width="100%" height="100%" fill="#fff"/>'
        f"{''.join(drawn)}</svg>"
    )


def _strong(drawn: str) -> str:
    return f'<g font-weight="600">{drawn}</g>'


def table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], texts: Collection[str]
) -> Drawing:
    """Return a table with its title; the columns of ``texts`` begin on the left."""
    lines = [columns, *rows]
    widths = [1.1 * max(map(width, column)) + 18 for column in zip(*lines, strict=True)]
    drawn = [_strong(text(0, _ROW / 2, title))]
    for at, cells in enumerate(lines, 1):
        left = 0.0
        for name, cell, wide in zip(columns, cells, widths, strict=True):
            place = (left,) if name in texts else (left + wide - 18, "end")
            drawn.append(text(place[0], _ROW * (at + 0.5), cell, *place[1:]))
            left += wide
        drawn.append(f'<path d="M0 {_ROW * (at + 1)}H{n(left - 18)}" stroke="{GRID}"/>')
    return Drawing("".join(drawn), _ROW * (len(lines) + 1), sum(widths) - 18)


def bars(rows: Sequence[Bar | str], room: float = WIDTH) -> Drawing:
    """Return bars beside their names and values, on one scale; a text is a heading.

    ``room``: pixels; where they are few, a bar is below its name.
    """
    ends = [0.0, *(end for row in rows if isinstance(row, Bar) for end in (row.start, row.end))]
    low, high = min(ends), max(ends)
    left, drop = (300.0, 0) if room == WIDTH else (0.0, _ROW - 4)
    unit = (room - left - 80) / ((high - low) or 1)
    zero = left - low * unit
    drawn, foot = [], 0.0
    for row in rows:
        y, foot = foot + _ROW / 2, foot + _ROW
        if isinstance(row, str):
            drawn.append(_strong(text(0, y, row)))
            continue
        x, wide = left + (min(row.start, row.end) - low) * unit, abs(row.end - row.start) * unit
        drawn += [
            text(0, y, row.name, room=left - 10 if left else 0.85 * room),
            f'<rect x="{n(x)}" y="{n(y + drop - 7)}" width="{n(wide)}" height="14" rx="2" '
            f'fill="{row.colour}"/>',
            f'<path d="M{n(zero)} {n(y + drop - 11)}v{_ROW}" stroke="{INK}"/>',
            text(room, y + drop, row.value, "end"),
        ]
        foot += drop
    return Drawing("".join(drawn), foot, room)


def lists(
    names: Sequence[str],
    sides: Sequence[Sequence[Mapping[str, Any]]],
    links: Sequence[Mapping[str, Any]],
    below: Sequence[str],
    dots: int,
    room: float = WIDTH,
) -> Drawing:
    """Return two lists, with a line from each document's rank in A to that in B.

    ``sides``: the name, rank and grade of each document. ``links``: the rank under ``A`` and
    ``B``, None below the lists, and the ``weight``, above 0 in favour of B. ``below``: where
    lines lead that end below a list. ``dots``: how many show a grade; 0: digits do. ``room``:
    pixels; where they are few, a name is below its rank.
    """
    deep = max((row["rank"] for side in sides for row in side), default=1)
    drop, side, at = (0, 290.0, 84) if room == WIDTH else (_ROW - 4, 0.42 * room, 8)
    inner, drawn = (side, room - side), []

    def height(rank: float) -> float:
        return 1.5 * _ROW + (_ROW + drop) * (rank - 1)

    for link in sorted(links, key=lambda link: abs(link["weight"])):
        start, end = (height(link[run] or deep + 1.2) for run in "AB")
        weight = link["weight"]
        colour = B if weight > 0 else A if weight < 0 else NEUTRAL
        (x1, x2), middle = inner, room / 2
        drawn.append(
            f'<path d="M{n(x1)} {n(start)}C{n(middle)} {n(start)} {n(middle)} {n(end)} {n(x2)} '
            f'{n(end)}" fill="none" stroke="{colour}" stroke-width="{n(1 + 4 * abs(weight))}"/>'
        )
    for x, way, name, rows, end, colour in zip(
        inner, (-1, 1), names, sides, below, _WORDS, strict=True
    ):
        anchor = "end" if way < 0 else "start"
        drawn.append(_strong(text(x + 8 * way, _ROW / 2, name, anchor, colour)))
        for row in rows:
            y = height(row["rank"])
            drawn += [
                text(x + 8 * way, y, str(row["rank"]), anchor),
                _graded(x + 36 * way, y, row["grade"], dots, way),
                text(x + at * way, y + drop, row["name"], anchor, room=side - at - 6),
            ]
        drawn.append(text(x + 8 * way, height(deep + 1.2), end, anchor, _GREY))
    return Drawing("".join(drawn), height(deep + 0.5 + 1.2 * any(below)), room)


def _graded(x: float, y: float, grade: str, dots: int, way: int) -> str:
    """Return a grade as dots, the first on the left; as text where it is none of so many."""
    if not dots or not grade.isdigit():
        return text(x, y, grade, "end" if way < 0 else "start")
    left = x + 6 if way > 0 else x + 6 - 12 * dots
    return "".join(
        f'<circle cx="{n(left + 12 * at)}" cy="{n(y)}" r="4" '
        f'fill="{INK if at < int(grade) else GRID}"/>'
        for at in range(dots)
    )


def curves(
    names: Sequence[str], sides: Mapping[str, Sequence[Sequence[float]]], room: float = WIDTH
) -> Drawing:
    """Return a line for A and one for B over named places, each with a band.

    ``sides``: by title, the lower end, the middle and the upper end at each place.
    """
    values = [value for points in sides.values() for point in points for value in point]
    low, high = min(values), max(*values, min(values) + 0.01)
    left, top, foot = 48.0, 24.0, 260.0
    xs = [left + (at + 0.5) * (room - left) / len(names) for at in range(len(names))]
    drawn = [text(x, foot + 16, name, "middle") for x, name in zip(xs, names, strict=True)]

    def height(value: float) -> float:
        return foot - 20 - (value - low) / (high - low) * (foot - 20 - top)

    for value, label in ticks(low, high, 7):
        y = height(value)
        drawn.append(f'<path d="M{n(left)} {n(y)}H{n(room)}" stroke="{GRID}"/>')
        drawn.append(text(left - 8, y, label, "end"))
    last = [points[-1][1] for points in sides.values()]
    for at, (title, points) in enumerate(sides.items()):
        lower, middle, upper = (
            [f"{n(x)},{n(height(value))}" for x, value in zip(xs, column, strict=True)]
            for column in zip(*points, strict=True)
        )
        look = f'fill="{(A, B)[at]}" fill-opacity="0.18"'
        near = [height(value) for _, value, _ in points[-(len(points) // 2) :]]
        beside = min(near) - 12 if last[at] > last[1 - at] - at * 1e-9 else max(near) + 14
        drawn += [
            f'<polygon points="{" ".join([*lower, *reversed(upper)])}" {look}/>',
            f'<polyline points="{" ".join(middle)}" fill="none" stroke="{(A, B)[at]}" '
            'stroke-width="3"/>',
            # At the end of its line: above the upper one, below the lower one.
            _strong(text(room, beside, title, "end", _WORDS[at], room / 2)),
        ]
    return Drawing("".join(drawn), foot + 24, room)
