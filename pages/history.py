"""History: the judged runs of a folder over time, and what changed between two."""

import streamlit as st

from metrics import parse
from metrics.defaults import MEASURE
from pages.ui import pickers, shell, state
from pages.ui.history import folder, over_time, two_runs

shell.guard(state.HISTORY)
shell.head(state.HISTORY)

history = folder.opened(shell.history_folder())
with st.container(horizontal=True, vertical_alignment="bottom"):
    measure = pickers.measure_picker(parse(MEASURE))
    runs = folder.with_tags(history.runs)
if not runs:
    folder.unreadable(history.refused)
    pickers.unknown_links()
    st.info("No run has all of these tags." if history.runs else "No file can be read.")
    st.stop()
with shell.errors_shown():
    points = folder.points(history, runs, str(measure))

links, drawn = st.container(), st.container()
st.header("Two runs")
if len(runs) > 1:
    a, b = two_runs.chosen(points)
    with shell.errors_shown():
        two_runs.section(history, a, b, str(measure))
else:
    a = b = runs[0]
    st.info("One run; a second one shows what changed between them.")
with drawn:
    over_time.section(points, measure, {"A": a, "B": b} if a != b else {})
    folder.unreadable(history.refused)
with links:
    pickers.unknown_links()
