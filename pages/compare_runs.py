"""Compare: two runs, from their means down to queries, documents and single terms."""

from dataclasses import replace

import streamlit as st

from metrics.comparing.slices import EVERY
from pages.ui import data_notes, links, pickers, present, published_results, shell, state, widgets
from pages.ui.compare import answer, one_query, overview, panels, picks, query_filter

shell.guard(state.COMPARE)
present.receive(one_query.PANELS)
shell.head(state.COMPARE)

asked = picks.picks()
with shell.errors_shown():
    every = asked.pairing
    found = every.verdict
if not every.queries:
    answer.answer(found)
    st.stop()
only = query_filter.chosen(asked.of_filter, asked.runs.dataset, every)
asked = asked.over(only.dataset, only.tested(asked.test))
with shell.errors_shown():
    pairing = every if only.which == EVERY else asked.pairing
    found = pairing.verdict
page = picks.ComparisonPage(pairing, asked.runs, asked.pair, only)
order = page.frame.index.tolist()
if state.presented():
    state.recall(state.PICKED, state.among(order))
    one_query.presented(asked.sample, every, state.value(state.PICKED) or page.first)
    st.stop()
answer.answer(found)
of_bars = st.container()
answer.about(page)
dataset = page.dataset
data_notes.of_data(dataset)
links.of_grades(dataset)
links.keep_grades(dataset)
data_notes.applied(dataset.qrels, *pairing.runs)
of_links, of_changes = st.container(), st.container()

st.header("One query")
query = widgets.one_of("Query", order, dataset.query_texts, state.PICKED, default=page.first)
page = replace(page, picked=query)
one_query.section(asked.sample, every, query)
with of_changes:
    answer.changes(page)
with of_bars:
    answer.bars(page)

st.header("All measures")
if found.outcome != "none":
    overview.headline(pairing)
overview.all_measures(pairing, only.over)
widgets.recall_tab(state.LOOK, panels.LOOKS)
widgets.draw_tabs(state.LOOK, panels.LOOKS, page)
if only.which == EVERY:
    runs = {*asked.pair}
    published_results.section(asked.sample, runs, None, edited=dataset.uploaded is not None)
# Last, because every part of the page above may read a value from the link.
with of_links:
    pickers.unknown_links()
