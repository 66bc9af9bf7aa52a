"""Deltas that are equal in exact arithmetic are equal in every number about them."""

import math
from functools import cache
from itertools import product
from statistics import fmean, stdev

import numpy as np
import pytest
import scipy

from metrics import Qrels, Run, compare
from metrics.comparing.evidence import evidence
from metrics.comparing.significance import DIFFERING, TESTS, wilcoxon, without_noise
from tests.cases import cases


def with_hits(hits, k):
    """A run with this many of each query's k relevant documents, above others."""
    ranked = {
        f"q{q}": {f"r{i}": 2 * k - i for i in range(n)} | {f"n{i}": -i for i in range(k - n)}
        for q, n in enumerate(hits)
    }
    return Run.from_dict(ranked)


def counted(a, b, k):
    """The comparison by P@k of runs with these numbers of hits."""
    qrels = Qrels.from_dict({f"q{q}": {f"r{i}": 1 for i in range(k)} for q in range(len(a))})
    return compare(qrels, with_hits(a, k), with_hits(b, k), f"P@{k}")


@cache
def every_sign(count):
    """Every way to sign this many values."""
    return np.array(list(product((1, -1), repeat=count)), int)


def flipped(values):
    """The p-value of a signed sum, by trying every way to sign the values."""
    sums = np.abs(every_sign(len(values)) @ np.array(values, int))
    return float((sums >= abs(sum(values))).mean())


def signed_ranks(values):
    """The exact signed ranks of whole numbers but 0, ties at their mean rank, times two."""
    values = [value for value in values if value]
    sizes = sorted(map(abs, values))
    last = {size: place for place, size in enumerate(sizes, 1)}
    return [(2 * last[abs(v)] - sizes.count(abs(v)) + 1) * (1 if v > 0 else -1) for v in values]


def of_scipy(values):
    """SciPy's p-value of the signed ranks; it tries all signs in one call, not in a call each."""
    one_by_one = scipy.stats.permutation_test

    def at_once(data, statistic, **choices):
        # What SciPy computes for one row of signs, it computes along the last axis of many.
        return one_by_one(data, lambda rows, axis: statistic(rows), vectorized=True, **choices)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scipy.stats, "permutation_test", at_once)
        return scipy.stats.wilcoxon(values).pvalue


def test_the_p_value_of_precision_is_that_of_its_counts():
    a, b = [0, 1, 2, 3, 1, 2, 0, 4, 3, 2, 1, 2], [1, 2, 3, 4, 3, 4, 1, 3, 2, 3, 2, 1]
    found = evidence(counted(a, b, 5), test="wilcoxon")["P@5"]
    assert found.p == pytest.approx(of_scipy(np.subtract(b, a)))
    assert found.p == pytest.approx(0.0869, abs=5e-5)


def test_nine_deltas_of_a_tenth_tie():
    deltas = [0.1] * 4 + [-0.1] + [0.09999999999999998] * 2 + [-0.09999999999999998] * 2
    whole = np.sign(deltas).astype(int).tolist()
    assert wilcoxon(np.array(deltas)) == flipped(signed_ranks(whole)) == 130 / 256
    assert TESTS["wilcoxon"].towards(np.array(deltas)) == sum(signed_ranks(whole)) / 2 == 15


def test_only_rounding_is_taken_away():
    deltas = np.array([0.3, -0.3, 0.3 + 1e-7, 1e-16, -1e-8, 5.0])
    assert without_noise(deltas).tolist() == [0.3, -0.3, 0.3 + 1e-7, 0.0, -1e-8, 5.0]
    assert without_noise(np.zeros(0)).tolist() == []
    # Scores in the millions have fewer digits after the point.
    assert without_noise(np.array([1e-7, 2.0, 2.0 + 1e-7]), 1e6).tolist() == [0.0, 2.0, 2.0]


def compared(seed):
    """Two random runs with heavy ties among their deltas, and the deltas times k."""
    rng = np.random.default_rng(seed)
    # SciPy goes through all 2ⁿ signs, one at a time.
    most = 13 if seed % 10 == 0 else 10
    n, k = int(rng.integers(2, most)), int(rng.choice([1, 3, 5, 7, 10]))
    a, b = rng.integers(0, k + 1, (2, n))
    b = np.where(rng.random(n) < 0.3, a, b)
    return counted(a.tolist(), b.tolist(), k), a, b, k


@cases("hundred", range(5))
def test_500_comparisons_with_ties_agree_with_exact_arithmetic_and_scipy(hundred):
    for seed in range(100 * hundred, 100 * hundred + 100):
        comparison, a, b, k = compared(seed)
        whole = (b - a).tolist()
        rows = {test: evidence(comparison, test=test)[f"P@{k}"] for test in TESTS}
        for found in rows.values():
            assert found.mean_a == pytest.approx(fmean(a) / k)
            assert found.delta == pytest.approx(fmean(whole) / k)
            assert found.wins == sum(each > 0 for each in whole)
            assert found.ties == sum(each == 0 for each in whole)
            assert found.losses == sum(each < 0 for each in whole)
        same, found = len(set(whole)) == 1, rows["t"]
        bounded = sum(each != 0 for each in whole) >= DIFFERING
        assert math.isnan(found.low) == math.isnan(found.high) == (not bounded)
        if same:
            assert math.isnan(found.effect)
            if bounded:
                assert (found.low, found.high) == pytest.approx((found.delta, found.delta))
        else:
            assert found.effect == pytest.approx(fmean(whole) / stdev(whole))
            theirs = scipy.stats.ttest_1samp(whole, 0.0)
            assert rows["t"].p == pytest.approx(theirs.pvalue)
            ends = theirs.confidence_interval(0.95)
            if bounded:
                assert (found.low, found.high) == pytest.approx((ends.low / k, ends.high / k))
        assert rows["randomisation"].p == pytest.approx(flipped(whole))
        ranks = signed_ranks(whole)
        assert np.sign(rows["wilcoxon"].towards) == np.sign(sum(ranks))
        if ranks:
            assert rows["wilcoxon"].p == pytest.approx(of_scipy(whole))
            assert rows["wilcoxon"].p == pytest.approx(flipped(ranks))
