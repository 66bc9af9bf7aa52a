"""Compare: two runs, from their means down to queries, documents and single terms."""

from dataclasses import replace

import streamlit as st

from metrics import parse
from metrics.comparing.evidence import holm_corrected
from metrics.rendering import (
    comparison_tables,
    comparison_text,
    convention_text,
    delta_charts,
    text,
)
from pages.ui import (
    cache,
    pickers,
    published_results,
    reading_notes,
    shell,
    show,
    state,
    tabs,
    widgets,
)
from pages.ui.compare import context, fusing, one_query, overview, panels, runs

shell.guard(state.COMPARE)

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = pickers.source_picker(state.DATA, "shop", lambda data: len(data.runs) > 1)
    dataset = sample.load()
    available = runs.AvailableRuns(dataset)
    a = widgets.option("Run A", available.titles, state.A, dataset.runs[0].name)
    b = widgets.option("Run B", available.titles, state.B, dataset.runs[1].name)
    st.button("Swap", on_click=state.pick_runs, args=(b, a))
    measure = pickers.measure_picker(parse(sample.measure))
    shown = str(measure)
    paired_test, others = overview.pickers()
    measures = tuple(dict.fromkeys((shown, *others)))
    convention = pickers.convention_picker([parse(name) for name in measures])
    with shell.errors_shown():
        available = fusing.chosen(available, (a, b), convention)
    pickers.upload_button()
with shell.errors_shown():
    two = available.run(a, convention), available.run(b, convention)
    comparison = cache.compared(dataset.qrels, *two, shown, convention)
scored = comparison.per_query(shown)
if scored.empty:
    st.error(
        "Under this convention no query has a score, because no query has a relevant document."
        if comparison.queries
        else "No query is in the qrels and in both runs. Check on the Data page that the ids match."
    )
    st.stop()

with shell.errors_shown():
    rows = holm_corrected(
        {
            name: cache.evidence(dataset.qrels, *two, name, convention, paired_test)
            for name in measures
        }
    )
conclusion = comparison_text.conclusion(rows, shown, paired_test)
st.markdown(
    f":blue-background[A] {text.code(available.titles[a])} against "
    f":orange-background[B] {text.code(available.titles[b])}: **{conclusion}**"
)
overview.headline(rows[shown], shown)
remarks = comparison_text.aside(comparison)
if skipped := len(comparison.queries) - len(scored):
    many = text.count(skipped, "query", "queries")
    remarks.append(f"{many} with nothing to find left out")
remarks += available.explained({a, b})
st.caption(
    f"Mean over {text.count(len(scored), 'query', 'queries')}. "
    + "".join(f"{line.rstrip('.')}. " for line in remarks)
    + f"Convention: {convention_text.in_words(convention, convention_text.OF_MEANS, measure)}. "
    + ("A and B are identical. " if two[0].digest == two[1].digest else "")
    + f"Click {'a bar' if len(scored) <= delta_charts.BARS else 'the line'} to see its query "
    + "[below](#one-query)."
)
reading_notes.applied(dataset.qrels, *two)

frame = comparison_tables.queries(comparison, shown, dataset.query_texts)
order = frame.index.tolist()
links, bars = st.container(), st.container()
overview.all_measures(rows, paired_test, convention, measure)
looks = st.container()
published_results.section(sample, {a, b}, None)

st.subheader("One query")
query = widgets.one_of("Query", order, dataset.query_texts, state.PICKED)
tabs.recall(state.LOOK, panels.LOOKS)
with bars:
    drawn = delta_charts.deltas(frame, shown, query, measure.label(convention), paired_test.tie)
    drawn = replace(drawn, alt=f"{conclusion} {drawn.alt}")
    show.picking_chart(drawn, "deltas", state.pick_query)
with looks:
    page = context.ComparisonPage(
        available, (a, b), comparison, measure, convention, paired_test, rows, frame, query
    )
    tabs.draw(state.LOOK, panels.LOOKS, page)
one_query.section(sample, two, measure, query, convention)
# Last, because every part of the page above may read a value from the link.
with links:
    pickers.unknown_links()
