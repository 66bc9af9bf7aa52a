"""Coefficients of agreement of two judges or several, each with its interval."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import numpy as np

from ..arrays import Floats, bincount
from ..comparing.significance import DIFFERING as FEWEST_QUERIES
from ..comparing.significance import SAMPLES
from ..defaults import CONFIDENCE, SEED
from ..errors import DataError, MeasureError
from ..judging.batches import Given
from ..words import count, listed
from .coincidences import (
    DIFFERING,
    LINEAR,
    SQUARED,
    Coincidences,
    coefficients,
    of_any,
    of_two,
    same_shares,
    scaled,
)
from .side_by_side import side_by_side

T = TypeVar("T")
_AT_ONCE = 500
_HELD = 4_000_000
"""At most this many numbers of a table of samples are held at once."""
_COUNTED = 200_000_000
"""With more numbers than this in all samples, fewer samples are drawn: it takes seconds."""
FEWEST = 999
"""At least this many samples are drawn."""

WEIGHTS = {"none": DIFFERING, "linear": LINEAR, "quadratic": SQUARED}
"""How much a disagreement counts for Cohen's kappa, by its name."""
STEPS: dict[str, Callable[[Floats], Floats]] = {
    "grade": scaled,
    "place": lambda grades: np.arange(len(grades), dtype=float),
}
"""How far two grades are apart, by its name: their difference, or that of their places."""
SCALES: dict[str, Callable[[Coincidences, Floats], Floats]] = {
    "nominal": lambda met, totals: coefficients(met, totals, DIFFERING, scaled(met.grades)),
    "ordinal": lambda met, totals: coefficients(met, totals, SQUARED, None),
    "interval": lambda met, totals: coefficients(met, totals, SQUARED, scaled(met.grades)),
}
"""Krippendorff's alpha of samples, by the level of measurement."""


@dataclass(frozen=True)
class Agreement:
    """How far judges agree, with the interval of a bootstrap over queries.

    Attributes
    ----------
    coefficient
        1 for judges who always agree; for kappa and alpha, 0 is what chance gives, and below 0
        they agree less than that. NaN when it is undefined.
    low, high
        The interval; NaN when it is undefined.
    pairs, queries
        The number of (query, document) pairs that at least two judges graded, and of their queries.
    grades
        The number of different grades among them.
    samples
        The number of samples behind the interval.
    undefined
        The share of samples in which the coefficient is undefined because all grades are the same;
        the interval is that of the others.
    why
        Why the coefficient, or its interval, is NaN; empty when both are numbers.
    """

    coefficient: float
    low: float
    high: float
    pairs: int
    queries: int
    grades: int
    samples: int = 0
    undefined: float = 0.0
    why: str = ""


def cohen_kappa(
    a: Given,
    b: Given,
    weights: str = "none",
    steps: str = "grade",
    level: float = CONFIDENCE,
    seed: int = SEED,
) -> Agreement:
    """Return Cohen's kappa of two judges over the documents that both judged.

    It equals scikit-learn's ``cohen_kappa_score`` with ``steps="place"``, and also by default where
    the grades are evenly spaced. By default, the distance of two grades is their difference, so
    that it does not depend on whether somebody gave a grade between them: of the grades 0, 1 and 4,
    the last two are 3 apart. By place they are 1 apart until somebody gives a 2.

    Parameters
    ----------
    weights
        One of `WEIGHTS`: every disagreement counts the same, or by the distance of the grades, or
        by its square.
    steps
        One of `STEPS`: the distance of two grades is their difference, or that of their places
        among all grades of the shared documents, in rising order.
    level
        The level of the interval, of `interval_over_queries`.

    Raises
    ------
    MeasureError
        When ``weights`` or ``steps`` is unknown.

    References
    ----------
    Cohen, Educational and Psychological Measurement 20 (1960); Cohen, Psychological Bulletin 70
    (1968).

    Examples
    --------
    >>> from metrics import Qrels
    >>> a = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 1, "y": 0, "z": 1}})
    >>> b = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 0, "y": 0}})
    >>> [round(cohen_kappa(a, b, weights).coefficient, 4) for weights in WEIGHTS]
    [0.5556, 0.7143, 0.8333]
    """
    distance, position = _one(WEIGHTS, weights, "weighting"), _one(STEPS, steps, "kind of steps")
    met = of_two(side_by_side([a, b]))
    kappa = partial(coefficients, met, distance=distance, positions=position(met.grades))
    return _agreement(met, kappa, level, seed)


def krippendorff_alpha(
    judges: Sequence[Given], scale: str = "ordinal", level: float = CONFIDENCE, seed: int = SEED
) -> Agreement:
    """Return Krippendorff's alpha of several judges over the documents that at least two judged.

    Parameters
    ----------
    judges
        The qrels of each judge; any may lack documents.
    scale
        One of `SCALES`, the level of measurement: grades are names (nominal), names in an order
        (ordinal), or numbers whose differences count (interval).
    level
        The level of the interval, of `interval_over_queries`.

    Raises
    ------
    DataError
        When there are fewer than two judges.
    MeasureError
        When ``scale`` is unknown.

    References
    ----------
    Krippendorff, Computing Krippendorff's alpha-reliability (2011).

    Examples
    --------
    >>> from metrics import Qrels
    >>> a = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 1, "y": 0, "z": 1}})
    >>> b = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 0, "y": 0}})
    >>> round(krippendorff_alpha([a, b], "nominal").coefficient, 4)
    0.5882
    >>> krippendorff_alpha([a, Qrels.from_dict({})]).why
    'No document was judged by two judges.'
    """
    alpha = _one(SCALES, scale, "level of measurement")
    if len(judges) < 2:
        raise DataError("Agreement needs the qrels of at least two judges.")
    met = of_any(side_by_side(judges))
    return _agreement(met, partial(alpha, met), level, seed)


def percent_agreement(a: Given, b: Given, level: float = CONFIDENCE, seed: int = SEED) -> Agreement:
    """Return the share of the documents that both judged to which both gave the same grade.

    Chance is not taken off: judges who call nearly everything non-relevant agree on nearly
    everything.

    Examples
    --------
    >>> from metrics import Qrels
    >>> a = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 1, "y": 0, "z": 1}})
    >>> b = Qrels.from_dict({"q1": {"x": 2, "y": 0}, "q2": {"x": 0, "y": 0}})
    >>> percent_agreement(a, b).coefficient
    0.75
    """
    met = of_two(side_by_side([a, b]))
    return _agreement(met, partial(same_shares, met), level, seed)


def interval_over_queries(
    met: Coincidences, statistic: Callable[[Floats], Floats], level: float, seed: int
) -> tuple[float, float, int, float]:
    """Return the ends of a bootstrap over queries, its samples and the share of undefined ones.

    The documents of one query are judged together, so whole queries are drawn, with replacement:
    9,999 samples of as many queries as there are; fewer, down to 999, for more than 20,000
    different grades, queries or pairs of grades, which would take minutes. The same seed gives the
    same interval, whatever the order of judges and rows. Grades keep their distances in every
    sample, but for the ordinal scale, where they follow from how often each grade occurs in it.

    Plain percentiles are too narrow for few queries, so that they lie further out, as Student's
    interval is wider than a normal one. With judgments of queries that differ in difficulty, drawn
    2,000 times (``tests.benchmarks.coverage``), 95 % intervals of kappa held the true value in 93 %
    for 6 and 8 queries and 95 % for 10; with quadratic weights, whose samples are skewed, in 91, 93
    and 92 %, and 95 % for 30. Of fewer than 6 queries there is none.

    Parameters
    ----------
    statistic
        The coefficient of each sample, ``(s,)``, from ``(s, c)`` how often each pair of grades met.

    References
    ----------
    Efron & Tibshirani, An Introduction to the Bootstrap (1993), chapter 13; Field & Welsh, Journal
    of the Royal Statistical Society B 69 (2007), on clusters; Hesterberg, The American Statistician
    69 (2015), on expanded percentiles.
    """
    from scipy import stats

    lots, queries = np.random.default_rng(seed), met.queries
    widest = max(queries, len(met.first), len(met.grades))
    samples = min(SAMPLES, max(FEWEST, _COUNTED // widest))
    rows = max(1, min(_AT_ONCE, _HELD // widest))
    found = []
    for start in range(0, samples, rows):
        size = min(rows, samples - start)
        drawn = lots.integers(queries, size=(size, queries))
        drawn += queries * np.arange(size)[:, None]
        times = bincount(drawn.ravel(), minlength=size * queries).reshape(size, queries)
        found.append(statistic(np.asarray(times @ met.per_query)))
    values = np.concatenate(found)
    defined = values[~np.isnan(values)]
    reach = stats.t.ppf((1 - level) / 2, queries - 1) * math.sqrt(queries / (queries - 1))
    outside = float(stats.norm.cdf(reach))
    low, high = np.quantile(defined, [outside, 1 - outside]).tolist()
    return low, high, samples, 1 - len(defined) / samples


def _agreement(
    met: Coincidences, statistic: Callable[[Floats], Floats], level: float, seed: int
) -> Agreement:
    """Return a coefficient with its interval, or why one is undefined."""
    sizes = met.pairs, met.queries, len(met.grades)
    in_all_queries = np.asarray(met.per_query.sum(axis=0)).reshape(1, -1)
    value = float(statistic(in_all_queries)[0]) if met.pairs else math.nan
    if not met.pairs:
        why = f"No document was judged by {'two' if met.pooled else 'both'} judges."
    elif math.isnan(value):
        grades = f"All grades of {count(met.pairs, 'shared document')} are {met.grades[0]:g}"
        why = f"{grades}: chance would agree as often."
    elif met.queries < FEWEST_QUERIES:
        of = count(met.queries, "query", "queries")
        why = f"An interval needs {FEWEST_QUERIES} queries; the shared documents are of {of}."
    else:
        low, high, samples, undefined = interval_over_queries(met, statistic, level, seed)
        return Agreement(value, low, high, *sizes, samples, undefined)
    return Agreement(value, math.nan, math.nan, *sizes, why=why)


def _one(choices: Mapping[str, T], name: str, what: str) -> T:
    """Return the choice of this name."""
    if name not in choices:
        raise MeasureError(f"{name!r} is not a {what}. Choose one of {listed(choices)}.")
    return choices[name]
