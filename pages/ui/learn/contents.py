"""Contents of Learn: what there is to read, and in which order."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import streamlit as st

from .. import state
from . import chooser, examples, glossary, measures, pitfalls

ROOM = "Contents"
_ORDER = {
    examples.ROOM: "See how published scores are worked out, step by step, and why some are wrong.",
    measures.ROOM: "Look up one measure: what it means, its formula, when to use it.",
    pitfalls.ROOM: "Read the mistakes that make a number mislead, and what to do instead.",
    chooser.ROOM: "Answer a few questions to find the measure for your own task.",
    glossary.ROOM: "Look up a word, a symbol or an abbreviation.",
}
"""What to do in each part, in the order to read them."""


def contents() -> None:
    """Show the parts in the order to read them, with a button that opens each."""
    st.header("What to read, in which order", anchor=False)
    st.markdown("New here? Start shows where one score comes from. Then read on:")
    for number, (room, purpose) in enumerate(_ORDER.items(), 1):
        _way(f"{number}. {room}", purpose, partial(state.put, {state.ROOM: room}))
    purpose = "Work out scores yourself; a wrong answer is explained."
    _way(f"{len(_ORDER) + 1}. Practice", purpose, partial(state.open_page, state.PRACTICE, {}))


def _way(label: str, purpose: str, go: Callable[[], None]) -> None:
    """Show a button, and beside it what it is for."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.button(label, width=190, on_click=go)
        st.markdown(purpose, width=560)
