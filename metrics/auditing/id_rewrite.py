"""The rule behind known changes of ids, so that similar ids are changed in the same way."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from itertools import takewhile

from ..limits import current

Rule = Callable[[str], str]


def rule_of(changes: Mapping[str, str], shorter: Rule) -> Rule | None:
    """Return a rule that makes all of these changes; None when no single rule does.

    Parameters
    ----------
    shorter
        Removes the difference between the two forms from an id.

    Examples
    --------
    >>> rule = rule_of({"d1": "doc-d1", "d20": "doc-d20"}, str.casefold)
    >>> rule("d3")
    'doc-d3'
    >>> rule_of({"d1": "doc-d1", "d2": "x2"}, str.casefold) is None
    True
    """
    one, other = next(iter(changes.items()))
    width = max(map(len, re.findall("[0-9]+", other)), default=0)
    rules = (shorter, str.lower, str.upper, _start(one, other), _end(one, other), _filled(width))
    return next((rule for rule in rules if all(rule(a) == b for a, b in changes.items())), None)


def alike(ids: list[str], changes: Mapping[str, str], known: set[str], shorter: Rule) -> list[str]:
    """Return the ids with the changes, and similar ids changed by the same rule if all stay unique.

    Parameters
    ----------
    known
        Ids that do not change, and that no other id may become.
    """
    rule = rule_of(changes, shorter) if changes else None
    others = [each for each in ids if each not in changes and each not in known] if rule else []
    most = current().id
    # An id that would become empty or too long does not change.
    after = [new if 0 < len(new := rule(each)) <= most else each for each in others] if rule else []
    taken = {*known, *ids, *changes.values()}
    apart = len(set(after)) == len(after) and taken.isdisjoint(
        new for old, new in zip(others, after, strict=True) if old != new
    )
    every = {**changes, **(dict(zip(others, after, strict=True)) if apart else {})}
    return [every.get(each, each) for each in ids]


def _start(one: str, other: str) -> Rule:
    """Return the rule that replaces the beginning of the first id with that of the second."""
    same = _shared(one[::-1], other[::-1])
    old, new = one[: len(one) - same], other[: len(other) - same]

    def rule(text: str) -> str:
        # An id that already has the new beginning does not change.
        has = not text.startswith(old) or (new and text.startswith(new))
        return text if has else new + text[len(old) :]

    return rule


def _end(one: str, other: str) -> Rule:
    """Return the rule that replaces the end of the first id with that of the second."""
    same = _shared(one, other)
    old, new = one[same:], other[same:]

    def rule(text: str) -> str:
        has = not text.endswith(old) or (new and text.endswith(new))
        return text if has else text[: len(text) - len(old)] + new

    return rule


def _shared(one: str, other: str) -> int:
    """Return how many first characters two texts share."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _filled(width: int) -> Rule:
    """Return the rule that pads every number with zeros to ``width`` digits."""
    return lambda text: re.sub("[0-9]+", lambda number: number[0].zfill(width), text)
