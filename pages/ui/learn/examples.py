"""Worked examples of the articles: the printed values, the recomputed ones, and the reason."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from metrics import PRESETS, evaluate, parse
from metrics.editing.hand_ranking import HandRanking
from metrics.exploring.convention_search import search
from metrics.exploring.printed_numbers import verdict
from metrics.teaching.samples import Sample, catalogue, recomputed

from .. import show, state, widgets
from ..render import text


def worked_examples() -> None:
    """Show the verdicts on all printed results, and one example in detail."""
    samples = {key: sample for key, sample in catalogue().items() if sample.printed}
    with st.spinner("Recomputing …"):
        every = pd.concat([recomputed(sample) for sample in samples.values()])["verdict"]
    right, near, wrong = ((every == kind).sum() for kind in ("agrees", "last digit", "differs"))
    st.markdown(
        f"Five articles and Wikipedia print **{len(every)}** results together with their data. "
        f"Recomputed from these data, **{right}** agree, **{near}** are off in the last digit "
        f"because rounded terms were added, and **{wrong}** differ."
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
    measure, printed = parse(row["measure"]), row["printed"]
    if row["verdict"] != "differs":
        return f"{row['measure']} = {printed} ({row['verdict']}) under trec_eval's convention."
    dataset = sample.load()
    run = next(run for run in dataset.runs if run.name == row["run"])
    if row["query"] == "mean":
        means = {
            name: evaluate(dataset.qrels, run, str(measure), preset).value(str(measure))
            for name, preset in PRESETS.items()
        }
        found = [name for name, value in means.items() if verdict(printed, value) == "agrees"]
        tried = f"the {len(means)} presets"
    else:
        under = partial(HandRanking.from_run, dataset.qrels, run, row["query"])
        result = search(printed, under, measure)
        found = [" and ".join(reading.differs) for reading in result.found[:1]]
        tried = f"{result.tried} combinations of choices"
    value = text.number(float(row["recomputed"]))
    values = f"{row['measure']} = {value}, not {printed}."
    if found:
        return f"{values} The printed value comes from **{found[0]}**."
    return f"{values} None of {tried} gives the printed value."
