"""Inspect: one query's ranking, its score, and the lines that sum to it."""

import streamlit as st

from metrics import judge, parse, trace
from metrics.edits import HandRanking
from metrics.formula import name, substituted
from pages.ui import charts, controls, editing, printed, shell, show, state, tables, text

shell.guard(state.INSPECT)

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = controls.source_picker(state.EXAMPLE, "laptop", lambda data: bool(data.runs))
    dataset = sample.load()
    measure = controls.measure_picker(parse(sample.measure))
    convention = controls.convention_picker()

left, right = st.columns([5, 6], gap="large")
with left:
    runs = {run.name: run for run in dataset.runs}
    run_name, query = next(iter(runs)), dataset.qrels.queries[0]
    if len(runs) > 1 or len(dataset.qrels.queries) > 1:
        one, two = st.columns([2, 3])
        with one:
            run_name = controls.option("Run", runs, state.RUN, {}, 0)
        with two:
            texts = dict(dataset.query_texts)
            query = controls.option("Query", dataset.qrels.queries, state.QUERY, texts, 0)
    else:
        st.text(f"Query: {dataset.query_texts.get(query, query)}")
    origin = "/".join([sample.key, run_name, query])
    ranking = state.edited(origin) or HandRanking.from_run(dataset.qrels, runs[run_name], query)
    editing.ranking_editor(origin, ranking, dataset.document_texts)

if not any(entry.grade is not None for entry in ranking.entries):
    st.info("No document of this query is judged, so there is nothing to score. Set a grade.")
    st.stop()

ledger = trace(ranking.qrels, ranking.run, measure, query, convention)
judged = judge(ranking.qrels, ranking.run, ledger.judged.convention, every=True)
parts = [part.ledger(judged) for part in measure.parts] or [ledger]

with right:
    with st.container(horizontal=True, gap="medium"):
        st.metric(str(measure), text.number(float(ledger.scores[0])), width="content")
        if measure.parts:
            for sign, part in zip("=÷", parts, strict=True):
                value = text.number(float(part.scores[0]))
                st.metric(f"{sign} {part.measure}", value, width="content")
    st.caption(f"{measure.meaning} Convention: {convention.label}.")
    totals = [part.table(query)["running"] for part in parts]
    drawn = charts.running_totals(
        totals[0],
        totals[1] if len(totals) > 1 else None,
        str(parts[0].measure),
        convention.label,
    )
    show.chart(drawn, "running")

printed.section(sample, {run_name}, query, edited=state.edited(origin) is not None)

st.subheader("The lines that sum to it")
places = st.columns(len(parts)) if len(parts) > 1 else [st.container()]
for place, part in zip(places, parts, strict=True):
    with place:
        st.markdown(f"**{part.measure}** = sum of the contributions = **{part.scores[0]:.4f}**")
        show.table(tables.ledger(part, query, dataset.document_texts), missing="?")

st.subheader("The formula, with these numbers")
st.latex(measure.formula)
for part in parts:
    st.latex(substituted(part, query))
if measure.parts:
    top, bottom = (float(part.scores[0]) for part in parts)
    st.latex(
        rf"{name(ledger)} = \frac{{{top:.4f}}}{{{bottom:.4f}}} = {float(ledger.scores[0]):.4f}"
        if bottom
        else rf"{name(ledger)} = 0 \quad\text{{(nothing relevant to find: the ideal earns 0)}}"
    )
st.caption(f"Source: {measure.source}. Convention: {'; '.join(convention.sentences().values())}.")
