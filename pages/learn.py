"""Learn: worked examples, every measure, which measure to choose, pitfalls, and a glossary."""

import streamlit as st

from pages.ui import pickers, shell, state, tabs
from pages.ui.learn import chooser, examples, glossary, measures, pitfalls

shell.guard(state.LEARN)
shell.head(state.LEARN)

TABS = {
    "Worked examples": examples.worked_examples,
    "Measures": measures.measures,
    "Which measure?": chooser.which_measure,
    "Pitfalls": pitfalls.pitfalls,
    glossary.ROOM: glossary.glossary,
}
tabs.recall(state.ROOM, TABS)
above = st.container()
tabs.draw(state.ROOM, TABS)
with above:
    pickers.unknown_links()
