"""One ranking's readings under several conventions; each opens into its lines."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from metrics import Measure, trace
from metrics.hand_ranking import HandRanking
from metrics.reproduce import Reading

from . import show, state, text, working


def frame(readings: Sequence[Reading], now: float, what: str) -> pd.DataFrame:
    """The readings as a table: value, difference from the present score, choices that differ."""
    return pd.DataFrame(
        {
            what: [reading.name for reading in readings],
            "value": [reading.value for reading in readings],
            "change": [_difference(reading.value, now) for reading in readings],
            "differs in": [
                reading.problem or "; ".join(reading.differs) or "nothing that matters here"
                for reading in readings
            ],
        }
    ).set_index(what)


def _difference(value: float, now: float) -> float:
    """The difference, without the noise of the last bits."""
    return 0.0 if abs(value - now) < 1e-12 else value - now


def section(
    readings: Sequence[Reading],
    measure: Measure,
    ranking: HandRanking,
    now: float,
    what: str,
    key: str,
) -> None:
    """A table of readings; the row that is picked opens into the lines that sum to its value."""
    row = show.picking_table(frame(readings, now, what), key)
    if row is None or row >= len(readings):
        st.caption("Pick a row to see the lines that sum to its value.")
        return
    reading = readings[row]
    if math.isnan(reading.value):
        st.info(reading.problem or "This convention leaves the query out of the mean.")
        return
    ledger = trace(ranking.qrels, ranking.run, measure, ranking.query, reading.convention)
    st.markdown(f"**{measure} = {text.number(reading.value)}** under: {reading.convention.label}")
    working.lines(ledger, ranking, {})
    if st.button("Open on Inspect under this convention", key=f"open-{key}"):
        state.open_convention(reading.convention)
        st.rerun()
