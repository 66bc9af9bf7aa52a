"""The table of two runs' means by a model's grades, corrected by a person's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..agreement.corrected import CorrectedPairing
from ..comparing.significance import TIE
from ..deciding import Pairing, Statement
from ..deciding.statement import words
from ..defaults import CONFIDENCE
from ..scoring.evaluate import mean
from ..words import count, number, p_is, signed
from .comparison import TITLES
from .table import Table, cell

_PRINTED = ("measure", "by", "mean_a", "mean_b", "delta", "low", "high")
_COLUMNS = (*_PRINTED, "queries", "weight", "needed")
CORRECTED, PERSON, MODEL = "model, corrected", "person alone", "model alone"
"""By whose grades a row is."""


def corrected_lead(found: CorrectedPairing, of: Pairing) -> Statement:
    """Return who leads by the primary measure, once a person's grades have corrected it."""
    name, measure = next(iter(found.measures.items()))
    delta = measure.delta
    towards, every = (1 if delta.value > 0 else -1), len(delta.every)
    low, high = sorted(towards * end for end in delta.interval)
    leads = abs(delta.value) > TIE
    lead = f"{{}} leads by {number(abs(delta.value))}" if leads else "neither leads"
    many = f"{len(delta.human):,} of {count(every, 'query', 'queries')}"
    by = " and the model's of all" if delta.weight else " alone"
    template = (
        f"By a person's grades of {many}{by}, {lead} in {words(name)} "
        f"(95 % interval {signed(low)} to {signed(high)})"
        f"{', which may be chance' if low <= 0 <= high else ''}."
    )
    facts = {"delta": delta.value, "low": delta.interval[0], "high": delta.interval[1]}
    names = (of.leader(delta.value),) if leads else ()
    return Statement(
        "corrected", template, names, facts, leads and delta.value * of.found.delta < 0
    )


def corrected_table(found: CorrectedPairing) -> Table:
    """Return three rows for each measure: corrected, by the person's grades alone, the model's.

    Examples
    --------
    >>> from metrics.agreement.corrected import corrected
    >>> model = {f"q{n}": {"x": 1, "y": n % 3} for n in range(9)}
    >>> human = {f"q{n}": {"x": 1, "y": n % 3 // 2} for n in range(5)}
    >>> a = {query: {"x": 2, "y": 1} for query in model}
    >>> b = {query: {"y": 2, "x": 1} for query in model}
    >>> table = corrected_table(corrected(model, human, a, b, "nDCG@2"))
    >>> [(row[1], round(row[4], 4), row[7], row[9]) for row in table.rows]
    [('model, corrected', -0.2764, 9, 5), ('person alone', -0.2953, 5, None), \
('model alone', -0.0763, 9, None)]
    """
    labels = {
        "corrected": "λ · the model's mean of the other queries + the mean of (the person's − λ · "
        "the model's); weight = λ; prediction-powered inference",
        "low, high": "95 % interval of the mean delta (Student's t)",
        "needed": "queries that a person alone must grade for an interval as narrow",
    }
    if found.is_unlike:
        labels["not a random draw?"] = (
            "the model's scores of the person's queries differ from those of the others "
            f"({p_is(found.unlike)}, Welch); the correction takes a random part"
        )
    titles = {**TITLES, "by": "grades by"}
    return Table.of(_COLUMNS, _rows(found)).saying(
        name="comparison-corrected",
        labels=labels,
        facts={
            "interval": "student_t",
            "interval_level": CONFIDENCE,
            "human_judgments": found.judgments,
            "incomplete": dict(found.incomplete),
            "unlike": cell(found.unlike),
        },
        titles=titles,
        printed=_PRINTED,
    )


def _rows(found: CorrectedPairing) -> Iterator[list[Any]]:
    for name, of in found.measures.items():
        each, delta = (of.a, of.b, of.delta), of.delta
        of_all, person = (mean(part.every) for part in each), (mean(part.human) for part in each)
        many, every = len(delta.human), len(delta.every)
        means = (part.value for part in each)
        yield [name, CORRECTED, *means, *delta.interval, every, delta.weight, delta.needed]
        yield [name, PERSON, *person, *delta.alone, many, None, None]
        yield [name, MODEL, *of_all, *delta.uncorrected, every, None, None]


def for_programs(found: CorrectedPairing) -> dict[str, dict[str, float]]:
    """Return the corrected numbers of each measure, by its name."""
    per_query = found.judgments / len(found.queries)
    of_measures = {}
    for name, of in found.measures.items():
        low, high = of.delta.interval
        of_measures[name] = {
            "mean_a": of.a.value,
            "mean_b": of.b.value,
            "delta": of.delta.value,
            "low": low,
            "high": high,
            "weight": of.delta.weight,
            "queries": len(of.delta.every),
            "human_queries": len(of.delta.human),
            "needed_queries": of.delta.needed,
            "needed_judgments": round(of.delta.needed * per_query),
        }
    return of_measures
