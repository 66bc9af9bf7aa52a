"""Tables whose cells wrap: for paper, which shows only visible rows, for phones and sentences."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.rendering import tables

from . import state
from .inline import component

_paper = component("paper", __file__)


def table(
    frame: pd.DataFrame,
    missing: str,
    index: bool = True,
    phone: bool = False,
    lit: pd.DataFrame | None = None,
) -> None:
    """Put a table into the page that only paper shows, or also a phone; see ``browser.css``.

    ``lit``: which cells stand out.
    """
    number = state.next_table()
    # Until the component is loaded it takes the room of a line, which must not move the page.
    with st.container(
        key=f"on_paper_{'or_phone_' if phone else ''}{number}", height=1, border=False
    ):
        drawn = tables.printed(frame, missing, index)
        marked = [] if lit is None else lit.to_numpy().tolist()
        _paper(key=f"paper_{number}", data={**drawn, "lit": marked})


def wrapped(frame: pd.DataFrame) -> None:
    """Show a table of sentences on every screen; a table that scrolls would cut them."""
    _paper(key=f"wrapped_{state.next_table()}", data={**tables.printed(frame, ""), "lit": []})
