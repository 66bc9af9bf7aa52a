"""The editable ranking: a list or a table, whose changes are applied by ``metrics.editing``."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import streamlit as st

from metrics import Ledger, RankscopeError
from metrics.editing.edits import add, backwards, best_first, move, remove, set_grade, shuffled
from metrics.editing.hand_ranking import MOST_EDITED, HandRanking
from metrics.editing.history import LONGEST, History
from metrics.editing.origin import Origin
from metrics.editing.pasted import read_ranking
from metrics.editing.ranking_link import from_json
from metrics.rendering import tables, text

from .. import state, user_data, widgets
from . import drag

Edit = Callable[[HandRanking], HandRanking]


def ranking_editor(
    origin: Origin, history: History, ledger: Ledger | None, texts: Mapping[str, str]
) -> None:
    """Show the ranking as a list or a table; an edit takes effect on the next run."""
    length = len(history.present.entries)
    if editable := length <= MOST_EDITED:
        _list_or_table(origin, history, ledger, texts)
    else:
        st.info(
            f"This ranking has {length:,} documents, which are all scored, but only rankings of at "
            f"most {MOST_EDITED:,} can be edited. To edit it, cut it at a smaller depth."
        )
    _buttons(origin, history, editable)
    if notice := state.message(state.NOTICE):
        st.error(notice)


def _list_or_table(
    origin: Origin, history: History, ledger: Ledger | None, texts: Mapping[str, str]
) -> None:
    ranking = history.present
    if widgets.option("Edit as", {"list": "list", "table": "table"}, state.EDITOR, flat=True) == (
        "list"
    ):
        drag.ranking_list(
            origin, ranking, ledger, texts, lambda edit: change(origin, history, edit)
        )
        st.caption(
            "To move a row, drag it or press Alt+↑/↓. 0–9, ? or − + set its grade; = gives it the "
            "score of the row above."
        )
    else:
        _table(origin, history, texts)


def _table(origin: Origin, history: History, texts: Mapping[str, str]) -> None:
    ranking = history.present
    key = f"ranking-{origin}-{user_data.generation()}"
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
        args=(key, origin, history),
    )
    dashes = ["– as rank: not retrieved"] if ranking.unretrieved else []
    if unjudged := [row for row, entry in enumerate(ranking.entries, 1) if entry.grade is None]:
        dashes.append(f"– as grade: unjudged, {text.rows(unjudged)}")
    st.caption(f"Type a new rank or grade. {'; '.join(dashes)}")


def _buttons(origin: Origin, history: History, editable: bool) -> None:
    def step(to: Callable[[History], History]) -> None:
        # The current history, because edits may have arrived since the buttons were drawn.
        state.set_message(state.NOTICE, "")
        user_data.set_history(origin, to(user_data.history(origin) or history))
        user_data.renew_editor()

    def edit_button(label: str, edit: Edit) -> None:
        st.button(label, on_click=change, args=(origin, history, edit), width="stretch")

    with st.container(horizontal=True, gap="small"):
        st.button(
            "Undo",
            on_click=step,
            args=(History.undo,),
            disabled=not history.past,
            help=f"Undoes the last edit of this ranking; at most {LONGEST} edits, fewer for a long "
            "ranking.",
            shortcut="Ctrl+Z",
        )
        st.button(
            "Redo",
            on_click=step,
            args=(History.redo,),
            disabled=not history.future,
            shortcut="Ctrl+Shift+Z",
        )
        if editable:
            with st.popover("Reorder"):
                edit_button("Best first", best_first)
                edit_button("Reverse", backwards)
                edit_button("Shuffle", lambda r: shuffled(r, random.randrange(2**32)))
            with st.popover("Add, remove"):
                _add_and_remove(origin, history)
        with st.popover("Paste"):
            _paste(origin, history)
        st.button(
            "Reset",
            on_click=step,
            args=(History.reset,),
            disabled=history.present == history.original,
            help="Restores the original ranking; Undo restores the edits.",
        )


def _add_and_remove(origin: Origin, history: History) -> None:
    with st.form("add", clear_on_submit=True, border=False):
        document = st.text_input("New document's id")
        grade = st.number_input("Grade", value=None, step=1.0, placeholder="unjudged")
        if st.form_submit_button("Add at the end"):
            change(origin, history, lambda r: add(r, document, grade))
            st.rerun()
    with st.form("remove", border=False):
        documents = [entry.document for entry in history.present.entries]
        removed = st.selectbox("Document to remove, with its grade", documents)
        if st.form_submit_button("Remove") and removed is not None:
            change(origin, history, lambda r: remove(r, removed))
            st.rerun()


def _paste(origin: Origin, history: History) -> None:
    query = history.present.query
    with st.form("paste", border=False):
        pasted = st.text_area(
            "Grades in rank order | not retrieved; or rows from a spreadsheet",
            placeholder="3,2,3,0,1,2 | 3,2",
            help="Grades after | are of judged documents that are not retrieved; ? is an unjudged "
            "document. Rows contain document and grade, or rank, document and grade.",
        )
        if st.form_submit_button("Replace the ranking"):
            change(origin, history, lambda _: read_ranking(pasted, query))
            st.rerun()
    saved = st.file_uploader("Or a saved ranking", type=["json"], key=f"saved-{origin}")
    if saved is not None and st.button("Open the saved ranking"):
        content = saved.getvalue().decode("utf-8", "replace")
        change(origin, history, lambda _: _for_query(from_json(content), query))
        st.rerun()


def _for_query(ranking: HandRanking, query: str) -> HandRanking:
    """Return a saved ranking as a ranking of the query that is shown."""
    return HandRanking(query, ranking.retrieved, ranking.unretrieved)


def change(origin: Origin, shown: History, edit: Edit, keep_cells: bool = False) -> None:
    """Apply an edit; a refused edit leaves the ranking unchanged and shows the reason.

    ``keep_cells``: the table already shows the result of the edit, and keeps its focus.
    """
    kept = user_data.history(origin)
    # An edit applies to the history that is shown, unless other edits have arrived since.
    history = kept if kept and kept.past != shown.past else shown
    state.set_message(state.NOTICE, "")
    try:
        user_data.set_history(origin, history.then(edit(history.present)))
    except RankscopeError as error:
        state.set_message(state.NOTICE, text.code(str(error)))
        keep_cells = False
    if not keep_cells:
        user_data.renew_editor()


def _apply_cells(key: str, origin: Origin, history: History) -> None:
    """Apply the table's changed cells as one edit of the ranking that it showed."""
    ranking = history.present
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

    change(origin, history, edit, keep_cells=not ranks)
