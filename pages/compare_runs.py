"""Compare: two runs, from the mean to the query, to the document, to the arithmetic."""

from dataclasses import replace

import streamlit as st

from metrics import parse
from metrics.evidence import together
from pages.ui import (
    cache,
    charts,
    comparison_looks,
    controls,
    one_query,
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

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = controls.source_picker(state.DATA, "shop", lambda data: len(data.runs) > 1)
    dataset = sample.load()
    runs = {run.name: run for run in dataset.runs}
    names = {run: run for run in runs}
    a = controls.option("Run A", names, state.A, dataset.runs[0].name)
    b = controls.option("Run B", names, state.B, dataset.runs[1].name)
    measure = controls.measure_picker(parse(sample.measure))
    shown = str(measure)
    measures = tuple(dict.fromkeys((shown, *overview.beside_picker())))
    convention = controls.convention_picker([parse(name) for name in measures])
    asked = overview.test_picker()
    controls.own_data_link()
with shell.told():
    comparison = cache.compared(dataset.qrels, runs[a], runs[b], shown, convention)
if not comparison.queries:
    st.error(
        "No query is in the qrels and in both runs. Check on the Data page that the ids match."
    )
    st.stop()

pair = (dataset.qrels, runs[a], runs[b])
with shell.told():
    rows = together(
        {
            name: cache.evidence(*pair, name, convention, asked.test, asked.tie, asked.seed)
            for name in measures
        }
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
query = controls.query_option("Query", order, dataset.query_texts, state.PICKED)
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
one = one_query.OneQuery(dataset, (runs[a], runs[b]), query, measure, convention)
one_query.lists_and_bars(one)
one_query.one_document(one)
one_query.inspect_buttons(one, sample.key)
