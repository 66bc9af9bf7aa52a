"""Chunks of documents: a run that retrieves parts of the documents that were judged."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np
import pyarrow as pa

from ..arrays import numbers, take
from ..data import Run

REASON = "the number of a chunk (the best chunk of a document counts)"
_CHUNK = re.compile(
    r"(?:#.+|[:@][0-9]+[-,][0-9]+|(?:::|[_/:@-])(?:(?:chunk|part|passage|segment)[_-]?|[cp])?[0-9]+)$",
    re.IGNORECASE,
)
"""The end of a chunk's id: ``#chunk-3``, ``_12``, ``::4``, ``-part2``, ``:100-250``."""


def document_of(chunk: str) -> str:
    """Return the id of the document that a chunk is of; the same id where it is not a chunk's.

    Examples
    --------
    >>> document_of("doc#chunk-3"), document_of("doc_12"), document_of("doc")
    ('doc', 'doc', 'doc')
    """
    return _CHUNK.sub("", chunk) or chunk


def of_judged(ids: Sequence[str], judged: Collection[str]) -> dict[str, str]:
    """Map the chunks among ids that are not judged to their documents, which are.

    Examples
    --------
    >>> of_judged(["a#1", "a#2", "b", "x#1"], {"a", "b"})
    {'a#1': 'a', 'a#2': 'a'}
    """
    pairs = ((each, document_of(each)) for each in ids if each not in judged)
    return {chunk: document for chunk, document in pairs if document in judged}


def best_of_each(run: Run, judged: Collection[str]) -> tuple[Run, int]:
    """Return the run with documents in the place of their chunks, and the number of rows left out.

    The chunk with the highest score stands for its document; of equal ones the first row. Ids that
    are judged themselves stay.

    Examples
    --------
    >>> run = Run.from_dict({"q": {"a#1": 3.0, "b#7": 2.0, "a#2": 1.0}})
    >>> found, left_out = best_of_each(run, {"a"})
    >>> found.to_dict(), left_out
    ({'q': {'a': 3.0, 'b': 2.0}}, 1)
    """
    coded = run.document.dictionary_encode()
    ids = [each if each in judged else document_of(each) for each in coded.dictionary.to_pylist()]
    # Two chunks of one document have one code from here on.
    names, code = np.unique(np.array(ids, object), return_inverse=True)
    document = code[numbers(coded.indices)]
    order = np.lexsort((np.arange(len(run)), -run.value, document, run.query))
    query, kept = run.query[order], document[order]
    is_first = np.append(True, (query[1:] != query[:-1]) | (kept[1:] != kept[:-1]))
    rows = np.sort(order[is_first])
    renamed = take(pa.array(names.tolist(), pa.string()), document[rows])
    found = replace(run.rows(rows), document=renamed, notes=run.notes)
    return found, len(run) - len(rows)
