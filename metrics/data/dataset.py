"""A data set: qrels, runs, and the texts behind the ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .run_and_qrels import Qrels, Run

TEXTS = ("query_texts", "document_texts", "query_groups")
"""The fields of `Dataset` other than the qrels and runs, which are also the roles of files."""


@dataclass(frozen=True, eq=False)
class Dataset:
    """Qrels, the runs to evaluate, the texts to show beside the ids, and groups of queries."""

    title: str
    qrels: Qrels
    runs: tuple[Run, ...]
    query_texts: Mapping[str, str] = field(default_factory=dict)
    document_texts: Mapping[str, str] = field(default_factory=dict)
    query_groups: Mapping[str, str] = field(default_factory=dict)
