"""Show the numbers that a source document printed beside the recomputed ones."""

from __future__ import annotations

from collections.abc import Collection

import streamlit as st

from metrics.teaching.samples import Sample, recomputed

from . import show


def section(
    sample: Sample,
    runs: Collection[str],
    query: str | None,
    edited: bool = False,
    measure: str = "",
) -> None:
    """Show the printed results of these runs, for one query and the mean, with verdicts.

    ``measure``: nothing is shown unless the source prints this measure.
    """
    if not sample.printed or measure not in {"", *(each.measure for each in sample.printed)}:
        return
    frame = recomputed(sample)
    frame = frame[frame["run"].isin(runs) & frame["query"].isin([query, "mean"])]
    if frame.empty:
        return
    wrong = frame[frame["verdict"] == "differs"]
    result = f"all {len(frame)} agree with its data" if len(frame) > 1 else "agrees with its data"
    if len(wrong):
        first = wrong.iloc[0]
        more = f", and {len(wrong) - 1} more differ" if len(wrong) > 1 else ""
        values = f"{first['measure']} = {first['printed']}"
        result = f"{values}, but its data give {first['recomputed']:.4f}{more}"
    elif (frame["verdict"] == "last digit").any():
        result = "agrees with its data, except for a last digit (rounded terms were added)"
    before = " (before your edits)" if edited else ""
    title = f"Printed in {sample.source}{before}: {result}"
    with st.expander(title, expanded=bool(len(wrong)) and query is not None):
        show.table(frame.set_index("measure"))
        if sample.note:
            st.caption(sample.note)
