"""A ranking in a link or in a file: everything that was edited by hand, in one text."""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from typing import Any

from .errors import EditError
from .hand_ranking import Entry, HandRanking

LONGEST_LINK = 2000
"""Links of more characters are cut by some programs."""
_VERSION = "1."
_MOST_BYTES = 1_000_000
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
    return _VERSION + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def unpack(text: str) -> HandRanking:
    """What `pack` wrote.

    Raises
    ------
    EditError
        When the link was cut or changed.
    """
    broken = EditError("The ranking in this link is damaged; copy the whole link again.")
    if not text.startswith(_VERSION):
        raise broken
    body = text.removeprefix(_VERSION)
    unpacker = zlib.decompressobj()
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        plain = unpacker.decompress(packed, _MOST_BYTES).decode()
    except (binascii.Error, zlib.error, ValueError) as error:
        raise broken from error
    if not unpacker.eof:
        raise broken
    return from_json(plain)


def _row(entry: Entry) -> list[str | float | None]:
    grade = entry.grade
    short = int(grade) if grade is not None and grade == int(grade) else grade
    return [entry.document, short, *(["tied"] if entry.tied else [])]


def _entry(row: Any) -> Entry:
    document, grade, *tied = row
    if tied not in ([], ["tied"]):
        raise ValueError(row)
    return Entry(_text(document), float(grade) if type(grade) is int else grade, bool(tied))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    value.encode()  # half a character cannot be shown, nor compared
    return value
