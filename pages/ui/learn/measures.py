"""One measure explained: its meaning, its formula, when to use it, and an example to edit."""

from __future__ import annotations

import streamlit as st

from metrics import RankscopeError, parse
from metrics.conventions.choices import CHOICES
from metrics.editing.pasted import read_ranking
from metrics.rendering import text
from metrics.scoring.formula import substituted, symbols
from metrics.teaching.samples import SCRATCH_GRADES

from .. import ledger_view, links, pickers, show, state
from . import glossary


def measures() -> None:
    """Choose a measure, read about it, and edit its example."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        measure = pickers.measure_picker(parse("nDCG@5"))
        state.recall(state.GRADES, str)
        if state.value(state.GRADES) is None:
            state.put({state.GRADES: SCRATCH_GRADES})
        grades = st.text_input("Grades in rank order | not retrieved", key=state.GRADES, width=300)
        state.keep(state.GRADES, grades, SCRATCH_GRADES)
    try:
        ranking = read_ranking(grades, "example")
        ledger = ranking.ledger(measure)
    except RankscopeError as error:
        st.error(text.code(str(error)))
        return
    st.markdown(f"**{measure} = {text.number(float(ledger.scores[0]))}**: {measure.meaning}")
    left, right = st.columns(2, gap="large")
    with left:
        show.formula(symbols(measure, ledger.convention))
        if not measure.parts:
            show.formula(substituted(ledger, "example"))
    with right:
        labels = {name: choice.label for name, choice in CHOICES.items()}
        names = [labels.get(name, "Relevant from grade") for name in measure.choices]
        st.markdown(
            f"**Use it for**: {measure.use}\n\n**Not for**: {measure.avoid}\n\n"
            f"**Range**: {measure.value_range}. **Depends on**: "
            f"{', '.join(names) or 'no choice of the convention'}.\n\n**Source**: {measure.source}"
        )
    texts = [measure.meaning, measure.use, measure.avoid, *names]
    glossary.links(" ".join(texts), "measure")
    ledger_view.lines(ledger, ranking, {}, "measure")
    st.caption(f"Convention: {measure.label(ledger.convention)}.")
    links.inspect_button(ranking, measure, ledger.convention, "measure")
