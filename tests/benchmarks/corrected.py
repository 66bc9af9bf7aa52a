"""How often the corrected interval of a mean delta holds the truth, whatever the model's errors.

    python -m tests.benchmarks.corrected

Of 500 queries a person grades n, drawn at random, and a model all. The truth is the mean of the
population from which the queries come. Each cell says how often the interval holds it: corrected,
of the person's queries alone, and of the model's scores as if they were right; and how wide the
corrected one is, in widths of that of the person's queries.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np

from metrics.agreement.corrected import Corrected

SMALLEST = ("--draws", "20", "--queries", "20")
QUERIES, EFFECT, SPREAD = 500, 0.02, 0.15
SHAPES = {
    "symmetric": lambda rng: rng.normal(0, SPREAD, QUERIES),
    "skewed": lambda rng: SPREAD * (rng.exponential(1, QUERIES) - 1),
}
ERRORS = {
    "independent": lambda rng, true: true + rng.normal(0, SPREAD / 2, QUERIES),
    "biased": lambda rng, true: true / 2 + rng.normal(0, SPREAD / 2, QUERIES),
    "favours a run": lambda rng, true: true + 0.05 + rng.normal(0, SPREAD / 2, QUERIES),
    "useless": lambda rng, true: rng.normal(0, SPREAD, QUERIES),
}
"""The model's deltas, from the person's."""


def cell(shape: str, errors: str, n: int, draws: int, seed: int = 1) -> dict[str, float]:
    """Return the shares of draws in which each interval holds the truth, and the widths' ratio."""
    rng, held, widths = np.random.default_rng(seed), np.zeros(3), np.zeros(2)
    for _ in range(draws):
        true = EFFECT + SHAPES[shape](rng)
        model, order = ERRORS[errors](rng, true), rng.permutation(QUERIES)
        graded, rest = order[:n], order[n:]
        found = Corrected.of(true[graded], model[graded], model[rest])
        ends = np.array([found.interval, found.alone, found.uncorrected])
        held += (ends[:, 0] <= EFFECT) & (ends[:, 1] >= EFFECT)
        widths += np.diff(ends[:2])[:, 0]
    names = ("corrected", "person alone", "model alone")
    shares = dict(zip(names, (held / draws).tolist(), strict=True))
    return shares | {"width": float(widths[0] / widths[1])}


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--queries", type=int, nargs="+", default=[20, 50, 150])
    asked = parser.parse_args(argv)
    for shape in SHAPES:
        for errors in ERRORS:
            for n in asked.queries:
                found = cell(shape, errors, n, asked.draws)
                shown = "  ".join(f"{name} {value:.3f}" for name, value in found.items())
                print(f"{shape:<10} {errors:<14} n = {n:<4} {shown}", flush=True)


if __name__ == "__main__":
    main()
