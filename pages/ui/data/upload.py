"""Uploads, pasted text, saved sessions, the workspace and samples: all of an upload, or none."""

import functools
from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st

from metrics import Dataset, RankscopeError
from metrics.auditing import Mend, intake
from metrics.editing import HandRanking
from metrics.limits import current
from metrics.rendering import text
from metrics.sessions import KeptData, Workspace, session_file
from metrics.teaching.samples import Sample, catalogue
from metrics.words import joined

from .. import cache, show, state, user_data, workspace
from ..glance import cells, glance
from . import drop_box

EXAMPLE_QRELS = "q1 0 d1 3\nq1 0 d2 0\nq1 0 d3 2"
EXAMPLE_RUN = "q1 Q0 d2 1 9.5 mine\nq1 Q0 d1 2 8.0 mine\nq1 Q0 d3 3 7.5 mine"
_PASTED = {
    state.QRELS_TEXT: ("pasted qrels", "qrels"),
    state.RUN_TEXT: ("pasted run", "run"),
    state.RUN_TEXT_2: ("second pasted run", "run"),
}
"""The name and the role of the text in each field."""
_PICTURED = 12
"""At most this many documents of a sample's first list are in its picture."""
_NAMED = 6
"""At most this many parts of data that are no longer loaded are named."""
_FIRST = {
    "shop": "Which run is better, and where?",
    "laptop": "Where does one score come from?",
    "two-judges": "Does a model judge as people do?",
    "ambiguous": "Is every meaning near the top?",
}
"""The samples in view, with what each is for; the others are one click away."""


def paste() -> None:
    """Show text fields that accept the same formats."""
    with st.form("paste", border=False):
        st.text_area("Qrels text", key=state.QRELS_TEXT, placeholder=EXAMPLE_QRELS, height=100)
        st.text_area("Run text", key=state.RUN_TEXT, placeholder=EXAMPLE_RUN, height=100)
        st.text_area("Second run text (optional)", key=state.RUN_TEXT_2, height=68)
        st.form_submit_button("Read the pasted text", on_click=_read_pasted)


def loaded(sample: Sample) -> None:
    """Show the doors to the data: compare, inspect, judge; drop all of the user's."""
    dataset, name = sample.load(), sample.key
    is_own, several = name == state.YOURS, len(dataset.rankings) > 1
    with st.container(key="your_data", horizontal=True, vertical_alignment="center"):
        st.header("Your data" if is_own else sample.title, anchor=False, width="content")
        steps: dict[str, Callable[[], None]] = {}
        if dataset.is_comparable:
            label = "Compare the runs" if several else "Compare it with the ideal ranking"
            data = {state.DATA: name}
            steps[label] = partial(state.open_page, state.COMPARE, data, *state.OF_COMPARISON)
        if dataset.runs:
            steps["Inspect a query"] = partial(state.open_on_inspect, name)
        if dataset.runs and not dataset.judged:
            label = "Compare the judges" if dataset.judges else "Judge documents"
            tab = {state.JUDGING: state.TWO_JUDGES} if dataset.judges else {}
            data = {state.EXAMPLE: name, **tab}
            steps[label] = partial(state.open_page, state.JUDGE, data, *state.OF_RANKING)
        for place, (label, go) in enumerate(steps.items()):
            st.button(label, type="tertiary" if place else "primary", on_click=go)
        if is_own:
            st.button("Remove all data", type="tertiary", on_click=user_data.drop)


def mend_button(dataset: Dataset, mends: dict[str, Mend], key: str) -> None:
    """Show a button that rewrites the runs' ids to match the qrels."""
    what = "run" if len(mends) == 1 else f"{len(mends)} runs"
    label = f"Rewrite the {what} with the ids of the qrels"
    st.button(label, key=f"mend_{key}", on_click=_mend, args=(dataset, mends))


def session() -> None:
    """Show the button that saves the session in one file."""
    now = user_data.session()
    show.download(
        "Save the session",
        partial(session_file.save, now),
        "rankscope-session.zip",
        help="Your data, edits and settings in one file; drop it here to open. " + unless_saved(),
    )
    if why := cache.refusal(now, st.get_option("server.maxUploadSize") << 20):
        st.warning(text.without_markdown(why))


def unless_saved() -> str:
    """Return what stays without a saved session."""
    if workspace.folder():
        return "The workspace keeps them, too."
    if minutes := current().reload:
        return f"Unsaved data stay for {minutes} minutes after you leave; save the session."
    return "A reload or a server restart deletes your data."


def replaced() -> None:
    """Show a button that restores data that were dropped or replaced by a saved session."""
    for before, _ in user_data.aside()[-1:]:
        with st.container(horizontal=True, vertical_alignment="center"):
            # They were removed, or a session without them was opened.
            # Judgments without a run wait for one.
            now = user_data.upload() or (files.before if (files := user_data.listed()) else None)
            held, here = map(_parts, (before.dataset, now))
            gone = [each for each in held if each not in here]
            if len(gone) > _NAMED:
                gone[_NAMED:] = [f"{len(gone) - _NAMED:,} more"]
            told = f"No longer loaded: {joined(gone)}. " if gone else ""
            edited = text.count(len(before.edited), "edited query", "edited queries")
            kept = f", with {edited}," if before.edited else ""
            st.info(f"{told}Your previous data{kept} can be restored until you load others.")
            st.button("Restore", on_click=user_data.take_back)


def _parts(data: Dataset | None) -> list[str]:
    """Return what data have: their judgments and runs by name, and texts."""
    if data is None:
        return []
    named = [*((data.qrels,) if len(data.qrels) else ()), *data.rankings]
    texts = {"texts of queries": data.query_texts, "texts of documents": data.document_texts}
    return [*(text.code(each.name or "qrels") for each in named), *(t for t in texts if texts[t])]


def samples() -> None:
    """Show a card for each sample, most behind a click; a click opens one, which stays marked."""
    (first, others), shown = _cards(), state.looked_at()
    look = {"wide": "wide pairs", "legend": "The first list of each, rank by rank:"}
    glance("samples", first, click=partial(_open_sample, "samples"), current=shown, **look)
    with st.expander(f"All samples: {len(others)} more"):
        glance("more_samples", others, click=partial(_open_sample, "more_samples"), current=shown)


def _open_sample(cards: str) -> None:
    """Open the sample of the card that was clicked, on the page that it is for."""
    name = state.value(cards)["opened"]
    data = catalogue()[name].load()
    page, values = state.INSPECT, {state.EXAMPLE: name}
    if data.judges:
        page, values = state.JUDGE, values | {state.JUDGING: state.TWO_JUDGES}
    elif data.is_comparable:
        page, values = state.COMPARE, {state.DATA: name}
    state.open_page(page, values, *state.OF_RANKING, *state.OF_COMPARISON)


@functools.cache
def _cards() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the first samples and the others as cards, each with its first list as a picture."""
    made = {}
    for key, sample in catalogue().items():
        data = sample.load()
        ranking = HandRanking.from_run(data.qrels, data.runs[0], data.qrels.queries[0])
        queries, runs = len(data.qrels.queries), len(data.rankings)
        counts = f"{text.count(queries, 'query', 'queries')}, {text.count(runs, 'run')}"
        parts = [
            counts,
            sample.source if sample.printed else "",
            "a person and a model" if data.judges else "",
        ]
        shown = cells(ranking.ledger(sample.measure), ranking)
        made[key] = {
            "id": key,
            "title": sample.title,
            "asks": _FIRST.get(key),
            "words": " · ".join(filter(None, parts)),
            "cells": [each for each in shown if each["place"]][:_PICTURED],
            "depth": None,
        }
    return [made.pop(key) for key in _FIRST], list(made.values())


def _read_pasted() -> None:
    pasted = [
        intake.Given(f"{name}.txt", written.encode(), role)
        for key, (name, role) in _PASTED.items()
        if (written := str(state.value(key) or "")).strip()
    ]
    if pasted:
        drop_box.add(pasted)
    else:
        drop_box.refuse("Paste qrels and a run, one row per line.")


def _mend(dataset: Dataset, mends: dict[str, Mend]) -> None:
    apart = user_data.apart()
    if dataset is not user_data.upload() and not (apart and dataset is apart[0]):
        drop_box.refuse(
            "The data have changed since this was offered. Read the current messages about them."
        )
        return
    try:
        changed = intake.mended(dataset, mends)
    except RankscopeError as error:
        drop_box.refuse(str(error), apart)
        return
    user_data.set_upload(changed)


def workspace_data() -> None:
    """List the data in the workspace; nothing where the server has none."""
    if (folder := workspace.folder()) is None:
        return
    st.header("Workspace")
    st.markdown(
        f"All data and edits are saved at once in {text.code(str(folder.folder))}, "
        "for everyone who can open this app. A new session opens the data loaded last."
    )
    listed = folder.listed()
    if not listed:
        st.caption("It holds no data yet.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = st.selectbox("Data in the workspace", listed, format_func=_listed)
        st.button("Open it", on_click=_open, args=(folder, chosen))
        # It cannot be restored.
        with st.popover("Remove it"):
            st.button("Remove it for everyone", on_click=_remove, args=(folder, chosen))


def _listed(kept: KeptData) -> str:
    named = ", ".join(kept.runs) or f"damaged: {kept.name}"
    return f"{named} · {kept.time:%Y-%m-%d %H:%M} UTC · {kept.size / 1e6:.1f} MB"


def _open(folder: Workspace, chosen: KeptData) -> None:
    try:
        user_data.drop(folder.open(chosen.name))
    except RankscopeError as error:
        state.put({state.PROBLEMS: str(error)})


def _remove(folder: Workspace, chosen: KeptData) -> None:
    try:
        folder.remove(chosen.name)
    except OSError as error:
        state.put({state.PROBLEMS: f"{chosen.name} cannot be removed: {error.strerror}."})
