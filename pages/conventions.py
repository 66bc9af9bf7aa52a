"""Conventions: one ranking under every convention, and the convention behind a number."""

import json
from dataclasses import replace

import pandas as pd
import streamlit as st

from metrics import RankscopeError, parse
from metrics.conventions.convention import PRESET_NOTES
from metrics.exploring.convention_search import choices, presets, search
from metrics.rendering import text
from metrics.teaching.samples import FOLDER
from pages.ui import (
    links,
    pickers,
    reading_notes,
    shell,
    show,
    state,
    under_conventions,
    user_data,
    widgets,
)

shell.guard(state.CONVENTIONS)
shell.head(state.CONVENTIONS)
links.receive()

with st.container(horizontal=True, vertical_alignment="bottom"):
    sample = pickers.source_picker(state.EXAMPLE, "wikipedia", lambda data: bool(data.runs))
    dataset = sample.load()
    run, query = pickers.query_picker(dataset)
    measure = pickers.measure_picker(parse(sample.measure))
    convention = pickers.convention_picker([measure])
origin, steps = links.ranking_of(dataset, run, query, convention)
ranking = steps.present
links.keep(steps, lasting=sample.key != state.YOURS)
above = st.container()
with above:
    pickers.unknown_links()
    if sample.key == state.YOURS and (notice := user_data.alone()):
        st.info(notice)
    reading_notes.applied(dataset.qrels, run)
if not ranking.grades:
    st.info("This query has no judgment, so there is no score.")
    st.stop()
with shell.errors_shown():
    ledger = ranking.ledger(measure, convention)
    now = float(ledger.scores[0])
st.markdown(
    f"Grades in rank order: **{text.grades(ranking.retrieved)}**"
    + (f"; judged, not retrieved: **{text.grades(rest)}**" if (rest := ranking.unretrieved) else "")
    + f". **{measure} = {text.number(now)}** under {measure.label(convention)}."
)

st.header("Every preset")
under = links.under(dataset, run, query, steps)
readings = presets(under, measure, convention)
picked = under_conventions.pick(readings, ledger, "preset", "presets")
under_conventions.opened(picked, measure, "presets")

st.header("Convention behind a number")
state.recall(state.PRINTED, str)
with st.container(horizontal=True, vertical_alignment="bottom"):
    printed = st.text_input(
        f"A published {measure} of this ranking",
        key=state.PRINTED,
        placeholder="0.785, 3/5 or 96%",
        width=420,
    )
    state.keep(state.PRINTED, printed, "")
if printed:
    try:
        found = search(printed, under, measure, convention)
    except RankscopeError as error:
        st.error(text.code(str(error)))
    else:
        if found.found:
            st.markdown(
                f"**{len(found.found)}** of {found.tried} combinations of choices give it to the "
                "published digits; those with the fewest changes come first."
            )
        else:
            st.markdown(
                f"**None** of {found.tried} combinations of choices gives {text.code(printed)}. "
                "The nearest values:"
            )
        shown = [
            replace(reading, name=str(place))
            for place, reading in enumerate((found.found or found.nearest)[:10], 1)
        ]
        picked = under_conventions.pick(shown, ledger, "no.", "search")
        under_conventions.opened(picked, measure, "search")

st.header("One choice changed")
picked = under_conventions.pick(choices(under, measure, convention), ledger, "choice", "choices")
under_conventions.opened(picked, measure, "choices")

st.header("Where tools disagree")
recorded = json.loads((FOLDER / "engine_divergences.json").read_text("utf-8"))["cases"]
cases = {case["id"]: case for case in recorded}
titles = {name: case["title"] for name, case in cases.items()}
case = cases[widgets.option("Recorded case", titles, state.CASE)]
with above:
    pickers.unknown_links()
st.markdown(f"**{case['title']}.** {case['lesson']}")
outputs = pd.DataFrame(
    [
        {
            "tool": output["engine"],
            "called": output["call"],
            "returned": json.dumps(output["value"], ensure_ascii=False),
            "how": "run" if output["executed"] else "read from its source",
        }
        for output in case["outputs"]
    ]
).set_index("tool")
left, right = st.columns([3, 2], gap="large")
with left:
    show.table(outputs)
with right:
    st.code(
        f"qrels = {json.dumps(case['qrels'])}\nrun = {json.dumps(case['run'])}",
        language="python",
        wrap_lines=True,
    )
    st.caption(
        "Recorded from the tools themselves; tests reproduce the values that a preset covers."
    )
with st.expander("About the presets"):
    show.table(pd.DataFrame({"about": PRESET_NOTES}).rename_axis("preset"))
