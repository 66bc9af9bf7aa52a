"""What a new session begins with: what its tab held, the workspace, or the server's files.

The files that the app was started with are everyone's data until they load others.
"""

import os
from pathlib import Path

import streamlit as st

from metrics.auditing import opened
from metrics.commands import WATCH_VARIABLE
from metrics.limits import current
from metrics.rendering import text
from metrics.sessions import Session

from .. import kept_tabs, links, state, user_data, workspace

EVERY = 2.0
"""Seconds between two looks at the files, if they are watched."""

Files = tuple[tuple[str, str], ...]


def arrive(page: str) -> str:
    """Give a new session its data; return the page that it sees first, empty for the one it asks.

    A reloaded tab is a new session, so it finds what it held before. ``page``: the one it asks for.
    """
    if not user_data.begun():
        if held := _of_tab():
            user_data.restore(held, page)
        elif not user_data.is_empty() or opened.files():
            workspace.look()
        elif saved := workspace.begin():
            user_data.restore(saved, page)
        links.keep_linked_grades()
        # A workspace that cannot be read yet is what an empty session begins with later.
        is_waiting = user_data.is_empty() and workspace.READING in workspace.problems()
        user_data.begun.put(not is_waiting)
    user_data.receive()
    if workspace.folder():
        _hear()
    return receive()


def _of_tab() -> Session | None:
    """Return what this browser's tab held before it was reloaded or closed."""
    browser = kept_tabs.browser() if current().reload else ""
    asked = state.YOURS in (st.query_params.get(key) for key in (state.EXAMPLE, state.DATA))
    return kept_tabs.TABS.take(browser, asked=asked) if browser else None


def receive() -> str:
    """Give a new session the files' data, and every session the files that have changed.

    Returns the page that a new session sees first; empty for the one it asks for.
    """
    pairs = opened.files()
    if not pairs:
        return ""
    opening = ""
    if user_data.from_files() is None:
        opening = _begin(pairs)
    elif _watched():
        _again(pairs)
    if _watched():
        _look(pairs)
    return opening


def _watched() -> bool:
    return bool(os.environ.get(WATCH_VARIABLE))


def _begin(pairs: Files) -> str:
    """Make the files this session's data, and return the page that shows them."""
    at = opened.stamps(pairs)
    if user_data.upload() is not None:
        # A reloaded tab keeps the data that it had.
        user_data.from_files.put((at, None))
        return ""
    taken = opened.read(pairs, at)
    user_data.from_files.put((at, taken.dataset))
    if taken.dataset is None:
        state.put({state.PROBLEMS: "\n".join(map(str, taken.problems))})
        user_data.apart.put(taken.apart)
        return state.DATA_PAGE
    user_data.begin(taken.dataset)
    state.put({state.NOTES: "\n".join(map(str, taken.notes))})
    return state.COMPARE if taken.dataset.is_comparable else state.INSPECT


def _again(pairs: Files) -> None:
    """Read files that have changed, unless the session has other data by now."""
    (was, before), now = user_data.from_files() or ((), None), opened.stamps(pairs)
    if was == now:
        return
    if user_data.upload() is not before:
        user_data.from_files.put((now, before))
        return
    taken = opened.read(pairs, now)
    changed = ", ".join(
        Path(path).name for (_, path), old, new in zip(pairs, was, now, strict=True) if old != new
    )
    user_data.from_files.put((now, taken.dataset or before))
    if taken.dataset is None:
        state.put({state.PROBLEMS: "\n".join(map(str, taken.problems))})
        st.toast(f"Changed, but not read: {text.code(changed)}. The page Data says why.")
        return
    user_data.begin(taken.dataset)
    st.toast(f"Changed, and read again: {text.code(changed)}.")


@st.fragment(run_every=EVERY)
def _hear() -> None:
    """Keep what could not be, and show what others give who share the workspace, once it is so."""
    before = workspace.told()
    user_data.keep_again()
    if user_data.has_news() or workspace.told() != before:
        st.rerun()


@st.fragment(run_every=EVERY)
def _look(pairs: Files) -> None:
    """Run the page again once a file has changed."""
    found = user_data.from_files()
    if found and found[0] != opened.stamps(pairs):
        st.rerun()
