"""An edited ranking as one text, for a link or a file."""

import json
from typing import Any

from ..data.checks import LARGEST_GRADE
from ..errors import EditError
from ..limits import current
from ..link_text import LinkText
from ..reading.from_json.parse import HALF
from .hand_ranking import Entry, HandRanking

LONGEST_READ = 8000
"""At most this many characters of a link are read as a ranking."""
_PLAIN, _TITLED, _BY_ASPECT = 1, 2, 3
"""The versions of a link: a program that knows no titles, or no aspects, refuses those with them.
"""
_LINK = LinkText("ranking", _BY_ASPECT, LONGEST_READ, EditError, "Save it as a file instead.")
_MOST_SAVED = 10_000_000
"""At most this many characters of a saved ranking; each takes about 30 bytes of memory."""


def to_json(ranking: HandRanking) -> str:
    """Return the ranking as JSON.

    Examples
    --------
    >>> print(to_json(HandRanking.of("q", {"a": 2.0, "b": 0.5}, ["a", "x"])))
    {"query":"q","ranked":[["a",2],["x",null]],"not ranked":[["b",0.5]]}
    """
    value: dict[str, Any] = {"query": ranking.query, "ranked": list(map(_row, ranking.retrieved))}
    if ranking.title:
        value["title"] = ranking.title
    if ranking.unretrieved:
        value["not ranked"] = list(map(_row, ranking.unretrieved))
    if ranking.aspects:
        value["aspects"] = ranking.aspects
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> HandRanking:
    """Return the ranking that `to_json` wrote.

    Raises EditError when the text is something else.
    """
    if len(text) > _MOST_SAVED:
        raise EditError(f"This is {len(text):,} characters; at most {_MOST_SAVED:,} are read.")
    try:
        # Numbers are read as floats, so that one of very many digits is refused as a large grade.
        value = json.loads(text, parse_int=float)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _not_saved() from error
    if not isinstance(value, dict):
        raise _not_saved()
    ranked, rest = value.get("ranked"), value.get("not ranked", [])
    if not (isinstance(ranked, list) and isinstance(rest, list)):
        raise _not_saved()
    retrieved, unretrieved = (tuple(map(_entry, rows)) for rows in (ranked, rest))
    query, title = _text(value.get("query")), _text(value.get("title", ""))
    return HandRanking(query, retrieved, unretrieved, title, aspects_in(value.get("aspects", {})))


def pack(ranking: HandRanking) -> str:
    """Return the ranking as text for a link: letters, digits, ``-``, ``_`` and ``.``.

    Examples
    --------
    >>> ranking = HandRanking.of("q", {"a": 2.0}, ["a"])
    >>> unpack(pack(ranking)) == ranking
    True
    """
    version = _BY_ASPECT if ranking.aspects else _TITLED if ranking.title else _PLAIN
    return _LINK.pack(version, to_json(ranking))


def unpack(text: str) -> HandRanking:
    """Return the ranking that `pack` wrote.

    Raises EditError when the link was cut or changed, is not from Rankscope, too long or from a
    newer version. The message says which, and contains no text of the link.
    """
    content = _LINK.unpack(text)
    try:
        return from_json(content)
    except EditError as error:
        raise _LINK.damaged() from error


def short(grade: float | None) -> float | None:
    """Return a grade as it is written shortest: a whole number without its fraction."""
    return int(grade) if grade is not None and grade == int(grade) else grade


def _row(entry: Entry) -> list[str | float | None]:
    return [entry.document, short(entry.grade), *(["tied"] if entry.tied else [])]


def _entry(row: object) -> Entry:
    """Return the document of a row: its id, its grade and, if it is tied, the word ``tied``."""
    if not isinstance(row, list) or len(row) not in (2, 3) or row[2:] not in ([], ["tied"]):
        raise _not_saved()
    document, grade, *tied = row
    if not (grade is None or isinstance(grade, float)) or not _text(document):
        raise _not_saved()
    return Entry(document, grade, bool(tied))


def aspects_in(value: object) -> dict[str, dict[str, float]]:
    """Return the grades of each document by aspect that a value of JSON is.

    Raises EditError when it is something else.
    """
    if not isinstance(value, dict):
        raise _not_saved()
    for document, grades in value.items():
        if not (isinstance(grades, dict) and grades and _text(document)):
            raise _not_saved()
        for name, grade in grades.items():
            number = type(grade) in (int, float) and abs(grade) <= LARGEST_GRADE
            if not (_text(name) and len(name) <= current().id and number):
                raise _not_saved()
    return value


def is_text(value: object) -> bool:
    """Return whether a value is a text without half characters, which cannot be shown."""
    return isinstance(value, str) and not HALF.search(value)


def _text(value: Any) -> str:
    if not is_text(value):
        raise _not_saved()
    return str(value)


def _not_saved() -> EditError:
    return EditError("This is not a ranking that Rankscope saved; save it again.")
