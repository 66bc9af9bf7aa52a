"""What a new session begins with: what its browser's tab held, and the files of the server."""

from __future__ import annotations

import streamlit as st

from metrics.limits import current

from .. import kept_tabs, state, user_data
from . import opened_files


def receive() -> str:
    """Give a new session its data; return the page that it sees first, empty for the one it asks.

    A reloaded tab is a new session, so it finds what it held before.
    """
    if user_data.is_new() and current().reload and (browser := kept_tabs.browser()):
        asked = state.YOURS in (st.query_params.get(key) for key in (state.EXAMPLE, state.DATA))
        if held := kept_tabs.TABS.take(browser, asked=asked):
            user_data.restore(held)
    user_data.begun()
    return opened_files.receive()
