"""Glossary, and buttons that lead from a word to its meaning."""

from collections.abc import Mapping
from functools import partial
from typing import Any

import streamlit as st

from metrics.rendering import text
from metrics.teaching.glossary import GLOSSARY, MEASURES, entries, matching, themes, words_in

from .. import shell, state, widgets
from . import cards

ROOM = state.GLOSSARY
_LIVE = (state.START, state.INSPECT, state.JUDGE, state.COMPARE, state.CONVENTIONS)
"""The page on which the words of each theme are seen at work."""
_MOST = 8
"""At most this many words of a text have a button; the first words of the glossary matter most."""


def glossary() -> None:
    """Show the words that contain a text, which is kept in the link; without one, all by theme."""
    words = entries()

    def draw() -> str:
        look: Any = {
            "placeholder": "Find a word, press Enter",
            "label_visibility": "collapsed",
            "width": 300,
        }
        return str(st.text_input("Find a word", key=state.WORD, **look))

    wanted = widgets.settled(state.WORD, "", str, draw, "")
    found = matching(words, wanted)
    if not found:
        st.info(f"The glossary has no {text.code(wanted)}. A part of a word is enough.")
    with st.container(key="terms"):
        if wanted:
            _listed(found)
        else:
            _by_theme()
    st.caption(f"{len(found)} of {len(words)} words, symbols and abbreviations.")


def _by_theme() -> None:
    """Show a list with the words that are said of it, and all words by what they are about."""
    parts = themes()
    names = parts.pop(MEASURES)
    cards.picture("words")
    with st.container(key="jumps"):
        st.markdown(" ".join(f"[{theme}](#{theme.lower().replace(' ', '-')})" for theme in parts))
    with st.container(key="themes"):
        for page, (theme, of_theme) in zip(_LIVE, parts.items(), strict=True):
            with st.container(key=f"theme_{page}"):
                st.header(theme)
                _listed(of_theme)
                label = f"See it live: {shell.of(page).title}"
                go = partial(state.open_page, page, {})
                st.button(label, key=f"live_{page}", type="tertiary", on_click=go)
    with st.expander(MEASURES):
        _listed(names)


def _listed(words: Mapping[str, str]) -> None:
    # Unlike a grid, a list breaks its lines on a phone.
    st.markdown("\n".join(f"- **{word}**&ensp;{meaning}" for word, meaning in words.items()))


def links(said: str, key: str) -> None:
    """Show a button for each glossary word in a text; it opens the word's meaning."""
    if not (words := words_in(said)[:_MOST]):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.caption("Words:", width="content")
        for word in words:
            name = f"word_{key}_{word}"
            look_up = partial(state.open_room, ROOM, {state.WORD: word})
            st.button(word, key=name, type="tertiary", help=GLOSSARY[word], on_click=look_up)
