"""Sentences about two runs without judgments; without streamlit."""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from ..comparing.similarity import P
from ..data import Run
from . import text
from .comparison_tables import with_texts


def headline(common: pd.DataFrame, a: Run, b: Run, depth: int) -> str:
    """Return how much two runs have in common, in Markdown; ``common``: from `in_common`."""
    mean = text.number(common["in common"].mean(), 1)
    over = f", on average over {len(common):,} queries" if len(common) > 1 else ""
    return (
        f":blue-background[A] {text.code(a.name)} and :orange-background[B] {text.code(b.name)} "
        f"have {mean} of their top {depth} documents in common{over}."
    )


def points(common: pd.DataFrame, a: Run, b: Run, depth: int, pooled: int) -> list[str]:
    """Return what else to know of two runs, and what it takes to score them.

    ``pooled``: how many documents the tops of both runs have together.
    """
    only = ", ".join(
        f"{text.number(common[f'only {side}'].mean(), 1)} of {side}'s" for side in "AB"
    )
    found = [
        f"**Found by one run only**, per query: {only} top {depth} documents.",
        f"**RBO** (p = {P:g}): {text.number(common['RBO'].mean(), 3)} on average. It compares "
        "whole rankings, the top first; 1 is the same, 0 is nothing in common.",
    ]
    known = set(common.index)
    for side, run in (("A", a), ("B", b)):
        if alone := len(set(run.queries) - known):
            found.append(f"**Only in {side}**: {text.count(alone, 'query', 'queries')}.")
    found.append(
        f"**Which is better** needs judgments: {text.count(pooled, 'document')} for the top "
        f"{depth} of both. Add qrels on Data at any time."
    )
    return found


def table(common: pd.DataFrame, depth: int, texts: Mapping[str, str]) -> pd.DataFrame:
    """Return the queries of `in_common` for a table, the least in common first."""
    order = common.sort_values(["in common", "RBO"], kind="stable")
    named = {
        "in common": f"in common, top {depth}",
        "only A": f"only A, top {depth}",
        "only B": f"only B, top {depth}",
    }
    frame = with_texts(order.rename(columns=named), texts)
    return frame[[*(["text"] if texts else []), *named.values(), "RBO"]]
