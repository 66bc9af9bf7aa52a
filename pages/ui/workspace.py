"""The workspace that the server was started with: every change is kept in it at once."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.commands import WORKSPACE_VARIABLE
from metrics.editing import History, Log, Origin, Record
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
        _try("data", partial(kept.keep, dataset))


def keep_edits(
    edits: Mapping[Origin, History],
    applied: Mapping[Origin, Mapping[str, int]],
    records: Sequence[Record],
    writer: str,
) -> bool:
    """Keep edited rankings, which events made them, and what they add to the log of grades.

    ``writer`` names the file that is appended to. Returns whether there are records no more that
    this session alone has.
    """
    kept = folder()
    if kept is None or not (edits or records):
        return False

    def write() -> None:
        try:
            kept.log.append(writer, records)
        except RankscopeError:
            # Too many for one line, or one can never be kept: that does not stop the others.
            refused = [error for each in records if (error := _refusal(kept, writer, each))]
            if refused:
                raise refused[0] from None

    is_kept = not records or _try("grades", write)
    for origin, history in edits.items():
        _try("edits", partial(kept.keep_edit, origin, history, applied.get(origin, {})))
    return is_kept


def _refusal(kept: Workspace, writer: str, record: Record) -> RankscopeError | None:
    try:
        kept.log.append(writer, [record])
    except RankscopeError as error:
        return error
    return None


def log() -> Log | None:
    """Return the log of grades of all who share the workspace; None where there is none now."""
    found: list[Log] = []
    _try("others' grades", lambda: found.extend([kept.log.read()] if (kept := folder()) else []))
    return next(iter(found), None)


def without(session: Log) -> tuple[Record, ...]:
    """Return the records of a session's log that the workspace does not have, if there is one."""
    if (kept := log()) is None:
        return ()
    known = {each.name for each in kept.records}
    return tuple(each for each in session.records if each.name not in known)


def keep_settings() -> None:
    """Keep the settings of the pages, if they have changed."""
    if (kept := folder()) and state.settings_changed():
        _try("settings", partial(kept.keep_settings, state.settings()))


def begin() -> Session | None:
    """Return what a new session begins with; None without a workspace that can be read."""
    try:
        if (kept := folder()) is None:
            return None
        saved, problems = kept.session()
    except OSError as error:
        state.put({state.NOT_KEPT: {"data": _why(error)}})
        return None
    state.put({state.PROBLEMS: "\n".join(problems)})
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
    known: dict[str, str] = state.value(state.NOT_KEPT) or {}
    if known.get(what, "") != problem:
        state.put({state.NOT_KEPT: {**known, what: problem}})
    return not again


def _why(error: OSError | RankscopeError) -> str:
    return f"{error.strerror}: {error.filename}" if isinstance(error, OSError) else str(error)


def report() -> None:
    """Say on every page what of the workspace could not be read or written last time."""
    problems: dict[str, str] = state.value(state.NOT_KEPT) or {}
    if found := {what: problem for what, problem in problems.items() if problem}:
        why = text.code("; ".join(dict.fromkeys(found.values())))
        st.error(
            f"The workspace cannot be used now ({why}). What you changed is in this session only. "
            "Make room, then change something again; or save the session on Data."
        )
