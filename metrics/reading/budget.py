"""How much may still be read: one account for all the files that are read together."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from ..data import Pairs

OVERHEAD = 100
"""Bytes that a text takes beside its characters, about."""
PER_ROW = 20
"""Bytes that a row takes beside the characters of its document id."""


@dataclass
class Budget:
    """What was read so far, and how much may be kept of it.

    Attributes
    ----------
    most
        Bytes that may be kept in all; endless for who reads files by themselves.
    kept
        Bytes that are kept of what was read.
    is_spent
        Whether something was refused since it would be more: nothing else needs to be read.
    unpacked
        Bytes that the Parquet files of the present upload have become, with each text in full.
    """

    most: float = math.inf
    kept: int = 0
    is_spent: bool = False
    unpacked: int = 0


def weight(pairs: Pairs) -> int:
    """About how many bytes a run or qrels hold."""
    ids = sum(OVERHEAD + len(query.encode()) for query in pairs.queries)
    return pairs.query.nbytes + pairs.value.nbytes + int(pairs.document.nbytes) + ids


def weight_of_texts(texts: Mapping[str, str]) -> int:
    """About how many bytes texts by their ids hold."""
    return sum(OVERHEAD + len(key.encode()) + len(text.encode()) for key, text in texts.items())
