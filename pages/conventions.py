"""Why tools differ: one ranking under every convention, and the convention behind a number."""

from dataclasses import replace

import streamlit as st

from metrics import PRESETS, parse
from metrics.conventions import PRESET_NOTES
from metrics.exploring.convention_search import choices, giving, merged, presets, search
from metrics.memory import Memory, key_of, unbounded
from metrics.rendering import text
from metrics.scoring import known_differences
from metrics.words import joined
from pages.ui import cache, data_notes, links, pickers, shell, state, user_data, widgets
from pages.ui.conventions import number_line, under_conventions
from pages.ui.judge import further_judges

shell.guard(state.CONVENTIONS)
shell.head(state.CONVENTIONS)
links.receive()

of_measure, of_run, of_data, of_convention = pickers.sentence(
    ("", ""), ("", ""), ("on", "data"), ("", "")
)
with of_data:
    sample = pickers.source_picker(state.EXAMPLE, "wikipedia", lambda data: bool(data.runs))
    dataset = links.receive_grades(further_judges.counting(sample))
with of_run:
    run, query = pickers.query_picker(dataset)
with of_measure:
    measure = pickers.measure_picker(parse(sample.measure))
with of_convention:
    convention = pickers.convention_picker([measure])
origin, steps = links.ranking_of(dataset, run, query, convention)
ranking = steps.present
links.keep(steps, lasting=sample.key != state.YOURS)
above = st.container()
with above:
    pickers.unknown_links()
    if sample.key == state.YOURS and (notice := user_data.alone()):
        st.info(notice)
    data_notes.applied(dataset.qrels, run)
if not ranking.grades:
    st.info("This query has no judgment, so there is no score.")
    st.stop()
with shell.errors_shown():
    ledger = ranking.ledger(measure, convention)
    now = float(ledger.scores[0])
under = links.under(dataset, run, query, steps)
# Each takes many scores of the ranking, and none depends on what is picked below.
edited = None if ranking == steps.original else ranking
of = dataset.original, dataset.qrels, run, query, edited, measure, convention
once: Memory = cache.shared(key_of("under", *of), unbounded)
st.markdown(
    f"Grades in rank order: **{text.grades(ranking.retrieved)}**"
    + (f"; judged, not retrieved: **{text.grades(rest)}**" if (rest := ranking.unretrieved) else "")
    + f". **{measure} = {text.number(now)}** under {measure.label(convention)}."
)
of_tools = once(("tools",), lambda: presets(under, measure, convention))
asked = number_line.number_line(of_tools, measure, now)
# Read before its section is drawn, which a number opens.
state.recall(state.PRINTED, str)
with st.expander("Find the convention behind a number", expanded=bool(state.value(state.PRINTED))):
    printed = st.text_input(
        f"A published {measure} of this ranking",
        key=state.PRINTED,
        placeholder="0.785, 3/5 or 96%",
        width=420,
    )
    state.keep(state.PRINTED, printed, "")
    if printed:
        with widgets.refusals_shown():
            found = once(("search", printed), lambda: search(printed, under, measure, convention))
            tools = ", ".join(giving(printed, of_tools))
            st.markdown(
                f"Of the tools above, these give it: **{tools}**."
                if tools
                else "No tool above gives this number under its preset."
            )
            if found.found:
                st.markdown(
                    f"**{len(found.found)}** of {found.tried} combinations of choices give it to "
                    "the published digits; those with the fewest changes come first."
                )
            else:
                st.markdown(
                    f"**None** of {found.tried} combinations of choices gives "
                    f"{text.code(printed)}. The nearest values:"
                )
            shown = [
                replace(reading, name=str(place))
                for place, reading in enumerate((found.found or found.nearest)[:10], 1)
            ]
            under_conventions.pick(shown, ledger, "no.", "search", once)
groups = merged(of_tools, now)
under_conventions.arguments(groups, ledger, under, convention, once, asked)
if others := [name for name in PRESETS if name not in {each.name for each in of_tools}]:
    st.caption(f"Presets without {measure.symbol}, not in this list: {joined(others)}.")
with st.expander("Recorded cases on which tools disagree"):
    under_conventions.recorded_case()
with under_conventions.opened("One choice changed", "choices"):
    changed = once(("changed",), lambda: merged(choices(under, measure, convention), now))
    under_conventions.pick(changed, ledger, "choice", "choices", once)
with above:
    pickers.unknown_links()
with st.expander("About the presets"):
    for name, note in PRESET_NOTES.items():
        st.markdown(" ".join([f"**{name}**: {note}", *known_differences.of_preset(name)]))
