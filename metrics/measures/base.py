"""What a measure is: a value that turns judged rankings into a ledger."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..conventions.choices import OF_EVERY_MEASURE
from ..conventions.convention import Convention
from ..errors import MeasureError, RankscopeError
from ..judging.hits import Hits
from ..judging.judged import JudgedRankings
from .arithmetic import gain, relevance
from .ledger import Ledger
from .parameters import PARAMETERS
from .tie_orders import arranged

REGISTRY: dict[str, type[Measure]] = {}
"""Each measure's class by its symbol."""

LARGEST_CUTOFF = 10**12 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Lines:
    """The lines of a ledger, as a measure works them out.

    Attributes
    ----------
    working
        ``(n,)`` columns that lead to the contribution (gain, discount, precision …), in order.
    contribution
        ``(n,)`` what each line adds to its query's score.
    """

    working: dict[str, NDArray[Any]]
    contribution: NDArray[Any]


@dataclass(frozen=True)
class Measure(ABC):
    """A measure with its parameters. Its text parses back: ``nDCG(gain=exponential)@10``.

    A subclass gives the data below and one method, `lines`; defining it registers it.

    Attributes
    ----------
    cutoff
        Only ranks 1 … cutoff count; None: the whole ranking.

    Examples
    --------
    A measure is written as a value the way it is written as a text:

    >>> from metrics.measures import AP, IPrec, P, nDCG
    >>> AP, nDCG @ 10, P(rel=2) @ 5, nDCG(gain="exponential"), IPrec @ 0.3
    (AP, nDCG@10, P(rel=2)@5, nDCG(gain=exponential), IPrec@0.3)
    """

    cutoff: int | None = None

    symbol: ClassVar[str]
    aliases: ClassVar[tuple[str, ...]] = ()
    trec: ClassVar[tuple[str, ...]] = ()
    """The names that trec_eval gives it, as format strings over the fields they set."""
    meaning: ClassVar[str]
    formula: ClassVar[str]
    """LaTeX in symbols; ``k`` is the cutoff. What depends on the convention is a slot, as
    ``<end>``, which `slots` fills."""
    term: ClassVar[str]
    """LaTeX of one line's contribution, with a slot for each number: ``<relevant>``, or
    ``<precision:.4g>`` with its format. The names are those of the ledger's columns, ``rank`` and
    `slots`."""
    mean_term: ClassVar[str] = ""
    """The same where a line holds the mean over the orders of equal scores, if it differs."""
    source: ClassVar[str]
    use: ClassVar[str]
    avoid: ClassVar[str]
    value_range: ClassVar[str] = "0 to 1"
    """The lowest and the highest score."""
    graded: ClassVar[bool] = False
    """Whether it tells grades above the level of relevance apart."""
    linear: ClassVar[bool] = False
    """Whether the score is a sum of relevance or gain times a weight of the rank."""
    exchangeable: ClassVar[bool] = True
    """Whether two documents exchanged so that the better one stands higher never lower the score,
    whatever stands between them."""
    normalised: ClassVar[bool] = False
    """Whether it is a share of `to_find`, so that it is 0/0 where there is nothing to find."""
    start_name: ClassVar[str] = "before any document"
    summary: ClassVar[str] = "mean"
    """How trec_eval sums the queries up: ``mean``, ``sum`` or ``exp`` (of the mean)."""
    suffix: ClassVar[str] = "cutoff"
    """The field that a number after ``@`` sets; empty when the measure takes none."""
    needs: ClassVar[str] = ""
    """The number that must follow ``@``, in words; empty when none must."""
    choices: ClassVar[tuple[str, ...]] = ()
    """The fields of the convention that this measure depends on, besides those of the ranking."""

    def __init_subclass__(cls) -> None:
        # A dataclass writes a repr of its own, unless its class has one.
        type.__setattr__(cls, "__repr__", cls.__str__)
        if "symbol" in vars(cls):
            REGISTRY[cls.symbol] = cls

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            if self.suffix != "cutoff":
                raise MeasureError(f"{self.symbol} takes no cutoff; leave @{self.cutoff} out.")
            if not (type(self.cutoff) is int and 1 <= self.cutoff <= LARGEST_CUTOFF):
                raise MeasureError(
                    f"{self.symbol}: the cutoff k must be a whole number from 1, "
                    f"of 12 digits at most, not {self.cutoff!r}."
                )
        for name, value in self.given().items():
            if name in PARAMETERS and not PARAMETERS[name].allows(value):
                raise MeasureError(
                    f"{self.symbol}: {name} must be {PARAMETERS[name].range}, not {value!r}."
                )
        try:
            self.under(Convention())
        except RankscopeError as error:
            raise MeasureError(f"{self}: {error}") from error

    def __str__(self) -> str:
        given = {name: _text(value) for name, value in self.given().items()}
        given.pop(self.suffix, None)
        inside = ",".join(f"{name}={value}" for name, value in given.items())
        return f"{self.symbol}{f'({inside})' if inside else ''}{self._ending}"

    @property
    def short(self) -> str:
        """The symbol and the number after ``@``, without the parameters in brackets."""
        return f"{self.symbol}{self._ending}"

    @property
    def _ending(self) -> str:
        number = self.given().get(self.suffix)
        return "" if number is None else f"@{_text(number)}"

    def __matmul__(self, number: float) -> Self:
        """Return the measure at a cutoff: ``nDCG @ 10``, or a recall point: ``IPrec @ 0.3``.

        Raises
        ------
        MeasureError
            When the measure takes none, or the number is not allowed.
        """
        if not self.suffix:
            raise MeasureError(f"{self.symbol} takes no cutoff; leave @{number} out.")
        return self._with({self.suffix: number})

    def __call__(self, **parameters: float | str) -> Self:
        """Return the measure with these parameters: ``P(rel=2)``, ``RBP(p=0.8) @ 10``.

        Raises
        ------
        MeasureError
            When the measure has no such parameter, or its value is not allowed.
        """
        for name in parameters:
            self.check_parameter(name)
        return self._with(parameters)

    def _with(self, changes: Mapping[str, Any]) -> Self:
        return type(self)(**{**vars(self), **changes})

    @classmethod
    def check_parameter(cls, name: str) -> None:
        """Check that the measure has a parameter of this name.

        Raises
        ------
        MeasureError
            When it has none, with those that it has.
        """
        known = [name for name in PARAMETERS if name in cls.__dataclass_fields__]
        if name in known:
            return
        takes = (
            f"it takes {', '.join(known)}, written like {cls.symbol}({known[0]}=…)"
            if known
            else "it takes none"
        )
        raise MeasureError(f"{cls.symbol} has no parameter {name!r}; {takes}.")

    def complete(self) -> Self:
        """Return the measure, when it has the number that it needs after ``@``.

        Raises
        ------
        MeasureError
            When it lacks that number.
        """
        if self.needs and getattr(self, self.suffix) is None:
            raise MeasureError(f"{self.symbol} needs {self.needs}.")
        return self

    def given(self) -> dict[str, Any]:
        """The fields that differ from their defaults."""
        values = {f.name: (getattr(self, f.name), f.default) for f in dataclasses.fields(self)}
        return {name: value for name, (value, default) in values.items() if value != default}

    def under(self, convention: Convention) -> Convention:
        """The convention with this measure's own parameters in place of its choices."""
        choices = {
            PARAMETERS[name].choice: value
            for name, value in self.given().items()
            if name in PARAMETERS and PARAMETERS[name].choice
        }
        return dataclasses.replace(convention, **choices)

    def label(self, convention: Convention) -> str:
        """The convention's name as far as it matters to this measure."""
        return convention.label_in((*self.choices, *OF_EVERY_MEASURE))

    def slots(self, convention: Convention) -> dict[str, str]:
        """Return the LaTeX that the convention puts into the formula and the term, by slot.

        That of a term can have slots for the numbers of the line in turn.
        """
        return {}

    def ledger(self, judged: JudgedRankings) -> Ledger:
        """Apply the measure: the only way a score comes about.

        Raises
        ------
        MeasureError
            When the mean over the orders of ties is asked of a measure that is not linear, or the
            measure lacks the number that it needs after ``@``.
        """
        convention = self.complete().under(judged.convention)
        averaged = convention.ties == "mean"
        hits = self.ranking(judged, convention)
        if averaged and not self.linear and (hits.first != hits.last).any():
            raise MeasureError(
                f"{self} is not linear in the gains, so the mean over the orders of equal scores "
                "is not the sum of its lines. Choose an order for ties, or use bounds()."
            )
        depth = self.depth(convention)
        if depth is not None:
            hits = hits[(hits.first if averaged else hits.rank) <= depth]
        lines = self.lines(hits, judged, convention)
        start = self.start(judged, convention)
        if convention.undefined != "zero":
            nothing = self.to_find(judged, convention) == 0
            if convention.undefined == "skip":
                start[nothing] = np.nan
            elif self.normalised:
                start[nothing] = 1.0
        contribution = lines.contribution.astype(float)
        return Ledger(self, convention, judged, hits, lines.working, contribution, start)

    @property
    def parts(self) -> tuple[Measure, ...]:
        """Numerator and denominator, for a measure that is the quotient of two others."""
        return ()

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        """The ranking that is scored: the run's own, unless the measure says otherwise."""
        return judged.hits

    def depth(self, convention: Convention) -> int | None:
        """The last rank that has a line; None: every rank has one."""
        return self.cutoff

    @abstractmethod
    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        """What each of the hits contributes to its query's score, and the working before it."""

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """``(q,)`` what a query's sum starts from, before any document."""
        return np.zeros(len(judged.queries))

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """Return ``(q,)`` how much there is to find in each query, in the measure's own terms.

        0 where there is nothing; for a normalised measure, what its score is a share of.
        """
        return np.ones(len(judged.queries))

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        """Return ``(n,)`` the key that sorts documents best first, the highest key first.

        The key of an unjudged document is 0.
        """
        return np.zeros(len(hits))

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        """Return the hits with equal scores in the order that gives the highest score.

        The lowest score if not ``best``.
        """
        return arranged(judged.hits, self.sort_key(judged.hits, convention), best)


@dataclass(frozen=True)
class Binary(Measure):
    """A measure that asks only whether a document is relevant; ``rel`` is the lowest such grade."""

    rel: float | None = None

    choices: ClassVar[tuple[str, ...]] = ("level",)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.relevant(convention.level).astype(float)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return relevance(hits, convention).astype(float)


@dataclass(frozen=True)
class Graded(Measure):
    """A measure of gains; ``gain`` is how a grade becomes one."""

    gain: str | None = None

    graded = True
    choices: ClassVar[tuple[str, ...]] = ("gain",)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        found = gain(judged.judged, convention)
        return judged.per_query(judged.judged.query, np.abs(found))

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return gain(hits, convention)


def _text(value: Any) -> str:
    """The value as it is written in a measure's name, where a number has no exponent."""
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    return str(value)
