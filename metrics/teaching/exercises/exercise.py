"""An exercise as a value: its question, its tables and its blanks."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ...conventions.convention import TREC_EVAL
from ...editing.hand_ranking import HandRanking
from ...measures import Measure
from ...measures.ledger import Ledger
from ...writing import Table
from .blanks import Blank

ALL = "No other document is relevant."
"""What every exercise takes for granted."""


@dataclass(frozen=True)
class Exercise:
    """One exercise.

    Attributes
    ----------
    question
        The question, in one or two sentences.
    tables
        The tables to show, by title; a blank cell contains its letter.
    blanks
        The blanks to fill in.
    rankings
        The rankings in question, by their names in it.
    measures
        The measures to work out, under trec_eval's convention and their own parameters.
    """

    question: str
    tables: Mapping[str, Table]
    blanks: tuple[Blank, ...]
    rankings: Mapping[str, HandRanking]
    measures: tuple[Measure, ...]

    @property
    def query(self) -> str:
        """The query that the rankings answer."""
        return next(iter(self.rankings.values())).query

    @property
    def cells(self) -> set[str]:
        """The contents of all cells of the tables, among them the letters of blank cells."""
        tables = self.tables.values()
        return {str(cell) for table in tables for row in table.rows for cell in row}

    @property
    def rules(self) -> dict[str, str]:
        """The choices of the convention that affect this exercise, in words, by their names."""
        rules: dict[str, str] = {}
        for measure in self.measures:
            sentences = measure.under(TREC_EVAL).sentences()
            rules |= {name: sentences[name] for name in measure.choices if name != "negative"}
        entries = [entry for ranking in self.rankings.values() for entry in ranking.retrieved]
        if any(entry.grade is None for entry in entries):
            rules["unjudged"] = f"{TREC_EVAL.sentences()['unjudged']} (shown as ?)"
        return rules

    @property
    def shape(self) -> object:
        """The question and the grades; exercises with the same shape differ in documents alone."""
        rankings = self.rankings.values()
        return self.question, [[entry.grade for entry in each.entries] for each in rankings]

    @property
    def ledgers(self) -> dict[str, list[Ledger]]:
        """The ledgers that lead to the answers, by ranking: of each measure, or of its parts."""
        parts = [part for measure in self.measures for part in measure.parts or (measure,)]
        return {name: [*map(ranking.ledger, parts)] for name, ranking in self.rankings.items()}

    def lists(self, ledger: Ledger) -> bool:
        """Return whether a ledger's lines say more than the exercise and the formula do."""
        columns = ledger.parts[0].table(self.query).columns
        return not self.blanks[0].letter and not columns.intersection(["log2", "precision"]).empty


def score(ranking: HandRanking, measure: Measure) -> float:
    """Return the score of a ranking, from its ledger."""
    return float(ranking.ledger(measure).scores[0])


def grade(value: float | None) -> str:
    """Return a grade as exercises show it; ``?`` if it is missing."""
    return "?" if value is None or math.isnan(value) else f"{value:g}"


def list_of(ranking: HandRanking) -> dict[str, Table]:
    """Return a table of the ranking with its grades, and one of the other judged documents."""
    return {**ranked(ranking, "The ranking"), **rest_of(ranking)}


def ranked(ranking: HandRanking, title: str) -> dict[str, Table]:
    """Return a table of the ranking with its grades, under its title."""
    rows = [(i, e.document, grade(e.grade)) for i, e in enumerate(ranking.retrieved, 1)]
    return {title: Table.of(("rank", "document", "grade"), rows)}


def rest_of(ranking: HandRanking) -> dict[str, Table]:
    """Return a table of the judged documents that are not retrieved, if there are any."""
    rows = [(entry.document, grade(entry.grade)) for entry in ranking.unretrieved]
    return {"Judged, not retrieved": Table.of(("document", "grade"), rows)} if rows else {}
