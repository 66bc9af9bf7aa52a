"""One ranking's scores under several conventions, each with its ledger, and recorded cases."""

import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from metrics import Convention, Ledger, Measure
from metrics.arrays import NOISE
from metrics.exploring import curves
from metrics.exploring.convention_search import Reading, Under, steps
from metrics.memory import Memory
from metrics.rendering import convention_text, ledger_text, text
from metrics.teaching import recorded_cases

from .. import ledger_view, show, state, widgets
from ..streamlit_internals import Container

_LEDGER = "presets"
"""The parameter that names the ledger that is open."""


def arguments(
    readings: Sequence[Reading],
    now: Ledger,
    under: Under,
    convention: Convention,
    once: Memory,
    asked: str,
) -> None:
    """Show each score, why it is so, its ledger on request, and a button to count so.

    The largest difference is first. ``asked``: the score that was pressed; it follows the one under
    the chosen convention, which is first.
    """
    score = float(now.scores[0])
    # A ledger is known by the first tool that gives its score.
    tools = {reading.name: reading.name.split(", ")[0] for reading in readings}
    opened = state.in_link(_LEDGER, list(tools.values()))
    if len(readings) > 1:
        st.header("What other tools give, and why")

    def place(reading: Reading) -> tuple[float, ...]:
        others = [text.number(reading.value) != each for each in (text.number(score), asked)]
        return *others, math.isnan(reading.value), -abs(reading.value - score)

    for reading in sorted(readings, key=place):
        make = partial(steps, reading, under, now.measure, convention)
        changes = once(("steps", reading.name), make)
        pressed = "pressed_" if text.number(reading.value) == asked else ""
        is_open = tools[reading.name] == opened
        with st.container(key=f"why_{pressed}{reading.name}"):
            value, why, ways = st.columns([3, 11, 5], gap="medium")
            value.markdown(convention_text.score(reading, now))
            why.markdown(convention_text.argument(reading, now, changes))
            if reading.problem:
                continue
            with ways.container(horizontal=True, gap="medium"):
                label = "Close the ledger" if is_open else "Ledger"
                put = partial(state.put, {_LEDGER: "" if is_open else tools[reading.name]})
                st.button(label, key=f"ledger_{reading.name}", on_click=put, type="tertiary")
                if not is_open and abs(reading.value - score) >= NOISE:
                    use_button(reading, f"use_{reading.name}")
            if is_open:
                with st.container(key=f"picked_{_LEDGER}"):
                    _opened(reading, now.measure, _LEDGER)


def use_button(reading: Reading, key: str) -> None:
    """Show a button that sets the choices of a convention on all pages."""
    use = partial(state.from_top, vars(reading.convention))
    st.button("Use this convention", key=key, on_click=use, type="tertiary")


def frame(readings: Sequence[Reading], now: Ledger, what: str) -> pd.DataFrame:
    """Return a table: value, change from the current score, the choices that differ, and why."""
    score = float(now.scores[0])
    return pd.DataFrame(
        {
            what: [reading.name for reading in readings],
            "value": [reading.value for reading in readings],
            "change": [_difference(reading.value, score) for reading in readings],
            "differs in": [
                "; ".join(reading.differs) or "nothing that affects it" for reading in readings
            ],
            "because": [_because(reading, now) for reading in readings],
        }
    ).set_index(what)


def _because(reading: Reading, now: Ledger) -> str:
    """Return what changed the score: numerator and denominator, or single documents."""
    if math.isnan(reading.value):
        return convention_text.no_score(reading, now.measure)
    if abs(reading.value - float(now.scores[0])) < NOISE:
        return ""
    then = reading.ranking.ledger(now.measure, reading.convention)
    if now.measure.parts:
        parts = convention_text.changed_parts(now, then)
        return ", ".join(f"{part} {before:.3f} → {after:.3f}" for part, before, after in parts)
    tables = [ledger.table(reading.ranking.query) for ledger in (now, then)]
    return text.largest(curves.by_document(*tables), text.visible)


def _difference(value: float, now: float) -> float:
    """Return the difference, or 0 if it is only rounding error."""
    return 0.0 if abs(value - now) < NOISE else value - now


def opened(title: str, table: str) -> Container:
    """Return a section with a table of readings, which a link with one of them opens."""
    key = f"section_{table}"
    if state.arrived() and state.asks(table):
        state.put({key: True})
    # With a key it stays open when Back takes the ledger back.
    return st.expander(title, key=key, on_change="rerun")


def pick(readings: Sequence[Reading], now: Ledger, what: str, key: str, once: Memory) -> None:
    """Show a table of readings, and the ledger of the one that is picked."""
    shown = (what, *(f"{each.name}: {each.convention}" for each in readings))
    table = once(shown, partial(frame, readings, now, what))
    row = show.picking_table(table, key, opens=f"picked_{key}")
    with st.container(key=f"picked_{key}"):
        if row is None:
            st.caption("Pick a row to see its ledger.")
        else:
            _opened(readings[row], now.measure, key)


def _opened(reading: Reading, measure: Measure, key: str) -> None:
    """Show a reading's ledger, and a button that opens it on Inspect."""
    if math.isnan(reading.value):
        st.info(convention_text.no_score(reading, measure))
        return
    ranking = reading.ranking
    ledger = ranking.ledger(measure, reading.convention)
    st.markdown(
        f"**{measure} = {text.number(reading.value)}** under: {measure.label(reading.convention)}"
    )
    ledger_view.lines(ledger, ranking, {}, key)
    if ledger.ideal:
        st.markdown("".join(part.text for part in ledger_text.score(ledger, ranking.query)))
    with st.container(horizontal=True):
        use_button(reading, f"use_opened_{key}")
        inspect = partial(state.open_page, state.INSPECT, vars(reading.convention))
        st.button("Use it on Inspect", key=f"open_{key}", on_click=inspect, type="tertiary")


def recorded_case() -> None:
    """Choose a case; show its documents and what each tool gives."""
    cases = recorded_cases()
    titles = {name: each.title for name, each in cases.items()}
    chosen = cases[widgets.option("Recorded case", titles, state.CASE)]
    st.markdown(f"**{chosen.title}.** {chosen.lesson}")
    left, right = st.columns([2, 5], gap="large")
    with left:
        if len(chosen.documents):
            show.table(chosen.documents)
    with right:
        show.table(chosen.outputs)
        st.caption(
            "Recorded from the tools themselves; tests reproduce the values that a preset covers."
        )
