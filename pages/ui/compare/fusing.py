"""The runs that can be compared: those in the data, and virtual ones; the settings of fusions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from metrics import Convention, Dataset, RankscopeError, Run
from metrics.comparing.fusion import MOST_K, PLAIN, VIRTUAL, Fusion, K
from metrics.data.trec_file import best_first, fits_trec, trec_file
from metrics.matching.judged import Rankings
from metrics.rendering import text
from metrics.writing.reproduce import as_input, input_name

from .. import cache, show, state, widgets


@dataclass(frozen=True)
class AvailableRuns:
    """The runs of a data set, by name, and the virtual runs, by their key in links."""

    dataset: Dataset
    fusion: Fusion = PLAIN

    @property
    def own(self) -> dict[str, str]:
        """The runs in the data, by name."""
        return {run.name: run.name for run in self.dataset.rankings}

    @property
    def titles(self) -> dict[str, str]:
        """The title of each run, by key."""
        # Without a whole run there is nothing to fuse, and nothing to tie.
        whole = bool(self.dataset.runs)
        made = {
            key: f"({of.title})"
            for key, of in VIRTUAL.items()
            if (whole if of.of_runs else self.dataset.is_judged)
        }
        # A run of the user takes precedence over a virtual run of the same name.
        taken = self.own.keys()
        return self.own | {key: title for key, title in made.items() if not {key, title} & taken}

    def is_own(self, key: str) -> bool:
        """Return whether a run is in the data."""
        return key in self.own

    def fusions(self, keys: Iterable[str]) -> list[str]:
        """Return those of the keys that are fusions."""
        return [key for key in dict.fromkeys(keys) if not self.is_own(key) and VIRTUAL[key].fuses]

    def run(self, key: str, convention: Convention) -> Rankings:
        """Return the run of a key; a virtual run is made once."""
        for run in self.dataset.rankings:
            if run.name == key:
                return run
        return self.made(key, convention)

    def made(self, key: str, convention: Convention) -> Run:
        """Return the virtual run of a key."""
        return cache.virtual(key, self.dataset, convention, self.fusion)

    def explained(self, keys: Iterable[str], named: Callable[[str], str] = text.code) -> list[str]:
        """Return a sentence about each virtual run among these; ``named`` writes runs' names."""
        made = [VIRTUAL[key] for key in keys if not self.is_own(key)]
        return [each.sentence(self.dataset.runs, self.fusion, named) for each in made]


_LOWEST, _HIGHEST = 0.001, 1000.0
"""The limits of a weight."""


def chosen(
    available: AvailableRuns, keys: Collection[str], convention: Convention
) -> AvailableRuns:
    """Return the runs with the settings of fusions; show these if one of ``keys`` is a fusion."""
    fusions = available.fusions(keys)
    if not fusions:
        return available
    # Not a popover, which would cover the verdict that it changes.
    with st.expander("Fusion"):
        names = [run.name for run in available.dataset.runs]
        titles = {name: name for name in names}
        picked = widgets.several("Runs to fuse", titles, state.FUSED, names)
        fused = [name for name in names if name in picked]
        weights = _weights(names, fused)
        k = widgets.number("k of RRF", state.RRF_K, float(K), (0, MOST_K), 1.0, width="stretch")
        settings = Fusion(dict(zip(fused, weights, strict=True)), k)
        made = replace(available, fusion=settings)
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
