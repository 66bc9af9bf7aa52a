"""A closer look at the documents of a comparison, over all queries."""

from __future__ import annotations

import streamlit as st

from metrics.compare import TIE

from . import cache, show, state, text
from .compared import Look

LISTED = 200
"""So many documents are in the table of those that matter most."""


def documents(look: Look) -> None:
    """Which documents gain or lose most over all queries, and in which queries one does."""
    shown = str(look.measure)
    totals = cache.document_totals(look.dataset.qrels, *look.two, shown, look.convention)
    gains, losses = (int((sign * totals["delta"] > TIE).sum()) for sign in (1, -1))
    st.markdown(
        f"**{text.count(gains, 'document')} earn more under B, {losses:,} earn less: "
        f"together {text.signed(totals['delta'].sum())}, the delta of the mean.**"
    )
    moved = totals[totals["delta"].abs() > 0].head(LISTED)
    if texts := look.dataset.document_texts:
        moved = moved.assign(text=[texts.get(name, "") for name in moved.index])
    left, right = st.columns(2, gap="large")
    with left:
        place = show.picking_table(moved, "documents")
        st.caption(
            f"Each document's part of the means of {shown}, and in how many queries it makes a "
            f"difference. The {len(moved)} largest of {len(totals):,}. Tick a row for its queries."
        )
    if place is None or place >= len(moved):
        return
    document = str(moved.index[place])
    lines = look.comparison.documents(shown)
    lines = lines[(lines["document"] == document) & (lines["delta"] != 0)]
    lines = lines.set_index("query").drop(columns="document").sort_values("delta", key=abs)[::-1]
    names = lines.index.tolist()
    with right:
        st.markdown(f"**{text.code(document)}** in each query that it changes")
        show.picking_table(
            lines, f"of_{document}", pick=lambda place: state.pick_query(names[place])
        )
