"""A chapter to read, and its figure: a list to move, with its scores beside it."""

from collections.abc import Mapping
from functools import partial

import streamlit as st

from metrics.editing import HandRanking
from metrics.teaching.chapters import Chapter, Reading, chapters, scored

from .. import ledger_view, ranking_list, shell, state, strip
from ..inline import replaceable
from ..streamlit_internals import Container
from . import pitfalls

_DIGITS = 2
_PAGES = {5: state.CONVENTIONS, 6: state.PRACTICE}
"""The page that a chapter leads to, by its number."""


def chapter(shown: Chapter) -> None:
    """Show a chapter and buttons to what follows, in the last one after the pitfalls."""
    with st.container(key="chapter"):
        _prose(shown.opening, "opening")
        figure(shown.title, shown.ranking, shown.readings)
        _prose(shown.rest, "rest")
    titles = list(chapters())
    place = titles.index(shown.title) + 1
    if last := place == len(titles):
        with st.container(key="pitfalls"):
            pitfalls.pitfalls()
    with st.container(horizontal=True, vertical_alignment="center"):
        if not last:
            go = partial(state.open_room, titles[place], {})
            st.button(f"Next: {titles[place]}", type="primary", on_click=go)
        if place in _PAGES:
            title, go = shell.of(_PAGES[place]).title, partial(state.open_page, _PAGES[place], {})
            label = f"Next: {title}" if last else title
            st.button(label, type="primary" if last else "secondary", on_click=go)


def _prose(words: str, key: str) -> None:
    with st.container(key=f"prose_{key}"):
        st.markdown(words)


def figure(
    name: str, ranking: HandRanking, readings: Mapping[str, Reading]
) -> tuple[HandRanking, Container]:
    """Show a list whose rows move, and its scores; return it as it is now, and the room below them.

    ``readings``: by name; the rows show what they earn under the chosen one, at first the first.
    """
    key = f"reading {name}"
    chosen = state.value(key) if state.value(key) in readings else next(iter(readings))
    steps = ranking_list.moved(name, ranking)
    present = steps.present
    ledgers = {each: scored(present, reading) for each, reading in readings.items()}
    ledger = ledgers[chosen]
    k = ledger.measure.cutoff
    # A line below the last row would say nothing.
    cutoff = k if k and k < len(ranking.retrieved) else None
    rows = ranking_list.rows(present, ledger, {}, cutoff, _DIGITS)
    with st.container(key="two"):
        left, right = st.columns([5, 3], gap="medium")
    with left, replaceable("list") as instead:
        ranking_list.movable_list(name, ranking, rows, hint="Drag a row.")
    instead.text(ranking_list.in_words(rows))
    with right:
        with st.container(key="scored"):
            ledger_view.bar(ledger, ranking.query, _DIGITS, steps=steps)
        if len(ledgers) > 1:
            strip.readings(ledgers, chosen, lambda wanted: state.put({key: wanted}), _DIGITS)
    return present, right
