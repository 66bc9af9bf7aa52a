"""Whether a verdict survives a judge's errors: the delta of two runs under judgments drawn anew."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..arrays import Floats
from ..comparing.comparison import compare
from ..conventions.convention import TREC_EVAL, Convention
from ..data import Qrels, Run
from ..defaults import CONFIDENCE, SEED
from ..measures import Measure
from .judge_noise import judge_noise

DRAWS = 500
"""At most this many draws are made, and fewer of large data."""
FEWEST = 50
"""At least this many draws are made."""
ROWS = 300_000
"""Of data with more rows than this, no draws are made: they take too long for a page."""


@dataclass(frozen=True, eq=False)
class UnderNoise:
    """The deltas of the means of two runs under judgments drawn anew.

    Attributes
    ----------
    deltas
        ``(n,)`` the delta B − A of each draw.
    kept
        The number of judgments whose grade no shared document has, so that no draw changes it.
    """

    deltas: Floats
    kept: int

    @property
    def mean(self) -> float:
        """The mean delta of the draws."""
        return float(self.deltas.mean())

    def interval(self, level: float = CONFIDENCE) -> tuple[float, float]:
        """Return the percentiles that hold this share of the draws."""
        low, high = np.quantile(self.deltas, [(1 - level) / 2, (1 + level) / 2]).tolist()
        return low, high

    @property
    def ahead(self) -> float:
        """The share of draws in which B is ahead."""
        return float((self.deltas > 0).mean())


def under_noise(
    model: Qrels,
    person: Qrels,
    a: Run,
    b: Run,
    measure: str | Measure,
    convention: Convention = TREC_EVAL,
    seed: int = SEED,
) -> UnderNoise | None:
    """Return the deltas of two runs under a model's grades as a person may have given them.

    Each draw replaces every grade of the model as `judge_noise` does. The interval of the draws is
    that of the judge's errors; it says nothing about other queries.

    Returns
    -------
    UnderNoise or None
        500 draws, fewer for data of more than 20,000 rows; None for more than 300,000 rows.

    Raises
    ------
    MeasureError
        When the measure is unknown, or one of aspects.

    Examples
    --------
    >>> model, person = Qrels.from_dict({"q": {"x": 1, "y": 1}}), Qrels.from_dict({"q": {"x": 0}})
    >>> a, b = Run.from_dict({"q": {"x": 1}}), Run.from_dict({"q": {"y": 1}})
    >>> under_noise(model, person, a, b, "P@1").mean
    0.0
    """
    rows = len(model) + len(a) + len(b)
    if rows > ROWS:
        return None
    n = max(FEWEST, min(DRAWS, 20_000 * DRAWS // max(rows, 1)))
    noise = judge_noise(model, person)
    deltas = [
        compare(drawn, a, b, [measure], convention=convention).summary(measure).delta
        for drawn in noise.draws(model, n, seed)
    ]
    return UnderNoise(np.array(deltas), noise.kept(model))
