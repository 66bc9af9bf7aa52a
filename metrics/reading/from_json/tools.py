"""JSON as tools and services write it: what tells each form, and its reader.

Sources, by the names in `FORMS`:

- ``_search`` and ``_msearch``:
  https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-msearch,
  https://docs.opensearch.org/latest/api-reference/multi-search/
- ``_rank_eval``:
  https://www.elastic.co/docs/reference/elasticsearch/rest-apis/search-rank-eval
- the Search Relevance Workbench of OpenSearch:
  https://docs.opensearch.org/latest/search-plugins/search-relevance/judgments/ and
  https://docs.opensearch.org/latest/search-plugins/search-relevance/compare-query-sets/
- cases: the exports of https://github.com/o19s/quepid (``api/v1/export``), and
  https://github.com/SeaseLtd/rated-ranking-evaluator
- data set: LlamaIndex's class ``EmbeddingQAFinetuneDataset``
- MTEB: ``AbsTask._save_task_predictions`` of https://github.com/embeddings-benchmark/mteb
- RankLLM: ``Request`` and ``Result`` of https://github.com/castorini/rank_llm
- TruLens: ``get_records_and_feedback`` and ``GroundTruth`` of https://github.com/truera/trulens; a
  frame of records is written with ``to_json(orient="records")``
"""

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, TypeVar

from ...data import Note, Qrels, Run
from ...data.column_names import SYNONYMS, normalised
from ...words import listed, quote
from ..problems import File
from ..rows import NUMBER
from .parse import JsonNumber, Members, is_text, kind_of, within
from .records import RELEVANT, Sheet

T = TypeVar("T")

_GRADES = "relevance_scores"
_FORMS = {
    "retrieved": "relevant",
    "retrieved_context_ids": "reference_context_ids",  # Ragas
    "retrieved_contexts": "reference_contexts",
    "retrieved_ids": "expected_ids",  # LlamaIndex
    "retrieval_context": "context",  # DeepEval
}
"""The key of the ranking, and the key of the relevant documents beside it."""
RANKING_KEYS = tuple(_FORMS)
_TEXTS = ("retrieved_contexts", "retrieval_context")
"""Keys of rankings whose documents are their texts."""
_NAMES = ("user_input", "question", "input")
"""Names of the query beside those of a table."""
_WHOLE, _KEPT = 100, 80
"""A text of at most this many characters is an id; of a longer one as many begin it."""
_FIX = "Add relevant, a list of ids, or relevance_scores, {id: grade}."

_MTEB, _REQUESTS, _DETAILS, _RESPONSES = "mteb_model_meta", "requests", "details", "responses"
_QUERIES, _RELEVANT_DOCS = "queries", "relevant_docs"
_RATINGS, _BY_GRADE = "ratings", "relevant_documents"
_JUDGMENTS, _RESULTS, _CONFIGURATIONS = "judgmentRatings", "results", "searchConfigurationList"
_RANKED, _TEXT, _CONFIGURATION = "documentIds", "searchText", "searchConfigurationId"
_RECORD, _CALLS, _CONTEXT, _CHUNKS = "record_id", "_calls", "context", "expected_chunks"
KEYS = (
    *(_MTEB, _REQUESTS, _DETAILS, _RESPONSES, "hits", _QUERIES, _RELEVANT_DOCS),
    *(_JUDGMENTS, _RESULTS, _RANKED, _RECORD, _CHUNKS, *RANKING_KEYS),
)
"""The keys by which the forms are known."""

_RANK_EVAL = "a _rank_eval file", "Use the request or the response unchanged."
_SEARCH = "hits with an _id", "Use the answer of the search unchanged."
_CASE = "queries with a text and ratings", "Use the file as it was exported."
_TASK = "scores by document", "Use a task of retrieval."
_WORKBENCH = (
    "query, ratings with docId and rating, or lists of documents",
    "Use the judgments or the experiment as the workbench returns them.",
)
_TRULENS = "a text", "Write the frame of get_records_and_feedback with to_json(orient='records')."
_OF_HITS = Note(
    "The judgments come from a response of _rank_eval, which contains only those of its hits: "
    "recall and the ideal miss the others. The request contains them all.",
    "N-RANK-EVAL",
)
_BESIDE = "pairwiseComparison"
"""The key of a query's results in the workbench that is not a search configuration."""
_APP = ("app_name", "app_version")
_ASKED = ("input", "query")
"""The text of the query, in TruLens' records and in its ground truth."""


def is_judged(record: Members) -> bool:
    """Return whether a record has a query's retrieved documents in a list."""
    return _form_of(record) is not None


def _form_of(record: Members) -> tuple[str, str] | None:
    """Return the keys of the ranking and of the relevant documents; None where there is none."""
    if _FORMS.keys().isdisjoint(record.names):
        return None
    return next((keys for keys in _FORMS.items() if isinstance(record.first(keys[0]), list)), None)


def add_judged(sheet: Sheet, query: str | None, record: Members) -> None:
    """Add a query's record to the sheet; ``query`` is the key of the record, if it has one.

    Raises
    ------
    ReadError
        When the judgments are missing, of the wrong type, or contradict each other.
    """
    sheet.require_once(record)
    of_ranking, of_relevant = _form_of(record) or ("retrieved", "relevant")
    key, name = _name_in(record, sheet.file) if query is None else ("", query)
    used = (key, of_ranking, of_relevant, _GRADES)
    sheet.unused |= dict.fromkeys(other for other, _ in record if other not in used)
    query = sheet.name(sheet.numbered() if name is None else name, quote(key))
    grades = _part(sheet, record, _GRADES, Members, query)
    relevant = _part(sheet, record, of_relevant, list, query)
    ranked = record.first(of_ranking)
    if of_ranking in _TEXTS:
        sheet.note("texts", quote(query))
        ranked, relevant = as_ids(ranked), relevant and as_ids(relevant)
    sheet.listed(Run, query, ranked)
    if grades is not None:
        sheet.values(Qrels, query, grades)
        _require_agreed(grades, relevant or [], query, sheet.file)
    elif relevant is not None:
        _refuse_flags(relevant, ranked, query, sheet.file)
        sheet.listed(Qrels, query, relevant)
    else:
        found = f"no judgments for query {quote(query)}"
        fix = _FIX.replace("relevant", of_relevant, 1)
        raise sheet.file.error("E-JSON", found, f"{of_relevant} or {_GRADES}", fix)


def as_ids(texts: list[Any]) -> list[Any]:
    """Return an id for each text: the text itself, or the beginning of a long one and a digest."""
    return [
        f"{each[:_KEPT].strip()}… {sha256(each.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
        if is_text(each) and len(each) > _WHOLE
        else each
        for each in texts
    ]


def _refuse_flags(relevant: list[Any], retrieved: list[Any], query: str, file: File) -> None:
    """Refuse a list of 0 and 1 for each document in place of the relevant ids."""
    flags = all(isinstance(each, JsonNumber) and each in ("0", "1") for each in relevant)
    if flags and len(relevant) == len(retrieved) > 1:
        flagged = ", ".join(relevant[:5])
        found = f"{flagged} as what is relevant for query {quote(query)}: flags, not ids"
        raise file.error("E-JSON", found, "the ids of what is relevant", _FIX)


def _require_agreed(grades: Members, relevant: list[Any], query: str, file: File) -> None:
    """Refuse a document that is listed as relevant but has no relevant grade."""
    graded = dict(grades)
    for each in relevant:
        if not isinstance(each, str):
            continue
        if each not in graded:
            fix = f"Give it a grade in {_GRADES} too."
            found = f"{quote(each)} of query {quote(query)} only in relevant"
            raise file.error("E-JSON", found, "one set of judgments", fix)
        grade = graded[each]
        if isinstance(grade, str) and NUMBER.fullmatch(grade) and float(grade) <= 0:
            fix = "Correct the grade, or remove the id from relevant."
            found = f"{quote(each)} of query {quote(query)} in relevant, with the grade {grade}"
            raise file.error("E-JSON", found, "one set of judgments", fix)


def _part(sheet: Sheet, record: Members, key: str, of: type[T], query: str) -> T | None:
    """Return the value of a key; None when it is absent or null."""
    value = record.first(key)
    if value is None or isinstance(value, of):
        return value
    raise sheet.odd(value, f"{key} of query {quote(query)}", "a list or an object", _FIX)


def _name_in(record: Members, file: File) -> tuple[str, str | None]:
    """Return the key that names a record's query, and the name; None where there is none."""
    known = {normalised(key): key for key, value in record if value is not None}
    key = next((known[name] for name in (*SYNONYMS["query"], *_NAMES) if name in known), "")
    name = record.first(key)
    if name is None or is_text(name) or (isinstance(name, str) and NUMBER.fullmatch(name)):
        return key, name
    found = f"{kind_of(name)} as {quote(key)}"
    raise file.error("E-JSON", found, "a text or a number", "Write it in quotes.")


def _is_of_mteb(value: Members) -> bool:
    """Return whether a value is a file of predictions, which names its model."""
    return isinstance(value.first(_MTEB), Members)


def _read_mteb(sheet: Sheet, value: Members) -> None:
    """Add the predictions of the one subset and split as a run."""
    found = {
        f"{subset} {split}": content
        for subset, splits in value
        if subset != _MTEB and isinstance(splits, Members)
        for split, content in splits
        if isinstance(content, Members)
    }
    if len(found) != 1:
        what = f"{len(found)} subsets and splits{f': {listed(found)}' if found else ''}"
        fix = "Keep one subset and split in each file."
        raise sheet.file.error("E-JSON", what, "the predictions of one", fix)
    (content,) = found.values()
    for query, documents in content:
        scores = sheet.part(documents, Members, f"query {quote(query)}", _TASK)
        sheet.values(Run, sheet.name(query), scores)


def _is_case(value: Members) -> bool:
    """Return whether a value is a case of Quepid or RRE: queries, each with its ratings."""
    queries = value.first(_QUERIES)
    return isinstance(queries, list) and bool(queries) and all(map(_is_rated, queries))


def _is_rated(query: Any) -> bool:
    return (within(query, _RATINGS) or within(query, _BY_GRADE)) is not None


def _read_case(sheet: Sheet, value: Members) -> None:
    """Add the ratings of all queries; a query is named by its text."""
    for each in value.first(_QUERIES):
        texts = *map(each.first, ("query_text", "query")), within(each, "placeholders", "$query")
        text = next((text for text in texts if isinstance(text, str)), None)
        if not is_text(text):
            raise sheet.odd(each, "a query without its text", *_CASE)
        query = sheet.name(text)
        ratings, by_grade = each.first(_RATINGS), each.first(_BY_GRADE)
        if isinstance(ratings, Members):
            graded = [(doc, grade) for doc, grade in ratings if grade is not None]
            sheet.values(Qrels, query, graded)
        elif isinstance(by_grade, Members) and not isinstance(ratings, list):
            for grade, documents in by_grade:
                what = f"the documents of query {quote(query)}"
                for document in sheet.part(documents, list, what, _CASE):
                    sheet.put(Qrels, query, document, JsonNumber(grade))
        else:
            what = f"the ratings of query {quote(query)}"
            sheet.rated(query, sheet.part(ratings, list, what, _CASE), "doc_id", "rating")


def _is_dataset(value: Members) -> bool:
    """Return whether a value is LlamaIndex's data set: queries, corpus and relevant documents."""
    relevant = value.first(_RELEVANT_DOCS)
    lists = isinstance(relevant, Members) and all(isinstance(each, list) for _, each in relevant)
    return lists and value.first(_QUERIES) is not None


def _read_dataset(sheet: Sheet, value: Members) -> None:
    """Add the relevant documents of each query; its texts are read as texts."""
    for query, documents in value.first(_RELEVANT_DOCS):
        sheet.listed(Qrels, sheet.name(query), documents)


def _read_request(sheet: Sheet, value: Members) -> None:
    """Add the ratings of a request as qrels."""
    sheet.require_once(value)
    for request in value.first(_REQUESTS):
        id_ = sheet.part(within(request, "id"), str, "the id of a request", _RANK_EVAL)
        sheet.require_once(request)
        query = sheet.name(id_, "the id of a request")
        what = f"the ratings of query {quote(query)}"
        ratings = sheet.part(request.first(_RATINGS), list, what, _RANK_EVAL)
        _require_one_index(sheet, ratings, query)
        sheet.rated(query, ratings, "_id", "rating")


def _read_response(sheet: Sheet, value: Members) -> None:
    """Add the hits of a response as a run, and their ratings as qrels."""
    sheet.require_once(value)
    sheet.last[Qrels] = _OF_HITS
    for query, detail in value.first(_DETAILS):
        what = f"the hits of query {quote(query)}"
        hits = sheet.part(within(detail, "hits"), list, what, _RANK_EVAL)
        sheet.require_once(detail)
        sheet.name(query)
        found = []
        for rank, hit in enumerate(hits, 1):
            if not isinstance(inner := within(hit, "hit"), Members):
                raise sheet.odd(hit, f"hit {rank} of query {quote(query)}", *_RANK_EVAL)
            found.append(inner)
            sheet.require_once(hit)
        _require_one_index(sheet, found, query)
        _add_hits(sheet, query, found)
        for hit, inner in zip(hits, found, strict=True):
            rating = hit.first("rating")
            grade = rating.first("value") if isinstance(rating, Members) else rating
            if grade is not None:
                sheet.put(Qrels, query, inner.first("_id"), grade)
    failures = value.first("failures")
    for query, _ in failures if isinstance(failures, Members) else ():
        sheet.note("failed", quote(query))


def _require_one_index(sheet: Sheet, records: Iterable[Any], query: str) -> None:
    """Refuse an id that belongs to documents of two indexes."""
    index: dict[str, Any] = {}
    for record in records:
        document, of = str(within(record, "_id")), within(record, "_index")
        if index.setdefault(document, of) != of:
            found = f"the document {quote(document)} of query {quote(query)} in two indexes"
            fix = "Evaluate one index at a time."
            raise sheet.file.error("E-DUP-DOC", found, "ids of one index", fix)


def _hits_of(answer: Any) -> list[Any] | None:
    """Return the hits of one search's answer; None where this is not one."""
    hits = within(answer, "hits", "hits")
    return hits if isinstance(hits, list) else None


def _read_answers(sheet: Sheet, answers: Iterable[Any]) -> None:
    """Add the hits of each search as a run; answers do not name their queries."""
    for number, answer in enumerate(answers, 1):
        query = sheet.name(sheet.numbered())
        if within(answer, "error") is not None:
            sheet.note("failed", quote(query))
            continue
        hits = _hits_of(answer)
        if hits is None:
            raise sheet.odd(answer, f"the answer to search {number}", *_SEARCH)
        stopped = answer.first("timed_out"), answer.first("terminated_early")
        if True in stopped or within(answer, "_shards", "failed") not in (None, "0"):
            sheet.note("partial", quote(query))
        _add_hits(sheet, query, hits)


def _add_hits(sheet: Sheet, query: str, hits: list[Any]) -> None:
    """Add the hits of one query in their order, with their scores if they have them."""
    if not hits:
        sheet.note("bare", quote(query))
    unscored = 0
    for rank, hit in enumerate(hits):
        document = within(hit, "_id")
        if not isinstance(document, str):
            raise sheet.odd(hit, f"hit {rank + 1} of query {quote(query)}", *_SEARCH)
        sheet.require_once(hit)
        score = hit.first("_score")
        unscored += score is None
        # Hits that were sorted by a field have no score, only their order.
        ranked_by = JsonNumber(len(hits) - rank) if score is None else score
        sheet.put(Run, query, document, ranked_by, JsonNumber(rank + 1))
    if unscored == len(hits) > 0:
        sheet.note("order", quote(query))
    elif unscored:
        some = f"{unscored} of {len(hits)} hits of query {quote(query)} without a _score"
        fix = "Sort all hits by score, or none."
        raise sheet.file.error("E-JSON", some, "a score for each hit, or for none", fix)


def is_of_rank_llm(record: Members) -> bool:
    """Return whether a record is a query of RankLLM with its candidates."""
    query, candidates = record.first("query"), record.first("candidates")
    return isinstance(query, Members) and isinstance(candidates, list)


def read_rank_llm(sheet: Sheet, *records: Members) -> None:
    """Add the candidates of each query as a run.

    A reranker keeps the scores of the first stage, so only the order of the list counts.

    Raises
    ------
    ReadError
        When a query has no id, or a candidate has none.
    """
    for record in records:
        qid = within(record, "query", "qid")
        query = sheet.name(sheet.part(qid, str, "the qid of a query", _SEARCH), "qid")
        what = f"a candidate of query {quote(query)}"
        every = [sheet.part(each, Members, what, _SEARCH) for each in record.first("candidates")]
        sheet.listed(Run, query, [each.first("docid") for each in every])


def _is_of_workbench(record: Any) -> bool:
    """Return whether a record is a list of judgments, an experiment or one of its results."""
    is_experiment = isinstance(within(record, _CONFIGURATIONS), list)
    return (
        isinstance(within(record, _JUDGMENTS), list)
        or (is_experiment and isinstance(within(record, _RESULTS), Members | list))
        or (isinstance(within(record, _RANKED), list) and within(record, _TEXT) is not None)
    )


def _has_sources(value: Members) -> bool:
    """Return whether the hits of a search are what the workbench stores."""
    hits = _hits_of(value)
    return bool(hits) and all(map(_is_of_workbench, _sources(value)))


def _sources(value: Members) -> list[Any]:
    return [within(each, "_source") for each in _hits_of(value) or ()]


def _read_workbench(sheet: Sheet, *records: Members) -> None:
    """Add judgments as qrels, and each search configuration's results as a run of its own."""
    for record in records:
        for judged in record.first(_JUDGMENTS) or ():
            what = "the judgments of a query"
            query = sheet.part(within(judged, "query"), str, what, _WORKBENCH)
            ratings = sheet.part(within(judged, _RATINGS), list, what, _WORKBENCH)
            sheet.rated(sheet.name(query), ratings, "docId", "rating")
        results = record.first(_RESULTS)
        for query, found in results if isinstance(results, Members) else ():
            what = f"the results of query {quote(query)}"
            for run, documents in sheet.part(found, Members, what, _WORKBENCH):
                if run != _BESIDE:
                    _add_ranked(sheet, query, run, documents)
        for found in results if isinstance(results, list) else ():
            what = "the results of a query"
            query = sheet.part(within(found, "queryText"), str, what, _WORKBENCH)
            # Later versions list a snapshot for each configuration that found documents.
            for each in found.first("snapshots") or ():
                _add_ranked(sheet, query, within(each, _CONFIGURATION), within(each, "docIds"))
        if isinstance(documents := record.first(_RANKED), list):
            _add_ranked(sheet, record.first(_TEXT), record.first(_CONFIGURATION), documents)


def _add_ranked(sheet: Sheet, query: Any, run: Any, documents: Any) -> None:
    """Add the documents that a search configuration found for a query."""
    query = sheet.part(query, str, "the query of a result", _WORKBENCH)
    run = sheet.part(run, str, f"the {_CONFIGURATION} for query {quote(query)}", _WORKBENCH)
    what = f"the documents of {quote(run)}"
    sheet.ranked(query, run, sheet.part(documents, list, what, _WORKBENCH))


def is_of_trulens(record: Members) -> bool:
    """Return whether a record was judged by its contexts, or is ground truth with chunks."""
    return bool(_judges(record)) or isinstance(record.first(_CHUNKS), list)


def read_trulens(sheet: Sheet, *records: Members) -> None:
    """Add the contexts as a run for each version of an app, and their judgments as qrels.

    The contexts of a record are in the order in which they were retrieved and judged.

    Raises
    ------
    ReadError
        When a record has no query, or no context was judged in it.
    """
    judge = next((name for each in records for name in _judges(each)), "")
    for record in records:
        query = next((text for key in _ASKED if (text := record.first(key)) is not None), None)
        if not is_text(query):
            raise sheet.odd(query, f"the {' or '.join(_ASKED)} of a record", *_TRULENS)
        chunks = record.first(_CHUNKS)
        if isinstance(chunks, list):
            sheet.name(query)
            _add_judgments(sheet, query, [_chunk(sheet, each, query) for each in chunks])
            continue
        calls = _calls(record, judge)
        if not calls:
            found = f"no judged contexts in {quote(judge or _CHUNKS)} of query {quote(query)}"
            fix = "Leave out records whose feedback is missing."
            raise sheet.file.error("E-JSON", found, "contexts that were judged", fix)
        app = " ".join(str(record.first(key)) for key in _APP if record.first(key))
        contexts = [call.first("args").first(_CONTEXT) for call in calls]
        sheet.ranked(query, app or "TruLens", as_ids(contexts))
        grades = [call.first("ret") for call in calls]
        _add_judgments(sheet, query, list(zip(contexts, grades, strict=True)))


def _judges(record: Members) -> list[str]:
    """Return the names of the columns with calls that judge a context."""
    names = record.names if record.first(_RECORD) else ()
    return [name for name in names if name.endswith(_CALLS) and _calls(record, name)]


def _calls(record: Members, judge: str) -> list[Any]:
    """Return the calls that judge a context; others sum up, or judge the answer."""
    calls = record.first(judge)
    calls = calls if isinstance(calls, list) else ()
    return [call for call in calls if isinstance(within(call, "args", _CONTEXT), str)]


def _chunk(sheet: Sheet, chunk: Any, query: str) -> tuple[Any, Any]:
    """Return the text of an expected chunk, and its grade."""
    score = within(chunk, "expect_score")
    text = chunk.first("text") if isinstance(chunk, Members) else chunk
    if not isinstance(chunk, Members | str):
        raise sheet.odd(chunk, f"a chunk of query {quote(query)}", *_TRULENS)
    return text, JsonNumber(RELEVANT) if score is None else score


def _add_judgments(sheet: Sheet, query: str, judged: list[tuple[Any, Any]]) -> None:
    """Add judged texts; one whose judgment failed is unjudged."""
    sheet.note("texts", quote(query))
    ids = as_ids([text for text, _ in judged])
    for document, (_, grade) in zip(ids, judged, strict=True):
        if grade is not None:
            sheet.put(Qrels, query, document, grade)


def _has(key: str, kind: type[list[Any] | Members], *path: str) -> Callable[[Members], bool]:
    """Return a test: a list or an object is under a key, and one of its parts has a path."""

    def test(value: Members) -> bool:
        of = value.first(key)
        parts = of.values if isinstance(of, Members) else of
        return isinstance(of, kind) and any(within(each, *path) is not None for each in parts)

    return test


FORMS: tuple[tuple[Callable[[Members], bool], Callable[[Sheet, Members], None]], ...] = (
    (_is_of_workbench, _read_workbench),
    (_is_of_mteb, _read_mteb),
    (is_of_trulens, read_trulens),
    (_is_case, _read_case),
    (_is_dataset, _read_dataset),
    (_has(_REQUESTS, list, _RATINGS), _read_request),
    (_has(_DETAILS, Members, "hits"), _read_response),
    (
        _has(_RESPONSES, list, "hits", "hits"),
        lambda sheet, value: _read_answers(sheet, value.first(_RESPONSES)),
    ),
    (_has_sources, lambda sheet, value: _read_workbench(sheet, *_sources(value))),
    (lambda value: _hits_of(value) is not None, lambda sheet, value: _read_answers(sheet, [value])),
    (is_judged, lambda sheet, value: add_judged(sheet, None, value)),
)
"""What tells each form of an object, and its reader, in the order in which they are tried."""
