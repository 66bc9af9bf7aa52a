"""The editable ranking: a table whose cells go through the pure edits of the core."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import streamlit as st

from metrics import EditError
from metrics.edits import add, move, remove, set_grade
from metrics.hand_ranking import HandRanking

from . import state, tables, text


def ranking_editor(origin: str, ranking: HandRanking, texts: Mapping[str, str]) -> None:
    """Show the ranking with editable ranks and grades; an edit takes effect on the next run."""
    key = f"ranking-{origin}-{state.generation()}"
    frame = tables.editor(ranking, texts)
    st.data_editor(
        frame,
        key=key,
        num_rows="fixed",
        column_order=["rank", "grade", "text"] if texts else ["rank", "grade"],
        disabled=["_index", "text"],
        placeholder="–",
        height=min(38 + 35 * len(frame), 460),
        column_config={
            "_index": st.column_config.TextColumn("document", width="medium"),
            "rank": st.column_config.NumberColumn("rank", step=1, format="%d", width="small"),
            "grade": st.column_config.NumberColumn("grade", format="%g", width="small"),
            "text": st.column_config.TextColumn("text", width="large"),
        },
        on_change=_apply_cells,
        args=(key, origin, ranking),
    )
    missing = "; ".join(
        said
        for column, said in (
            ("rank", "– as rank: not retrieved"),
            ("grade", "– as grade: unjudged"),
        )
        if frame[column].isna().any()
    )
    st.caption(f"Change a rank or a grade: the score follows. {missing}")
    _buttons(origin, ranking)
    if notice := state.notice():
        st.error(notice)


def _buttons(origin: str, ranking: HandRanking) -> None:
    with st.container(horizontal=True):
        with st.popover("Add"), st.form("add", clear_on_submit=True, border=False):
            document = st.text_input("Document id")
            grade = st.number_input("Grade", value=None, step=1.0, placeholder="unjudged")
            if st.form_submit_button("Add at the end"):
                change(origin, ranking, lambda r: add(r, document, grade))
                st.rerun()
        with st.popover("Remove"), st.form("remove", border=False):
            documents = [entry.document for entry in ranking.entries]
            gone = st.selectbox("Document", documents, label_visibility="collapsed")
            if st.form_submit_button("Remove") and gone is not None:
                change(origin, ranking, lambda r: remove(r, gone))
                st.rerun()
        if st.button("Undo all edits", disabled=state.edited(origin) is None):
            state.set_notice("")
            state.set_edited(origin, None)
            state.renew_editor()
            st.rerun()


def change(
    origin: str,
    ranking: HandRanking,
    edit: Callable[[HandRanking], HandRanking],
    keep_cells: bool = False,
) -> None:
    """Apply an edit; one that cannot be applied leaves the ranking and says why.

    ``keep_cells``: the editor already shows what the edit makes, and may keep its focus.
    """
    state.set_notice("")
    try:
        state.set_edited(origin, edit(ranking))
    except EditError as error:
        state.set_notice(text.code(str(error)))
        keep_cells = False
    if not keep_cells:
        state.renew_editor()


def _apply_cells(key: str, origin: str, ranking: HandRanking) -> None:
    """Turn the editor's changed cells into edits of the ranking that it showed."""
    ranks: dict[str, int | None] = {}
    grades: dict[str, float | None] = {}
    for row, cells in state.value(key)["edited_rows"].items():
        document = ranking.entries[int(row)].document
        if "grade" in cells:
            grades[document] = cells["grade"]
        if "rank" in cells:
            ranks[document] = cells["rank"]

    def edit(old: HandRanking) -> HandRanking:
        for document, grade in grades.items():
            old = set_grade(old, document, grade)
        for document, rank in ranks.items():
            old = move(old, document, rank)
        return old

    change(origin, ranking, edit, keep_cells=not ranks)
