"""A score and its ledger, with the parts side by side."""

from __future__ import annotations

import math
from collections.abc import Mapping

import streamlit as st

from metrics import Ledger, RankscopeError
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.history import History
from metrics.rendering import tables, text

from . import show


def score(ledger: Ledger, steps: History) -> None:
    """Show the score, its parts, and how the last edit changed it, by document."""
    measure, query = ledger.measure, steps.present.query
    with st.container(horizontal=True, gap="medium", vertical_alignment="top"):
        now, last = float(ledger.scores[0]), _before(ledger, steps)
        # Streamlit draws the down arrow only for an ASCII minus; no change has no arrow.
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
    """Return the ledger before the last edit; None if there is none, or it has no score."""
    last = steps.before
    if last is None or not last.grades:
        return None
    try:
        return last.ledger(ledger.measure, ledger.judged.convention)
    except RankscopeError:
        # The measure could not score the ranking before this edit.
        return None


def cautions(ledger: Ledger, ranking: HandRanking) -> list[str]:
    """Return warnings about the score: no relevant document, an empty or a short list."""
    measure, retrieved = ledger.measure, len(ranking.retrieved)
    sentences: list[str] = []
    if measure.to_find(ledger.judged, ledger.convention)[0] == 0:
        score = float(ledger.scores[0])
        shown = "left out of the mean" if math.isnan(score) else f"set to {text.number(score)}"
        reason = f", so {measure} is undefined (0/0), by this convention {shown}"
        sentences.append(f"There is no relevant document{reason if measure.normalised else ''}.")
    if not retrieved:
        sentences.append("The ranking is empty: no document is retrieved.")
    elif measure.cutoff and measure.cutoff > retrieved:
        listed = text.count(retrieved, "document")
        sentences.append(f"The list ends before k = {measure.cutoff:,}: it has {listed}.")
    return sentences


def lines(
    ledger: Ledger, ranking: HandRanking, texts: Mapping[str, str], picked: str | None = None
) -> None:
    """Show the ledger, beside that of the ideal ranking if the measure has one."""
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
