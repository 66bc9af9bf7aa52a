"""Practice: exercises that are checked at once and name the mistake behind a wrong answer."""

import streamlit as st

from metrics.teaching.exercises import LEVELS, TOLERANCE, Number, exercise
from pages.ui import pickers, shell, state, widgets
from pages.ui.learn import practice

shell.guard(state.PRACTICE)
shell.head(state.PRACTICE)

practice.recall_tally()
with st.container(horizontal=True, vertical_alignment="bottom"):
    kind = widgets.option("Exercise", practice.NAMES, state.KIND, width=220)
    levels = {name: level.title for name, level in LEVELS.items()}
    level = widgets.option("Level", levels, state.DIFFICULTY, width=140)
    number = widgets.whole_number(
        "No.", state.NUMBER, 1, 1, "The link to this page always opens the same exercise."
    )
    request = practice.Request(kind, level, number)
    last = number == widgets.LARGEST
    st.button("Next", on_click=state.put, args=({state.NUMBER: number + 1},), disabled=last)
    practice.sheet_button(request)
pickers.unknown_links()
above = st.container()

made = exercise(kind, level, number)
asks_numbers = any(isinstance(blank, Number) for blank in made.blanks)
hint = (
    f" Three decimals are enough (±{TOLERANCE:g}). You can also write 3/5, 0,6, 60% or 2/log2(3)."
)
st.markdown(f"**{made.question}**{hint if asks_numbers else ''}")
left, right = st.columns([5, 3], gap="large")
with left:
    practice.tables(request, made)
    st.caption(f"Convention: {made.rules}.")
with right:
    practice.blanks(request, made)
with above:
    practice.show_tally()
practice.solution(request, made)
