"""Inspect: one query's ranking, its score, and the lines that sum to it."""

from functools import partial

import streamlit as st

from metrics import Ledger, RankscopeError, parse, trace
from metrics.hand_ranking import HandRanking
from pages.ui import (
    cache,
    charts,
    controls,
    editing,
    look,
    looks,
    printed,
    sharing,
    shell,
    show,
    state,
    tables,
    text,
)

shell.guard(state.INSPECT)
sharing.receive()
hidden = state.hidden()

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = controls.source_picker(state.EXAMPLE, "laptop", lambda data: bool(data.runs))
    dataset = sample.load()
    measure = controls.measure_picker(parse(sample.measure))
    convention = controls.convention_picker([measure])
    share = st.container(width="content")
    if "data" not in hidden:
        controls.own_data_link()

left, right = st.columns([5, 6], gap="large")
with left:
    runs = {run.name: run for run in dataset.runs}
    queries = controls.with_texts(dataset.qrels.queries, dataset.query_texts)
    run_name, query = next(iter(runs)), dataset.qrels.queries[0]
    if len(runs) > 1 or len(queries) > 1:
        one, two = st.columns([2, 3])
        with one:
            run_name = controls.option("Run", {name: name for name in runs}, state.RUN, part="data")
        with two:
            query = controls.option("Query", queries, state.QUERY, part="data")
    else:
        st.text(f"Query: {dataset.query_texts.get(query, query)}")
    run = runs[run_name]
    original = HandRanking.from_run(dataset.qrels, run, query, convention)
    origin = "/".join([dataset.qrels.digest, run.digest, query])
    steps = sharing.history(origin, original)
    ranking = steps.present
state.recall(state.AT, str)
picked = state.value(state.AT)
here = any(entry.document == picked for entry in ranking.entries)
state.keep(state.AT, picked if here else "", "")

ledger: Ledger | None = None
problem = ""
if ranking.grades:
    try:
        ledger = trace(ranking.qrels, ranking.run, measure, query, convention)
    except RankscopeError as error:
        problem = text.code(str(error))

with left:
    if "editing" not in hidden:
        editing.ranking_editor(origin, steps, ledger, dataset.document_texts)
sharing.keep(steps, lasting=sample.key != state.YOURS)
if not hidden:
    with share:
        sharing.button(steps)
controls.unknown_links()
if ledger is None:
    nothing = "No document of this query is judged, so there is nothing to score. Set a grade."
    (st.error if problem else st.info)(problem or nothing)
    st.stop()

parts = [part.ledger(ledger.judged) for part in measure.parts] or [ledger]
lines = [part.table(query) for part in parts]

with right:
    if "score" not in hidden:
        with st.container(horizontal=True, gap="medium"):
            st.metric(str(measure), text.number(float(ledger.scores[0])), width="content")
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
        st.caption(f"Convention: {controls.said(convention, measure)}.")
    if "chart" not in hidden:
        totals = [part["running"] for part in lines]
        drawn = charts.running_totals(
            totals[0],
            totals[1] if len(totals) > 1 else None,
            str(parts[0].measure),
            convention.label,
            picked=tables.rank_of(lines[0], picked),
        )
        show.chart(drawn, "running")

if "score" not in hidden:
    edited = ranking != steps.original
    printed.section(sample, {run_name}, query, edited=edited)

if "lines" not in hidden:
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
            show.table(frame, missing="?", picked=picked)

if "more" not in hidden:
    looks.tabs(
        look.Look(
            ranking,
            ledger,
            measure,
            convention,
            tables.scale(dataset.qrels),
            partial(editing.change, origin, steps.original),
        )
    )
