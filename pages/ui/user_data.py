"""What the user brought and made: their data, and the rankings they edited."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from metrics import Dataset
from metrics.auditing.id_mismatch import Mend
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.sessions.session_file import Session

from . import state, upload_limit

_HISTORIES, _APPLIED, _GENERATION = "_histories", "_applied", "_generation"
_UPLOAD, _LINKED, _ROUND, _APART = "_upload", "_linked", "_round", "_apart"
_ADOPTED, _ASIDE = "_adopted", "_aside"

Apart = tuple[Dataset, Mapping[str, Mend]]


def upload() -> Dataset | None:
    """The data the user gave, if any."""
    given = st.session_state.get(_UPLOAD)
    return given if isinstance(given, Dataset) else None


def set_upload(new: Dataset | None) -> None:
    """Make newly read data the user's, and what the pages show next; None forgets them."""
    first = upload() is None
    # What was told, offered or put aside belongs to the data before these.
    state.tell(state.PROBLEMS, "")
    state.tell(state.TAKEN, "")
    st.session_state[_APART] = st.session_state[_ASIDE] = None
    st.session_state[_UPLOAD] = new
    empty_fields()
    if new is None:
        shown = [key for key in (state.EXAMPLE, state.DATA) if state.last(key) == state.YOURS]
        # With the data their measure goes, which a sample has of its own.
        state.forget(*shown, *((state.MEASURE, state.K) if shown else ()))
    elif first:
        state.forget(*state.OF_RANKING, *state.OF_COMPARISON)
        state.put({state.EXAMPLE: state.YOURS})
    if new is not None and len(new.runs) > 1:
        state.put({state.DATA: state.YOURS})


def apart() -> Apart | None:
    """Data that were refused since their ids do not match, and what would make them match."""
    found: Apart | None = st.session_state.get(_APART)
    return found


def set_apart(found: Apart | None) -> None:
    """Hold refused data until they are mended or others are given."""
    st.session_state[_APART] = found


def fresh(key: str) -> str:
    """The key of a field for files, another one after each reading."""
    done = st.session_state.get(_ROUND, 0)
    return f"{key}_{done}" if done else key


def empty_fields() -> None:
    """Let the fields go of their files, which Streamlit would copy whenever the page is drawn."""
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    upload_limit.let_go()


def adopt(dataset: Dataset) -> None:
    """Make data from a link the user's, without touching what else the link says."""
    st.session_state[_UPLOAD] = st.session_state[_ADOPTED] = dataset


def alone() -> str:
    """What to say where the user's data are no more than what a link brought; else empty."""
    given = upload()
    if given is None or given is not st.session_state.get(_ADOPTED):
        return ""
    return (
        "This ranking came in the link, alone: the data that it is of were uploaded to another "
        "session, or to one that has ended. Upload them on Data, or open a saved session there, "
        "to have them all."
    )


def session() -> Session:
    """All that would be lost with this session."""
    return Session(upload(), st.session_state.get(_HISTORIES, {}), state.settings())


def open_session(saved: Session) -> None:
    """Take up a saved session in the place of this one, which is put aside."""
    before = session()
    set_upload(saved.dataset)
    st.session_state[_HISTORIES] = dict(saved.edits)
    state.set_settings(saved.settings)
    renew_editor()
    put_aside(before)


def put_aside(before: Session) -> None:
    """Hold what was replaced, until other data are given."""
    st.session_state[_ASIDE] = before if before.dataset or before.edits else None


def aside() -> Session | None:
    """What was replaced last, and can be taken back."""
    found: Session | None = st.session_state.get(_ASIDE)
    return found


def drop(kept: Dataset | None = None) -> None:
    """Forget the user's data but for these; what was there is put aside."""
    before = session()
    set_upload(kept)
    state.forget(state.RUN, state.A, state.B, state.RUNS)
    put_aside(before)


def history(origin: Origin) -> History | None:
    """The edits of the ranking of ``origin``, if there were any."""
    histories: dict[Origin, History] = st.session_state.get(_HISTORIES, {})
    return histories.get(origin)


def set_history(origin: Origin, history: History) -> None:
    """Keep an edited ranking with its steps."""
    histories: dict[Origin, History] = st.session_state.get(_HISTORIES, {})
    st.session_state[_HISTORIES] = histories | {origin: history}


def applied(origin: Origin) -> int:
    """The number of the last event of the ranking's list that was made an edit."""
    numbers: dict[Origin, int] = st.session_state.get(_APPLIED, {})
    return numbers.get(origin, 0)


def set_applied(origin: Origin, number: int) -> None:
    """Note that the list's events up to this one are edits now."""
    numbers: dict[Origin, int] = st.session_state.get(_APPLIED, {})
    st.session_state[_APPLIED] = numbers | {origin: number}


def set_linked(ranking: HandRanking) -> None:
    """Hold the ranking that came in the link until its query is shown."""
    st.session_state[_LINKED] = ranking


def take_linked() -> HandRanking | None:
    """The ranking that came in the link, once."""
    ranking: HandRanking | None = st.session_state.pop(_LINKED, None)
    return ranking


def generation() -> int:
    """A number that changes when the editor must forget the cells it holds itself."""
    return int(st.session_state.get(_GENERATION, 0))


def renew_editor() -> None:
    """Make the editor start afresh from the ranking."""
    st.session_state[_GENERATION] = generation() + 1
