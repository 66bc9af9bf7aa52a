"""What people call the columns of a table."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

# The more a name says that it is an id, the earlier it stands.
SYNONYMS: dict[str, tuple[str, ...]] = {
    "query": ("qid", "query_id", "queryid", "topic_id", "topic", "query", "query_text"),
    "document": (
        # PyTerrier numbers the documents in docid, and keeps the collection's own ids in docno.
        *("docno", "docid", "doc_id", "document_id", "corpus_id"),
        *("pid", "passage_id", "document", "doc", "item_id", "item"),
    ),
    "score": ("score", "sim", "similarity"),
    "grade": (
        *("grade", "label", "rel", "relevance", "rating", "relevant", "is_relevant"),
        *("judgment", "judgement", "score"),
    ),
    "rank": ("rank", "position", "doc_position", "pos"),
}
TRUE_OR_FALSE = ("relevant", "is_relevant")
"""Columns in which true is 1 and false is 0."""
BEIR = ("query_id", "corpus_id", "score")
TAGS = ("tag", "run_tag", "run", "run_id", "runid")
BY_LETTERS = {
    name.replace("_", ""): name
    for name in reversed([*TAGS, *(name for part in SYNONYMS.values() for name in part)])
}
"""The columns' names by their letters and digits alone."""
_KNOWN = set(BY_LETTERS.values())
_LONGEST = 200
"""No known name is as long, however it is written."""


def plain(name: str) -> str:
    """A column's name without what people write differently.

    Examples
    --------
    >>> plain(" Corpus-ID "), plain("DocumentID")
    ('corpus_id', 'document_id')
    """
    if name in _KNOWN or len(name) > _LONGEST:
        return name
    # Format characters, such as a zero-width space, cannot be seen.
    shown = "".join(c for c in name if unicodedata.category(c) != "Cf")
    words = re.sub(r"[\s-]+", "_", shown.strip('" \t\u00a0').lower())
    return words if words in _KNOWN else BY_LETTERS.get(words.replace("_", ""), words)


def is_header(names: Sequence[str]) -> bool:
    """Whether these cells name columns."""
    known = {plain(name) for name in names}
    ids = {*SYNONYMS["query"], *SYNONYMS["document"]}
    return len(names) > 1 and bool(ids & known)


def is_by_columns(names: Sequence[str]) -> bool:
    """Whether these keys name a document and something of it, as columns do."""
    known = {plain(name) for name in names}
    others = [part for part in SYNONYMS if part != "document" and known & {*SYNONYMS[part]}]
    return bool(others) and bool(known & {*SYNONYMS["document"]})


def tag_of(names: Sequence[str]) -> int | None:
    """The column that says which run a row is of.

    Examples
    --------
    >>> tag_of(["qid", "docid", "score", "Run"])
    3
    """
    known = list(map(plain, names))
    return next((known.index(name) for name in TAGS if name in known), None)
