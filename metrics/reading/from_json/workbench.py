"""Judgments and experiments of OpenSearch's Search Relevance Workbench.

Sources: https://docs.opensearch.org/latest/search-plugins/search-relevance/judgments/ and
https://docs.opensearch.org/latest/search-plugins/search-relevance/compare-query-sets/
"""

from __future__ import annotations

from typing import Any

from ...data import Pairs
from ...words import quote
from ..problems import ReadError
from ..rows import Rows
from .parse import Members, kind_of
from .sheet import Sheet

_JUDGMENTS, _RESULTS, _CONFIGURATIONS = "judgmentRatings", "results", "searchConfigurationList"
_RANKED, _TEXT, _CONFIGURATION = "documentIds", "searchText", "searchConfigurationId"
WORKBENCH_KEYS = _JUDGMENTS, _RESULTS, _RANKED
_BESIDE = {"pairwiseComparison"}
"""Keys of a query's results that are not a search configuration."""


def is_of_workbench(record: Members) -> bool:
    """Return whether a record is a list of judgments, an experiment or one of its results."""
    is_experiment = isinstance(record.first(_CONFIGURATIONS), list)
    return (
        isinstance(record.first(_JUDGMENTS), list)
        or (is_experiment and isinstance(record.first(_RESULTS), Members | list))
        or (isinstance(record.first(_RANKED), list) and record.first(_TEXT) is not None)
    )


def read_workbench(sheet: Sheet, records: list[Members]) -> dict[type[Pairs], Rows]:
    """Return judgments as qrels, and each search configuration's results as a run of its own.

    Raises
    ------
    ReadError
        When a part of a record is missing or of another type.
    """
    for record in records:
        for judged in record.first(_JUDGMENTS) or ():
            _add_ratings(sheet, judged)
        results = record.first(_RESULTS)
        for query, found in results if isinstance(results, Members) else ():
            _add_results(sheet, query, found)
        for found in results if isinstance(results, list) else ():
            _add_snapshots(sheet, found)
        if isinstance(record.first(_RANKED), list):
            query, configuration = record.first(_TEXT), record.first(_CONFIGURATION)
            if not isinstance(query, str) or not isinstance(configuration, str):
                raise _odd(sheet, record, f"a result without {_TEXT} and {_CONFIGURATION}")
            sheet.ranked(query, configuration, record.first(_RANKED))
    return sheet.found()


def _add_ratings(sheet: Sheet, judged: Any) -> None:
    """Add the ratings of one query, which are numbers or texts of numbers."""
    query = judged.first("query") if isinstance(judged, Members) else None
    ratings = judged.first("ratings") if isinstance(judged, Members) else None
    if not isinstance(query, str) or not isinstance(ratings, list):
        raise _odd(sheet, judged, "the judgments of a query")
    sheet.name(query)
    sheet.rated(query, ratings, "docId", "rating")


def _add_results(sheet: Sheet, query: str, found: Any) -> None:
    if not isinstance(found, Members):
        raise _odd(sheet, found, f"the results of query {quote(query)}")
    for configuration, documents in found:
        if configuration in _BESIDE:
            continue
        if not isinstance(documents, list):
            raise _odd(sheet, documents, f"the documents of {quote(configuration)}")
        sheet.ranked(query, configuration, documents)


def _add_snapshots(sheet: Sheet, found: Any) -> None:
    """Add one query's results as later versions list them; those without documents have none."""
    query = found.first("queryText") if isinstance(found, Members) else None
    if not isinstance(found, Members) or not isinstance(query, str):
        raise _odd(sheet, found, "the results of a query")
    for snapshot in found.first("snapshots") or ():
        run = snapshot.first(_CONFIGURATION) if isinstance(snapshot, Members) else None
        documents = snapshot.first("docIds") if isinstance(snapshot, Members) else None
        if not isinstance(run, str) or not isinstance(documents, list):
            raise _odd(sheet, snapshot, f"a snapshot of query {quote(query)}")
        sheet.ranked(query, run, documents)


def _odd(sheet: Sheet, value: Any, what: str) -> ReadError:
    fix = "Use the judgments or the experiment as the workbench returns them."
    expected = "query, ratings with docId and rating, or lists of documents"
    return sheet.file.error("E-JSON", f"{kind_of(value)} as {what}", expected, fix)
