"""Taking in data: uploaded files and pasted text, read in callbacks, never half-way."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.auditing.id_mismatch import Mend
from metrics.auditing.intake import Given, mended, take
from metrics.limits import current
from metrics.sessions.session_file import load, save
from metrics.teaching.samples import catalogue

from .. import cache, show, state, upload_limit, user_data
from ..render import data_tables, text

EXAMPLE_QRELS = "q1 0 d1 3\nq1 0 d2 0\nq1 0 d3 2"
EXAMPLE_RUN = "q1 Q0 d2 1 9.5 mine\nq1 Q0 d1 2 8.0 mine\nq1 Q0 d3 3 7.5 mine"
_TEXTS = {
    state.QUERY_TEXTS: "Query texts",
    state.DOCUMENT_TEXTS: "Document texts",
    state.QUERY_GROUPS: "Groups of queries",
}


def files() -> None:
    """Upload fields for the qrels and the runs; both together become the user's data."""
    st.markdown("**Upload**")
    st.caption(
        f"All files together: up to {current().session / 1e6:,.0f} MB. One that turns red was not "
        "taken."
    )
    qrels, runs = user_data.fresh(state.QRELS_FILE), user_data.fresh(state.RUN_FILES)
    # Of any name: what a file is, its content says, and a refusal of ours says how to mend it.
    st.file_uploader("Qrels", key=qrels, on_change=_read_files)
    st.file_uploader("Runs", key=runs, accept_multiple_files=True, on_change=_read_files)
    with st.expander("Texts, groups of queries (optional)"):
        st.caption(
            "Lines of an id, a tab, and its text or the group's name; texts also as JSON Lines "
            "with _id, title and text, as BEIR has them."
        )
        for key, title in _TEXTS.items():
            st.file_uploader(title, key=user_data.fresh(key), on_change=_read_files)
    one = bool(state.value(qrels)) != bool(state.value(runs))
    # Of what was refused, the refusal says what to do.
    if user_data.upload() is None and one and not state.told(state.PROBLEMS):
        st.info(f"Still needed: {'a run' if state.value(qrels) else 'the qrels'}.")


def paste() -> None:
    """Text fields that take the same formats."""
    st.markdown("**Paste**")
    with st.form("paste", border=False):
        st.text_area("Qrels text", key=state.QRELS_TEXT, placeholder=EXAMPLE_QRELS, height=100)
        st.text_area("Run text", key=state.RUN_TEXT, placeholder=EXAMPLE_RUN, height=100)
        st.text_area("Second run text (optional)", key=state.RUN_TEXT_2, height=68)
        st.form_submit_button("Read the pasted text", on_click=_read_pasted)


def loaded(dataset: Dataset) -> None:
    """What to do with the user's data: look, compare, drop a run, drop all."""
    with st.container(horizontal=True):
        st.button("Inspect a query", on_click=state.open_page, args=_on_inspect(state.YOURS))
        if len(dataset.runs) > 1:
            st.button(
                "Compare the runs",
                type="primary",
                on_click=state.open_page,
                args=(state.COMPARE, {state.DATA: state.YOURS}, *state.OF_COMPARISON),
            )
            with st.popover("Drop a run"), st.form("drop", border=False):
                names = [run.name for run in dataset.runs]
                gone = st.selectbox("Run", names, label_visibility="collapsed")
                if st.form_submit_button("Drop it"):
                    kept = tuple(run for run in dataset.runs if run.name != gone)
                    user_data.drop(replace(dataset, runs=kept))
                    st.rerun()
        st.button("Drop all of it", on_click=user_data.drop)


def mend_button(dataset: Dataset, mends: dict[str, Mend], key: str) -> None:
    """One click that gives runs the ids of the qrels."""
    st.button(
        "Give the run the ids of the qrels",
        key=f"mend_{key}",
        on_click=_mend,
        args=(dataset, mends),
    )


def session() -> None:
    """Save everything in one file, and open such a file."""
    left, right = st.columns(2, gap="large", vertical_alignment="bottom")
    now = user_data.session()
    with left:
        st.markdown(
            "Your data, the rankings you edited and what the pages are set to, in a file. Without "
            "it a reload of the page, or a restart of the server, ends with the data gone."
        )
        st.download_button(
            "Save the session",
            # Made when it is asked for, outside the session: it gets all it needs now.
            lambda: save(now),
            on_click="ignore",
            file_name="rankscope-session.zip",
            mime="application/zip",
        )
        if why := cache.refusal(now, st.get_option("server.maxUploadSize") << 20):
            st.warning(text.plain(why))
    with right:
        key = user_data.fresh(state.SESSION_FILE)
        st.file_uploader("Open a saved session", type=["zip"], key=key, on_change=_open_session)


def replaced() -> None:
    """The way back to what was dropped, or replaced by a saved session."""
    if before := user_data.aside():
        with st.container(horizontal=True, vertical_alignment="center"):
            runs = len(before.dataset.runs) if before.dataset else 0
            edits = len(before.edits)
            held = [text.count(runs, "run")] if runs else []
            held += [text.count(edits, "edited ranking")] if edits else []
            said = " and ".join(held)
            st.info(f"What was here before is put aside until other data are given: {said}.")
            st.button("Take it back", on_click=user_data.open_session, args=(before,))


def samples() -> None:
    """All samples in a table; any of them opens in Inspect."""
    show.table(data_tables.samples(catalogue().values()))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    names = list(catalogue())
    key = left.selectbox("Sample", names, format_func=lambda name: catalogue()[name].title)
    right.button(
        "Open in Inspect", on_click=state.open_page, args=_on_inspect(key), width="stretch"
    )


def _on_inspect(key: str) -> tuple[object, ...]:
    """Where a data set opens: on Inspect, from its first query."""
    return state.INSPECT, {state.EXAMPLE: key}, *state.OF_RANKING


def _read_files() -> None:
    if _too_large():
        return
    qrels = state.value(user_data.fresh(state.QRELS_FILE))
    runs = state.value(user_data.fresh(state.RUN_FILES)) or []
    given = [Given(file.name, file.getvalue(), "qrels") for file in [qrels] if file]
    _take([*given, *(Given(run.name, run.getvalue(), "run") for run in runs)])


def _too_large() -> bool:
    """Whether the files in all fields are more than a session holds; then they are let go of."""
    given = [state.value(user_data.fresh(key)) for key in state.FILES]
    size = sum(
        file.size for each in given if each for file in (each if type(each) is list else [each])
    )
    if size <= (most := current().session):
        return False
    user_data.empty_fields()
    _refuse(
        f"The files given have {size:,} bytes; a session holds at most {most:,} (limit session). "
        "The fields were emptied: give fewer files, or cut rankings at a smaller depth."
    )
    return True


def _read_pasted() -> None:
    texts = {key: str(state.value(key) or "").encode() for key in state.PASTED}
    named = dict(
        zip(state.PASTED, ("pasted qrels", "pasted run", "second pasted run"), strict=True)
    )
    given = [
        Given(f"{named[key]}.txt", text, "qrels" if key == state.QRELS_TEXT else "run")
        for key, text in texts.items()
        if text.strip()
    ]
    here = {file.role for file in given}
    needed = [what for role, what in (("qrels", "qrels"), ("run", "a run")) if role not in here]
    if len(needed) == 2 or (needed and user_data.upload() is None):
        _refuse(f"Paste {' and '.join(needed)} too, one row per line.")
        return
    _take(given)


def _take(given: Iterable[Given]) -> None:
    """Read everything, with the texts in their fields; only if all is sound it joins the rest."""
    fields = {key: state.value(user_data.fresh(key)) for key in _TEXTS}
    texts = [Given(file.name, file.getvalue(), key) for key, file in fields.items() if file]
    before = user_data.upload()
    with st.spinner("Reading …"):
        taken = take([*given, *texts], before)
        # Within: a click meanwhile ends this run where the spinner ends.
        if taken.dataset:
            user_data.set_upload(taken.dataset)
        _refuse("\n".join(map(str, taken.problems)), taken.apart)
        left = _left_behind(before, taken.dataset)
        state.tell(state.TAKEN, "\n".join([*map(str, taken.notes), *left, *upload_limit.refused()]))


def _left_behind(before: Dataset | None, after: Dataset | None) -> list[str]:
    """What to say of edits whose ranking is no longer one of the data."""
    if before is None or after is None or before.qrels.digest == after.qrels.digest:
        return []
    edits = sum(origin.qrels == before.qrels.digest for origin in user_data.session().edits)
    if not edits:
        return []
    many = text.count(edits, "edited ranking belongs", "edited rankings belong")
    return [f"{many} to the earlier qrels, and will be back with them."]


def _refuse(why: str, apart: user_data.Apart | None = None) -> None:
    """Tell why nothing was changed, and hold what would do; an empty text clears both."""
    state.tell(state.PROBLEMS, why)
    user_data.set_apart(apart)


def _mend(dataset: Dataset, mends: dict[str, Mend]) -> None:
    apart = user_data.apart()
    if dataset is not user_data.upload() and not (apart and dataset is apart[0]):
        _refuse("The data have changed since this was offered; look at what is said of them now.")
        return
    try:
        changed = mended(dataset, mends)
    except RankscopeError as error:
        _refuse(str(error), apart)
        return
    user_data.set_upload(changed)


def _open_session() -> None:
    file = state.value(user_data.fresh(state.SESSION_FILE))
    if not file or _too_large():
        return
    try:
        saved = load(file.getvalue(), file.name)
    except RankscopeError as error:
        _refuse(str(error))
        return
    user_data.open_session(saved)
    held = text.count(len(saved.dataset.runs), "run") if saved.dataset else "no data"
    edits = text.count(len(saved.edits), "edited ranking")
    state.tell(state.TAKEN, f"The saved session is open: {held}, {edits}.")
