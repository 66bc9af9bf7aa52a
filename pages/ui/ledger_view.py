"""The lines that sum to a score: its parts beside each other."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from metrics import Ledger, RankscopeError
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History

from . import show
from .render import tables, text


def score(ledger: Ledger, steps: History) -> None:
    """The score, its parts, and what the last edit did to it, document by document."""
    measure, query = ledger.measure, steps.present.query
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        now, last = float(ledger.scores[0]), _before(ledger, steps)
        # The arrow follows a plain minus only; where nothing changed there is none.
        change = None if last is None else text.signed(now - float(last.scores[0]))
        st.metric(
            str(measure),
            text.number(now),
            change and change.replace("−", "-"),
            delta_color="off",
            delta_arrow="auto" if change and change[0] in "+−" else "off",
            width="content",
        )
        if measure.parts:
            for sign, part in zip("=÷", ledger.parts, strict=True):
                value = text.number(float(part.scores[0]))
                st.metric(f"{sign} {part.measure}", value, width="content")
        if last is not None:
            st.markdown(f"**The last edit**: {text.moved(last.table(query), ledger.table(query))}")


def _before(ledger: Ledger, steps: History) -> Ledger | None:
    """The ledger before the last edit; None when there was none, or nothing to compare."""
    last = steps.before
    if last is None or not last.grades:
        return None
    try:
        return last.ledger(ledger.measure, ledger.judged.convention)
    except RankscopeError:
        # The edit mended what the measure could not score.
        return None


def cautions(ledger: Ledger, ranking: HandRanking) -> list[str]:
    """What makes this score another than it looks like: no relevant document, a short list."""
    measure, retrieved = ledger.measure, len(ranking.retrieved)
    said: list[str] = []
    if measure.to_find(ledger.judged, ledger.convention)[0] == 0:
        score = float(ledger.scores[0])
        shown = "left out of the mean" if math.isnan(score) else f"set to {text.number(score)}"
        by = f", so {measure} is undefined (0/0), by this convention {shown}"
        said.append(f"There is no relevant document{by if measure.normalised else ''}.")
    if not retrieved:
        said.append("The ranking is empty: no document is retrieved.")
    elif measure.cutoff and measure.cutoff > retrieved:
        listed = text.count(retrieved, "document")
        said.append(f"The list ends before k = {measure.cutoff:,}: it has {listed}.")
    return said


def lines(
    ledger: Ledger, ranking: HandRanking, texts: Mapping[str, str], picked: str | None = None
) -> None:
    """Every line of the score; the ideal ranking's beside it where the measure has one."""
    parts = ledger.parts
    places = st.columns(len(parts)) if len(parts) > 1 else [st.container()]
    for place, part in zip(places, parts, strict=True):
        with place:
            st.markdown(f"**{part.measure}** = sum of the contributions = **{part.scores[0]:.4f}**")
            frame = (
                tables.ideal(part, ranking.query, ranking)
                if part is ledger.ideal
                else tables.ledger(part, ranking.query, texts)
            )
            show.table(frame, missing="?", picked=picked)
