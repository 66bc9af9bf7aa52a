"""The document that is hovered in the list or a ledger lights up in the charts, and vice versa."""

from __future__ import annotations

import streamlit as st

from ..inline import component

_KEY = "linked_charts"
_linked = component(_KEY, __file__)


def link() -> None:
    """Link the charts of this page to its list and its ledgers."""
    # Until a component is loaded, it would take the room of a line.
    with st.container(height=1, border=False):
        _linked(key=_KEY)
