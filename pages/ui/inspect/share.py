"""The buttons Share and Export: the page's link, the ranking, its ledgers, and a sheet to print."""

from functools import partial

import streamlit as st

from metrics.editing import History, ranking_link
from metrics.link_text import LONGEST_LINK
from metrics.teaching.handout import handout

from .. import ledger_view, links, show, state
from ..inline import component
from .panels import ScoredRanking


def share(steps: History, lasting: bool) -> None:
    """Show a button with the link to copy.

    ``lasting``: others can open the same data, so the link does not need an unedited ranking.
    """
    with st.popover("Share"):
        warn_of_a_long_ranking(steps, lasting)
        copy_link("Copy link", links.link({}), "page", primary=True)
        content = ranking_link.to_json(steps.present)
        show.download("Save the ranking", content, "ranking.json", mime="application/json")


def warn_of_a_long_ranking(steps: History, lasting: bool) -> None:
    """Say where a link will not contain the ranking that it needs."""
    needed = not lasting or steps.present != steps.original
    if needed and state.RANKING not in st.query_params:
        st.warning(
            f"The ranking is too long for a link (limit {LONGEST_LINK:,} characters). Save it "
            "as a file with Share, and open the file with Paste."
        )


_link = component("copy_link", __file__)


def copy_link(label: str, link: str, key: str, primary: bool = False) -> None:
    """Show a button with this label, and the link that it copies beside it."""
    _link(key=f"copy_{key}", data={"label": label, "link": link, "primary": primary})


def export(scored: ScoredRanking, title: str) -> None:
    """Show a button with all tables of the page; ``title``: that of the sheet to print."""
    opened = st.popover("Export", key="export_ledgers", on_change="rerun")
    # Its pictures would take a tenth of an edit.
    if not opened.open:
        return
    ledger, query = scored.ledger, scored.ranking.query
    with opened:
        st.markdown("**Ledgers**, each with its convention")
        ledger_view.files(ledger, query, title, scored.source, "Ledgers")
        st.markdown("**Sheet to print**")
        with st.container(horizontal=True):
            for name, blanks in (("Complete", False), ("With blanks", True)):
                file = scored.source.file("blanks" if blanks else "sheet")
                made = partial(handout, ledger, query, title, blanks)
                show.download(name, made, f"{file}.html", key=f"sheet_{blanks}")
