"""The workspace that the server was started with: every change is kept in it at once."""

import os
from collections.abc import Callable, Mapping
from functools import cache, partial

import streamlit as st

from metrics import Dataset
from metrics.commands import WORKSPACE_VARIABLE
from metrics.editing import History, Origin, changed_grades, sheet
from metrics.rendering import text
from metrics.sessions import Session, Workspace

from . import state

_opened = cache(Workspace)


def folder() -> Workspace | None:
    """Return the workspace; None if the server was started without one."""
    path = os.environ.get(WORKSPACE_VARIABLE, "")
    return _opened(path) if path else None


def keep(dataset: Dataset | None) -> None:
    """Keep data that were loaded, or that they were dropped."""
    if kept := folder():
        _try(partial(kept.keep, dataset))


def keep_edits(
    edits: Mapping[Origin, History],
    applied: Mapping[Origin, Mapping[str, int]],
    before: Mapping[Origin, History] | None,
) -> Mapping[Origin, History]:
    """Keep edited rankings, and which events made them; return them with the grades of others.

    ``before``: the rankings that they change; None: they take the place of those of others, too.
    """
    if kept := folder():
        theirs = Session()
        if before is not None:
            theirs = kept.edits(origin for origin in edits if origin.run.startswith(sheet.SHEET))
            edits = changed_grades.with_others(before, edits, theirs.edits)
        for origin, history in edits.items():
            events = {**theirs.applied.get(origin, {}), **applied.get(origin, {})}
            _try(partial(kept.keep_edit, origin, history, events))
    return edits


def keep_settings() -> None:
    """Keep the settings of the pages, if they have changed."""
    if (kept := folder()) and state.settings_changed():
        _try(partial(kept.keep_settings, state.settings()))


def begin() -> Session | None:
    """Return what a new session begins with; None without a workspace that can be read."""
    try:
        if (kept := folder()) is None:
            return None
        saved, problems = kept.session()
    except OSError as error:
        state.put({state.NOT_KEPT: _why(error)})
        return None
    state.put({state.PROBLEMS: "\n".join(problems)})
    return saved


def _try(write: Callable[[], object]) -> None:
    """Write, or note why it failed: what could not be kept stays in this session."""
    problem = ""
    try:
        write()
    except OSError as error:
        problem = _why(error)
    state.put({state.NOT_KEPT: problem})


def _why(error: OSError) -> str:
    return f"{error.strerror}: {error.filename}"


def report() -> None:
    """Say on every page that the workspace could not be read or written last time."""
    if problem := state.message(state.NOT_KEPT):
        st.error(
            f"The workspace cannot be used now ({text.code(problem)}). Your last change is in this "
            "session only. Make room, then change something again; or save the session on Data."
        )
