"""Pitfalls: common mistakes, shown on rankings that can be opened and changed."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from metrics import parse
from metrics.editing.hand_ranking import Entry
from metrics.rendering import text
from metrics.teaching.pitfalls import PITFALLS, PRACTICES

from .. import links, show, state, widgets
from . import glossary

_SHOWN = 12
"""At most this many grades of a ranking are shown."""
_WHERE = {
    "Equal scores": "Inspect shows the range under “Equal scores”.",
    "Missing labels": "Inspect shows the range under “Unjudged”.",
    "Ids that do not match": "Data lists the ids that do not match.",
}
"""Where a page shows what to look at, by the pitfall's title."""


def pitfalls() -> None:
    """Show one pitfall with its demonstration, then the good practices."""
    titles = {_key(title): title for title in PITFALLS}
    title = titles[widgets.option("Pitfall", titles, state.PITFALL, width=420)]
    pitfall = PITFALLS[title]
    st.markdown(f"{pitfall.mistake}\n\n**Instead**: {pitfall.instead} {_WHERE.get(title, '')}")
    glossary.links(f"{pitfall.mistake} {pitfall.instead}", "pitfall")
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
        for number, (name, ranking) in enumerate(pitfall.rankings.items()):
            rest = f" | {_grades(ranking.unretrieved)}" if ranking.unretrieved else ""
            measures, convention = next(iter(pitfall.readings.values()))
            with st.container(horizontal=True, vertical_alignment="center"):
                st.markdown(f"**{name}**: {_grades(ranking.retrieved)}{rest}", width="content")
                links.inspect_button(ranking, parse(measures[0]), convention, f"pitfall{number}")
        st.caption(
            "Grades in rank order; = marks equal scores; grades after | are judged, not retrieved."
        )
    st.markdown("**Good practice**")
    st.markdown("\n".join(f"- **{what}**: {why}" for what, why in PRACTICES.items()))


def _key(title: str) -> str:
    """Return the pitfall's name in links."""
    return "-".join(title.lower().split()[:3])


def _grades(entries: tuple[Entry, ...]) -> str:
    more = f", … ({len(entries)} in all)" if len(entries) > _SHOWN else ""
    return text.grades(entries[:_SHOWN]) + more
