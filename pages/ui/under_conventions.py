"""A table of one ranking's scores under several conventions, each with its ledger."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from metrics import Ledger, Measure
from metrics.arrays import NOISE
from metrics.exploring.convention_search import Reading
from metrics.exploring.differences import by_document
from metrics.rendering import text

from . import ledger_view, show, state


def frame(readings: Sequence[Reading], now: Ledger, what: str) -> pd.DataFrame:
    """Return a table: value, change from the current score, the choices that differ, and why."""
    score = float(now.scores[0])
    return pd.DataFrame(
        {
            what: [reading.name for reading in readings],
            "value": [reading.value for reading in readings],
            "change": [_difference(reading.value, score) for reading in readings],
            "differs in": [
                reading.problem or "; ".join(reading.differs) or "nothing that affects it"
                for reading in readings
            ],
            "because": [_because(reading, now) for reading in readings],
        }
    ).set_index(what)


def _because(reading: Reading, now: Ledger) -> str:
    """Return what changed the score: numerator and denominator, or single documents."""
    if math.isnan(reading.value) or abs(reading.value - float(now.scores[0])) < NOISE:
        return ""
    then = reading.ranking.ledger(now.measure, reading.convention)
    sides = now.parts, then.parts
    if now.measure.parts:
        moved = [
            f"{a.measure.symbol} {a.scores[0]:.3f} → {b.scores[0]:.3f}"
            for a, b in zip(*sides, strict=True)
            if abs(a.scores[0] - b.scores[0]) >= NOISE
        ]
        return ", ".join(moved)
    before, after = (side[0].table(reading.ranking.query) for side in sides)
    return text.largest(by_document(before, after), text.visible)


def _difference(value: float, now: float) -> float:
    """Return the difference, or 0 if it is only rounding error."""
    return 0.0 if abs(value - now) < NOISE else value - now


def pick(readings: Sequence[Reading], now: Ledger, what: str, key: str) -> Reading | None:
    """Show a table of readings and return the one that is picked."""
    row = show.picking_table(frame(readings, now, what), key, bars="value")
    st.caption("Tick a row to see its ledger.")
    return readings[row] if row is not None and row < len(readings) else None


def opened(reading: Reading | None, measure: Measure, key: str) -> None:
    """Show a reading's ledger, and a button that opens it on Inspect."""
    if reading is None:
        return
    if math.isnan(reading.value):
        left_out = "This convention leaves the query out of the mean."
        st.info(text.code(reading.problem) if reading.problem else left_out)
        return
    ranking = reading.ranking
    ledger = ranking.ledger(measure, reading.convention)
    st.markdown(
        f"**{measure} = {text.number(reading.value)}** under: {measure.label(reading.convention)}"
    )
    ledger_view.lines(ledger, ranking, {}, key)
    st.button(
        "Open on Inspect under this convention",
        key=f"open_{key}",
        on_click=state.open_page,
        args=(state.INSPECT, vars(reading.convention)),
    )
