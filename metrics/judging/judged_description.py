"""The description in a file of judged rankings: JSON, checked before a word of it is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from ..conventions.convention import Convention
from ..data import Kind, Note
from ..errors import DataError, RankscopeError
from ..reading.from_json.parse import HALF, require_small
from ..reading.problems import File
from ..words import quote
from .judged_table import damaged

VERSION, WITHOUT_ASPECTS = 2, 1
"""The version of the format, and the one of files without aspects; a newer one is refused."""
_MOST = 1_000_000
"""At most this many bytes describe a file; the notes on a run are the longest part."""


def written(about: Mapping[str, Any]) -> bytes:
    """Return a description as JSON.

    Raises
    ------
    DataError
        When a text is no Unicode, or all are too long.
    """
    try:
        described = json.dumps(about, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise DataError(f"{error.object[error.start]!r} cannot be saved; pass Unicode.") from error
    if len(described) > _MOST:
        raise DataError(
            f"The name, tags and notes have {len(described):,} bytes; at most {_MOST:,} can be "
            "saved. Shorten them."
        )
    return described


def parsed(described: bytes, file: File) -> dict[str, Any]:
    """Return a description of this version.

    Raises
    ------
    ReadError
        When it is too long, not JSON, or of another version.
    """
    if len(described) > _MOST:
        raise damaged(f"a description of {len(described):,} bytes", file)
    try:
        text = described.decode()
        require_small(text, file)
        about = json.loads(text)
    except (ValueError, RecursionError) as error:
        # A number with very many digits is a ValueError, too.
        raise damaged("a description that is not JSON", file) from error
    version = about.get("format") if isinstance(about, dict) else None
    if type(version) is not int or version < 1:
        raise damaged("a description without a version", file)
    if version > VERSION:
        raise file.error(
            "E-JUDGED-VERSION",
            f"judged rankings in version {version} of the format",
            f"version {VERSION}",
            "Update Rankscope, or judge the run again with this version.",
        )
    found: dict[str, Any] = about
    return found


def value_at(of: Mapping[str, Any], key: str, kind: type, file: File) -> Any:
    """Return the value under a key.

    Raises
    ------
    ReadError
        When there is none of this type.
    """
    if not isinstance(found := of.get(key), kind):
        raise damaged(f"a description in which {quote(key)} is missing or has another type", file)
    return found


def text_at(of: Mapping[str, Any], key: str, file: File) -> str:
    """Return the text under a key.

    Raises
    ------
    ReadError
        When there is none, or it contains half a character.
    """
    found: str = value_at(of, key, str, file)
    if HALF.search(found):
        raise damaged("a text with half a character", file)
    return found


def texts_at(of: Mapping[str, Any], key: str, file: File) -> tuple[str, ...]:
    """Return the list of texts under a key.

    Raises
    ------
    ReadError
        When there is none.
    """
    return tuple(text_at({key: text}, key, file) for text in value_at(of, key, list, file))


def time_at(of: Mapping[str, Any], key: str, file: File) -> datetime:
    """Return the time under a key, in UTC.

    Raises
    ------
    ReadError
        When there is none, or it has no time zone.
    """
    text = text_at(of, key, file)
    try:
        time = datetime.fromisoformat(text)
        if time.utcoffset() is not None:
            return time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise damaged(f"the time {quote(text)}", file) from error
    raise damaged(f"the time {quote(text)} without a time zone", file)


def notes_at(of: Mapping[str, Any], key: str, file: File) -> tuple[Note, ...]:
    """Return the notes under a key, each a list of its text, its code and its kind.

    Raises
    ------
    ReadError
        When there are none, or one has another form.
    """
    return tuple(_note(each, file) for each in value_at(of, key, list, file))


def _note(saved: object, file: File) -> Note:
    if not isinstance(saved, list) or len(saved) != 3:
        raise damaged("a note in another form", file)
    text, code, kind = (text_at({"note": part}, "note", file) for part in saved)
    if kind not in list(Kind):
        raise damaged("a note of an unknown kind", file)
    return Note(text, code, Kind(kind))


def convention_at(of: Mapping[str, Any], key: str, file: File) -> Convention:
    """Return the convention under a key, an object of all its choices.

    Raises
    ------
    ReadError
        When a choice is missing, unknown or has an unknown value.
    """
    choices = value_at(of, key, dict, file)
    types = {field.name: type(field.default) for field in fields(Convention)}
    if {name: type(value) for name, value in choices.items()} != types:
        raise damaged("a convention with other choices", file)
    try:
        return Convention(**choices)
    except RankscopeError as error:
        raise damaged(str(error).rstrip("."), file) from error
