"""Closer looks at one ranking: the formula, curves, swaps, equal scores, unjudged documents."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from metrics import RankscopeError
from metrics.arrays import NOISE
from metrics.editing.edits import swap
from metrics.exploring.ties import COUNTED, tied
from metrics.exploring.unjudged import completions
from metrics.exploring.what_if import changes, swaps
from metrics.scoring.formula import by_convention, name, substituted, symbols

from .. import show
from ..render import ranking_charts, text
from .context import ScoredRanking
from .curves import curves

DEPTH = 20
"""Swaps are tried at up to this many ranks."""
_RULES = {
    "descending": "id descending (trec_eval)",
    "ascending": "id ascending (MS MARCO)",
    "input": "order of the list (ranx)",
}


def formula(scored: ScoredRanking) -> None:
    """The measure in symbols, then with this ranking's numbers."""
    measure, query = scored.measure, scored.ranking.query
    parts = scored.ledger.parts
    show.formula(symbols(measure, scored.ledger.convention))
    for part in parts:
        show.formula(substituted(part, query))
    if measure.parts:
        top, bottom = (float(part.scores[0]) for part in parts)
        score = float(scored.ledger.scores[0])
        show.formula(
            rf"{name(scored.ledger)} = \frac{{{top:.4f}}}{{{bottom:.4f}}} = {score:.4f}"
            if bottom
            else f"{name(scored.ledger)} = {by_convention(score)}"
        )
    said = "; ".join(scored.convention.sentences().values())
    st.caption(f"The formula is that of {measure.source}. Convention: {said}.")


def what_if(scored: ScoredRanking) -> None:
    """What every swap of two ranks and every change to one document would do."""
    measure = str(scored.measure)
    try:
        deltas = swaps(scored.ranking, scored.measure, scored.convention, DEPTH)
    except RankscopeError as error:
        st.warning(text.code(str(error)))
        return
    if len(deltas) < 2:
        st.info("A swap needs two documents.")
        return
    i, j = divmod(int(np.argmax(deltas)), len(deltas))
    best = float(deltas[i, j])
    left, right = st.columns(2, gap="large")
    with left:
        if best > NOISE:
            now = float(scored.ledger.scores[0])
            st.markdown(
                f"**Best swap**: ranks {i + 1} and {j + 1}, {text.signed(best)} → "
                f"{text.number(now + best)}"
            )
            if st.button("Make this swap"):
                scored.change(lambda ranking: swap(ranking, i + 1, j + 1))
                st.rerun()
        else:
            st.markdown(f"**No swap** of two of these {len(deltas)} ranks raises {measure}.")
        show.chart(ranking_charts.swap_lens(deltas, measure, scored.label), "swaps")
    with right:
        st.markdown(f"**One change**: what it adds to {measure}")
        show.table(changes(scored.ranking, scored.measure, scored.convention).set_index("document"))
        st.caption(f"– where the change cannot be made. Convention: {scored.label}.")


def equal_scores(scored: ScoredRanking) -> None:
    """Between which scores the order of equally scored documents leaves the ranking."""
    if not any(entry.tied for entry in scored.ranking.retrieved):
        st.info("No two documents have the same score. Press = on a row of the list to tie it.")
        return
    try:
        as_read = scored.under(replace(scored.convention, ties="input"))
        found = tied(as_read, scored.measure, scored.convention)
    except RankscopeError as error:
        st.warning(text.code(str(error)))
        return
    marks = [(_RULES[rule], value) for rule, value in found.by_rule.items()]
    if found.mean is not None:
        marks.append(("mean of all orders (scikit-learn)", found.mean))
    st.markdown(
        f"{_many(found.orders)} orders of equal scores: **{scored.measure}** from "
        f"**{text.number(found.lowest)}** to **{text.number(found.highest)}**"
    )
    drawn = ranking_charts.whisker(
        found.lowest, found.highest, marks, str(scored.measure), scored.label
    )
    show.chart(drawn, "ties")
    ends = [("lowest of all orders", found.lowest), ("highest of all orders", found.highest)]
    rows = pd.DataFrame([*marks, *ends], columns=["equal scores", str(scored.measure)])
    show.table(rows.set_index("equal scores"))


def _many(number: int) -> str:
    return f"{number:,}" if number < COUNTED else "More than a billion"


def unjudged(scored: ScoredRanking) -> None:
    """Between which scores the grades of unjudged documents leave the ranking."""
    missing = [entry for entry in scored.ranking.retrieved if entry.grade is None]
    if not missing:
        st.info("Every retrieved document is judged. Press ? on a row of the list to change that.")
        return
    try:
        ends = completions(scored.ranking, scored.measure, scored.grades, scored.convention)
    except RankscopeError as error:
        st.warning(text.code(str(error)))
        return
    scale = ", ".join(f"{grade:g}" for grade in scored.grades)
    st.markdown(
        f"Whatever the grades ({scale}) of {text.count(len(missing), 'unjudged document')}, "
        f"**{scored.measure}** is from **{text.number(ends.lowest)}** to "
        f"**{text.number(ends.highest)}**; {ends.tried:,} ways to grade them tried."
    )
    marks = [("as it is", float(scored.ledger.scores[0]))]
    drawn = ranking_charts.whisker(
        ends.lowest, ends.highest, marks, str(scored.measure), scored.label
    )
    show.chart(drawn, "unjudged")
    names = {entry.document for entry in missing}
    rows = pd.DataFrame(
        {
            "document": [e.document for e in scored.ranking.retrieved],
            "rank": list(range(1, len(scored.ranking.retrieved) + 1)),
            "grade for the lowest": [text.grade(e.grade) for e in ends.lowest_ranking.retrieved],
            "grade for the highest": [text.grade(e.grade) for e in ends.highest_ranking.retrieved],
        }
    )
    st.markdown("**The grades that give the ends**")
    show.table(rows[rows["document"].isin(names)].set_index("document"))


LOOKS = {
    "Formula": formula,
    "Curves": curves,
    "What if": what_if,
    "Equal scores": equal_scores,
    "Unjudged": unjudged,
}
"""What each tab draws, by its title, which links contain too."""
