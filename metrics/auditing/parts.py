"""Parts of documents: a run of chunks, or of other spans than were judged."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from ..arrays import numbers, take
from ..data import Qrels, Run

OF_SPANS = "the range of a span (it stands for the best judged one that it overlaps, each one once)"
_SPAN = re.compile(
    r"(?P<document>.+?)(?:[:@]|#(?:char=|(?P<line>line=|L))?)(?P<begin>[0-9]+)(?:-L?|,)"
    r"(?P<end>[0-9]+)",
    re.DOTALL,
)
"""``doc:100-250``, ``doc@100-250``, ``doc#100-250``, ``doc#char=100,250``, ``doc#L10-L20``."""


@dataclass(frozen=True)
class Span:
    """A range of a document, from ``begin`` to before ``end``.

    Attributes
    ----------
    of
        The id of the document, and whether lines are counted rather than characters.
    """

    of: tuple[str, bool]
    begin: int
    end: int

    def overlap(self, other: Span) -> int:
        """Return how much two spans of one document share; 0 where they only touch."""
        return max(0, min(self.end, other.end) - max(self.begin, other.begin))


def span_of(text: str) -> Span | None:
    """Return the span that an id names; None for any other id.

    A range of one position is that position.

    Examples
    --------
    >>> span_of("doc:100-250")
    Span(of=('doc', False), begin=100, end=250)
    >>> span_of("doc#char=100,250") == span_of("doc@100-250"), span_of("doc-12") is None
    (True, True)
    """
    found = _SPAN.fullmatch(text)
    if found is None:
        return None
    begin, end = int(found["begin"]), int(found["end"])
    if begin > end:
        return None
    return Span((found["document"], bool(found["line"])), begin, max(end, begin + 1))


def judged_spans(ids: Sequence[str], judged: Iterable[str]) -> dict[str, str]:
    """Map the spans among ids that are not judged to a judged span that each overlaps.

    Examples
    --------
    >>> judged_spans(["a:0-50", "a:50-90", "b:0-9", "a:0-10"], ["a:0-10", "a:80-99"])
    {'a:0-50': 'a:0-10', 'a:50-90': 'a:80-99'}
    """
    known = set(judged)
    spans = _by_document((each, 0.0) for each in known)
    found = {}
    for each in ids:
        if each not in known and (over := _overlapped(each, spans)):
            found[each] = max(over)[-1]
    return found


def joined(run: Run, qrels: Qrels) -> tuple[Run, int]:
    """Return the run with judged spans in the place of those that overlap them.

    In rank order, each retrieved span takes the judged one with the highest grade that it overlaps
    and that none above it took; of equal grades, the one that it shares most with. One that finds
    only taken spans keeps its rank, unjudged.

    Returns
    -------
    Run, int
        The run, and how many retrieved spans found only taken ones.

    Examples
    --------
    >>> run = Run.from_dict({"q": {"a:0-50": 3.0, "a:40-90": 2.0, "a:0-20": 1.0}})
    >>> qrels = Qrels.from_dict({"q": {"a:0-20": 1, "a:30-60": 2}})
    >>> found, again = joined(run, qrels)
    >>> found.to_dict()["q"], again
    ({'a:30-60': 3.0, 'a:40-90': 2.0, 'a:0-20': 1.0}, 1)
    """
    judged = {query: _by_document(grades.items()) for query, grades in qrels.to_dict().items()}
    names: list[str] = run.document.to_pylist()
    taken: list[set[str]] = [set() for _ in run.queries]
    again = 0
    for row in np.lexsort((np.arange(len(run)), -run.value, run.query)).tolist():
        query = int(run.query[row])
        over = _overlapped(names[row], judged.get(run.queries[query], {}))
        free = [each for each in over if each[-1] not in taken[query]]
        if free:
            names[row] = max(free)[-1]
            taken[query].add(names[row])
        elif over:
            again += 1
            # One above it may stand for the very span that this id names.
            while names[row] in taken[query]:
                names[row] += " (again)"
    return replace(run, document=pa.array(names, pa.string())), again


_Judged = Mapping[tuple[str, bool], Sequence[tuple[Span, float, str]]]
"""The judged spans of each document, with their grades and ids."""


def _by_document(graded: Iterable[tuple[str, float]]) -> _Judged:
    found: dict[tuple[str, bool], list[tuple[Span, float, str]]] = {}
    for name, grade in graded:
        if span := span_of(name):
            found.setdefault(span.of, []).append((span, grade, name))
    return found


def _overlapped(name: str, judged: _Judged) -> list[tuple[float, int, int, str]]:
    """Return grade, shared length, −begin and id of the judged spans that a span overlaps."""
    span = span_of(name)
    if span is None:
        return []
    return [
        (grade, shared, -other.begin, known)
        for other, grade, known in judged.get(span.of, ())
        if (shared := other.overlap(span))
    ]


OF_CHUNKS = "the number of a chunk (the best chunk of a document counts)"
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


def judged_documents(ids: Sequence[str], judged: Collection[str]) -> dict[str, str]:
    """Map the chunks among ids that are not judged to their documents, which are.

    Examples
    --------
    >>> judged_documents(["a#1", "a#2", "b", "x#1"], {"a", "b"})
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
