"""What a measure is: a value that turns judged rankings into a ledger."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..convention import GAINS, Convention
from ..errors import MeasureError, RankscopeError
from ..judged import JudgedRankings
from ..ledger import Ledger
from ..ranking import Hits, Ints

Columns = dict[str, NDArray[Any]]
REGISTRY: dict[str, type[Measure]] = {}

# A parameter stands in for a choice of the convention; its text is read as this type.
PARAMETERS: dict[str, tuple[str, type]] = {"rel": ("level", float), "gain": ("gain", str)}


@dataclass(frozen=True)
class Measure(ABC):
    """A measure with its parameters. Its text parses back: ``nDCG(gain=exponential)@10``.

    A subclass gives the data below and one method, `lines`; defining it registers it.

    Attributes
    ----------
    cutoff
        Only ranks 1 … cutoff count; None: the whole ranking.
    """

    cutoff: int | None = None

    symbol: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    meaning: ClassVar[str]
    formula: ClassVar[str]
    """LaTeX in symbols; ``k`` is the cutoff."""
    term: ClassVar[str]
    """LaTeX of one line's contribution, a format string over the ledger's columns."""
    divisor: ClassVar[str] = ""
    """The column that a term divides by and that may be 0; the measure is 0 then."""
    source: ClassVar[str]
    choices: ClassVar[tuple[str, ...]]
    """The fields of the convention that this measure depends on, besides those of the ranking."""

    def __init_subclass__(cls) -> None:
        if "symbol" in vars(cls):
            REGISTRY[cls.symbol] = cls

    def __post_init__(self) -> None:
        if self.cutoff is not None and not (type(self.cutoff) is int and self.cutoff >= 1):
            raise MeasureError(
                f"{self.symbol}: the cutoff must be a whole number from 1, not {self.cutoff!r}."
            )
        try:
            self.under(Convention())
        except RankscopeError as error:
            raise MeasureError(f"{self}: {error}") from error

    def __str__(self) -> str:
        given = ",".join(f"{name}={_text(value)}" for name, value in self._given())
        cutoff = "" if self.cutoff is None else f"@{self.cutoff}"
        return f"{self.symbol}{f'({given})' if given else ''}{cutoff}"

    def under(self, convention: Convention) -> Convention:
        """The convention with this measure's own parameters in place of its choices."""
        choices = {PARAMETERS[name][0]: value for name, value in self._given()}
        return dataclasses.replace(convention, **choices)

    def ledger(self, judged: JudgedRankings) -> Ledger:
        """Apply the measure: the only way a score comes about."""
        convention = self.under(judged.convention)
        hits = self.ranking(judged, convention)
        if self.cutoff is not None:
            hits = hits[hits.rank <= self.cutoff]
        *working, (_, contribution) = self.lines(hits, judged, convention).items()
        return Ledger(self, convention, judged, hits, dict(working), contribution.astype(float))

    @property
    def parts(self) -> tuple[Measure, ...]:
        """Numerator and denominator, for a measure that is the quotient of two others."""
        return ()

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        """The ranking that is scored: the run's own, unless the measure says otherwise."""
        return judged.hits

    @abstractmethod
    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Columns:
        """The working of each line, column by column; the last is the contribution."""

    def _given(self) -> list[tuple[str, Any]]:
        values = [(f.name, getattr(self, f.name)) for f in dataclasses.fields(self)[1:]]
        return [(name, value) for name, value in values if value is not None]


@dataclass(frozen=True)
class Binary(Measure):
    """A measure that asks only whether a document is relevant; ``rel`` is the lowest such grade."""

    rel: float | None = None

    choices: ClassVar[tuple[str, ...]] = ("level",)


@dataclass(frozen=True)
class Graded(Measure):
    """A measure of gains; ``gain`` is how a grade becomes one."""

    gain: str | None = None

    choices: ClassVar[tuple[str, ...]] = ("gain",)


def relevance(hits: Hits, convention: Convention) -> Ints:
    """1 for each line whose grade reaches the convention's level, else 0."""
    return (hits.grade >= convention.level).astype(np.int64)


def seen(relevant: Ints, hits: Hits) -> Ints:
    """How many relevant documents stand at this rank or above it in the query's ranking."""
    total = np.cumsum(relevant)
    start = np.searchsorted(hits.query, hits.query, side="left")
    return total - (total - relevant)[start]


def gain(hits: Hits, convention: Convention) -> NDArray[np.float64]:
    """The gain of each line; unjudged documents and grades below 0 gain 0."""
    return GAINS[convention.gain](hits.grade)


def divide(top: NDArray[Any], bottom: NDArray[Any]) -> NDArray[np.float64]:
    """``top / bottom``, and 0 where there is nothing to divide by."""
    quotient: NDArray[np.float64] = np.zeros(len(top))
    np.divide(top, bottom, out=quotient, where=bottom != 0)
    return quotient


def _text(value: Any) -> str:
    return repr(value).removesuffix(".0") if isinstance(value, float) else str(value)
