"""The tab Documents: gains and losses of each document over all queries."""

from __future__ import annotations

import streamlit as st

from metrics.comparing.significance import TIE
from metrics.comparing.waterfall import ranked
from metrics.rendering import comparison_tables, text

from .. import show, state
from .context import ComparisonPage


def documents(page: ComparisonPage) -> None:
    """Show the documents that change the means most, and the queries that one of them changes."""
    totals = page.pairing.documents
    real = totals[totals["ranked"]]
    gains, losses = (int((sign * real["delta"] > TIE).sum()) for sign in (1, -1))
    st.markdown(
        f"**{text.count(gains, 'document')} contribute more under B, {losses:,} more under A: "
        f"together {text.signed(totals['delta'].sum())}, the delta of the mean.**"
    )
    moved = totals[totals["queries"] > 0].head(comparison_tables.LISTED)
    kinds = moved.pop("ranked").tolist()
    if texts := page.dataset.document_texts:
        moved = moved.assign(text=[text.beginning(texts.get(name, "")) for name in moved.index])
    named = {"A": "part of mean A", "B": "part of mean B"}
    place = show.picking_table(moved.rename(columns=named), "documents")
    st.caption(
        f"Each document's part of the means of {page.shown} over {page.only.over}, and the number "
        f"of queries it changes. The {len(moved)} largest of {len(totals):,} documents. Tick a row "
        "to see its queries."
    )
    if place is None:
        return
    document = str(moved.index[place])
    lines = page.pairing.comparison.documents(page.shown)
    of_document = (lines["document"] == document) & (ranked(lines) == kinds[place])
    lines = lines[of_document & (lines["delta"].abs() > TIE)]
    lines = lines.set_index("query").drop(columns="document").sort_values("delta", key=abs)[::-1]
    names = lines.index.tolist()
    st.markdown(f"**{text.code(document)}** in each query that it changes")
    show.picking_table(lines, f"of_{document}", pick=lambda place: state.pick_query(names[place]))
