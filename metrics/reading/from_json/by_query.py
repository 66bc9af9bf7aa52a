"""The forms of JSON that group documents by query."""

from __future__ import annotations

from typing import Any

from ...data import Qrels, Run
from ...words import quote
from .judged_records import add_judged, is_judged
from .parse import Members
from .record_checks import is_pair
from .sheet import Sheet


def add_query(sheet: Sheet, query: str, content: Any) -> None:
    """Add one query's documents: with values, in rank order, or as records with grades."""
    if isinstance(content, Members) and is_judged(content):
        add_judged(sheet, query, content)
        return
    sheet.name(query)
    if isinstance(content, Members):
        sheet.values(sheet.kind, query, content)
    elif not isinstance(content, list):
        fix = "Nest the values by query id, then by document id."
        expected = "an object: {query: {document: value}}"
        raise sheet.odd(content, f"query {quote(query)}", expected, fix)
    elif content and all(is_pair(each) for each in content):
        sheet.values(sheet.kind, query, [(each[0], each[1]) for each in content])
    elif content and all(isinstance(each, Members) for each in content):
        sheet.records += [(query, record) for record in content]
    else:
        sheet.listed(sheet.kind, query, content)


def add_unnamed(sheet: Sheet, entry: list[Any]) -> None:
    """Add a query without a name: ranked ids and judgments, or a list of graded records."""
    query = sheet.numbered()
    sheet.name(query)
    if entry and all(isinstance(each, Members) for each in entry):
        sheet.records += [(query, record) for record in entry]
        return
    if len(entry) != 2 or not isinstance(entry[0], list):
        expected = "two parts: ranked ids and judgments"
        fix = "Write [[id, …], [[id, grade], …]] for each query."
        raise sheet.file.error("E-JSON", f"{len(entry)} parts in a query", expected, fix)
    ranked, judgments = entry
    sheet.listed(Run, query, ranked)
    if isinstance(judgments, Members):
        sheet.values(Qrels, query, judgments)
    elif not isinstance(judgments, list):
        what, expected = f"the judgments of query {quote(query)}", "a list or an object"
        raise sheet.odd(
            judgments, what, expected, "Write [id, …], [[id, grade], …] or {id: grade}."
        )
    elif all(is_pair(each) for each in judgments):
        sheet.values(Qrels, query, [(each[0], each[1]) for each in judgments])
    else:
        sheet.listed(Qrels, query, judgments)
