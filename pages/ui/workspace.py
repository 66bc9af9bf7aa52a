"""The workspace that the server was started with: every change is kept in it at once."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import TypeVar

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.commands import WORKSPACE_VARIABLE
from metrics.editing import Change, History, Log, Origin, Record
from metrics.rendering import text
from metrics.sessions import Session, Workspace
from metrics.sessions.workspace import CURRENT, Stamp, edit_name

from . import state

T = TypeVar("T")
_opened = cache(Workspace)


@dataclass(frozen=True)
class Problem:
    """Why something could not be read or written, whether it can be later, and when it failed."""

    why: str
    again: bool
    at: float


DATA, READING = "data", "reading"
"""What can fail, as a key of `problems`."""


def folder() -> Workspace | None:
    """Return the workspace; None if the server was started without one."""
    path = os.environ.get(WORKSPACE_VARIABLE, "")
    return _opened(path) if path else None


def keep(dataset: Dataset | None, again: bool = False) -> None:
    """Keep data that were loaded, or that they were dropped; ``again``: as in `keep_edits`."""
    if kept := folder():
        _write(DATA, CURRENT, partial(kept.keep, dataset), again)


def keep_edits(
    unkept: Change, applied: Mapping[Origin, Mapping[str, int]], writer: str, again: bool = False
) -> Change:
    """Keep edited rankings, which events made them, and what they add to the log of grades.

    ``writer`` names the file that is appended to. ``again``: after it could not be kept, and only
    over what this session has seen. Returns what must be tried again.
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

    left = records if records and not _try("grades", write) else ()
    histories = {
        origin: history
        for origin, history in unkept.histories.items()
        if not _write(
            f"edits {origin}",
            edit_name(origin),
            partial(kept.keep_edit, origin, history, applied.get(origin, {})),
            again,
        )
    }
    return Change(histories, left)


def missing(edits: Mapping[Origin, History]) -> dict[Origin, History]:
    """Return the edited rankings of a session that the workspace does not have, if there is one."""
    known = look()
    return {} if known is None else {o: of for o, of in edits.items() if edit_name(o) not in known}


def _refusal(kept: Workspace, writer: str, record: Record) -> RankscopeError | None:
    try:
        kept.log.append(writer, [record])
    except RankscopeError as error:
        return error
    return None


def log() -> Log | None:
    """Return the log of grades of all who share the workspace; None where there is none now."""
    return _read(lambda kept: kept.log.read())


def without(session: Log) -> tuple[Record, ...]:
    """Return the records of a session's log that the workspace does not have, if there is one."""
    if (kept := log()) is None:
        return ()
    known = {each.name for each in kept.records}
    return tuple(each for each in session.records if each.name not in known)


def keep_settings() -> None:
    """Keep the settings of the pages, if they have changed or could not be kept."""
    kept = folder()
    # Those that could not be read yet are not replaced.
    if kept is None or READING in problems():
        return
    if state.settings_changed() or "settings" in problems():
        _try("settings", partial(kept.keep_settings, state.settings()))


def begin() -> Session | None:
    """Return what a new session begins with; None without a workspace that can be read."""
    if (found := _read(Workspace.session)) is None:
        return None
    look()
    saved, odd = found
    state.put({state.PROBLEMS: "\n".join(odd)})
    return saved


def look() -> Mapping[str, Stamp] | None:
    """See which files others can replace, as they are now; None where that is not known."""
    found = _read(Workspace.stamps)
    state.put({state.STAMPS: found or {}})
    return found


def _read(get: Callable[[Workspace], T]) -> T | None:
    """Return what is read from the workspace; None where there is none, or it cannot be read."""
    found: list[T] = []
    _try(READING, lambda: found.extend([get(kept)] if (kept := folder()) else []))
    return next(iter(found), None)


def _write(what: str, name: str, act: Callable[[], object], again: bool) -> bool:
    """Write a file as `_try` does; ``again``: leave it where others have replaced it meanwhile."""
    known: Mapping[str, Stamp] = state.value(state.STAMPS) or {}
    if again:
        if (found := _read(lambda kept: (kept.stamp(name),))) is None:
            return False
        if found[0] != known.get(name):
            return _try(what, lambda: None)
    done = _try(what, act)
    if done and (found := _read(lambda kept: (kept.stamp(name),))):
        state.put({state.STAMPS: {**known, name: found[0]}})
    return done


def _try(what: str, act: Callable[[], object]) -> bool:
    """Write or read, or note why it failed; return whether it need not be tried again.

    ``what`` is written or read: only the same clears its problem.
    """
    problem: Problem | None = None
    try:
        act()
    except (OSError, RankscopeError) as error:
        problem = Problem(_why(error), isinstance(error, OSError), time.monotonic())
    known = problems()
    if problem or what in known:
        others = {each: of for each, of in known.items() if each != what}
        state.put({state.NOT_KEPT: {**others, **({what: problem} if problem else {})}})
    return problem is None or not problem.again


def problems() -> Mapping[str, Problem]:
    """Return why something could not be read or written last time, by what it was."""
    found: Mapping[str, Problem] = state.value(state.NOT_KEPT) or {}
    return found


def told() -> str:
    """Return what `report` says; empty where all could be read and written."""
    known = problems().values()
    if not known:
        return ""
    why = text.code("; ".join(dict.fromkeys(each.why for each in known)))
    later = ", and is kept as soon as it can be" if any(each.again for each in known) else ""
    return (
        f"The workspace cannot be used now ({why}). What you changed is in this session only"
        f"{later}. You can save the session on Data."
    )


def _why(error: OSError | RankscopeError) -> str:
    if not isinstance(error, OSError):
        return str(error)
    # A write that fails, as on a full disk, names no file.
    return ": ".join(str(part) for part in (error.strerror, error.filename) if part)


def report() -> None:
    """Say on every page what of the workspace could not be read or written last time."""
    # Its place is there without it, too: else what is below would be made anew, and lose the focus.
    place = st.empty()
    if found := told():
        place.error(found)
