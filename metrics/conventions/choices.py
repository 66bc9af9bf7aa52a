"""What evaluation tools disagree about: each choice, its values, and the words for them."""

from __future__ import annotations

from dataclasses import dataclass

from .discounts import DISCOUNTS


@dataclass(frozen=True)
class Choice:
    """One thing to choose.

    Attributes
    ----------
    name
        Its name inside a sentence: ``gain``, ``AP divided by``.
    values
        Each value with the words for it.
    """

    name: str
    values: dict[str, str]

    @property
    def label(self) -> str:
        """Its name at the head of a field or a column."""
        return f"{self.name[0].upper()}{self.name[1:]}"


CHOICES: dict[str, Choice] = {
    "gain": Choice(
        "gain",
        {
            "linear": "the grade",
            "exponential": "2^grade − 1",
            "binary": "1 for every grade above 0",
        },
    ),
    "discount": Choice(
        "gains divided by", {name: discount.words for name, discount in DISCOUNTS.items()}
    ),
    "ideal": Choice(
        "ideal ranking of",
        {
            "judged": "all judged documents",
            "retrieved": "the retrieved documents only",
            "doubled": "the top k and all judged documents, so that some count twice",
        },
    ),
    "ideal_cut": Choice("ideal ranking down to", {"k": "the cutoff k", "whole": "its end"}),
    "ties": Choice(
        "equal scores",
        {
            "descending": "by document id, descending",
            "ascending": "by document id, ascending",
            "input": "in input order",
            "mean": "mean over all their orders",
        },
    ),
    "unjudged": Choice(
        "unjudged documents",
        {"zero": "keep their rank, earn 0", "removed": "removed, the ranks close up"},
    ),
    "negative": Choice(
        "grades below 0",
        {
            "unjudged": "as unjudged, gain 0",
            "nonrelevant": "judged not relevant, gain 0",
            "subtract": "judged not relevant, gain below 0",
        },
    ),
    "scores": Choice("scores compared", {"double": "as doubles", "single": "as 32-bit floats"}),
    "queries": Choice(
        "mean over",
        {"both": "queries in run and qrels", "qrels": "all judged queries, 0 if not in the run"},
    ),
    "undefined": Choice(
        "query with nothing to find",
        {"zero": "scores 0", "one": "scores 1 where 0/0", "skip": "left out of the mean"},
    ),
    "precision": Choice(
        "P@k divided by", {"k": "k", "returned": "k or the documents returned, if fewer"}
    ),
    "ap": Choice(
        "AP divided by",
        {
            "R": "all relevant documents R",
            "capped": "R or k, the smaller",
            "retrieved": "the relevant retrieved or k, the smaller",
        },
    ),
    "rbp": Choice(
        "RBP counts",
        {
            "scaled": "the grade as a share of the query's highest",
            "relevant": "1 for each relevant document",
            "grade": "the grade itself",
        },
    ),
    "recall_points": Choice(
        "recall point p of R documents",
        {"nearest": "p·R rounded to the nearest", "up": "p·R + 0.9 rounded down"},
    ),
}

OF_EVERY_MEASURE = ("ties", "unjudged", "scores", "queries", "undefined")
"""What makes the ranking and the mean, and so matters to every measure."""
