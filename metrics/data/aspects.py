"""The aspects of a query: grades of a document for each of them, as columns."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from ..arrays import Floats, Ints
from ..errors import DataError

Aspects = Mapping[str, Mapping[str, Mapping[str, float]]]
"""The grade of a document for an aspect, by query, then by document, then by aspect."""


@dataclass(frozen=True, eq=False)
class AspectTable:
    """The judgments by aspect: a row for each judged document and aspect it was judged for.

    Attributes
    ----------
    names
        The aspects of each query, in order: numbers by size, then other names. A query that is
        judged as a whole has one without a name.
    query, document
        ``(n,)`` index into the queries, and document ids.
    aspect
        ``(n,)`` index into the query's names.
    grade
        ``(n,)`` the grade for that aspect.
    """

    names: tuple[tuple[str, ...], ...]
    query: Ints
    document: pa.StringArray
    aspect: Ints
    grade: Floats


def table_of(values: Mapping[str, Mapping[str, float]], aspects: Aspects) -> AspectTable:
    """Return the judgments by aspect.

    A grade that is not the highest of the document's aspects was given by hand: it holds for the
    aspects that the document was relevant for, and for every aspect of the query if there is none.

    ``values`` has the grade of each document, by query.

    Examples
    --------
    >>> table = table_of({"q": {"d": 1.0, "new": 2.0}}, {"q": {"d": {"10": 0.0, "2": 1.0}}})
    >>> table.names, table.aspect.tolist(), table.grade.tolist()
    ((('2', '10'),), [0, 1, 0, 1], [1.0, 0.0, 2.0, 2.0])
    """
    names, rows = [], []
    for number, (query, of_query) in enumerate(values.items()):
        judged = aspects.get(query, {})
        every = {name for grades in judged.values() for name in grades}
        names.append(tuple(sorted(every, key=_place)) or ("",))
        for document, value in of_query.items():
            grades = _effective(value, judged.get(document, {}), names[-1])
            rows += [
                (number, document, place, grades[name])
                for place, name in enumerate(names[-1])
                if name in grades
            ]
    query_of, document_of, aspect_of, grade_of = zip(*rows, strict=True) if rows else ((),) * 4
    return AspectTable(
        tuple(names),
        np.array(query_of, np.int64),
        pa.array(document_of, pa.string()),
        np.array(aspect_of, np.int64),
        np.array(grade_of, float),
    )


def _effective(
    value: float, grades: Mapping[str, float], names: tuple[str, ...]
) -> Mapping[str, float]:
    """Return a document's grades by aspect, if its own grade is this value."""
    if grades and max(grades.values()) == value:
        return grades
    relevant = [name for name, grade in grades.items() if grade > 0] or names
    return {**grades, **dict.fromkeys(relevant, value)}


_ROUND = re.compile(r"[0-9]*\.[0-9]*[1-9][0-9]*", re.ASCII)
"""A half round of judging, as in TREC-COVID: 0.5, 1, 1.5, … Aspects have whole numbers or names."""


def has_several(queries: Sequence[str], aspects: Sequence[str]) -> bool:
    """Return whether some query has several aspects, and the column holds no rounds of judging.

    Examples
    --------
    >>> has_several(["q1", "q2"], ["0", "1"]), has_several(["q1", "q1"], ["0", "1"])
    (False, True)
    >>> has_several(["q1", "q1"], ["0.5", "1"])
    False
    """
    first: dict[str, str] = {}
    pairs = zip(queries, aspects, strict=True) if aspects else ()
    several = any(first.setdefault(query, aspect) != aspect for query, aspect in pairs)
    return several and not any(map(_ROUND.fullmatch, set(aspects)))


def highest(aspects: Aspects) -> dict[str, dict[str, float]]:
    """Return the highest grade of each document, by query.

    Examples
    --------
    >>> highest({"q": {"d": {"1": 0, "2": 1}}})
    {'q': {'d': 1}}
    """
    return {
        query: {document: max(grades.values()) for document, grades in of_query.items()}
        for query, of_query in aspects.items()
    }


def checked(aspects: Any) -> Aspects:
    """Return aspects with grades as floats.

    Raises DataError when this is not a dict of dicts of dicts, a document has no aspect, an aspect
    is not a text, or a grade is not a number.
    """
    form = "pass {query: {document: {aspect: grade}}}"
    found: dict[str, dict[str, dict[str, float]]] = {}
    for query, of_query in _items(aspects, f"Qrels: {form}"):
        found[query] = {}
        for document, grades in _items(
            of_query, f"Qrels: the documents of query {query!r}: {form}"
        ):
            where = f"query {query!r}, document {document!r}"
            of_document = _items(grades, f"Qrels: {where}: {form}")
            if not of_document or not all(
                isinstance(name, str) and name for name, _ in of_document
            ):
                raise DataError(f"Qrels: {where}: give each aspect a name, as text; {form}.")
            try:
                found[query][document] = {name: float(grade) for name, grade in of_document}
            except (TypeError, ValueError, OverflowError) as error:
                raise DataError(f"Qrels: {where}: a grade is not a number ({error}).") from error
    return found


def gathered(
    query: Sequence[str], document: Sequence[str], aspect: Sequence[str], grade: Sequence[Any]
) -> Aspects:
    """Return the grades of rows by query, document and aspect.

    An aspect without a name is the query as a whole.

    Raises DataError when a document has two grades for an aspect, or one is not a number.
    """
    found: dict[str, dict[str, dict[str, float]]] = {}
    try:
        grades = [float(each) for each in grade]
    except (TypeError, ValueError) as error:
        raise DataError(f"Qrels: a grade is not a number ({error}).") from error
    for row in zip(query, document, aspect, grades, strict=True):
        of_document = found.setdefault(row[0], {}).setdefault(row[1], {})
        if of_document.setdefault(row[2], row[3]) != row[3]:
            raise DataError(
                f"Qrels: query {row[0]!r}, document {row[1]!r}, aspect {row[2]!r} has the grades "
                f"{of_document[row[2]]} and {row[3]}; keep one."
            )
    return found


def named(aspects: Aspects) -> Aspects:
    """Return the aspects of the queries that have some; one without a name is the whole query.

    Raises DataError when a query has aspects with and without a name.

    Examples
    --------
    >>> named({"q1": {"d": {"": 1.0}}, "q2": {"d": {"price": 1.0}}})
    {'q2': {'d': {'price': 1.0}}}
    """
    of_query = {query: {*chain.from_iterable(of.values())} for query, of in aspects.items()}
    for query, names in of_query.items():
        if "" in names and len(names) > 1:
            raise DataError(f"Qrels: query {query!r} has a grade without an aspect; name it.")
    return {query: of for query, of in aspects.items() if of_query[query] != {""}}


def _items(given: Any, message: str) -> list[tuple[Any, Any]]:
    if not isinstance(given, Mapping):
        raise DataError(f"{message}, not a {type(given).__name__}.")
    return list(given.items())


def _place(name: str) -> tuple[bool, int, str]:
    """Return the key that puts whole numbers first, by size."""
    number = name.isascii() and name.isdecimal() and len(name) < 19
    return not number, int(name) if number else 0, name
