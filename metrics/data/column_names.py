"""Known names of the columns of a table."""

import re
import unicodedata
from collections.abc import Sequence

# The names that are most clearly an id come first.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "query": (
        *("qid", "query_id", "queryid", "topic_id", "topic", "query", "query_text"),
        *("search_term", "user_id", "user", "uid", "customer_id", "visitor_id", "session_id"),
        *("srch_id", "search_id"),
    ),
    "document": (
        # PyTerrier numbers the documents in docid and keeps the collection's ids in docno.
        *("docno", "docid", "doc_id", "document_id", "corpus_id"),
        *("pid", "passage_id", "chunk_id", "document", "doc", "item_id", "item"),
        *("product_id", "product_uid", "movie_id", "asin", "iid", "article_id", "prop_id", "url"),
    ),
    "score": (
        *("score", "sim", "similarity", "relevance_score", "prediction", "pred", "est"),
        *("distance", "dist", "y_score", "y_pred", "rating_pred"),
    ),
    "grade": (
        *("grade", "label", "rel", "relevance", "rating", "relevant", "is_relevant"),
        *("judgment", "judgement", "human_label", "human_grade", "human_rating", "gain", "y_true"),
        *("llm_score", "llm_rating", "llm_label", "llm_grade", "rating_true", "is_target"),
        *("relevance_label", "median_relevance", "esci_label", "r_ui", "score", "relevance_score"),
    ),
    "rank": ("rank", "position", "doc_position", "pos"),
}
_DISTANCES = {"distance", "dist", "l2"}
_SCORES = {"score", "similarity", *_DISTANCES}
"""Words in the name of a score, and of one of which the lowest is best."""
BEIR = ("query_id", "corpus_id", "score")
JUDGED = ("kind", "query", "document", "rank", "grade", "first", "last", "retrieved")
"""The columns of a file of judged rankings: see `matching.judged_table`."""
OPTIONAL = {
    "reason": (
        *("reason", "reasons", "reasoning", "rationale", "explanation", "justification"),
        *("comment", "comments", "note", "notes"),
    ),
    "confidence": ("confidence", "certainty"),
    "aspect": (
        *("aspect", "aspect_id", "subtopic", "subtopic_id", "intent", "facet"),
        *("iteration", "iter"),
    ),
    "judge": (
        *("judge", "judge_id", "annotator", "annotator_id", "rater", "rater_id"),
        *("assessor", "assessor_id", "worker", "worker_id", "judge_model", "model"),
    ),
    "run": (
        *("tag", "run_tag", "run", "run_id", "runid", "run_name", "system", "system_id", "engine"),
        *("retriever", "method", "algorithm", "snapshot_name", "model", "model_name"),
    ),
}
"""Columns beside a score or a grade: why and how surely a judge gave the grade, the aspect of the
query that it is for, who gave it, a person or a model; and the run's tag."""
PARTS = SYNONYMS | OPTIONAL
"""The known names of the column of each part of a row."""
BY_LETTERS = {
    name.replace("_", ""): name
    for name in reversed([*OPTIONAL["run"], *(name for part in SYNONYMS.values() for name in part)])
}
"""The known names, by their letters and digits only."""
_KNOWN = set(BY_LETTERS.values())
_RECBOLE = re.compile(r":(?:token|float)(?:_seq)?$")
"""The type of a column, behind its name in files of RecBole."""
_LONGEST = 200
"""Names of more characters than this are not known names."""
_MANY = 1_000
"""More names than this are not those of columns, but ids."""


def normalised(name: str) -> str:
    """Return a column name in its plain form: case, spaces and separators unified.

    Examples
    --------
    >>> normalised(" Corpus-ID "), normalised("DocumentID")
    ('corpus_id', 'document_id')
    """
    if name in _KNOWN or len(name) > _LONGEST:
        return name
    if name.isascii() and name.isalnum():
        return BY_LETTERS.get(name.lower(), name.lower())
    # Format characters, such as a zero-width space, are invisible.
    shown = "".join(c for c in name if unicodedata.category(c) != "Cf")
    shown = _RECBOLE.sub("", shown)
    words = re.sub(r"[\s-]+", "_", shown.strip('" \t\u00a0').lower())
    return words if words in _KNOWN else BY_LETTERS.get(words.replace("_", ""), words)


def is_header(names: Sequence[str]) -> bool:
    """Return whether these cells are column names."""
    if not 1 < len(names) <= _MANY:
        return False
    known = {normalised(name) for name in names}
    return bool(known & {*SYNONYMS["query"], *SYNONYMS["document"]})


def is_by_columns(names: Sequence[str]) -> bool:
    """Return whether these keys name a document and another known column."""
    if len(names) > _MANY:
        return False
    known = {normalised(name) for name in names}
    others = [part for part in SYNONYMS if part != "document" and known & {*SYNONYMS[part]}]
    return bool(others) and bool(known & {*SYNONYMS["document"]})


def is_distance(name: str) -> bool:
    """Return whether the lowest number in a column of this name is best.

    Examples
    --------
    >>> is_distance("Cosine Distance"), is_distance("score")
    (True, False)
    """
    return not _DISTANCES.isdisjoint(normalised(name).split("_"))


def like_score(names: Sequence[str]) -> int | None:
    """Return the index of the only column whose name has a word for scores; None if none is alone.

    Examples
    --------
    >>> like_score(["qid", "docid", "rerank_score"]), like_score(["score_a", "score_b"])
    (2, None)
    """
    found = [
        at for at, name in enumerate(names) if not _SCORES.isdisjoint(normalised(name).split("_"))
    ]
    return found[0] if len(found) == 1 else None


def tag_of(names: Sequence[str]) -> int | None:
    """Return the index of the run tag's column; None when there is none.

    Examples
    --------
    >>> tag_of(["qid", "docid", "score", "Run"])
    3
    """
    return first_of(OPTIONAL["run"], names)


def first_of(known: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the index of the column whose name is first among the known ones, if any is.

    Examples
    --------
    >>> first_of(OPTIONAL["reason"], ["qid", "docid", "Comment", "Reason"])
    3
    """
    if len(names) > _MANY:
        return None
    found = list(map(normalised, names))
    return next((found.index(name) for name in known if name in found), None)
