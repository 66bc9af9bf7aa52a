"""Judgments to take away, and those of a file to take over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import pandas as pd
import streamlit as st

from metrics import Dataset, Qrels, ReadError, read_qrels
from metrics.editing.sheet import judgments
from metrics.editing.signature import LONGEST_NAME, LONGEST_NOTE, Signature
from metrics.rendering import text
from metrics.writing.judgments import as_csv, as_json_lines, as_quepid
from metrics.writing.reproduce import as_input, input_name

from .. import show, state, user_data


def section(dataset: Dataset) -> None:
    """Show the downloads of all judgments, and the field for a file of others."""
    sheets = user_data.sheets_of(dataset)
    signed = [entry for sheet in sheets.values() for entry in sheet.signed]
    st.header("Take the judgments away")
    given = sum(entry.grade is not None for entry in signed)
    said = f"{text.count(len(dataset.qrels), 'judgment')}, {given:,} of them given here"
    if cannot := len(signed) - given:
        said += f"; {text.count(cannot, 'document')} cannot be graded and is left out"
    st.caption(f"{said}. CSV and JSON Lines have the judge, the time and the note.")
    qrels, texts = dataset.qrels, dataset.query_texts
    with st.container(horizontal=True):
        _download("Qrels", partial(as_input, qrels), input_name("qrels", qrels))
        _download("CSV", lambda: as_csv(qrels, judgments(sheets)), "judgments.csv")
        lines = "judgments.jsonl"
        _download("JSON Lines", lambda: as_json_lines(qrels, judgments(sheets)), lines)
        _download("For Quepid", partial(as_quepid, qrels, texts), "quepid-ratings.csv")
    with st.expander("Add judgments from a file"):
        _add(dataset)


def _download(label: str, make: Callable[[], bytes], file: str) -> None:
    # Called outside the session on download, so it gets all its inputs now.
    st.download_button(label, make, on_click="ignore", file_name=file, key=f"take_{label}")


def _add(dataset: Dataset) -> None:
    key = user_data.fresh("judgments")
    uploaded = st.file_uploader("A file of qrels", key=key)
    if told := state.message(state.ADDED):
        st.success(told)
    if uploaded is not None:
        try:
            found = read_qrels(uploaded.getvalue(), uploaded.name)
            user_data.set_brought(dataset, found)
        except ReadError as error:
            st.error(text.code(str(error)))
        user_data.empty_fields()
    brought = user_data.brought(dataset)
    if brought is None:
        return
    now = dataset.qrels.only(*brought.queries).to_dict()
    new, unlike = _compared(now, brought.to_dict())
    st.markdown(_said(brought, new, unlike))
    if unlike:
        rows = [(*pair, now[pair[0]][pair[1]], grade) for pair, grade in unlike.items()]
        columns = ["query", "document", "here", "in the file"]
        show.table(pd.DataFrame(rows, columns=columns).set_index("query"))
    with st.container(horizontal=True):
        mine = "Add the new ones, keep mine" if unlike else "Add them"
        _button(mine, dataset, brought, new, disabled=not new)
        if unlike:
            _button("Take all of the file's", dataset, brought, new | unlike)
        st.button("Leave them out", on_click=_forget, args=(dataset,))


Pairs = dict[tuple[str, str], float]


def _compared(
    now: Mapping[str, Mapping[str, float]], found: Mapping[str, Mapping[str, float]]
) -> tuple[Pairs, Pairs]:
    """Return the grades of a file that are new, and those that differ from the ones here."""
    new: Pairs = {}
    unlike: Pairs = {}
    for query, grades in found.items():
        here = now.get(query, {})
        for document, grade in grades.items():
            if document not in here:
                new[query, document] = grade
            elif here[document] != grade:
                unlike[query, document] = grade
    return new, unlike


def _said(found: Qrels, new: Pairs, unlike: Pairs) -> str:
    same = len(found) - len(new) - len(unlike)
    return (
        f"{text.code(found.name)}: {text.count(len(new), 'new judgment')}, "
        f"{same:,} as here, {text.count(len(unlike), 'conflict')}."
    )


def _button(
    label: str, dataset: Dataset, found: Qrels, taken: Pairs, disabled: bool = False
) -> None:
    def take() -> None:
        said: dict[str, dict[str, tuple[float | None, Signature]]] = {}
        for (query, document), grade in taken.items():
            reason = found.reasons.get(query, {}).get(document, "")
            signed = Signature.now(_one_line(found.name), reason[:LONGEST_NOTE])
            said.setdefault(query, {})[document] = grade, signed
        user_data.judge(dataset, said)
        _forget(dataset)
        state.set_message(state.ADDED, f"{text.count(len(taken), 'judgment')} added.")

    st.button(label, on_click=take, disabled=disabled)


def _one_line(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME]


def _forget(dataset: Dataset) -> None:
    user_data.set_brought(dataset, None)
    state.set_message(state.ADDED, "")
