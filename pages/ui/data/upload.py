"""Uploads and pasted text, read in callbacks: all of an upload is accepted, or none."""

from __future__ import annotations

from collections.abc import Iterable

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.auditing.id_mismatch import Mend
from metrics.auditing.intake import Given, mended, take
from metrics.limits import current
from metrics.rendering import data_tables, text
from metrics.sessions.session_file import load, save
from metrics.teaching.samples import catalogue

from .. import cache, show, state, upload_limit, user_data, waiting, workspace

EXAMPLE_QRELS = "q1 0 d1 3\nq1 0 d2 0\nq1 0 d3 2"
EXAMPLE_RUN = "q1 Q0 d2 1 9.5 mine\nq1 Q0 d1 2 8.0 mine\nq1 Q0 d3 3 7.5 mine"
_TEXTS = {
    state.QUERY_TEXTS: "Query texts",
    state.DOCUMENT_TEXTS: "Document texts",
    state.QUERY_GROUPS: "Groups of queries",
}


def files() -> None:
    """Show upload fields for qrels and runs, which together become the user's data."""
    st.markdown("**Upload**")
    st.caption(
        f"All files together: up to {current().session / 1e6:,.0f} MB. A file that turns red was "
        "refused."
    )
    qrels, runs = user_data.fresh(state.QRELS_FILE), user_data.fresh(state.RUN_FILES)
    # Any extension: the format is detected from the content, and our errors name the fix.
    st.file_uploader("Qrels", key=qrels, on_change=_read_files)
    st.file_uploader("Runs", key=runs, accept_multiple_files=True, on_change=_read_files)
    with st.expander("Texts, groups of queries (optional)"):
        st.caption(
            "Each line is an id, a tab, and the text or the group's name. Texts can also be a "
            "table, JSON or JSON Lines with an id, a title and a text (BEIR); other fields are "
            "shown with the document."
        )
        for key, title in _TEXTS.items():
            st.file_uploader(title, key=user_data.fresh(key), on_change=_read_files)
    one = bool(state.value(qrels)) != bool(state.value(runs))
    # A refused upload has its own message.
    if user_data.upload() is None and one and not state.message(state.PROBLEMS):
        st.info(f"Still needed: {'a run' if state.value(qrels) else 'the qrels'}.")


def paste() -> None:
    """Show text fields that accept the same formats."""
    st.markdown("**Paste**")
    with st.form("paste", border=False):
        st.text_area("Qrels text", key=state.QRELS_TEXT, placeholder=EXAMPLE_QRELS, height=100)
        st.text_area("Run text", key=state.RUN_TEXT, placeholder=EXAMPLE_RUN, height=100)
        st.text_area("Second run text (optional)", key=state.RUN_TEXT_2, height=68)
        st.form_submit_button("Read the pasted text", on_click=_read_pasted)


def loaded(dataset: Dataset) -> None:
    """Show buttons for the user's data: inspect, compare, drop a run, drop all."""
    with st.container(horizontal=True):
        if dataset.runs:
            st.button("Inspect a query", on_click=state.open_page, args=_on_inspect(state.YOURS))
        several = len(dataset.rankings) > 1
        if user_data.comparable(dataset):
            st.button(
                "Compare the runs" if several else "Compare it with the ideal ranking",
                type="primary",
                on_click=state.open_page,
                args=(state.COMPARE, {state.DATA: state.YOURS}, *state.OF_COMPARISON),
            )
        if several:
            with st.popover("Drop a run"), st.form("drop", border=False):
                names = [run.name for run in dataset.rankings]
                dropped = st.selectbox("Run", names, label_visibility="collapsed")
                if st.form_submit_button("Drop it"):
                    user_data.drop(
                        dataset.of(*(each for each in dataset.rankings if each.name != dropped))
                    )
                    st.rerun()
        st.button("Drop all data", on_click=user_data.drop)


def mend_button(dataset: Dataset, mends: dict[str, Mend], key: str) -> None:
    """Show a button that rewrites the runs' ids to match the qrels."""
    st.button(
        "Rewrite the run with the ids of the qrels",
        key=f"mend_{key}",
        on_click=_mend,
        args=(dataset, mends),
    )


def session() -> None:
    """Show how to save the session in one file, and to open such a file."""
    left, right = st.columns(2, gap="large", vertical_alignment="bottom")
    now = user_data.session()
    with left:
        st.markdown(
            "Save your data, edited rankings and the pages' settings in a file. " + _kept_without()
        )
        st.download_button(
            "Save the session",
            # Called outside the session on download, so it gets all its inputs now.
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


def _kept_without() -> str:
    """Return what stays without a saved session."""
    if workspace.folder():
        return "The workspace keeps them, too."
    if minutes := current().reload:
        return (
            f"After a reload this browser finds data and edits again for {minutes} minutes. A "
            "restart of the server drops everything that is not saved."
        )
    return "A reload or a restart of the server drops everything that is not saved."


def replaced() -> None:
    """Show a button that restores data that were dropped or replaced by a saved session."""
    if before := user_data.aside():
        with st.container(horizontal=True, vertical_alignment="center"):
            runs = len(before.dataset.rankings) if before.dataset else 0
            edits = len(before.edits)
            parts = [text.count(runs, "run")] if runs else []
            parts += [text.count(edits, "edited ranking")] if edits else []
            listed = " and ".join(parts)
            st.info(f"Your previous data ({listed}) can be restored until you load something else.")
            st.button("Restore", on_click=user_data.open_session, args=(before,))


def samples() -> None:
    """Show all samples in a table, and a button that opens one in Inspect."""
    show.table(data_tables.samples(catalogue().values()))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    names = list(catalogue())
    key = left.selectbox("Sample", names, format_func=lambda name: catalogue()[name].label)
    right.button(
        "Open in Inspect", on_click=state.open_page, args=_on_inspect(key), width="stretch"
    )


def _on_inspect(key: str) -> tuple[object, ...]:
    """Return the arguments that open a data set on Inspect, at its first query."""
    return state.INSPECT, {state.EXAMPLE: key}, *state.OF_RANKING


def _read_files() -> None:
    if _too_large():
        return
    qrels = state.value(user_data.fresh(state.QRELS_FILE))
    runs = state.value(user_data.fresh(state.RUN_FILES)) or []
    uploads = [Given(file.name, file.getvalue(), "qrels") for file in [qrels] if file]
    _take([*uploads, *(Given(run.name, run.getvalue(), "run") for run in runs)])


def _too_large() -> bool:
    """Return whether all files exceed the session's limit; if so, empty the fields."""
    fields = [state.value(user_data.fresh(key)) for key in state.FILES]
    size = sum(
        file.size for each in fields if each for file in (each if type(each) is list else [each])
    )
    if size <= (most := current().session):
        return False
    user_data.empty_fields()
    _refuse(
        f"The files have {size:,} bytes; a session holds at most {most:,} (limit session). The "
        "fields were emptied. Upload fewer files, or cut rankings at a smaller depth."
    )
    return True


def _read_pasted() -> None:
    texts = {key: str(state.value(key) or "").encode() for key in state.PASTED}
    named = dict(
        zip(state.PASTED, ("pasted qrels", "pasted run", "second pasted run"), strict=True)
    )
    pasted = [
        Given(f"{named[key]}.txt", text, "qrels" if key == state.QRELS_TEXT else "run")
        for key, text in texts.items()
        if text.strip()
    ]
    roles = {file.role for file in pasted}
    needed = [what for role, what in (("qrels", "qrels"), ("run", "a run")) if role not in roles]
    if len(needed) == 2 or (needed and user_data.upload() is None):
        _refuse(f"Paste {' and '.join(needed)} too, one row per line.")
        return
    _take(pasted)


def _take(new: Iterable[Given]) -> None:
    """Read the new files and the texts in their fields; add them only if all are valid."""
    fields = {key: state.value(user_data.fresh(key)) for key in _TEXTS}
    texts = [Given(file.name, file.getvalue(), key) for key, file in fields.items() if file]
    before = user_data.upload()
    with waiting.spinner("Reading …"):
        taken = take([*new, *texts], before)
        # Inside the spinner, because a click in the meantime ends this run where the spinner ends.
        if taken.dataset:
            user_data.set_upload(taken.dataset)
        _refuse("\n".join(map(str, taken.problems)), taken.apart)
        left = _left_behind(before, taken.dataset)
        state.set_message(
            state.NOTES, "\n".join([*map(str, taken.notes), *left, *upload_limit.refused()])
        )


def _left_behind(before: Dataset | None, after: Dataset | None) -> list[str]:
    """Return a note about edits whose rankings are no longer in the data."""
    if before is None or after is None or before.qrels.digest == after.qrels.digest:
        return []
    edits = sum(origin.qrels == before.qrels.digest for origin in user_data.session().edits)
    if not edits:
        return []
    many = text.count(edits, "edited ranking belongs", "edited rankings belong")
    them = "It" if edits == 1 else "They"
    return [f"{many} to the previous qrels. {them} will reappear when you load those again."]


def _refuse(why: str, apart: user_data.Apart | None = None) -> None:
    """Report why nothing was changed, and hold data that can be mended; empty clears both."""
    state.set_message(state.PROBLEMS, why)
    user_data.set_apart(apart)


def _mend(dataset: Dataset, mends: dict[str, Mend]) -> None:
    apart = user_data.apart()
    if dataset is not user_data.upload() and not (apart and dataset is apart[0]):
        _refuse(
            "The data have changed since this was offered. Read the current messages about them."
        )
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
    runs = text.count(len(saved.dataset.rankings), "run") if saved.dataset else "no data"
    edits = text.count(len(saved.edits), "edited ranking")
    state.set_message(state.NOTES, f"The saved session is open: {runs}, {edits}.")
