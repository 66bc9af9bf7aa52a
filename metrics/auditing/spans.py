"""Spans of documents: a run that retrieves other ranges of characters or lines than were judged."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from ..data import Qrels, Run

REASON = "the range of a span (it stands for the best judged one that it overlaps, each one once)"
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


def of_judged(ids: Sequence[str], judged: Iterable[str]) -> dict[str, str]:
    """Map the spans among ids that are not judged to a judged span that each overlaps.

    Examples
    --------
    >>> of_judged(["a:0-50", "a:50-90", "b:0-9", "a:0-10"], ["a:0-10", "a:80-99"])
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
