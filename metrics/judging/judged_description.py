"""The description in a file of judged rankings: JSON, checked before a word of it is used."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from ..conventions.convention import Convention
from ..errors import DataError, RankscopeError
from ..reading.from_json.saved_parts import DamagedError, object_at, object_in, text_at
from ..reading.problems import File
from ..words import quote

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
    DamagedError
        When it is too long, not JSON, or without a version.
    ReadError
        When it is of a newer version.
    """
    if len(described) > _MOST:
        raise DamagedError(f"a description of {len(described):,} bytes")
    about = object_in(described, "description", file)
    version = about.get("format")
    if type(version) is not int or version < 1:
        raise DamagedError("a description without a version")
    if version > VERSION:
        raise file.error(
            "E-JUDGED-VERSION",
            f"judged rankings in version {version} of the format",
            f"version {VERSION}",
            "Update Rankscope, or judge the run again with this version.",
        )
    return about


def time_at(of: Mapping[str, Any], key: str) -> datetime:
    """Return the time under a key, in UTC.

    Raises
    ------
    DamagedError
        When there is none, or it has no time zone.
    """
    text = text_at(of, key)
    try:
        time = datetime.fromisoformat(text)
        if time.utcoffset() is not None:
            return time.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise DamagedError(f"the time {quote(text)}") from error
    raise DamagedError(f"the time {quote(text)} without a time zone")


def convention_at(of: Mapping[str, Any], key: str) -> Convention:
    """Return the convention under a key, an object of all its choices.

    Raises
    ------
    DamagedError
        When a choice is missing, unknown or has an unknown value.
    """
    choices = object_at(of, key)
    types = {field.name: type(field.default) for field in fields(Convention)}
    if {name: type(value) for name, value in choices.items()} != types:
        raise DamagedError("a convention with other choices")
    try:
        return Convention(**choices)
    except RankscopeError as error:
        raise DamagedError(str(error).rstrip(".")) from error
