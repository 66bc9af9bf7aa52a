"""Edits of one query's ranking: pure functions that return the edited ranking."""

import random
from collections.abc import Iterable
from dataclasses import replace

from ..errors import EditError
from .hand_ranking import LONGEST_ID, Entry, HandRanking, bad_id


def move(ranking: HandRanking, document: str, rank: int | None) -> HandRanking:
    """Move a document to a rank; None moves it out of the ranking.

    Between two tied documents it is tied with them. A rank past the end means last.

    Raises EditError when the document is unknown, or the rank is not a whole number of 1 or more.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"])
    >>> [entry.document for entry in move(ranking, "a", 1).retrieved]
    ['a', 'b']
    """
    entry = _entry(ranking, document)
    if rank is not None and (type(rank) is not int or rank < 1):
        raise EditError(f"There is no rank {rank}; a rank is a whole number, 1 or more.")
    if rank is not None and ranking.retrieved[rank - 1 : rank] == (entry,):
        return ranking
    others = remove(ranking, document)
    if rank is not None:
        above, below = others.retrieved[: rank - 1], others.retrieved[rank - 1 :]
        between = bool(below) and below[0].tied
        return replace(others, retrieved=(*above, replace(entry, tied=between), *below))
    return replace(others, unretrieved=(replace(entry, tied=False), *others.unretrieved))


def step(ranking: HandRanking, document: str, ranks: int) -> HandRanking:
    """Move a document down by some ranks, up if negative; past the end it leaves the ranking.

    A document that is not ranked moves up to the last rank.

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
    """Tie a document with the one above it, or untie the two.

    Raises EditError when no document is above it.

    Examples
    --------
    >>> toggle_tie(HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"]), "a").ranks
    (1, 1)
    """
    entry = _entry(ranking, document)
    return _replaced(ranking, entry, replace(entry, tied=not entry.tied))


def set_grade(ranking: HandRanking, document: str, grade: float | None) -> HandRanking:
    """Change the grade of a document; None makes it unjudged.

    Raises EditError when the grade is not a finite number up to 1000, or the document is unknown,
    or it would be neither ranked nor judged.
    """
    entry = _entry(ranking, document)
    return _replaced(ranking, entry, replace(entry, grade=grade))


def step_grade(ranking: HandRanking, document: str, by: float) -> HandRanking:
    """Raise or lower a grade; a retrieved document lowered from 0 becomes unjudged.

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

    Raises EditError when its id is empty, too long, contains a line break, or is already used.
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
    """Remove a document from the ranking and from the judgments."""
    entry = _entry(ranking, document)
    # The next document of a tie leads it when the first one is removed.
    retrieved = (
        replace(each, tied=False) if above is entry and not entry.tied else each
        for above, each in zip((None, *ranking.retrieved), ranking.retrieved, strict=False)
        if each is not entry
    )
    unretrieved = tuple(each for each in ranking.unretrieved if each is not entry)
    return replace(ranking, retrieved=tuple(retrieved), unretrieved=unretrieved)


def rename(ranking: HandRanking, document: str, new: str) -> HandRanking:
    """Give a document another id, in its place.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3, "b": 0}, ["b", "a"])
    >>> [entry.document for entry in rename(ranking, "b", "c").retrieved]
    ['c', 'a']
    """
    entry = _entry(ranking, document)
    return _replaced(ranking, entry, replace(entry, document=new))


def swap(ranking: HandRanking, first: int, second: int) -> HandRanking:
    """Swap the documents at two ranks; the same ranks stay tied.

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


def ordered_as(ranking: HandRanking, other: HandRanking) -> HandRanking:
    """Return a ranking in the order of another one; documents that it lacks come last.

    The ranking itself, if that is its order.

    Examples
    --------
    >>> ranking = HandRanking.of("q1", {"a": 3}, ["a", "b", "c"])
    >>> shown = ordered_as(ranking, HandRanking.of("q1", {}, ["c", "a"]))
    >>> [entry.document for entry in shown.retrieved]
    ['c', 'a', 'b']
    """
    places = {entry.document: place for place, entry in enumerate(other.retrieved)}
    last = len(places)
    ordered = sorted(ranking.retrieved, key=lambda each: places.get(each.document, last))
    return in_order(ranking, ordered) if ordered != [*ranking.retrieved] else ranking


def best_first(ranking: HandRanking) -> HandRanking:
    """Return the ranking sorted by grade, highest first, without ties."""
    return in_order(ranking, sorted(ranking.retrieved, key=lambda entry: -(entry.grade or 0)))


def ideal(ranking: HandRanking) -> HandRanking:
    """Return all judged documents by grade, highest first, retrieved or not."""
    judged = tuple(entry for entry in ranking.entries if entry.grade is not None)
    return best_first(HandRanking(ranking.query, judged, aspects=ranking.aspects))


def backwards(ranking: HandRanking) -> HandRanking:
    """Return the ranking in reverse order, without ties."""
    return in_order(ranking, list(reversed(ranking.retrieved)))


def shuffled(ranking: HandRanking, seed: int) -> HandRanking:
    """Return the ranking in a random order, without ties."""
    return in_order(ranking, random.Random(seed).sample(ranking.retrieved, len(ranking.retrieved)))


def in_order(ranking: HandRanking, entries: Iterable[Entry]) -> HandRanking:
    """Return the retrieved documents in this order, without ties."""
    return replace(ranking, retrieved=tuple(replace(entry, tied=False) for entry in entries))


def _replaced(ranking: HandRanking, old: Entry, new: Entry) -> HandRanking:
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
