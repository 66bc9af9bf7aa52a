"""The runs that can be compared: the data's own, and those that are made from them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from metrics import Convention, Dataset, Run
from metrics.comparing.fusion import VIRTUAL

from .. import cache


@dataclass(frozen=True)
class AvailableRuns:
    """The runs of a data set by name, and the virtual ones by the key in links."""

    dataset: Dataset

    @property
    def own(self) -> dict[str, str]:
        """The data's own runs."""
        return {run.name: run.name for run in self.dataset.runs}

    @property
    def titles(self) -> dict[str, str]:
        """The title on screen of each run that can be picked, by key."""
        made = {key: f"({virtual.title})" for key, virtual in VIRTUAL.items()}
        # A run of the user's that is called like one of these comes first.
        taken = self.own.keys()
        return self.own | {key: title for key, title in made.items() if not {key, title} & taken}

    def is_own(self, key: str) -> bool:
        """Whether a run is in the data."""
        return key in self.own

    def run(self, key: str, convention: Convention) -> Run:
        """The run behind a key; one that is made is made once."""
        for run in self.dataset.runs:
            if run.name == key:
                return run
        return cache.virtual(key, self.dataset, convention)

    def explained(self, keys: Iterable[str]) -> list[str]:
        """What the virtual runs among these are."""
        made = [key for key in keys if not self.is_own(key)]
        return [f"{self.titles[key]}: {VIRTUAL[key].says}" for key in made]
