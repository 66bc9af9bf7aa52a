"""evaluate and explain: the scores of a run, and the lines one score is the sum of."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..arrays import Floats
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..errors import DataError, MeasureError
from ..judging.judged import JudgedRankings, judge
from ..measures import Measure
from ..measures.ledger import Ledger
from .formula import symbols
from .naming import parse

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, eq=False, repr=False)
class Scores:
    """The scores of one run under one convention.

    Attributes
    ----------
    judged
        The rankings that were scored: queries, what was missing, the convention.
    ledgers
        The ledger behind each score, by the name asked for.
    """

    judged: JudgedRankings
    ledgers: Mapping[str, Ledger]

    def __repr__(self) -> str:
        return (
            f"Scores({', '.join(self.ledgers)}: {len(self.judged.queries)} queries, "
            f"convention {self.convention.label})"
        )

    @property
    def convention(self) -> Convention:
        """The convention the scores were made under."""
        return self.judged.convention

    @cached_property
    def per_query(self) -> pd.DataFrame:
        """One row per evaluated query, one column per measure."""
        import pandas as pd

        columns = {name: ledger.scores for name, ledger in self.ledgers.items()}
        return pd.DataFrame(columns, index=pd.Index(self.judged.queries, name="query", dtype=str))

    def value(self, measure: str | Measure, query: str | None = None) -> float:
        """Return the score of one query, or without a query the mean.

        Raises
        ------
        DataError
            When the query was not evaluated.
        MeasureError
            When the measure was not asked for by this name.
        """
        measure = str(measure)
        if measure not in self.ledgers:
            raise MeasureError(
                f"{measure!r} was not asked for; these scores hold {', '.join(self.ledgers)}."
            )
        if query is None:
            return self.average(measure)
        return self.ledgers[measure].score(query)

    @cached_property
    def mean(self) -> pd.Series[float]:
        """The mean over the evaluated queries of each measure; NaN when there are none."""
        import pandas as pd

        return pd.Series({name: self.average(name) for name in self.ledgers}, dtype=float)

    def average(self, measure: str) -> float:
        """The mean over the queries that have a score; NaN when none has."""
        return mean(self.ledgers[measure].scores)

    def summary(self, measure: str) -> float:
        """What trec_eval prints under ``all``: the mean; for counts the sum; e^mean for logs."""
        average, how = self.average(measure), self.ledgers[measure].measure.summary
        if how == "sum":
            return float(self.ledgers[measure].scores.sum())
        return math.exp(average) if how == "exp" else average


def mean(values: Floats) -> float:
    """The mean of what is not NaN, correctly rounded, so that the order cannot change it."""
    defined = values[~np.isnan(values)].tolist()
    return math.fsum(defined) / len(defined) if defined else math.nan


def evaluate(
    qrels: Qrels,
    run: Run,
    measures: str | Measure | Iterable[str | Measure],
    convention: Convention = TREC_EVAL,
) -> Scores:
    """Score a run against qrels, by one measure or several: texts or values.

    Raises
    ------
    MeasureError
        When a measure's name cannot be read.

    Examples
    --------
    >>> qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0, "c": 2}})
    >>> run = Run.from_dict({"q1": {"a": 0.9, "b": 0.8, "c": 0.7}})
    >>> evaluate(qrels, run, ["nDCG@3", "RR"]).mean.round(4).to_dict()
    {'nDCG@3': 0.9386, 'RR': 1.0}
    >>> from metrics.measures import P
    >>> evaluate(qrels, run, P(rel=2) @ 1).value(P(rel=2) @ 1)
    1.0
    """
    if not isinstance(measures, Iterable) or isinstance(measures, str):
        measures = [measures]
    return score(judge(qrels, run, convention), measures)


def score(judged: JudgedRankings, measures: Iterable[str | Measure]) -> Scores:
    """The scores of rankings that are judged already."""
    return Scores(judged, {str(measure): parse(measure).ledger(judged) for measure in measures})


def trace(
    qrels: Qrels,
    run: Run,
    measure: str | Measure,
    query: str,
    convention: Convention = TREC_EVAL,
) -> Ledger:
    """The ledger of one query with every retrieved document as a line, unjudged ones too.

    Raises
    ------
    DataError
        When the qrels hold no judgment for the query, or the run lacks it and the convention
        leaves such queries out.
    """
    part = qrels.only(query)
    if not len(part):
        raise DataError(f"Query {query!r} has no judgments in the qrels; nothing can be scored.")
    if query not in run.queries and convention.queries == "both":
        raise DataError(
            f"Query {query!r} is not in the run, so it has no score under this convention. "
            'Choose queries="qrels" to count it as 0.'
        )
    return parse(measure).ledger(judge(part, run.only(query), convention, every=True))


def explain(
    qrels: Qrels,
    run: Run,
    measure: str | Measure,
    query: str,
    convention: Convention = TREC_EVAL,
) -> pd.DataFrame:
    """The lines that sum to one query's score.

    Returns
    -------
    DataFrame
        One row per rank; ``contribution`` sums to the score. ``attrs`` holds the measure, its
        formula (LaTeX), the score and the convention's label.

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
