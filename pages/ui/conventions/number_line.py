"""The scores that tools give one ranking, on one line."""

import math
from collections.abc import Sequence
from typing import Any

import streamlit as st

from metrics import Measure
from metrics.arrays import NOISE
from metrics.exploring import convention_search
from metrics.rendering import text
from metrics.writing import svg

from .. import state
from ..inline import component

_KEY = "number_line"
_line = component(_KEY, __file__)
_PICKED = "score"
"""The parameter that names the score that is pressed."""
_OTHER = "nDCG"
"""A measure on which tools rarely agree."""


def number_line(readings: Sequence[convention_search.Reading], measure: Measure, now: float) -> str:
    """Show each tool's score as a dot, the current one marked; return the one that is picked.

    Where all tools agree there is no line, but a way to another measure.
    """
    scores: dict[str, list[convention_search.Reading]] = {}
    for reading in sorted(readings, key=lambda each: each.value):
        if not math.isnan(reading.value):
            scores.setdefault(text.number(reading.value), []).append(reading)
    if not scores:
        return ""
    if len(scores) == 1:
        ((value, tools),) = scores.items()
        with st.container(horizontal=True, vertical_alignment="center"):
            agreed = f"All {len(tools)} tools agree on {measure}: **{value}**."
            st.markdown(agreed, width="content")
            if measure.symbol != _OTHER:
                st.button(f"See {_OTHER}", on_click=state.put, args=({state.MEASURE: _OTHER},))
        return value
    low, *_, high = (group[0].value for group in scores.values())
    # Dots at the ends have room for half of their labels.
    room = max(high - low, 0.01) / 6
    low, span = low - room, high - low + 2 * room

    def at(value: float) -> float:
        return (value - low) / span

    shown: list[dict[str, Any]] = [
        {
            "at": at(group[0].value),
            "value": value,
            "tools": [reading.name for reading in group],
            "now": abs(group[0].value - now) < NOISE,
        }
        for value, group in scores.items()
    ]
    words = "; ".join(f"{each['value']}: {', '.join(each['tools'])}" for each in shown)

    def pick() -> None:
        state.put({_PICKED: state.value(_KEY)["picked"]})

    picked = state.in_link(_PICKED, scores)
    st.caption(f"{measure} by tool: press one for its reason")
    _line(
        key=_KEY,
        on_picked_change=pick,
        data={
            "picked": picked,
            "scores": shown,
            "ticks": [{"at": at(v), "text": name} for v, name in svg.ticks(low, low + span, 6)],
            "words": f"Scores on a line. {words}",
        },
    )
    return picked or text.number(now)
