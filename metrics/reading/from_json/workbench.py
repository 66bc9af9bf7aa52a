"""Judgments and experiments of OpenSearch's Search Relevance Workbench.

Sources: https://docs.opensearch.org/latest/search-plugins/search-relevance/judgments/ and
https://docs.opensearch.org/latest/search-plugins/search-relevance/compare-query-sets/
"""

from typing import Any

from ...words import quote
from .parse import Members, within
from .sheet import Sheet

_JUDGMENTS, _RESULTS, _CONFIGURATIONS = "judgmentRatings", "results", "searchConfigurationList"
_RANKED, _TEXT, _CONFIGURATION = "documentIds", "searchText", "searchConfigurationId"
WORKBENCH_KEYS = _JUDGMENTS, _RESULTS, _RANKED
_FORM = (
    "query, ratings with docId and rating, or lists of documents",
    "Use the judgments or the experiment as the workbench returns them.",
)
_BESIDE = {"pairwiseComparison"}
"""Keys of a query's results that are not a search configuration."""


def is_of_workbench(record: Any) -> bool:
    """Return whether a record is a list of judgments, an experiment or one of its results."""
    is_experiment = isinstance(within(record, _CONFIGURATIONS), list)
    return (
        isinstance(within(record, _JUDGMENTS), list)
        or (is_experiment and isinstance(within(record, _RESULTS), Members | list))
        or (isinstance(within(record, _RANKED), list) and within(record, _TEXT) is not None)
    )


def read_workbench(sheet: Sheet, *records: Members) -> None:
    """Add judgments as qrels, and each search configuration's results as a run of its own.

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
                raise sheet.odd(record, f"a result without {_TEXT} and {_CONFIGURATION}", *_FORM)
            sheet.ranked(query, configuration, record.first(_RANKED))


def _add_ratings(sheet: Sheet, judged: Any) -> None:
    """Add the ratings of one query, which are numbers or texts of numbers."""
    query, ratings = within(judged, "query"), within(judged, "ratings")
    if not isinstance(query, str) or not isinstance(ratings, list):
        raise sheet.odd(judged, "the judgments of a query", *_FORM)
    sheet.name(query)
    sheet.rated(query, ratings, "docId", "rating")


def _add_results(sheet: Sheet, query: str, found: Any) -> None:
    if not isinstance(found, Members):
        raise sheet.odd(found, f"the results of query {quote(query)}", *_FORM)
    for configuration, documents in found:
        if configuration in _BESIDE:
            continue
        if not isinstance(documents, list):
            raise sheet.odd(documents, f"the documents of {quote(configuration)}", *_FORM)
        sheet.ranked(query, configuration, documents)


def _add_snapshots(sheet: Sheet, found: Any) -> None:
    """Add one query's results as later versions list them; those without documents have none."""
    query = within(found, "queryText")
    if not isinstance(query, str):
        raise sheet.odd(found, "the results of a query", *_FORM)
    for snapshot in found.first("snapshots") or ():
        run, documents = within(snapshot, _CONFIGURATION), within(snapshot, "docIds")
        if not isinstance(run, str) or not isinstance(documents, list):
            raise sheet.odd(snapshot, f"a snapshot of query {quote(query)}", *_FORM)
        sheet.ranked(query, run, documents)
