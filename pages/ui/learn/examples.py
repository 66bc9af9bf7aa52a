"""Worked examples of the articles: the printed values, the recomputed ones, and the reason."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.rendering import text
from metrics.teaching.published_results import convention_behind
from metrics.teaching.samples import Sample, catalogue, recomputed

from .. import show, state, widgets


def worked_examples() -> None:
    """Show the verdicts on all printed results, and one example in detail."""
    samples = {key: sample for key, sample in catalogue().items() if sample.printed}
    with st.spinner("Recomputing …"):
        every = pd.concat([recomputed(sample) for sample in samples.values()])["verdict"]
    right, near, wrong = ((every == kind).sum() for kind in ("agrees", "last digit", "differs"))
    st.markdown(
        f"Five articles and Wikipedia print **{len(every)}** results together with their data. "
        f"Recomputed from these data: **{right}** agree; off in the last digit, from adding "
        f"rounded terms: **{near}**; different: **{wrong}**."
    )
    titles = {key: f"{sample.title} ({sample.source})" for key, sample in samples.items()}
    sample = samples[widgets.option("Worked example", titles, state.LESSON, "laptop")]
    frame = recomputed(sample)
    row = show.picking_table(frame.set_index("measure"), "examples")
    if sample.note:
        st.caption(sample.note)
    st.caption("Tick a row to see which convention gives the printed number.")
    if row is not None and row < len(frame):
        st.markdown(reason(sample, frame.iloc[row]))
    st.button(
        "Open this example on Inspect",
        on_click=state.open_page,
        args=(state.INSPECT, {state.EXAMPLE: sample.key}, *state.OF_RANKING),
    )


def reason(sample: Sample, row: pd.Series[str]) -> str:
    """Return a sentence that explains a printed number by a convention, if one gives it."""
    printed = row["printed"]
    if row["verdict"] != "differs":
        return f"{row['measure']} = {printed} ({row['verdict']}) under trec_eval's convention."
    behind = convention_behind(sample, row)
    values = f"{row['measure']} = {text.number(float(row['recomputed']))}, not {printed}."
    if behind.found:
        return f"{values} The printed value comes from **{behind.found}**."
    return f"{values} None of {behind.tried} gives the printed value."
