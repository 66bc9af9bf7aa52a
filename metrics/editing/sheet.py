"""A judge's sheet: what was said of the documents of one query, apart from any ranking."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace

from ..data import Qrels
from .log import ANEW, Said
from .signature import Signature

OfQuery = Mapping[str, Mapping[str, Said]]
"""What was said of each document, by query."""


def own_word(judge: str) -> str:
    """Return what an origin has in the place of a run for what a judge says who judges anew."""
    # An origin's parts have no slash, as a name may, and a name has single blanks.
    name = " ".join(judge.split())
    return ANEW + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def new_in(said: Mapping[str, Said], before: Mapping[str, Said]) -> dict[str, Said]:
    """Return what was not said before: the same by the same judge, with that note, is nothing new.

    Examples
    --------
    >>> ada, later = (Signature("Ada", f"2026-11-25T09:3{x}:00Z") for x in range(2))
    >>> new_in({"a": Said(1, later), "b": Said(2, later)}, {"a": Said(1, ada)})
    {'b': Said(grade=2, signed=Signature(judge='Ada', time='2026-11-25T09:31:00Z', note=''), \
unclear=False)}
    """

    def is_new(document: str) -> bool:
        known, time = before.get(document), said[document].signed.time
        return said[document] != (known and replace(known, signed=replace(known.signed, time=time)))

    return {document: said[document] for document in said if is_new(document)}


def signatures(said: OfQuery) -> dict[tuple[str, str], Signature]:
    """Return who said what holds, by query and document: a grade, or that it cannot be graded."""
    return {
        (query, document): each.signed
        for query, of in said.items()
        for document, each in of.items()
        if each.is_seen
    }


def notes_of(said: OfQuery) -> dict[str, dict[str, str]]:
    """Return the judges' notes on documents that they graded, by query and document."""
    notes: dict[str, dict[str, str]] = {}
    for query, of in said.items():
        for document, each in of.items():
            if each.signed.note and each.grade is not None:
                notes.setdefault(query, {})[document] = each.signed.note
    return notes


def by_judge(judges: Mapping[str, OfQuery]) -> dict[str, Qrels]:
    """Return the grades of each judge with a name, with the judge's notes as reasons.

    Examples
    --------
    >>> ada = Signature("Ada", "2026-11-25T09:30:00Z", "names the model")
    >>> judged = {"q": {"d": Said(2, ada), "x": Said(None, ada, unclear=True)}}
    >>> {judge: qrels.to_dict() for judge, qrels in by_judge({"Ada": judged}).items()}
    {'Ada': {'q': {'d': 2.0}}}
    """
    grades = {judge: grades_of(said) for judge, said in judges.items() if judge}
    return {
        judge: replace(Qrels.from_dict(of, judge), reasons=notes_of(judges[judge]))
        for judge, of in grades.items()
        if any(of.values())
    }


def grades_of(said: OfQuery) -> dict[str, dict[str, float]]:
    """Return the grades that were given, by query and document."""
    return {
        query: {name: each.grade for name, each in of.items() if each.grade is not None}
        for query, of in said.items()
    }
