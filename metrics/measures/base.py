"""The class of all measures: a measure is a value that turns judged rankings into a ledger."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self, dataclass_transform

import numpy as np
from numpy.typing import NDArray

from ..arrays import Floats
from ..conventions.choices import OF_EVERY_MEASURE
from ..conventions.convention import Convention
from ..errors import MeasureError, RankscopeError
from ..matching import Hits, JudgedRankings
from ..matching.tie_orders import arranged
from .arithmetic import gain, relevance
from .ledger import Ledger
from .parameters import PARAMETERS

REGISTRY: dict[str, type[Measure]] = {}
"""Each measure's class by its symbol."""

LARGEST_CUTOFF = 10**12 - 1


@dataclass(frozen=True, eq=False, repr=False)
class Lines:
    """The lines of a ledger as a measure computes them.

    Attributes
    ----------
    working
        ``(n,)`` columns that lead to the contribution (gain, discount, precision …), in order.
    earned
        ``(n,)`` what each line earns, before it is divided.
    divisor
        ``(q,)`` what all that a query earns is divided by; where it is 0, nothing is earned.
        None: nothing is divided.
    """

    working: dict[str, NDArray[Any]]
    earned: NDArray[Any]
    divisor: NDArray[Any] | None = None


UNIT = "0 to 1"
"""The range of most measures."""


@dataclass_transform(frozen_default=True)
@dataclass(frozen=True, repr=False)
class Measure(ABC):
    """A measure with its parameters. Its text parses back: ``nDCG(gain=exponential)@10``.

    A subclass gives the data below and one method, `lines`; defining it makes it a frozen
    dataclass and registers it.

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
    full_name: ClassVar[str]
    """The name spelled out."""
    also: ClassVar[tuple[str, ...]] = ()
    """The other names in use, such as those of other tools."""
    mean_names: ClassVar[tuple[str, ...]] = ()
    """The names of its mean over queries, such as MRR."""
    trec: ClassVar[tuple[str, ...]] = ()
    """The names that trec_eval gives it, as format strings over the fields they set."""
    meaning: ClassVar[str]
    """The meaning in one sentence."""
    formula: ClassVar[str]
    """LaTeX in symbols; ``k`` is the cutoff. The parts that depend on the convention are slots,
    like ``<end>``, which `slots` fills."""
    term: ClassVar[str]
    """LaTeX of one line's contribution, with a slot for each number: ``<relevant>``, or
    ``<precision:.4g>`` with its format. The names are those of the ledger's columns, ``rank`` and
    `slots`."""
    mean_term: ClassVar[str] = ""
    """The term under a mean over the orders of ties, if it differs."""
    source: ClassVar[str]
    use: ClassVar[str]
    avoid: ClassVar[str]
    value_range: ClassVar[str] = UNIT
    """The lowest and the highest score."""
    graded: ClassVar[bool] = False
    """Whether it distinguishes grades above the level of relevance."""
    linear: ClassVar[bool] = False
    """Whether the score is a sum of relevance or gain times a weight of the rank."""
    exchangeable: ClassVar[bool] = True
    """Whether swapping two documents so that the better one is ranked higher never lowers the
    score, whatever documents are between them."""
    by_aspect: ClassVar[bool] = False
    """Whether it depends on the aspects of a query that a document is relevant for."""
    normalised: ClassVar[bool] = False
    """Whether the score is a share of `to_find`, so that it is 0/0 where `to_find` is 0."""
    start_name: ClassVar[str] = "before any document"
    summary: ClassVar[str] = "mean"
    """How trec_eval summarises the queries: ``mean``, ``sum`` or ``exp`` (of the mean)."""
    suffix: ClassVar[str] = "cutoff"
    """The field that a number after ``@`` sets; empty when the measure takes none."""
    usually_cut: ClassVar[bool] = True
    """Whether it usually has a cutoff: P@10, but AP over the whole ranking."""
    summed: ClassVar[bool] = True
    """Whether all its lines are written as terms of a sum; otherwise only one decides."""
    needs: ClassVar[str] = ""
    """The number required after ``@``, in words; empty when none is."""
    choices: ClassVar[tuple[str, ...]] = ()
    """The fields of the convention that this measure depends on, besides those of the ranking."""
    labels: ClassVar[Mapping[str, str]] = {}
    """The words of columns of its working whose names are not words; one measure has those that
    several share."""

    def __init_subclass__(cls) -> None:
        for name, value in cls._usual().items():
            if name not in vars(cls):
                setattr(cls, name, value)
        dataclass(frozen=True, repr=False)(cls)
        if "symbol" in vars(cls):
            REGISTRY[cls.symbol] = cls

    def __post_init__(self) -> None:
        if self.cutoff is not None:
            if self.suffix != "cutoff":
                raise MeasureError(f"{self.symbol}, {self.full_name}, takes no cutoff.")
            if not (type(self.cutoff) is int and 1 <= self.cutoff <= LARGEST_CUTOFF):
                raise MeasureError(
                    f"{self.symbol}: the cutoff k must be a whole number, 1 or more, "
                    f"of at most 12 digits, not {self.cutoff!r}."
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

    __repr__ = __str__

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

        Parameters
        ----------
        number
            The cutoff, a whole number of 1 or more, or the recall point, from 0 to 1.

        Raises
        ------
        MeasureError
            When the measure takes no number, or not this one.
        """
        return self._with({self.suffix or "cutoff": number})

    def __call__(self, **parameters: float | str) -> Self:
        """Return the measure with these parameters: ``P(rel=2)``, ``RBP(p=0.8) @ 10``.

        Parameters
        ----------
        **parameters
            Values by the names of the measure's parameters, such as ``rel``, ``p`` or ``gain``.

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

        Parameters
        ----------
        name
            The name, such as ``rel``.

        Raises
        ------
        MeasureError
            When it has none; the message lists those that it has.
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
        """Return the measure if it has the number that it needs after ``@``.

        Raises
        ------
        MeasureError
            When it lacks that number.
        """
        if self.needs and getattr(self, self.suffix) is None:
            raise MeasureError(f"{self.symbol} needs {self.needs}.")
        return self

    def given(self) -> dict[str, Any]:
        """Return the fields that differ from their defaults."""
        fields, values = dataclasses.fields(self), vars(self)
        return {f.name: values[f.name] for f in fields if values[f.name] != f.default}

    def under(self, convention: Convention) -> Convention:
        """Return the convention with this measure's parameters in place of its choices.

        Parameters
        ----------
        convention
            The convention that is asked for.
        """
        choices = {
            PARAMETERS[name].choice: value
            for name, value in self.given().items()
            if name in PARAMETERS and PARAMETERS[name].choice
        }
        return dataclasses.replace(convention, **choices)

    def label(self, convention: Convention) -> str:
        """Return the label of the convention, limited to the choices that affect this measure.

        Parameters
        ----------
        convention
            The convention that is asked for.
        """
        return convention.label_in((*self.choices, *OF_EVERY_MEASURE))

    def slots(self, convention: Convention) -> dict[str, str]:
        """Return the LaTeX for the slots of the formula and the term that depend on the convention.

        In a term, this LaTeX can itself have slots for the numbers of the line.

        Parameters
        ----------
        convention
            The convention, the measure's own parameters included: see `under`.

        Returns
        -------
        dict
            LaTeX by the name of a slot.
        """
        return {}

    def ledger(self, judged: JudgedRankings) -> Ledger:
        """Return the ledger of the measure; every score is computed here.

        Parameters
        ----------
        judged
            Rankings that `match` returned.

        Raises
        ------
        MeasureError
            When ties are averaged over but the measure is not linear, or the measure lacks the
            number that it needs after ``@``.
        """
        convention = self.complete().under(judged.convention)
        averaged = convention.ties == "mean"
        hits = self.ranking(judged, convention)
        if averaged and not self.linear and (hits.first != hits.last).any():
            raise MeasureError(
                f"{self} is not linear in the gains, so its mean over the orders of tied documents "
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
        divisor = np.ones(len(start)) if lines.divisor is None else lines.divisor.astype(float)
        some = divisor != 0
        earned = np.where(some[hits.query], lines.earned, 0.0)
        divisor = np.where(some, divisor, 1.0)
        return Ledger(self, convention, judged, hits, lines.working, earned, divisor, start)

    @property
    def parts(self) -> tuple[Measure, ...]:
        """Numerator and denominator of a measure that is the quotient of two others; else empty."""
        return ()

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        """Return the ranking that is scored: the run's own, unless the measure overrides it.

        Parameters
        ----------
        judged
            The rankings, matched with the judgments.
        convention
            The convention, the measure's own parameters included: see `under`.
        """
        return judged.hits

    def shown(self, ledger: Ledger) -> Hits:
        """Return the lines of a ledger as they are shown: those that are scored.

        Parameters
        ----------
        ledger
            A ledger of this measure.
        """
        return ledger.hits

    def depth(self, convention: Convention) -> int | None:
        """Return the last rank that has a line; None: every rank has one.

        Parameters
        ----------
        convention
            The convention, the measure's own parameters included: see `under`.
        """
        return self.cutoff

    @classmethod
    def _usual(cls) -> dict[str, Any]:
        """Return the data that a measure has where its class does not say otherwise."""
        return {}

    @abstractmethod
    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        """Return what each hit earns and what that is divided by, with the working before it.

        Parameters
        ----------
        hits
            ``(n,)`` the lines that count: documents at ranks, down to the cutoff.
        judged
            The rankings, matched with the judgments.
        convention
            The convention, the measure's own parameters included: see `under`.
        """

    def start(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """Return ``(q,)`` the start of each query's sum, before any document, not divided.

        Parameters
        ----------
        judged
            The rankings, matched with the judgments.
        convention
            The convention, the measure's own parameters included: see `under`.
        """
        return np.zeros(len(judged.queries))

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        """Return ``(q,)`` how much there is to find in each query, in the measure's own terms.

        0 where there is nothing; for a normalised measure, the denominator of its score.

        Parameters
        ----------
        judged
            The rankings, matched with the judgments.
        convention
            The convention, the measure's own parameters included: see `under`.
        """
        return np.ones(len(judged.queries))

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        """Return ``(n,)`` the key that sorts documents best first, the highest key first.

        The key of an unjudged document is 0.

        Parameters
        ----------
        hits
            ``(n,)`` the documents to sort.
        convention
            The convention, the measure's own parameters included: see `under`.
        """
        return np.zeros(len(hits))

    def tie_order(self, judged: JudgedRankings, convention: Convention, best: bool) -> Hits:
        """Return the hits with ties in the order of the highest score, or of the lowest.

        Parameters
        ----------
        judged
            The rankings, matched with the judgments.
        convention
            The convention, the measure's own parameters included: see `under`.
        best
            Whether the score is the highest; otherwise it is the lowest.
        """
        return arranged(judged.hits, self.sort_key(judged.hits, convention), best)


class Binary(Measure):
    """A measure of relevant documents, whatever their grade; ``rel`` is the lowest such grade."""

    rel: float | None = None

    choices: ClassVar[tuple[str, ...]] = ("level",)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.relevant(convention.level).astype(float)

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return relevance(hits, convention).astype(float)


class Graded(Measure):
    """A measure of gains; ``gain`` is how a grade becomes one."""

    gain: str | None = None

    graded = True
    choices: ClassVar[tuple[str, ...]] = ("gain",)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return judged.per_query(judged.judged.query, np.abs(gain(judged.judged, convention)))

    def sort_key(self, hits: Hits, convention: Convention) -> Floats:
        return gain(hits, convention)


class OfIdeal(Measure):
    """A measure of the ideal ranking, described after the measure itself: its last base."""

    formula = r"<ideal> = <itself> \text{ of the ideal ranking}"
    avoid = "Measuring quality: it does not depend on the order of the run."
    best: ClassVar[str] = "best possible ranking, by grade, highest first"
    """The ideal ranking in words."""
    highest: ClassVar[str] = "possible {}"
    """The highest score in words, around the symbol."""

    @classmethod
    def _usual(cls) -> dict[str, Any]:
        itself: Any = cls.__bases__[-1]
        if not hasattr(itself, "symbol"):
            return {}
        symbol = itself.symbol
        return {
            "symbol": f"I{symbol}",
            "full_name": f"ideal {itself.full_name}",
            "also": (f"ideal {symbol.replace('_', '-')}",),
            "meaning": f"The {symbol} of the {cls.best}.",
            "use": f"Seeing the highest {cls.highest.format(symbol)}.",
            "choices": (*itself.choices, "ideal", *(["ideal_cut"] if itself.suffix else [])),
        }

    def slots(self, convention: Convention) -> dict[str, str]:
        cut = self.suffix if self.depth(convention) == self.cutoff else ""
        itself: Any = type(self).__bases__[-1]
        end = "k" if cut else r"\text{end}"
        names = {"ideal": _latex(self.symbol, self.suffix), "itself": _latex(itself.symbol, cut)}
        return super().slots(convention) | {"end": end, **names}

    def ranking(self, judged: JudgedRankings, convention: Convention) -> Hits:
        return judged.ideal(convention.ideal, self.cutoff)

    def depth(self, convention: Convention) -> int | None:
        return self.cutoff if convention.ideal_cut == "k" else None

    def shown(self, ledger: Ledger) -> Hits:
        """Return the ideal ranking with equal grades in the list's order: they lose nothing."""
        if self.by_aspect:
            return ledger.hits
        best, listed = self.ranking(ledger.judged, ledger.convention), ledger.judged.hits
        columns = ((hits.query.tolist(), hits.document.to_pylist()) for hits in (best, listed))
        keys, known = (list(zip(*each, strict=True)) for each in columns)
        ranks = dict(zip(known, listed.rank.tolist(), strict=True))
        grade = np.nan_to_num(best.grade)
        other = (np.diff(best.query, prepend=-1) != 0) | (np.diff(grade, prepend=0.0) != 0)
        own = best[np.lexsort(([ranks.get(key, np.inf) for key in keys], np.cumsum(other)))]
        shown = dataclasses.replace(best, document=own.document, grade=own.grade)
        return shown[shown.rank <= (self.depth(ledger.convention) or np.inf)]


class OverIdeal(Measure):
    """A measure divided by the same of the ideal ranking, and described after it."""

    normalised = True
    value_range = UNIT
    of: ClassVar[tuple[type[Measure], type[OfIdeal]]]
    """The measure, and the same of the ideal ranking."""
    ideal_column: ClassVar[str] = "ideal"
    """The column with the score of the ideal ranking."""
    labels = {"ideal": "ideal score"}

    @classmethod
    def _usual(cls) -> dict[str, Any]:
        if "of" not in vars(cls):
            return {}
        itself, ideal = cls.of
        symbol, suffix = itself.symbol, itself.suffix
        over, under = _latex(symbol, suffix), _latex(ideal.symbol, suffix)
        return {
            "symbol": f"n{symbol}",
            "full_name": f"normalised {itself.full_name}",
            "also": (f"normalized {itself.full_name}",),
            "meaning": f"{symbol} divided by the {symbol} of the ideal ranking.",
            "formula": rf"{_latex(f'n{symbol}', suffix)} = \frac{{{over}}}{{{under}}}",
            "choices": ideal.choices,
        }

    @property
    def parts(self) -> tuple[Measure, ...]:
        return tuple(each(**vars(self)) for each in self.of)

    def to_find(self, judged: JudgedRankings, convention: Convention) -> Floats:
        return self.parts[1].ledger(judged.under(undefined="zero")).scores

    def lines(self, hits: Hits, judged: JudgedRankings, convention: Convention) -> Lines:
        lines = self.of[0].lines(self, hits, judged, convention)
        ideal = self.to_find(judged, convention)
        return Lines({**lines.working, self.ideal_column: ideal[hits.query]}, lines.earned, ideal)


def _latex(symbol: str, suffix: str) -> str:
    """Return the LaTeX of a measure's symbol, with ``@k`` if it takes a cutoff."""
    name = symbol.replace("_", r"\_")
    return rf"\mathrm{{{name}@}}k" if suffix else rf"\mathrm{{{name}}}"


def _text(value: Any) -> str:
    """Return the value as written in a measure's name, where numbers have no exponent."""
    if isinstance(value, float):
        return np.format_float_positional(value, trim="-")
    return str(value)
