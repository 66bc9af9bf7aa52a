"""The shell of the app: its pages, and the way back into it from a cold deep link."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from . import state

ROOT = Path(__file__).parents[2]

# Script, title, address. The first is the front page.
PAGES = (
    ("pages/inspect_query.py", "Inspect", "inspect_query"),
    ("pages/compare_runs.py", "Compare", "compare_runs"),
    ("pages/data.py", "Data", "data"),
)


def run() -> None:
    """Build the navigation and run the page that the address names."""
    state.enter_shell()
    pages = [
        st.Page(ROOT / script, title=title, url_path=path, default=script == PAGES[0][0])
        for script, title, path in PAGES
    ]
    page = st.navigation(pages, position="top")
    if wanted := state.take_deep_link():
        st.switch_page(ROOT / wanted, query_params=dict(st.query_params.to_dict()))
    page.run()


def guard(script: str) -> None:
    """Send a page that was opened without the shell through it; the address is kept.

    The first request after a server start finds the file in ``pages/`` before ``app.py`` has ever
    run, and runs it bare.
    """
    if not state.in_shell():
        state.remember_deep_link(script)
        st.switch_page(ROOT / "app.py", query_params=st.query_params.to_dict())
