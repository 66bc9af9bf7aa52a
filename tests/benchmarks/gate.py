"""How often `rankscope check` raises a false alarm, and how often it finds a drop.

    python -m tests.benchmarks.gate

The first table simulates the deltas of 200 queries, of which 30 % differ by normal noise with a
standard deviation of 0.15. For a mean drop of 0.02, each query loses another 0.2 with probability
10 %; and so on. It compares three rules: the mean drops by more than 0.01; it does, and
the paired randomisation test has p < 0.05 (the rule of `check`); the 95 % interval reaches below
−0.01.

The second part shakes the scores of one run twice, judges both versions, and checks one against the
other with `check` itself: every alarm is false.

The third part has the bias of a pool: only the baseline's top 10 is judged, and the new run is
another version of it, another system, or the baseline below junk.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from metrics import Qrels, Run, compare, match
from metrics.arrays import Floats
from metrics.comparing.evidence import interval
from metrics.comparing.significance import randomisation, without_noise
from metrics.deciding.regression import Rule, Ruling, check

SMALLEST = ("--times", "5")

QUERIES, DIFFERING, SPREAD, AFFECTED = 200, 0.3, 0.15, 0.1
RULE = Rule()
DROPS = (0.0, 0.02, 0.03)
ANSWERS = (Ruling.HOLDS, Ruling.REGRESSION, Ruling.CANNOT_TELL)


def deltas(rng: np.random.Generator, drop: float) -> Floats:
    """Return ``(200,)`` simulated differences with an expected mean of −drop."""
    noise = rng.normal(0, SPREAD, QUERIES) * (rng.random(QUERIES) < DIFFERING)
    lost = drop / AFFECTED * (rng.random(QUERIES) < AFFECTED)
    return without_noise(noise - lost)


def drops(found: Floats, rule: Rule = RULE) -> bool:
    """Return whether the mean drops by more than is allowed, tested or not."""
    return rule.ruling(float(found.mean()), 1.0) is not Ruling.HOLDS


def drops_and_tests(found: Floats, rule: Rule = RULE) -> bool:
    """Return what `check` decides."""
    # The test takes most of the time, and cannot make a regression of an allowed drop.
    return drops(found, rule) and (
        rule.ruling(float(found.mean()), randomisation(found, rule.seed)) is Ruling.REGRESSION
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
    scores, grades
        ``(q, d)`` the system's scores, and the grades.
    """

    qrels: Qrels
    documents: tuple[str, ...]
    scores: Floats
    grades: Floats

    def run(self, scores: Floats) -> Run:
        """Return the run of these scores."""
        rows = zip(self.qrels.queries, scores.tolist(), strict=True)
        return Run.from_dict({q: dict(zip(self.documents, row, strict=True)) for q, row in rows})

    def pool(self, depth: int) -> Qrels:
        """Return the judgments of the system's first documents alone."""
        top = np.argsort(-self.scores, axis=1)[:, :depth]
        return Qrels.from_dict(
            {
                query: {self.documents[i]: float(grades[i]) for i in near}
                for query, near, grades in zip(
                    self.qrels.queries, top.tolist(), self.grades, strict=True
                )
            }
        )

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
    return Collection(qrels, documents, grades + rng.normal(0, 1, (queries, depth)), grades)


def findings(
    times: int, seed: int = 1, *, queries: int = QUERIES, noise: float = 0.7
) -> Iterator[Ruling]:
    """Yield what `check` finds for nDCG@10 of two shaken versions of the same system."""
    rng = np.random.default_rng(seed)
    made = collection(rng, queries)
    for _ in range(times):
        a, b = (match(made.qrels, made.run(made.shaken(rng, noise))) for _ in range(2))
        found = check(a, b, ["nDCG@10"], RULE)
        yield found.measures[0].finding


@dataclass(frozen=True)
class Answers:
    """What `check` answers where only the baseline was pooled.

    Attributes
    ----------
    delta
        The mean delta of nDCG@10 under all judgments.
    outcomes
        How often each answer is given.
    loose
        How often it fails if any gap between the unjudged shares is allowed.
    """

    delta: float
    outcomes: Counter[Ruling]
    loose: int


def _shaken(made: Collection, rng: np.random.Generator) -> Run:
    return made.run(made.shaken(rng, 0.7))


def _other(made: Collection, rng: np.random.Generator, noise: float = 1.0) -> Run:
    return made.run(made.grades + rng.normal(0, noise, made.grades.shape))


def _broken(made: Collection, rng: np.random.Generator, share: float = 0.15) -> Run:
    """Shake the scores, and mix the first ten documents of a share of the queries."""
    scores = made.shaken(rng, 0.7)
    for row in np.flatnonzero(rng.random(len(scores)) < share):
        near = np.argsort(-scores[row])[:10]
        scores[row, near] = scores[row, rng.permutation(near)]
    return made.run(scores)


def _below_junk(made: Collection, rng: np.random.Generator, junk: int = 3) -> Run:
    above = {f"junk{i}": 99.0 + i for i in range(junk)}
    scores = made.run(made.scores).to_dict()
    return Run.from_dict({query: above | documents for query, documents in scores.items()})


POOLED: dict[str, Callable[[Collection, np.random.Generator], Run]] = {
    "the baseline, shaken": _shaken,
    "the same, and 15 % of the queries mixed up": _broken,
    "another system, as good": _other,
    "another system, worse": partial(_other, noise=1.5),
    "another system, far worse": partial(_other, noise=2.5),
    "the baseline below 1 junk document": partial(_below_junk, junk=1),
    "the baseline below 10 junk documents": partial(_below_junk, junk=10),
}
"""The new runs of the third part."""


def pooled(
    times: int,
    new_run: Callable[[Collection, np.random.Generator], Run],
    seed: int = 1,
    *,
    queries: int = QUERIES,
) -> Answers:
    """Return what `check` answers on a new run where only the baseline's top 10 is judged."""
    rng, found, deltas, loose = np.random.default_rng(seed), Counter[Ruling](), [], 0
    for _ in range(times):
        made = collection(rng, queries)
        base, new = made.run(made.scores), new_run(made, rng)
        sides = [match(made.pool(10), run) for run in (base, new)]
        found[check(*sides, ["nDCG@10"], RULE).outcome] += 1
        loose += check(*sides, ["nDCG@10"], Rule(max_gap=1)).outcome is Ruling.REGRESSION
        deltas.append(compare(made.qrels, base, new, "nDCG@10").summary("nDCG@10").delta)
    return Answers(float(np.mean(deltas)), found, loose)


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
    print("\nOnly the baseline is pooled, to depth 10:\n")
    print("| new run | true delta | 0 | 1 | 5 | 1 with any gap |\n|:--|--:|--:|--:|--:|--:|")
    for name, new_run in POOLED.items():
        made = pooled(args.times, new_run, args.seed)
        shares = (made.outcomes[each] for each in ANSWERS)
        cells = (f"{n / made.outcomes.total():.1%}" for n in (*shares, made.loose))
        print(f"| {name} | {made.delta:+.4f} | {' | '.join(cells)} |")
    same = Counter(findings(args.times, args.seed))
    alarms, chance = same[Ruling.REGRESSION], same[Ruling.CHANCE]
    print(
        f"\n{args.times:,} checks of two shaken versions of one system: {alarms + chance} drop by "
        f"more than {RULE.max_drop:g}, {alarms} fail ({alarms / args.times:.1%})."
    )


if __name__ == "__main__":
    main()
