"""Exercises generated from a number; a checked answer names the mistake behind a wrong value."""

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache

from ...errors import RankscopeError
from .binary import average, first, sets
from .blanks import RIGHT, TOLERANCE, UNREADABLE, WRONG, Number, Reply, Selection
from .draw import LEVELS, Draw, Level
from .exercise import ALL, Exercise
from .graded import See, ndcg, worksheet
from .judgement import best_swap, higher
from .subject import with_documents
from .tally import Tally

__all__ = ["ALL", "KINDS", "LEVELS", "MIXED", "RIGHT", "TOLERANCE", "UNREADABLE", "WRONG"]
__all__ += ["Exercise", "Number", "Reply", "See", "Selection", "Tally", "exercise", "several"]

MIXED = "mixed"
_TRIES = 20_000
_APART = 8
"""Exercises are drawn in blocks of this size, without two that differ only in their documents."""


_AHEAD = 24
"""Among this many numbers is an exercise of another query."""


@dataclass(frozen=True)
class Kind:
    """A kind of exercise; ``make`` returns None for a draw that makes a poor exercise."""

    title: str
    make: Callable[[Draw, Level], Exercise | None]


KINDS = {
    "table": Kind("DCG and IDCG tables", worksheet),
    "ndcg": Kind("nDCG", ndcg),
    "sets": Kind("Precision, recall, F1", sets),
    "first": Kind("Reciprocal rank", first),
    "average": Kind("Average precision", average),
    "higher": Kind("Which ranks higher?", higher),
    "swap": Kind("Best swap", best_swap),
}
"""The kinds of exercise, by their names in links."""


def exercise(kind: str, level: str, number: int) -> Exercise:
    """Return the exercise of this kind, level and number; it is always the same one.

    Raises RankscopeError when the kind or the level does not exist, or has no exercise of this
    number.

    Examples
    --------
    >>> made = exercise("first", "1", 1)
    >>> made.question
    'Work out the reciprocal rank, RR.'
    >>> made == exercise("first", "1", 1)
    True
    """
    if kind not in (*KINDS, MIXED) or level not in LEVELS:
        raise RankscopeError(
            f"There is no exercise {kind!r} of level {level!r}; kinds: {', '.join(KINDS)}, "
            f"{MIXED}; levels: {', '.join(LEVELS)}."
        )
    if (made := placed(kind, level, *divmod(number - 1, _APART))[0]) is None:
        raise RankscopeError(
            f"There is no exercise {number} of {kind!r} at level {level!r}; choose another number."
        )
    return made


def several(
    kinds: Sequence[str], level: str, number: int, count: int
) -> dict[tuple[str, int], Exercise]:
    """Return exercises of each kind in turn, by kind and number, from a number on.

    A number is left out if its query is on the sheet already and one of the next numbers has
    another.

    Examples
    --------
    >>> made = several(["first", "sets"], "1", 1, 4)
    >>> [*made], len({each.query for each in made.values()})
    ([('first', 1), ('sets', 1), ('first', 2), ('sets', 2)], 4)
    """
    found: dict[tuple[str, int], Exercise] = {}
    for place in range(count):
        kind, used = kinds[place % len(kinds)], [made.query for made in found.values()]
        free = [at for at in range(number, number + _AHEAD) if (kind, at) not in found]
        # min() returns the first of those with the least.
        at = min(free, key=lambda at: used.count(exercise(kind, level, at).query))
        found[kind, at] = exercise(kind, level, at)
    return found


# A page asks for its exercise at every click, and its neighbours are asked for next.
@lru_cache(maxsize=256)
def placed(
    kind: str, level: str, block: int, place: int
) -> tuple[Exercise | None, tuple[object, ...], Draw]:
    """Return the exercise at a place of its block, all shapes up to it, and the draw after it."""
    start = None, (), Draw(f"{kind}/{level}/{block}")
    before = placed(kind, level, block, place - 1) if place else start
    shapes, draw = before[1], deepcopy(before[2])
    for _ in range(_TRIES):
        chosen = draw.one(list(KINDS)) if kind == MIXED else kind
        made = KINDS[chosen].make(draw, LEVELS[level])
        if made is not None and made.shape not in shapes:
            subject = f"{kind}/{level}/{block}/{place}"
            return with_documents(made, subject), (*shapes, made.shape), draw
    return None, shapes, draw
