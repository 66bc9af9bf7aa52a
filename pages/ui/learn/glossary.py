"""Glossary, and buttons that lead from a word to its meaning."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics.teaching.glossary import GLOSSARY, words_in

from .. import show, state

ROOM = "Glossary"


def glossary() -> None:
    """Show the word of the link, then all words."""
    state.recall(state.WORD, state.among(GLOSSARY))
    asked = state.value(state.WORD)
    for word in GLOSSARY:
        if word == asked:
            st.markdown(f"**{word}**: {GLOSSARY[word]}")
    state.keep(state.WORD, asked, None)
    frame = pd.DataFrame({"meaning": GLOSSARY}).rename_axis("word").sort_index(key=_folded)
    show.table(frame)


def links(text: str, key: str) -> None:
    """Show a button for each glossary word in a text; it opens the word's meaning."""
    if not (words := words_in(text)):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Words:", width="content")
        for word in words:
            st.button(
                word,
                key=f"word_{key}_{word}",
                type="tertiary",
                help=GLOSSARY[word],
                on_click=state.put,
                args=({state.ROOM: ROOM, state.WORD: word},),
            )


def _folded(index: pd.Index[str]) -> pd.Index[str]:
    return index.str.casefold()
