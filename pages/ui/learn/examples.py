"""Checked sources: a ranking, the numbers that an article prints for it, and why some differ."""

from collections.abc import Collection
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from metrics.rendering import text
from metrics.teaching import Sample, samples, worked_steps

from .. import show, state, widgets
from ..glance import glance

ROOM = "Checked sources"
_EXAMPLE = "example"
"""The part that a press on a card leads to."""
_MARKS = {"agrees": "✓", "last digit": "≈", "differs": "✗"}


def worked_examples() -> None:
    """Show the verdicts on all printed results, then one example step by step."""
    printed = {key: sample for key, sample in samples.catalogue().items() if sample.printed}
    st.markdown(_counted(printed.values()))
    draw = partial(_cards, printed)
    sample = printed[widgets.settled(state.LESSON, "laptop", state.among(printed), draw, "")]
    with st.container(key=_EXAMPLE):
        _example(sample)


def _example(sample: Sample) -> None:
    """Show an example: its ranking, both numbers of each result, the reasons, and the steps."""
    st.header(sample.title, anchor=False)
    st.caption(sample.source)
    _ranking(sample)
    st.header("The results", anchor=False)
    frame = results(sample)
    show.table(frame, lit=_lit(frame))
    st.markdown(why_they_differ(sample))
    st.caption(f"{sample.note} Recomputed under trec_eval’s convention.")
    for measure, table in worked_steps.steps(sample).items():
        with st.expander(f"The steps to {measure}"):
            show.table(table, lit=worked_steps.deviating(table))
    st.button("Open this example on Inspect", on_click=state.open_on_inspect, args=(sample.key,))


def _cards(printed: dict[str, Sample]) -> str:
    """Choose an example: a mark for each printed result."""

    def click() -> None:
        state.put({state.LESSON: state.value("sources")["opened"]})

    chosen = str(state.value(state.LESSON))
    shown = [_card(key, sample) for key, sample in printed.items()]
    glance("sources", shown, chosen, click, below=_EXAMPLE, name=ROOM)
    return chosen


def _card(key: str, sample: Sample) -> dict[str, Any]:
    kinds = samples.recomputed(sample)["verdict"].tolist()
    agree, marks = kinds.count("agrees"), " ".join(map(_MARKS.__getitem__, kinds))
    counted = "all agree" if agree == len(kinds) else f"{agree} of {len(kinds)} agree"
    if sample.drawn:
        marks, counted = " ".join("–" * len(kinds)), "it prints no data: not counted"
    return {"id": key, "title": sample.title, "words": counted, "marks": marks}


def _counted(printed: Collection[Sample]) -> str:
    """Return how many results are printed with their data, and how many agree with them."""
    counted = [sample for sample in printed if not sample.drawn]
    every = pd.concat([samples.recomputed(sample) for sample in counted])["verdict"]
    agree, rounded, differ = ((every == kind).sum() for kind in ("agrees", "last digit", "differs"))
    sources = {sample.source for sample in counted}
    return (
        f"{len(sources)} sources print **{len(every)}** results with their data. Recomputed, "
        f"**{agree}** agree (✓), **{rounded}** is off in the last digit (≈), and **{differ}** "
        "differ (✗). Click a card for both numbers, and why they differ."
    )


def _ranking(sample: Sample) -> None:
    """Show the queries, their rankings with grades, and the judged documents that are missing."""
    dataset = sample.load()
    if sample.drawn:
        count, runs = len(dataset.qrels.queries), len(dataset.runs)
        st.markdown(f"{count} queries, {runs} runs. Open them on Inspect or on Compare.")
        return
    queries = [
        f"**{text.code(query)}**: {text.code(words)}"
        for query, words in dataset.query_texts.items()
    ]
    st.markdown(f"Query {', '.join(queries)}. A document’s grade is beside it; ? is not judged.")
    show.table(worked_steps.rankings(sample))
    for query, documents in worked_steps.not_retrieved(sample).items():
        listed = ", ".join(text.code(document) for document in documents)
        st.caption(f"Judged for {text.code(query)} but not retrieved: {listed}.")


def results(sample: Sample) -> pd.DataFrame:
    """Return the printed results; the run and the query only where there are several or a mean."""
    frame = samples.recomputed(sample)
    same = [name for name in ("run", "query") if frame[name].nunique() == 1]
    return frame.drop(columns=[name for name in same if frame[name].iloc[0] != "mean"])


def _lit(frame: pd.DataFrame) -> pd.DataFrame:
    """Return which cells of the results stand out: both values of each that differs."""
    differs = frame["verdict"] == "differs"
    cells = {name: differs & (name in ("printed", "recomputed")) for name in frame.columns}
    return pd.DataFrame(cells, index=frame.index)


def why_they_differ(sample: Sample) -> str:
    """Return a list of why each result that does not agree is printed as it is."""
    frame = samples.recomputed(sample)
    several = frame["run"].nunique() > 1
    results = (printed for printed in sample.printed if not printed.column)
    reasons = {(each.measure, each.run, each.query or "mean"): each.why for each in results}
    lines = []
    for _, row in frame[frame["verdict"] != "agrees"].iterrows():
        why = reasons[row["measure"], row["run"], row["query"]]
        of_run = f" of run {row['run']}" if several else ""
        value = text.number(float(row["recomputed"]))
        lines.append(f"- **{row['measure']}{of_run}: {value}, not {row['printed']}.** {why}")
    if sample.drawn:
        return "The source prints no data, so its results cannot be checked."
    return "\n".join(lines) or "Every printed result agrees with the data."
