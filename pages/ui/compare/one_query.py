"""One query of a comparison: both rankings, the bars of its delta, one document's lines."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import pandas as pd
import streamlit as st

from metrics import (
    Comparison,
    Convention,
    Dataset,
    Ledger,
    Measure,
    RankscopeError,
    Run,
    Scores,
    trace,
)
from metrics.comparing.reversal import joint
from metrics.comparing.similarity import similarity
from metrics.comparing.waterfall import IDEALS, ranked
from metrics.editing.hand_ranking import HandRanking
from metrics.scoring import formula

from .. import links, show, state, widgets
from ..render import comparison_tables, comparison_text, document_charts, text


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

    @cached_property
    def listed(self) -> list[str]:
        """The documents to choose from: what makes the delta first, then all that is retrieved."""
        bars = self.bars[ranked(self.bars)]
        bars = bars[bars["grade"].notna() | (bars["delta"] != 0)]
        largest = bars["delta"].abs().sort_values(ascending=False, kind="stable").index
        moved = bars.loc[largest, "document"].tolist()
        retrieved = [d for side in self.sides for d in side.judged.hits.document.to_pylist()]
        return list(dict.fromkeys([*moved, *retrieved]))

    @property
    def picked(self) -> str:
        """The document whose lines are shown; empty when there is none."""
        asked = state.value(state.DOCUMENT)
        return asked if asked in self.listed else next(iter(self.listed), "")

    @property
    def delta(self) -> pd.Series[float]:
        """Each document's part in the delta, by document."""
        return self.bars.set_index("document")["delta"]


def lists_and_bars(one: OneQuery) -> None:
    """How the ranking moved, beside the waterfall that sums to the delta."""
    depth = min(one.measure.cutoff or 10, document_charts.SLOPES)
    movement = comparison_tables.movement(*one.sides, one.query, depth, one.dataset.document_texts)
    # Not B − A of the lines where the ideals differ: the same numbers as the bars.
    of_documents = one.bars[ranked(one.bars)].set_index("document")["delta"]
    movement["delta"] = of_documents.reindex(movement.index, fill_value=0.0)
    for said in comparison_text.aside(one.compared):
        st.warning(f"{said}.")
    left, right = st.columns([4, 5], gap="large")
    with left:
        st.markdown(f"**Rank movement**, top {depth}: the digit is the grade, ? is unjudged")
        show.chart(document_charts.slopes(movement, depth), "slopes")
        a, b = (side.judged.hits.document.to_pylist() for side in one.sides)
        alike = comparison_text.alike(similarity(a, b, depth)) if a and b else ""
        st.caption(f"{comparison_text.movement(movement, depth)} {alike}")
    with right:
        _bars(one)
        _unjudged(one)
    _lists(one, depth)
    with st.expander("Both rankings in one table"):
        show.table(movement)


def _lists(one: OneQuery, depth: int) -> None:
    """Both lists, linked: the document that is ticked in one is shaded in both."""
    for column, names in zip(st.columns(2, gap="large"), ("AB", "BA"), strict=True):
        this, other = one.sides if names == "AB" else one.sides[::-1]
        texts = one.dataset.document_texts
        frame = comparison_tables.side(this, other, one.query, names, depth, texts)
        documents = frame.index[frame["rank"].notna()]

        def pick(place: int, listed: pd.DataFrame = frame, known: pd.Index = documents) -> None:
            if listed.index[place] in known:
                state.pick_document(str(listed.index[place]))

        with column:
            run = one.runs[0 if names == "AB" else 1]
            st.markdown(f"**{names[0]}** {text.code(run.name)}")
            if this.judged.missing_from_run:
                st.caption("This query is not in this run.")
                continue
            show.picking_table(
                frame,
                f"list_{names[0]}_{one.query}",
                pick=pick,
                picked=one.picked,
            )


def _unjudged(one: OneQuery) -> None:
    """Whether the grades of unjudged documents could turn the verdict, or their removal does."""
    try:
        found = joint(one.dataset.qrels, *one.runs, one.measure, one.query, one.convention)
    except RankscopeError as error:
        said = text.code(str(error))
    else:
        depth = f"either top {one.measure.cutoff}" if one.measure.cutoff else "either list"
        said = comparison_text.reversal(found, depth)
        if not found.unjudged:
            st.caption(said)
            return
    if one.convention.unjudged == "removed":
        st.caption(f"What nobody judged: {said}")
        return
    condensed = replace(one.convention, unjudged="removed")
    a, b = (
        float(trace(one.dataset.qrels, run, one.measure, one.query, condensed).scores[0])
        for run in one.runs
    )
    st.caption(
        f"What nobody judged: {said} With the unjudged documents taken out and the ranks "
        f"closed up (condensed lists): A {text.number(a)}, B {text.number(b)}, "
        f"delta {text.signed(b - a)}."
    )


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
    drawn = document_charts.waterfall(one.bars, shown, one.measure.label(one.convention))
    show.picking_chart(drawn, "waterfall", state.pick_document)
    st.caption("Sums are of unrounded values.")
    if (one.bars["document"][~ranked(one.bars)] == IDEALS).any():
        ((of_a, of_b),) = one.compared.wholes(shown).to_numpy().tolist()
        st.caption(
            f"{IDEALS}: A is divided by {text.number(of_a)}, B by {text.number(of_b)}; "
            "the documents' bars are at the mean of both."
        )


def one_document(one: OneQuery) -> None:
    """One document's line under A and under B, and the formulas with its numbers."""
    st.subheader("One document")
    if not one.listed:
        st.info("Neither run retrieves a document for this query.")
        return
    document = widgets.one_of("Document", one.listed, one.dataset.document_texts, state.DOCUMENT)
    sides = dict(zip("AB", one.sides, strict=True))
    show.table(comparison_tables.document_lines(sides, one.query, document))
    for side, under in sides.items():
        show.formula(rf"\text{{{side}: }} {formula.line(under, one.query, document)}")


def inspect_buttons(one: OneQuery, example: str) -> None:
    """The way of either ranking to Inspect; one that is not in the data goes as a list to edit."""
    with st.container(horizontal=True):
        for side, run in zip("AB", one.runs, strict=True):
            if run in one.dataset.runs:
                where = {state.EXAMPLE: example, state.RUN: run.name, state.QUERY: one.query}
                st.button(
                    f"Open this query of run {side} in Inspect",
                    on_click=state.open_page,
                    args=(state.INSPECT, where),
                )
            else:
                ranking = HandRanking.from_run(one.dataset.qrels, run, one.query, one.convention)
                links.inspect_button(
                    ranking, one.measure, one.convention, f"made_{side}", f"run {side}"
                )
