"""The user's data: their upload, and the rankings they edited."""

import hashlib
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import Generic, TypeVar

import streamlit as st

from metrics import Dataset, Qrels
from metrics.auditing import Mend, intake, opened
from metrics.conventions import CHOICES
from metrics.editing import Change, Edits, History, Origin, Signature, Writer
from metrics.reading import Picked, Preview
from metrics.sessions import Session

from . import kept_tabs, state, streamlit_internals, workspace

T = TypeVar("T")

Apart = tuple[Dataset, Mapping[str, Mend]]
_NUMBERS = count(1)
"""The numbers of records: in the session's state one could be given twice, after a cut."""
PAUSE = 20
"""Seconds after which data that could not be kept are packed again."""
_RESTORED = 20
"""At most this many earlier data can be restored."""


@dataclass(frozen=True)
class Slot(Generic[T]):
    """A value of the session under a key; a call returns it."""

    key: str
    default: T

    def __call__(self) -> T:
        """Return the value."""
        value: T = st.session_state.get(self.key, self.default)
        return value

    def put(self, value: T) -> None:
        """Keep another value."""
        st.session_state[self.key] = value


@dataclass(frozen=True)
class Listed:
    """The files of the last upload.

    Attributes
    ----------
    files
        With the roles that were chosen; none where they are too large to be kept.
    seen
        The role and the content of each.
    needs
        ``qrels`` or ``run``, if that is missing.
    before
        The data to which the files are added.
    is_accepted
        Whether they are part of the data; if not, they wait for others, or for an answer.
    previews
        By the place of a file: the table whose columns are not known.
    unjudged
        The runs as data without judgments, where only qrels are missing.
    """

    files: tuple[intake.Given, ...]
    seen: tuple[intake.Seen, ...]
    needs: tuple[str, ...]
    before: Dataset | None
    is_accepted: bool
    previews: Mapping[int, Preview]
    unjudged: Dataset | None = None


upload = Slot[Dataset | None]("_upload", None)
"""The uploaded or pasted data, if any."""
all_edits = Slot("_edits", Edits())
"""What edits have made in this session."""
from_files = Slot[tuple[tuple[opened.Stamp, ...], Dataset | None] | None]("_files", None)
"""The stamps of the files that the app was started with, and the data read from them last.

None before the session has looked at them.
"""
begun = Slot("_begun", False)
"""Whether the session has received what it begins with."""
apart = Slot[Apart | None]("_apart", None)
"""Data refused because their ids do not match, and the rules that make them match.

They are held until they are mended or other data are loaded.
"""
listed = Slot[Listed | None]("_listed", None)
"""The files of the last upload, if the data are still those that it made."""
picked = Slot[Mapping[tuple[str, ...], Picked]]("_picked", {})
"""The columns that were chosen in this session, by the shape of the file."""
aside = Slot[tuple[tuple[Session, bool], ...]]("_aside", ())
"""The sessions that can be restored, the latest last, and whether their edits were replaced.

There is one for each removal since data were loaded.
"""
_adopted = Slot[Dataset | None]("_adopted", None)
"""Data from a link."""
_uploads = Slot("_round", 0)
"""How often the upload fields were emptied."""


def set_upload(new: Dataset | None) -> None:
    """Make these the user's data, and show them on the pages next; None drops the data."""
    before = upload()
    # Messages, offers and replaced data belong to the previous data.
    state.put({state.PROBLEMS: "", state.NOTES: ""})
    apart.put(None)
    aside.put(())
    listed.put(None)
    upload.put(new)
    _hold()
    workspace.keep(new)
    empty_fields()
    if new is None:
        shown = [key for key in (state.EXAMPLE, state.DATA) if state.last(key) == state.YOURS]
        # The measure is reset with the data, because each sample has its own.
        state.forget(*shown, *((state.MEASURE, state.K) if shown else ()))
    elif before is None:
        state.forget(*state.OF_RANKING, *state.OF_COMPARISON)
        state.put({state.EXAMPLE: state.YOURS})
    if new is not None and new.is_comparable:
        state.put({state.DATA: state.YOURS})
    elif new is not None:
        state.forget(state.DATA)
    if new is not None and not (before and before.judged):
        _take_convention(new)


def restore(held: Session, page: str) -> None:
    """Give a new session what was held before; on this page the address decides what is shown."""
    upload.put(held.dataset)
    unkept = Change(workspace.missing(held.edits), workspace.without(held.log))
    all_edits.put(Edits(held.edits, held.applied, held.log, unkept, all_edits().generation))
    # A link leaves out its defaults, so that other settings would change its meaning.
    if held.settings and not st.query_params:
        state.set_settings(held.settings)
    elif held.dataset:
        _show(held.dataset, state.OF_DATA.get(page, ""))
    _hold()


def _hold(edits: Edits | None = None) -> None:
    """Keep the data and the edits for a reload, but not the data that a reload finds anyway.

    ``edits``: those that are about to be kept; None: those that are.
    """
    dataset, edits = upload(), edits or all_edits()
    own = None if _is_found_again(dataset) else dataset
    kept_tabs.keep(Session(own, edits.histories, {}, edits.applied, edits.log))


def _is_found_again(dataset: Dataset | None) -> bool:
    """Return whether data come from the server's files or a link: each session has them anyway."""
    files = from_files()
    return dataset is not None and (dataset is (files and files[1]) or dataset is _adopted())


def begin(dataset: Dataset) -> None:
    """Make data the user's; the address decides what is shown, and if it does not, these are."""
    upload.put(dataset)
    _show(dataset)
    _take_convention(dataset)


def _show(dataset: Dataset, without: str = "") -> None:
    """Show the user's data on the pages, but for parameters of the address and one other."""
    shown = [state.EXAMPLE, *([state.DATA] if dataset.is_comparable else [])]
    state.put({key: state.YOURS for key in shown if key != without and not state.in_address(key)})


def _take_convention(dataset: Dataset) -> None:
    """Rankings that are judged already can be ranked in their own way only."""
    if dataset.judged and not dataset.runs:
        choices = vars(dataset.judged[0].convention)
        state.put({name: choices[name] for name in (*CHOICES, state.LEVEL)})


def fresh(key: str) -> str:
    """Return the key of an upload field; it changes after each upload."""
    return f"{key}_{_uploads()}" if _uploads() else key


def empty_fields() -> None:
    """Empty the upload fields, whose files Streamlit would copy on every rerun."""
    _uploads.put(_uploads() + 1)
    streamlit_internals.forget_uploads()


def adopt(dataset: Dataset) -> None:
    """Make data from a link the user's, without changing the link's other settings."""
    upload.put(dataset)
    _adopted.put(dataset)


def alone() -> str:
    """Return a notice if the user's data are only a ranking from a link; else an empty text."""
    if upload() is None or upload() is not _adopted():
        return ""
    return (
        "The link contains only this ranking. The data it belongs to were uploaded in another "
        "session, or one that has ended. To see all the data, upload them or open a saved session "
        "on the Data page."
    )


def session() -> Session:
    """Return everything that a saved session contains."""
    edits = all_edits()
    return Session(upload(), edits.histories, state.settings(), log=edits.log)


def open_session(saved: Session) -> None:
    """Replace this session by a saved one; this one can be restored."""
    before = until_now(replaced=True)
    set_upload(saved.dataset)
    edits = all_edits()
    alone = workspace.folder() is None
    base, change = edits.opening(saved.edits, saved.log, writer(), alone)
    commit(change, True, base)
    state.set_settings(saved.settings)
    aside.put(before)


def until_now(replaced: bool = False) -> tuple[tuple[Session, bool], ...]:
    """Return the sessions that can be restored, and this one; ``replaced``: with its edits."""
    now = session()
    return (*aside(), *[(now, replaced)] * bool(now.dataset or now.edited))[-_RESTORED:]


def take_back() -> None:
    """Restore the latest of the earlier sessions; what was edited since a removal stays."""
    if held := aside():
        before, replaced = held[-1]
        edits = all_edits()
        open_session(before if replaced else replace(before, edits=edits.histories, log=edits.log))
        aside.put(held[:-1])


def drop(kept: Dataset | None = None) -> None:
    """Drop the user's data except ``kept``; the previous data can be restored."""
    before = until_now()
    set_upload(kept)
    state.forget(state.RUN, state.A, state.B, state.RUNS)
    aside.put(before)


def set_history(
    origin: Origin,
    before: History,
    after: History,
    by: Signature,
    number: int | None = None,
    renew: bool = False,
) -> None:
    """Keep an edited ranking with its undo steps, as `Edits.editing` does.

    ``renew``: whether the editor must reload the ranking.
    """
    commit(all_edits().editing(origin, before, after, by, writer(), number), renew)


def commit(change: Change, renew: bool = True, before: Edits | None = None) -> None:
    """Keep a change here, as one assignment, and in the workspace before the page shows it.

    ``before``: what it is made of, if not of what is here.
    """
    before = before or all_edits()
    after = before.with_change(change, tab())
    unkept = before.unkept + change if workspace.folder() else Change()
    after = replace(after, unkept=unkept, generation=before.generation + renew)
    if change.histories or change.records:
        _hold(after)
    # A request that ends the callback here leaves nothing, and its event is applied again; after
    # it, that nothing is missing in the workspace, where a record that comes twice counts once.
    all_edits.put(after)
    _keep_edits(after)


def _keep_edits(edits: Edits, again: bool = False) -> None:
    if edits.unkept.histories or edits.unkept.records:
        left = workspace.keep_edits(edits.unkept, edits.applied, tab(), again)
        all_edits.put(replace(edits, unkept=left))


def keep_again() -> None:
    """Try again to keep what the workspace could not keep."""
    _keep_edits(all_edits(), again=True)
    problem = workspace.problems().get(workspace.DATA)
    waited = problem and problem.again and time.monotonic() - problem.at >= PAUSE
    if waited and not _is_found_again(upload()):
        workspace.keep(upload(), again=True)
    if workspace.problems():
        workspace.keep_settings()


def is_empty() -> bool:
    """Return whether there are neither data nor edits here yet."""
    edits = all_edits()
    return not (upload() or edits.histories or edits.log.of_query)


def receive() -> None:
    """Take up the grades that others who share the workspace have given meanwhile."""
    edits = all_edits()
    if (log := workspace.log()) and (merged := edits.log.merged(log)) is not edits.log:
        all_edits.put(replace(edits, log=merged, generation=edits.generation + 1))


def has_news() -> bool:
    """Return whether others who share the workspace have given grades that are not here yet."""
    log, here = workspace.log(), all_edits().log
    return log is not None and here.merged(log) is not here


def set_judges(judges: Sequence[Qrels]) -> None:
    """Make these the further judges of the user's data."""
    if dataset := upload():
        upload.put(new := replace(dataset, judges=tuple(judges)))
        _hold()
        workspace.keep(new)


def applied(origin: Origin) -> Mapping[str, int]:
    """Return the number of the list's last event that was applied, by session."""
    return all_edits().events(origin)


def writer() -> Writer:
    """Return who adds records to the log of grades here."""
    return Writer(tab(), _NUMBERS)


def tab() -> str:
    """Return what names this session to the page, and to the sessions that follow it."""
    # Not its id, by which another browser could go on with it.
    return hashlib.sha256(streamlit_internals.session().encode()).hexdigest()[:16]
