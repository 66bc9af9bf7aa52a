"""Checks of the JSON in a saved session; all raise the same error."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from ..errors import RankscopeError
from ..reading.from_json.parse import HALF
from ..words import quote

T = TypeVar("T")


class DamagedError(RankscopeError):
    """A part of a saved session was changed or damaged; the message names what was found."""


def object_at(of: Mapping[str, Any], key: str) -> dict[str, Any]:
    """Return the object under a key.

    Raises
    ------
    DamagedError
        When there is none.

    Examples
    --------
    >>> object_at({"data": []}, "data")
    Traceback (most recent call last):
    ...
    metrics.sessions.checks.DamagedError: 'data' is missing or not an object
    """
    return _at(of, key, dict, "an object")


def list_at(of: Mapping[str, Any], key: str, kind: type[T]) -> list[T]:
    """Return the list under a key, of objects (``dict``), of lists or of texts (``str``).

    Raises
    ------
    DamagedError
        When there is none, or it contains another type.
    """
    found = _at(of, key, list, "a list")
    if not all(isinstance(each, kind) for each in found):
        raise DamagedError(f"{quote(key)} lists a value of another type")
    return found


def text_at(of: Mapping[str, Any], key: str) -> str:
    """Return the text under a key.

    Raises
    ------
    DamagedError
        When there is none, or it contains half a character.
    """
    return whole(_at(of, key, str, "a text"))


def texts_at(of: Mapping[str, Any], key: str) -> dict[str, str]:
    """Return the object under a key whose values are texts.

    Raises
    ------
    DamagedError
        When there is none, or a text contains half a character.
    """
    found = object_at(of, key)
    return {whole(name): text_at(found, name) for name in found}


def whole(text: str) -> str:
    """Return the text if it can be shown and compared: JSON can contain half a character.

    Raises
    ------
    DamagedError
        When the text contains half a character.
    """
    if HALF.search(text):
        raise DamagedError("a text with half a character")
    return text


def _at(of: Mapping[str, Any], key: str, kind: type[T], what: str) -> T:
    found = of.get(key)
    if not isinstance(found, kind):
        raise DamagedError(f"{quote(key)} is missing or not {what}")
    return found
