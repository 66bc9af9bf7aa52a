"""The measure-name language: ``nDCG@10``, ``P(rel=2)@5`` <-> a measure."""

from __future__ import annotations

import re
from difflib import get_close_matches

from .errors import MeasureError
from .measures import PARAMETERS, REGISTRY, Measure

_SHAPE = re.compile(r"([A-Za-z_0-9]+)\s*(?:\(([^()]*)\)\s*)?(?:@\s*([0-9]{1,9}))?", re.ASCII)
_NUMBER = re.compile(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", re.ASCII)
_LONGEST = 200


def names() -> dict[str, type[Measure]]:
    """Every name a measure answers to, in lower case."""
    return {
        name.lower(): measure
        for measure in REGISTRY.values()
        for name in (measure.symbol, *measure.aliases)
    }


def parse(text: str | Measure) -> Measure:
    """The measure that a text names; a measure is returned as it is.

    Parameters
    ----------
    text
        ``Name``, ``Name@k`` or ``Name(parameter=value, …)@k``; capitals do not matter in the name.

    Raises
    ------
    MeasureError
        When the name, a parameter or the cutoff is not known, with the nearest that is.

    Examples
    --------
    >>> str(parse("ndcg@10"))
    'nDCG@10'
    >>> str(parse("P(rel=2)@5"))
    'P(rel=2)@5'
    """
    if isinstance(text, Measure):
        return text
    match = _SHAPE.fullmatch(text.strip()) if len(text) <= _LONGEST else None
    if match is None:
        raise MeasureError(
            f"{text[:_LONGEST]!r} is not a measure; write one like nDCG@10 or P(rel=2)@5."
        )
    name, given, cutoff = match.groups()
    known = names()
    if name.lower() not in known:
        near = get_close_matches(name.lower(), known, 1)
        hint = f"Did you mean {known[near[0]].symbol}? " if near else ""
        raise MeasureError(f"There is no measure {name!r}. {hint}Known: {', '.join(REGISTRY)}.")
    measure = known[name.lower()]
    values = _parameters(measure, given) if given else {}
    return measure(int(cutoff) if cutoff else None, **values)


def _parameters(measure: type[Measure], given: str) -> dict[str, object]:
    taken = [name for name in PARAMETERS if name in measure.__dataclass_fields__]
    values: dict[str, object] = {}
    for part in given.split(","):
        name, _, value = (piece.strip() for piece in part.partition("="))
        if name not in taken:
            raise MeasureError(
                f"{measure.symbol} has no parameter {name!r}; it takes {', '.join(taken)}, "
                f"written like {measure.symbol}({taken[0]}=…)."
            )
        if name in values:
            raise MeasureError(f"{measure.symbol}: {name} is given twice; give it once.")
        kind = PARAMETERS[name][1]
        if kind is float and not _NUMBER.fullmatch(value):
            raise MeasureError(f"{measure.symbol}: {name} must be a number, not {value!r}.")
        values[name] = kind(value)
    return values
