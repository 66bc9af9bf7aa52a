"""Editing one query's ranking by hand: pure functions from a ranking to the next."""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import replace

from ..errors import EditError
from .hand_ranking import LONGEST_ID, Entry, HandRanking, bad_id


def move(ranking: HandRanking, document: str, rank: int | None) -> HandRanking:
    """Put a document at a rank, the others closing up; None takes it out of the ranking.

    Between two documents of equal score it gets that score too.

    Raises
    ------
    EditError
        When the document is unknown or the rank is no whole number from 1. A rank past the end
        means last.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"])
    >>> [entry.document for entry in move(ranking, "a", 1).retrieved]
    ['a', 'b']
    """
    entry = _entry(ranking, document)
    if rank is not None and (type(rank) is not int or rank < 1):
        raise EditError(f"There is no rank {rank}; ranks are whole numbers from 1.")
    if rank is not None and ranking.retrieved[rank - 1 : rank] == (entry,):
        return ranking
    others = remove(ranking, document)
    if rank is not None:
        above, below = others.retrieved[: rank - 1], others.retrieved[rank - 1 :]
        between = bool(below) and below[0].tied
        return replace(others, retrieved=(*above, replace(entry, tied=between), *below))
    return replace(others, unretrieved=(replace(entry, tied=False), *others.unretrieved))


def step(ranking: HandRanking, document: str, ranks: int) -> HandRanking:
    """Move a document some ranks down, or up: over the end out of the ranking, and in again.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"])
    >>> step(ranking, "a", 1).unretrieved
    (Entry(document='a', grade=3, tied=False),)
    """
    entry, last = _entry(ranking, document), len(ranking.retrieved)
    if entry in ranking.unretrieved:
        return move(ranking, document, last + 1) if ranks < 0 else ranking
    to = ranking.retrieved.index(entry) + 1 + ranks
    return move(ranking, document, max(1, to) if to <= last else None)


def toggle_tie(ranking: HandRanking, document: str) -> HandRanking:
    """Give a document the score of the one above it, or a lower one if it has that.

    Raises
    ------
    EditError
        When no document stands above it.

    Examples
    --------
    >>> toggle_tie(HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"]), "a").ranks
    (1, 1)
    """
    entry = _entry(ranking, document)
    return _exchanged(ranking, entry, replace(entry, tied=not entry.tied))


def set_grade(ranking: HandRanking, document: str, grade: float | None) -> HandRanking:
    """Judge a document anew; None makes it unjudged.

    Raises
    ------
    EditError
        When the grade is no finite number up to 1000, or the document is unknown, or neither ranked
        nor judged then.
    """
    entry = _entry(ranking, document)
    return _exchanged(ranking, entry, replace(entry, grade=grade))


def step_grade(ranking: HandRanking, document: str, by: float) -> HandRanking:
    """Raise or lower a grade; below 0 a retrieved document is unjudged.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 0}, ["a"])
    >>> step_grade(ranking, "a", -1).retrieved[0].grade is None
    True
    >>> step_grade(step_grade(ranking, "a", -1), "a", 1) == ranking
    True
    """
    entry = _entry(ranking, document)
    if entry.grade is None:
        return set_grade(ranking, document, 0) if by > 0 else ranking
    if by > 0 or entry.grade > 0:
        return set_grade(ranking, document, max(0, entry.grade + by))
    return set_grade(ranking, document, None) if entry in ranking.retrieved else ranking


def add(ranking: HandRanking, document: str, grade: float | None) -> HandRanking:
    """Append a document at the end of the ranking.

    Raises
    ------
    EditError
        When its id is empty, too long, broken into lines or already there.
    """
    document = document.strip(" \t\r\n")
    if wrong := bad_id(document):
        raise EditError(
            f"The new row has {wrong}; it needs an id of 1 to {LONGEST_ID} characters on one line."
        )
    rows = {entry.document: row for row, entry in enumerate(ranking.entries, 1)}
    if document in rows:
        raise EditError(f"{document!r} is already there, on row {rows[document]}; use another id.")
    return replace(ranking, retrieved=(*ranking.retrieved, Entry(document, grade)))


def remove(ranking: HandRanking, document: str) -> HandRanking:
    """Forget a document altogether, its judgment included."""
    entry = _entry(ranking, document)
    kept = []
    leads = False
    for each in ranking.retrieved:
        if each == entry:
            leads = not entry.tied
        else:
            # The document that was tied with the one taken out leads the tie now.
            kept.append(replace(each, tied=False) if leads and each.tied else each)
            leads = False
    return replace(
        ranking,
        retrieved=tuple(kept),
        unretrieved=tuple(e for e in ranking.unretrieved if e != entry),
    )


def swap(ranking: HandRanking, first: int, second: int) -> HandRanking:
    """Exchange the documents at two ranks; which ranks are tied stays.

    Examples
    --------
    >>> ranking = swap(HandRanking.of("q1", {"a": 3}, ["c", "b", "a"]), 1, 3)
    >>> [entry.document for entry in ranking.retrieved]
    ['a', 'b', 'c']
    """
    retrieved = list(ranking.retrieved)
    one, other = retrieved[first - 1], retrieved[second - 1]
    retrieved[first - 1] = replace(other, tied=one.tied)
    retrieved[second - 1] = replace(one, tied=other.tied)
    return replace(ranking, retrieved=tuple(retrieved))


def best_first(ranking: HandRanking) -> HandRanking:
    """The same documents by grade, the highest first, no two tied."""
    return in_order(ranking, sorted(ranking.retrieved, key=lambda entry: -(entry.grade or 0)))


def ideal(ranking: HandRanking) -> HandRanking:
    """All judged documents by grade, the highest first, whether or not they are retrieved."""
    judged = tuple(entry for entry in ranking.entries if entry.grade is not None)
    return best_first(HandRanking(ranking.query, judged))


def backwards(ranking: HandRanking) -> HandRanking:
    """The ranking from its end to its start, no two tied."""
    return in_order(ranking, list(reversed(ranking.retrieved)))


def shuffled(ranking: HandRanking, seed: int) -> HandRanking:
    """The same documents in a random order, no two tied."""
    return in_order(ranking, random.Random(seed).sample(ranking.retrieved, len(ranking.retrieved)))


def in_order(ranking: HandRanking, entries: Iterable[Entry]) -> HandRanking:
    """The retrieved documents in this order, no two tied."""
    return replace(ranking, retrieved=tuple(replace(entry, tied=False) for entry in entries))


def _exchanged(ranking: HandRanking, old: Entry, new: Entry) -> HandRanking:
    return replace(
        ranking,
        retrieved=tuple(new if e == old else e for e in ranking.retrieved),
        unretrieved=tuple(new if e == old else e for e in ranking.unretrieved),
    )


def _entry(ranking: HandRanking, document: str) -> Entry:
    for entry in ranking.entries:
        if entry.document == document:
            return entry
    raise EditError(f"{document!r} is not in the ranking; add it first.")
