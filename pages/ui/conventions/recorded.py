"""Recorded cases in which tools disagree."""

from __future__ import annotations

import streamlit as st

from metrics.teaching.recorded_cases import recorded_cases

from .. import show, state, widgets


def case() -> None:
    """Choose a case; show its documents and what each tool gives."""
    cases = recorded_cases()
    titles = {name: each.title for name, each in cases.items()}
    chosen = cases[widgets.option("Recorded case", titles, state.CASE)]
    st.markdown(f"**{chosen.title}.** {chosen.lesson}")
    left, right = st.columns([2, 5], gap="large")
    with left:
        if len(chosen.documents):
            show.table(chosen.documents)
    with right:
        show.table(chosen.outputs)
        st.caption(
            "Recorded from the tools themselves; tests reproduce the values that a preset covers."
        )
