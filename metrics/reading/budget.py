"""The memory budget of all files that are read together."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..data import Pairs

OVERHEAD = 100
"""Approximate bytes of a text in addition to its characters."""
PER_ROW = 20
"""Bytes of a row in addition to the characters of its document id."""


@dataclass
class Budget:
    """The bytes kept so far, and how many may be kept.

    Attributes
    ----------
    most
        Bytes that may be kept in all; infinite where files are read one by one.
    kept
        Bytes kept so far.
    is_spent
        Whether data were refused because they exceed the budget, so that reading can stop.
    unpacked
        Expanded bytes of the Parquet files of the current upload, with each text in full.
    """

    most: float = math.inf
    kept: int = 0
    is_spent: bool = False
    unpacked: int = 0


def weight(pairs: Pairs) -> int:
    """Return about how many bytes a run or qrels take."""
    ids = sum(OVERHEAD + len(query.encode()) for query in pairs.queries)
    reasons = sum(map(weight_of_texts, pairs.reasons.values()))
    aspects = sum(
        OVERHEAD * len(grades) + sum(map(len, grades))
        for of_query in pairs.aspects.values()
        for grades in of_query.values()
    )
    columns = pairs.query.nbytes + pairs.value.nbytes + int(pairs.document.nbytes)
    return columns + ids + reasons + aspects


def weight_of_texts(texts: Mapping[str, str]) -> int:
    """Return about how many bytes texts and their ids take."""
    return sum(OVERHEAD + len(key.encode()) + len(text.encode()) for key, text in texts.items())
