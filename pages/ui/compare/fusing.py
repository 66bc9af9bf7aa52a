"""The settings of fusions: which runs, their weights, and k; and the fused run as a file."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial

import streamlit as st

from metrics import Convention, RankscopeError
from metrics.comparing.fusion import MOST_K, VIRTUAL, K
from metrics.data.trec_file import best_first, fits_trec, trec_file
from metrics.rendering import text
from metrics.writing.reproduce import as_input, input_name

from .. import show, state, widgets
from .runs import AvailableRuns

_LOWEST, _HIGHEST = 0.001, 1000.0
"""The limits of a weight."""


def chosen(
    available: AvailableRuns, keys: Collection[str], convention: Convention
) -> AvailableRuns:
    """Return the runs with the settings of fusions; show these if one of ``keys`` is a fusion."""
    fusions = available.fusions(keys)
    if not fusions:
        return available
    with st.popover("Fusion"):
        names = [run.name for run in available.dataset.runs]
        titles = {name: name for name in names}
        picked = widgets.several("Runs to fuse", titles, state.FUSED, names)
        fused = [name for name in names if name in picked]
        weights = _weights(names, fused)
        k = widgets.real_number("k of RRF", state.RRF_K, float(K), (0, MOST_K), step=1.0)
        made = available.fused(dict(zip(fused, weights, strict=True)), k)
        if fused:
            for key in fusions:
                _download(made, key, convention)
    return made


def _weights(names: Sequence[str], fused: Sequence[str]) -> list[float]:
    """Choose the weight of each run to fuse; the link has one for every run in the data."""

    def read(link: str) -> list[str]:
        found = state.parts(link)
        if len(found) != len(names):
            raise RankscopeError(f"Expected {len(names)} weights, one for each run.")
        for weight in found:
            widgets.in_range(weight, float, _LOWEST, _HIGHEST)
        return found

    def change(at: int, key: str) -> None:
        known = list(state.value(state.WEIGHTS))
        known[at] = f"{state.value(key):.10g}"
        state.put({state.WEIGHTS: known})

    def draw() -> list[str]:
        known: list[str] = state.value(state.WEIGHTS)
        for at, name in enumerate(names):
            if name in fused:
                key = f"_weight_{at}"
                state.put({key: float(known[at])})
                st.number_input(
                    f"Weight of {text.code(name)}",
                    min_value=_LOWEST,
                    max_value=_HIGHEST,
                    value=float(known[at]),
                    step=0.1,
                    format="%g",
                    key=key,
                    on_change=change,
                    args=(at, key),
                )
        return known

    found = widgets.settled(
        state.WEIGHTS, ["1"] * len(names), read, draw, "", lambda value: len(value) == len(names)
    )
    return [float(weight) for name, weight in zip(names, found, strict=True) if name in fused]


def _download(available: AvailableRuns, key: str, convention: Convention) -> None:
    """Show a button that downloads a fusion as a TREC run, or else as a file that can hold it."""
    run = best_first(available.made(key, convention))
    fits = fits_trec(run)
    show.download(
        f"Download {VIRTUAL[key].title}{' as a TREC run' if fits else ''}",
        partial(trec_file if fits else as_input, run),
        f"{key}.txt" if fits else input_name(key, run),
        key=f"fused_{key}",
    )
    if not fits:
        st.caption("Not a TREC file, because an id contains a space or a quotation mark.")
