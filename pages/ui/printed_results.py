"""What a source document prints beside what the same input gives here."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from metrics.teaching.samples import Sample, recomputed

from . import show


def section(sample: Sample, runs: Collection[str], query: str | None, edited: bool = False) -> None:
    """The printed results of these runs, for one query and for the mean, each with its verdict."""
    if not sample.printed:
        return
    frame = recomputed(sample)
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
