"""Pages open at their top."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from . import state

_to_top = st.components.v2.component(
    "to_top", js=Path(__file__).with_suffix(".js").read_text("utf-8")
)


def on_arrival() -> None:
    """Scroll to the top if the previous run showed another page."""
    # Drawn on every run, so that what is below never moves.
    _to_top(key="to_top", data={"visit": state.visit()})
