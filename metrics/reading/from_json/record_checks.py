"""The parts of JSON records, and the words for what is assumed of them."""

from __future__ import annotations

from typing import Any

from ...words import quote
from ..note_codes import NO_SCORES, UNNAMED
from ..problems import File
from .parse import HALF, Members

WORDS = {
    "id": (
        "N-NUMBER-ID",
        "id that is a number, not a text: the first",
        "ids that are numbers, not texts: the first",
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
        "ranking without scores, taken in the order in which it stands:",
        "rankings without scores, taken in the order in which they stand, the first of query",
    ),
    "listed": (
        "N-LISTED",
        "list of relevant ids, each with the grade 1:",
        "lists of relevant ids, each with the grade 1, the first of query",
    ),
    "failed": (
        "N-FAILED",
        "query that failed, by the answer itself, left out:",
        "queries that failed, by the answer itself, left out, the first is",
    ),
    "unnamed": (
        UNNAMED,
        "query without a name, called q1",
        "queries without a name, called q1, q2, … in order",
    ),
}
"""What is counted: the code of its note, and the words for one and for many."""


def require_once(record: Members, file: File) -> None:
    """Refuse a record in which a key stands twice.

    Raises
    ------
    ReadError
        Naming the first such key.
    """
    seen: set[str] = set()
    for key, _ in record:
        if key in seen:
            found = f"{quote(key)} twice in a record (a duplicate key)"
            raise file.error("E-JSON", found, "it once", "Mend the record or remove it.")
        seen.add(key)


def require_query(query: str, file: File) -> None:
    """Refuse a query's id before it stands in every row of the query.

    Raises
    ------
    ReadError
        When it is too long or no whole text.
    """
    if len(query) > (most := file.limits.id):
        found = f"{quote(query)} as a query, {len(query):,} characters: too long"
        fix = "Use shorter ids; check whether these are queries at all."
        raise file.error("E-ID", found, f"at most {most:,} characters (limit id)", fix)
    require_whole(query, f"in the query {quote(query)}", file)


def require_whole(text: str, where: str, file: File) -> None:
    """Refuse an id with half a character in it.

    Raises
    ------
    ReadError
        Saying where it stands.
    """
    if HALF.search(text):
        fix = "Write the id as UTF-8 text or as a whole surrogate pair."
        raise file.error("E-ID", f"a lone surrogate {where}", "ids that are text", fix)


def is_pair(value: Any) -> bool:
    """Whether a value is a list of two single values, such as a text and a number."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and not any(isinstance(each, Members | list) for each in value)
    )
