"""One query of a comparison: both rankings, the bars of its delta, one document's lines."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import pandas as pd
import streamlit as st

from metrics import Comparison, Convention, Dataset, Ledger, Measure, Run, Scores, formula, trace
from metrics.bars import IDEALS
from metrics.similarity import similarity

from . import charts, controls, show, state, tables, text


@dataclass(frozen=True)
class OneQuery:
    """One query under both runs, with every retrieved document as a line."""

    dataset: Dataset
    runs: tuple[Run, Run]
    query: str
    measure: Measure
    convention: Convention

    @cached_property
    def sides(self) -> tuple[Ledger, Ledger]:
        """The ledgers of A and of B."""
        a, b = (
            trace(self.dataset.qrels, run, self.measure, self.query, self.convention)
            for run in self.runs
        )
        return a, b

    @cached_property
    def compared(self) -> Comparison:
        """The comparison of this query alone."""
        a, b = (Scores(side.judged, {str(self.measure): side}) for side in self.sides)
        return Comparison(a, b, (self.query,))

    @cached_property
    def bars(self) -> pd.DataFrame:
        """What each document contributes to the delta."""
        return self.compared.documents(str(self.measure))

    @property
    def delta(self) -> pd.Series[float]:
        """Each document's part in the delta, by document."""
        return self.bars.set_index("document")["delta"]


def lists_and_bars(one: OneQuery) -> None:
    """Both rankings with their movement, beside the waterfall that sums to the delta."""
    depth = min(one.measure.cutoff or 10, charts.SLOPES)
    movement = tables.movement(*one.sides, one.query, depth, one.dataset.document_texts)
    # Not B − A of the lines where the ideals differ: the same numbers as the bars.
    movement["delta"] = one.delta.reindex(movement.index, fill_value=0.0)
    left, right = st.columns([4, 5], gap="large")
    with left:
        st.markdown(f"**Rank movement**, top {depth}: the digit is the grade, ? is unjudged")
        show.chart(charts.slopes(movement, depth), "slopes")
        a, b = (side.judged.hits.document.to_pylist() for side in one.sides)
        st.caption(text.alike(similarity(a, b, depth)))
    with right:
        _bars(one)
    show.table(movement)


def _bars(one: OneQuery) -> None:
    shown = str(one.measure)
    before, after = (float(side.scores[0]) for side in one.sides)
    moved = text.largest(one.delta, text.code)
    st.markdown(
        f"**What each document changed**: A {text.number(before)} → B {text.number(after)}, "
        f"delta {text.signed(after - before)}" + (f" = {moved}" if moved else "")
    )
    if not (one.delta != 0).any():
        st.info("No document changes the score of this query.")
        return
    drawn = charts.waterfall(one.bars, shown, one.measure.label(one.convention))
    show.picking_chart(drawn, "waterfall", state.pick_document)
    if IDEALS in one.delta.index:
        ((of_a, of_b),) = one.compared.wholes(shown).to_numpy().tolist()
        st.caption(
            f"{IDEALS}: A is divided by {text.number(of_a)}, B by {text.number(of_b)}; "
            "the documents' bars are at the mean of both."
        )


def one_document(one: OneQuery) -> None:
    """One document's line under A and under B, and the formulas with its numbers."""
    st.subheader("One document")
    bars = one.bars[one.bars["grade"].notna() | (one.bars["delta"] != 0)]
    largest = bars["delta"].abs().sort_values(ascending=False).index
    listed = [name for name in bars.loc[largest, "document"] if name != IDEALS]
    if not listed:
        st.info("No judged document of this query is in the top of either run.")
        return
    named = controls.with_texts(listed, one.dataset.document_texts)
    document = controls.option("Document", named, state.DOCUMENT)
    sides = dict(zip("AB", one.sides, strict=True))
    show.table(tables.document_lines(sides, one.query, document))
    for side, under in sides.items():
        show.formula(rf"\text{{{side}: }} {formula.line(under, one.query, document)}")


def inspect_buttons(one: OneQuery, example: str) -> None:
    """The way of either ranking to Inspect."""
    with st.container(horizontal=True):
        for side, run in zip("AB", one.runs, strict=True):
            st.button(
                f"Open this query of run {side} in Inspect",
                on_click=state.open_page,
                args=(
                    state.INSPECT,
                    {state.EXAMPLE: example, state.RUN: run.name, state.QUERY: one.query},
                ),
            )
