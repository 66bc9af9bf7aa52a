"""What is noted of the rows of a stream: of a run in parts, which no reader sees as a whole."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ...arrays import repeat
from ...data import Note, Run
from ...words import is_hidden
from ..homoglyphs import may_look_alike
from ..note_codes import LEVEL, RANK_NUMBER, SCORES_COUNT_UP
from ..rank_column import Order, joined, order_of
from ..row_notes import COUNT_UP, EXACT, is_level
from ..rows import of_tags
from .arrow_types import doubles_of

_STEP = 1 << 20
"""Bytes of ids looked at in one go."""
_LOST = "\ufffd"
_SOME = {
    "N-HIDDEN-ID": "ids with invisible characters: kept, and not the same as ids without them",
    "N-SPACED-ID": "ids with leading or trailing spaces: kept, and not the same as ids without",
    "N-LOOK-ALIKE": "ids that look alike but differ in their letters or normal form: kept apart",
    "N-LOST-LETTER": "ids with U+FFFD, which replaces a letter that some program could not read",
    "N-NUMBER-ID": "decimal numbers as ids: kept as written; ids should be text",
    "N-PRECISION": f"scores of {EXACT:g} or more: different ones can become the same double",
    "N-TEXT-VALUE": "scores written as text, read as numbers",
    RANK_NUMBER: "ranks that are not numbers: documents are ordered by score",
}
"""What some rows of a stream have, by the code of the note; a stream does not say where."""
_EVERY = {
    LEVEL: "In every query all scores are equal, so ties alone decide the order.",
    SCORES_COUNT_UP: COUNT_UP,
    "N-BEIR": "BEIR's qrels have these columns, and the scores are small whole numbers: if these "
    "are grades, use them as qrels.",
}
"""What all rows of a stream have in common, by the code of the note."""
_ENOUGH = {LEVEL: 1, SCORES_COUNT_UP: 2, "N-BEIR": 0}
"""How many rows beyond the first of each query it takes."""


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
        return [code for code in _EVERY if code in self.every and self.further >= _ENOUGH[code]]

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
        yield from (Note(_EVERY[code], code) for code in self.common)
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


def findings_of(run: Run, rank: pa.Array | None, is_beir: bool) -> Findings:
    """Return what the rows of a part have, which the careful reader would note.

    Parameters
    ----------
    rank
        The column of ranks; None where there is none.
    is_beir
        Whether the columns are those of BEIR's qrels.
    """
    some = set(_odd_ids(run))
    if (np.abs(run.value) >= EXACT).any():
        some.add("N-PRECISION")
    every, further = set(), len(run) - len(run.queries)
    if not further or is_level(run):
        every.add(LEVEL)
    value = run.value
    # Whole numbers from 0 to 5, as grades are.
    if is_beir and ((value >= 0) & (value <= 5) & (value == np.floor(value))).all():
        every.add("N-BEIR")
    order = Order()
    if rank is not None:
        ranks, odd = doubles_of(rank)
        if odd is None:
            order = order_of(run.queries, run.query, run.document, run.value, ranks)
        else:
            some.add(RANK_NUMBER)
    elif _count_up(run):
        every.add(SCORES_COUNT_UP)
    return Findings(frozenset(some), frozenset(every), further, order)


def _count_up(run: Run) -> bool:
    """Return whether the scores of every query are 1, 2, 3, … in the order of the rows."""
    if run.value[0] != 1:
        return False
    starts = np.flatnonzero(np.diff(run.query, prepend=-1))
    place = np.arange(len(run)) - repeat(starts, np.diff(np.append(starts, len(run)))) + 1
    return bool((run.value == place).all())


def _odd_ids(run: Run) -> Iterator[str]:
    """Yield the codes of what is odd about the ids."""
    for ids in (pa.array(run.queries, pa.string()), run.document):
        blank, high = _bytes(ids)
        if blank:
            if pc.any(pc.match_substring_regex(ids, "^[ \t]|[ \t]$")).as_py():
                yield "N-SPACED-ID"
            if pc.any(pc.match_substring_regex(ids, "[\\x00-\\x1f\\x7f]")).as_py():
                yield "N-HIDDEN-ID"
        if high:
            letters = set().union(*pc.unique(ids).to_pylist())
            if any(map(is_hidden, letters)):
                yield "N-HIDDEN-ID"
            if _LOST in letters:
                yield "N-LOST-LETTER"
            if may_look_alike(run):
                yield "N-LOOK-ALIKE"


def _bytes(ids: pa.StringArray) -> tuple[bool, bool]:
    """Return whether any byte of the ids is blank or a control, and whether any is not ASCII."""
    ends = np.frombuffer(ids.buffers()[1], np.int32)[ids.offset :][: len(ids) + 1]
    codes = np.frombuffer(ids.buffers()[2] or b"", np.uint8)[ends[0] : ends[-1]]
    steps = [codes[at : at + _STEP] for at in range(0, len(codes), _STEP)]
    blank = any(bool(((step <= 32) | (step == 127)).any()) for step in steps)
    return blank, any(int(step.max()) > 127 for step in steps)
