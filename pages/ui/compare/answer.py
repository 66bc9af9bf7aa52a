"""The verdict on the two runs, and what threatens it."""

from __future__ import annotations

import streamlit as st

from metrics.deciding import Verdict
from metrics.rendering import comparison_text

from .. import state


def answer(found: Verdict) -> None:
    """Show the sentence, then each threat in a line; red is what favours the other run."""
    sentence = comparison_text.answer(found)
    threats = "\n".join(comparison_text.threats(found))
    if found.outcome == "none":
        st.error(sentence)
        st.markdown(threats or "Check that the ids match.")
        st.button("Open the Data page", on_click=state.go_to, args=(state.DATA_PAGE,))
        return
    st.markdown(f"## {sentence}")
    if threats:
        st.markdown(threats)
