"""The worked examples of the articles: what they print, what their data give, and why."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.teaching.printed_results import convention_behind
from metrics.teaching.samples import Sample, catalogue, recomputed

from .. import show, state, widgets
from ..render import text


def worked_examples() -> None:
    """All printed results with their verdicts; one example in detail."""
    samples = {key: sample for key, sample in catalogue().items() if sample.printed}
    with st.spinner("Recomputing …"):
        every = pd.concat([recomputed(sample) for sample in samples.values()])["verdict"]
    right, near, wrong = ((every == said).sum() for said in ("agrees", "last digit", "differs"))
    st.markdown(
        f"Five articles and Wikipedia print **{len(every)}** results for data that they show. "
        f"**{right}** are what their data give; in **{near}** the last digit is off, from adding "
        f"rounded terms; **{wrong}** differ."
    )
    titles = {key: f"{sample.title} ({sample.source})" for key, sample in samples.items()}
    sample = samples[widgets.option("Worked example", titles, state.LESSON, "laptop")]
    frame = recomputed(sample)
    row = show.picking_table(frame.set_index("measure"), "examples")
    if sample.note:
        st.caption(sample.note)
    st.caption("Tick a row to see where a printed number comes from.")
    if row is not None and row < len(frame):
        st.markdown(reason(sample, frame.iloc[row]))
    st.button(
        "Open on Inspect, to see the lines and to edit",
        on_click=state.open_page,
        args=(state.INSPECT, {state.EXAMPLE: sample.key}, *state.OF_RANKING),
    )


def reason(sample: Sample, row: pd.Series[str]) -> str:
    """Why a printed number is what it is, as far as the conventions can tell."""
    given = row["printed"]
    if row["verdict"] != "differs":
        return f"{row['measure']} = {given}: {row['verdict']} under trec_eval's convention."
    behind = convention_behind(sample, row)
    value = text.number(float(row["recomputed"]))
    if behind.found:
        return f"{row['measure']} = {given}, not {value}: it comes out under **{behind.found}**."
    return f"{row['measure']} = {given}, not {value}: none of {behind.tried} gives it."
