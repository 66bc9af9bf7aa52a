"""The colours that pictures and pages share, each with one meaning, and their shades."""

A, B = "#0072B2", "#D55E00"
"""The two runs: for nothing else."""
EARNED = "#5B5FC7"
"""What a list earns."""
NEUTRAL, MIDDLE = "#8A8F98", "#D5D8DD"
"""What belongs to neither run; the middle of a scale from A to B."""
DARK = "#08306B"
"""The ends of a scale from little to much, such as grades."""
INK = "#31333F"
"""Text on white."""


def channels(colour: str) -> list[int]:
    """Return red, green and blue, from 0 to 255."""
    return list(bytes.fromhex(colour.removeprefix("#")))


def faint(colour: str, opacity: float) -> str:
    """Return a colour that lets through what is below it.

    Examples
    --------
    >>> faint(A, 0.2)
    'rgba(0,114,178,0.2)'
    """
    return f"rgba({','.join(map(str, channels(colour)))},{opacity})"


def blend(low: str, high: str, share: float) -> str:
    """Return the colour at a share of the way from one colour to another.

    Examples
    --------
    >>> blend("#000000", "#FFFFFF", 0.2)
    'rgb(51, 51, 51)'
    """
    ends = zip(channels(low), channels(high), strict=True)
    return f"rgb({', '.join(str(round(a + (b - a) * share)) for a, b in ends)})"
