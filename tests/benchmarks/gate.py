"""How often `rankscope check` raises a false alarm, and how often it finds a drop.

    python -m tests.benchmarks.gate

The first table simulates the deltas of 200 queries, of which 30 % differ by normal noise with a
standard deviation of 0.15. For a mean drop of 0.02, each query loses another 0.2 with probability
10 %; and so on. It compares three rules: the mean drops by more than 0.01; it does, and
the paired randomisation test has p < 0.05 (the rule of `check`); the 95 % interval reaches below
−0.01.

The second part shakes the scores of one run twice, judges both versions, and checks one against the
other with `check` itself: every alarm is false.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from metrics import Qrels, Run, judge
from metrics.arrays import Floats
from metrics.comparing.evidence import interval
from metrics.comparing.significance import randomisation, without_noise
from metrics.deciding.regression import Finding, Rule, check

SMALLEST = ("--times", "5")

QUERIES, DIFFERING, SPREAD, AFFECTED = 200, 0.3, 0.15, 0.1
RULE = Rule()
DROPS = (0.0, 0.02, 0.03)


def deltas(rng: np.random.Generator, drop: float) -> Floats:
    """Return ``(200,)`` simulated differences with an expected mean of −drop."""
    noise = rng.normal(0, SPREAD, QUERIES) * (rng.random(QUERIES) < DIFFERING)
    lost = drop / AFFECTED * (rng.random(QUERIES) < AFFECTED)
    return without_noise(noise - lost)


def drops(found: Floats, rule: Rule = RULE) -> bool:
    """Return whether the mean drops by more than is allowed, tested or not."""
    return rule.judge(float(found.mean()), 1.0) is not Finding.HOLDS


def drops_and_tests(found: Floats, rule: Rule = RULE) -> bool:
    """Return what `check` decides."""
    # The test takes most of the time, and cannot make a regression of an allowed drop.
    return drops(found, rule) and (
        rule.judge(float(found.mean()), randomisation(found, rule.seed)) is Finding.REGRESSION
    )


def interval_reaches(found: Floats, rule: Rule = RULE) -> bool:
    """Return whether the interval contains a drop that is larger than allowed."""
    return interval(found)[0] < -rule.max_drop


RULES: dict[str, Callable[[Floats], bool]] = {
    f"mean drop > {RULE.max_drop:g}": drops,
    f"drop > {RULE.max_drop:g} and p < {RULE.alpha:g}": drops_and_tests,
    f"interval not above −{RULE.max_drop:g}": interval_reaches,
}


def rates(times: int, drop: float, seed: int = 1) -> dict[str, float]:
    """Return how often each rule fails a simulated comparison; all see the same ones."""
    rng = np.random.default_rng(seed)
    made = [deltas(rng, drop) for _ in range(times)]
    return {name: sum(map(fails, made)) / times for name, fails in RULES.items()}


@dataclass(frozen=True, eq=False)
class Collection:
    """Judgments and the scores of one system.

    Attributes
    ----------
    qrels
        The judgments.
    documents
        ``(d,)`` the ids that every query ranks.
    scores
        ``(q, d)`` the system's scores.
    """

    qrels: Qrels
    documents: tuple[str, ...]
    scores: Floats

    def run(self, scores: Floats) -> Run:
        """Return the run of these scores."""
        rows = zip(self.qrels.queries, scores.tolist(), strict=True)
        return Run.from_dict({q: dict(zip(self.documents, row, strict=True)) for q, row in rows})

    def shaken(self, rng: np.random.Generator, noise: float) -> Floats:
        """Return the scores with noise on those of 30 % of the queries."""
        changed = (rng.random(len(self.scores)) < DIFFERING)[:, None]
        return self.scores + rng.normal(0, noise, self.scores.shape) * changed


def collection(rng: np.random.Generator, queries: int = QUERIES, depth: int = 30) -> Collection:
    """Return judgments of 30 documents for each query, and scores that follow their grades."""
    documents = tuple(f"d{i}" for i in range(depth))
    grades = rng.choice(4, (queries, depth), p=(0.7, 0.15, 0.1, 0.05))
    # A query without a relevant document scores 0 in every run.
    grades[:, 0] = np.maximum(grades[:, 0], 1)
    qrels = Qrels.from_dict(
        {
            f"q{number}": dict(zip(documents, map(float, row), strict=True))
            for number, row in enumerate(grades.tolist())
        }
    )
    return Collection(qrels, documents, grades + rng.normal(0, 1, (queries, depth)))


def findings(
    times: int, seed: int = 1, *, queries: int = QUERIES, noise: float = 0.7
) -> Iterator[Finding]:
    """Yield what `check` finds for nDCG@10 of two shaken versions of the same system."""
    rng = np.random.default_rng(seed)
    made = collection(rng, queries)
    for _ in range(times):
        a, b = (judge(made.qrels, made.run(made.shaken(rng, noise))) for _ in range(2))
        found = check(a, b, ["nDCG@10"], RULE)
        yield found.measures[0].finding


def main(argv: Sequence[str] | None = None) -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--times", type=int, default=1000, help="comparisons of each kind")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    found = [rates(args.times, drop, args.seed) for drop in DROPS]
    print("| rule | false alarms | " + " | ".join(f"finds −{d:g}" for d in DROPS[1:]) + " |")
    print("|:--|" + "--:|" * len(DROPS))
    for name in RULES:
        print(f"| {name} | " + " | ".join(f"{each[name]:.1%}" for each in found) + " |")
    same = Counter(findings(args.times, args.seed))
    alarms, chance = same[Finding.REGRESSION], same[Finding.CHANCE]
    print(
        f"\n{args.times:,} checks of two shaken versions of one system: {alarms + chance} drop by "
        f"more than {RULE.max_drop:g}, {alarms} fail ({alarms / args.times:.1%})."
    )


if __name__ == "__main__":
    main()
