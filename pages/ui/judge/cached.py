"""What is computed of two judges, cached within a session by the digests of its inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pandas as pd

from metrics import (
    Agreement,
    Convention,
    Measure,
    Qrels,
    Run,
    cohen_kappa,
    confusion,
    disagreements,
    krippendorff_alpha,
    majority,
)
from metrics.agreement.agreement import percent_agreement
from metrics.agreement.under_noise import UnderNoise, under_noise
from metrics.memory import key_of

from ..cache import kept, shared

LISTED = 200
"""At most this many disagreements are listed."""
KAPPAS = {
    "Cohen's kappa": "none",
    "kappa, linear weights": "linear",
    "kappa, quadratic weights": "quadratic",
}
"""The coefficients of two judges, and how each weighs a disagreement."""


def agreement(a: Qrels, b: Qrels) -> dict[str, Agreement]:
    """Return the coefficients of two judges, by their names."""

    def make() -> dict[str, Agreement]:
        kappas = {name: cohen_kappa(a, b, weights) for name, weights in KAPPAS.items()}
        alpha = {"Krippendorff's alpha, ordinal": krippendorff_alpha([a, b])}
        return {"same grade": percent_agreement(a, b), **kappas, **alpha}

    return kept(key_of("agreement", a, b), make)


def alpha(judges: Mapping[str, Qrels]) -> Agreement:
    """Return Krippendorff's alpha of all judges."""
    every = list(judges.values())
    return kept(key_of("alpha", *every), lambda: krippendorff_alpha(every))


def met(a: Qrels, b: Qrels) -> pd.DataFrame:
    """Return how often each grade of A met each grade of B."""
    return kept(key_of("confusion", a, b), lambda: confusion(a, b))


@dataclass(frozen=True)
class Unlike:
    """The documents to which two judges gave different grades.

    Attributes
    ----------
    largest
        The largest differences, at most `LISTED`, as `disagreements` returns them.
    higher, lower
        The number of documents to which B gave a higher grade, and a lower one.
    """

    largest: pd.DataFrame
    higher: int
    lower: int


def unlike(a: Qrels, b: Qrels) -> Unlike:
    """Return the documents with different grades, largest difference first."""

    def make() -> Unlike:
        found = disagreements(a, b)
        higher = int((found["difference"] > 0).sum())
        return Unlike(found.head(LISTED), higher, len(found) - higher)

    return kept(key_of("disagreements", a, b), make)


def of_most(judges: Mapping[str, Qrels]) -> Qrels:
    """Return the majority of all judges."""
    every = list(judges.values())
    found: Qrels = shared(key_of("majority", *every), lambda: majority(every))
    return found


def noise(
    model: Qrels, person: Qrels, a: Run, b: Run, measure: Measure, convention: Convention
) -> UnderNoise | None:
    """Return the deltas under the model's grades as the person may have given them."""
    key = key_of("noise", model, person, a, b, measure, convention)
    return kept(key, lambda: under_noise(model, person, a, b, measure, convention))
