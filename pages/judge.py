"""Judge: grades given by hand, and how far several judges agree."""

from functools import partial

import streamlit as st

from metrics import parse
from pages.ui import links, pickers, shell, state, widgets
from pages.ui.judge import further_judges, one_query, taken, two_judges

shell.guard(state.JUDGE)
state.recall(state.JUDGING, state.among((state.ONE_JUDGE, state.TWO_JUDGES)))
compared = state.value(state.JUDGING) == state.TWO_JUDGES
with st.container(key="covered"):
    with st.container(horizontal=True, key="head"):
        with st.container():
            shell.head(state.JUDGE, purpose=two_judges.PURPOSE if compared else "")
        with st.container(key="actions", horizontal=True, width="content", gap="small"):
            links.back_button()
            adding, exporting = st.container(width="content"), st.container(width="content")
            pickers.upload_button()
    subject, of_data, settings = pickers.sentence(*[("", "")] * 3)
state.follow_data(state.EXAMPLE)
with of_data:
    # Rankings that are judged already keep their grades.
    sample = pickers.source_picker(
        state.EXAMPLE, "shop", lambda data: bool(data.runs) and not data.judged
    )
    dataset = links.receive_grades(sample.load())
links.of_grades(dataset)
with exporting, st.popover("Export"):
    taken.export(dataset)
words = subject, settings
looks: widgets.Tabs = {
    state.ONE_JUDGE: partial(one_query.draw, usual=parse(sample.measure), words=words),
    state.TWO_JUDGES: partial(two_judges.draw, words=words, adding=adding),
}
widgets.draw_tabs(state.JUDGING, looks, dataset)
with settings:
    further_judges.counting(sample, before=", elsewhere judged by")
pickers.unknown_links()
