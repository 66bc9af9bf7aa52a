"""The subject of an exercise: a query of the samples, and titles of documents for its letters."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

from ...editing.hand_ranking import Entry, HandRanking
from ...writing.table import Cell
from ..samples import catalogue
from .draw import Draw
from .exercise import Exercise

_QUERIES = ("q01", "q03", "q04", "q05", "q10", "q13", "q14", "q15", "q20", "q23")
"""Queries of Shop search that are spelled right and have many judged documents."""
_ENDS = re.compile(r"[.,:;?(]| (?:and|at|built|by|for|in|made|powered|rated|that|which|with) ")
_SHORTEST, _LONGEST = 10, 36
"""A title has this many characters."""


def with_documents(made: Exercise, seed: str) -> Exercise:
    """Return an exercise with documents of a query instead of letters; no number changes.

    The better the grade, the better the document fits the query.
    """
    entries = next(iter(made.rankings.values())).entries
    relevant = sum(bool(entry.grade) for entry in entries)
    fitting = [
        query
        for query, (fit, others) in _subjects().items()
        if relevant <= len(fit) and len(entries) - relevant <= len(others)
    ]
    query = Draw(seed).one(fitting)
    fit, others = _subjects()[query]
    best_first = sorted(entries, key=lambda entry: -(entry.grade or 0))
    chosen = [*fit[:relevant], *others[: len(entries) - relevant]]
    titles = {entry.document: title for entry, title in zip(best_first, chosen, strict=True)}
    tables = {
        name: replace(table, rows=tuple(_row(table.columns, row, titles) for row in table.rows))
        for name, table in made.tables.items()
    }
    rankings = {name: _renamed(each, query, titles) for name, each in made.rankings.items()}
    return replace(made, tables=tables, rankings=rankings)


def _row(
    columns: Sequence[str], row: Sequence[Cell], titles: Mapping[str, str]
) -> tuple[Cell, ...]:
    return tuple(
        titles.get(str(cell), cell) if name == "document" else cell
        for name, cell in zip(columns, row, strict=True)
    )


def _renamed(ranking: HandRanking, query: str, titles: Mapping[str, str]) -> HandRanking:
    def renamed(entries: Sequence[Entry]) -> tuple[Entry, ...]:
        return tuple(replace(entry, document=titles[entry.document]) for entry in entries)

    return HandRanking(query, renamed(ranking.retrieved), renamed(ranking.unretrieved))


@cache
def _subjects() -> dict[str, tuple[list[str], list[str]]]:
    """Return the titles of the documents that fit each query, the best first, and of others."""
    shop = catalogue()["shop"].load()
    subjects = {}
    for query in _QUERIES:
        grades = shop.qrels.to_dict()[query]
        titles: dict[str, float] = {}
        for document in sorted(grades, key=lambda name: (-grades[name], name)):
            if title := _title(shop.document_texts[document]):
                titles.setdefault(title, grades[document])
        fit = [title for title, grade in titles.items() if grade]
        subjects[shop.query_texts[query]] = fit, [each for each in titles if each not in fit]
    return subjects


def _title(text: str) -> str:
    """Return the first words of a text, as far as they name a thing; empty if they are many.

    Examples
    --------
    >>> _title("Sport earbuds with ear hooks that stay put while you run.")
    'Sport earbuds'
    """
    end = next((at.start() for at in _ENDS.finditer(text) if at.start() >= _SHORTEST), len(text))
    return text[:end] if end <= _LONGEST else ""
