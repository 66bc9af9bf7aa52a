"""Tables for paper: of a table on the screen, the browser prints only the rows that are visible."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.rendering import tables

from . import state
from .inline import component

_paper = component("paper", __file__)


def table(frame: pd.DataFrame, missing: str, index: bool = True) -> None:
    """Put a table into the page that only paper shows; ``shell.css`` hides it on the screen."""
    key = f"paper_{state.next_table()}"
    # Until the component is loaded it takes the room of a line, which must not move the page.
    with st.container(key=f"on_{key}", height=1, border=False):
        _paper(key=key, data=tables.printed(frame, missing, index))
