"""Judge: grades given by hand, and how far several judges agree."""

import streamlit as st

from pages.ui import pickers, shell, state, tabs, user_data
from pages.ui.judge import one_query, two_judges

TABS: tabs.Tabs = {"Judge": one_query.draw, "Two judges": two_judges.draw}

shell.guard(state.JUDGE)
shell.head(state.JUDGE)

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = pickers.source_picker(state.DATA, "shop", lambda data: bool(data.runs))
    dataset = user_data.graded(sample.load())
    pickers.upload_button()
tabs.recall(state.JUDGING, TABS)
tabs.draw(state.JUDGING, TABS, dataset)
pickers.unknown_links()
