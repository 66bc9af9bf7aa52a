"""Inspect: one query's ranking, its score, and its ledger."""

from functools import partial

import streamlit as st

from metrics import TREC_EVAL, Ledger, RankscopeError, parse
from metrics.editing import grade_scale
from metrics.rendering import convention_text, ranking_charts, text
from metrics.teaching import Lesson, samples
from pages.ui import (
    cache,
    data_notes,
    inline,
    ledger_view,
    links,
    pickers,
    present,
    shell,
    show,
    state,
    strip,
    user_data,
    widgets,
)
from pages.ui.inspect import editor, lesson, lesson_maker, panels, presentation, queries, share
from pages.ui.judge import further_judges
from pages.ui.streamlit_internals import Container

TITLE = 120
"""At most this many characters of a query are in the heading."""

shell.guard(state.INSPECT)
taught = lesson.receive()
links.receive()
present.receive(presentation.TITLES)
hidden = state.hidden()

with st.container(horizontal=True):
    heading = st.container()
    with st.container(key="actions", horizontal=True, width="content", gap="small"):
        sharing = st.container(horizontal=True, width="content", gap="small")
        if not hidden:
            pickers.upload_button()
bar = st.container(horizontal=True, vertical_alignment="bottom")
with bar:
    of_measure, of_run, of_data, of_convention = pickers.sentence(*[("", "")] * 4)
# A sentence without settings has room for what a lesson fixes.
asked = of_measure if {"measure", "data", "convention"} <= hidden else st.container()
with st.container(key="two"):
    left, right = st.columns(2, gap="medium")
under = st.container(key="under")
if pickers.lost(state.EXAMPLE):
    # The page ends here, before its query is known.
    with heading:
        shell.head(state.INSPECT)
pick = partial(pickers.source_picker, state.EXAMPLE, "laptop", lambda data: bool(data.runs))
with of_data:
    sample = pick(drawn=False)
    dataset = links.receive_grades(further_judges.counting(sample, drawn=False))
with of_measure:
    measure = pickers.measure_picker(parse(sample.measure))
with of_convention:
    convention, draw_convention = pickers.convention_choice([measure])
with of_run:
    run, query = pickers.query_picker(dataset, drawn=False)
origin, steps = links.ranking_of(dataset, run, query, convention)
ranking = steps.present
named = ranking.title or dataset.query_texts.get(query) or query
title = text.code(text.beginning(taught.title or named, TITLE))
with heading:
    shell.head(state.INSPECT, title)
# The sentence says which list is scored: one of its own, or the data's.
own_list = ranking.title if sample.key != samples.SCRATCH else ""
# In the menu of queries, for what takes longer to make than an edit may wait.
menus: list[Container] = []
with of_run:
    pickers.query_picker(dataset, not own_list, lambda: menus.append(st.container(width=560)))
with of_data:
    widgets.words("of" if own_list else "on", "data")
    pick(said=pickers.literal({sample.key: own_list or sample.title}))
    if not own_list:
        further_judges.counting(sample)

query_of_lesson = text.beginning(named, TITLE) if taught.title else ""
words = lesson.settings(query_of_lesson, measure, convention, taught.hidden)
if words:
    asked.markdown(words)
with left:
    # The ranking is all of a lesson, wherever the teacher took it from.
    if sample.key == state.YOURS and taught == Lesson() and (notice := user_data.alone()):
        st.info(notice)
state.recall(state.AT, str)
widgets.recall_tab(state.VIEW, panels.TABS)
picked = state.value(state.AT)
in_ranking = any(entry.document == picked for entry in ranking.entries)
state.keep(state.AT, picked if in_ranking else "", "")

ledger: Ledger | None = None
problem = ""
if ranking.grades:
    try:
        ledger = ranking.ledger(measure, convention)
    except RankscopeError as error:
        problem = text.code(str(error))

scored = ledger and panels.ScoredRanking(
    ranking,
    ledger,
    measure,
    convention,
    run.name,
    dataset.judged_by,
    tuple(sorted({*grade_scale(dataset.original), *grade_scale(dataset.qrels)})),
    links.under(dataset, run, query, steps),
    None if "editing" in hidden else partial(editor.change, origin, steps),
)
presented = scored is not None and state.presented()
if not presented:
    with right:
        lesson.task(taught, ledger)
        # Before all that takes longer to draw: an edit's score is shown without waiting.
        if ledger is not None:
            with st.container(key="scored"):
                lesson.score(taught, ledger, steps, "lines" not in hidden)
        if ledger is not None and "strip" not in hidden:
            strip.strip(ledger, parse(sample.measure).cutoff)
draw_convention()
lasting = sample.key != state.YOURS
links.keep(steps, lasting)
if scored and presented:
    texts = dataset.document_texts
    panels_shown = presentation.shown(scored, origin, steps, texts, picked, taught, hidden)
    whose = text.code(own_list or run.name)
    present.present(panels_shown, bar, f"{whose} · {convention_text.line(convention, measure)}")
    st.stop()

with left:
    if steps.replaced and not ranking.title and sample.key != samples.SCRATCH:
        st.caption("This ranking has no documents in common with the data.")
    parts = lesson.ledgers(ledger, hidden) if ledger else ()
    # Once its terms are revealed they are in the rows, too; what follows is not.
    earned = next(iter(parts), None) if "lines" in hidden else ledger
    editor.ranking_editor(
        origin,
        steps,
        earned,
        dataset.document_texts,
        measure.cutoff,
        locked="editing" in hidden,
    )
    # Data with judged rankings keep their judgments.
    if "editing" not in hidden and not dataset.judged:
        data_notes.of_list(dataset, steps)
    data_notes.applied(dataset.qrels, run)
    if removed := ledger.judged.removed if ledger else "":
        st.text(text.visible(removed))
    if left_out := dataset.qrels.excluded.get(query):
        st.caption(f"Left out of the ranking: {text.count(len(left_out), 'document')}.")
with sharing:
    links.back_button()
    if not hidden:
        if ledger:
            present.button("list")
        share.share(steps, lasting)
        lesson_maker.button(steps, lasting, named)
        if scored:
            share.export(scored, named)
if not hidden and steps.present != steps.original:
    with left:
        share.warn_of_a_long_ranking(steps, lasting)
pickers.unknown_links()
if ledger is None:
    if problem:
        st.error(problem)
    else:
        st.info(
            "This query has no judgment, so there is no score. Set a grade."
            if ranking.entries
            else "The ranking is empty. Add a document, paste a list, or undo."
        )
    st.stop()

with under:
    if parts:
        inline.room("ledger", len(ranking.retrieved[: measure.cutoff]))
        ledger_view.lines(ledger, ranking, dataset.document_texts, "shown", True, parts)
    if "score" not in hidden:
        sentences: list[str] = []
        if query not in run.queries:
            sentences.append("This query is not in this run.")
        sentences += ledger_view.cautions(ledger, ranking)
        if len(dataset.qrels.queries) > 1 and not ranking.title:
            scores = cache.scored(dataset.qrels, run, measure, convention)
            mean = scores.value(str(measure))
            many = text.count(len(scores.judged.queries), "query", "queries")
            order = ", in the order of the run" if steps.reordered else ""
            sentences.append(f"Mean over {many}{order}: {text.number(mean)}.")
            for menu in menus:
                with menu:
                    queries.bars(scores, measure, run.name, dataset.query_texts, query)
        if sentences:
            st.caption("  \n".join(sentences))
if scored and "chart" not in hidden:
    with right, st.container(key="chart"):
        show.chart(ranking_charts.running(ledger, query, picked), "running", scored.source)
        show.link_charts()

own = steps.replaced or ranking.title or taught.written
if "lines" not in hidden and not own and convention == TREC_EVAL:
    edited = bool(ranking != steps.original or dataset.under)
    data_notes.published(sample, {run.name}, query, edited, str(measure))

if "more" not in hidden:
    widgets.draw_tabs(state.VIEW, panels.TABS, scored)
