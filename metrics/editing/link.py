"""A ranking in a link or in a file: everything that was edited by hand, in one text."""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from typing import Any

from ..errors import EditError
from .hand_ranking import Entry, HandRanking

LONGEST_LINK = 2000
"""Links of more characters are cut by some programs."""
LONGEST_READ = 8000
"""So many characters of a link are read as a ranking."""
_VERSION = 1
_SHAPE = re.compile(r"([0-9]{1,6})\.([A-Za-z0-9_-]*)", re.ASCII)
_MOST_BYTES = 1_000_000
_MOST_SAVED = 10_000_000
"""Characters of a saved ranking: reading one takes about 30 bytes of memory for each."""
_NOT_OURS = (
    *(ValueError, LookupError, TypeError, AttributeError),
    *(OverflowError, RecursionError),
)


def to_json(ranking: HandRanking) -> str:
    """The ranking as a JSON text.

    Examples
    --------
    >>> print(to_json(HandRanking.of("q", {"a": 2.0, "b": 0.5}, ["a", "x"])))
    {"query":"q","ranked":[["a",2],["x",null]],"not ranked":[["b",0.5]]}
    """
    value: dict[str, Any] = {"query": ranking.query, "ranked": list(map(_row, ranking.retrieved))}
    if ranking.unretrieved:
        value["not ranked"] = list(map(_row, ranking.unretrieved))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> HandRanking:
    """What `to_json` wrote.

    Raises
    ------
    EditError
        When it is something else.
    """
    if len(text) > _MOST_SAVED:
        raise EditError(f"This is {len(text):,} characters; at most {_MOST_SAVED:,} are read.")
    try:
        value = json.loads(text)
        return HandRanking(
            _text(value["query"]),
            tuple(map(_entry, value["ranked"])),
            tuple(map(_entry, value.get("not ranked", []))),
        )
    except EditError:
        raise
    except _NOT_OURS as error:
        raise EditError("This is no ranking that Rankscope saved; save it again.") from error


def pack(ranking: HandRanking) -> str:
    """The ranking as text for a link: letters, digits, ``-``, ``_`` and ``.``.

    Examples
    --------
    >>> ranking = HandRanking.of("q", {"a": 2.0}, ["a"])
    >>> unpack(pack(ranking)) == ranking
    True
    """
    packed = zlib.compress(to_json(ranking).encode(), 9)
    return f"{_VERSION}." + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpack(text: str) -> HandRanking:
    """What `pack` wrote.

    Raises
    ------
    EditError
        When the link was cut or changed, is not ours, too long or from a newer version; the
        message says which, in words of ours alone.
    """
    if len(text) > LONGEST_READ:
        raise EditError(
            f"The link's ranking is too long: {len(text):,} characters, of which at most "
            f"{LONGEST_READ:,} are read. Save it as a file; Paste opens that."
        )
    match = _SHAPE.fullmatch(text)
    version, body = (int(match[1]), match[2]) if match else (0, "")
    if version > _VERSION:
        raise EditError("The link's ranking is from a newer version of Rankscope; update this one.")
    if version != _VERSION:
        raise EditError("What the link holds is not a ranking from Rankscope; copy it again.")
    unpacker = zlib.decompressobj()
    damaged = EditError("The link's ranking is damaged; copy the whole link again.")
    # One character is too few for a byte: where it is left over, others were cut off.
    whole = len(body) % 4 != 1
    try:
        packed = base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)) if whole else b""
        plain = unpacker.decompress(packed, _MOST_BYTES)
    except (binascii.Error, zlib.error) as error:
        raise damaged from error
    if len(plain) == _MOST_BYTES:
        raise EditError(f"The link's ranking is too large: {_MOST_BYTES:,} characters unpacked.")
    if not unpacker.eof:
        raise EditError("The link's ranking is incomplete; copy the whole link again.")
    try:
        return from_json(plain.decode())
    except ValueError as error:
        raise damaged from error


def _row(entry: Entry) -> list[str | float | None]:
    grade = entry.grade
    short = int(grade) if grade is not None and grade == int(grade) else grade
    return [entry.document, short, *(["tied"] if entry.tied else [])]


def _entry(row: Any) -> Entry:
    document, grade, *tied = row
    if not document or tied not in ([], ["tied"]):
        raise ValueError(row)
    return Entry(_text(document), float(grade) if type(grade) is int else grade, bool(tied))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    value.encode()  # half a character cannot be shown, nor compared
    return value
