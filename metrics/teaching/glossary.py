"""Glossary: the words that Learn lists and the tooltips of table columns show."""

from __future__ import annotations

import re

GLOSSARY: dict[str, str] = {
    "run": "The output of a ranker: for each query, documents with scores, highest first.",
    "qrels": "The judgments: for each query, documents with grades. Most documents have none.",
    "grade": "How relevant a judge found a document: 0 is not relevant, higher is better.",
    "relevant": "Having a grade of at least the convention's level, by default 1.",
    "unjudged": "Without a grade. It keeps its rank and earns nothing, unless it is removed.",
    "gain": "The worth of a grade: the grade itself, or 2^grade − 1.",
    "discount": "The number a gain is divided by, larger at lower ranks: log₂(rank + 1).",
    "cutoff": "The k of nDCG@k: only the top k ranks count.",
    "ideal": "The best possible ranking of the judged documents; nDCG divides by its DCG.",
    "ledger": "One line per rank with its contribution; the lines sum to the score.",
    "R": "The number of relevant documents of the query, retrieved or not.",
    "rank": "The position in the ranking, 1 at the top.",
    "contribution": "The part of the score that a rank adds; the contributions sum to the score.",
    "total": "The sum of the contributions down to this rank: the measure with this cutoff.",
    "ranked at": "The rank of this document of the ideal in the actual ranking.",
    "precision": "The share of the documents down to a rank that are relevant.",
    "recall": "The share of the relevant documents that are retrieved down to a rank.",
    "hit": "A relevant document in the ranking.",
    "tie": "Two documents with the same score. Tools order them by id or input, or average.",
    "convention": "The choices on which tools disagree. Every number here names its convention.",
    "DCG": "Discounted cumulative gain: each gain divided by its discount, summed.",
    "IDCG": "The DCG of the ideal ranking; nDCG is DCG divided by IDCG.",
    "MAP": "Mean average precision: the mean of AP over the queries.",
    "MRR": "Mean reciprocal rank: the mean of RR over the queries.",
    "mean score": "The mean over the queries; each counts the same, however many documents it has.",
}
"""The meaning of each word, in one or two sentences."""


def words_in(text: str) -> list[str]:
    """Return the words of the glossary that a text uses, in the order of the glossary.

    Examples
    --------
    >>> words_in("Gains, each divided by a discount; R is not in this.")
    ['gain', 'discount', 'R']
    """
    return [word for word in GLOSSARY if _pattern(word).search(text)]


def _pattern(word: str) -> re.Pattern[str]:
    """Return a pattern for the word or its plural; words in capitals, such as R, match exactly."""
    return re.compile(rf"\b{re.escape(word)}s?\b", 0 if word.isupper() else re.IGNORECASE)
