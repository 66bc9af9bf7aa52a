"""What is odd about rows that are sound: noted with them, and changing nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pyarrow.compute as pc

from ..arrays import Floats
from ..data import Kind, Note, Pairs, Qrels, Run
from ..words import count, is_hidden, quote, visible
from .homoglyphs import look_alikes
from .note_codes import LEVEL, ONLY_RELEVANT, SCORES_COUNT_UP
from .rows import Rows

USUAL_GRADE = 30
"""The gain 2^grade − 1 of a higher one hides all others."""
EXACT = 2.0**53
"""Up to here a double holds every whole number."""
_LOST = "\ufffd"
_STARS = 3
"""So many grades without a 0 are a scale, such as one to five stars."""


def of_rows(kind: type[Pairs], rows: Rows, value: Floats) -> list[Note]:
    """What is odd about single rows, with the place of the first of them."""
    odd = (
        _grades(rows, value)
        if kind is Qrels
        else [*_too_fine(rows, value), *_counting(rows, value)]
    )
    return [*_hidden(rows), *_spaced(rows), *odd]


def of_pairs(pairs: Pairs) -> list[Note]:
    """What is odd about a run or qrels as a whole."""
    notes = [*look_alikes(pairs), *_unread(pairs)]
    if isinstance(pairs, Run) and is_level(pairs):
        notes.append(
            Note(
                "In every query all scores are equal, so the order is a matter of ties alone, "
                "whatever a rank column says: ties are ordered by document id, descending.",
                LEVEL,
                Kind.REMARK,
            )
        )
    if isinstance(pairs, Qrels) and len(pairs):
        notes += _scale(pairs.value)
    return notes


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


def _place(rows: Rows, row: int) -> str:
    """Where a row stands, with a comma before; empty in a format that does not count."""
    return f", {rows.unit} {rows.line[row]}" if rows.line[row] else ""


def _hidden(rows: Rows) -> Iterator[Note]:
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
    yield Note(
        f"{count(len(found), 'id')} with characters that cannot be seen ({numbers}), the first is "
        f"'{visible(first)}'{_place(rows, row)}: kept, and not the same as an id without them.",
        "N-HIDDEN-ID",
    )


def _unread(pairs: Pairs) -> Iterator[Note]:
    """Ids in which a letter was lost before the file was written."""
    documents = pairs.document.filter(pc.match_substring(pairs.document, _LOST))
    found = [*(each for each in pairs.queries if _LOST in each), *documents.to_pylist()]
    if found:
        yield Note(
            f"{count(len(found), 'id')} with U+FFFD, which stands for a letter that some program "
            f"could not read, the first is {quote(found[0])}: kept; ids that differed in that "
            "letter are now the same.",
            "N-LOST-LETTER",
        )


def _spaced(rows: Rows) -> Iterator[Note]:
    """Ids with a space at an end, which only quoted texts can have."""
    ids = zip(rows.query, rows.document, strict=True)
    found = [
        (row, each) for row, pair in enumerate(ids) for each in pair if each != each.strip(" \t")
    ]
    if found:
        row, first = found[0]
        yield Note(
            f"{count(len(found), 'id')} with spaces at an end, the first is "
            f"{quote(first)}{_place(rows, row)}: kept, and not the same as an id without them.",
            "N-SPACED-ID",
        )


def _too_fine(rows: Rows, value: Floats) -> Iterator[Note]:
    """Different scores of one query that are one number to a double."""
    first: dict[tuple[str, float], str] = {}
    lost: list[tuple[int, str]] = []
    for row in np.flatnonzero(np.abs(value) > EXACT).tolist():
        other = first.setdefault((rows.query[row], float(value[row])), rows.value[row])
        if Decimal(other) != Decimal(rows.value[row]):
            lost.append((row, other))
    if lost:
        row, other = lost[0]
        yield Note(
            f"{count(len(lost), 'score')} with more digits than a double holds, the first is "
            f"{quote(rows.value[row])}{_place(rows, row)}: the same as {quote(other)}, and "
            "ordered by document id. Subtract what the scores have in common.",
            "N-PRECISION",
        )


def _counting(rows: Rows, value: Floats) -> Iterator[Note]:
    """Scores that are the ranks: they count up 1, 2, 3, … in every query, and no rank is given."""
    last: Counter[str] = Counter()
    for query, score in zip(rows.query, value.tolist(), strict=True):
        last[query] += 1
        if rows.rank or score != last[query]:
            return
    # One query of two rows may be an accident.
    if len(value) - len(last) > 1:
        yield Note(
            "In every query the scores count up 1, 2, 3, … as ranks do. The highest score was "
            "ranked first all the same: if these are ranks, give them as such, in a column rank.",
            SCORES_COUNT_UP,
        )


def _grades(rows: Rows, value: Floats) -> Iterator[Note]:
    """Negative, very high and fractional grades."""
    for code, wrong, what, many, then in (
        (
            "N-NEGATIVE",
            value < 0,
            "negative grade",
            "",
            "such a document counts as not judged in trec_eval",
        ),
        (
            "N-HIGH-GRADE",
            value > USUAL_GRADE,
            "very high grade",
            "",
            "the gain of such a grade hides all others",
        ),
        (
            "N-FRACTION",
            value != np.floor(value),
            "grade that is a fraction",
            "grades that are fractions",
            "used as it is, and relevant from the grade that the convention says",
        ),
    ):
        if wrong.any():
            row = int(np.argmax(wrong))
            yield Note(
                f"{count(int(wrong.sum()), what, many)}, the first is {value[row]:g} for "
                f"{quote(rows.document[row])}{_place(rows, row)}: {then}.",
                code,
            )


def _scale(value: Floats) -> Iterator[Note]:
    """A scale on which nothing, or everything, is relevant."""
    grades = np.unique(value)
    if grades[-1] <= 0:
        text = "There is no relevant document in any query: every grade is 0 or below."
        yield Note(text, "N-NO-RELEVANT")
    elif grades[0] >= 1 and len(grades) >= _STARS:
        yield Note(
            f"The lowest grade is {grades[0]:g}, so every judged document counts as relevant. On a "
            f"scale without 0 choose a threshold: set “Relevant from grade” above {grades[0]:g}.",
            "N-NO-ZERO",
        )
    elif grades[0] > 0:
        yield Note(
            "Only relevant documents are judged: measures that need judged non-relevant ones, such "
            "as Bpref, and shares of judged documents say little.",
            ONLY_RELEVANT,
        )
