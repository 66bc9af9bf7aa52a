"""Learn: the articles' worked examples, every measure, which to choose, and the words."""

import streamlit as st

from pages.ui import chooser, controls, examples, glossary, handbook, pitfalls, rooms, shell, state

shell.guard(state.LEARN)

ROOMS = {
    "Worked examples": examples.worked_examples,
    "Measures": handbook.measures,
    "Which measure?": chooser.which_measure,
    "Pitfalls": pitfalls.pitfalls,
    glossary.ROOM: glossary.glossary,
}
rooms.recall(state.ROOM, ROOMS)
above = st.container()
rooms.tabs(state.ROOM, ROOMS)
with above:
    controls.unknown_links()
