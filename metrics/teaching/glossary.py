"""The words used here: what Learn lists, and what the columns of tables say when asked."""

from __future__ import annotations

import re

GLOSSARY: dict[str, str] = {
    "run": "What a ranker returned: for each query, documents with scores, the highest first.",
    "qrels": "The judgments: for each query, documents with grades. Most documents have none.",
    "grade": "How relevant a judge found a document: 0 is not relevant, higher is better.",
    "relevant": "Of a grade that reaches the level of the convention, by default 1.",
    "unjudged": "Without a grade. It holds its rank and earns nothing, unless it is removed.",
    "gain": "What a grade is worth: the grade itself, or 2^grade − 1.",
    "discount": "Why a gain counts less further down: it is divided by log₂(rank + 1).",
    "cutoff": "The k of nDCG@k: only the top k ranks count.",
    "ideal": "The best possible ranking of the judged documents; nDCG divides by what it earns.",
    "ledger": "A line for each rank, saying what it adds to the score; the lines sum to it.",
    "R": "How many documents are relevant to the query, retrieved or not.",
    "rank": "The place in the ranking, 1 at the top.",
    "contribution": "What a rank adds to the score; the contributions sum to it.",
    "total": "The contributions down to this rank, summed: the measure with this rank as cutoff.",
    "ranked at": "The rank at which the ranking really has this document of the ideal.",
    "precision": "The share of the documents down to a rank that is relevant.",
    "recall": "The share of the relevant documents that stands down to a rank.",
    "hit": "A relevant document in the ranking.",
    "tie": "Two documents of the same score. Tools order them by id, by input, or take the mean.",
    "convention": "The choices on which tools disagree, held with every number shown here.",
    "DCG": "Discounted cumulative gain: each gain divided by its discount, summed.",
    "IDCG": "The DCG of the ideal ranking; nDCG is DCG divided by it.",
    "MAP": "The mean over the queries of AP, average precision.",
    "MRR": "The mean over the queries of RR, reciprocal rank.",
    "mean score": "A query's score counts as much as any other's, however many documents.",
}
"""The words used here."""


def words_in(text: str) -> list[str]:
    """The words of the glossary that a text uses, in the order of the glossary.

    Examples
    --------
    >>> words_in("Gains, each divided by a discount; R is not in this.")
    ['gain', 'discount', 'R']
    """
    return [word for word in GLOSSARY if _pattern(word).search(text)]


def _pattern(word: str) -> re.Pattern[str]:
    """The word or its plural; a letter such as R as it is written."""
    return re.compile(rf"\b{re.escape(word)}s?\b", 0 if word.isupper() else re.IGNORECASE)
