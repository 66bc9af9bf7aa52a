"""Results of judged runs, computed once for all sessions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from metrics import Pairing
from metrics.deciding.statement import Statement
from metrics.deciding.trend import PastRun, Point, apart_from, trend
from metrics.scoring.evaluate import score

from ..waiting import cache_spinner, spinner
from .folder import History, Key, short


def points(history: History, runs: Sequence[PastRun], measure: str) -> list[Point]:
    """Return the means of the runs, and how each differs from the one before."""
    pairs = [tuple(runs[max(place - 1, 0) : place + 1]) for place in range(len(runs))]
    with spinner("Computing …"):
        return [_point(history.key(*pair), pair, measure) for pair in pairs]


def compared(
    history: History, a: PastRun, b: PastRun, measure: str
) -> Pairing | tuple[Statement, ...]:
    """Return the comparison of two runs, or the differences that rule it out."""
    found: Pairing | tuple[Statement, ...] = _compared(history.key(a, b), a, b, measure)
    return found


# Not cache_data, which copies: a point holds the judged run. A new run costs one point.
@st.cache_resource(max_entries=1_000, show_spinner=False)
def _point(key: Key, _pair: tuple[PastRun, ...], measure: str) -> Point:
    return trend(_pair, [measure])[-1]


@st.cache_resource(max_entries=16, show_spinner=cache_spinner("Comparing …"))
def _compared(key: Key, _a: PastRun, _b: PastRun, measure: str) -> Pairing | tuple[Statement, ...]:
    # Runs of several nights have the same name.
    one, two = (replace(run.file.judged, name=short(run)) for run in (_a, _b))
    sides = score(one, [measure]), score(two, [measure])
    if apart := apart_from(*sides):
        return apart
    found = Pairing.of_scores(*sides)
    # Here, while the page says that it compares.
    _ = found.verdict
    return found
