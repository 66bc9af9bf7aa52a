"""Choices on which evaluation tools disagree: their values, and the words for them."""

from __future__ import annotations

from dataclasses import dataclass

from .discounts import DISCOUNTS


@dataclass(frozen=True)
class Choice:
    """One choice of a convention.

    Attributes
    ----------
    name
        The name inside a sentence: ``gain``, ``AP divided by``.
    values
        The words for each value.
    """

    name: str
    values: dict[str, str]

    @property
    def label(self) -> str:
        """The name as the label of a field or a column."""
        return f"{self.name[0].upper()}{self.name[1:]}"


CHOICES: dict[str, Choice] = {
    "gain": Choice(
        "gain",
        {
            "linear": "the grade",
            "exponential": "2^grade − 1",
            "binary": "1 for grades above 0",
        },
    ),
    "discount": Choice("discount", {name: discount.words for name, discount in DISCOUNTS.items()}),
    "ideal": Choice(
        "ideal ranking",
        {
            "judged": "all judged documents",
            "retrieved": "retrieved documents only",
            "doubled": "top k plus all judged documents, so some count twice",
        },
    ),
    "ideal_cut": Choice("cutoff of the ideal", {"k": "k", "whole": "none"}),
    "ties": Choice(
        "ties",
        {
            "descending": "by document id, descending",
            "ascending": "by document id, ascending",
            "input": "in input order",
            "mean": "mean over all orders",
        },
    ),
    "unjudged": Choice(
        "unjudged documents",
        {"zero": "keep their rank, gain 0", "removed": "removed, lower ranks move up"},
    ),
    "negative": Choice(
        "negative grades",
        {
            "unjudged": "unjudged, gain 0",
            "nonrelevant": "judged not relevant, gain 0",
            "subtract": "judged not relevant, negative gain",
        },
    ),
    "scores": Choice("score precision", {"double": "64-bit floats", "single": "32-bit floats"}),
    "queries": Choice(
        "mean over",
        {
            "both": "queries in both run and qrels",
            "qrels": "all judged queries, 0 if not in the run",
        },
    ),
    "undefined": Choice(
        "queries with nothing to find",
        {"zero": "score 0", "one": "score 1 where 0/0", "skip": "left out of the mean"},
    ),
    "precision": Choice("P@k divided by", {"k": "k", "returned": "min(k, documents retrieved)"}),
    "ap": Choice(
        "AP divided by",
        {
            "R": "R, all relevant documents",
            "capped": "min(k, R)",
            "retrieved": "min(k, relevant documents retrieved)",
        },
    ),
    "rbp": Choice(
        "RBP gain",
        {
            "scaled": "the grade divided by the query's highest",
            "relevant": "1 for relevant documents",
            "grade": "the grade",
        },
    ),
    "recall_points": Choice(
        "recall p reached at",
        {"nearest": "p·R documents, rounded", "up": "p·R + 0.9 documents, rounded down"},
    ),
}

OF_EVERY_MEASURE = ("ties", "unjudged", "scores", "queries", "undefined")
"""The choices that affect the ranking or the mean, and so every measure."""
