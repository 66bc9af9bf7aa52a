"""JSON ``{query: {document: value}}``, as pytrec_eval and ranx write it."""

from __future__ import annotations

import json
from typing import Any

from .problems import Problem, ReadError, quote
from .rows import Rows


class _Number(str):
    """The digits of a JSON number, kept as written until they are checked."""


class _Object(list[tuple[str, Any]]):
    """The members of a JSON object in order, duplicates kept."""


def read_json(text: str, file: str) -> Rows:
    """The rows of a nested JSON object.

    Raises
    ------
    ReadError
        When it is not JSON, not an object of objects, or repeats a query.
    """
    rows = Rows({"query": None, "document": None, "value": None})
    seen: set[str] = set()
    for query, documents in _members(_parse(text, file), file, "the top level"):
        if query in seen:
            fix = "Merge the two entries."
            found = f"the query {quote(query)} twice (a duplicate key)"
            raise ReadError([Problem("E-DUP-QUERY", file, found, "each query once", fix)])
        seen.add(query)
        members = _members(documents, file, f"query {quote(query)}")
        if not members:
            rows.bare.append(query)
        for document, value in members:
            if not isinstance(value, _Number):
                found = f"{quote(json.dumps(value))} for {quote(query)}, {quote(document)}"
                fix = "Write it as a number, without quotes."
                raise ReadError([Problem("E-NUMBER", file, found, "a number", fix)])
            if any("\ud800" <= character <= "\udfff" for character in query + document):
                fix = "Write the id as UTF-8 text or as a whole surrogate pair."
                found = f"a lone surrogate in {quote(document)} of query {quote(query)}"
                raise ReadError([Problem("E-ID", file, found, "ids that are text", fix)])
            rows.add(0, query, document, str(value))
    return rows


def _parse(text: str, file: str) -> Any:
    try:
        return json.loads(
            text,
            object_pairs_hook=_Object,
            parse_float=_Number,
            parse_int=_Number,
            parse_constant=_Number,
        )
    except json.JSONDecodeError as error:
        fix = "Check the comma, quote or bracket at that place; JSON takes double quotes only."
        found = f"{error.msg} at character {error.colno}"
        raise ReadError([Problem("E-JSON", file, found, "JSON", fix, error.lineno)]) from error
    except RecursionError as error:
        fix = "Write {query: {document: value}}."
        raise ReadError(
            [Problem("E-JSON", file, "too deeply nested JSON", "two levels", fix)]
        ) from error


def _members(value: Any, file: str, where: str) -> _Object:
    if isinstance(value, _Object):
        return value
    kind = "a list" if isinstance(value, list) else quote(json.dumps(value))
    expected = "an object: {query: {document: value}}"
    fix = "Nest the values by query id, then by document id."
    raise ReadError([Problem("E-JSON", file, f"{kind} as {where}", expected, fix)])
