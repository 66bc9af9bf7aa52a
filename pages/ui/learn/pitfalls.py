"""Pitfalls: a guide to common mistakes, each shown on rankings that can be opened and changed."""

from typing import Any

import streamlit as st

from metrics import Convention, Measure, parse
from metrics.editing import HandRanking
from metrics.rendering import text
from metrics.teaching.pitfalls import CHAPTERS, PITFALLS, Pitfall, link_name

from .. import links, state
from ..glance import cells, glance
from . import glossary

_SHOWN, _MISSING = 10, 3
"""At most this many documents of a list are shown, and of those that it lacks."""
_TITLES = {link_name(title): title for titles in CHAPTERS.values() for title in titles}


def pitfalls() -> None:
    """Show all pitfalls by chapter, the one in the link opened."""
    state.recall(state.PITFALL, state.among(_TITLES))
    linked = state.value(state.PITFALL) or ""
    places = {title: place for place, title in enumerate(_TITLES.values(), 1)}
    for chapter, titles in CHAPTERS.items():
        st.header(chapter, anchor=False)
        for title in titles:
            _section(places[title], title, linked)
    state.put({state.PITFALL: linked})
    state.keep(state.PITFALL, linked, "")


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

    pitfall = PITFALLS[title]
    label = f"**{place}. {title}.** {pitfall.mistake}"
    section = st.expander(label, key=key, on_change=toggled)
    if section.open:
        with section:
            st.markdown(pitfall.shown)
            _pitfall(pitfall, title)


def _pitfall(pitfall: Pitfall, title: str) -> None:
    name = link_name(title)
    (first, *_), convention = next(iter(pitfall.readings.values()))
    read = [parse(name) for names, _ in pitfall.readings.values() for name in names]
    # Of one measure at several cutoffs, the deepest shows the most.
    alike = [each for each in read if each.symbol == parse(first).symbol]
    measure = max(alike, key=lambda each: each.cutoff or 0)
    values = pitfall.values()
    lists = [
        _list(each, ranking.evaluated(convention), measure, convention)
        | {"values": [(name, text.number(scores[place], 2)) for name, scores in values.items()]}
        for place, (each, ranking) in enumerate(pitfall.rankings.items())
    ]
    sought = state.arrived() and state.value(state.PITFALL) == name
    glance(f"lists_{name}", lists, sought=sought)
    labels = [parse(names[0]).label(under) for names, under in pitfall.readings.values()]
    st.caption(
        f"Grades in rank order; a full bar is what a document adds to {measure}. Pale grades after "
        f"a gap are judged, not retrieved. Convention: {'; '.join(dict.fromkeys(labels))}."
    )
    st.markdown(f"**Instead**: {pitfall.instead}")
    with st.container(horizontal=True):
        for number, (ranker, ranking) in enumerate(pitfall.rankings.items()):
            of = "" if len(pitfall.rankings) == 1 else ranker
            links.inspect_button(ranking, parse(first), convention, f"{name}{number}", of)
    glossary.links(f"{pitfall.mistake} {pitfall.shown} {pitfall.instead}", name)


def _list(
    name: str, ranking: HandRanking, measure: Measure, convention: Convention
) -> dict[str, Any]:
    """Return a list with its first documents, and how many it has if it has more."""
    shown = cells(ranking.ledger(measure, convention), ranking)
    parts = [[cell for cell in shown if bool(cell["place"]) == ranked] for ranked in (True, False)]
    few = [*parts[0][:_SHOWN], *parts[1][:_MISSING]]
    more = f"{len(ranking.entries)} judged documents in all" if len(few) < len(shown) else ""
    return {"title": name, "cells": few, "more": more}
