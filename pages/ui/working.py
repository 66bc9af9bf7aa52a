"""The lines that sum to a score: its parts beside each other."""

from __future__ import annotations

from collections.abc import Mapping

import streamlit as st

from metrics import Ledger
from metrics.hand_ranking import HandRanking

from . import show, tables


def parts_of(ledger: Ledger) -> list[Ledger]:
    """The ledgers of numerator and denominator, or the measure's own where it has no parts."""
    return [part.ledger(ledger.judged) for part in ledger.measure.parts] or [ledger]


def lines(
    ledger: Ledger, ranking: HandRanking, texts: Mapping[str, str], picked: str | None = None
) -> None:
    """Every line of the score; the ideal ranking's beside it where the measure has one."""
    parts = parts_of(ledger)
    places = st.columns(len(parts)) if len(parts) > 1 else [st.container()]
    for number, (place, part) in enumerate(zip(places, parts, strict=True)):
        with place:
            st.markdown(f"**{part.measure}** = sum of the contributions = **{part.scores[0]:.4f}**")
            frame = (
                tables.ideal(part, ranking.query, ranking)
                if number == 1
                else tables.ledger(part, ranking.query, texts)
            )
            show.table(frame, missing="?", picked=picked)
