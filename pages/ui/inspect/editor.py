"""The editable ranking: a list or a table, whose changes are applied by ``metrics.editing``."""

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

import streamlit as st

from metrics import Ledger, RankscopeError
from metrics.editing import (
    Change,
    HandRanking,
    History,
    Origin,
    edits,
    hand_ranking,
    pasted,
    ranking_link,
)
from metrics.rendering import tables, text

from .. import by_hand, ranking_list, state, user_data
from ..inline import replaceable, room

Edit = Callable[[HandRanking], HandRanking]
Step = Callable[[History], History]
_LIST, _TABLE = "list", "table"
_PASTED = "_pasted"
"""How many lists were pasted or opened."""


def ranking_editor(
    origin: Origin,
    history: History,
    ledger: Ledger | None,
    texts: Mapping[str, str],
    cutoff: int | None = None,
    locked: bool = False,
) -> None:
    """Show the ranking as a list or a table; an edit takes effect on the next run.

    ``cutoff``: the rank below which the list draws a line. ``locked``: the list is read-only.
    """
    if locked:
        rows = ranking_list.rows(history.present, ledger, texts, cutoff)
        with replaceable(_LIST) as instead:
            room(_LIST, ranking_list.seen(rows))
            ranking_list.locked_list(str(origin), rows)
        instead.text(ranking_list.in_words(rows))
        return
    length = len(history.present.entries)
    rows = {}
    if editable := length <= hand_ranking.MOST_EDITED:
        state.recall(state.EDITOR, state.among((_LIST, _TABLE)))
        if state.presented() or (state.value(state.EDITOR) or _LIST) == _LIST:
            rows = ranking_list.rows(history.present, ledger, texts, cutoff)
            # An edit comes back with its query: beside the way back it says whose order this is.
            rows["own"] = history.reordered and not state.lesson().left_out
            if state.presented():
                rows["hint"] = "?: no grade. =: same score as the one above."
        else:
            _table(origin, history, texts)
    else:
        st.info(
            f"All {length:,} documents are scored, but only rankings of at most "
            f"{hand_ranking.MOST_EDITED:,} can be edited. To edit this one, cut it at a smaller "
            "depth."
        )
    step = partial(_step, origin, history)
    with replaceable(_LIST) as instead:
        if rows:
            room(_LIST, ranking_list.seen(rows))
        ranking_list.ranking_list(origin, history, rows, partial(change, origin, history), step)
    with instead:
        _without_list(history, step, listed=bool(rows))
    if not state.presented():
        _buttons(origin, history, editable)
    if notice := state.message(state.NOTICE):
        st.error(notice)


def _without_list(history: History, step: Callable[[Step], None], listed: bool) -> None:
    """Show the way to the table and the steps back, which a browser needs that lacks the list."""

    def step_button(label: str, to: Step, possible: bool) -> None:
        st.button(label, key=f"plain_{label}", on_click=step, args=(to,), disabled=not possible)

    if listed:
        st.text("This browser could not load the list. The table edits the same ranking.")
    with st.container(horizontal=True, gap="small"):
        if listed:
            st.button("Edit as a table", on_click=state.put, args=({state.EDITOR: _TABLE},))
        step_button("Undo", History.undo, bool(history.past))
        step_button("Redo", History.redo, bool(history.future))
        step_button("Reset", History.reset, history.present != history.original)


def _table(origin: Origin, history: History, texts: Mapping[str, str]) -> None:
    ranking = history.present
    key = f"ranking-{origin}-{user_data.all_edits().generation}"
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
    def edit_button(label: str, edit: Edit) -> None:
        st.button(label, on_click=change, args=(origin, history, edit), width="stretch")

    with st.container(key="list_actions", horizontal=True):
        if editable:
            now = state.value(state.EDITOR) or _LIST
            state.keep(state.EDITOR, now, _LIST)
            if now == _TABLE:
                st.button("Back to the list", on_click=state.put, args=({state.EDITOR: _LIST},))
            with st.popover("Reorder", key=f"reorder_{now}"):
                edit_button("Best first", edits.best_first)
                edit_button("Reverse", edits.backwards)
                edit_button("Shuffle", lambda r: edits.shuffled(r, random.randrange(2**32)))
                if now == _LIST:
                    show_table = partial(state.put, {state.EDITOR: _TABLE})
                    st.button("Type ranks in a table", on_click=show_table, width="stretch")
            with st.popover("Add, remove"):
                _add_and_remove(origin, history)
        # Another popover is closed.
        with st.popover("Paste or new list", key=f"paste_{state.value(_PASTED) or 0}"):
            _paste(origin, history)


def _add_and_remove(origin: Origin, history: History) -> None:
    with st.form("add", clear_on_submit=True, border=False):
        document = st.text_input("New document's id")
        grade = st.number_input("Grade", value=None, step=1.0, format="%g", placeholder="unjudged")
        if st.form_submit_button("Add at the end"):
            change(origin, history, lambda r: edits.add(r, document, grade))
            st.rerun()
    with st.form("remove", border=False):
        documents = [entry.document for entry in history.present.entries]
        removed = st.selectbox("Document to remove, with its grade", documents)
        if st.form_submit_button("Remove") and removed is not None:
            change(origin, history, lambda r: edits.remove(r, removed))
            st.rerun()


def _paste(origin: Origin, history: History) -> None:
    query = history.present.query
    with st.form("paste", border=False):
        title = st.text_input(
            "Title or query",
            placeholder=hand_ranking.UNTITLED,
            max_chars=hand_ranking.LONGEST_TITLE,
        )
        typed = st.text_area(pasted.GRAMMAR, placeholder="3 2 3 0 1 2 | 3 2")
        if st.form_submit_button("Use this list"):
            named = hand_ranking.as_title(title) or hand_ranking.UNTITLED
            read = partial(pasted.read_ranking, typed, query)
            _replace(origin, history, lambda: replace(read(), title=named))
    saved = st.file_uploader("Or a saved ranking", type=["json"], key=f"saved-{origin}")
    if saved is not None and st.button("Open the saved ranking"):
        content = saved.getvalue().decode("utf-8", "replace")
        _replace(origin, history, lambda: in_place_of(ranking_link.from_json(content), query))


def _replace(origin: Origin, history: History, read: Callable[[], HandRanking]) -> None:
    """Put another list in the place of the ranking, which Undo brings back; say what is wrong."""
    try:
        ranking = read()
    except RankscopeError as error:
        st.error(text.refusal(error))
        return
    state.put({state.NOTICE: ""})
    state.put({_PASTED: (state.value(_PASTED) or 0) + 1})
    now = user_data.all_edits().history(origin, history.original)
    user_data.set_history(origin, now, now.arrive(ranking), by_hand.signature(), renew=True)
    st.rerun()


def in_place_of(ranking: HandRanking, query: str) -> HandRanking:
    """Return a saved ranking as a ranking of the query that is shown.

    The ranking of another query is a list of its own: its title is that query.
    """
    title = ranking.title
    if ranking.query != query:
        title = title or hand_ranking.as_title(ranking.query) or hand_ranking.UNTITLED
    return replace(ranking, query=query, title=title)


def _step(origin: Origin, shown: History, to: Step, number: int | None = None) -> None:
    """Undo, redo or reset; other edits may have arrived since the ranking was shown."""
    state.put({state.NOTICE: ""})
    now = user_data.all_edits().history(origin, shown.original)
    user_data.set_history(origin, now, to(now), by_hand.signature(), number, renew=True)


def change(
    origin: Origin, shown: History, edit: Edit, number: int | None = None, keep_cells: bool = False
) -> None:
    """Apply an edit; a refused edit leaves the ranking unchanged and shows the reason.

    ``number``: that of the list's event. ``keep_cells``: the table already shows the result of the
    edit, and keeps its focus.
    """
    edits, now = user_data.all_edits(), shown
    # An edit applies to the ranking as it is shown, unless others have arrived since.
    if edits.histories.get(origin) is not shown.kept:
        now = edits.history(origin, shown.original)
    state.put({state.NOTICE: ""})
    try:
        edited = now.then(edit(now.present))
    except RankscopeError as error:
        state.put({state.NOTICE: text.code(str(error))})
        user_data.commit(Change(numbers={} if number is None else {origin: number}))
        return
    user_data.set_history(origin, now, edited, by_hand.signature(), number, renew=not keep_cells)


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
            old = edits.set_grade(old, document, grade)
        for document, rank in ranks.items():
            old = edits.move(old, document, rank)
        return old

    change(origin, history, edit, keep_cells=not ranks)
