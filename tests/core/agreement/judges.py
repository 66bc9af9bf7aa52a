"""Judges of seeded cases, for the tests of their agreement."""

import random

import numpy as np

from metrics import Qrels

GRADES = ([0, 1], [0, 1, 2, 3], [-2, 0, 1, 4], [0, 0.25, 0.5, 1], [-1.5, 7, 100], [*range(11)])


def judges_of(columns, of_query=4):
    """The qrels of judges from lists of their grades, a query per four documents."""
    return [
        Qrels.from_dict(
            {
                f"q{start // of_query}": {
                    f"d{place}": grade
                    for place, grade in enumerate(grades[start : start + of_query])
                    if grade is not None
                }
                for start in range(0, len(grades), of_query)
            }
        )
        for grades in columns
    ]


def drawn(seed, judges=2, documents=60, missing=0.2, scale=None):
    """Grades of judges who agree on about half of the documents; None is missing."""
    lots = random.Random(seed)
    scale = scale or lots.choice(GRADES)
    usual = [lots.choice(scale) for _ in range(documents)]
    return [
        [
            None
            if lots.random() < missing
            else lots.choice(scale)
            if lots.random() < 0.5
            else grade
            for grade in usual
        ]
        for _ in range(judges)
    ]


def both(a, b):
    """The pairs of grades of documents that both judged."""
    return [pair for pair in zip(a, b, strict=True) if None not in pair]


def simulated(lots, queries):
    """The grades of two judges who agree more in some queries than in others."""
    usual = lots.integers(0, 4, (queries, 6))
    agreeing = lots.random((queries, 6)) < lots.beta(4, 2, (queries, 1))
    other = np.where(agreeing, usual, lots.integers(0, 4, (queries, 6)))
    return judges_of([usual.ravel().tolist(), other.ravel().tolist()], 6)
