"""Pages open at their top, and begin right under the menu."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from . import state

_FILE = Path(__file__)
_to_top = st.components.v2.component(
    "to_top",
    css=_FILE.with_suffix(".css").read_text("utf-8"),
    js=_FILE.with_suffix(".js").read_text("utf-8"),
    isolate_styles=False,
)


def on_arrival() -> None:
    """Scroll to the top if the previous run showed another page."""
    # Drawn on every run, so that what is below never moves.
    _to_top(key="to_top", data={"visit": state.visit()})
