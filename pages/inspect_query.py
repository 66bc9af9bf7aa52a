"""Inspect: one query's ranking, its score, and the lines that sum to it."""

from functools import partial

import streamlit as st

from metrics import Ledger, RankscopeError, parse
from metrics.editing.hand_ranking import grade_scale
from metrics.teaching.samples import SCRATCH
from pages.ui import (
    cache,
    controls,
    editing,
    look,
    looks,
    own,
    printed,
    reading_notes,
    rooms,
    sharing,
    shell,
    show,
    state,
    working,
)
from pages.ui.render import charts, convention_text, tables, text

shell.guard(state.INSPECT)
sharing.receive_lesson()
sharing.receive()
hidden = state.hidden()

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = controls.source_picker(state.EXAMPLE, "laptop", lambda data: bool(data.runs))
    dataset = sample.load()
    measure = controls.measure_picker(parse(sample.measure))
    convention = controls.convention_picker([measure])
    share = st.container(width="content")
    if "data" not in hidden:
        controls.upload_button()

if sample.key == state.YOURS and (alone := own.alone()):
    st.info(alone)
top = st.container()
left, right = st.columns([5, 6], gap="large")
with left:
    if len(dataset.runs) == len(dataset.qrels.queries) == 1:
        run, query = dataset.runs[0], dataset.qrels.queries[0]
        st.text(f"Query: {dataset.query_texts.get(query, query)}")
    else:
        with st.container(horizontal=True):
            run, query = controls.query_picker(dataset)
    origin, steps = sharing.ranking_of(dataset, run, query, convention)
    ranking = steps.present
state.recall(state.AT, str)
rooms.recall(state.VIEW, looks.LOOKS)
picked = state.value(state.AT)
here = any(entry.document == picked for entry in ranking.entries)
state.keep(state.AT, picked if here else "", "")

ledger: Ledger | None = None
problem = ""
if ranking.grades:
    try:
        ledger = ranking.ledger(measure, convention)
    except RankscopeError as error:
        problem = text.code(str(error))

with left:
    if steps.replaced and sample.key != SCRATCH:
        st.caption("None of these documents is one of the data's: the ranking was replaced.")
    if "editing" not in hidden:
        earned = None if hidden & {"score", "lines"} else ledger
        editing.ranking_editor(origin, steps, earned, dataset.document_texts)
    reading_notes.applied(dataset.qrels, run)
lasting = sample.key != state.YOURS
sharing.keep(steps, lasting)
if not hidden:
    with share:
        sharing.button(steps, lasting)
    if steps.present != steps.original and state.RANKING not in st.query_params:
        left.warning(
            "This ranking is too long for the link, so a reload loses it. Share saves it as a "
            "file; Paste opens it again."
        )
controls.unknown_links()
if ledger is None:
    if problem:
        st.error(problem)
    else:
        st.info(
            "This query has no judgment, so there is nothing to score. Set a grade."
            if ranking.entries
            else "The ranking is empty. Add a document, paste a list, or undo."
        )
    st.stop()

lines = [part.table(query) for part in ledger.parts]

if "score" not in hidden:
    with top:
        working.score(ledger, steps)

with right:
    if "score" not in hidden:
        said = [measure.meaning]
        if query not in run.queries:
            said.append("This query is not in this run.")
        said += working.cautions(ledger, ranking)
        if measure.parts:
            said.append(text.gap(lines[0]["contribution"], lines[1]["contribution"]))
        several = len(dataset.qrels.queries) > 1
        if several:
            scores = cache.scored(dataset.qrels, run, str(measure), convention)
            mean = scores.value(str(measure))
            many = text.count(len(scores.judged.queries), "query", "queries")
            said.append(f"Mean over {many}, unedited: {text.number(mean)}.")
        st.markdown("  \n".join(said))
        general = convention_text.OF_MEANS if several else convention_text.OF_ONE
        st.caption(f"Convention: {convention_text.said(convention, general, measure)}.")
    if "chart" not in hidden:
        totals = [part["running"] for part in lines]
        drawn = charts.running_totals(
            totals[0],
            totals[1] if len(totals) > 1 else None,
            str(ledger.parts[0].measure),
            measure.label(convention),
            picked=tables.rank_of(lines[0], picked),
        )
        show.chart(drawn, "running")

if "score" not in hidden and not steps.replaced:
    edited = ranking != steps.original
    printed.section(sample, {run.name}, query, edited=edited)

if "lines" not in hidden:
    st.subheader("The lines that sum to it")
    working.lines(ledger, ranking, dataset.document_texts, picked)

if "more" not in hidden:
    rooms.tabs(
        state.VIEW,
        looks.LOOKS,
        look.Look(
            ranking,
            ledger,
            measure,
            convention,
            grade_scale(dataset.qrels),
            sharing.under(dataset, run, query, steps),
            partial(editing.change, origin, steps),
        ),
    )
