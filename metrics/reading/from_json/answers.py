"""Answers of search engines and vector databases: ranked documents, by the paths of their keys.

Sources, by the names in `RANKED`:

- ``_search`` and ``_msearch``:
  https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-msearch,
  https://docs.opensearch.org/latest/api-reference/multi-search/
- DPR: the results of https://github.com/facebookresearch/DPR (``dense_retriever.py``)
- Spark: https://spark.apache.org/docs/latest/ml-collaborative-filtering.html
- Qdrant: https://api.qdrant.tech/api-reference/search/query-points
- Pinecone: https://docs.pinecone.io/reference/api/latest/data-plane/query
- Weaviate: https://docs.weaviate.io/weaviate/api/graphql/get
- Vespa: https://docs.vespa.ai/en/reference/default-result-format.html
- Algolia: https://www.algolia.com/doc/rest-api/search/search-single-index
- Typesense: https://typesense.org/docs/latest/api/search.html
- Meilisearch: https://www.meilisearch.com/docs/reference/api/search
- OpenAI: https://platform.openai.com/docs/api-reference/vector-stores/search
- Vertex AI Search: https://cloud.google.com/generative-ai-app-builder/docs/reference/rest
- Solr: https://solr.apache.org/guide/solr/latest/query-guide/response-writers.html
"""

from dataclasses import dataclass
from typing import Any

from ...data import Note, Qrels, Run
from ...data.column_names import SYNONYMS, normalised
from ...words import quote
from ..from_tables.cells import ids_in
from ..problems import File
from ..rows import NUMBER
from .parse import JsonNumber, Members, is_text, kind_of, within
from .records import Sheet

_NAMES = ("user_input", "question", "questions", "input")
"""Names of the query beside those of a table."""
SEARCH = "hits with an _id", "Use the answer of the search unchanged."
_OF_ANSWERS = Note(
    "The grades come with the ranking: other judged documents are unknown.", "N-GRADED-RANKING"
)
NOWHERE = "\0"
"""A key that no form has."""


@dataclass(frozen=True)
class Form:
    """A form of ranked documents: the path of keys to each part; ``*`` is the only other key.

    Attributes
    ----------
    hits
        A query's documents, the best first.
    document, score, grade
        Of a document, its id, its score if the order is not enough, and whether it is relevant.
    query
        The query's name.
    several
        The key of a list of such queries.
    groups
        What the ids of groups begin with, which are among the hits and no documents.
    """

    hits: str
    document: str
    score: str = NOWHERE
    grade: str = NOWHERE
    query: str = NOWHERE
    several: str = NOWHERE
    groups: str = ""

    def at(self, value: Any, path: str) -> Any:
        """Return the value at a path; None where there is none."""
        if path == NOWHERE:
            return None
        for key in path.split("."):
            if key == "*" and isinstance(value, Members):
                # Several other keys, joined, are none.
                key = "".join({*value.names} - {self.hits, self.score})
            value = within(value, key)
        return value

    def fits(self, value: Members) -> bool:
        """Return whether an answer has this form; one key may be a query, a path of two is none."""
        queries = as_list(self.at(value, self.several)) or [value]
        lists = [self.at(query, self.hits) for query in queries]
        if "." in self.hits:
            return any(isinstance(hits, list) for hits in lists)
        ids = [self.at(hit, self.document) for hits in lists for hit in as_list(hits)]
        ids += [self.at(query, self.query) for query in queries if self.query != NOWHERE]
        # A search may find nothing; with a value beside an empty list, the list is not a query's.
        is_beside = any(not isinstance(each, Members | list) for each in value.values)
        if not ids and (not is_beside or len(ids_in(value.names)) > 1):
            return False
        is_listed = all(isinstance(hits, list) for hits in lists)
        return is_listed and all(isinstance(each, str) for each in ids)

    def read(self, sheet: Sheet, value: Any) -> None:
        """Add the documents of each query as a run, and their judgments as qrels."""
        sheet.last[Qrels] = _OF_ANSWERS
        for number, answer in enumerate(as_list(self.at(value, self.several)) or [value], 1):
            hits, failed = self.at(answer, self.hits), within(answer, "error") is not None
            if self.groups and isinstance(hits, list):
                ids = (str(self.at(each, self.document)) for each in hits)
                hits = [
                    each
                    for each, name in zip(hits, ids, strict=True)
                    if not name.startswith(self.groups)
                ]
            if not failed and not isinstance(hits, list):
                raise sheet.odd(answer, f"the answer to search {number}", *SEARCH)
            # A service does not name the query, but who saved its answer may have.
            name = self.at(answer, self.query) or name_in(answer, sheet.file)[1]
            query = sheet.name(name or sheet.numbered(), "the query")
            if failed:
                sheet.note("failed", quote(query))
                continue
            stopped = answer.first("timed_out"), answer.first("terminated_early")
            if True in stopped or within(answer, "_shards", "failed") not in (None, "0"):
                sheet.note("partial", quote(query))
            self.add(sheet, query, hits)

    def add(self, sheet: Sheet, query: str, hits: list[Any]) -> None:
        """Add the documents of one query in their order, with their scores if they have them."""
        for rank, hit in enumerate(hits, 1):
            if not isinstance(self.at(hit, self.document), str):
                expected = f"hits with an {self.document.rpartition('.')[2]}"
                raise sheet.odd(hit, f"hit {rank} of query {quote(query)}", expected, SEARCH[1])
            sheet.require_once(hit)
        ids, scores, grades = (
            [self.at(hit, path) for hit in hits] for path in (self.document, self.score, self.grade)
        )
        # Hits that were sorted by a field have no score, only their order.
        if (unscored := scores.count(None)) == len(hits):
            sheet.listed(Run, query, ids)
        elif unscored:
            some = f"{unscored} of {len(hits)} hits of query {quote(query)} without a _score"
            fix = "Sort all hits by score, or none."
            raise sheet.file.error("E-JSON", some, "a score for each hit, or for none", fix)
        else:
            for rank, (document, score) in enumerate(zip(ids, scores, strict=True), 1):
                sheet.put(Run, query, document, score, JsonNumber(rank))
        for document, grade in zip(ids, grades, strict=True):
            grade = within(grade, "value") if isinstance(grade, Members) else grade
            if grade is not None:
                is_flag = isinstance(grade, bool)
                sheet.put(Qrels, query, document, JsonNumber(int(grade)) if is_flag else grade)


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, and an empty one for anything else."""
    return value if isinstance(value, list) else []


RATED = Form("hits", "hit._id", "hit._score", "rating")
_ANSWER = Form("hits.hits", "_id", "_score", several="responses")
RANKED = (
    _ANSWER,
    Form("ctxs", "id", "score", "has_answer"),  # DPR
    Form("recommendations", "*", "rating", query="*"),  # Spark
    Form("result.points", "id"),  # Qdrant, whose scores may be distances, as Pinecone's
    Form("points", "id", several="result"),
    Form("result", "id"),
    Form("matches", "id"),  # Pinecone
    Form("data.Get.*", "_additional.id"),  # Weaviate
    Form("root.children", "id", "relevance", groups="group:"),  # Vespa
    Form("response.docs", "id", "score"),  # Solr
    Form("hits", "objectID", several="results"),  # Algolia
    Form(
        "hits", "document.id", "text_match", query="request_params.q", several="results"
    ),  # Typesense
    Form("hits", "id", "score", several="results"),  # Meilisearch
    Form("data", "file_id", "score", query="search_query"),  # OpenAI
    Form("results", "id", "score"),  # Vertex AI Search
)
"""The forms of ranked documents, in the order in which they are tried."""


def name_in(record: Members, file: File) -> tuple[str, str | None]:
    """Return the key that names a record's query, and the name; None where there is none."""
    known = {normalised(key): key for key, value in record if value is not None}
    key = next((known[name] for name in (*SYNONYMS["query"], *_NAMES) if name in known), "")
    name = record.first(key)
    if name is None or is_text(name) or (isinstance(name, str) and NUMBER.fullmatch(name)):
        return key, name
    found = f"{kind_of(name)} as {quote(key)}"
    raise file.error("E-JSON", found, "a text or a number", "Write it in quotes.")
