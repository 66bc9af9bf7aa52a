"""The runs that can be compared: those in the data, and virtual runs made from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from metrics import Convention, Dataset, Run
from metrics.comparing.fusion import PLAIN, VIRTUAL, Fusion
from metrics.judging.judged import Rankings
from metrics.rendering import text

from .. import cache


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

    def fused(self, weights: Mapping[str, float], k: float) -> AvailableRuns:
        """Return the same runs with these settings of fusions."""
        return replace(self, fusion=Fusion(weights, k))

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
