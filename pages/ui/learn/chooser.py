"""Which measure? Questions that end in a recommendation, and the usual choices."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.teaching.which_measure import DEPTHS, START, USES, Advice, Question

from .. import show, state


def which_measure() -> None:
    """Ask until a measure is left, then name it with its cutoff and the reason."""
    step: Question | Advice = START
    while isinstance(step, Question):
        answer = st.radio(step.text, list(step.answers), index=None)
        if answer is None:
            break
        step = step.answers[answer]
    else:
        who = st.radio("What will the results be?", list(DEPTHS), index=None)
        if who is not None:
            _recommended(step, DEPTHS[who])
    st.markdown("**Usual choices**")
    rows = {
        use: {"report": first, "beside it": second, "because": why}
        for use, (first, second, why) in USES.items()
    }
    show.table(pd.DataFrame.from_dict(rows, orient="index").rename_axis("for"))


def _recommended(advice: Advice, k: int) -> None:
    first, second, why = (said.format(k=k) for said in (advice.measure, advice.beside, advice.why))
    st.success(f"Report **{first}**, with **{second}** beside it. {why}")
    symbol, _, cutoff = first.partition("@")
    st.button(
        f"See {first} at work on Inspect",
        on_click=state.open_page,
        args=(state.INSPECT, {state.MEASURE: symbol, state.K: int(cutoff)}),
    )
