"""One query of a comparison: both rankings, the waterfall of its delta, one document."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import Dataset, Pairing, Run
from metrics.auditing.audit import unlisted
from metrics.comparing.one_query import OneQuery
from metrics.comparing.similarity import similarity
from metrics.comparing.waterfall import IDEALS, ranked
from metrics.data import TITLE
from metrics.editing.hand_ranking import HandRanking
from metrics.judging.judged import JudgedRankings
from metrics.rendering import charts, comparison_tables, comparison_text, one_query_charts, text
from metrics.rendering.comparison_files import Source
from metrics.scoring import formula
from metrics.teaching.samples import Sample

from .. import by_hand, links, present, show, state, widgets
from . import drawn_query, results

_LONGEST = 120
"""At most this many characters of a query are on a projector."""
_LARGE, _LONG_NAME = 10, 28
"""At most this many ranks, and characters of a document's name, are on a projector."""


def section(sample: Sample, pairing: Pairing, query: str) -> None:
    """Show one query under both runs: rankings, documents, and buttons that open Inspect."""
    dataset = by_hand.graded(sample.load())
    one = pairing.one(query)
    for sentence in comparison_text.aside(one.comparison):
        st.warning(f"{sentence}.")
    for side in one.sides:
        if not side.whole:
            st.caption(f"{side.name}: {unlisted(side.ledger.judged)}")
    _documents(pairing, query, dataset)
    _inspect_buttons(one, dataset, pairing, sample.key)


PANELS = {"movement": "Rank movement", "waterfall": "What each document changed"}
"""The titles of the panels for a projector, by their names in links."""


def presented(sample: Sample, pairing: Pairing, query: str) -> None:
    """Show one query on a projector: its rank movement, or the waterfall of its delta."""
    dataset = by_hand.graded(sample.load())
    named = dataset.query_texts.get(query) or query
    bar = st.container(horizontal=True, vertical_alignment="bottom")
    st.header(text.code(text.beginning(named, _LONGEST)), anchor=False)
    draw = {
        "movement": lambda: _slopes(pairing.one(query)),
        "waterfall": lambda: _bars(pairing, query, large=True),
    }
    present.present({name: (title, draw[name]) for name, title in PANELS.items()}, bar)


def _slopes(one: OneQuery) -> None:
    """Show the rank movement on a projector, as far down as large letters fit."""
    depth = min(drawn_query.depth(one), _LARGE)
    movement = comparison_tables.movement(one, depth, {})
    slopes = one_query_charts.slopes(movement, depth, longest=_LONG_NAME)
    st.markdown(f"**Rank movement**, top {depth}: the digit is the grade, ? is unjudged")
    show.chart(charts.enlarged(slopes), "slopes")
    if all(side.is_listed(depth) for side in one.sides):
        st.markdown(comparison_text.movement(movement, depth))


# To pick another document, nothing above the query needs to be drawn again.
@st.fragment
def _documents(pairing: Pairing, query: str, dataset: Dataset) -> None:
    """Show the results to read, what each document changed, and one document's lines."""
    one = pairing.one(query)
    # The cards come before the widget that reads the document from the link.
    state.recall(state.DOCUMENT, state.among(one.documents))
    first = comparison_text.costliest(one, dataset.document_fields.get(TITLE, {}))
    st.markdown(" ".join(f"{sentence}." for sentence in first))
    results.cards(one, dataset)
    _movement_and_bars(pairing, query)
    _one_document(one, dataset)
    # Its tables are made when it is opened: the cards above show the same documents.
    tables = st.expander("Both rankings as tables", key="tables", on_change="rerun")
    if tables.open:
        with tables:
            _lists(one, drawn_query.depth(one), dataset)
            movement, _ = pairing.of_query(drawn_query.movement, query)
            show.table(comparison_tables.with_texts(movement, dataset.document_texts))


def _movement_and_bars(pairing: Pairing, query: str) -> None:
    """Show the rank movement beside the waterfall that sums to the delta."""
    one = pairing.one(query)
    depth = drawn_query.depth(one)
    left, right = st.columns([4, 5], gap="large")
    with left:
        st.markdown(f"**Rank movement**, top {depth}: the digit is the grade, ? is unjudged")
        movement, slopes = pairing.of_query(drawn_query.movement, query)
        show.chart(slopes, "slopes", _source(one))
        if all(side.is_listed(depth) for side in one.sides):
            st.caption(f"{comparison_text.movement(movement, depth)} {alike(one, depth)}")
    with right:
        _bars(pairing, query)
        _unjudged(pairing, query)


def alike(one: OneQuery, depth: int) -> str:
    """Return how similar both lists are; empty where one is not known as a whole."""
    a, b = (side.documents for side in one.sides)
    if not (a and b and all(side.whole for side in one.sides)):
        return ""
    return comparison_text.alike(similarity(a, b, depth))


def _source(one: OneQuery) -> Source:
    a, b = one.sides
    return Source((a.run.name, b.run.name, one.query), str(one.measure), one.convention)


def _lists(one: OneQuery, depth: int, dataset: Dataset) -> None:
    """Show both lists; the document that is ticked in one is shaded in both."""
    picked = results.document(one)
    for column, side, other in zip(
        st.columns(2, gap="large"), one.sides, reversed(one.sides), strict=True
    ):
        frame = comparison_tables.side(side, other, depth, dataset.document_texts)
        documents = frame.index[frame["rank"].notna()]

        def pick(place: int, listed: pd.DataFrame = frame, known: pd.Index = documents) -> None:
            if listed.index[place] in known:
                state.pick_document(str(listed.index[place]))

        with column:
            st.markdown(f"**{side.name}** {text.code(side.run.name)}")
            if side.ledger.judged.missing_from_run:
                st.caption("This query is not in this run.")
                continue
            show.picking_table(frame, f"list_{side.name}_{one.query}", pick=pick, picked=picked)


def _unjudged(pairing: Pairing, query: str) -> None:
    """Show whether grades for unjudged documents could reverse the verdict, and their removal."""
    one = pairing.one(query)
    if pairing.whole is None:
        sentence = "What grades for unjudged documents could change is not known."
    elif isinstance(found := pairing.of_query(drawn_query.reversal, query), str):
        sentence = text.code(found)
    else:
        depth = f"either top {one.measure.cutoff}" if one.measure.cutoff else "either list"
        sentence = comparison_text.reversal(found, depth)
        if not found.unjudged:
            st.caption(sentence)
            return
    if one.convention.unjudged == "removed":
        st.caption(sentence)
        return
    a, b = pairing.of_query(OneQuery.condensed, query)
    st.caption(
        f"{sentence} If they are removed and the others move up "
        f"(condensed lists): A {text.number(a)}, B {text.number(b)}, "
        f"delta {text.signed(b - a)}."
    )


def _bars(pairing: Pairing, query: str, large: bool = False) -> None:
    one = pairing.one(query)
    shown = str(one.measure)
    moved = text.largest(one.delta, text.code)
    st.markdown(
        f"**What each document changed**: A {text.number(one.a.score)} → "
        f"B {text.number(one.b.score)}, delta {text.signed(one.b.score - one.a.score)}"
        + (f" = {moved}" if moved else "")
    )
    if not (one.delta != 0).any():
        st.info("No document changes the score of this query.")
        return
    drawn = pairing.of_query(drawn_query.waterfall, query)
    drawn = charts.enlarged(drawn) if large else drawn
    show.picking_chart(drawn, "waterfall", state.pick_document, _source(one))
    st.caption("Sums use unrounded values.")
    if (one.waterfall["document"][~ranked(one.waterfall)] == IDEALS).any():
        ((of_a, of_b),) = one.comparison.normalisers(shown).to_numpy().tolist()
        st.caption(
            f"{IDEALS}: A is divided by {text.number(of_a)}, B by {text.number(of_b)}; "
            "the documents' bars use the mean of both."
        )


def _one_document(one: OneQuery, dataset: Dataset) -> None:
    """Show one document's ledger line under A and B, and the formulas with its numbers."""
    st.subheader("One document")
    if not one.documents:
        st.info("Neither run retrieves a document for this query.")
        return
    document = widgets.one_of("Document", one.documents, dataset.document_texts, state.DOCUMENT)
    show.table(comparison_tables.document_lines(one, document))
    for side in one.sides:
        show.formula(rf"\text{{{side.name}: }} {formula.line(side.ledger, one.query, document)}")


def _inspect_buttons(one: OneQuery, dataset: Dataset, pairing: Pairing, example: str) -> None:
    """Show buttons that open either ranking in Inspect; a virtual run opens as an edited list.

    Inspect edits a whole ranking, so it shows no judged rankings.
    """
    back = links.comparison_at(one.query)
    with st.container(horizontal=True):
        present.button(next(iter(PANELS)))
        for side, run in zip(one.sides, pairing.runs, strict=True):
            if isinstance(run, JudgedRankings) or not isinstance(side.run, Run):
                continue
            if run in dataset.runs:
                links.run_button(side.name, run, one.query, example)
            else:
                ranking = HandRanking.from_run(one.qrels, side.run, one.query, one.convention)
                links.inspect_button(
                    ranking,
                    one.measure,
                    one.convention,
                    f"made_{side.name}",
                    f"run {side.name}",
                    back,
                )
