"""Practice: exercises that are checked at once and name the mistake behind a wrong answer."""

import streamlit as st

from metrics.teaching.exercises import LEVELS
from pages.ui import pickers, shell, state, widgets
from pages.ui.inline import replaceable
from pages.ui.practice import card

shell.guard(state.PRACTICE)
with st.container(horizontal=True, vertical_alignment="bottom", key="practice_head"):
    with st.container():
        shell.head(state.PRACTICE)
    actions = st.container(key="actions", horizontal=True, width="content", gap="small")
unknown = st.container()
card.recall_tally()
with replaceable("card") as instead:
    with instead.container(horizontal=True):
        kind = widgets.option("Exercise", card.NAMES, state.KIND, width=220)
        levels = {name: level.title for name, level in LEVELS.items()}
        level = widgets.option("Level", levels, state.DIFFICULTY, width=140)
    with actions:
        number = widgets.whole_number(
            "No.",
            state.NUMBER,
            1,
            1,
            "The link to this page always opens the same exercise.",
            said="Exercise no. {:,}".format,
        )
        request = card.Request(kind, level, number)
        solved = card.solution_switch(request)
        card.sheet_button(request)
    if solved:
        card.solution(request)
    with instead:
        card.fields(request)
    card.card(request)
with unknown:
    pickers.unknown_links()
