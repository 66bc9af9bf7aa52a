"""Inspect: one query's ranking, its score, and the lines that sum to it."""

import streamlit as st

from metrics import parse, trace
from metrics.formula import by_convention, name, substituted
from metrics.hand_ranking import HandRanking
from pages.ui import cache, charts, controls, editing, printed, shell, show, state, tables, text

shell.guard(state.INSPECT)

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = controls.source_picker(state.EXAMPLE, "laptop", lambda data: bool(data.runs))
    dataset = sample.load()
    measure = controls.measure_picker(parse(sample.measure))
    convention = controls.convention_picker([measure])
    controls.own_data_link()

left, right = st.columns([5, 6], gap="large")
with left:
    runs = {run.name: run for run in dataset.runs}
    run_name, query = next(iter(runs)), dataset.qrels.queries[0]
    if len(runs) > 1 or len(dataset.qrels.queries) > 1:
        one, two = st.columns([2, 3])
        with one:
            run_name = controls.option("Run", {run: run for run in runs}, state.RUN)
        with two:
            queries = controls.with_texts(dataset.qrels.queries, dataset.query_texts)
            query = controls.option("Query", queries, state.QUERY)
    else:
        st.text(f"Query: {dataset.query_texts.get(query, query)}")
    run = runs[run_name]
    original = HandRanking.from_run(dataset.qrels, run, query, convention)
    origin = "/".join([dataset.qrels.digest, run.digest, query])
    edited = state.edited(origin)
    ranking = edited or original
    editing.ranking_editor(origin, ranking, dataset.document_texts)
controls.unknown_links()

if not any(entry.grade is not None for entry in ranking.entries):
    st.info("No document of this query is judged, so there is nothing to score. Set a grade.")
    st.stop()

with shell.told():
    ledger = trace(ranking.qrels, ranking.run, measure, query, convention)
score = float(ledger.scores[0])
parts = [part.ledger(ledger.judged) for part in measure.parts] or [ledger]
lines = [part.table(query) for part in parts]
convention_said = controls.said(convention, measure)

with right:
    with st.container(horizontal=True, gap="medium"):
        st.metric(str(measure), text.number(score), width="content")
        if measure.parts:
            for sign, part in zip("=÷", parts, strict=True):
                value = text.number(float(part.scores[0]))
                st.metric(f"{sign} {part.measure}", value, width="content")
    said = [measure.meaning]
    if query not in run.queries:
        said.append("This query is not in this run.")
    if measure.parts:
        said.append(text.gap(lines[0]["contribution"], lines[1]["contribution"]))
    if len(dataset.qrels.queries) > 1:
        scores = cache.scored(dataset.qrels, run, str(measure), convention)
        mean = scores.value(str(measure))
        said.append(
            f"Mean over {len(scores.judged.queries)} queries, unedited: {text.number(mean)}."
        )
    st.markdown("  \n".join(said))
    st.caption(f"Convention: {convention_said}.")
    totals = [part["running"] for part in lines]
    drawn = charts.running_totals(
        totals[0],
        totals[1] if len(totals) > 1 else None,
        str(parts[0].measure),
        convention.label,
    )
    show.chart(drawn, "running")

printed.section(sample, {run_name}, query, edited=edited is not None)

st.subheader("The lines that sum to it")
places = st.columns(len(parts)) if len(parts) > 1 else [st.container()]
for place, part in zip(places, parts, strict=True):
    is_ideal = len(parts) > 1 and part is parts[1]
    with place:
        st.markdown(f"**{part.measure}** = sum of the contributions = **{part.scores[0]:.4f}**")
        frame = (
            tables.ideal(part, query, ranking)
            if is_ideal
            else tables.ledger(part, query, dataset.document_texts)
        )
        show.table(frame, missing="?")

st.subheader("The formula, with these numbers")
show.formula(measure.formula)
for part in parts:
    show.formula(substituted(part, query))
if measure.parts:
    top, bottom = (float(part.scores[0]) for part in parts)
    show.formula(
        rf"{name(ledger)} = \frac{{{top:.4f}}}{{{bottom:.4f}}} = {score:.4f}"
        if bottom
        else f"{name(ledger)} = {by_convention(score)}"
    )
st.caption(f"Source: {measure.source}. Convention: {'; '.join(convention.sentences().values())}.")
