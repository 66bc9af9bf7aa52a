"""A verdict as values for JSON; as a `Section` it is its sentence and its threats."""

from typing import Any

from ..deciding import Statement, Verdict
from .table import Cell, cell


def verdict_facts(verdict: Verdict) -> dict[str, Any]:
    """Return the outcome, the numbers of the sentence, and those of each threat, without prose.

    A number that does not exist, such as the p-value of one query, is None.

    Examples
    --------
    >>> from metrics.deciding import Statement, Verdict
    >>> few = Statement("few", "…", (), {"queries": 3})
    >>> found = verdict_facts(Verdict("B", Statement("result", "…", (), {"p": 0.01}), (few,)))
    >>> found["outcome"], found["p"], found["threats"]
    ('B', 0.01, [{'kind': 'few', 'reverses': False, 'queries': 3}])
    """
    return {
        "outcome": verdict.outcome,
        "open": list(verdict.open),
        **_cells(verdict.sentence),
        "threats": [
            {"kind": each.kind, "reverses": each.reverses, **_cells(each)}
            for each in verdict.threats
        ],
    }


def _cells(statement: Statement) -> dict[str, Cell]:
    return {key: cell(value) for key, value in statement.facts.items()}
