"""What a new session begins with: what its tab held, the workspace, or the server's files."""

from __future__ import annotations

import streamlit as st

from metrics.auditing import opened
from metrics.limits import current
from metrics.sessions.session_file import Session

from .. import kept_tabs, links, state, user_data, workspace
from . import opened_files


def receive() -> str:
    """Give a new session its data; return the page that it sees first, empty for the one it asks.

    A reloaded tab is a new session, so it finds what it held before.
    """
    if user_data.is_new():
        if held := _of_tab():
            user_data.restore(held)
        elif not opened.files() and (saved := workspace.begin()):
            user_data.restore(saved)
        links.hold_grades()
        user_data.begun()
    return opened_files.receive()


def _of_tab() -> Session | None:
    """Return what this browser's tab held before it was reloaded or closed."""
    browser = kept_tabs.browser() if current().reload else ""
    asked = state.YOURS in (st.query_params.get(key) for key in (state.EXAMPLE, state.DATA))
    return kept_tabs.TABS.take(browser, asked=asked) if browser else None
