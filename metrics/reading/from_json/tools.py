"""JSON as tools and services write it: what tells each form, and its reader.

Sources, by the names in `FORMS`:

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
- Haystack: three lists of https://docs.haystack.deepset.ai/docs/evaluators
- umbrela: the output of ``umbrela judge`` of https://github.com/castorini/umbrela
- Chroma: https://docs.trychroma.com/docs/querying-collections/query-and-get
- BRIGHT: https://huggingface.co/datasets/xlangai/BRIGHT
- Tevatron: the training data of https://github.com/texttron/tevatron
- TruLens: ``get_records_and_feedback`` and ``GroundTruth`` of https://github.com/truera/trulens; a
  frame of records is written with ``to_json(orient="records")``
"""

from collections import defaultdict
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any, TypeVar

from ...data import Note, Qrels, Run
from ...data.column_names import BY_LETTERS
from ...words import listed, quote
from ..from_tables.cells import ids_in
from ..problems import File
from ..rows import NUMBER
from .answers import NOWHERE, RANKED, RATED, SEARCH, as_list, name_in
from .parse import JsonNumber, Members, is_text, within
from .records import RELEVANT, Sheet

T = TypeVar("T")

_GRADES = "relevance_scores"
_FORMS = {
    "retrieved": "relevant",
    "retrieved_context_ids": "reference_context_ids",  # Ragas
    "retrieved_contexts": "reference_contexts",
    "contexts": "reference_contexts",  # Ragas before 0.2
    "retrieved_ids": "expected_ids",  # LlamaIndex
    "retrieval_context": "context",  # DeepEval
    "retrieved_documents": "ground_truth_documents",  # Haystack
}
"""The key of the ranking, and the key of the relevant documents beside it."""
RANKING_KEYS = tuple(_FORMS)
_TEXTS = ("retrieved_contexts", "contexts", "retrieval_context")
"""Keys of rankings whose documents are their texts."""
_WHOLE, _KEPT = 100, 80
"""A text of at most this many characters is an id; of a longer one as many begin it."""
_FIX = "Add relevant, a list of ids, or relevance_scores, {id: grade}."

_EXCLUDED, _NONE = "excluded_ids", "N/A"
"""BRIGHT's key of the documents to leave out of a query's ranking, and its name for none."""

_RANK_EVAL = "a _rank_eval file", "Use the request or the response unchanged."
_IDS = "a list of ids", f'Write [] or ["{_NONE}"] where nothing is left out.'
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

    Raises ReadError when the judgments are missing, of the wrong type, or contradict each other.
    """
    sheet.require_once(record)
    of_ranking, of_relevant = _form_of(record) or ("retrieved", "relevant")
    key, name = name_in(record, sheet.file) if query is None else ("", query)
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


def _read_judged(sheet: Sheet, value: Members) -> None:
    """Add a query's record, or the queries of parallel lists, one for each key."""
    ranked, lists = value.first((_form_of(value) or ("",))[0]), value.values
    is_table = all(isinstance(each, list) and len(each) == len(ranked) for each in lists)
    if not (is_table and ranked and all(isinstance(each, list) for each in ranked)):
        lists = tuple([each] for each in lists)
    for row in zip(*lists, strict=True):
        # A document may be a record, whose text is not needed.
        ids = [[within(of, "id") or of for of in as_list(each)] or each for each in row]
        add_judged(sheet, None, Members([*zip(value.names, ids, strict=True)]))


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


def _is_of_mteb(value: Members) -> bool:
    """Return whether a value is a file of predictions, which names its model."""
    return isinstance(value.first("mteb_model_meta"), Members)


def _read_mteb(sheet: Sheet, value: Members) -> None:
    """Add the predictions of the one subset and split as a run."""
    found = {
        f"{subset} {split}": content
        for subset, splits in value
        if subset != "mteb_model_meta" and isinstance(splits, Members)
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
    queries = value.first("queries")
    return isinstance(queries, list) and bool(queries) and all(map(_is_rated, queries))


def _is_rated(query: Any) -> bool:
    return (within(query, "ratings") or within(query, "relevant_documents")) is not None


def _read_case(sheet: Sheet, value: Members) -> None:
    """Add the ratings of all queries; a query is named by its text."""
    for each in value.first("queries"):
        texts = *map(each.first, ("query_text", "query")), within(each, "placeholders", "$query")
        text = next((text for text in texts if isinstance(text, str)), None)
        if not is_text(text):
            raise sheet.odd(each, "a query without its text", *_CASE)
        query = sheet.name(text)
        ratings, by_grade = each.first("ratings"), each.first("relevant_documents")
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
    relevant = value.first("relevant_docs")
    lists = isinstance(relevant, Members) and all(isinstance(each, list) for _, each in relevant)
    return lists and value.first("queries") is not None


def _read_dataset(sheet: Sheet, value: Members) -> None:
    """Add the relevant documents of each query; its texts are read as texts."""
    for query, documents in value.first("relevant_docs"):
        sheet.listed(Qrels, sheet.name(query), documents)


def _read_request(sheet: Sheet, value: Members) -> None:
    """Add the ratings of a request as qrels."""
    sheet.require_once(value)
    for request in value.first("requests"):
        id_ = sheet.part(within(request, "id"), str, "the id of a request", _RANK_EVAL)
        sheet.require_once(request)
        query = sheet.name(id_, "the id of a request")
        what = f"the ratings of query {quote(query)}"
        ratings = sheet.part(request.first("ratings"), list, what, _RANK_EVAL)
        _require_one_index(sheet, ratings, query)
        sheet.rated(query, ratings, "_id", "rating")


def _read_response(sheet: Sheet, value: Members) -> None:
    """Add the hits of a response as a run, and their ratings as qrels."""
    sheet.require_once(value)
    for query, detail in value.first("details"):
        what = f"the hits of query {quote(query)}"
        hits = sheet.part(within(detail, "hits"), list, what, _RANK_EVAL)
        sheet.require_once(detail)
        sheet.name(query)
        found = [within(hit, "hit") for hit in hits]
        for rank, inner in enumerate(found, 1):
            if not isinstance(inner, Members):
                raise sheet.odd(hits[rank - 1], f"hit {rank} of query {quote(query)}", *_RANK_EVAL)
            sheet.require_once(inner)
        _require_one_index(sheet, found, query)
        RATED.add(sheet, query, hits)
    sheet.last[Qrels] = _OF_HITS
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


_RELEVANT = {"gold_ids": "id", "positive_passages": "docid", "positive_ctxs": "passage_id"}
"""The key of a query's relevant documents, of BRIGHT, Tevatron and DPR, and the key of their id."""
KEYS = (
    *("mteb_model_meta", "requests", "details", "queries", "relevant_docs", "judgmentRatings"),
    *("results", "documentIds", "ids", "record_id", "expected_chunks", *RANKING_KEYS),
    *(each.hits.partition(".")[0] for each in RANKED),
    *(each.several for each in RANKED if each.several != NOWHERE),
)
"""The keys by which the forms are known."""


def _is_of_chroma(value: Members) -> bool:
    """Return whether a value is an answer of Chroma: lists of ids beside those of distances."""
    ids, distances = as_list(value.first("ids")), as_list(value.first("distances"))
    return 0 < len(ids) == len(distances) and all(isinstance(each, list) for each in ids)


def _read_chroma(sheet: Sheet, value: Members) -> None:
    """Add the ids of each query in their order, the nearest first."""
    for ids in value.first("ids"):
        sheet.listed(Run, sheet.name(sheet.numbered()), ids)


def _relevant_in(record: Members) -> tuple[str, str] | None:
    """Return the key of the relevant documents in a query's record, and that of the id of each."""
    found = ((key, of) for key, of in _RELEVANT.items() if isinstance(record.first(key), list))
    return next(found, None)


def _read_relevant(sheet: Sheet, record: Members) -> None:
    """Add a query's relevant documents as qrels, and those that are certainly not."""
    key, of = _relevant_in(record) or ("", "")
    own = next((record.first(name) for name in ("_id", "id") if name in record.names), None)
    query = sheet.name(
        own if isinstance(own, str) else name_in(record, sheet.file)[1] or sheet.numbered()
    )
    negative = [name for name in record.names if "negative" in name]
    used = (key, "_id", "id", _EXCLUDED, *negative)
    sheet.unused |= dict.fromkeys(name for name in record.names if name not in used)
    ids = {
        name: [within(each, of) or each for each in as_list(record.first(name))]
        for name in (key, *negative)
    }
    sheet.listed(Qrels, query, ids.pop(key))
    for document in (each for found in ids.values() for each in found):
        sheet.put(Qrels, query, document, JsonNumber("0"))
    excluded = [] if (found := record.first(_EXCLUDED)) is None else found
    sheet.part(excluded, list, f"{_EXCLUDED} of query {quote(query)}", _IDS)
    sheet.exclude(query, [each for each in excluded if each != _NONE])


def _is_of_rank_llm(record: Members) -> bool:
    """Return whether a record is a query of RankLLM with its candidates."""
    query, candidates = record.first("query"), record.first("candidates")
    return isinstance(query, Members) and isinstance(candidates, list)


def _read_rank_llm(sheet: Sheet, record: Members) -> None:
    """Add the candidates of a query as a run.

    A reranker keeps the scores of the first stage, so only the order of the list counts.

    Raises ReadError when a query has no id, or a candidate has none.
    """
    qid = within(record, "query", "qid")
    query = sheet.name(sheet.part(qid, str, "the qid of a query", SEARCH), "qid")
    what = f"a candidate of query {quote(query)}"
    every = [sheet.part(each, Members, what, SEARCH) for each in record.first("candidates")]
    sheet.listed(Run, query, [each.first("docid") for each in every])


def _is_of_workbench(record: Any) -> bool:
    """Return whether a record is a list of judgments, an experiment or one of its results."""
    return any(
        isinstance(within(record, key), kind) and within(record, beside) is not None
        for key, kind, beside in _STORED
    )


_STORED = (
    ("judgmentRatings", list, "judgmentRatings"),
    ("results", Members | list, "searchConfigurationList"),
    ("documentIds", list, "searchText"),
)
"""The keys of what the workbench stores, their types, and a key beside each."""


def _of_workbench(value: Members) -> list[Any]:
    """Return what the workbench stores: an object alone, or the sources of the hits of a search."""
    found = [within(each, "_source") for each in as_list(within(value, "hits", "hits"))] or [value]
    return found if all(map(_is_of_workbench, found)) else []


def _read_workbench(sheet: Sheet, value: Members) -> None:
    """Add judgments as qrels, and each search configuration's results as a run of its own."""
    for record in _of_workbench(value):
        for judged in record.first("judgmentRatings") or ():
            what = "the judgments of a query"
            query = sheet.part(within(judged, "query"), str, what, _WORKBENCH)
            ratings = sheet.part(within(judged, "ratings"), list, what, _WORKBENCH)
            sheet.rated(sheet.name(query), ratings, "docId", "rating")
        results = record.first("results")
        for query, found in results if isinstance(results, Members) else ():
            what = f"the results of query {quote(query)}"
            for run, documents in sheet.part(found, Members, what, _WORKBENCH):
                if run != _BESIDE:
                    _add_ranked(sheet, query, run, documents)
        for found in as_list(results):
            what = "the results of a query"
            query = sheet.part(within(found, "queryText"), str, what, _WORKBENCH)
            # Later versions list a snapshot for each configuration that found documents.
            for each in found.first("snapshots") or ():
                run = within(each, "searchConfigurationId")
                _add_ranked(sheet, query, run, within(each, "docIds"))
        if isinstance(documents := record.first("documentIds"), list):
            text = sheet.part(record.first("searchText"), str, "the query of a result", _WORKBENCH)
            _add_ranked(sheet, text, record.first("searchConfigurationId"), documents)


def _add_ranked(sheet: Sheet, query: str, run: Any, documents: Any) -> None:
    """Add the documents that a search configuration found for a query."""
    run = sheet.part(run, str, f"the searchConfigurationId for query {quote(query)}", _WORKBENCH)
    what = f"the documents of {quote(run)}"
    sheet.ranked(query, run, sheet.part(documents, list, what, _WORKBENCH))


def is_of_trulens(record: Members) -> bool:
    """Return whether a record was judged by its contexts, or is ground truth with chunks."""
    return bool(_judges(record)) or isinstance(record.first("expected_chunks"), list)


def read_trulens(sheet: Sheet, *records: Members) -> None:
    """Add the contexts as a run for each version of an app, and their judgments as qrels.

    The contexts of a record are in the order in which they were retrieved and judged.

    Raises ReadError when a record has no query, or no context was judged in it.
    """
    judge = next((name for each in records for name in _judges(each)), "")
    for record in records:
        query = next((text for key in _ASKED if (text := record.first(key)) is not None), None)
        if not is_text(query):
            raise sheet.odd(query, f"the {' or '.join(_ASKED)} of a record", *_TRULENS)
        chunks = record.first("expected_chunks")
        if isinstance(chunks, list):
            sheet.name(query)
            _add_judgments(sheet, query, [_chunk(sheet, each, query) for each in chunks])
            continue
        calls = _calls(record, judge)
        if not calls:
            column = quote(judge or "expected_chunks")
            found = f"no judged contexts in {column} of query {quote(query)}"
            fix = "Leave out records whose feedback is missing."
            raise sheet.file.error("E-JSON", found, "contexts that were judged", fix)
        app = " ".join(str(record.first(key)) for key in _APP if record.first(key))
        contexts = [call.first("args").first("context") for call in calls]
        sheet.ranked(query, app or "TruLens", as_ids(contexts))
        grades = [call.first("ret") for call in calls]
        _add_judgments(sheet, query, list(zip(contexts, grades, strict=True)))


def is_of_umbrela(record: Members) -> bool:
    """Return whether a record is a judgment of umbrela, whose passage has no id."""
    return {*record.names} >= {"query", "passage", "judgment"} and len(ids_in(record.names)) == 1


def read_umbrela(sheet: Sheet, *records: Members) -> None:
    """Add the judgments of passages, whose texts are their ids; one that failed is unjudged."""
    judged: dict[str, list[tuple[Any, Any]]] = defaultdict(list)
    for record in records:
        form = "a text", "Write it in quotes."
        query = str(sheet.part(record.first("query"), str, "the query of a judgment", form))
        grade = record.first("judgment")
        if record.first("result_status") == "0":
            sheet.note("unparsed", quote(query))
            grade = None
        judged[query].append((record.first("passage"), grade))
    for query, passages in judged.items():
        _add_judgments(sheet, query, passages)


def _judges(record: Members) -> list[str]:
    """Return the names of the columns with calls that judge a context."""
    names = record.names if record.first("record_id") else ()
    return [name for name in names if name.endswith("_calls") and _calls(record, name)]


def _calls(record: Members, judge: str) -> list[Any]:
    """Return the calls that judge a context; others sum up, or judge the answer."""
    calls = as_list(record.first(judge))
    return [call for call in calls if isinstance(within(call, "args", "context"), str)]


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


def _is_request(value: Members) -> bool:
    """Return whether a value is a request of ``_rank_eval``, which has ratings."""
    return any(within(each, "ratings") is not None for each in as_list(value.first("requests")))


def _is_response(value: Members) -> bool:
    """Return whether a value is a response of ``_rank_eval``, which has the hits by query."""
    details = value.first("details")
    return isinstance(details, Members) and any(within(of, "hits") is not None for _, of in details)


def _are_runs(value: Members) -> bool:
    """Return whether a value is {run: {query: {document: score}}}, where runs share queries."""
    if len(value) < 2 or not all(isinstance(run, Members) for run in value.values):
        return False
    first, second, *_ = value.values
    queries = [of for run in value.values for of in run.values]
    scores = (each for of in queries if isinstance(of, Members) for each in of)
    document, score = next(scores, ("", None))
    return (
        not {*first.names}.isdisjoint(second.names)
        and all(isinstance(each, Members) for each in queries)
        and isinstance(score, JsonNumber)
        and document not in BY_LETTERS
    )


def _read_runs(sheet: Sheet, value: Members) -> None:
    """Add several runs; a name of one twice is its queries twice, which are refused."""
    for run, queries in value:
        for query, documents in queries:
            sheet.ranked(query, run, documents)


FORMS: tuple[tuple[Callable[[Members], bool], Callable[[Sheet, Members], None]], ...] = (
    (lambda value: bool(_of_workbench(value)), _read_workbench),
    (_is_of_mteb, _read_mteb),
    (is_of_trulens, read_trulens),
    (_is_of_rank_llm, _read_rank_llm),
    (_is_case, _read_case),
    (_is_dataset, _read_dataset),
    (_is_request, _read_request),
    (_is_response, _read_response),
    *((form.fits, form.read) for form in RANKED),
    (_is_of_chroma, _read_chroma),
    (lambda value: _relevant_in(value) is not None, _read_relevant),
    (is_judged, _read_judged),
    (_are_runs, _read_runs),
)
"""What tells each form of an object, and its reader, in the order in which they are tried."""


def read_forms(sheet: Sheet, *values: Members) -> bool:
    """Add objects that all have one of the forms, and return whether they do."""
    for is_form, read in FORMS:
        if all(map(is_form, values)):
            for value in values:
                read(sheet, value)
            return True
    return False
