"""Grades changed by hand: said on each page that counts them, listed and exported on Data."""

from __future__ import annotations

from functools import partial

import pandas as pd
import streamlit as st

from metrics import Dataset
from metrics.editing.changed_grades import differences
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.rendering import text
from metrics.writing.reproduce import as_input, input_name

from . import pickers, show, state, user_data


def of_list(origin: Origin, steps: History) -> None:
    """Say which edits of a list count everywhere, and which only here."""
    of_query = steps.of_query
    if many := len(differences(steps.original.grades, of_query.grades)):
        st.caption(f"{text.count(many, 'changed grade')}: every run and page counts with it.")
    if steps.present.title or not steps.reordered:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("**What if**: only this list has this order; other pages keep the run's.")
        st.button(
            "Back to the run's order", type="tertiary", on_click=_in_order, args=(origin, steps)
        )


def _in_order(origin: Origin, steps: History) -> None:
    """Give a list the order of its run again, with the grades that it has."""
    changed = differences(steps.original.grades, steps.present.grades)
    user_data.set_history(origin, steps.then(steps.original.regraded(changed)), renew=True)


def of_data(dataset: Dataset) -> None:
    """Say that grades of the data were changed, and how to see and undo that."""
    if dataset.uploaded is None:
        return
    changed = _changed(dataset)
    queries = text.count(changed["query"].nunique(), "query", "queries")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(
            f"**Changed by hand**: {text.count(len(changed), 'grade')} of {queries}. All numbers "
            "count with them."
        )
        st.button(
            "See them on Data", type="tertiary", on_click=state.go_to, args=(state.DATA_PAGE,)
        )


def section() -> None:
    """List all grades that were changed by hand, with the qrels to take away; else nothing."""
    graded = [user_data.graded(sample.load()) for sample in pickers.sources().values()]
    for number, dataset in enumerate(each for each in graded if each.uploaded is not None):
        if not number:
            st.header("Changed grades")
        st.markdown(f"**{text.code(dataset.title)}**")
        show.table(_changed(dataset).set_index("query"), missing="unjudged")
        with st.container(horizontal=True):
            st.download_button(
                "Download the qrels with them",
                # Called outside the session on download, so it gets all its inputs now.
                partial(as_input, dataset.qrels),
                on_click="ignore",
                file_name=input_name("qrels", dataset.qrels),
                key=f"regraded_{number}",
            )
            st.button(
                "Take all back",
                on_click=user_data.take_back_grades,
                args=(dataset,),
                key=f"take_back_{number}",
            )


def _changed(dataset: Dataset) -> pd.DataFrame:
    """Return the changed grades: query, document, the loaded grade and the one now."""
    changed = user_data.changed_grades(dataset)
    before = dataset.original.only(*changed).to_dict()
    rows = [
        (query, document, before.get(query, {}).get(document), now)
        for query, grades in changed.items()
        for document, now in grades.items()
    ]
    return pd.DataFrame(rows, columns=["query", "document", "loaded", "now"])
