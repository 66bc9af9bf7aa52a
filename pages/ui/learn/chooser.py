"""Choose a measure: questions that lead to a recommendation, and the usual choices."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.teaching.which_measure import DEPTHS, START, USES, Advice, Question

from .. import show, state


def which_measure() -> None:
    """Ask until one measure remains, then show it with its cutoff and the reason."""
    step: Question | Advice = START
    while isinstance(step, Question):
        answer = st.radio(step.text, list(step.answers), index=None)
        if answer is None:
            break
        step = step.answers[answer]
    else:
        use = st.radio("How will the results be used?", list(DEPTHS), index=None)
        if use is not None:
            _recommended(step, DEPTHS[use])
    st.markdown("**Usual choices**")
    rows = {
        use: {"report": first, "beside it": second, "reason": why}
        for use, (first, second, why) in USES.items()
    }
    show.table(pd.DataFrame.from_dict(rows, orient="index").rename_axis("for"))


def _recommended(advice: Advice, k: int) -> None:
    first, second, why = (part.format(k=k) for part in (advice.measure, advice.beside, advice.why))
    st.success(f"Report **{first}**, with **{second}** beside it. {why}")
    symbol, _, cutoff = first.partition("@")
    st.button(
        f"See {first} on Inspect",
        on_click=state.open_page,
        args=(state.INSPECT, {state.MEASURE: symbol, state.K: int(cutoff)}),
    )
