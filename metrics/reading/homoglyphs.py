"""Ids that look the same but differ: noted and kept apart."""

import unicodedata
from collections.abc import Collection, Hashable, Iterable, Iterator
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import take
from ..data import Note, Pairs
from ..words import MARKS, count

# Letters that most fonts draw like the Latin letters on the next line.
_LIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝӏкмѵѡАВЕКМНОРСТХУІЈЅҮοναρυικϲΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսıɡ‐‒–—−’‘",
    "aeopcyxijshdqwlkmvwABEKMHOPCTXYIJSYovapuikcABEZHIKMNOPTYXonuig-----''",
    f"{MARKS}\u00ad\u200b\u200c\u200d\u2060\ufeff",
)


_MANY = 30
"""No script puts more marks on one letter, and normalising them takes quadratic time."""


def skeleton(text: str) -> str:
    """Return a form of a text that is equal for texts that look the same.

    Examples
    --------
    >>> skeleton("d\\u0430") == "da", skeleton("cafe\\u0301") == "caf\\u00e9"
    (True, True)
    """
    return (text if _is_heaped(text) else unicodedata.normalize("NFKC", text)).translate(_LIKE)


def _is_heaped(text: str) -> bool:
    """Return whether one letter has more marks than any script uses."""
    if len(text) <= _MANY:
        return False
    marks = (
        len(list(run))
        for is_mark, run in groupby(map(unicodedata.combining, text), bool)
        if is_mark
    )
    return max(marks, default=0) > _MANY


def names_alike(names: Collection[str], what: str) -> Iterator[Note]:
    """Yield a note on names that look alike, if any do.

    Examples
    --------
    >>> [note.code for note in names_alike(["ann", "\\u0430nn"], "names of judges")]
    ['N-LOOK-ALIKE']
    """
    if any(map(_is_odd, names)):
        yield from _kept_apart(((skeleton(text), text) for text in names), what)


def may_look_alike(pairs: Pairs) -> bool:
    """Return whether documents of one query may look alike, or two queries."""
    return any(map(_is_odd, pairs.queries)) or any(True for _ in documents_alike(pairs))


def _is_odd(text: str) -> bool:
    """Return whether a text may look like another."""
    return not text.isascii() and skeleton(text) != text


def _kept_apart(texts: Iterable[tuple[Hashable, str]], what: str) -> Iterator[Note]:
    """Yield a note where texts have the same look, which stands before each."""
    looks: dict[Hashable, list[str]] = {}
    for look, text in texts:
        looks.setdefault(look, []).append(text)
    if found := [group for group in looks.values() if len(group) > 1]:
        one, other = (_spelled(text) for text in found[0][:2])
        yield Note(
            f"{count(len(found), 'pair')} of {what} that look alike but differ in their letters or "
            f"normal form, the first is {one} and {other}: kept apart.",
            "N-LOOK-ALIKE",
        )


def documents_alike(pairs: Pairs) -> Iterator[Note]:
    """Yield a note on document ids of one query that look the same but differ."""
    if pc.all(pc.string_is_ascii(pairs.document)).as_py() or not len(pairs):
        return
    odd = pc.unique(pairs.document.filter(pc.invert(pc.string_is_ascii(pairs.document))))
    changed = {text for text in odd.to_pylist() if skeleton(text) != text}
    if not changed:
        return
    is_changed = pc.is_in(pairs.document, value_set=pa.array(sorted(changed), pa.string()))
    rows = np.flatnonzero(np.asarray(is_changed.to_pylist(), bool))
    near = np.flatnonzero(np.isin(pairs.query, np.unique(pairs.query[rows])))
    ids = zip(pairs.query[near].tolist(), take(pairs.document, near).to_pylist(), strict=True)
    looks = (((query, skeleton(text)), text) for query, text in ids)
    yield from _kept_apart(looks, "document ids in one query")


def _spelled(text: str) -> str:
    """Return a text in quotes, with the code points of its non-ASCII letters."""
    odd = ", ".join(f"U+{ord(c):04X}" for c in text if not c.isascii())
    return f"'{text}'" + (f" ({odd})" if odd else "")
