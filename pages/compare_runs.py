"""Compare: two runs, from their means down to queries, documents and single terms."""

from dataclasses import replace

import streamlit as st

from metrics import TREC_EVAL, parse
from metrics.auditing.audit import not_kept
from metrics.comparing.slices import EVERY, first_to_read
from metrics.memory import content
from metrics.rendering import (
    comparison_tables,
    comparison_text,
    delta_charts,
    text,
)
from metrics.scoring.known_differences import exceptions
from pages.ui import (
    data_notes,
    links,
    pickers,
    present,
    published_results,
    shell,
    show,
    state,
    widgets,
)
from pages.ui.compare import (
    answer,
    changes,
    context,
    fusing,
    one_query,
    overview,
    panels,
    query_filter,
    runs,
    without_judgments,
)

shell.guard(state.COMPARE)
present.receive(one_query.PANELS)
shell.head(state.COMPARE)

with st.container(key=present.COVERED):
    bar = st.container(horizontal=True, vertical_alignment="bottom")
with bar:
    sample = pickers.source_picker(state.DATA, "shop", lambda data: data.is_comparable)
    dataset = links.receive_grades(sample.load())
    available = runs.AvailableRuns(dataset)
    # The own runs come first; a single one stands beside the ideal ranking.
    one, other, *_ = [*available.titles] * 2
    a = widgets.option("Run A", available.titles, state.A, one)
    b = widgets.option("Run B", available.titles, state.B, other)
    st.button("Swap", on_click=state.pick_runs, args=(b, a))
    if not dataset.is_judged:
        depth = without_judgments.depth_picker()
        available = fusing.chosen(available, (a, b), TREC_EVAL)
        pickers.upload_button()
if not dataset.is_judged:
    without_judgments.section(available, (a, b), depth, sample.key)
    pickers.unknown_links()
    st.stop()
with bar:
    measure = pickers.measure_picker(parse(sample.measure))
    shown = str(measure)
    # Beside the measure, though it depends on the other measures, too.
    of_convention = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    paired_test, others = overview.pickers()
    measures = tuple(dict.fromkeys((shown, *others)))
    with of_convention:
        convention = pickers.convention_picker([parse(name) for name in measures])
    of_filter = st.container(horizontal=True, vertical_alignment="bottom", width="content")
    with shell.errors_shown():
        available = fusing.chosen(available, (a, b), convention)
    pickers.upload_button()
with shell.errors_shown():
    every = pairing = runs.paired(available, (a, b), measures, convention, paired_test)
    found = pairing.verdict
if pairing.comparison.per_query(shown).empty:
    answer.answer(found)
    st.stop()

only = query_filter.chosen(of_filter, dataset, pairing)
if only.which != EVERY:
    dataset = only.dataset
    available = replace(available, dataset=dataset)
    paired_test = only.tested(paired_test)
    with shell.errors_shown():
        pairing = runs.paired(available, (a, b), measures, convention, paired_test)
        found = pairing.verdict
comparison, two = pairing.by(measure).comparison, pairing.runs
scored = comparison.per_query(shown)
frame = comparison_tables.queries(comparison, shown, dataset.query_texts)
order = frame.index.tolist()
first = first_to_read(frame["delta"], pairing.found, paired_test.tie)
if state.presented():
    state.recall(state.PICKED, state.among(order))
    one_query.presented(sample, every, state.value(state.PICKED) or first)
    st.stop()
answer.answer(found)
for sentence in not_kept(*two, named=text.code) if found.outcome != "none" else []:
    st.caption(sentence)
if unlike := exceptions(pairing.sides, pairing.measures):
    st.caption(f"Exceptions of the preset: {'; '.join(unlike)}.")
if only.which.outcome:
    st.info(
        "These queries were chosen by their outcome, so a test or an interval of their mean says "
        "nothing about other queries."
    )
remarks = comparison_text.aside(comparison)
if skipped := len(comparison.queries) - len(scored):
    many = text.count(skipped, "query", "queries")
    remarks.append(f"{many} with nothing to find left out")
remarks += available.explained({a, b})
st.markdown(
    f"Mean over {only.over}. "
    + "".join(f"{line.rstrip('.')}. " for line in remarks)
    + ("A and B are identical. " if content(two[0]) == content(two[1]) else "")
    + f"Click {'a bar' if len(scored) <= delta_charts.BARS else 'the line'} to see its query "
    + "[below](#one-query)."
)
if removed := comparison_text.own_documents(comparison):
    st.text(text.visible(removed))
data_notes.of_data(dataset)
links.of_grades(dataset)
links.keep_grades(dataset)
data_notes.applied(dataset.qrels, *two)

label = only.label(measure.label(convention))
of_links, of_changes, bars = st.container(), st.container(), st.container()

st.header("One query")
query = widgets.one_of("Query", order, dataset.query_texts, state.PICKED, default=first)
page = context.ComparisonPage(pairing, available, (a, b), frame, query, only)
one_query.section(sample, every, query)
with of_changes:
    changes.changes(page)
with bars:
    drawn = delta_charts.deltas(frame, shown, query, label, paired_test.tie)
    drawn = replace(drawn, alt=f"{found.sentence.text()} {drawn.alt}")
    show.picking_chart(drawn, "deltas", state.pick_query, page.source)

st.header("All measures")
if found.outcome != "none":
    overview.headline(pairing)
overview.all_measures(pairing, only.over)
widgets.recall_tab(state.LOOK, panels.LOOKS)
widgets.draw_tabs(state.LOOK, panels.LOOKS, page)
if only.which == EVERY:
    published_results.section(sample, {a, b}, None, edited=dataset.uploaded is not None)
# Last, because every part of the page above may read a value from the link.
with of_links:
    pickers.unknown_links()
