"""Two runs of the history: the verdict, the queries that changed, and the documents behind it."""

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from metrics import Comparison, Pairing
from metrics.comparing import slices
from metrics.deciding import PastRun, dropped, trend
from metrics.rendering import comparison_text, tables, text
from metrics.writing import check

from .. import show, state, widgets
from .folder import FolderHistory, compared, label

MOST = 10
"""At most this many queries are listed on each side."""
_SHOWN = ["delta", "document", "rank A", "rank B"]


def chosen(points: Sequence[trend.Point]) -> tuple[PastRun, PastRun]:
    """Choose the two runs; by default the last one that compares with the one before it."""
    last = next(
        (place for place in reversed(range(1, len(points))) if not points[place].differences),
        len(points) - 1,
    )
    # A name of bytes that are not UTF-8 cannot be in an address.
    runs = {text.visible(point.run.path.name): point.run for point in points}
    names = {name: label(run) for name, run in runs.items()}
    order = list(runs)
    left, right = st.columns(2)
    with left:
        a = widgets.option("Baseline (A)", names, state.BASELINE, order[last - 1])
    with right:
        b = widgets.option("New run (B)", names, state.NEW, order[last])
    return runs[a], runs[b]


def section(history: FolderHistory, a: PastRun, b: PastRun, measure: str) -> None:
    """Show the verdict on two runs, and the queries and documents behind it."""
    found = compared(history, a, b, measure)
    if not isinstance(found, Pairing):
        reasons = " ".join(each.text(text.code) for each in found)
        st.warning(f"These runs cannot be compared. {reasons}")
        return
    st.markdown(f"### {comparison_text.answer(found.verdict)}")
    st.markdown("\n\n".join(comparison_text.threats(found.verdict.threats)))
    comparison = found.comparison
    worse, better = (slices.largest_changes(comparison, measure, sign, MOST) for sign in (-1, 1))
    _changed(worse, better, f"worse_{label(a)}_{label(b)}_{measure}")
    if not worse.empty:
        _documents(comparison, measure, worse.index.tolist())


def _changed(worse: pd.DataFrame, better: pd.DataFrame, key: str) -> None:
    """Show the queries that change most on each side; a click on a drop shows its documents."""
    for column, frame in zip(st.columns(2, gap="large"), (worse, better), strict=True):
        with column:
            side = "Better" if frame is better else "Worse"
            st.markdown(f"**{side} in B**, at most {MOST} queries")
            if frame is better or frame.empty:
                show.table(frame[_SHOWN])
            else:
                names = frame.index.tolist()
                state.recall(state.DROP, state.among(names))
                show.picking_table(
                    frame[_SHOWN],
                    key,
                    pick=lambda place: state.put({state.DROP: worse.index[place]}),
                    picked=names.index(state.value(state.DROP) or names[0]),
                )


def _documents(comparison: Comparison, measure: str, queries: Sequence[str]) -> None:
    """Show one query that loses: its documents with the ledger lines of both runs."""
    st.subheader("Documents behind a drop")
    query = widgets.option("Query", widgets.with_texts(queries, {}), state.DROP, width=330)
    (change,) = dropped.changes(comparison, measure, [query])
    lines = [check.of_query(change).text(text.code)]
    lines += [f"- {check.of_document(each).text(text.code)}" for each in change.documents]
    st.markdown("\n".join(lines))
    for table in check.document_lines(change):
        show.table(tables.screen(table))
