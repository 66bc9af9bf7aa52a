"""Learn: six chapters to read, and what to look up: measures, words and checked sources."""

from functools import partial
from typing import Any

import streamlit as st

from metrics.teaching.chapters import chapters
from pages.ui import pickers, shell, state, widgets
from pages.ui.learn import cards, chooser, examples, glossary, measures, reading

shell.guard(state.LEARN)

TABS: widgets.Tabs = {
    **{title: partial(reading.chapter, chapter) for title, chapter in chapters().items()},
    cards.ROOM: cards.all_measures,
    measures.ROOM: measures.measures,
    chooser.ROOM: chooser.which_measure,
    glossary.ROOM: glossary.glossary,
    examples.ROOM: examples.worked_examples,
}
first, *_, last = chapters()
OLD = {
    "Contents": first,
    "Worked examples": examples.ROOM,
    "Measures": measures.ROOM,
    "Pitfalls": last,
    **dict.fromkeys(("Why tools disagree", "Why tools differ"), "One list, four numbers"),
}
"""The rooms by the names that they had in links."""
# Links to a worked example or to a pitfall need not name their room.
OF_ROOM = {state.LESSON: examples.ROOM, state.PITFALL: last}


def _numbered(room: str) -> str:
    return f"{[*chapters()].index(room) + 1}. {room}" if room in chapters() else room


asked = st.query_params.get(state.ROOM, "")
if asked in OLD:
    st.query_params[state.ROOM] = OLD[asked]
elif not asked and not state.value(state.ROOM):
    for parameter, room in OF_ROOM.items():
        if parameter in st.query_params:
            st.query_params[state.ROOM] = room
widgets.recall_tab(state.ROOM, TABS)
with st.container(key="learn"):
    with st.container(key="learn_head"):
        shell.head(state.LEARN, state.value(state.ROOM) or first)
        # A phone has them instead of the rail.
        state.put({"rooms": state.value(state.ROOM) or first})
        look: Any = {"on_change": lambda: state.open_room(state.value("rooms"), {}), "key": "rooms"}
        look |= {"format_func": _numbered, "label_visibility": "collapsed"}
        st.selectbox("Chapter or reference", list(TABS), **look)
        above = st.container()
    widgets.draw_tabs(state.ROOM, TABS)
    with st.container(key="learn_doors"):
        st.page_link(state.PRACTICE)
        st.page_link(state.CONVENTIONS)
with above:
    pickers.unknown_links()
