"""What is odd about rows that are sound: told with them, and changing nothing."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..columns import take
from ..data import Pairs, Qrels, Run
from .names import is_hidden, visible
from .problems import Aside, count, quote

if TYPE_CHECKING:
    from .rows import Rows

USUAL_GRADE = 30
"""The gain 2^grade − 1 of a higher one hides all others."""
ONLY_RELEVANT = (
    "Only relevant documents are judged: measures that need judged non-relevant ones, such as "
    "Bpref, and shares of judged documents say little."
)
LEVEL = Aside(
    "In every query all scores are equal, so the order is a matter of ties alone, whatever a rank "
    "column says: ties are ordered by document id, descending."
)
EXACT = 2.0**53
"""Up to here a double holds every whole number."""
_STARS = 3
"""So many grades without a 0 are a scale, such as one to five stars."""
# Letters that most fonts draw like the Latin ones beneath.
_LIKE = str.maketrans(
    "аеорсухіјѕһԁԛԝӏкмѵѡАВЕКМНОРСТХУІЈЅҮοναρυικϲΑΒΕΖΗΙΚΜΝΟΡΤΥΧօոսıɡ‐‒–—−’‘",
    "aeopcyxijshdqwlkmvwABEKMHOPCTXYIJSYovapuikcABEZHIKMNOPTYXonuig-----''",
)


def of_rows(kind: type[Pairs], rows: Rows, value: NDArray[np.float64]) -> list[str]:
    """What is odd about single rows, with the place of the first of them."""
    odd = (
        _grades(rows, value)
        if kind is Qrels
        else [*_too_fine(rows, value), *_counting(rows, value)]
    )
    return [*_hidden(rows), *_spaced(rows), *odd]


def of_pairs(pairs: Pairs) -> list[str]:
    """What is odd about a run or qrels as a whole."""
    said = [*_alike_queries(pairs), *_alike(pairs)]
    if isinstance(pairs, Run) and is_level(pairs):
        said.append(LEVEL)
    if isinstance(pairs, Qrels) and len(pairs):
        said += _scale(pairs.value)
    return said


def may_look_alike(pairs: Pairs) -> bool:
    """Whether two documents of one query look alike, or a query like one that is elsewhere."""
    return any(map(_is_odd, pairs.queries)) or any(True for _ in _alike(pairs))


def is_level(run: Run) -> bool:
    """Whether no score differs from another of its query, and some could.

    Examples
    --------
    >>> is_level(Run.from_dict({"q": {"d": 1, "e": 1}, "r": {"d": 2}}))
    True
    """
    query, value = run.query, run.value
    if ((query[1:] == query[:-1]) & (value[1:] != value[:-1])).any():
        return False
    order = np.argsort(query, kind="stable")
    query, value = query[order], value[order]
    same = query[1:] == query[:-1]
    return bool(same.any() and (value[1:] == value[:-1])[same].all())


def skeleton(text: str) -> str:
    """What a text looks like: equal for texts that only their bytes tell apart.

    Examples
    --------
    >>> skeleton("d\\u0430") == "da", skeleton("cafe\\u0301") == "caf\\u00e9"
    (True, True)
    """
    return unicodedata.normalize("NFKC", text).translate(_LIKE)


def _place(rows: Rows, row: int) -> str:
    """Where a row stands, with a comma before; empty in a format that does not count."""
    return f", {rows.unit} {rows.line[row]}" if rows.line[row] else ""


def _hidden(rows: Rows) -> Iterator[str]:
    """Ids with characters that nobody sees."""
    seen: set[str] = set().union(*rows.document, *set(rows.query))
    odd = "".join(sorted(filter(is_hidden, seen)))
    if not odd:
        return
    pattern = re.compile(f"[{re.escape(odd)}]")
    ids = zip(rows.query, rows.document, strict=True)
    found = [(row, each) for row, pair in enumerate(ids) for each in pair if pattern.search(each)]
    numbers = ", ".join(f"U+{ord(character):04X}" for character in odd[:5])
    row, first = found[0]
    yield (
        f"{count(len(found), 'id')} with characters that cannot be seen ({numbers}), the first is "
        f"'{visible(first)}'{_place(rows, row)}: kept, and not the same as an id without them."
    )


def _spaced(rows: Rows) -> Iterator[str]:
    """Ids with a space at an end, which only quoted texts can have."""
    ids = zip(rows.query, rows.document, strict=True)
    found = [
        (row, each) for row, pair in enumerate(ids) for each in pair if each != each.strip(" \t")
    ]
    if found:
        row, first = found[0]
        yield (
            f"{count(len(found), 'id')} with spaces at an end, the first is "
            f"{quote(first)}{_place(rows, row)}: kept, and not the same as an id without them."
        )


def _too_fine(rows: Rows, value: NDArray[np.float64]) -> Iterator[str]:
    """Different scores of one query that are one number to a double."""
    first: dict[tuple[str, float], str] = {}
    lost: list[tuple[int, str]] = []
    for row in np.flatnonzero(np.abs(value) > EXACT).tolist():
        other = first.setdefault((rows.query[row], float(value[row])), str(rows.value[row]))
        if Decimal(other) != Decimal(str(rows.value[row])):
            lost.append((row, other))
    if lost:
        row, other = lost[0]
        yield (
            f"{count(len(lost), 'score')} with more digits than a double holds, the first is "
            f"{quote(str(rows.value[row]))}{_place(rows, row)}: the same as {quote(other)}, and "
            "ordered by document id. Subtract what the scores have in common."
        )


def _counting(rows: Rows, value: NDArray[np.float64]) -> Iterator[str]:
    """Scores that are the ranks: they count up 1, 2, 3, … in every query, and no rank is given."""
    last: Counter[str] = Counter()
    for query, score in zip(rows.query, value.tolist(), strict=True):
        last[query] += 1
        if rows.rank or score != last[query]:
            return
    # One query of two rows may be an accident.
    if len(value) - len(last) > 1:
        yield (
            "In every query the scores count up 1, 2, 3, … as ranks do. The highest score was "
            "ranked first all the same: if these are ranks, give them as such, in a column rank."
        )


def _grades(rows: Rows, value: NDArray[np.float64]) -> Iterator[str]:
    """Negative, very high and fractional grades."""
    for wrong, what, many, then in (
        (value < 0, "negative grade", "", "such a document counts as not judged in trec_eval"),
        (value > USUAL_GRADE, "very high grade", "", "the gain of such a grade hides all others"),
        (
            value != np.floor(value),
            "grade that is a fraction",
            "grades that are fractions",
            "used as it is, and relevant from the grade that the convention says",
        ),
    ):
        if wrong.any():
            row = int(np.argmax(wrong))
            yield (
                f"{count(int(wrong.sum()), what, many)}, the first is {value[row]:g} for "
                f"{quote(rows.document[row])}{_place(rows, row)}: {then}."
            )


def _scale(value: NDArray[np.float64]) -> Iterator[str]:
    """A scale on which nothing, or everything, is relevant."""
    grades = np.unique(value)
    if grades[-1] <= 0:
        yield "There is no relevant document in any query: every grade is 0 or below."
    elif grades[0] >= 1 and len(grades) >= _STARS:
        yield (
            f"The lowest grade is {grades[0]:g}, so every judged document counts as relevant. On a "
            f"scale without 0 choose a threshold: set “Relevant from grade” above {grades[0]:g}."
        )
    elif grades[0] > 0:
        yield ONLY_RELEVANT


def _is_odd(text: str) -> bool:
    """Whether a text may look like another."""
    return not text.isascii() and skeleton(text) != text


def _alike_queries(pairs: Pairs) -> Iterator[str]:
    """Queries whose ids look the same and are not."""
    if any(map(_is_odd, pairs.queries)):
        looks: dict[str, list[str]] = {}
        for text in pairs.queries:
            looks.setdefault(skeleton(text), []).append(text)
        yield from _kept_apart([group for group in looks.values() if len(group) > 1], "query ids")


def _kept_apart(found: list[list[str]], what: str) -> Iterator[str]:
    if found:
        one, other = (_spelled(text) for text in found[0][:2])
        yield (
            f"{count(len(found), 'pair')} of {what} that look alike and differ in their letters or "
            f"normal form, the first is {one} and {other}: kept apart."
        )


def _alike(pairs: Pairs) -> Iterator[str]:
    """Documents of one query whose ids look the same and are not."""
    if pc.all(pc.string_is_ascii(pairs.document)).as_py() or not len(pairs):
        return
    odd = pc.unique(pairs.document.filter(pc.invert(pc.string_is_ascii(pairs.document))))
    changed = {text for text in odd.to_pylist() if skeleton(text) != text}
    if not changed:
        return
    rows = np.flatnonzero(_is_in(pairs.document, changed))
    near = np.flatnonzero(np.isin(pairs.query, np.unique(pairs.query[rows])))
    looks: dict[tuple[int, str], list[str]] = {}
    ids = zip(pairs.query[near].tolist(), take(pairs.document, near).to_pylist(), strict=True)
    for query, text in ids:
        looks.setdefault((query, skeleton(text)), []).append(text)
    found = [group for group in looks.values() if len(group) > 1]
    yield from _kept_apart(found, "document ids in one query")


def _is_in(texts: pa.StringArray, wanted: Iterable[str]) -> NDArray[np.bool_]:
    found = pc.is_in(texts, value_set=pa.array(sorted(wanted), pa.string()))
    return np.asarray(found.to_pylist(), bool)


def _spelled(text: str) -> str:
    """A text in quotes, with the letters that are not ASCII by number."""
    odd = ", ".join(f"U+{ord(c):04X}" for c in text if not c.isascii())
    return f"'{text}'" + (f" ({odd})" if odd else "")
