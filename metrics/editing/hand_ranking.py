"""One query's ranking and its judgments, as edited by hand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import pyarrow.compute as pc

from ..arrays import column
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..data.checks import LARGEST_GRADE
from ..errors import EditError
from ..matching.judged import listed
from ..measures import Measure
from ..measures.ledger import Ledger
from ..scoring.evaluate import trace

LONGEST_ID = 500
"""At most this many characters in a typed or pasted document id."""
LONGEST_TITLE = 200
"""At most this many characters in the title of a list."""
UNTITLED = "A pasted list"
"""The title of a new list without another one."""
MOST_EDITED = 10_000
"""Longer rankings are shown and scored but not edited: each edit copies the whole ranking."""


def bad_id(document: str, what: str = "document id") -> str:
    """Return the problem with a typed or pasted document id; empty when there is none.

    ``what``: its name in the field.

    Examples
    --------
    >>> bad_id(""), bad_id("d1")
    ('no document id', '')
    """
    if not document:
        return f"no {what}"
    if len(document) > LONGEST_ID:
        return f"a {what} of {len(document):,} characters, which is too long"
    return f"a {what} with a line break" if {"\n", "\r"} & set(document) else ""


def as_title(text: str) -> str:
    """Return a text on one line, cut to the length of a title.

    Examples
    --------
    >>> as_title(" best\\n laptop ")
    'best laptop'
    """
    return " ".join(text.split())[:LONGEST_TITLE].rstrip()


@dataclass(frozen=True, slots=True)
class Entry:
    """A document with its grade.

    Attributes
    ----------
    grade
        None when nobody judged it.
    tied
        Whether it has the same score as the document above it.
    """

    document: str
    grade: float | None
    tied: bool = False


@dataclass(frozen=True)
class HandRanking:
    """One query's ranking with its judgments.

    Raises EditError when a document appears twice, a grade is not a finite number up to 1000, a
    document is neither ranked nor judged, a tied document has none above it, or the title is too
    long or has a line break. Rows count from 1.

    Attributes
    ----------
    retrieved
        The ranking, rank 1 first.
    unretrieved
        Judged documents that are not in the ranking; they still count in the ideal.
    title
        The title of a list that took the query's place; empty for a ranking of the query itself.
    aspects
        The grades for each aspect of the query, by document; no edit changes them. A grade given by
        hand holds for all aspects of its document: see `Qrels.by_aspect`.
    record
        The name of the record in the log of grades that the edit made which led here; empty where
        it changed no grade of the query.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"])
    >>> [entry.document for entry in ranking.entries]
    ['b', 'a']
    """

    query: str
    retrieved: tuple[Entry, ...]
    unretrieved: tuple[Entry, ...] = ()
    title: str = ""
    aspects: Mapping[str, Mapping[str, float]] = field(default_factory=dict, compare=False)
    record: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.title != as_title(self.title):
            raise EditError(f"A title is one line of at most {LONGEST_TITLE} characters.")
        seen: dict[str, int] = {}
        for row, entry in enumerate(self.entries, 1):
            first = seen.setdefault(entry.document, row)
            if first != row:
                raise EditError(
                    f"Row {row}: {entry.document!r} is already there, on row {first}; "
                    "use another id."
                )
            grade = entry.grade
            number = type(grade) in (int, float)
            if grade is not None and not (number and abs(grade) <= LARGEST_GRADE):
                raise EditError(
                    f"Row {row}: a grade is a number up to {LARGEST_GRADE}, not {grade}."
                )
        for entry in self.unretrieved:
            if entry.grade is None:
                raise EditError(
                    f"{entry.document!r} is not ranked, so it needs a grade; remove it instead."
                )
        for entry in (*self.retrieved[:1], *self.unretrieved):
            if entry.tied:
                raise EditError(
                    f"{entry.document!r} has no document above it to share a score with."
                )

    @classmethod
    def of(cls, query: str, grades: Mapping[str, float], documents: list[str]) -> HandRanking:
        """Return a ranking from grades by document and a ranked list of documents."""
        ranked = set(documents)
        rest = [document for document in grades if document not in ranked]
        return cls(
            query,
            tuple(Entry(document, grades.get(document)) for document in documents),
            tuple(Entry(document, grades[document]) for document in rest),
        )

    @classmethod
    def from_run(
        cls, qrels: Qrels, run: Run, query: str, convention: Convention = TREC_EVAL
    ) -> HandRanking:
        """Return one query of a run, in the convention's order of evaluation."""
        grades = qrels.only(query).to_dict().get(query, {})
        everything = replace(convention, unjudged="zero", own_document="kept")
        hits = listed(qrels.only(query), run.only(query), everything).hits
        documents, tied = hits.document.to_pylist(), (hits.rank > hits.first).tolist()
        retrieved = tuple(map(Entry, documents, map(grades.get, documents), tied))
        ranked = set(documents)
        rest = (Entry(name, grade) for name, grade in grades.items() if name not in ranked)
        return cls(query, retrieved, tuple(rest), aspects=qrels.aspects.get(query, {}))

    def evaluated(self, convention: Convention) -> HandRanking:
        """Return the ranking with ties in the convention's order of evaluation.

        Examples
        --------
        >>> tied = HandRanking("q", (Entry("a", 1), Entry("b", 0, tied=True)))
        >>> [entry.document for entry in tied.evaluated(TREC_EVAL).retrieved]
        ['b', 'a']
        """
        if not self.grades or not any(entry.tied for entry in self.retrieved):
            return self
        ordered = HandRanking.from_run(self.qrels, self.run, self.query, convention)
        return replace(self, retrieved=ordered.retrieved)

    def with_grades(self, grades: Mapping[str, float | None]) -> HandRanking:
        """Return the ranking with these grades, None for a document that is no longer judged.

        Examples
        --------
        >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["x", "a"])
        >>> ranking.with_grades({"x": 1, "b": None, "new": 2}).grades
        {'x': 1, 'a': 3, 'new': 2}
        """
        return self.in_order_of(self, {**self.grades, **grades})

    def in_order_of(self, order: HandRanking, grades: Mapping[str, float | None]) -> HandRanking:
        """Return the ranking in another order, with these grades alone.

        Documents that this one has follow, as not retrieved, then those that only ``grades`` has.

        Examples
        --------
        >>> ranking, other = (HandRanking.of("q", {}, documents) for documents in ("ab", "bc"))
        >>> shown = ranking.in_order_of(other, {"a": 1, "d": 2})
        >>> [entry.document for entry in shown.retrieved], shown.grades
        (['b', 'c'], {'a': 1, 'd': 2})
        """
        ranked = {entry.document for entry in order.retrieved}
        known = (entry.document for entry in self.entries)
        rest = (name for name in dict.fromkeys((*known, *grades)) if name not in ranked)
        return replace(
            order,
            retrieved=tuple(
                Entry(each.document, grades.get(each.document), each.tied)
                for each in order.retrieved
            ),
            unretrieved=tuple(
                Entry(name, grade) for name in rest if (grade := grades.get(name)) is not None
            ),
            aspects=self.aspects,
        )

    def ledger(self, measure: str | Measure, convention: Convention = TREC_EVAL) -> Ledger:
        """Return the ledger of this ranking.

        Raises DataError when no document is judged. Raises MeasureError when the measure cannot
        score this ranking.

        Examples
        --------
        >>> HandRanking.of("q1", {"a": 1}, ["b", "a"]).ledger("RR").scores.tolist()
        [0.5]
        """
        return trace(self.qrels, self.run, measure, self.query, convention)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All documents: the ranking, then the judged documents that are not in it."""
        return self.retrieved + self.unretrieved

    @property
    def ranks(self) -> tuple[int, ...]:
        """The rank of each retrieved document; tied documents share the first of their ranks."""
        ranks: list[int] = []
        for rank, entry in enumerate(self.retrieved, 1):
            ranks.append(ranks[-1] if entry.tied else rank)
        return tuple(ranks)

    @property
    def scores(self) -> dict[str, float]:
        """A score for each retrieved document, lower at each rank except within ties."""
        n = len(self.retrieved)
        ranked = zip(self.retrieved, self.ranks, strict=True)
        return {entry.document: float(n + 1 - rank) for entry, rank in ranked}

    @property
    def grades(self) -> dict[str, float]:
        """The grade of each judged document."""
        return {e.document: e.grade for e in self.entries if e.grade is not None}

    @property
    def run(self) -> Run:
        """The ranking as a run."""
        return Run.from_dict({self.query: self.scores}, "edited")

    @property
    def qrels(self) -> Qrels:
        """The grades as qrels."""
        qrels = Qrels.from_dict({self.query: self.grades}, "edited")
        return replace(qrels, aspects={self.query: self.aspects} if self.aspects else {})


def grade_scale(qrels: Qrels) -> tuple[float, ...]:
    """Return the grades to choose from: all in use, and for whole numbers also those between."""
    used = {0.0, *pc.unique(column(qrels.value)).to_pylist()}
    if all(grade == int(grade) for grade in used):
        used |= set(map(float, range(int(max(used)) + 1)))
    return tuple(sorted(used))
