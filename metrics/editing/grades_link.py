"""Grades changed by hand as one text, for a link."""

import json
from collections.abc import Mapping

from ..data.checks import LARGEST_GRADE
from ..errors import EditError
from ..link_text import LinkText
from .log import Grades
from .ranking_link import LONGEST_READ, is_text, short

MOST = 1_000
"""More changed grades than this do not fit into a link, so that it was made by nobody's edits."""
_VERSION = 1
_LINK = LinkText("list of grades", _VERSION, LONGEST_READ, EditError, "Save the session instead.")
_KEY = 12
"""So many characters of the key of the data tell two data sets apart."""


def pack(key: str, changed: Mapping[str, Grades]) -> str:
    """Return changed grades as text for a link: letters, digits, ``-``, ``_`` and ``.``.

    ``key`` is what the grades belong to: see `Dataset.key`. A grade of ``changed`` is None where
    the document is not judged any more.

    Examples
    --------
    >>> unpack(pack("4af1", {"q1": {"d1": 2.0, "d2": None}}), "4af1")
    {'q1': {'d1': 2.0, 'd2': None}}
    """
    grades = {
        query: {document: short(grade) for document, grade in of.items()}
        for query, of in changed.items()
    }
    value = {"of": key[:_KEY], "grades": grades}
    return _LINK.pack(_VERSION, json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def unpack(text: str, key: str) -> dict[str, dict[str, float | None]]:
    """Return the grades that `pack` wrote for these data.

    Raises EditError when the link was cut or changed, is not from Rankscope, too long, from a newer
    version, or of other data. The message says which, and contains no text of the link.
    """
    try:
        # Numbers are read as floats, so that one of very many digits is refused as a large grade.
        value = json.loads(_LINK.unpack(text), parse_int=float)
    except (json.JSONDecodeError, RecursionError) as error:
        raise _LINK.damaged() from error
    if not isinstance(value, dict) or not _are_grades(value.get("grades")):
        raise _LINK.damaged()
    if value.get("of") != key[:_KEY]:
        raise EditError("The grades in the link were changed in other data than these.")
    grades: dict[str, dict[str, float | None]] = value["grades"]
    if (many := sum(map(len, grades.values()))) > MOST or len(grades) > MOST:
        raise EditError(f"The list of grades in the link has {many:,} of them; at most {MOST:,}.")
    return grades


def _are_grades(value: object) -> bool:
    return isinstance(value, dict) and all(
        bool(query)
        and is_text(query)
        and isinstance(of, dict)
        and all(map(_is_graded, of, of.values()))
        for query, of in value.items()
    )


def _is_graded(document: object, grade: object) -> bool:
    known = grade is None or (isinstance(grade, float) and abs(grade) <= LARGEST_GRADE)
    return bool(document) and is_text(document) and known
