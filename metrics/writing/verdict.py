"""Write a verdict: for a terminal, as Markdown, and as values for JSON."""

import textwrap
from typing import Any

from ..deciding import Statement, Verdict
from ..words import visible
from .markdown import escaped
from .table import Cell, cell

TITLES = {
    "chance": "Chance",
    "excluded": "Likely lead",
    "ids": "Ids",
    "unjudged": "Unjudged",
    "grades": "Missing grades",
    "queries": "Missing queries",
    "few": "Sensitivity",
    "ties": "Equal scores",
    "lengths": "List lengths",
    "choices": "Other choices",
    "level": "Relevance level",
    "outlier": "Outliers",
    "others": "Other measures",
}
"""The title of each kind of threat."""
REVERSED = "the other run leads"
"""What a threat that favours the other run is marked with."""


def verdict_text(verdict: Verdict, width: int = 100) -> str:
    """Return the sentence, then each threat under its title, wrapped to a width in columns.

    Examples
    --------
    >>> from metrics.deciding import Statement, Verdict
    >>> few = Statement("few", "With 3 queries a difference under 0.5 would often be missed.")
    >>> found = Verdict("none", Statement("result", "{} leads.", ("bm25",)), (few,))
    >>> print(verdict_text(found, 50), end="")
    bm25 leads.
      Sensitivity: With 3 queries a difference under
        0.5 would often be missed.
    """
    lines = textwrap.wrap(verdict.sentence.text(), width)
    for threat in verdict.threats:
        said = f"{TITLES[threat.kind]}: {threat.text()}"
        if threat.reverses:
            said = f"{said} [{REVERSED}]"
        lines += textwrap.wrap(said, width, initial_indent="  ", subsequent_indent="    ")
    return "\n".join(lines) + "\n"


def verdict_markdown(verdict: Verdict) -> str:
    """Return the sentence in bold, then each threat as an item; names are escaped.

    Examples
    --------
    >>> from metrics.deciding import Statement, Verdict
    >>> ties = Statement("ties", "Equal scores in {} decide.", ("bm_25",), {}, True)
    >>> found = Verdict("B", Statement("result", "{} leads.", ("bm_25",)), (ties,))
    >>> print(verdict_markdown(found), end="")
    **bm\\_25 leads.**
    <BLANKLINE>
    - **Equal scores (the other run leads)**: Equal scores in bm\\_25 decide.
    """

    def named(name: str) -> str:
        return escaped(visible(name))

    items = [
        f"- **{TITLES[each.kind]}{f' ({REVERSED})' if each.reverses else ''}**: {each.text(named)}"
        for each in verdict.threats
    ]
    blocks = [f"**{verdict.sentence.text(named)}**", "\n".join(items)]
    return "\n\n".join(filter(None, blocks)) + "\n"


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
