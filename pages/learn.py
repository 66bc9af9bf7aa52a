"""Learn: the articles' worked examples, every measure, which to choose, and the words."""

import streamlit as st

from pages.ui import chooser, controls, examples, glossary, handbook, pitfalls, shell, state

shell.guard(state.LEARN)

ROOMS = {
    "Worked examples": examples.worked_examples,
    "Measures": handbook.measures,
    "Which measure?": chooser.which_measure,
    "Pitfalls": pitfalls.pitfalls,
    glossary.ROOM: glossary.glossary,
}
titles = list(ROOMS)
state.recall(state.ROOM, lambda title: titles[titles.index(title)])
above = st.container()
tabs = st.tabs(titles, key=state.ROOM, on_change="rerun")
for tab, draw in zip(tabs, ROOMS.values(), strict=True):
    if tab.open:
        with tab:
            draw()
state.keep(state.ROOM, state.value(state.ROOM) or titles[0], titles[0])
with above:
    controls.unknown_links()
