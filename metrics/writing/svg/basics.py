"""What every picture is written with: numbers, labels, and the round numbers of a scale."""

import math
import unicodedata
from html import escape

from ...colours import INK

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
