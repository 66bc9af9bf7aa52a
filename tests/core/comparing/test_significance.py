"""Tests, intervals and corrections against scipy and statsmodels, and by simulation."""

import json
import math
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np
import pytest
import scipy

from metrics.comparing import significance
from metrics.comparing.evidence import interval
from metrics.comparing.significance import (
    EXACT,
    NONE,
    SAMPLES,
    TESTS,
    effect,
    holm,
    not_rejected,
    paired_t,
    randomisation,
    student,
    wilcoxon,
)
from tests.cases import cases

TESTED = [name for name in TESTS if name != NONE]

# Recorded with statsmodels' multipletests(method="holm").
HOLM = json.loads((Path(__file__).parents[2] / "data" / "holm_statsmodels.json").read_text("utf-8"))


def drawn(seed, n, shift=0.05):
    """Realistic deltas: many zeros, small steps, a few large ones."""
    rng = np.random.default_rng(seed)
    values = rng.normal(shift, 0.2, n).round(1)
    return np.where(rng.random(n) < 0.2, 0.0, values)


@cases("seed", range(12))
def test_the_exact_randomisation_is_scipy_s(seed):
    deltas = drawn(seed, 2 + seed)
    theirs = scipy.stats.permutation_test(
        (deltas,), np.mean, permutation_type="samples", n_resamples=np.inf
    )
    assert randomisation(deltas) == pytest.approx(theirs.pvalue)


@cases("seed", range(6))
def test_the_exact_randomisation_tries_every_swap(seed):
    deltas = drawn(seed, 7)
    size = abs(math.fsum(deltas))
    signs = list(product((1, -1), repeat=len(deltas)))
    as_large = sum(
        abs(math.fsum(s * d for s, d in zip(each, deltas, strict=True))) >= size - 1e-12
        for each in signs
    )
    assert randomisation(deltas) == as_large / len(signs)


@cases("n", [2 * EXACT, 60, 400])
def test_drawn_randomisation_agrees_with_scipy_and_keeps_its_seed(n):
    deltas = drawn(n, n, 0.04)
    ours = randomisation(deltas, seed=3)
    assert ours == randomisation(deltas, seed=3)
    assert ours != randomisation(deltas, seed=4) or ours <= 2 / (SAMPLES + 1)
    theirs = scipy.stats.permutation_test(
        (deltas,), np.mean, permutation_type="samples", n_resamples=SAMPLES, batch=500, rng=1
    ).pvalue
    # Two draws of 9,999: the difference is within five of its standard errors.
    error = 5 * math.sqrt(2 * max(theirs * (1 - theirs), 1e-4) / SAMPLES)
    assert ours == pytest.approx(theirs, abs=error)
    assert ours * (SAMPLES + 1) == pytest.approx(round(ours * (SAMPLES + 1)))
    assert ours >= 1 / (SAMPLES + 1)


@cases("seed", range(5))
def test_t_and_wilcoxon_are_scipy_s_on_the_pairs(seed):
    rng = np.random.default_rng(seed)
    a, b = rng.random(25), rng.random(25)
    assert paired_t(b - a) == pytest.approx(scipy.stats.ttest_rel(b, a).pvalue)
    assert wilcoxon(b - a) == pytest.approx(scipy.stats.wilcoxon(b, a).pvalue)


def counted(values):
    """The exact share of signed sums of whole numbers that are as large, by counting each sum."""
    ways = {0: 1}
    for value in values:
        signed = Counter()
        for total, many in ways.items():
            signed[total + value] += many
            signed[total - value] += many
        ways = signed
    size = abs(sum(values))
    return sum(many for total, many in ways.items() if abs(total) >= size) / 2 ** len(values)


@cases("k", [5, 10, 60])
@cases("n", [17, 21, EXACT - 1, EXACT])
def test_the_randomisation_of_many_tied_deltas_is_exact(n, k):
    """P@5, P@10, and RR at ranks 1 to 6 in sixtieths; zeros beside them change nothing."""
    rng = np.random.default_rng([n, k])
    steps = [60, 30, 20, 15, 12, 10] if k == 60 else range(1, k + 1)
    whole = rng.choice(steps, n) * rng.choice([1, 1, -1], n)
    deltas = np.append(whole, np.zeros(9)) / k
    assert randomisation(deltas) == counted(whole.tolist())


@cases("zeros", [0, 8, 9, 15, 400])
def test_zeros_do_not_change_wilcoxon_s_p(zeros):
    deltas = np.array([0.5, 2 / 3, 0.75, 0.8, 5 / 6] + [0.0] * zeros)
    assert wilcoxon(deltas) == 0.0625


@cases("n", [14, 30, 60])
@cases("steps", [2, 10])
def test_wilcoxon_s_p_is_exact_with_equal_sizes(n, steps):
    rng = np.random.default_rng([n, steps])
    deltas = rng.integers(1, steps + 1, n) * rng.choice([1, 1, -1], n)
    ranks = (2 * scipy.stats.rankdata(np.abs(deltas)) * np.sign(deltas)).astype(int)
    assert wilcoxon(deltas / 10) == pytest.approx(counted(ranks.tolist()), rel=1e-9)


def test_beyond_the_most_that_are_counted_wilcoxon_s_p_is_nearly_exact(monkeypatch):
    deltas = drawn(4, 900, 0.012)
    nearly = wilcoxon(deltas)
    monkeypatch.setattr(significance, "_RANKED", 900)
    assert 0.001 < nearly < 0.5
    assert nearly == pytest.approx(wilcoxon(deltas), rel=2e-3)


@cases(("least", "most"), [(6, 16), (17, 36), (60, 300)])
def test_the_interval_excludes_0_where_the_randomisation_is_sure(least, most):
    """Up to 16 queries, and above 36 differing ones, test and interval look at the same parts."""
    rng, sure = np.random.default_rng(most), 0
    for _ in range(150):
        n = int(rng.integers(least, most + 1))
        deltas = np.where(rng.random(n) < 0.1, 0.0, rng.normal(0.6 / math.sqrt(n), 0.3, n).round(1))
        low, high = not_rejected(deltas)
        p = randomisation(deltas)
        if most != 36 or abs(p - 0.05) > 0.01:
            assert (p < 0.05) == (low > 0 or high < 0)
        sure += p < 0.05
    assert 15 < sure < 135


def test_the_interval_has_the_means_that_the_test_does_not_reject():
    deltas = drawn(7, 12, 0.1)
    low, high = not_rejected(deltas)
    for mean in np.linspace(low + 1e-6, high - 1e-6, 9):
        assert randomisation(deltas - mean) >= 0.05
    assert randomisation(deltas - low + 1e-6) < 0.05
    assert randomisation(deltas - high - 1e-6) < 0.05
    assert all(map(math.isnan, not_rejected(deltas[:5])))


@cases("name", TESTED)
def test_identical_runs_have_p_1_and_the_sign_does_not_matter(name):
    p = TESTS[name].p
    assert p(np.zeros(30), 0) == 1.0
    deltas = drawn(1, 40)
    assert p(deltas, 0) == pytest.approx(p(-deltas, 0), rel=0.1)
    assert 0 < p(deltas, 0) <= 1


@cases("name", TESTED)
def test_without_a_difference_p_is_below_0_05_in_one_of_twenty(name):
    """1,000 pairs of runs that do not differ: the share is within four standard errors."""
    rng = np.random.default_rng(5)
    values = [TESTS[name].p(rng.normal(0, 0.2, 15), 0) for _ in range(1000)]
    share = np.mean(np.array(values) <= 0.05)
    assert share == pytest.approx(0.05, abs=4 * math.sqrt(0.05 * 0.95 / 1000))


@cases(
    ("shape", "n"),
    [
        ("normal", 10),
        ("normal", 30),
        ("normal", 100),
        ("normal", 1000),
        ("steps", 10),
        ("steps", 30),
        ("steps", 100),
        ("steps", 1000),
        ("precision", 10),
        ("precision", 30),
        ("precision", 100),
        ("precision", 1000),
        ("half zero", 10),
        ("half zero", 30),
        ("half zero", 100),
        ("half zero", 1000),
        ("skewed", 100),
        ("skewed", 300),
        ("skewed", 1000),
    ],
)
def test_95_of_100_intervals_hold_the_mean(shape, n):
    rng = np.random.default_rng(11)
    draw = {
        "normal": lambda: rng.normal(0.05, 0.2, n),
        "steps": lambda: rng.choice([-0.1, 0, 0, 0, 0.1, 0.2], n),
        "precision": lambda: (rng.binomial(10, 0.35, n) - rng.binomial(10, 0.3, n)) / 10,
        "half zero": lambda: rng.normal(0.1, 1, n) * (rng.random(n) < 0.5),
        "skewed": lambda: rng.exponential(0.05, n) * (rng.random(n) < 0.7),
    }[shape]
    mean = {"steps": 0.2 / 6, "skewed": 0.035}.get(shape, 0.05)
    intervals = [student(draw()) for _ in range(2000)]
    share = np.mean([low <= mean <= high for low, high in intervals])
    assert 0.93 <= share <= 0.97


@cases("ties", [0, 0.5, 0.7])
@cases("n", [10, 30])
def test_the_interval_holds_the_mean_also_with_many_ties(n, ties):
    """Given that at least 6 queries differ; `python -m tests.benchmarks.coverage` tries more."""
    rng, held, printed = np.random.default_rng(n), 0, 0
    while printed < 1000:
        deltas = np.where(rng.random(n) < ties, 0.0, rng.normal(0, 0.2, n))
        low, high = interval(deltas)
        printed += not math.isnan(low)
        held += low <= 0 <= high
    assert held / printed >= 0.93


def test_whole_numbers_are_drawn_as_their_floats_are():
    whole = np.arange(-30, 60)
    assert randomisation(whole) == randomisation(whole.astype(float))
    assert not_rejected(whole) == not_rejected(whole.astype(float))


def test_fewer_than_six_differing_queries_have_no_interval():
    deltas = np.array([0.3, 0.2, 0.1, 0.4, 0.2, *[0.0] * 25])
    assert all(map(math.isnan, interval(deltas)))
    assert interval(np.append(deltas, 0.1))[0] > 0


@cases("level", [0.5, 0.95, 0.999])
def test_an_interval_is_scipy_s(level):
    deltas = drawn(2, 50)
    theirs = scipy.stats.ttest_1samp(deltas, 0.0).confidence_interval(level)
    assert student(deltas, level=level) == pytest.approx((theirs.low, theirs.high))


def test_few_or_equal_deltas():
    assert all(map(math.isnan, student(np.array([0.3]))))
    assert math.isnan(effect(np.array([0.3])))
    assert math.isnan(effect(np.full(4, 0.3)))
    assert math.isnan(effect(np.array([0.3, 0.1 + 0.2, 0.3])))
    assert student(np.full(4, 0.3)) == (0.3, 0.3)
    assert randomisation(np.array([0.3])) == 1.0
    assert effect(np.array([0.1, 0.3])) == pytest.approx(0.2 / np.std([0.1, 0.3], ddof=1))


@cases("case", HOLM)
def test_holm_is_statsmodels(case):
    assert holm(case["p"]) == pytest.approx(case["holm"], rel=1e-12)


def test_holm_ignores_missing_p_values():
    corrected = holm([0.01, math.nan, 0.03])
    assert corrected[0] == 0.02
    assert math.isnan(corrected[1])
    assert corrected[2] == 0.03
    assert holm([]) == []


def test_a_test_can_favour_the_run_with_the_lower_mean():
    """Nineteen small losses and one large win: the ranks favour A, the mean favours B."""
    deltas = np.array([-0.01 - i / 1000 for i in range(19)] + [0.9])
    assert deltas.mean() > 0
    assert {name: np.sign(test.towards(deltas)) for name, test in TESTS.items()} == {
        "randomisation": 1,
        "t": 1,
        "wilcoxon": -1,
        NONE: 1,
    }
    assert TESTS["wilcoxon"].p(deltas, 0) < 0.05
    assert all(test.towards(-deltas) == -test.towards(deltas) for test in TESTS.values())
