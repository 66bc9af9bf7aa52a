"""Queries that one file names by their texts and another by their ids, joined by the texts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import replace

from ..data import Note, PairsT
from ..words import count, quote


def named_by_ids(pairs: PairsT, texts: Mapping[str, str], others: Collection[str]) -> PairsT:
    """Return a run or qrels with ids in the place of query texts, and a note; itself without need.

    Parameters
    ----------
    texts
        The text of each query by its id; texts of several queries join nothing.
    others
        The queries of the files on the other side: ids join only if no query is there by its text.

    Examples
    --------
    >>> from metrics import Qrels
    >>> qrels = Qrels.from_dict({"star wars": {"11": 3}}, "quepid")
    >>> found = named_by_ids(qrels, {"q7": "Star Wars"}, {"q7", "q8"})
    >>> print(found.to_dict(), *found.notes)
    {'q7': {'11': 3.0}} 1 query was named by its text and has its id now: 'star wars' is 'q7'.
    """
    if not texts or not set(pairs.queries).isdisjoint(others):
        return pairs
    times = Counter(map(_plain, texts.values()))
    ids = {_plain(text): each for each, text in texts.items() if text and times[_plain(text)] == 1}
    found = {query: ids[_plain(query)] for query in pairs.queries if _plain(query) in ids}
    renamed = {query: each for query, each in found.items() if each in others}
    if not renamed or len(set(renamed.values())) < len(renamed):
        return pairs
    first, called = next(iter(renamed.items()))
    many = count(len(renamed), "query was", "queries were")
    has = "its text and has its id" if len(renamed) == 1 else "their texts and have their ids"
    note = Note(f"{many} named by {has} now: {quote(first)} is {quote(called)}.", "N-QUERY-TEXT")
    queries = tuple(renamed.get(query, query) for query in pairs.queries)
    return replace(pairs, queries=queries).noted((*pairs.notes, note))


def _plain(text: str) -> str:
    """Return a text without what two programs may write in two ways: case and white space."""
    return " ".join(text.split()).casefold()
