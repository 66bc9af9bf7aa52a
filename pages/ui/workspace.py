"""The workspace that the server was started with: every change is kept in it at once."""

import os
from collections.abc import Callable, Mapping
from functools import cache, partial

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.commands import WORKSPACE_VARIABLE
from metrics.editing import Change, Log, Origin, Record
from metrics.rendering import text
from metrics.sessions import Session, Workspace

from . import state

_opened = cache(Workspace)
DATA, READING = "data", "reading"
"""What can fail, as a key of `problems`."""


def folder() -> Workspace | None:
    """Return the workspace; None if the server was started without one."""
    path = os.environ.get(WORKSPACE_VARIABLE, "")
    return _opened(path) if path else None


def keep(dataset: Dataset | None) -> None:
    """Keep data that were loaded, or that they were dropped."""
    if kept := folder():
        _try(DATA, partial(kept.keep, dataset))


def keep_edits(unkept: Change, applied: Mapping[Origin, Mapping[str, int]], writer: str) -> Change:
    """Keep edited rankings, which events made them, and what they add to the log of grades.

    ``writer`` names the file that is appended to. Returns what must be tried again.
    """
    kept, records = folder(), unkept.records
    if kept is None:
        return Change()

    def write() -> None:
        try:
            kept.log.append(writer, records)
        except RankscopeError:
            # Too many for one line, or one can never be kept: that does not stop the others.
            refused = [error for each in records if (error := _refusal(kept, writer, each))]
            if refused:
                raise refused[0] from None

    def write_edits() -> None:
        for origin, history in unkept.histories.items():
            kept.keep_edit(origin, history, applied.get(origin, {}))

    left = records if records and not _try("grades", write) else ()
    histories = unkept.histories
    return Change(histories if histories and not _try("edits", write_edits) else {}, left)


def _refusal(kept: Workspace, writer: str, record: Record) -> RankscopeError | None:
    try:
        kept.log.append(writer, [record])
    except RankscopeError as error:
        return error
    return None


def log() -> Log | None:
    """Return the log of grades of all who share the workspace; None where there is none now."""
    found: list[Log] = []
    _try(READING, lambda: found.extend([kept.log.read()] if (kept := folder()) else []))
    return next(iter(found), None)


def without(session: Log) -> tuple[Record, ...]:
    """Return the records of a session's log that the workspace does not have, if there is one."""
    if (kept := log()) is None:
        return ()
    known = {each.name for each in kept.records}
    return tuple(each for each in session.records if each.name not in known)


def keep_settings() -> None:
    """Keep the settings of the pages, if they have changed or could not be kept."""
    if (kept := folder()) and (state.settings_changed() or problems().get("settings")):
        _try("settings", partial(kept.keep_settings, state.settings()))


def begin() -> Session | None:
    """Return what a new session begins with; None without a workspace that can be read."""
    try:
        if (kept := folder()) is None:
            return None
        saved, found = kept.session()
    except OSError as error:
        state.put({state.NOT_KEPT: {READING: _why(error)}})
        return None
    state.put({state.PROBLEMS: "\n".join(found)})
    return saved


def _try(what: str, act: Callable[[], object]) -> bool:
    """Write or read, or note why it failed; return whether it need not be tried again.

    ``what`` is written or read: only the same clears its problem.
    """
    problem, again = "", False
    try:
        act()
    except (OSError, RankscopeError) as error:
        problem, again = _why(error), isinstance(error, OSError)
    if problems().get(what, "") != problem:
        state.put({state.NOT_KEPT: {**problems(), what: problem}})
    return not again


def problems() -> Mapping[str, str]:
    """Return why something could not be read or written last time, by what it was."""
    found: Mapping[str, str] = state.value(state.NOT_KEPT) or {}
    return found


def _why(error: OSError | RankscopeError) -> str:
    return f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)


def report() -> None:
    """Say on every page what of the workspace could not be read or written last time."""
    if found := list(filter(None, problems().values())):
        why = text.code("; ".join(dict.fromkeys(found)))
        st.error(
            f"The workspace cannot be used now ({why}). What you changed is in this session only, "
            "and is kept as soon as it can be. You can save the session on Data."
        )
