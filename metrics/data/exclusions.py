"""Documents that are left out of a query's ranking, and what is reported of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ..arrays import numbers
from ..errors import DataError
from ..words import count
from .notes import Note, Severity

if TYPE_CHECKING:
    from .run_and_qrels import Pairs

Exclusions = Mapping[str, Collection[str]]
"""The documents to leave out of each query's ranking, by query."""
LEFT_OUT = "N-EXCLUDED"
"""Documents were left out, or are to be."""


def joined(*several: Exclusions) -> dict[str, frozenset[str]]:
    """Return several exclusions as one.

    Raises DataError when one is no mapping of queries to several documents, whose ids are text.
    """
    found: dict[str, frozenset[str]] = {}
    for exclusions in several:
        if not isinstance(exclusions, Mapping):
            raise DataError(
                f"The exclusions are a {type(exclusions).__name__}; pass {{query: [documents]}}."
            )
        for query, documents in exclusions.items():
            if isinstance(documents, str) or not isinstance(documents, Collection):
                raise DataError(
                    f"The exclusions of query {query!r} are {documents!r}; pass a list of ids."
                )
            if odd := [each for each in (query, *documents) if not isinstance(each, str)]:
                raise DataError(
                    f"The exclusions of query {query!r} have the id {odd[0]!r}; ids must be text. "
                    "Convert them with str() first."
                )
            if documents:
                found[query] = found.get(query, frozenset()).union(documents)
    return found


def of_rows(rows: Iterable[Iterable[str]]) -> dict[str, frozenset[str]]:
    """Return the exclusions in rows of a query and a document, in any order."""
    found: dict[str, set[str]] = {}
    for query, document in rows:
        found.setdefault(query, set()).add(document)
    return joined(found)


def in_rows(exclusions: Exclusions) -> list[tuple[str, str]]:
    """Return the exclusions as rows of a query and a document, whose order is always the same."""
    return sorted((query, each) for query, of in exclusions.items() for each in of)


def of_pairs(pairs: Pairs) -> dict[str, frozenset[str]]:
    """Return the exclusions of a file that was read as pairs: its own, else all its documents."""
    names = (pairs.queries[number] for number in pairs.query.tolist())
    rows = zip(names, pairs.document.to_pylist(), strict=True)
    return joined(pairs.excluded or of_rows(rows))


def written(exclusions: Exclusions) -> bytes:
    """Return the exclusions as bytes, the same in whatever order; empty for none."""
    return repr(in_rows(exclusions)).encode() if exclusions else b""


def rows_of(pairs: Pairs, exclusions: Exclusions) -> NDArray[np.bool_]:
    """Return ``(n,)`` which rows have a document that their query excludes."""
    every = [(n, each) for n, q in enumerate(pairs.queries) for each in exclusions.get(q, ())]
    if not every:
        return np.zeros(len(pairs), bool)
    query, documents = zip(*every, strict=True)
    known = pc.unique(pa.array(documents, pa.string()))
    excluded = np.array(query) * len(known) + numbers(pc.index_in(pa.array(documents), known))
    code = numbers(pc.index_in(pairs.document, known).fill_null(-1))
    return (code >= 0) & np.isin(pairs.query * len(known) + code, excluded)


def of_run(removed: int) -> Note:
    """Return the note on a run from which documents were removed."""
    what = count(removed, "excluded document was", "excluded documents were")
    return Note(f"{what} left out; lower ranks moved up.", LEFT_OUT, Severity.REMARK)


def of_qrels(qrels: Pairs, exclusions: Exclusions, removed: NDArray[np.bool_]) -> list[Note]:
    """Return the notes on exclusions, of which those with a relevant document may be a mistake."""
    number = count(sum(map(len, exclusions.values())), "document")
    of = count(len(exclusions), "query", "queries")
    notes = [Note(f"Left out of the rankings: {number} of {of}.", LEFT_OUT, Severity.REMARK)]
    relevant = np.flatnonzero(removed & (qrels.value > 0)).tolist()
    if relevant:
        what = count(len(relevant), "excluded document is", "excluded documents are")
        text = f"{what} judged relevant and cannot be found, for example {qrels.at(relevant[0])}."
        notes.append(Note(text, "N-EXCLUDED-RELEVANT"))
    return notes
