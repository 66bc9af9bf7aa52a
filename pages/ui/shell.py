"""The app's navigation, and the redirect for a page that is opened without it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import streamlit as st

from metrics import RankscopeError
from metrics.rendering import text

from . import state, to_top, upload_limit

ROOT = Path(__file__).parents[2]

# Script, title and address; the first is the front page.
PAGES = (
    (state.INSPECT, "Inspect", "inspect_query"),
    (state.COMPARE, "Compare", "compare_runs"),
    (state.CONVENTIONS, "Conventions", "conventions"),
    (state.LEARN, "Learn", "learn"),
    (state.PRACTICE, "Practice", "practice"),
    (state.DATA_PAGE, "Data", "data"),
)

# Names of link parameters in other apps, and the name here.
MISNAMED = {
    "metric": state.MEASURE,
    "cutoff": state.K,
    "threshold": state.LEVEL,
    "qid": state.QUERY,
    "s": state.RANKING,
}


def run() -> None:
    """Build the navigation and run the page that the address names."""
    state.enter_shell()
    st.logo(ROOT / "pages" / "ui" / "logo.svg")
    pages = [
        st.Page(script, title=title, url_path=path, default=script == PAGES[0][0])
        for script, title, path in PAGES
    ]
    page = st.navigation(pages, position="top")
    if destination := state.take_destination():
        script, parameters = destination
        st.switch_page(script, query_params=parameters)
    page.run()


@contextmanager
def errors_shown() -> Iterator[None]:
    """Show an error that the core raises, and end the page there."""
    try:
        yield
    except RankscopeError as error:
        st.error(text.code(str(error)))
        st.stop()


def guard(script: str) -> None:
    """Record which page is shown; redirect through ``app.py`` if that has not run yet.

    On the first request after a server start, Streamlit finds the page's file in ``pages/`` before
    ``app.py`` has run, and runs it without the navigation.
    """
    if not state.in_shell():
        parameters = st.query_params.to_dict()
        state.go_to(script, parameters)
        st.switch_page("app.py", query_params=parameters)
    state.enter_page(script)
    to_top.on_arrival()
    if state.arrived():
        upload_limit.let_go()
    for theirs, ours in MISNAMED.items():
        if wanted := state.arrived_with(theirs):
            state.set_unknown(theirs, wanted, f"Here it is called {ours}.")
