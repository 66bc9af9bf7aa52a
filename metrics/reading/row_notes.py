"""Notes on odd but valid rows; they change no value."""

from collections import Counter
from collections.abc import Iterator
from decimal import Decimal

import numpy as np
import pyarrow.compute as pc

from ..arrays import Floats
from ..conventions.convention import TREC_EVAL
from ..data import Note, Pairs, Qrels, Run, Severity
from ..words import count, is_hidden, quote, visible
from .homoglyphs import documents_alike, names_alike
from .note_codes import LEVEL, LOW_GRADES, ONLY_RELEVANT, SCORES_COUNT_UP
from .rows import Rows

USUAL_GRADE = 30
"""The gain 2^grade − 1 of a higher grade outweighs all others."""
EXACT = 2.0**53
"""Below this value a double represents every whole number; here one more becomes the same."""
_LOST = "\ufffd"
COUNT_UP = (
    "In every query the scores count up 1, 2, 3, … as ranks do. The highest score was still ranked "
    "first; if these are ranks, put them in a column named rank."
)
_LEVEL = Note(
    "In every query all scores are equal, so ties alone decide the order, whatever a rank column "
    "says: ties are ordered by document id, descending.",
    LEVEL,
    Severity.REMARK,
)
_STARS = 3
"""At least this many grades without a 0 are a scale, such as one to five stars."""


def of_rows(kind: type[Pairs], rows: Rows, value: Floats) -> list[Note]:
    """Return the notes on single rows, each with the position of the first such row."""
    odd = (
        _grades(rows, value)
        if kind is Qrels
        else [*_too_fine(rows, value), *_counting(rows, value)]
    )
    return [*_odd_ids(rows), *odd]


def of_pairs(pairs: Pairs) -> list[Note]:
    """Return the notes on a run or qrels as a whole."""
    alike = *names_alike(pairs.queries, "query ids"), *documents_alike(pairs)
    notes = [*alike, *_unread(pairs)]
    if isinstance(pairs, Run) and is_level(pairs):
        notes.append(_LEVEL)
    if isinstance(pairs, Qrels) and len(pairs):
        notes += _scale(pairs.value)
    return notes


def is_level(run: Run) -> bool:
    """Return whether all scores of each query are equal and some query has several rows.

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


def comments_left_out(many: int, first: str) -> Note:
    """Return the note on comments among the rows."""
    text = f"{count(many, 'comment line')} beginning with # left out, the first is {quote(first)}."
    return Note(text, "N-COMMENT")


def _place(rows: Rows, row: int) -> str:
    """Return the position of a row after a comma; empty in a format without positions."""
    return f", {rows.unit} {rows.line[row]}" if rows.line[row] else ""


def _in_quotes(text: str) -> str:
    return f"'{visible(text)}'"


def _odd_ids(rows: Rows) -> Iterator[Note]:
    """Yield the notes on ids with invisible characters, or with spaces around them."""
    every = {*rows.query, *rows.document}
    hidden = sorted(filter(is_hidden, set().union(*every)))
    numbers = ", ".join(f"U+{ord(character):04X}" for character in hidden[:5])
    unseen = {each for each in every if not set(hidden).isdisjoint(each)} if hidden else set()
    # Only quoted cells can have spaces around them.
    spaced = {each for each in every if each != each.strip(" \t")}
    for code, odd, what, shown in (
        ("N-HIDDEN-ID", unseen, f"invisible characters ({numbers})", _in_quotes),
        ("N-SPACED-ID", spaced, "leading or trailing spaces", quote),
    ):
        if odd:
            ids = zip(rows.query, rows.document, strict=True)
            found = [(row, each) for row, pair in enumerate(ids) for each in pair if each in odd]
            row, first = found[0]
            yield Note(
                f"{count(len(found), 'id')} with {what}, the first is {shown(first)}"
                f"{_place(rows, row)}: kept, and not the same as an id without them.",
                code,
            )


def _unread(pairs: Pairs) -> Iterator[Note]:
    """Notes on ids in which a letter was lost before the file was written."""
    documents = pairs.document.filter(pc.match_substring(pairs.document, _LOST))
    found = [*(each for each in pairs.queries if _LOST in each), *documents.to_pylist()]
    if found:
        yield Note(
            f"{count(len(found), 'id')} with U+FFFD, which replaces a letter that some program "
            f"could not read, the first is {quote(found[0])}: kept; ids that differed only in that "
            "letter are now the same.",
            "N-LOST-LETTER",
        )


def _too_fine(rows: Rows, value: Floats) -> Iterator[Note]:
    """Notes on different scores of one query that become the same double."""
    first: dict[tuple[str, float], str] = {}
    lost: list[tuple[int, str]] = []
    for row in np.flatnonzero(np.abs(value) >= EXACT).tolist():
        other = first.setdefault((rows.query[row], float(value[row])), rows.value[row])
        if Decimal(other) != Decimal(rows.value[row]):
            lost.append((row, other))
    if lost:
        row, other = lost[0]
        yield Note(
            f"{count(len(lost), 'score')} with more digits than a double holds, the first is "
            f"{quote(rows.value[row])}{_place(rows, row)}: now the same as {quote(other)}, and "
            "ordered by document id. Subtract what the scores have in common.",
            "N-PRECISION",
        )


def _counting(rows: Rows, value: Floats) -> Iterator[Note]:
    """A note on scores that may be ranks: they count up 1, 2, 3, … and there is no rank column."""
    last: Counter[str] = Counter()
    for query, score in zip(rows.query, value.tolist(), strict=True):
        last[query] += 1
        if rows.rank or score != last[query]:
            return
    # One query of two rows may be an accident.
    if len(value) - len(last) > 1:
        yield Note(COUNT_UP, SCORES_COUNT_UP)


def _grades(rows: Rows, value: Floats) -> Iterator[Note]:
    """Notes on negative, very high and fractional grades."""
    for code, wrong, what, then in (
        ("N-NEGATIVE", value < 0, "negative grade", "trec_eval counts such a document as unjudged"),
        (
            "N-HIGH-GRADE",
            value > USUAL_GRADE,
            "very high grade",
            "the gain of such a grade outweighs all others",
        ),
        (
            "N-FRACTION",
            value != np.floor(value),
            "fractional grade",
            "used as it is; the convention decides which grade is relevant",
        ),
    ):
        if wrong.any():
            row = int(np.argmax(wrong))
            yield Note(
                f"{count(int(wrong.sum()), what)}, the first is {value[row]:g} for "
                f"{quote(rows.document[row])}{_place(rows, row)}: {then}.",
                code,
            )


def usual_level(grades: Floats) -> float:
    """Return the level that is usual for grades up to 1: 0.5, or the highest if none reaches it.

    Examples
    --------
    >>> usual_level(np.array([0.9, 0.0])), usual_level(np.array([0.3, 0.1]))
    (0.5, 0.3)
    """
    return min(0.5, float(grades.max(initial=0.0)))


def _scale(value: Floats) -> Iterator[Note]:
    """Notes on a scale on which nothing, or everything, is relevant."""
    grades, level = np.unique(value), TREC_EVAL.level
    lowest, highest, lower = grades[0], grades[-1], (value > 0) & (value < level)
    if lower.any() and (highest < level or (highest == level and lowest >= 0)):
        what = f"{lower.sum():,} of {(value > 0).sum():,} grades above 0 do not count"
        if highest < level:
            what = f"No grade reaches {level:g}, so P, AP and RR are 0 (the highest is {highest:g})"
        yield Note(
            f"{what}: by default relevance begins at {level:g}. Measures of relevance, such as "
            f"P, AP and RR, need a lower level; level={usual_level(grades):g} is usual.",
            LOW_GRADES,
        )
    if highest <= 0:
        text = "There is no relevant document in any query: every grade is 0 or lower."
        yield Note(text, "N-NO-RELEVANT")
    elif lowest >= 1 and len(grades) >= _STARS:
        yield Note(
            f"The lowest grade is {lowest:g}, so every judged document counts as relevant. On a "
            f"scale without 0 choose a threshold of relevance (level) above {lowest:g}.",
            "N-NO-ZERO",
        )
    elif lowest > 0:
        judged = "Only relevant" if highest >= level else "No non-relevant"
        yield Note(
            f"{judged} documents are judged: measures that need judged non-relevant ones, such "
            "as Bpref, and shares of judged documents say little.",
            ONLY_RELEVANT,
        )
