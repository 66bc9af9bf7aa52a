"""Taking in data: uploaded files and pasted text, read in callbacks, never half-way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from metrics import Dataset, RankscopeError, Run, read_qrels, read_run, read_texts
from metrics.audit import require_overlap
from metrics.samples import catalogue

from . import own, show, state, tables

TYPES = ["txt", "run", "qrels", "trec", "csv", "tsv", "json", "gz"]
EXAMPLE_QRELS = "q1 0 d1 3\nq1 0 d2 0\nq1 0 d3 2"
EXAMPLE_RUN = "q1 Q0 d2 1 9.5 mine\nq1 Q0 d1 2 8.0 mine\nq1 Q0 d3 3 7.5 mine"

File = tuple[str, bytes]


def files() -> None:
    """Upload fields for the qrels and the runs; both together become the user's data."""
    st.markdown("**Upload**")
    qrels, runs = own.fresh(state.QRELS_FILE), own.fresh(state.RUN_FILES)
    st.file_uploader("Qrels", type=TYPES, key=qrels, on_change=_read_files)
    st.file_uploader(
        "Runs", type=TYPES, key=runs, accept_multiple_files=True, on_change=_read_files
    )
    with st.expander("Texts, groups of queries (optional)"):
        st.caption("Two columns with a tab between: an id, and its text or the group's name.")
        for key, title in _TEXTS.items():
            st.file_uploader(
                title, type=["tsv", "txt", "gz"], key=own.fresh(key), on_change=_read_files
            )
    if own.upload() is None and bool(state.value(qrels)) != bool(state.value(runs)):
        st.info(f"Still needed: {'a run' if state.value(qrels) else 'the qrels'}.")


_TEXTS = {
    state.QUERY_TEXTS: "Query texts",
    state.DOCUMENT_TEXTS: "Document texts",
    state.QUERY_GROUPS: "Groups of queries",
}


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
                    own.set_upload(replace(dataset, runs=kept))
                    st.rerun()
        st.button("Drop all of it", on_click=own.set_upload, args=(None,))


def _on_inspect(key: str) -> tuple[object, ...]:
    """Where a data set opens: on Inspect, from its first query."""
    return state.INSPECT, {state.EXAMPLE: key}, *state.OF_RANKING


def samples() -> None:
    """All samples in a table; any of them opens in Inspect."""
    show.table(tables.samples(catalogue().values()))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    names = list(catalogue())
    key = left.selectbox("Sample", names, format_func=lambda name: catalogue()[name].title)
    right.button(
        "Open in Inspect", on_click=state.open_page, args=_on_inspect(key), width="stretch"
    )


def _read_files() -> None:
    qrels = state.value(own.fresh(state.QRELS_FILE))
    runs = state.value(own.fresh(state.RUN_FILES)) or []
    _take(
        [(qrels.name, qrels.getvalue())] if qrels else [],
        [(run.name, run.getvalue()) for run in runs],
    )


def _read_pasted() -> None:
    texts = {key: str(state.value(key) or "") for key in state.PASTED}
    qrels, *runs = (
        [(name, texts[key].encode())] if texts[key].strip() else []
        for key, name in zip(
            state.PASTED, ("pasted qrels", "pasted run", "second pasted run"), strict=True
        )
    )
    needed = [what for what, given in (("qrels", qrels), ("a run", any(runs))) if not given]
    if len(needed) == 2 or (needed and own.upload() is None):
        state.tell(state.PROBLEMS, f"Paste {' and '.join(needed)} too, one row per line.")
        return
    _take(qrels, [file for run in runs for file in run])


def _take(qrels: Sequence[File], runs: Sequence[File]) -> None:
    """Read everything, with the texts in their fields; only if all is sound it joins the rest.

    New qrels and texts replace the old ones; a new run joins the old ones, and replaces one of its
    name.
    """
    before = own.upload()
    problems: list[str] = []
    judged = [before.qrels] if before else []
    new: list[Run] = []
    try:
        judged = [read_qrels(data, name) for name, data in qrels] or judged
    except RankscopeError as error:
        problems.append(str(error))
    for name, data in runs:
        try:
            new.append(read_run(data, name))
        except RankscopeError as error:
            problems.append(str(error))
    known = {key: getattr(before, key) for key in state.TEXTS} if before else {}
    for key in state.TEXTS:
        file = state.value(own.fresh(key))
        try:
            if file:
                known[key] = read_texts(file.getvalue(), file.name)
        except RankscopeError as error:
            problems.append(str(error))
    ranked = {run.name: run for run in [*(before.runs if before else ()), *_named_apart(new)]}
    if not problems and judged:
        for run in ranked.values():
            try:
                require_overlap(judged[0], run)
            except RankscopeError as error:
                problems.append(str(error))
    state.tell(state.PROBLEMS, "\n".join(problems))
    if not problems and judged and ranked:
        own.set_upload(Dataset("Your data", judged[0], tuple(ranked.values()), **known))


def _named_apart(runs: Sequence[Run]) -> list[Run]:
    """The runs of one upload, with a number behind a name that an earlier one has too."""
    named: dict[str, Run] = {}
    for run in runs:
        name, number = run.name, 1
        while name in named:
            number += 1
            name = f"{run.name} ({number})"
        named[name] = run.renamed(name)
    return list(named.values())
