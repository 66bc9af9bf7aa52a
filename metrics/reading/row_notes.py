"""Notes on odd but valid rows; they change no value."""

import unicodedata
from collections.abc import Collection, Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import groupby

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import Floats, bincount, repeat, take
from ..conventions.convention import TREC_EVAL
from ..data import Note, Pairs, Qrels, Run, Severity
from ..words import MARKS, count, is_hidden, quote, visible
from .problems import AS_BEIR, LEVEL, LOW_GRADES, ONLY_RELEVANT, SCORES_COUNT_UP
from .rank_column import Order, joined, order_of
from .rows import Rows, of_tags

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


USUAL_GRADE = 30
"""The gain 2^grade − 1 of a higher grade outweighs all others."""
EXACT = 2.0**53
"""Below this value a double represents every whole number; here one more becomes the same."""
LOST = "\ufffd"
COUNT_UP = (
    "In every query the scores count up 1, 2, 3, … as ranks do. The highest score was still ranked "
    "first; if these are ranks, put them in a column named rank."
)
MAY_BE_GRADES = (
    "BEIR's qrels have these columns, and the scores are small whole numbers: if these are grades, "
    "use {} as qrels."
)
_LEVEL = Note(
    "In every query all scores are equal, so ties alone decide the order, whatever a rank column "
    "says: ties are ordered by document id, descending.",
    LEVEL,
    Severity.REMARK,
)
_STARS = 3
"""At least this many grades without a 0 are a scale, such as one to five stars."""


def of_rows(rows: Rows, pairs: Pairs) -> list[Note]:
    """Return the notes on single rows, each with the position of the first such row."""
    if not isinstance(pairs, Run):
        return [*_odd_ids(rows), *_grades(rows, pairs.value)]
    notes = [*_odd_ids(rows), *_too_fine(rows, pairs.value)]
    # Without a rank column these may be ranks; one query of two rows may be an accident.
    if not rows.rank and len(pairs) - len(pairs.queries) > 1 and count_up(pairs):
        notes.append(Note(COUNT_UP, SCORES_COUNT_UP))
    return notes


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


def count_up(run: Run) -> bool:
    """Return whether the scores of every query are 1, 2, 3, … in the order of the rows.

    Examples
    --------
    >>> count_up(Run.from_dict({"q": {"d": 1, "e": 2}, "r": {"d": 1}}))
    True
    """
    if run.value[0] != 1:
        return False
    sizes = bincount(run.query)
    place = np.arange(len(run)) - repeat(np.cumsum(sizes) - sizes, sizes) + 1
    return bool((run.value[np.argsort(run.query, kind="stable")] == place).all())


def comments_left_out(many: int, first: str) -> Note:
    """Return the note on comments among the rows."""
    text = f"{count(many, 'comment line')} left out, the first is {quote(first)}."
    return Note(text, "N-COMMENT")


def _place(rows: Rows, row: int) -> str:
    """Return the position of a row after a comma; empty in a format without positions."""
    return f", {rows.unit} {rows.line[row]}" if rows.line[row] else ""


def odd_ids(every: Collection[str]) -> Iterator[tuple[str, set[str], str]]:
    """Yield the ids with invisible characters, and those with spaces around them, if there are any.

    Before them the code of their note, and after them what they have.

    Examples
    --------
    >>> list(odd_ids(["d1", " d2"]))
    [('N-SPACED-ID', {' d2'}, 'leading or trailing spaces')]
    """
    if hidden := sorted(filter(is_hidden, set().union(*every))):
        numbers = ", ".join(f"U+{ord(character):04X}" for character in hidden[:5])
        unseen = {each for each in every if not set(hidden).isdisjoint(each)}
        yield "N-HIDDEN-ID", unseen, f"invisible characters ({numbers})"
    # Only quoted cells can have spaces around them.
    if spaced := {each for each in every if each != each.strip(" \t")}:
        yield "N-SPACED-ID", spaced, "leading or trailing spaces"


def _odd_ids(rows: Rows) -> Iterator[Note]:
    """Yield the notes on ids with invisible characters, or with spaces around them."""
    for code, odd, what in odd_ids({*rows.query, *rows.document}):
        ids = zip(rows.query, rows.document, strict=True)
        found = [(row, each) for row, pair in enumerate(ids) for each in pair if each in odd]
        row, first = found[0]
        shown = f"'{visible(first)}'" if code == "N-HIDDEN-ID" else quote(first)
        yield Note(
            f"{count(len(found), 'id')} with {what}, the first is {shown}"
            f"{_place(rows, row)}: kept, and not the same as an id without them.",
            code,
        )


def _unread(pairs: Pairs) -> Iterator[Note]:
    """Notes on ids in which a letter was lost before the file was written."""
    documents = pairs.document.filter(pc.match_substring(pairs.document, LOST))
    found = [*(each for each in pairs.queries if LOST in each), *documents.to_pylist()]
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


_UNUSUAL = "^[ \t]|[ \t]$|[^ -~]"
"""In ids: spaces around them, and characters that are not visible ones of ASCII."""
_STEP = 1 << 20
"""Bytes of ids looked at in one go."""
_SOME = {
    "N-HIDDEN-ID": "ids with invisible characters: kept, and not the same as ids without them",
    "N-SPACED-ID": "ids with leading or trailing spaces: kept, and not the same as ids without",
    "N-LOOK-ALIKE": "ids that look alike but differ in their letters or normal form: kept apart",
    "N-LOST-LETTER": "ids with U+FFFD, which replaces a letter that some program could not read",
    "N-NUMBER-ID": "decimal numbers as ids: kept as written; ids should be text",
    "N-PRECISION": f"scores of {EXACT:g} or more: different ones can become the same double",
    "N-TEXT-VALUE": "scores written as text, read as numbers",
    "N-RANK-NUMBER": "ranks that are not numbers: documents are ordered by score",
}
"""What some rows of a stream have, by the code of the note; a stream does not say where."""
_EVERY = {
    LEVEL: (1, "In every query all scores are equal, so ties alone decide the order."),
    SCORES_COUNT_UP: (2, COUNT_UP),
    AS_BEIR: (0, MAY_BE_GRADES.format("them")),
}
"""What all rows of a stream have in common, by the code of the note.

Before it: how many rows beyond the first of each query it takes.
"""


@dataclass(frozen=True, eq=False)
class Findings:
    """What was found in the rows of a part, for the notes on the whole.

    Attributes
    ----------
    some, every
        The codes of what some rows, or all of them, have.
    further
        The number of rows beyond the first of each query.
    order
        How the rank column agrees with the scores.
    tags
        The run tags.
    """

    some: frozenset[str] = frozenset()
    every: frozenset[str] = frozenset()
    further: int = 0
    order: Order = field(default_factory=Order)
    tags: tuple[str, ...] = ()

    @property
    def common(self) -> list[str]:
        """The codes of what all rows have, where there are enough rows for it to mean something."""
        return [code for code in _EVERY if code in self.every and self.further >= _EVERY[code][0]]

    @property
    def is_plain(self) -> bool:
        """Whether the careful reader would note nothing about single rows."""
        return not self.some and not self.common and len(self.tags) < 2

    def notes(self) -> Iterator[Note]:
        """Yield the notes."""
        yield from of_tags(self.tags)
        for code in _SOME:
            if code in self.some:
                yield Note(f"There are {_SOME[code]}.", code)
        yield from (Note(_EVERY[code][1], code) for code in self.common)
        yield from self.order.notes()


def together(found: Iterable[Findings]) -> Findings:
    """Return what was found in all parts of a stream."""
    parts = list(found)
    return Findings(
        frozenset[str]().union(*(part.some for part in parts)),
        frozenset.intersection(*(part.every for part in parts)) if parts else frozenset(),
        sum(part.further for part in parts),
        joined(part.order for part in parts),
        tuple(dict.fromkeys(tag for part in parts for tag in part.tags)),
    )


def findings_of(run: Run, rank: tuple[Floats, int | None] | None, is_beir: bool) -> Findings:
    """Return what the rows of a part have, which the careful reader would note.

    ``rank`` has the ranks and the first row without one; it is None where there is no column of
    ranks. ``is_beir`` says whether the columns are those of BEIR's qrels.
    """
    some = _codes_of_ids(run)
    if (np.abs(run.value) >= EXACT).any():
        some.add("N-PRECISION")
    every, further = set(), len(run) - len(run.queries)
    if not further or is_level(run):
        every.add(LEVEL)
    value = run.value
    # Whole numbers from 0 to 5, as grades are.
    if is_beir and ((value >= 0) & (value <= 5) & (value == np.floor(value))).all():
        every.add(AS_BEIR)
    order = Order()
    if rank is not None:
        ranks, odd = rank
        if odd is None:
            order = order_of(run, ranks)
        else:
            some.add("N-RANK-NUMBER")
    elif count_up(run):
        every.add(SCORES_COUNT_UP)
    return Findings(frozenset(some), frozenset(every), further, order)


def _codes_of_ids(run: Run) -> set[str]:
    """Return the codes of what is odd about the ids."""
    found: set[str] = set()
    for ids in (pa.array(run.queries, pa.string()), run.document):
        if not _is_visible(ids):
            # Looked at one by one only where they may be odd.
            unusual = pc.unique(ids.filter(pc.match_substring_regex(ids, _UNUSUAL)))
            found |= {code for code, *_ in odd_ids(unusual.to_pylist())}
            if pc.any(pc.match_substring(unusual, LOST)).as_py():
                found.add("N-LOST-LETTER")
            if may_look_alike(run):
                found.add("N-LOOK-ALIKE")
    return found


def _is_visible(ids: pa.StringArray) -> bool:
    """Return whether all bytes of the ids are visible characters of ASCII, a part at a time."""
    ends = np.frombuffer(ids.buffers()[1], np.int32)[ids.offset :][: len(ids) + 1]
    codes = np.frombuffer(ids.buffers()[2] or b"", np.uint8)[ends[0] : ends[-1]]
    steps = (codes[at : at + _STEP] for at in range(0, len(codes), _STEP))
    return all(step.min() > 32 and step.max() < 127 for step in steps)
