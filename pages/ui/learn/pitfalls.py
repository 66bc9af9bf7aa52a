"""Pitfalls: a guide to common mistakes, each shown on rankings that can be opened and changed."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import parse
from metrics.editing.hand_ranking import Entry
from metrics.rendering import text
from metrics.teaching.pitfalls import CHAPTERS, PITFALLS, PRACTICES, Pitfall, link_name

from .. import links, show, state
from . import glossary

ROOM = "Pitfalls"
_SHOWN = 12
"""At most this many grades of a ranking are shown."""
_WHERE = {
    "Equal scores": "Inspect shows the range under “Equal scores”.",
    "Missing labels": "Inspect shows the range under “Unjudged”.",
    "Ids that do not match": "Data lists the ids that do not match.",
}
"""Where a page shows what to look at, by the pitfall's title."""
_TITLES = {link_name(title): title for titles in CHAPTERS.values() for title in titles}


def pitfalls() -> None:
    """Show all pitfalls by chapter, the one in the link opened, then the good practices."""
    st.header(ROOM, anchor=False)
    st.markdown(
        f"{len(PITFALLS)} mistakes that make a number mislead, in the order to read them: the "
        "mistake, rankings that show it, and what to do instead."
    )
    first = next(iter(_TITLES))
    state.recall(state.PITFALL, state.among(_TITLES))
    linked = state.value(state.PITFALL) or first
    place = 0
    for chapter, titles in CHAPTERS.items():
        st.subheader(chapter, anchor=False)
        for title in titles:
            place += 1
            _section(place, title, linked)
    state.put({state.PITFALL: linked})
    state.keep(state.PITFALL, linked, first)
    st.subheader("Good practice", anchor=False)
    st.markdown("\n".join(f"- **{what}**: {why}" for what, why in PRACTICES.items()))


def _section(place: int, title: str, linked: str) -> None:
    """Show one pitfall under its number and title; only an opened one is computed."""
    name = link_name(title)
    key = f"opened_{name}"
    if state.value(key) is None:
        state.put({key: name == linked})

    def toggled() -> None:
        # The link is to the pitfall that was opened last.
        if state.value(key):
            state.put({state.PITFALL: name})

    begin, _, _ = PITFALLS[title].mistake.partition(". ")
    section = st.expander(f"**{place}. {title}.** {begin}.", key=key, on_change=toggled)
    if section.open:
        with section:
            _pitfall(PITFALLS[title], title)


def _pitfall(pitfall: Pitfall, title: str) -> None:
    name = link_name(title)
    st.markdown(pitfall.mistake)
    left, right = st.columns([3, 2], gap="large")
    with left:
        frame = pd.DataFrame.from_dict(
            pitfall.values(), orient="index", columns=list(pitfall.rankings)
        )
        show.table(frame.rename_axis("measure"))
        labels = [
            parse(measures[0]).label(convention)
            for measures, convention in pitfall.readings.values()
        ]
        st.caption(f"Convention: {'; '.join(dict.fromkeys(labels))}.")
    with right:
        for number, (ranker, ranking) in enumerate(pitfall.rankings.items()):
            rest = f" | {_grades(ranking.unretrieved)}" if ranking.unretrieved else ""
            measures, convention = next(iter(pitfall.readings.values()))
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{ranker}**: {_grades(ranking.retrieved)}{rest}", width="content")
                links.inspect_button(ranking, parse(measures[0]), convention, f"{name}{number}")
        st.caption(
            "Grades in rank order; = marks equal scores; grades after | are judged, not retrieved."
        )
    st.markdown(f"**Instead**: {pitfall.instead} {_WHERE.get(title, '')}")
    glossary.links(f"{pitfall.mistake} {pitfall.instead}", name)


def _grades(entries: tuple[Entry, ...]) -> str:
    more = f", … ({len(entries)} in all)" if len(entries) > _SHOWN else ""
    return text.grades(entries[:_SHOWN]) + more
