"""Glossary, and buttons that lead from a word to its meaning."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from metrics.teaching.glossary import GLOSSARY, entries, words_in

from .. import state

ROOM = "Glossary"
_MOST = 8
"""At most this many words of a text have a button; the first words of the glossary matter most."""


def glossary() -> None:
    """Show the word of the link, then all words."""
    words = entries()
    st.header(ROOM, anchor=False)
    state.recall(state.WORD, state.among(words))
    asked = state.value(state.WORD)
    if asked in words:
        st.markdown(_line(asked, words))
    state.keep(state.WORD, asked, None)
    st.markdown(f"{len(words)} words, symbols and abbreviations.")
    # Unlike a grid, a list breaks its lines on a phone, and the browser finds words in it.
    lines = [f"- {_line(word, words)}" for word in sorted(words, key=str.casefold)]
    st.markdown("\n".join(lines))


def _line(word: str, words: Mapping[str, str]) -> str:
    return f"**{word}**: {words[word]}"


def links(text: str, key: str) -> None:
    """Show a button for each glossary word in a text; it opens the word's meaning."""
    if not (words := words_in(text)[:_MOST]):
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
