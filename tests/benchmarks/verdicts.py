"""How often the verdict on two runs is right, where the full judgments are known.

    python -m tests.benchmarks.verdicts

Systems score each document by its grade and their own noise; who has less noise is better, by a
mean delta of nDCG@10 over the population of queries that is known. A pair of runs is compared on 50
queries of which only a pool is judged: the top 10 of run A, of both runs, or of three other
systems. Counted are the verdicts that call a run better: wrong ones, where it is not better in the
population, those on pairs without a difference, and those on pairs with twice the difference that
the queries can detect, where both runs are pooled.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from metrics import Pairing, Qrels, Run, compare
from metrics.arrays import Floats
from metrics.deciding.threats import detectable

SMALLEST = ("--pairs", "6", "--queries", "12")
MEASURE = "nDCG@10"
NOISE = 0.7, 0.85, 1.0, 1.2, 1.5
"""The standard deviations of the noise of the systems."""
POOLS = "of A", "of both", "of three others"
DOCUMENTS, DEPTH, POPULATION = 30, 10, 4_000


@dataclass(frozen=True)
class Compared:
    """One pair: its pool, the delta of the population, the detectable one, and the verdict."""

    pool: str
    delta: float
    detectable: float
    outcome: str

    @property
    def called(self) -> bool:
        """Whether a run is called better."""
        return self.outcome in ("A", "B")

    @property
    def wrong(self) -> bool:
        """Whether it is not better in the population."""
        return self.called and (self.delta if self.outcome == "B" else -self.delta) <= 0


def drawn(rng: np.random.Generator, queries: int) -> Floats:
    """Return ``(q, d)`` grades; each query has something relevant."""
    grades = rng.choice(4, (queries, DOCUMENTS), p=(0.7, 0.15, 0.1, 0.05)).astype(float)
    grades[:, 0] = np.maximum(grades[:, 0], 1)
    return grades


def run(rng: np.random.Generator, grades: Floats, noise: float, name: str = "") -> Run:
    """Return the run of a system."""
    return Run.from_dict(named(grades + rng.normal(0, noise, grades.shape)), name)


def named(table: Floats) -> dict[str, dict[str, float]]:
    """Return a table by query and document."""
    return {
        f"q{number}": {f"d{i}": value for i, value in enumerate(row)}
        for number, row in enumerate(table.tolist())
    }


@cache
def population(noise_a: float, noise_b: float) -> float:
    """Return the mean delta B − A over many queries; 0 for systems that are equally good."""
    if noise_a == noise_b:
        return 0.0
    rng = np.random.default_rng(7)
    grades = drawn(rng, POPULATION)
    a, b = (run(rng, grades, noise) for noise in (noise_a, noise_b))
    return compare(Qrels.from_dict(named(grades)), a, b, MEASURE).summary(MEASURE).delta


def pooled(grades: Floats, runs: Sequence[Run]) -> Qrels:
    """Return the grades of the documents in the top of any of these runs."""
    every, near = named(grades), [run.to_dict() for run in runs]
    return Qrels.from_dict(
        {
            query: {
                document: known[document]
                for scores in near
                for document in sorted(scores[query], key=scores[query].__getitem__)[-DEPTH:]
            }
            for query, known in every.items()
        }
    )


def pairs(number: int, queries: int, seed: int = 1) -> list[Compared]:
    """Return the verdicts on pairs of drawn systems, a third of them equally good."""
    rng, found = np.random.default_rng(seed), []
    for place in range(number):
        a, b = rng.choice(NOISE, 2) if place % 3 else np.repeat(rng.choice(NOISE), 2)
        grades, pool = drawn(rng, queries), POOLS[place // 3 % len(POOLS)]
        runs = run(rng, grades, a, "a"), run(rng, grades, b, "b")
        others = [run(rng, grades, 1.0) for _ in range(3)]
        judges = {"of A": runs[:1], "of both": runs, "of three others": others}[pool]
        of = Pairing.of(pooled(grades, judges), runs, MEASURE)
        least, delta = detectable(of.deltas), population(float(a), float(b))
        found.append(Compared(pool, delta, least, of.verdict.outcome))
    return found


def main(argv: Sequence[str] | None = None) -> None:
    """Print a row for each pool."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=2_000)
    parser.add_argument("--queries", type=int, default=50)
    args = parser.parse_args(argv)
    every = pairs(args.pairs, args.queries)
    print(
        "| pool | pairs | called | wrong, of the called | called of equals | of twice detectable |"
    )
    print("|:--|--:|--:|--:|--:|--:|")
    for pool in (*POOLS, ""):
        found = [each for each in every if pool in ("", each.pool)]
        called = [each.called for each in found]
        wrong = [each.wrong for each in found if each.called]
        equal = [each.called for each in found if each.delta == 0]
        large = [each.called for each in found if abs(each.delta) >= 2 * each.detectable]
        cells = " | ".join(_share(each) for each in (called, wrong, equal, large))
        print(f"| {pool or 'all'} | {len(found):,} | {cells} |")


def _share(of: Sequence[bool]) -> str:
    return f"{100 * sum(of) / len(of):.1f} % of {len(of)}" if of else "–"


if __name__ == "__main__":
    main()
