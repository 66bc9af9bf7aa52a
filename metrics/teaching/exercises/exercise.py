"""An exercise as a value: what is asked, what is given, what is to be filled in."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...conventions.convention import TREC_EVAL
from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...measures.ledger import Ledger
from ...writing import Table
from .blanks import Blank


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes
    ----------
    question
        What is asked, in a sentence or two.
    given
        The tables that are shown, by title; a blank cell holds its letter.
    rankings
        The rankings that are asked about, by the name they have in the question.
    measures
        The measures that are asked for, under trec_eval's convention and their own parameters.
    """

    question: str
    given: Mapping[str, Table]
    blanks: tuple[Blank, ...]
    rankings: Mapping[str, HandRanking]
    measures: tuple[Measure, ...]

    @property
    def rules(self) -> str:
        """The convention in words, as far as it matters here."""
        said: dict[str, None] = {}
        for measure in self.measures:
            sentences = measure.under(TREC_EVAL).sentences()
            said |= {sentences[name]: None for name in measure.choices if name != "negative"}
        entries = [entry for ranking in self.rankings.values() for entry in ranking.retrieved]
        if any(entry.grade is None for entry in entries):
            said[f"{TREC_EVAL.sentences()['unjudged']} (shown as ?)"] = None
        return "; ".join(said)

    @property
    def shape(self) -> object:
        """What makes two exercises alike, whatever their documents are called."""
        grades = [
            [[entry.grade for entry in part] for part in (ranking.retrieved, ranking.unretrieved)]
            for ranking in self.rankings.values()
        ]
        return self.question, grades

    @property
    def ledgers(self) -> dict[str, list[Ledger]]:
        """The lines that lead to the answers, by ranking: of each measure, or of its parts."""
        return {
            name: [
                ranking.ledger(part)
                for measure in self.measures
                for part in measure.parts or (measure,)
            ]
            for name, ranking in self.rankings.items()
        }


def score(ranking: HandRanking, measure: Measure) -> float:
    """The score of a ranking, from its ledger."""
    return float(ranking.ledger(measure).scores[0])


def grade(value: float | None) -> str:
    """A grade as exercises show it."""
    return "?" if value is None or math.isnan(value) else f"{value:g}"


def list_of(ranking: HandRanking) -> dict[str, Table]:
    """A ranking with its grades, and what is judged besides."""
    return {**ranked(ranking, "The ranking"), **rest_of(ranking)}


def ranked(ranking: HandRanking, title: str) -> dict[str, Table]:
    """A ranking with its grades."""
    rows = [(i, e.document, grade(e.grade)) for i, e in enumerate(ranking.retrieved, 1)]
    return {title: Table.of(("rank", "document", "grade"), rows)}


def rest_of(ranking: HandRanking) -> dict[str, Table]:
    """The judged documents that are not retrieved, if there are any."""
    rows = [(entry.document, grade(entry.grade)) for entry in ranking.unretrieved]
    return {"Judged, not retrieved": Table.of(("document", "grade"), rows)} if rows else {}
