"""Notes on a page's data: rules applied while reading, changes by hand, published results."""

from collections.abc import Callable, Collection
from functools import partial

import streamlit as st

from metrics import Dataset, Qrels
from metrics.auditing import audit
from metrics.editing import History
from metrics.matching import Rankings
from metrics.rendering import text
from metrics.teaching import Sample, samples

from . import by_hand, show, state


def applied(qrels: Qrels, *runs: Rankings) -> None:
    """Show the rules that were applied while reading this page's data, if any."""
    if rules := audit.assumed(qrels, *runs):
        many = text.count(len(rules), "rule was", "rules were")
        with st.expander(f"{many} applied to read these data", icon=":material/rule:"):
            for each in rules:
                st.text(f"• {text.visible(each)}")


def of_list(dataset: Dataset, steps: History) -> None:
    """Say which edits of a list count everywhere, and which only here."""
    notes: list[str] = []
    if many := len(by_hand.changed_grades(dataset).get(steps.present.query, ())):
        words = text.count(many, "grade is", "grades are")
        notes.append(f"{words} changed by hand: this affects every run and page.")
    if steps.reordered and not state.lesson().left_out:
        notes.append("Your order stays on this page; other pages keep the run's order.")
    if notes:
        st.caption("  \n".join(notes))


def of_data(dataset: Dataset) -> None:
    """Say that grades of the data were changed, and how to see and undo that."""
    if dataset.uploaded is None:
        return
    changed = by_hand.changed_grades(dataset)
    grades = text.count(sum(map(len, changed.values())), "grade")
    queries = text.count(len(changed), "query", "queries")
    words = f"**Changed by hand**: {grades} of {queries}. All numbers count with them."
    line(words, "See them on Data", partial(state.go_to, state.DATA_PAGE))


def line(words: str, label: str, act: Callable[[], None], key: str | None = None) -> None:
    """Show a note, and beside it a button for what can be done about it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(words, width="content")
        st.button(label, key, type="tertiary", on_click=act)


def published(
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
    frame = samples.recomputed(sample)
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
    wrong_here = bool(len(wrong)) and query is not None
    section = st.expander(title, expanded=wrong_here, key="published", on_change="rerun")
    # A closed one is not drawn at every edit.
    if section.open:
        with section:
            show.table(frame.set_index("measure"))
            if sample.note:
                st.caption(sample.note)
