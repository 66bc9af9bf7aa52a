"""Comparisons as tables to write: the evidence of each measure, and each query's delta."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..comparing.comparison import Comparison
from ..comparing.evidence import Evidence
from ..comparing.significance import TESTS
from ..words import count
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
TITLES = {"delta": "delta B − A", "wins": "B better", "losses": "A better"}
"""What says to readers which way a column is to be read."""
DIRECTION = "delta = B − A"
_NAMED = 20


def about(compared: Comparison) -> dict[str, str]:
    """The labels of every table of a comparison: what its delta is, what it assumes or leaves out.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2}, "q2": {"x": 1}})
    >>> about(compare(qrels, a, a.only("q2"), "RR"))
    {'direction': 'delta = B − A', 'left out': '1 judged query only in run A (q1)'}
    """
    aside = {"not in a run": counted(compared), "left out": left_out(compared)}
    said = {name: "; ".join(queries) for name, queries in aside.items() if queries}
    return {"direction": DIRECTION} | said


def named(a: str, b: str, compared: Comparison) -> dict[str, str]:
    """The labels that say which runs were compared, and under which convention."""
    return {"run A": a, "run B": b, "convention": compared.a.convention.label}


def counted(compared: Comparison) -> list[str]:
    """The judged queries that are compared although a run lacks them."""
    return [_said(queries, what) for what, queries in compared.missing_but_counted.items()]


def left_out(compared: Comparison) -> list[str]:
    """The queries that are not compared, by why they are not."""
    gone: dict[str, Sequence[str]] = {
        "only in run A": compared.only_a,
        "only in run B": compared.only_b,
        "in neither run": compared.missing_from_both,
    }
    undefined: dict[tuple[str, ...], list[str]] = {}
    for measure in compared.a.ledgers:
        scored = set(compared.per_query(measure).index)
        queries = tuple(query for query in compared.queries if query not in scored)
        undefined.setdefault(queries, []).append(measure)
    gone |= {
        f"with nothing to find, for {', '.join(measures)}": queries
        for queries, measures in undefined.items()
    }
    said = [_said(queries, which) for which, queries in gone.items() if queries]
    return said + [_said(each, "that nobody judged", "") for each in [compared.unjudged] if each]


def _said(queries: Sequence[str], what: str, which: str = "judged ") -> str:
    listed = ", ".join(queries[:_NAMED]) + (", …" if len(queries) > _NAMED else "")
    many = count(len(queries), f"{which}query", f"{which}queries")
    return f"{many} {what} ({listed})"


def evidence_table(
    rows: Mapping[str, Evidence], compared: Comparison, test: str, seed: int
) -> Table:
    """One row for each measure; the labels say what test and interval are.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> from metrics.comparing.evidence import evidence
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> run = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> compared = compare(qrels, run, run, "RR")
    >>> table = evidence_table(evidence(compared), compared, "t", 0)
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
    both = about(compared) | {"direction": f"{DIRECTION}; a win is a query on which B is better"}
    table = Table.of(["measure", *_SUMMARY], found)
    return table.saying(labels=labels | both, titles=TITLES)


def queries_table(compared: Comparison) -> Table:
    """Each measure's queries by falling delta, then the means, under the name ``all``."""
    table = Table.of(["measure", "query", "A", "B", "delta"], _queries(compared))
    return table.saying(labels=about(compared), titles=TITLES)


def _queries(compared: Comparison) -> Iterator[list[Any]]:
    for measure in compared.a.ledgers:
        frame = compared.per_query(measure).sort_values("delta", ascending=False, kind="stable")
        for query, *values in frame.itertuples():
            yield [measure, query, *values]
        summary = compared.summary(measure)
        yield [measure, "all", summary.mean_a, summary.mean_b, summary.delta]
