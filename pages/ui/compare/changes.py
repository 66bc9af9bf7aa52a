"""The queries that change most: regressions and gains."""

from __future__ import annotations

import streamlit as st

from metrics.rendering import comparison_tables, text

from .. import show, state
from .context import ComparisonPage

# With these widths in pixels a query's text and its document are visible in half a page.
_NAMES = 236
_WIDTHS = {"document": 120, "rank A → B": 72}
MOST = 10
"""At most this many queries are listed on each side."""


def changes(page: ComparisonPage) -> None:
    """Show the queries on which B loses most beside those on which it gains most."""
    pairing = page.pairing
    for column, title, sign in zip(
        st.columns(2, gap="large"), ("Worse in B", "Better in B"), (-1, 1), strict=True
    ):
        found = pairing.changes(sign, MOST)
        frame = comparison_tables.changed(found, page.dataset.query_texts)
        many = int((sign * page.frame["delta"] > pairing.test.tie).sum())
        with column:
            st.markdown(f"**{title}**: {text.count(many, 'query', 'queries')}")
            if frame.empty:
                st.caption("None.")
                continue
            names = frame.index.tolist()
            show.picking_table(
                frame,
                f"changed_{sign}",
                pick=lambda place, names=names: state.pick_query(names[place]),  # type: ignore[misc]
                picked=page.picked,
                widths=_WIDTHS | _of_names(names),
            )


def _of_names(queries: list[str]) -> dict[str, int]:
    """Return the widths of the queries' ids, which are whole if they are short, and of texts."""
    ids = min(max(52, *(20 + 8 * len(query) for query in queries)), 110)
    return {"query": ids, "text": _NAMES - ids}
