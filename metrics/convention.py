"""Conventions: the choices on which evaluation tools disagree, as one value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from .errors import RankscopeError

Floats = NDArray[np.float64]


def _linear(grade: Floats) -> Floats:
    return np.where(grade > 0, grade, 0.0)


def _exponential(grade: Floats) -> Floats:
    return np.asarray(np.exp2(_linear(grade)) - 1.0)


GAINS: dict[str, Callable[[Floats], Floats]] = {"linear": _linear, "exponential": _exponential}


@dataclass(frozen=True)
class Choice:
    """One thing to choose: its name on screen, and each value with the words that say it."""

    label: str
    values: dict[str, str]


CHOICES: dict[str, Choice] = {
    "gain": Choice("Gain", {"linear": "the grade", "exponential": "2^grade − 1"}),
    "ideal": Choice(
        "Ideal ranking of",
        {"judged": "all judged documents", "retrieved": "the retrieved documents only"},
    ),
    "ties": Choice(
        "Equal scores",
        {
            "descending": "by document id, descending",
            "ascending": "by document id, ascending",
            "input": "in input order",
        },
    ),
    "unjudged": Choice(
        "Unjudged documents",
        {"zero": "keep their rank, earn 0", "removed": "removed, grades below 0 too"},
    ),
    "queries": Choice(
        "Mean over",
        {"both": "queries in run and qrels", "qrels": "all judged queries, 0 if not in the run"},
    ),
}


@dataclass(frozen=True)
class Convention:
    """How a score is made, where tools differ. The defaults are those of trec_eval 10.

    Attributes
    ----------
    gain
        ``"linear"``: the grade itself; ``"exponential"``: 2^grade − 1. Grades below 0 gain 0.
    level
        The lowest grade that counts as relevant.
    ideal
        Where the ideal ranking's documents come from: ``"judged"`` or ``"retrieved"``.
    ties
        The order of equal scores: by document id ``"descending"`` or ``"ascending"`` (UTF-8
        bytes), or as they came, ``"input"``.
    unjudged
        ``"zero"``: they hold their rank and earn nothing; ``"removed"``: ranks close up.
    queries
        ``"both"``: the queries of run and qrels; ``"qrels"``: all judged queries.

    Examples
    --------
    >>> Convention().label
    'trec_eval'
    >>> Convention(gain="exponential").label
    'trec_eval, but gain: 2^grade − 1'
    """

    gain: str = "linear"
    level: float = 1.0
    ideal: str = "judged"
    ties: str = "descending"
    unjudged: str = "zero"
    queries: str = "both"

    def __post_init__(self) -> None:
        for name, choice in CHOICES.items():
            if getattr(self, name) not in choice.values:
                raise RankscopeError(
                    f"Convention: {name} cannot be {getattr(self, name)!r}; "
                    f"choose one of {', '.join(map(repr, choice.values))}."
                )
        if not self.level > 0:
            raise RankscopeError(
                f"Convention: level must be above 0, not {self.level}; "
                "documents of grade 0 or below are not relevant."
            )

    def sentences(self) -> dict[str, str]:
        """Each choice in words, by field name."""
        said = {
            name: f"{choice.label.lower()}: {choice.values[getattr(self, name)]}"
            for name, choice in CHOICES.items()
        }
        return said | {"level": f"relevant: from grade {self.level:g}"}

    @property
    def label(self) -> str:
        """The nearest preset's name and what differs from it."""
        name, preset = min(PRESETS.items(), key=lambda item: len(self._differences(item[1])))
        differences = [self.sentences()[field] for field in self._differences(preset)]
        return ", but ".join([name, " and ".join(differences)]) if differences else name

    def _differences(self, other: Convention) -> list[str]:
        names = [f.name for f in fields(self)]
        return [name for name in names if getattr(self, name) != getattr(other, name)]


TREC_EVAL = Convention()
PRESETS: dict[str, Convention] = {"trec_eval": TREC_EVAL}
