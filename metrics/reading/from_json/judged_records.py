"""JSON records of a query: its retrieved documents, and the relevant ones or the grades."""

from hashlib import sha256
from typing import Any, TypeVar

from ...data import Qrels, Run
from ...data.column_names import SYNONYMS, plain
from ...words import quote
from ..problems import File
from ..rows import NUMBER
from .parse import JsonNumber, Members, is_text, kind_of
from .sheet import Sheet

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
_ASKED = ("user_input", "question", "input")
"""Names of the query beside those of a table."""
_WHOLE, _KEPT = 100, 80
"""A text of at most this many characters is an id; of a longer one as many begin it."""
_FIX = "Add relevant, a list of ids, or relevance_scores, {id: grade}."


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
    known = {plain(key): key for key, value in record if value is not None}
    key = next((known[name] for name in (*SYNONYMS["query"], *_ASKED) if name in known), "")
    name = record.first(key)
    if name is None or is_text(name) or (isinstance(name, str) and NUMBER.fullmatch(name)):
        return key, name
    found = f"{kind_of(name)} as {quote(key)}"
    raise file.error("E-JSON", found, "a text or a number", "Write it in quotes.")
