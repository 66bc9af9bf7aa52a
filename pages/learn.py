"""Learn: the articles' worked examples, every measure, which to choose, and the words."""

import streamlit as st

from pages.ui import chooser, examples, handbook, shell, state

shell.guard(state.LEARN)

ROOMS = {
    "Worked examples": examples.worked_examples,
    "Measures": handbook.measures,
    "Which measure?": chooser.which_measure,
    "Glossary": chooser.glossary,
}
state.recall(state.ROOM, lambda title: list(ROOMS)[list(ROOMS).index(title)])
tabs = st.tabs(list(ROOMS), key=state.ROOM, on_change="rerun")
for tab, draw in zip(tabs, ROOMS.values(), strict=True):
    if tab.open:
        with tab:
            draw()
first, *_ = ROOMS
state.keep(state.ROOM, state.value(state.ROOM) or first, first)
