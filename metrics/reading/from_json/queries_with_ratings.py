"""JSON with a list of queries and the ratings of each: Quepid's cases, RRE, and LlamaIndex.

Sources: the exports of https://github.com/o19s/quepid (``api/v1/export``),
https://github.com/SeaseLtd/rated-ranking-evaluator, and LlamaIndex's class
``EmbeddingQAFinetuneDataset``.
"""

from ...data import Qrels
from ...words import quote
from .parse import JsonNumber, Members, within
from .sheet import Sheet

_QUERIES, _RELEVANT_DOCS = "queries", "relevant_docs"
CASE_KEYS = _QUERIES, _RELEVANT_DOCS
_RATINGS, _BY_GRADE = "ratings", "relevant_documents"
_NAMES = ("query_text", "query")
_FORM = "queries with a text and ratings", "Use the file as it was exported."


def is_case(value: Members) -> bool:
    """Return whether a value is a case of Quepid or RRE: queries, each with its ratings."""
    queries = value.first(_QUERIES)
    if not isinstance(queries, list) or not queries:
        return False
    return all(
        isinstance(each, Members) and (each.first(_RATINGS) or each.first(_BY_GRADE)) is not None
        for each in queries
    )


def is_dataset(value: Members) -> bool:
    """Return whether a value is LlamaIndex's data set: queries, corpus and relevant documents."""
    relevant = value.first(_RELEVANT_DOCS)
    lists = isinstance(relevant, Members) and all(isinstance(each, list) for _, each in relevant)
    return lists and value.first(_QUERIES) is not None


def read_case(sheet: Sheet, value: Members) -> None:
    """Add the ratings of all queries; a query is named by its text.

    Raises
    ------
    ReadError
        When a query has no text, or its ratings are of another type.
    """
    for each in value.first(_QUERIES):
        query = _text_of(sheet, each)
        sheet.name(query)
        ratings, by_grade = each.first(_RATINGS), each.first(_BY_GRADE)
        if isinstance(ratings, Members):
            graded = [(doc, grade) for doc, grade in ratings if grade is not None]
            sheet.values(Qrels, query, graded)
        elif isinstance(ratings, list):
            sheet.rated(query, ratings, "doc_id", "rating")
        elif isinstance(by_grade, Members):
            for grade, documents in by_grade:
                if not isinstance(documents, list):
                    raise sheet.odd(documents, f"the documents of query {quote(query)}", *_FORM)
                for document in documents:
                    sheet.put(Qrels, query, document, JsonNumber(grade))
        else:
            raise sheet.odd(ratings, f"the ratings of query {quote(query)}", *_FORM)


def read_dataset(sheet: Sheet, value: Members) -> None:
    """Add the relevant documents of each query; its texts are read as texts."""
    for query, documents in value.first(_RELEVANT_DOCS):
        sheet.name(query)
        sheet.listed(Qrels, query, documents)


def _text_of(sheet: Sheet, each: Members) -> str:
    found = *map(each.first, _NAMES), within(each, "placeholders", "$query")
    text = next((name for name in found if isinstance(name, str)), None)
    if text is None or isinstance(text, JsonNumber):
        raise sheet.odd(each, "a query without its text", *_FORM)
    return text
