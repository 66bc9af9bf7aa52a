"""The button Share: the page's link, and the ranking as a file."""

from __future__ import annotations

import streamlit as st

from metrics.editing.history import History
from metrics.editing.ranking_link import to_json
from metrics.link_text import LONGEST_LINK

from .. import links, show, state
from .copy_link import copy_link


def button(steps: History, lasting: bool) -> None:
    """Show a button with the link to copy.

    ``lasting``: others can open the same data, so the link does not need an unedited ranking.
    """
    with st.popover("Share"):
        warn_of_a_long_ranking(steps, lasting)
        copy_link("Copy link", links.link({}), "page", primary=True)
        content = to_json(steps.present)
        show.download("Save the ranking", content, "ranking.json", mime="application/json")


def warn_of_a_long_ranking(steps: History, lasting: bool) -> None:
    """Say where a link will not contain the ranking that it needs."""
    needed = not lasting or steps.present != steps.original
    if needed and state.RANKING not in st.query_params:
        st.warning(
            f"The ranking is too long for a link (limit {LONGEST_LINK:,} characters). Save it "
            "as a file with Share, and open the file with Paste."
        )
