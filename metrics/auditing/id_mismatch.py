"""Ids of a run that do not match those of the qrels: the likely reason, and the fix."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..arrays import numbers, take
from ..data import Note, Qrels, Run
from ..limits import current
from ..reading.problems import ABOUT_RANKS
from ..reading.row_notes import skeleton
from ..words import count, is_hidden, quote, shared_start

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

    The number is that of the retrieved spans that found only taken ones.

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


Key = Callable[[str], str]
_QUOTED = re.compile("^=?[\"'`\u2018\u2019\u201c\u201d\u201e]+|[\"'`\u2018\u2019\u201c\u201d]+$")
"""Quotation marks around an id; Excel's ``="007"`` and ``'007``, which keep zeros."""
_SAMPLE = 20_000
"""At most this many rows of a run are compared to find the reason."""


def _without_space(text: str) -> str:
    # Most ids have neither, and a run has many.
    if text.isascii() and text.isprintable() and " " not in text:
        return text
    return "".join(c for c in text if not c.isspace() and not is_hidden(c))


KEYS: dict[str, Key] = {
    "white space": _without_space,
    "upper and lower case": str.casefold,
    "characters that look alike": skeleton,
    "quotation marks": lambda text: _QUOTED.sub("", text),
    "a trailing .0": lambda text: text.removesuffix(".0"),
    "zeros in front of a number": lambda text: re.sub("(?<![0-9])0+(?=[0-9])", "", text),
    "a prefix": lambda text: re.sub("^[^0-9]+", "", text),
    "a prefix that ends in : / # or |": lambda text: re.sub("^.*[:/#|]", "", text),
    "a file name's ending": lambda text: re.sub("[.][A-Za-z]{2,5}$", "", text),
}
"""The differences between ids, each with a rule that removes it; the most certain come first."""
TRANSPOSED = "queries and documents swapped (transposed)"


@dataclass(frozen=True)
class Mend:
    """A change to a run's ids after which they match the qrels.

    Attributes
    ----------
    part
        ``query`` or ``document``; ``both`` when the two are swapped.
    reason
        The difference between the ids: a key of `KEYS`, ``TRANSPOSED``, `OF_CHUNKS` or
        `OF_SPANS`.
    example
        An id of the run, before and after the change.
    matched, ids
        The number of compared ids that would match after the change, of those not in the qrels.
    """

    part: str
    reason: str
    example: tuple[str, str]
    matched: int
    ids: int

    @property
    def is_sure(self) -> bool:
        """Whether the ids certainly mean the same.

        Two different prefixes may not, and what a part of a document stands for is a choice.
        """
        if self.is_of_parts:
            return False
        return self.reason != "a prefix" or any(each[:1].isdigit() for each in self.example)

    @property
    def is_of_parts(self) -> bool:
        """Whether parts of documents are matched with what was judged."""
        return self.reason in (OF_CHUNKS, OF_SPANS)

    def __str__(self) -> str:
        before, after = map(quote, self.example)
        what = "ids" if self.part == "both" else f"{self.part} ids"
        differ = "differ" if self.is_sure else "may differ"
        return (
            f"{what} {differ} by {self.reason}: {before} would be {after}, and {self.matched} of "
            f"{count(self.ids, 'id')} would match"
        )

    def apply(self, run: Run, qrels: Qrels) -> Run:
        """Return the run with the qrels' ids where they match, similar ids, and a note."""
        sentences = [f"Changed on request: {self}."]
        if self.part == "both":
            changed = _transposed(run)
        elif self.reason == OF_CHUNKS:
            changed, left_out = best_of_each(run, set(qrels.document.to_pylist()))
            what = count(left_out, "row of another chunk", "rows of other chunks")
            sentences.append(f"{what} of the same document left out.")
        elif self.reason == OF_SPANS:
            changed, again = joined(run, qrels)
            what = count(again, "span overlaps", "spans overlap")
            sentences.append(f"{what} only judged ones already found, and count as unjudged.")
        elif self.part == "query":
            queries, kept = _renamed(run.queries, qrels.queries, KEYS[self.reason])
            changed = replace(run, queries=tuple(queries))
        else:
            coded = run.document.dictionary_encode()
            wanted = pc.unique(qrels.document).to_pylist()
            ids, kept = _renamed(coded.dictionary.to_pylist(), wanted, KEYS[self.reason])
            rows = numbers(coded.indices).astype(np.int64)
            changed = replace(run, document=take(pa.array(ids, pa.string()), rows))
            if kept:
                what = count(kept, "id not in the qrels was", "ids not in the qrels were")
                sentences.append(f"{what} left unchanged; this may affect tie order.")
        if self.part != "query" and any(note.code.startswith(ABOUT_RANKS) for note in run.notes):
            sentences.append("Notes on ranks refer to the ids before this change.")
        return changed.noted((*run.notes, Note(" ".join(sentences), "N-IDS-CHANGED")))


def for_queries(run: Iterable[str], qrels: Iterable[str]) -> Mend | None:
    """Return a change that makes the query ids of a run match the qrels; None without one.

    Examples
    --------
    >>> print(for_queries(["1", "2"], ["q1", "q2"]))
    query ids differ by a prefix: '1' would be 'q1', and 2 of 2 ids would match
    """
    return _mend("query", list(islice(run, _SAMPLE)), list(qrels))


def for_documents(run: Run, qrels: Qrels) -> Mend | None:
    """Return a change that makes the document ids of a run match the qrels; None without one."""
    judged_queries = set(qrels.queries)
    shared = np.fromiter((query in judged_queries for query in run.queries), bool, len(run.queries))
    rows = np.flatnonzero(shared[run.query])[:_SAMPLE]
    ids = pc.unique(take(run.document, rows)).to_pylist()
    seen = {run.queries[number] for number in np.unique(run.query[rows])}
    judged = [number for number, query in enumerate(qrels.queries) if query in seen]
    wanted = take(qrels.document, np.flatnonzero(np.isin(qrels.query, judged)))
    known = pc.unique(wanted).to_pylist()
    # Spans first: without their documents, equal ranges would look like ids that match.
    return (
        _of_parts(OF_SPANS, ids, known, judged_spans(ids, known))
        or _mend("document", ids, known)
        or _of_parts(OF_CHUNKS, ids, known, judged_documents(ids, set(known)))
    )


def for_run(run: Run, qrels: Qrels) -> Mend | None:
    """Return a change that makes a run without judged queries match the qrels."""
    documents = pc.unique(run.document[:_SAMPLE]).to_pylist()
    ids = {*run.queries[:_SAMPLE]}
    of_qrels = set(pc.unique(qrels.document).to_pylist())
    shared = len({*documents} & {*qrels.queries})
    # The smaller side decides, because most documents of a run are unjudged.
    documents_fit = 2 * shared > min(len(documents), len(qrels.queries))
    if documents_fit and 2 * len(ids & of_qrels) > min(len(ids), len(of_qrels)):
        return Mend("both", TRANSPOSED, (run.queries[0], documents[0]), shared, len(documents))
    return for_queries(run.queries, qrels.queries)


def _of_parts(
    reason: str, ids: list[str], known: list[str], changes: Mapping[str, str]
) -> Mend | None:
    """Return the change of parts to what was judged, if at least half of the other ids change."""
    apart = len(set(ids) - set(known))
    if not changes or 2 * len(changes) < apart:
        return None
    return Mend("document", reason, next(iter(changes.items())), len(changes), apart)


def _mend(part: str, run: list[str], qrels: list[str]) -> Mend | None:
    """Return the change after which most ids match, if at least half of the others do."""
    best: Mend | None = None
    apart = len(set(run) - set(qrels))
    for reason, key in KEYS.items():
        changes = _changes(run, qrels, key)
        if 2 * len(changes) >= apart and len(changes) > (best.matched if best else 0):
            best = Mend(part, reason, next(iter(changes.items())), len(changes), apart)
        if best and best.matched == apart:
            break
    return best


def _changes(ids: Sequence[str], wanted: Sequence[str], key: Key) -> dict[str, str]:
    """Map ids that are not in the qrels to ids that are not in the run, one to one."""
    known = set(wanted)
    of_qrels, of_run = _by_key(wanted, key), _by_key(ids, key)
    taken = known & set(ids)
    return {
        each: of_qrels[left]
        for left, each in of_run.items()
        if each not in known and left in of_qrels and of_qrels[left] not in taken
    }


def _renamed(ids: Sequence[str], wanted: Sequence[str], key: Key) -> tuple[list[str], int]:
    """Return the ids with the changes and similar ones, and how many were left unchanged."""
    changes, known = _changes(ids, wanted, key), set(wanted)
    renamed = alike(list(ids), changes, known, key)
    pairs = zip(ids, renamed, strict=True)
    return renamed, sum(old == new and old not in known for old, new in pairs)


def _by_key(ids: Iterable[str], key: Key) -> dict[str, str]:
    """Return the ids by their reduced form, without those that share a form."""
    every = [(key(each), each) for each in ids]
    times = Counter(form for form, _ in every)
    return {form: each for form, each in every if form and times[form] == 1}


def _transposed(run: Run) -> Run:
    coded = run.document.dictionary_encode()
    queries = tuple(coded.dictionary.to_pylist())
    document = take(pa.array(run.queries, pa.string()), run.query)
    return replace(
        run, queries=queries, query=numbers(coded.indices).astype(np.int64), document=document
    )


def rule_of(changes: Mapping[str, str], shorter: Key) -> Key | None:
    """Return a rule that makes all of these changes; None when no single rule does.

    ``shorter`` removes the difference between the two forms from an id.

    Examples
    --------
    >>> rule = rule_of({"d1": "doc-d1", "d20": "doc-d20"}, str.casefold)
    >>> rule("d3")
    'doc-d3'
    >>> rule_of({"d1": "doc-d1", "d2": "x2"}, str.casefold) is None
    True
    """
    one, other = next(iter(changes.items()))
    width = max(map(len, re.findall("[0-9]+", other)), default=0)

    def filled(text: str) -> str:
        return re.sub("[0-9]+", lambda number: number[0].zfill(width), text)

    rules = (shorter, str.lower, str.upper, _start(one, other), _end(one, other), filled)
    return next((rule for rule in rules if all(rule(a) == b for a, b in changes.items())), None)


def alike(ids: list[str], changes: Mapping[str, str], known: set[str], shorter: Key) -> list[str]:
    """Return the ids with the changes, and similar ids changed by the same rule if all stay unique.

    The ids of ``known`` do not change, and no other id may become one of them.
    """
    rule = rule_of(changes, shorter) if changes else None
    others = [each for each in ids if each not in changes and each not in known] if rule else []
    most = current().id
    # An id that would become empty or too long does not change.
    after = [new if 0 < len(new := rule(each)) <= most else each for each in others] if rule else []
    taken = {*known, *ids, *changes.values()}
    apart = len(set(after)) == len(after) and taken.isdisjoint(
        new for old, new in zip(others, after, strict=True) if old != new
    )
    every = {**changes, **(dict(zip(others, after, strict=True)) if apart else {})}
    return [every.get(each, each) for each in ids]


def _start(one: str, other: str) -> Key:
    """Return the rule that replaces the beginning of the first id with that of the second."""
    same = shared_start(one[::-1], other[::-1])
    old, new = one[: len(one) - same], other[: len(other) - same]

    def rule(text: str) -> str:
        # An id that already has the new beginning does not change.
        has = not text.startswith(old) or (new and text.startswith(new))
        return text if has else new + text[len(old) :]

    return rule


def _end(one: str, other: str) -> Key:
    """Return the rule that replaces the end of the first id with that of the second."""
    of_reversed = _start(one[::-1], other[::-1])
    return lambda text: of_reversed(text[::-1])[::-1]
