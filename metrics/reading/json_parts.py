"""The parts of JSON records, and the words for what is assumed of them."""

from __future__ import annotations

from typing import Any, TypeVar

from .header import SYNONYMS, plain
from .parse_json import HALF, Members, Number, kind_of
from .problems import File, quote

T = TypeVar("T")

WORDS = {
    "id": (
        "id that is a number, not a text: the first",
        "ids that are numbers, not texts: the first",
    ),
    "string": (
        "value written as a string, read as a number:",
        "values written as strings, read as numbers, the first",
    ),
    "bare": (
        "query without a document left out, the first is",
        "queries without a document left out, the first is",
    ),
    "order": (
        "ranking without scores, taken in the order in which it stands:",
        "rankings without scores, taken in the order in which they stand, the first of query",
    ),
    "listed": (
        "list of relevant ids, each with the grade 1:",
        "lists of relevant ids, each with the grade 1, the first of query",
    ),
    "failed": (
        "query that failed, by the answer itself, left out:",
        "queries that failed, by the answer itself, left out, the first is",
    ),
    "unnamed": (
        "query without a name, called q1",
        "queries without a name, called q1, q2, … in order",
    ),
}
"""What is counted, and how one and many of it are told."""


def part(record: Members, key: str, of: type[T], query: str, file: File) -> T | None:
    """What stands under a key; None for nothing or null.

    Raises
    ------
    ReadError
        When it is something else than it has to be.
    """
    value = record.first(key)
    if value is None or isinstance(value, of):
        return value
    found = f"{kind_of(value)} as {key} of query {quote(query)}"
    fix = "Give relevant, a list of ids, or relevance_scores, {id: grade}."
    raise file.error("E-JSON", found, "a list or an object", fix)


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


def parts_of(record: Members) -> dict[str, Any]:
    """The document of a record, its score and its grade, of those there are."""
    known = {plain(key): value for key, value in reversed([*record]) if value is not None}
    names = {
        "document": SYNONYMS["document"],
        "score": SYNONYMS["score"],
        "grade": [name for name in SYNONYMS["grade"] if name not in SYNONYMS["score"]],
    }
    found = {part: [known[name] for name in of if name in known] for part, of in names.items()}
    return {part: values[0] for part, values in found.items() if values}


def is_pair(value: Any) -> bool:
    """Whether a value is a text and a number."""
    return (
        isinstance(value, list)
        and len(value) == 2
        and isinstance(value[0], str)
        and isinstance(value[1], Number)
    )
