"""The tab Labels: which judgments decide the winner."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import RankscopeError
from metrics.rendering import comparison_tables, comparison_text, text

from .. import show, state, widgets
from .context import ComparisonPage

_STEPS = {"one": 1, "any": None}
"""How far a label may change, by the name in links."""
MOST = 20
"""At most this many labels are listed by their weight."""


def labels(page: ComparisonPage) -> None:
    """Show the fewest labels that turn the winner, and those that weigh most."""
    names = {"one": "by one grade", "any": "to any grade"}
    chosen = widgets.option("A label may change", names, state.STEPS, "one", flat=True)
    try:
        found = page.pairing.labels(_STEPS[chosen])
    except RankscopeError as error:
        st.info(text.code(str(error)))
        return
    if found is None:
        st.info("Too many labels to try them all: choose fewer queries or a smaller cutoff.")
        return
    st.markdown(comparison_text.decisive(found, names[chosen], page.pairing.runs, page.shown))
    if found.changes:
        _listed(page, "decisive", comparison_tables.label_changes(found.changes))
    st.markdown("**The labels that weigh most**, each changed alone")
    _listed(page, "weighing", comparison_tables.label_changes(found.ranked[:MOST]))
    st.caption(
        "At most one label of a query changes, so that the queries add up. Tick a row to see its "
        "query and document."
    )


def _listed(page: ComparisonPage, key: str, frame: pd.DataFrame) -> None:
    queries, documents = frame.index.tolist(), frame["document"].tolist()

    def pick(place: int) -> None:
        state.pick_query(queries[place])
        state.pick_document(documents[place])

    show.picking_table(frame, f"labels_{key}", pick=pick)
