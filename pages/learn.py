"""Learn: worked examples, every measure, pitfalls, which measure to choose, and a glossary."""

import streamlit as st

from pages.ui import pickers, shell, state, widgets
from pages.ui.learn import chooser, contents, examples, glossary, measures, pitfalls

shell.guard(state.LEARN)
shell.head(state.LEARN)

TABS = {
    contents.ROOM: contents.contents,
    examples.ROOM: examples.worked_examples,
    measures.ROOM: measures.measures,
    pitfalls.ROOM: pitfalls.pitfalls,
    chooser.ROOM: chooser.which_measure,
    glossary.ROOM: glossary.glossary,
}
named = state.value(state.ROOM) or st.query_params.get(state.ROOM)
if not named and state.LESSON in st.query_params:
    # Links to a worked example do not name its tab, which was the first one once.
    st.query_params[state.ROOM] = examples.ROOM
widgets.recall_tab(state.ROOM, TABS)
above = st.container()
widgets.draw_tabs(state.ROOM, TABS)
with above:
    pickers.unknown_links()
