"""Editing one query's ranking by hand: pure functions from a ranking to the next."""

from __future__ import annotations

from dataclasses import dataclass, replace

from .checks import LARGEST_GRADE
from .convention import TREC_EVAL, Convention
from .data import Qrels, Run
from .errors import EditError
from .judged import judge

LONGEST_ID = 500


@dataclass(frozen=True)
class Entry:
    """A document and its grade; None when nobody judged it."""

    document: str
    grade: float | None


@dataclass(frozen=True)
class HandRanking:
    """One query's ranking with its judgments.

    Attributes
    ----------
    retrieved
        The ranking, rank 1 first.
    unretrieved
        Judged documents that are not in it; they still shape the ideal.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"])
    >>> [entry.document for entry in move(ranking, "a", 1).retrieved]
    ['a', 'b']
    """

    query: str
    retrieved: tuple[Entry, ...]
    unretrieved: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, query: str, grades: dict[str, float], documents: list[str]) -> HandRanking:
        """From grades by document and a ranked list of documents."""
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
        """One query of a run, in the order in which the convention evaluates it."""
        grades = qrels.only(query).to_dict()[query]
        everything = replace(convention, unjudged="zero")
        ranked = judge(qrels.only(query), run.only(query), everything, every=True).hits
        return cls.of(query, grades, ranked.document.to_pylist())

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All documents: the ranking, then the judged ones that are not in it."""
        return self.retrieved + self.unretrieved

    @property
    def run(self) -> Run:
        """The ranking as a run; scores fall by one from rank to rank."""
        n = len(self.retrieved)
        scores = {entry.document: float(n - i) for i, entry in enumerate(self.retrieved)}
        return Run.from_dict({self.query: scores}, "edited")

    @property
    def qrels(self) -> Qrels:
        """The grades as qrels."""
        grades = {e.document: e.grade for e in self.entries if e.grade is not None}
        return Qrels.from_dict({self.query: grades}, "edited")


def move(ranking: HandRanking, document: str, rank: int | None) -> HandRanking:
    """Put a document at a rank, the others closing up; None takes it out of the ranking.

    Raises
    ------
    EditError
        When the document is unknown or the rank is no whole number from 1. A rank past the end
        means last.
    """
    entry = _entry(ranking, document)
    if rank is not None and (type(rank) is not int or rank < 1):
        raise EditError(f"There is no rank {rank}; ranks are whole numbers from 1.")
    retrieved = [e for e in ranking.retrieved if e != entry]
    unretrieved = [e for e in ranking.unretrieved if e != entry]
    if rank is not None:
        retrieved.insert(rank - 1, entry)
    elif entry.grade is not None:
        unretrieved.insert(0, entry)
    else:
        raise EditError(
            f"{document!r} is neither ranked nor judged without its rank; give it a grade first."
        )
    return replace(ranking, retrieved=tuple(retrieved), unretrieved=tuple(unretrieved))


def set_grade(ranking: HandRanking, document: str, grade: float | None) -> HandRanking:
    """Judge a document anew; None makes it unjudged.

    Raises
    ------
    EditError
        When the grade is no finite number up to 1000, or the document is unknown.
    """
    entry = _entry(ranking, document)
    if grade is not None and not (type(grade) in (int, float) and abs(grade) <= LARGEST_GRADE):
        raise EditError(f"A grade is a number up to {LARGEST_GRADE}, not {grade}.")
    if grade is None and entry in ranking.unretrieved:
        raise EditError(f"{document!r} is not ranked, so it needs a grade; remove it instead.")
    new = replace(entry, grade=grade)
    return replace(
        ranking,
        retrieved=tuple(new if e == entry else e for e in ranking.retrieved),
        unretrieved=tuple(new if e == entry else e for e in ranking.unretrieved),
    )


def add(ranking: HandRanking, document: str, grade: float | None) -> HandRanking:
    """Append a document at the end of the ranking.

    Raises
    ------
    EditError
        When its id is empty, too long or already there.
    """
    document = document.strip(" \t\r\n")
    if not document or len(document) > LONGEST_ID:
        raise EditError(f"A document needs an id of 1 to {LONGEST_ID} characters.")
    if any(entry.document == document for entry in ranking.entries):
        raise EditError(f"{document!r} is already there; give the new document another id.")
    longer = replace(ranking, retrieved=(*ranking.retrieved, Entry(document, None)))
    return longer if grade is None else set_grade(longer, document, grade)


def remove(ranking: HandRanking, document: str) -> HandRanking:
    """Forget a document altogether, its judgment included."""
    entry = _entry(ranking, document)
    return replace(
        ranking,
        retrieved=tuple(e for e in ranking.retrieved if e != entry),
        unretrieved=tuple(e for e in ranking.unretrieved if e != entry),
    )


def _entry(ranking: HandRanking, document: str) -> Entry:
    for entry in ranking.entries:
        if entry.document == document:
            return entry
    raise EditError(f"{document!r} is not in the ranking; add it first.")
