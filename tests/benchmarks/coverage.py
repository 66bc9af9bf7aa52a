"""How often the 95 % interval of a mean delta holds the true mean, where it is printed.

    python -m tests.benchmarks.coverage

Deltas are equal to 0 with a given probability, and otherwise drawn: symmetric ones from a normal
distribution around 0, skewed ones from an exponential one around its mean, and shifted ones from a
normal distribution around 0.7 of its standard deviation. Two intervals are compared on the same
deltas: that of the randomisation test, and Student's. Where fewer than 6 deltas differ from 0
neither is printed; cells in which that is so in 99 of 100 comparisons are left out.

Then the same of the interval of a mean, and of Cohen's kappa of two judges whose queries differ in
difficulty, with each weighting.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from metrics.agreement.agreement import WEIGHTS, cohen_kappa
from metrics.arrays import Floats
from metrics.comparing.evidence import PairedTest, interval
from metrics.comparing.significance import interval_of_scores
from tests.core.agreement.judges import simulated

SMALLEST = ("--draws", "5", "--queries", "10", "30")
TESTS = "randomisation", "t"
SHIFT = 0.7
DRAWN: dict[str, tuple[Callable[[np.random.Generator, int], Floats], float]] = {
    "symmetric": (lambda rng, n: rng.normal(0, 1, n), 0.0),
    "skewed": (lambda rng, n: rng.exponential(1, n) - 1, 0.0),
    "shifted": (lambda rng, n: rng.normal(SHIFT, 1, n), SHIFT),
}
"""Deltas by their kind, with their mean."""
TIES = 0.0, 0.5, 0.7, 0.9
RARE = 100
"""A cell is left out where one of this many comparisons has an interval, or fewer."""


def covered(kind: str, n: int, ties: float, draws: int) -> dict[str, float]:
    """Return the share of printed intervals that hold the mean, by test; none if they are rare."""
    rng, (draw, mean) = np.random.default_rng(1), DRAWN[kind]
    held, printed = dict.fromkeys(TESTS, 0), 0
    for tried in range(1, RARE * draws):
        deltas = np.where(rng.random(n) < ties, 0.0, draw(rng, n))
        ends = {test: interval(deltas, PairedTest(test, seed=tried)) for test in TESTS}
        if np.isnan(ends["t"]).any():
            continue
        printed += 1
        for test, (low, high) in ends.items():
            held[test] += low <= mean * (1 - ties) <= high
        if printed == draws:
            return {test: share / draws for test, share in held.items()}
    return {}


def mean_covered(kind: str, n: int, draws: int) -> float:
    """Return the share of intervals of the mean of n scores that hold the true mean."""
    rng, (draw, mean) = np.random.default_rng(1), DRAWN[kind]
    ends = (interval_of_scores(draw(rng, n)) for _ in range(draws))
    return sum(low <= mean <= high for low, high in ends) / draws


def kappa_covered(weights: str, n: int, draws: int) -> float:
    """Return the share of intervals of kappa over n queries that hold the true kappa."""
    rng = np.random.default_rng(n)
    true = cohen_kappa(*simulated(rng, 6_000), weights).coefficient
    found = (cohen_kappa(*simulated(rng, n), weights) for _ in range(draws))
    return sum(each.low <= true <= each.high for each in found) / draws


def main(argv: Sequence[str] | None = None) -> None:
    """Print a row for each cell."""
    parser = argparse.ArgumentParser(description="How often intervals hold the mean.")
    parser.add_argument("--draws", type=int, default=10_000)
    parser.add_argument("--queries", type=int, nargs="+", default=[10, 30, 150])
    args = parser.parse_args(argv)
    print("| deltas | ties | queries | randomisation | Student's t |\n|:--|--:|--:|--:|--:|")
    for kind in DRAWN:
        for ties in TIES:
            for n in args.queries:
                if found := covered(kind, n, ties, args.draws):
                    shares = " | ".join(f"{100 * share:.1f} %" for share in found.values())
                    print(f"| {kind} | {100 * ties:.0f} % | {n} | {shares} |", flush=True)
    print("\n| interval of | queries | holds |\n|:--|--:|--:|")
    ways = {f"mean of {kind} scores": partial(mean_covered, kind) for kind in DRAWN}
    ways |= {f"kappa, weights: {name}": partial(kappa_covered, name) for name in WEIGHTS}
    for name, way in ways.items():
        for n in args.queries:
            # Judges take a hundred times as long to make as scores.
            draws = args.draws if "mean" in name else max(1, args.draws // 10)
            print(f"| {name} | {n} | {100 * way(n, draws):.1f} % |", flush=True)


if __name__ == "__main__":
    main()
