"""Make texts from files safe to show in a message, and write counts in words."""

import math
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from difflib import get_close_matches
from itertools import count as count_up
from itertools import islice

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols drawn as blank: the Hangul fillers and the empty Braille pattern."""
_SELECTORS = "".join(map(chr, (*range(0x180B, 0x1810), *range(0xFE00, 0xFE10))))
MARKS = f"\u034f\u17b4\u17b5{_SELECTORS}{''.join(map(chr, range(0xE0100, 0xE01F0)))}"
"""Marks that are not drawn: joiners, inherent vowels, and the selectors of a letter's form."""
_SPACE = re.compile(r"\s")


def is_hidden(character: str) -> bool:
    """Return whether a character is invisible, or looks like a space."""
    if character == " ":
        return False
    return character in _BLANK + MARKS or unicodedata.category(character)[0] in "CZ"


def visible(text: str) -> str:
    """Return the text with each invisible character replaced by its number, such as ⟨U+202E⟩.

    A selector of the form of a symbol, such as that of a colored heart, stays.

    Examples
    --------
    >>> visible("a\\u202efdp"), visible("d1\\ufe0f"), len(visible("\\u2764\\ufe0f"))
    ('a⟨U+202E⟩fdp', 'd1⟨U+FE0F⟩', 2)
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        f"⟨U+{ord(c):04X}⟩"
        if is_hidden(c) and not (c in _SELECTORS and unicodedata.category(before) == "So")
        else c
        for before, c in zip(f" {text}", text, strict=False)
    )


def legible(text: str) -> str:
    """Return a text of several lines: other white space as spaces, the rest as `visible` does.

    Examples
    --------
    >>> legible("one\\r\\ntwo\\tor\\u00a0three\\u200b")
    'one\\ntwo or three⟨U+200B⟩'
    """
    lines = text.replace("\r\n", "\n").split("\n")
    return "\n".join(visible(_SPACE.sub(" ", line)) for line in lines)


def flat(text: str) -> str:
    """Return a text on one line, with one space for all white space between words.

    Examples
    --------
    >>> flat("one\\n\\n  two")
    'one two'
    """
    return visible(" ".join(text.split()))


def quote(text: str) -> str:
    """Return a text from a file in quotes, for a message; at most 80 characters are kept."""
    return repr(text if len(text) <= 80 else text[:79] + "…")


def listed(texts: Iterable[str], most: int = 5) -> str:
    """Return the first ``most`` of several texts from a file in quotes, for a message.

    Examples
    --------
    >>> listed(["a", "b"]), listed(["a", "b"], 1)
    ("'a', 'b'", "'a', …")
    """
    first = list(islice(texts, most + 1))
    shown = list(map(quote, first[:most]))
    if len(first) > most:
        shown.append("…")
    return ", ".join(shown)


def joined(texts: Iterable[str]) -> str:
    """Return texts as a list in a sentence.

    Examples
    --------
    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    *first, last = texts
    return f"{', '.join(first)} and {last}" if first else last


def number(value: float, digits: int = 4) -> str:
    """Return a printed number; a missing one is a dash, never 0.

    Examples
    --------
    >>> number(-0.5), number(float("nan"))
    ('−0.5000', '–')
    """
    return "–" if math.isnan(value) else f"{value:.{digits}f}".replace("-", "−")


def signed(value: float, digits: int = 4) -> str:
    """Return a printed difference with its sign, or without one if all its digits are 0.

    Examples
    --------
    >>> signed(0.25), signed(-0.00001)
    ('+0.2500', '0.0000')
    """
    if math.isnan(value):
        return "–"
    shown = f"{value:+z.{digits}f}"
    return shown.replace("-", "−") if shown.strip("+0.") else shown[1:]


def near(total: float, parts: Iterable[float], digits: int = 4) -> str:
    """Return ≈ and a space for a total that its parts as printed do not add up to; else nothing.

    Examples
    --------
    >>> near(0.5668 - 0.5690, (0.5668, -0.5690)), near(0.0024, (0.0013, 0.0013))
    ('', '≈ ')
    """
    shown = sum(round(each, digits) for each in parts)
    return "" if signed(shown, digits) == signed(total, digits) else "≈ "


def moved(before: float, after: float) -> str:
    """Return a printed number before and after a change, and the change with its sign.

    Examples
    --------
    >>> moved(0.5, 0.25), moved(0.55363, 0.19736)
    ('0.5000 → 0.2500 (−0.2500)', '0.5536 → 0.1974 (≈ −0.3563)')
    """
    by = after - before
    return f"{number(before)} → {number(after)} ({near(by, (after, -before))}{signed(by)})"


def apart(one: float, other: float) -> str:
    """Return how far two numbers are apart, ≈ where as they are printed it is another number.

    Examples
    --------
    >>> apart(0.25, 0.5), apart(0.55363, 0.19736)
    ('0.2500', '≈ 0.3563')
    """
    return f"{near(one - other, (one, -other))}{number(abs(one - other))}"


def p_value(p: float) -> str:
    """Return a printed p-value; never 0.

    Examples
    --------
    >>> p_value(0.0421), p_value(0.0001)
    ('0.042', '< 0.001')
    """
    return "–" if math.isnan(p) else "< 0.001" if p < 0.001 else f"{p:.3f}"


def p_is(p: float) -> str:
    """Return a p-value as an equation: ``p = 0.042``, ``p < 0.001``."""
    value = p_value(p)
    return f"p {value}" if value.startswith("<") else f"p = {value}"


def count(number: int, one: str, many: str = "") -> str:
    """Return a number with its noun in the singular or plural.

    Examples
    --------
    >>> count(1, "row"), count(2000, "query", "queries")
    ('1 row', '2,000 queries')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


def free(name: str, taken: Collection[str]) -> str:
    """Return a name, or if it is taken the first that is free with a number after it.

    Examples
    --------
    >>> free("a", ["b"]), free("a", ["a", "a (2)"])
    ('a', 'a (3)')
    """
    numbered = (f"{name} ({number})" for number in count_up(2))
    return name if name not in taken else next(each for each in numbered if each not in taken)


def suggestion(name: str, known: Collection[str], shown: Callable[[str], str] = str) -> str:
    """Return the question whether the nearest of the known names was meant; empty for none.

    Examples
    --------
    >>> suggestion("gian", ["gain", "ties"]), suggestion("x", ["gain"])
    ('Did you mean gain? ', '')
    """
    near = get_close_matches(name, known, 1)
    return f"Did you mean {shown(near[0])}? " if near else ""


def shared_start(one: str, other: str) -> int:
    """Return how many characters two texts have in common at the start.

    Examples
    --------
    >>> shared_start("doc-1", "doc-20"), shared_start("a", "abc"), shared_start("x", "y")
    (4, 1, 0)
    """
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
