"""Judge: grades given by hand, and how far several judges agree."""

from functools import partial

import streamlit as st

from metrics import Dataset, parse
from pages.ui import links, pickers, shell, state, widgets
from pages.ui.judge import one_query, two_judges


def _can_be_judged(data: Dataset) -> bool:
    """Return whether grades given by hand count: rankings that are judged already keep theirs."""
    return bool(data.runs) and not data.judged


shell.guard(state.JUDGE)
shell.head(state.JUDGE)

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = pickers.source_picker(state.EXAMPLE, "shop", _can_be_judged)
    dataset = links.receive_grades(sample.load())
    pickers.upload_button()
links.of_grades(dataset)
looks: widgets.Tabs = {
    "Judge": partial(one_query.draw, usual=parse(sample.measure)),
    state.TWO_JUDGES: two_judges.draw,
}
widgets.recall_tab(state.JUDGING, looks)
widgets.draw_tabs(state.JUDGING, looks, dataset)
pickers.unknown_links()
