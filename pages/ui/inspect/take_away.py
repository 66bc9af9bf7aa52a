"""The button Export: the ledgers and a sheet to print, made when they are asked for."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from metrics.rendering.comparison_files import named
from metrics.teaching.handout import handout
from metrics.writing import FORMATS, Table
from metrics.writing.delimited import for_spreadsheets
from metrics.writing.ledger_lines import explained

from .. import show
from .context import ScoredRanking

_FORMATS: dict[str, tuple[str, Callable[[Table], str | bytes]]] = {
    "CSV": ("csv", for_spreadsheets),
    "LaTeX": ("tex", FORMATS["latex"]),
    "Markdown": ("md", FORMATS["markdown"]),
}
"""The extension and the writer of each format of the ledgers, by its title."""


def button(scored: ScoredRanking, title: str) -> None:
    """Show a button with all tables of the page; ``title``: that of the sheet to print."""
    ledger, query = scored.ledger, scored.ranking.query
    words = scored.run, query, str(scored.measure)

    def download(name: str, what: str, extension: str, made: Callable[[], str | bytes]) -> None:
        file = named([*words, what], scored.convention, extension)
        show.download(name, made, file, key=f"export_{what}_{extension}")

    with st.popover("Export"):
        st.markdown("**Ledgers**, each with its convention")
        with st.container(horizontal=True):
            for name, (extension, write) in _FORMATS.items():
                download(name, "ledger", extension, partial(_ledgers, scored, write))
        st.markdown("**Sheet to print**")
        with st.container(horizontal=True):
            for name, blanks in (("Complete", False), ("With blanks", True)):
                what = "blanks" if blanks else "sheet"
                download(name, what, "html", partial(handout, ledger, query, title, blanks))


def _ledgers(scored: ScoredRanking, write: Callable[[Table], str | bytes]) -> str | bytes:
    """Write the ledger, with those of its parts if the measure has any."""
    ledger, query, run = scored.ledger, scored.ranking.query, scored.run
    parts = tuple(explained(part, query, run) for part in ledger.parts if part is not ledger)
    return write(explained(ledger, query, run).saying(parts=parts))
