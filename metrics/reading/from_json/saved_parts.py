"""Checks of the JSON in what Rankscope saved; all raise the same error."""

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from ...data import Note, Severity
from ...errors import RankscopeError
from ...words import quote
from ..problems import File
from .parse import HALF, require_small

T = TypeVar("T")


class DamagedError(RankscopeError):
    """A part of a saved file was changed or damaged; the message names what was found."""


def object_in(content: bytes, name: str, file: File) -> dict[str, Any]:
    """Return the object that a part of a file is.

    Raises
    ------
    DamagedError
        When the content is not JSON, or not an object.
    ReadError
        When it is too large.
    """
    try:
        written = content.decode()
        require_small(written, file)
        found = json.loads(written)
    except (ValueError, RecursionError) as error:
        # A number with very many digits is a ValueError, too.
        raise DamagedError(f"a {name} that is not JSON") from error
    if not isinstance(found, dict):
        raise DamagedError(f"a {name} that is not an object")
    return found


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
    metrics.reading.from_json.saved_parts.DamagedError: 'data' is missing or not an object
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
    return valid_text(_at(of, key, str, "a text"))


def notes_at(of: Mapping[str, Any], key: str) -> tuple[Note, ...]:
    """Return the notes under a key, each a list of its text, its code and its kind.

    Raises
    ------
    DamagedError
        When there are none, or one has another form.
    """
    return tuple(map(_note, list_at(of, key, list)))


def _note(saved: list[Any]) -> Note:
    if list(map(type, saved)) != [str, str, str] or saved[2] not in list(Severity):
        raise DamagedError("a note in an unknown format or of an unknown kind")
    text, code, kind = map(valid_text, saved)
    return Note(text, code, Severity(kind))


def valid_text(text: str) -> str:
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
