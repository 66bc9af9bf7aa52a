"""Compare: two runs, from their means down to queries, documents and single terms."""

from dataclasses import replace
from functools import partial

import streamlit as st

from metrics.comparing import slices
from metrics.rendering import comparison_text
from pages.ui import data_notes, links, pickers, present, shell, state, widgets
from pages.ui.compare import answer, downloads, one_query, panels, picks, query_bars, query_filter
from pages.ui.data import two_lists

shell.guard(state.COMPARE)
present.receive(one_query.PANELS)
# What is seen as the heading is the verdict.
with st.container(key="only_heard"):
    shell.head(state.COMPARE)

asked = picks.picks()
with shell.errors_shown():
    every = asked.pairing
    found = every.verdict
if not every.queries:
    answer.no_answer(found)
    st.stop()
only = query_filter.chosen(asked.of_filter, asked.dataset, every)
asked = replace(asked, dataset=only.dataset, test=only.tested(asked.test))
with shell.errors_shown():
    pairing = every if only.which == slices.EVERY else asked.pairing
    found = pairing.verdict
page = picks.ComparisonPage(every, pairing, only)
order = page.frame.index.tolist()
if state.presented():
    state.recall(state.PICKED, state.among(order))
    page = replace(page, picked=state.value(state.PICKED) or page.first.query)
    verdict = partial(answer.presented, page) if len(order) > 1 else None
    one_query.presented(every.one(page.picked), page.dataset, verdict)
    st.stop()
dataset, query, many = page.dataset, page.first.query, len(order) > 1
with st.container(key="compared"):
    if found.outcome == "none":
        answer.no_answer(found)
    else:
        answer.answer(page, asked.sample.key, asked.of_heading)
    of_links = st.container()
    of_bars, of_lists = st.columns([6, 5], gap="large") if many else (None, st.container())
with st.container(horizontal=True, key="of_query"):
    if many:
        query = widgets.one_of(
            "Query",
            order,
            dataset.query_texts,
            state.PICKED,
            default=query,
            said=lambda _: "Other queries",
        )
    page = replace(page, picked=query)
    one_query.inspect_buttons(asked.sample, every, query)
if of_bars:
    with of_bars:
        query_bars.bars(page)
one = every.one(query)
looks: widgets.Tabs = {**one_query.tabs(one, every, dataset), **panels.TABS}
# A query alone begins with its tables, several with their means.
row = (*panels.ROW, *one_query.ROW) if many else (*one_query.ROW, *panels.ROW)
# Back is no link.
if state.arrived() and state.asks(state.DOCUMENT) and not state.asks(state.TAB):
    state.put({state.TAB: one_query.DOCUMENT})
opened = widgets.recall_tab(state.TAB, looks, row)
with of_lists:
    first = many and query == page.first.query
    why = comparison_text.why_first(page.first) if first else ""
    one_query.picture(one, dataset, why, partial(panels.changed, page, opened, one))
with asked.of_share:
    if pickers.typed_lists(asked.dataset):
        st.button("Edit the lists", on_click=two_lists.edit, args=(asked.dataset,))
    present.button("verdict" if many else "movement")
    downloads.share(page, asked.sample.key != state.YOURS)

if state.value(state.TAB) is None and state.asks(state.SHOWN):
    state.put({state.TAB: "Queries"})
with st.container(key="looks"):
    widgets.draw_tabs(state.TAB, looks, page, row=row)
data_notes.of_data(dataset)
links.of_grades(dataset)
links.keep_grades(dataset)
data_notes.applied(dataset.qrels, *pairing.runs)
if only.which == slices.EVERY:
    runs = {*asked.pair}
    data_notes.published(
        asked.sample, runs, None, edited=bool(dataset.uploaded is not None or dataset.under)
    )
# Last, because every part of the page above may read a value from the link.
with of_links:
    pickers.unknown_links()
