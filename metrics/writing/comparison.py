"""Tables of a comparison: the evidence for each measure, and the delta of each query."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..comparing.comparison import Comparison
from ..comparing.evidence import DEFAULT, Evidence, PairedTest
from ..comparing.significance import NONE, TESTS
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
"""The field of the evidence that each column shows, by the column's name."""
TITLES = {"delta": "delta B − A", "wins": "B better", "losses": "A better"}
"""Headers that state the direction of a column."""
DIRECTION = "delta = B − A"
_NAMED = 20
"""At most this many queries are named in a label."""


def about(compared: Comparison) -> dict[str, str]:
    """Return the labels of every table of a comparison: direction, missing queries, left-out ones.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> a = Run.from_dict({"q1": {"x": 2}, "q2": {"x": 1}})
    >>> about(compare(qrels, a, a.only("q2"), "RR"))
    {'direction': 'delta = B − A', 'left out': '1 judged query only in run A (q1)'}
    """
    notes = {"not in a run": counted(compared), "left out": left_out(compared)}
    labels = {name: "; ".join(queries) for name, queries in notes.items() if queries}
    return {"direction": DIRECTION} | labels


def named(a: str, b: str, compared: Comparison) -> dict[str, str]:
    """Return the labels that name the two runs and the convention."""
    return {"run A": a, "run B": b, "convention": compared.a.convention.label}


def counted(compared: Comparison) -> list[str]:
    """Return the judged queries that are compared although a run lacks them, one text per run."""
    return [_in_words(queries, where) for where, queries in compared.missing_but_counted.items()]


def left_out(compared: Comparison) -> list[str]:
    """Return the queries that are not compared, one text per reason."""
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
    texts = [_in_words(queries, reason) for reason, queries in gone.items() if queries]
    unjudged = compared.unjudged
    return [*texts, _in_words(unjudged, "that nobody judged", "")] if unjudged else texts


def _in_words(queries: Sequence[str], where: str, kind: str = "judged ") -> str:
    listed = ", ".join(queries[:_NAMED]) + (", …" if len(queries) > _NAMED else "")
    number = count(len(queries), f"{kind}query", f"{kind}queries")
    return f"{number} {where} ({listed})"


def evidence_table(
    rows: Mapping[str, Evidence],
    compared: Comparison,
    asked: PairedTest = DEFAULT,
    of: str = "measure",
) -> Table:
    """Return one row for each measure, or group; the labels name the test and the interval.

    ``of``: what each row is about. The first measure is primary; groups are all corrected together.

    Examples
    --------
    >>> from metrics import Qrels, Run, compare
    >>> from metrics.comparing.evidence import evidence
    >>> qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    >>> run = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    >>> compared = compare(qrels, run, run, "RR")
    >>> table = evidence_table(evidence(compared), compared)
    >>> dict(zip(table.columns, table.rows[0]))["mean A"]
    0.75
    """
    cells = (
        [measure, *(getattr(each, name) for name in _SUMMARY.values())]
        for measure, each in rows.items()
    )
    tested = "" if asked.test == NONE else f", two-sided{_family(rows, of)}"
    labels = {
        "low, high": "95 % interval of the mean delta (Student's t)",
        "test": f"{TESTS[asked.test].title}{tested}; seed {asked.seed}",
    }
    both = about(compared) | {"direction": f"{DIRECTION}; a win is a query on which B is better"}
    table = Table.of([of, *_SUMMARY], cells)
    return table.saying(labels=labels | both, titles=TITLES)


def _family(rows: Mapping[str, Evidence], of: str) -> str:
    """Return which p-values are corrected together."""
    if len(rows) < 2:
        return ""
    if of != "measure":
        return f"; Holm over the {len(rows)} {of}s"
    return f"; {next(iter(rows))} tested alone, Holm over the others"


def queries_table(compared: Comparison) -> Table:
    """Return each measure's queries by descending delta, then the means as the query ``all``."""
    table = Table.of(["measure", "query", "A", "B", "delta"], _queries(compared))
    return table.saying(labels=about(compared), titles=TITLES)


def _queries(compared: Comparison) -> Iterator[list[Any]]:
    for measure in compared.a.ledgers:
        frame = compared.per_query(measure).sort_values("delta", ascending=False, kind="stable")
        for query, *values in frame.itertuples():
            yield [measure, query, *values]
        summary = compared.summary(measure)
        yield [measure, "all", summary.mean_a, summary.mean_b, summary.delta]
