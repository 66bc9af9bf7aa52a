"""Texts from outside as they may stand in a message, and numbers of things in words."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from itertools import islice

_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and symbols that are drawn as nothing: Hangul fillers, the empty Braille pattern."""


def is_hidden(character: str) -> bool:
    """Whether a character cannot be seen, or not told from a space."""
    if character == " ":
        return False
    return character in _BLANK or unicodedata.category(character)[0] in "CZ"


def visible(text: str) -> str:
    """Characters that cannot be seen shown by their number, such as ⟨U+202E⟩.

    Examples
    --------
    >>> visible("a\\u202efdp")
    'a⟨U+202E⟩fdp'
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(f"⟨U+{ord(c):04X}⟩" if is_hidden(c) else c for c in text)


def quote(text: str) -> str:
    """A text from a file as it may stand in a message: quoted, at most 80 characters."""
    return repr(text if len(text) <= 80 else text[:79] + "…")


def listed(texts: Iterable[str], most: int = 5) -> str:
    """The first of several texts from a file as they may stand in a message.

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


def count(number: int, one: str, many: str = "") -> str:
    """A number of things in words that agree with it.

    Examples
    --------
    >>> count(1, "row"), count(2000, "query", "queries")
    ('1 row', '2,000 queries')
    """
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
