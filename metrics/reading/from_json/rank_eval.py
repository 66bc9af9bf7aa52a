"""Requests to ``_rank_eval`` of Elasticsearch and OpenSearch, and its responses.

Source: https://www.elastic.co/docs/reference/elasticsearch/rest-apis/search-rank-eval
"""

from __future__ import annotations

from typing import Any

from ...data import Note, Pairs, Qrels
from ...words import quote
from ..problems import ReadError
from ..rows import Rows
from .parse import JsonNumber, Members, kind_of
from .record_checks import require_once
from .search_answers import add_hits
from .sheet import Sheet


def read_request(sheet: Sheet, value: Members) -> dict[type[Pairs], Rows]:
    """Return the ratings of a request as qrels."""
    require_once(value, sheet.file)
    for request in value.first("requests"):
        query = _text(sheet, request, "id")
        if isinstance(query, JsonNumber):
            sheet.note("id", f"{quote(query)} as the id of a request, kept as written")
        sheet.name(query)
        ratings = _list(sheet, request, "ratings", query)
        if not ratings:
            sheet.note("bare", quote(query))
        index: dict[str, Any] = {}
        for rating in ratings:
            document = _text(sheet, rating, "_id")
            _require_one_index(sheet, index, rating, query)
            sheet.put(Qrels, query, document, _rating(rating))
    return sheet.found()


def read_response(sheet: Sheet, value: Members) -> dict[type[Pairs], Rows]:
    """Return the hits of a response as a run, and their ratings as qrels."""
    require_once(value, sheet.file)
    for query, detail in value.first("details"):
        hits = _list(sheet, detail, "hits", query)
        require_once(detail, sheet.file)
        sheet.name(query)
        index: dict[str, Any] = {}
        found: list[Members] = []
        for rank, hit in enumerate(hits):
            inner = hit.first("hit") if isinstance(hit, Members) else None
            if not isinstance(inner, Members):
                raise _odd(sheet, hit, f"hit {rank + 1} of query {quote(query)}")
            require_once(hit, sheet.file)
            _text(sheet, inner, "_id")
            _require_one_index(sheet, index, inner, query)
            found.append(inner)
        add_hits(sheet, query, found)
        for hit, inner in zip(hits, found, strict=True):
            if (rating := _rating(hit)) is not None:
                sheet.put(Qrels, query, inner.first("_id"), rating)
    failures = value.first("failures")
    for query, _ in failures if isinstance(failures, Members) else ():
        sheet.note("failed", quote(query))
    found_rows = sheet.found()
    if Qrels in found_rows:
        found_rows[Qrels].notes.append(
            Note(
                "The judgments come from a response of _rank_eval, which contains only those of "
                "its hits: recall and the ideal miss the others. The request contains them all.",
                "N-RANK-EVAL",
            )
        )
    return found_rows


def _list(sheet: Sheet, record: Any, key: str, query: str) -> list[Any]:
    """Return the list of a query under a key."""
    value = record.first(key) if isinstance(record, Members) else None
    if not isinstance(value, list):
        raise _odd(sheet, value, f"the {key} of query {quote(query)}")
    return value


def _require_one_index(sheet: Sheet, index: dict[str, Any], record: Members, query: str) -> None:
    """Refuse an id that belongs to documents of two indexes."""
    document, of = str(record.first("_id")), record.first("_index")
    if index.setdefault(document, of) != of:
        found = f"the document {quote(document)} of query {quote(query)} in two indexes"
        fix = "Evaluate one index at a time."
        raise sheet.file.error("E-DUP-DOC", found, "ids of one index", fix)


def _rating(record: Any) -> Any:
    """Return the rating of a hit; None where it is unjudged."""
    rating = record.first("rating")
    return rating.first("value") if isinstance(rating, Members) else rating


def _text(sheet: Sheet, record: Any, key: str) -> str:
    value = record.first(key) if isinstance(record, Members) else None
    if not isinstance(value, str):
        raise _odd(sheet, record, f"something without the text {quote(key)}")
    require_once(record, sheet.file)
    return value


def _odd(sheet: Sheet, value: Any, what: str) -> ReadError:
    fix = "Use the request or the response unchanged."
    return sheet.file.error("E-JSON", f"{kind_of(value)} as {what}", "a _rank_eval file", fix)
