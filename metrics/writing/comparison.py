"""Comparisons as tables to write: the evidence of each measure, and each query's delta."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..compare import Comparison
from ..evidence import Evidence
from ..significance import TESTS
from .table import Table

_SUMMARY = {
    "queries": "queries",
    "mean A": "mean_a",
    "mean B": "mean_b",
    "delta": "delta",
    "relative": "relative",
    "low": "low",
    "high": "high",
    "p": "p",
    "p Holm": "corrected",
    "effect": "effect",
    "wins": "wins",
    "ties": "ties",
    "losses": "losses",
}
"""The columns of the means, by the field of the evidence that they show."""


def evidence_table(rows: Mapping[str, Evidence], test: str, seed: int) -> Table:
    """One row for each measure; the labels say what test and interval are.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> from metrics.evidence import evidence
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> run = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> table = evidence_table(evidence(compare(qrels, run, run, "RR")), "t", 0)
    >>> dict(zip(table.columns, table.rows[0]))["mean A"]
    0.75
    """
    found = (
        [measure, *(getattr(each, name) for name in _SUMMARY.values())]
        for measure, each in rows.items()
    )
    labels = {
        "low, high": "95 % bootstrap interval of the mean delta",
        "test": f"{TESTS[test].title}, two-sided; Holm over the measures; seed {seed}",
    }
    return Table.of(["measure", *_SUMMARY], found).saying(labels=labels)


def queries_table(compared: Comparison) -> Table:
    """Each measure's queries by falling delta, then the means, under the name ``all``."""
    return Table.of(["measure", "query", "A", "B", "delta"], _queries(compared))


def _queries(compared: Comparison) -> Iterator[list[Any]]:
    for measure in compared.a.ledgers:
        frame = compared.per_query(measure).sort_values("delta", ascending=False, kind="stable")
        for query, *values in frame.itertuples():
            yield [measure, query, *values]
        summary = compared.summary(measure)
        yield [measure, "all", summary.mean_a, summary.mean_b, summary.delta]
