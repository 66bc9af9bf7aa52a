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
    short
        Each value in a few words that need no name before them.
    """

    name: str
    values: dict[str, str]
    short: dict[str, str]

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
        {
            "linear": "gain = grade",
            "exponential": "gain = 2^grade − 1",
            "binary": "gain = 1 for grades above 0",
        },
    ),
    "discount": Choice(
        "discount",
        {name: discount.words for name, discount in DISCOUNTS.items()},
        {name: discount.words.partition(",")[0] for name, discount in DISCOUNTS.items()},
    ),
    "ideal": Choice(
        "ideal ranking",
        {
            "judged": "all judged documents",
            "retrieved": "retrieved documents only",
            "doubled": "top k plus all judged documents, so some count twice",
        },
        {
            "judged": "ideal of all judged",
            "retrieved": "ideal of the retrieved only",
            "doubled": "ideal counts some twice",
        },
    ),
    "ideal_cut": Choice(
        "cutoff of the ideal",
        {"k": "k", "whole": "none"},
        {"k": "ideal cut at k", "whole": "ideal not cut"},
    ),
    "ties": Choice(
        "ties",
        {
            "descending": "by document id, descending",
            "ascending": "by document id, ascending",
            "input": "in input order",
            "mean": "mean over all orders",
        },
        {
            "descending": "ties by id, descending",
            "ascending": "ties by id, ascending",
            "input": "ties in input order",
            "mean": "ties averaged",
        },
    ),
    "unjudged": Choice(
        "unjudged documents",
        {"zero": "keep their rank, gain 0", "removed": "removed, lower ranks move up"},
        {"zero": "unjudged keep their rank", "removed": "unjudged removed"},
    ),
    "own_document": Choice(
        "document with the query's id",
        {"kept": "kept", "removed": "removed, lower ranks move up"},
        {"kept": "query's own document kept", "removed": "query's own document removed"},
    ),
    "negative": Choice(
        "negative grades",
        {
            "unjudged": "unjudged, gain 0",
            "nonrelevant": "judged not relevant, gain 0",
            "subtract": "judged not relevant, negative gain",
        },
        {
            "unjudged": "negative grades unjudged",
            "nonrelevant": "negative grades not relevant",
            "subtract": "negative grades subtract",
        },
    ),
    "scores": Choice(
        "score precision",
        {"double": "64-bit floats", "single": "32-bit floats"},
        {"double": "64-bit scores", "single": "32-bit scores"},
    ),
    "queries": Choice(
        "mean over",
        {
            "both": "queries in both run and qrels",
            "qrels": "all judged queries, 0 if not in the run",
        },
        {"both": "mean over queries of both", "qrels": "mean over all judged queries"},
    ),
    "undefined": Choice(
        "queries with nothing to find",
        {"zero": "score 0", "one": "score 1 where 0/0", "skip": "left out of the mean"},
        {"zero": "0/0 is 0", "one": "0/0 is 1", "skip": "0/0 left out"},
    ),
    "precision": Choice(
        "P@k divided by",
        {"k": "k", "returned": "min(k, documents retrieved)"},
        {"k": "divided by k", "returned": "divided by min(k, retrieved)"},
    ),
    "ap": Choice(
        "AP divided by",
        {
            "R": "R, all relevant documents",
            "capped": "min(k, R)",
            "retrieved": "min(k, relevant documents retrieved)",
            "top": "relevant documents in the top k",
        },
        {
            "R": "divided by all relevant",
            "capped": "divided by min(k, R)",
            "retrieved": "divided by the relevant retrieved",
            "top": "divided by the relevant in the top k",
        },
    ),
    "rbp": Choice(
        "RBP gain",
        {
            "scaled": "the grade divided by the query's highest",
            "relevant": "1 for relevant documents",
            "grade": "the grade",
        },
        {
            "scaled": "gain = grade / highest grade",
            "relevant": "gain = 1 if relevant",
            "grade": "gain = grade",
        },
    ),
    "recall_points": Choice(
        "recall p reached at",
        {"nearest": "p·R documents, rounded", "up": "p·R + 0.9 documents, rounded down"},
        {"nearest": "recall points rounded", "up": "recall points rounded up"},
    ),
}

OF_EVERY_MEASURE = ("ties", "unjudged", "own_document", "scores", "queries", "undefined")
"""The choices that affect the ranking or the mean, and so every measure."""
