"""Practice: exercises that are checked at once and name the mistake behind a wrong answer."""

import streamlit as st

from metrics.teaching import exercises
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
kind, level = (
    widgets.settled(key, next(iter(known)), state.among(known), str, "", drawn=False)
    for key, known in ((state.KIND, card.NAMES), (state.DIFFICULTY, exercises.LEVELS))
)
with actions:
    same = "The link to this page always opens the same exercise."
    said = "Exercise no. {:,}".format
    number = widgets.number("No.", state.NUMBER, 1, (1, widgets.LARGEST), 1, same, said=said)
    request = card.Request(kind, level, number)
    solved = card.solution_switch(request)
    card.sheet_button(request)
with replaceable("card") as instead:
    card.card(request, solved)
instead.text("This browser could not load the exercise. Sheet to print has it, with its key.")
if solved:
    card.solution(request)
with unknown:
    pickers.unknown_links()
