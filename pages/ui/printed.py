"""What a source document prints beside what the same input gives here."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache

import pandas as pd
import streamlit as st

from metrics import evaluate
from metrics.exploring.printed_numbers import verdict
from metrics.teaching.samples import Sample

from . import show


def section(sample: Sample, runs: Collection[str], query: str | None, edited: bool = False) -> None:
    """The printed results of these runs, for one query and for the mean, each with its verdict."""
    if not sample.printed:
        return
    frame = verdicts(sample)
    frame = frame[frame["run"].isin(runs) & frame["query"].isin([query, "mean"])]
    if frame.empty:
        return
    wrong = frame[frame["verdict"] == "differs"]
    said = f"all {len(frame)} agree with its data" if len(frame) > 1 else "agrees with its data"
    if len(wrong):
        first = wrong.iloc[0]
        more = f", and {len(wrong) - 1} more differ" if len(wrong) > 1 else ""
        said = f"{first['measure']} = {first['printed']}, its data give {first['recomputed']:.4f}"
        said += more
    elif (frame["verdict"] == "last digit").any():
        said = "agrees with its data, but for a last digit where it adds rounded terms"
    before = " (before your edits)" if edited else ""
    title = f"What {sample.source} prints{before}: {said}"
    with st.expander(title, expanded=bool(len(wrong)) and query is not None):
        show.table(frame.set_index("measure"))
        if sample.note:
            st.caption(sample.note)


@cache
def verdicts(sample: Sample) -> pd.DataFrame:
    """Every printed result with the value recomputed under trec_eval's convention."""
    results = [printed for printed in sample.printed if not printed.column]
    dataset = sample.load()
    rows = []
    for run in dataset.runs:
        wanted = [printed for printed in results if printed.run == run.name]
        scores = evaluate(dataset.qrels, run, {printed.measure for printed in wanted})
        for printed in wanted:
            value = scores.value(printed.measure, printed.query)
            rows.append(
                {
                    "measure": printed.measure,
                    "run": run.name,
                    "query": printed.query or "mean",
                    "printed": printed.value,
                    "recomputed": value,
                    "verdict": verdict(printed.value, value),
                }
            )
    columns = ["measure", "run", "query", "printed", "recomputed", "verdict"]
    return pd.DataFrame(rows, columns=columns)
