"""Two runs without judgments: what they have in common, and the results of one query."""

from collections.abc import Sequence

import streamlit as st

from metrics import TREC_EVAL, Dataset, Run, nDCG
from metrics.matching import Rankings
from metrics.rendering import comparison_tables, comparison_text
from metrics.teaching import Sample

from .. import cache, show, state, widgets
from . import results, two_lists
from .one_query import alike, inspect_buttons


def section(dataset: Dataset, pair: Sequence[Rankings], depth: int, sample: Sample) -> None:
    """Show how much two runs have in common, by query, and the results of one query."""
    # Judged rankings come with judgments: these are whole runs.
    a, b = (run for run in pair if isinstance(run, Run))
    # No measure is computed without judgments; its cutoff is the depth.
    pairing = cache.pairing(dataset.qrels, (a, b), (nDCG @ depth,), TREC_EVAL)
    common, pooled = pairing.in_common(depth)
    if common.empty:
        st.info("The two runs have no query in common.")
        return
    st.markdown(f"## {comparison_text.in_common(common, a, b, depth)}")
    points = comparison_text.about_common(common, a, b, depth, pooled)
    st.markdown("\n".join(points))
    where = {state.EXAMPLE: sample.key, state.DEPTH: depth}
    st.button("Judge their documents", on_click=state.open_page, args=(state.JUDGE, where))
    st.header("Queries")
    frame = comparison_tables.in_common(common, depth, dataset.query_texts)
    names = frame.index.tolist()
    listed = st.container()
    st.header("One query")
    query = widgets.one_of("Query", names, dataset.query_texts, state.PICKED, default=names[0])
    with listed:
        show.picking_table(
            frame,
            "in_common",
            pick=lambda place: state.pick_query(names[place]),
            picked=names.index(query),
        )
        st.caption("The least in common first. Pick a row to see its query.")
    # Both rankings side by side, the movement between them, and the way to Inspect.
    one = pairing.one(query)
    two_lists.lists(one, dataset)
    st.caption(alike(one))
    with st.container(horizontal=True):
        inspect_buttons(sample, pairing, query)
    results.cards(one, dataset)
