"""Taking in data: uploaded files and pasted text, read in callbacks, never half-way."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import streamlit as st

from metrics import Dataset, RankscopeError, Run, read_qrels, read_run
from metrics.audit import require_overlap
from metrics.samples import catalogue

from . import show, state, tables

TYPES = ["txt", "run", "qrels", "trec", "csv", "tsv", "json", "gz"]
EXAMPLE_QRELS = "q1 0 d1 3\nq1 0 d2 0\nq1 0 d3 2"
EXAMPLE_RUN = "q1 Q0 d2 1 9.5 mine\nq1 Q0 d1 2 8.0 mine\nq1 Q0 d3 3 7.5 mine"

File = tuple[str, bytes]


def files() -> None:
    """Upload fields for the qrels and the runs; both together become the user's data."""
    st.markdown("**Upload**")
    st.file_uploader("Qrels", type=TYPES, key=state.QRELS_FILE, on_change=_read_files)
    st.file_uploader(
        "Runs", type=TYPES, key=state.RUN_FILES, accept_multiple_files=True, on_change=_read_files
    )
    if state.upload() is None and bool(state.value(state.QRELS_FILE)) != bool(
        state.value(state.RUN_FILES)
    ):
        missing = "a run" if state.value(state.QRELS_FILE) else "the qrels"
        st.info(f"Still needed: {missing}.")


def paste() -> None:
    """Text fields that take the same formats."""
    st.markdown("**Paste**")
    with st.form("paste", border=False):
        st.text_area("Qrels text", key=state.QRELS_TEXT, placeholder=EXAMPLE_QRELS, height=100)
        st.text_area("Run text", key=state.RUN_TEXT, placeholder=EXAMPLE_RUN, height=100)
        st.text_area("Second run text (optional)", key=state.RUN_TEXT_2, height=68)
        st.form_submit_button("Read the pasted text", on_click=_read_pasted)


def samples() -> None:
    """All samples in a table; any of them opens in Inspect."""
    show.table(tables.samples(catalogue().values()))
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    names = list(catalogue())
    key = left.selectbox("Sample", names, format_func=lambda name: catalogue()[name].title)
    right.button("Open in Inspect", on_click=state.open_example, args=(key,), width="stretch")


def _read_files() -> None:
    qrels = state.value(state.QRELS_FILE)
    runs = state.value(state.RUN_FILES) or []
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
    if not qrels and not any(runs):
        state.set_problems("Nothing was pasted. Paste qrels and a run, one row per line.")
        return
    _take(qrels, [file for run in runs for file in run])


def _take(qrels: Sequence[File], runs: Sequence[File]) -> None:
    """Read everything; only when all of it is sound does it replace what was there."""
    before = state.upload()
    problems: list[str] = []
    judged = [before.dataset.qrels] if before else []
    ranked = list(before.dataset.runs) if before else []
    try:
        judged = [read_qrels(data, name) for name, data in qrels] or judged
    except RankscopeError as error:
        problems.append(str(error))
    new: list[Run] = []
    for name, data in runs:
        try:
            new.append(read_run(data, name))
        except RankscopeError as error:
            problems.append(str(error))
    ranked = new or ranked
    if not problems and judged and ranked:
        try:
            for run in ranked:
                require_overlap(judged[0], run)
        except RankscopeError as error:
            problems.append(str(error))
    if problems:
        state.set_problems("\n".join(problems))
    elif judged and ranked and (qrels or runs):
        digest = hashlib.sha256(b"\0".join(data for _, data in [*qrels, *runs])).hexdigest()[:12]
        dataset = Dataset("Your data", judged[0], tuple(_named_apart(ranked)))
        state.set_upload(state.Upload(f"yours-{digest}", dataset))


def _named_apart(runs: Sequence[Run]) -> list[Run]:
    """The runs with a number behind a name that an earlier one has too."""
    taken: dict[str, int] = {}
    named = []
    for run in runs:
        taken[run.name] = taken.get(run.name, 0) + 1
        number = taken[run.name]
        named.append(run if number == 1 else run.renamed(f"{run.name} ({number})"))
    return named
