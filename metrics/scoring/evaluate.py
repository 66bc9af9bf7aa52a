"""evaluate and explain: the scores of a run, and the lines that sum to one score."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .. import notebook
from ..arrays import Floats, pd
from ..conventions.convention import TREC_EVAL, Convention, named
from ..data import Qrels, Run
from ..errors import DataError, MeasureError, NoOverlapError
from ..matching import JudgedRankings, Rankings
from ..matching.batches import Given, built, match
from ..measures import Measure
from ..measures.ledger import Ledger
from ..words import listed
from .formula import symbols
from .naming import parse, several


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The scores of one run under one convention.

    Attributes
    ----------
    judged
        The rankings that were scored: queries, missing queries, the convention.
    ledgers
        The ledger of each measure, by the name that it was requested by.
    """

    judged: JudgedRankings
    ledgers: Mapping[str, Ledger]

    def __repr__(self) -> str:
        return (
            f"Scores({', '.join(self.ledgers)}: {len(self.judged.queries)} queries, "
            f"convention {self.convention.label})"
        )

    def _repr_html_(self) -> str:
        """Return the means, for a notebook."""
        rows = [
            (name, self.average(name), int(np.isfinite(ledger.scores).sum()))
            for name, ledger in self.ledgers.items()
        ]
        return notebook.card(repr(self), ("measure", "mean", "queries"), rows)

    @property
    def convention(self) -> Convention:
        """The convention of the scores."""
        return self.judged.convention

    @cached_property
    def per_query(self) -> pd.DataFrame:
        """One row per evaluated query, one column per measure."""
        columns = {name: ledger.scores for name, ledger in self.ledgers.items()}
        return pd.DataFrame(columns, index=pd.Index(self.judged.queries, name="query", dtype=str))

    def value(self, measure: str | Measure, query: str | None = None) -> float:
        """Return the score of one query, or the mean, as `average` gives it, if none is named.

        Parameters
        ----------
        measure
            One of these measures, as a name or a value.
        query
            An evaluated query; None: the mean over all.

        Raises
        ------
        DataError
            When the query was not evaluated.
        MeasureError
            When no measure was requested by this name.
        """
        return self.average(measure) if query is None else self.ledger(measure).score(query)

    def ledger(self, measure: str | Measure) -> Ledger:
        """Return the ledger of one of these measures.

        Parameters
        ----------
        measure
            One of these measures, as a name or a value.

        Raises
        ------
        MeasureError
            When no measure was requested by this name.
        """
        if str(measure) not in self.ledgers:
            raise MeasureError(
                f"{str(measure)!r} is not among these scores: {', '.join(self.ledgers)}."
            )
        return self.ledgers[str(measure)]

    @cached_property
    def mean(self) -> pd.Series[float]:
        """The mean over the evaluated queries of each measure, as `average` gives it."""
        return pd.Series({name: self.average(name) for name in self.ledgers}, dtype=float)

    def to_frame(self) -> pd.DataFrame:
        """Return a DataFrame with the column ``query`` and a column for each measure."""
        return self.per_query.reset_index()

    def average(
        self, measure: str | Measure, add: Callable[[list[float]], float] = math.fsum
    ) -> float:
        """Return the mean over the queries that have a score; NaN when none has.

        Of LogAP and LogBpref it is e to the mean, so that GMAP is the geometric mean of AP.

        Parameters
        ----------
        measure
            One of these measures, as a name or a value.
        add
            How scores in the order of ids are added; by default with no error of rounding.

        Raises
        ------
        MeasureError
            When no measure was requested by this name.
        """
        ledger = self.ledger(measure)
        average = mean(ledger.scores[self.order], add)
        return math.exp(average) if ledger.measure.summary == "exp" else average

    def weighted(self, measure: str | Measure, weights: Mapping[str, float]) -> float:
        """Return the mean in which each query counts by its weight: Σ weight · score ÷ Σ weight.

        Queries without a weight are left out. NaN when no scored query has a weight above 0. Of
        LogAP and LogBpref it is e to the mean, as in `average`.

        Parameters
        ----------
        measure
            One of these measures, as a name or a value.
        weights
            The weight of each query by its id, such as how often it is asked; 0 or more.

        Raises
        ------
        DataError
            When a weight is negative or not finite.
        MeasureError
            When no measure was requested by this name.

        Examples
        --------
        >>> qrels = {"head": {"a": 1}, "tail": {"b": 1}}
        >>> run = {"head": {"a": 2, "x": 1}, "tail": {"y": 2, "b": 1}}
        >>> scores = evaluate(qrels, run, "RR")
        >>> scores.value("RR"), round(scores.weighted("RR", {"head": 9000, "tail": 10}), 4)
        (0.75, 0.9994)
        """
        ledger = self.ledger(measure)
        found = weighted_mean(ledger.scores, weights_of(self.judged.queries, weights))
        return math.exp(found) if ledger.measure.summary == "exp" else found

    @cached_property
    def order(self) -> list[int]:
        """The places of the queries in the order of their ids."""
        return sorted(range(len(self.judged.queries)), key=self.judged.queries.__getitem__)

    def summary(
        self, measure: str | Measure, add: Callable[[list[float]], float] = math.fsum
    ) -> float:
        """Return trec_eval's value for ``all``: the sum of counts; otherwise the `average`.

        Parameters
        ----------
        measure
            One of these measures, as a name or a value.
        add
            As in `average`.

        Raises
        ------
        MeasureError
            When no measure was requested by this name.
        """
        ledger = self.ledger(measure)
        added = ledger.measure.summary == "sum"
        return float(ledger.scores.sum()) if added else self.average(measure, add)


def mean(values: Floats, add: Callable[[list[float]], float] = math.fsum) -> float:
    """Return the mean without NaN, correctly rounded, so that the order cannot change it."""
    defined = values[~np.isnan(values)].tolist()
    return add(defined) / len(defined) if defined else math.nan


def weighted_mean(values: Floats, weights: Floats) -> float:
    """Return the mean without NaN in which each value has a weight; NaN where all weigh nothing."""
    known = ~np.isnan(values)
    total = math.fsum(weights[known])
    return math.fsum(weights[known] * values[known]) / total if total else math.nan


def weights_of(queries: Iterable[str], weights: Mapping[str, float]) -> Floats:
    """Return ``(n,)`` the weight of each query; 0 for one without a weight.

    Raises DataError when a weight is negative or not finite.
    """
    found = {query: float(weights.get(query, 0.0)) for query in queries}
    for query, weight in found.items():
        if not 0 <= weight < math.inf:
            raise DataError(
                f"The weight of query {query!r} is {weight:g}; give a number, 0 or more."
            )
    return np.array([*found.values()], dtype=float)


def evaluate(
    qrels: Given,
    run: Rankings | Given,
    measures: str | Measure | Iterable[str | Measure],
    convention: Convention | str = TREC_EVAL,
) -> Scores:
    """Return the scores of a run against qrels, for one measure or several: texts or values.

    Parameters
    ----------
    qrels, run
        `Qrels` and a `Run`, dicts of dicts, or frames of pyarrow, polars, pandas, DuckDB or
        PySpark; the run may be rankings that are already judged: see `match`.
    measures
        Names, such as ``"nDCG@10"`` or those of other tools, or values, such as ``nDCG @ 10``.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Raises
    ------
    DataError
        When an argument has the wrong type, or qrels and run are swapped.
    MeasureError
        When a measure is not known, or refuses the convention.
    NoOverlapError
        When the run has no query of the qrels.
    RankscopeError
        When no preset has the convention's name.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0, "c": 2}})
    >>> run = Run.from_dict({"q1": {"a": 0.9, "b": 0.8, "c": 0.7}})
    >>> evaluate(qrels, run, ["nDCG@3", "RR"]).mean.round(4).to_dict()
    {'nDCG@3': 0.9386, 'RR': 1.0}
    >>> from metrics.measures import P
    >>> evaluate(qrels, run, P(rel=2) @ 1).value(P(rel=2) @ 1)
    1.0
    >>> evaluate({"q1": {"a": 1}}, {"q1": {"b": 2, "a": 1}}, "mrr", "ranx").value("mrr")
    0.5
    """
    rankings = match(qrels, run, convention)
    lacking, others = rankings.missing_from_run, rankings.missing_from_qrels
    # A run without a query is one that found nothing.
    if lacking and others and len(lacking) == len(rankings.qrels.queries):
        raise NoOverlapError(
            f"The run has no query of the qrels: the qrels have {listed(lacking, 1)}, the run has "
            f"{listed(others, 1)}. Make the ids the same; fix_ids changes those that differ by a "
            "rule."
        )
    return score(rankings, measures)


def score(judged: JudgedRankings, measures: str | Measure | Iterable[str | Measure]) -> Scores:
    """Return the scores of rankings that are already judged.

    Parameters
    ----------
    judged
        Rankings that `match` returned.
    measures
        Names, such as ``"nDCG@10"`` or those of other tools, or values, such as ``nDCG @ 10``; one,
        or several.

    Raises
    ------
    MeasureError
        When a measure is not known or refuses the convention, or two own measures have the same
        name.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}})
    >>> run = Run.from_dict({"q1": {"x": 2, "a": 1}})
    >>> score(match(qrels, run), ["RR"]).summary("RR")
    0.5
    """
    ledgers: dict[str, Ledger] = {}
    for asked in several(measures):
        name, measure = str(asked), parse(asked)
        if name in ledgers and ledgers[name].measure != measure:
            raise MeasureError(f"Two measures are named {name}; give one of them another name.")
        ledgers[name] = measure.ledger(judged)
    return Scores(judged, ledgers)


def trace(
    qrels: Given,
    run: Rankings | Given,
    measure: str | Measure,
    query: str,
    convention: Convention | str = TREC_EVAL,
) -> Ledger:
    """Return the ledger of one query, with a line for every retrieved document, judged or not.

    Of rankings already judged only the documents that they hold have a line: see `trace_judged`.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
    run
        A `Run`, ``{query: {document: score}}``, a table, or judged rankings: see `match`.
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    query
        The id of the query.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Raises
    ------
    DataError
        When the query has no judgments, or the run lacks it and the convention leaves such queries
        out.
    MeasureError
        When the measure is not known, or refuses the convention.
    RankscopeError
        When no preset has the convention's name.
    """
    if not isinstance(query, str):
        raise DataError(f"The query is a {type(query).__name__}; pass its id as text.")
    part: Qrels = built(Qrels, qrels).only(query)
    ranked, convention = built(Run, run), named(convention)
    if isinstance(ranked, JudgedRankings):
        return trace_judged(match(part, ranked.only(query), convention), measure, query)
    _require_evaluated(query, part, query in ranked.queries, convention)
    return parse(measure).ledger(match(part, ranked.only(query), convention, every=True))


def trace_judged(judged: JudgedRankings, measure: str | Measure, query: str) -> Ledger:
    """Return the ledger of one query, with a line for every document that the rankings hold.

    Raises DataError as `trace` does.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 1}})
    >>> run = Run.from_dict({"q1": {"x": 2, "a": 1}})
    >>> trace_judged(match(qrels, run), "RR", "q1").table("q1")["contribution"].to_dict()
    {2: 0.5}
    """
    one = judged.only(query).shown()
    _require_evaluated(query, one.qrels, query not in one.missing_from_run, judged.convention)
    return parse(measure).ledger(one)


def _require_evaluated(query: str, qrels: Qrels, in_run: bool, convention: Convention) -> None:
    """Refuse a query without judgments, or one that the convention leaves out."""
    if not len(qrels):
        raise DataError(f"Query {query!r} has no judgments in the qrels; nothing can be scored.")
    if not in_run and convention.queries == "both":
        raise DataError(
            f"Query {query!r} is not in the run, so it has no score under this convention. "
            'Choose queries="qrels" to count it as 0.'
        )


def explain(
    qrels: Given,
    run: Given,
    measure: str | Measure,
    query: str,
    convention: Convention | str = TREC_EVAL,
) -> pd.DataFrame:
    """Return the lines that sum to one query's score.

    Parameters
    ----------
    qrels
        `Qrels`, ``{query: {document: grade}}``, or a frame: see `match`.
    run
        A `Run`, ``{query: {document: score}}``, a table, or judged rankings: see `match`.
    measure
        A name, such as ``"nDCG@10"`` or that of another tool, or a value, such as ``nDCG @ 10``.
    query
        The id of the query.
    convention
        A `Convention`, or the name of a preset, such as ``"ranx"``.

    Returns
    -------
    DataFrame
        One row per rank; ``contribution`` sums to the score. ``attrs`` holds the measure, its
        formula (LaTeX), the score and the convention's label.

    Raises
    ------
    DataError, MeasureError
        As `trace` does.
    RankscopeError
        When no preset has the convention's name.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0, "c": 2}})
    >>> run = Run.from_dict({"q1": {"a": 0.9, "b": 0.8, "c": 0.7}})
    >>> explain(qrels, run, "DCG@3", "q1")["contribution"].tolist()
    [3.0, 0.0, 1.0]
    """
    ledger = trace(qrels, run, measure, query, convention)
    table = ledger.table(query)
    table.attrs = {
        "measure": str(ledger.measure),
        "formula": symbols(ledger.measure, ledger.convention),
        "score": float(ledger.scores[0]),
        "convention": ledger.convention.label,
    }
    return table
