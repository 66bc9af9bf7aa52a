"""Checks on parts of JSON records, and the wording of notes on what is assumed."""

from __future__ import annotations

from typing import Any

from ...words import quote
from ..note_codes import NO_SCORES, UNNAMED
from ..problems import File
from .parse import HALF, Members

WORDS = {
    "id": (
        "N-NUMBER-ID",
        "number used as an id:",
        "numbers used as ids, the first",
    ),
    "string": (
        "N-TEXT-VALUE",
        "value written as a string, read as a number:",
        "values written as strings, read as numbers, the first",
    ),
    "bare": (
        "N-NO-DOCUMENT",
        "query without a document left out, the first is",
        "queries without a document left out, the first is",
    ),
    "order": (
        NO_SCORES,
        "ranking without scores, ordered as in the file:",
        "rankings without scores, ordered as in the file, the first of query",
    ),
    "listed": (
        "N-LISTED",
        "list of relevant ids, each with the grade 1:",
        "lists of relevant ids, each with the grade 1, the first of query",
    ),
    "texts": (
        "N-TEXTS-AS-IDS",
        "query whose documents are texts, which stand for their ids:",
        "queries whose documents are texts, which stand for their ids, the first is",
    ),
    "failed": (
        "N-FAILED",
        "query that failed, according to the response, left out:",
        "queries that failed, according to the response, left out, the first is",
    ),
    "partial": (
        "N-PARTIAL",
        "query whose search timed out or missed shards, so that hits may be missing:",
        "queries whose searches timed out or missed shards, so that hits may be missing, the first",
    ),
    "unnamed": (
        UNNAMED,
        "query without a name, called q1",
        "queries without a name, called q1, q2, … in order",
    ),
}
"""For each thing counted: the code of its note, and the words for one and for many."""


def require_once(record: Members, file: File) -> None:
    """Refuse a record in which a key appears twice.

    Raises
    ------
    ReadError
        For the first such key.
    """
    seen: set[str] = set()
    for key, _ in record:
        if key in seen:
            found = f"{quote(key)} twice in a record (a duplicate key)"
            raise file.error("E-JSON", found, "it once", "Correct or remove the record.")
        seen.add(key)


def require_query(query: str, file: File) -> None:
    """Refuse a query id before it is copied to every row of the query.

    Raises
    ------
    ReadError
        When it is too long or has a lone surrogate.
    """
    if len(query) > file.limits.id:
        found = f"{quote(query)} as a query, {len(query):,} characters: too long"
        fix = "Use shorter ids; check whether these are queries at all."
        raise file.error("E-ID", found, file.at_most("id", " characters"), fix)
    require_whole(query, f"in the query {quote(query)}", file)


def require_whole(text: str, where: str, file: File) -> None:
    """Refuse an id with a lone surrogate.

    Raises
    ------
    ReadError
        With ``where`` the id was found.
    """
    if HALF.search(text):
        fix = "Write the id as UTF-8 text or as a whole surrogate pair."
        raise file.error("E-ID", f"a lone surrogate {where}", "ids that are text", fix)


def is_pair(value: Any) -> bool:
    """Return whether a value is a list of two scalars, such as a text and a number."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and not any(isinstance(each, Members | list) for each in value)
    )
