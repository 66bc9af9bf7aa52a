"""Requests to ``_rank_eval`` of Elasticsearch and OpenSearch, and its responses.

Source: https://www.elastic.co/docs/reference/elasticsearch/rest-apis/search-rank-eval
"""

from typing import Any

from ...data import Note, Qrels
from ...words import quote
from .parse import JsonNumber, Members, within
from .search_answers import add_hits
from .sheet import Sheet

_REQUESTS, _DETAILS = RANK_EVAL_KEYS = "requests", "details"
_FORM = "a _rank_eval file", "Use the request or the response unchanged."
_OF_HITS = Note(
    "The judgments come from a response of _rank_eval, which contains only those of its hits: "
    "recall and the ideal miss the others. The request contains them all.",
    "N-RANK-EVAL",
)


def is_request(value: Members) -> bool:
    """Return whether a value is a request: a list in which a query has ratings."""
    requests = value.first(_REQUESTS)
    return isinstance(requests, list) and any(
        within(each, "ratings") is not None for each in requests
    )


def is_response(value: Members) -> bool:
    """Return whether a value is a response: an object in which a query has hits."""
    details = value.first(_DETAILS)
    return isinstance(details, Members) and any(
        within(each, "hits") is not None for each in details.values
    )


def read_request(sheet: Sheet, value: Members) -> None:
    """Add the ratings of a request as qrels."""
    sheet.require_once(value)
    for request in value.first(_REQUESTS):
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


def read_response(sheet: Sheet, value: Members) -> None:
    """Add the hits of a response as a run, and their ratings as qrels."""
    sheet.require_once(value)
    sheet.last[Qrels] = _OF_HITS
    for query, detail in value.first(_DETAILS):
        hits = _list(sheet, detail, "hits", query)
        sheet.require_once(detail)
        sheet.name(query)
        index: dict[str, Any] = {}
        found: list[Members] = []
        for rank, hit in enumerate(hits):
            inner = within(hit, "hit")
            if not isinstance(inner, Members):
                raise sheet.odd(hit, f"hit {rank + 1} of query {quote(query)}", *_FORM)
            sheet.require_once(hit)
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


def _list(sheet: Sheet, record: Any, key: str, query: str) -> list[Any]:
    """Return the list of a query under a key."""
    value = within(record, key)
    if not isinstance(value, list):
        raise sheet.odd(value, f"the {key} of query {quote(query)}", *_FORM)
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
    value = within(record, key)
    if not isinstance(value, str):
        raise sheet.odd(record, f"something without the text {quote(key)}", *_FORM)
    sheet.require_once(record)
    return value
