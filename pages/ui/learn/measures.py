"""One measure explained: its meaning, its formula, when to use it, and an example to edit."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import REGISTRY, Measure, RankscopeError, parse
from metrics.conventions.choices import CHOICES
from metrics.editing.pasted import read_ranking
from metrics.measures.parameters import PARAMETERS
from metrics.rendering import text
from metrics.scoring.formula import substituted, symbols
from metrics.teaching.measure_index import TASKS
from metrics.teaching.samples import SCRATCH_GRADES

from .. import ledger_view, links, pickers, show, state, widgets
from . import glossary

ROOM = "Measures"
_USUAL = parse("nDCG@5")


def measures() -> None:
    """Find a measure by its task, read about it, and edit its example."""
    st.header(ROOM, anchor=False)
    _index()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = pickers.measure_picker(_USUAL)
        grades = widgets.settled(state.GRADES, SCRATCH_GRADES, str, _grades, "")
    _named(measure)
    try:
        ranking = read_ranking(grades, "example")
        ledger = ranking.ledger(measure)
    except RankscopeError as error:
        st.error(text.code(str(error)))
        return
    left, right = st.columns(2, gap="large")
    with left:
        st.subheader("Formula", anchor=False)
        show.formula(symbols(measure, ledger.convention))
        if not measure.parts:
            show.formula(substituted(ledger, "example"))
    with right:
        st.subheader("When to use it", anchor=False)
        labels = {name: choice.label for name, choice in CHOICES.items()}
        names = [labels.get(name, "Relevant from grade") for name in measure.choices]
        st.markdown(
            f"**Use it for**: {measure.use}\n\n**Not for**: {measure.avoid}\n\n"
            f"**Range**: {measure.value_range}. **Depends on**: "
            f"{', '.join(names) or 'no choice of the convention'}.\n\n**Source**: {measure.source}"
        )
    texts = [measure.meaning, measure.use, measure.avoid, *names]
    glossary.links(" ".join(texts), "measure")
    st.subheader("Line by line", anchor=False)
    st.markdown(f"**{measure} = {text.number(float(ledger.scores[0]))}** for these grades.")
    ledger_view.lines(ledger, ranking, {}, "measure")
    st.caption(f"Convention: {measure.label(ledger.convention)}.")
    links.inspect_button(ranking, measure, ledger.convention, "measure")


def _grades() -> str:
    return st.text_input("Grades in rank order | not retrieved", key=state.GRADES, width=300)


def _named(measure: Measure) -> None:
    """Show the measure's full name, its other names, and its meaning."""
    full = f"{measure.full_name[0].upper()}{measure.full_name[1:]}"
    st.subheader(f"{full} ({measure.symbol})", anchor=False)
    other = f" Also called {', '.join(measure.also)}." if measure.also else ""
    mean = f" Mean over queries: {', '.join(measure.mean_names)}." if measure.mean_names else ""
    st.markdown(f"{measure.meaning}{other}{mean}")


def _index() -> None:
    """Show all measures by task; a ticked one is chosen."""
    rows = [
        {"measure": symbol, "name": REGISTRY[symbol].full_name, "for": task}
        for task, symbols_of in TASKS.items()
        for symbol in symbols_of
    ]

    def choose(place: int) -> None:
        measure = REGISTRY[rows[place]["measure"]]
        state.forget(*(name for name, each in PARAMETERS.items() if each.is_own_number))
        cutoff = _USUAL.cutoff if measure.suffix == "cutoff" and measure.usually_cut else 0
        state.put({state.MEASURE: measure.symbol, state.K: cutoff})

    with st.expander(f"Find one of {len(rows)} measures by what it is for"):
        frame = pd.DataFrame(rows).set_index("measure")
        show.picking_table(frame, "measures", pick=choose)
