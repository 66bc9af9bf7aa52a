"""The app's navigation, and the redirect for a page that is opened without it."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from typing import NamedTuple

import streamlit as st

from metrics import RankscopeError
from metrics.commands import HISTORY_VARIABLE
from metrics.rendering import text
from metrics.teaching import Lesson, lesson

from . import browser, state, streamlit_internals, workspace

ROOT = Path(__file__).parents[2]


class Page(NamedTuple):
    """A page: its script, its title, its address, and its purpose, if it says one.

    ``listed``: whether the menu has it; the others are reached from Learn.
    """

    script: str
    title: str
    path: str
    purpose: str = ""
    listed: bool = True


PAGES = (
    Page(state.START, "Start", "start"),
    Page(state.INSPECT, "Inspect", "inspect_query"),
    Page(state.COMPARE, "Compare", "compare_runs", "Which of two runs is better, and where."),
    Page(state.JUDGE, "Judge", "judge", "Grade documents by hand, and see what it changes."),
    Page(state.LEARN, "Learn", "learn"),
    Page(state.PRACTICE, "Practice", "practice", "Exercises that are checked at once.", False),
    Page(
        state.CONVENTIONS,
        "Why tools differ",
        "conventions",
        "One ranking, the score that each tool gives it, and the reason.",
        False,
    ),
    Page(state.DATA_PAGE, "Data", "data", "Load your own runs and qrels, or a sample."),
)
"""The pages, those of the menu in its order; the first is the front page."""
HISTORY = Page(
    state.HISTORY, "History", "history", "Whether runs get better over time, and what changed."
)
"""The page that exists if a folder of judged runs is named."""

# Names of link parameters in other apps, and the name here.
MISNAMED = {
    "metric": state.MEASURE,
    "cutoff": state.K,
    "threshold": state.LEVEL,
    "qid": state.QUERY,
    "s": state.RANKING,
}


STYLE = Path(__file__).with_name("page.css")
"""The style of every page."""
STYLED = Event()
"""Set where a server sends the style with a page's first bytes: twice, it would cost twice."""


def of(script: str) -> Page:
    """Return the page of a script."""
    return next(each for each in (*PAGES, HISTORY) if each.script == script)


def history_folder() -> str:
    """Return the folder of judged runs that the server was started with; empty for none."""
    return os.environ.get(HISTORY_VARIABLE, "")


def run(receive: Callable[[str], str]) -> None:
    """Build the navigation and run the page that the address names.

    ``receive`` takes the script of that page, gives the session its data, and returns the page that
    it opens instead of Start.
    """
    state.enter_shell()
    if not STYLED.is_set():
        st.html(STYLE)
    menu = not _lesson_hides_it()
    if menu:
        # A click on it opens Start.
        st.logo(ROOT / "pages" / "ui" / "logo.svg")
    pages = {
        each.script: st.Page(
            each.script,
            title=each.title,
            url_path=each.path,
            default=each.script == state.START,
            visibility="visible" if each.listed else "hidden",
        )
        for each in (*PAGES, *([HISTORY] if history_folder() else []))
    }
    page = st.navigation(list(pages.values()), position="top" if menu else "hidden")
    destination = state.take_destination()
    asked = next(script for script, each in pages.items() if each == page)
    with errors_shown():
        opening = receive(destination[0] if destination else asked)
    if opening and not destination and page == pages[state.START] and not st.query_params:
        destination = opening, {}
    if destination:
        script, parameters = destination
        if script in pages:
            st.switch_page(script, query_params=parameters)
        state.set_unknown("page", HISTORY.path, "The app was started without a folder for it.")
    if page == pages[state.START] and set(st.query_params) - set(state.OF_START):
        st.switch_page(state.INSPECT, query_params=_parameters())
    workspace.report()
    try:
        page.run()
    finally:
        workspace.keep_settings()


def _lesson_hides_it() -> bool:
    """Return whether a lesson hides the menu: a hidden number must not be one click away."""
    hides = lesson.SHOWN.keys() & set(st.query_params.get(state.HIDE, "").split("-"))
    revealed = state.value(state.REVEALED) or state.asks(state.REVEALED)
    return bool(hides) and revealed != lesson.SCORE


def _parameters() -> dict[str, list[str]]:
    """Return all values in the address, by parameter: one that is named twice is reported."""
    return {key: st.query_params.get_all(key) for key in st.query_params}


def head(script: str, title: str = "", purpose: str = "") -> None:
    """Name the page in the browser's tab and in its heading, and say what it is for.

    ``title``: Markdown; text of the user goes through ``text.code``.
    """
    page, taught = of(script), state.lesson()
    tab = page.title if taught == Lesson() else text.visible(taught.title) or "Lesson"
    st.set_page_config(page_title=f"{tab} · Rankscope")
    with st.container(gap=None, key=None if page.listed else "of_learn"):
        if not page.listed and not taught.left_out:
            # While the link is loaded, it must not move the title.
            with st.container(height=24, border=False, key="way_back"):
                st.page_link(state.LEARN, label="‹ Learn")
        with st.container(horizontal=True, vertical_alignment="bottom"):
            st.title(title or page.title, anchor=False, width="content")
            purpose = purpose or page.purpose
            if purpose and not taught.left_out and not state.presented():
                st.markdown(purpose, width="content")
        # Until a component is loaded, it would take the room of one line.
        with st.container(height=1, border=False):
            browser.follow()


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

    Without a server that is told to begin with it, Streamlit finds the page's file in ``pages/``
    before ``app.py`` has run, and runs it without the navigation.
    """
    if not state.in_shell():
        parameters = _parameters()
        state.go_to(script, parameters)
        st.switch_page("app.py", query_params=parameters)
    state.enter_page(script)
    if state.arrived():
        streamlit_internals.forget_uploads()
    for theirs, ours in MISNAMED.items():
        if wanted := state.arrived_with(theirs):
            state.set_unknown(theirs, wanted, f"Here it is called {ours}.")
