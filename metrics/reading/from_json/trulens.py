"""TruLens: records with a judge's calls on each retrieved context, and ground truth with chunks.

Sources: ``get_records_and_feedback`` and ``GroundTruth`` of https://github.com/truera/trulens; a
frame of records is written with ``to_json(orient="records")``.
"""

from typing import Any

from ...data import Qrels
from ...words import quote
from .judged_records import as_ids
from .parse import JsonNumber, Members, within
from .sheet import RELEVANT, Sheet

_RECORD, _CALLS, _CONTEXT, _CHUNKS = "record_id", "_calls", "context", "expected_chunks"
TRULENS_KEYS = _RECORD, _CHUNKS
_FORM = "a text", "Write the frame of get_records_and_feedback with to_json(orient='records')."
_APP = ("app_name", "app_version")
_QUERY = ("input", "query")
"""The text of the query, in a record and in ground truth."""


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
        query = next((text for key in _QUERY if (text := record.first(key)) is not None), None)
        if not isinstance(query, str) or isinstance(query, JsonNumber):
            raise sheet.odd(query, f"the {' or '.join(_QUERY)} of a record", *_FORM)
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
    names = [key for key, _ in record if key.endswith(_CALLS)] if record.first(_RECORD) else []
    return [name for name in names if _calls(record, name)]


def _calls(record: Members, judge: str) -> list[Any]:
    """Return the calls that judge a context; others sum up, or judge the answer."""
    calls = record.first(judge)
    return [
        call
        for call in (calls if isinstance(calls, list) else ())
        if isinstance(within(call, "args", _CONTEXT), str)
    ]


def _chunk(sheet: Sheet, chunk: Any, query: str) -> tuple[Any, Any]:
    """Return the text of an expected chunk, and its grade."""
    if isinstance(chunk, Members):
        score = chunk.first("expect_score")
        return chunk.first("text"), JsonNumber(RELEVANT) if score is None else score
    if isinstance(chunk, str):
        return chunk, JsonNumber(RELEVANT)
    raise sheet.odd(chunk, f"a chunk of query {quote(query)}", *_FORM)


def _add_judgments(sheet: Sheet, query: str, judged: list[tuple[Any, Any]]) -> None:
    """Add judged texts; one whose judgment failed is unjudged."""
    sheet.note("texts", quote(query))
    ids = as_ids([text for text, _ in judged])
    for document, (_, grade) in zip(ids, judged, strict=True):
        if grade is not None:
            sheet.put(Qrels, query, document, grade)
