"""Answers of searches: ``_search`` and ``_msearch``, and RankLLM's queries with candidates.

Sources: https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-msearch,
https://docs.opensearch.org/latest/api-reference/multi-search/ and
https://github.com/castorini/rank_llm (``Request`` and ``Result``)
"""

from typing import Any

from ...data import Run
from ...words import quote
from .parse import JsonNumber, Members, within
from .sheet import Sheet

_FORM = "hits with an _id", "Use the answer of the search unchanged."


def hits_of(answer: Any) -> list[Any] | None:
    """Return the hits of one search's answer; None where this is not one."""
    hits = within(answer, "hits", "hits")
    return hits if isinstance(hits, list) else None


def read_answers(sheet: Sheet, *answers: Any) -> None:
    """Add the hits of one search or several as a run; answers do not name their queries.

    Raises
    ------
    ReadError
        When an answer has no hits, or some of its hits have scores and others do not.
    """
    for answer in answers:
        query = sheet.numbered()
        sheet.name(query)
        if within(answer, "error") is not None:
            sheet.note("failed", quote(query))
            continue
        hits = hits_of(answer)
        if hits is None:
            raise sheet.odd(answer, f"the answer to search {query[1:]}", *_FORM)
        if _is_partial(answer):
            sheet.note("partial", quote(query))
        add_hits(sheet, query, hits)


def _is_partial(answer: Members) -> bool:
    """Return whether a search stopped early, or some shards did not answer."""
    stopped = answer.first("timed_out"), answer.first("terminated_early")
    return True in stopped or within(answer, "_shards", "failed") not in (None, "0")


def add_hits(sheet: Sheet, query: str, hits: list[Any]) -> None:
    """Add the hits of one query in their order, with their scores if they have them.

    Raises
    ------
    ReadError
        When a hit has no id, or some hits have scores and others do not.
    """
    if not hits:
        sheet.note("bare", quote(query))
    unscored = 0
    for rank, hit in enumerate(hits):
        document = within(hit, "_id")
        if not isinstance(document, str):
            raise sheet.odd(hit, f"hit {rank + 1} of query {quote(query)}", *_FORM)
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
        query = record.first("query").first("qid")
        if not isinstance(query, str):
            raise sheet.odd(query, "the qid of a query", *_FORM)
        if isinstance(query, JsonNumber):
            sheet.note("id", f"{quote(query)} as qid, kept as written")
        sheet.name(str(query))
        candidates = record.first("candidates")
        if strange := [each for each in candidates if not isinstance(each, Members)]:
            raise sheet.odd(strange[0], f"a candidate of query {quote(query)}", *_FORM)
        sheet.listed(Run, str(query), [each.first("docid") for each in candidates])
