"""Compare: two runs, from the mean to the query, to the document, to the arithmetic."""

from dataclasses import replace

import streamlit as st

from metrics import Comparison, Scores, formula, parse, trace
from metrics.bars import IDEALS
from pages.ui import (
    cache,
    charts,
    comparison_looks,
    controls,
    overview,
    printed,
    rooms,
    shell,
    show,
    state,
    tables,
    text,
)

shell.guard(state.COMPARE)

BESIDE = ("nDCG@10", "AP", "RR", "P@10", "R@10")

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = controls.source_picker(state.DATA, "shop", lambda data: len(data.runs) > 1)
    dataset = sample.load()
    runs = {run.name: run for run in dataset.runs}
    names = {run: run for run in runs}
    a = controls.option("Run A", names, state.A, dataset.runs[0].name)
    b = controls.option("Run B", names, state.B, dataset.runs[1].name)
    measure = controls.measure_picker(parse(sample.measure))
    shown = str(measure)
    measures = tuple(dict.fromkeys((shown, *BESIDE)))
    convention = controls.convention_picker([parse(name) for name in measures])
    asked = overview.test_picker()
    controls.own_data_link()
with shell.told():
    comparison = cache.compared(dataset.qrels, runs[a], runs[b], measures, convention)
if not comparison.queries:
    st.error(
        "No query is in the qrels and in both runs. Check on the Data page that the ids match."
    )
    st.stop()

rows = cache.evidence(
    dataset.qrels, runs[a], runs[b], measures, convention, asked.test, asked.tie, asked.seed
)
said = overview.verdict(rows[shown], shown, asked, len(rows))
st.markdown(
    f":blue-background[A] {text.code(a)} against :orange-background[B] {text.code(b)}: **{said}**"
)
overview.headline(rows[shown], shown)
scored = comparison.per_query(shown)
left_out = [
    f"{len(only)} judged queries are only in run {name} and not compared"
    for name, only in (("A", comparison.only_a), ("B", comparison.only_b))
    if only
]
if skipped := len(comparison.queries) - len(scored):
    left_out.append(f"{skipped} queries with nothing to find are left out")
st.caption(
    f"Mean over {len(scored)} queries. "
    f"Convention: {controls.said(convention, measure)}. "
    + "".join(f"{line}. " for line in left_out)
    + ("A and B are the same run. " if a == b else "")
    + "Click a bar to see its query."
)

frame = tables.queries(comparison, shown, dataset.query_texts)
order = frame.index.tolist()
bars = st.container()
overview.all_measures(rows, asked)
looks = st.container()
printed.section(sample, {a, b}, None)

st.subheader("One query")
query = controls.option("Query", controls.with_texts(order, dataset.query_texts), state.PICKED)
rooms.recall(state.LOOK, comparison_looks.LOOKS)
with bars:
    controls.unknown_links()
    drawn = charts.deltas(frame, shown, query, measure.label(convention), asked.tie)
    drawn = replace(drawn, alt=f"{said} {drawn.alt}")
    show.picking_chart(drawn, "deltas", state.pick_query)
with looks:
    look = comparison_looks.Look(
        dataset, (runs[a], runs[b]), comparison, measure, convention, asked, frame, query
    )
    rooms.tabs(state.LOOK, comparison_looks.LOOKS, look)
before, after = comparison.a.value(shown, query), comparison.b.value(shown, query)
depth = min(measure.cutoff or 10, charts.SLOPES)
under_a, under_b = (trace(dataset.qrels, runs[name], measure, query, convention) for name in (a, b))
movement = tables.movement(under_a, under_b, query, depth, dataset.document_texts)
traced_a, traced_b = (Scores(ledger.judged, {shown: ledger}) for ledger in (under_a, under_b))
traced = Comparison(traced_a, traced_b, (query,))
documents = traced.documents(shown)
by_document = documents.set_index("document")["delta"]
movement["delta"] = by_document.reindex(movement.index, fill_value=0.0)
documents = documents[documents["grade"].notna() | (documents["delta"] != 0)]

left, right = st.columns([4, 5], gap="large")
with left:
    st.markdown(f"**Rank movement**, top {depth}: the digit is the grade, ? is unjudged")
    show.chart(charts.slopes(movement, depth), "slopes")
with right:
    st.markdown(
        f"**What each document changed**: A {text.number(before)} → B {text.number(after)}, "
        f"delta {text.signed(after - before)}"
    )
    if (documents["delta"] != 0).any():
        drawn = charts.waterfall(documents, shown, measure.label(convention))
        show.picking_chart(drawn, "waterfall", state.pick_document)
        if IDEALS in set(documents["document"]):
            ((whole_a, whole_b),) = traced.wholes(shown).to_numpy().tolist()
            st.caption(
                f"{IDEALS}: A is divided by {text.number(whole_a)}, B by {text.number(whole_b)}; "
                "the documents' bars are at the mean of both."
            )
    else:
        st.info("No document changes the score of this query.")
show.table(movement)

st.subheader("One document")
moved = documents.reindex(documents["delta"].abs().sort_values(ascending=False).index)
if moved.empty:
    st.info("No judged document of this query is in the top of either run.")
    st.stop()
listed = [name for name in moved["document"] if name != IDEALS]
named = controls.with_texts(listed, dataset.document_texts)
document = controls.option("Document", named, state.DOCUMENT)
show.table(tables.document_lines({"A": under_a, "B": under_b}, query, document))
for side, under in (("A", under_a), ("B", under_b)):
    show.formula(rf"\text{{{side}: }} {formula.line(under, query, document)}")
with st.container(horizontal=True):
    for side, name in (("A", a), ("B", b)):
        st.button(
            f"Open this query of run {side} in Inspect",
            on_click=state.open_page,
            args=(
                state.INSPECT,
                {state.EXAMPLE: sample.key, state.RUN: name, state.QUERY: query},
            ),
        )
