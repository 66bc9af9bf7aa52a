"""The evidence of a comparison equals numbers computed by hand and by scipy."""

import math
from statistics import fmean, stdev

import numpy as np
import pytest
import scipy

from metrics import MeasureError, Qrels, Run, compare, evaluate
from metrics.comparing.evidence import evidence
from metrics.comparing.significance import not_rejected
from metrics.defaults import SEED
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.core.comparing.test_significance import counted

MEASURES = ("nDCG@10", "AP", "RR", "P@10")
SHOP = catalogue()["shop"].load()


@pytest.fixture(scope="module")
def shop():
    return compare(SHOP.qrels, *SHOP.runs, MEASURES)


def scores_of(measure):
    """Each query's score under A and under B, from two evaluations."""
    return (evaluate(SHOP.qrels, run, measure).per_query[measure] for run in SHOP.runs)


def at_ranks(ranks):
    """A run whose only relevant document has this rank in each query."""
    return Run.from_dict(
        {
            f"q{number}": {"x" if place == rank else f"u{place}": -place for place in range(1, 9)}
            for number, rank in enumerate(ranks)
        }
    )


@cases(("test", "p"), [("randomisation", 4 / 16), ("t", 0.15955285), ("wilcoxon", 4 / 16)])
def test_five_queries_have_the_evidence_computed_by_hand(test, p):
    qrels = Qrels.from_dict({f"q{number}": {"x": 1} for number in range(5)})
    # RR: 1/2 → 1, 1/4 → 1/2, 1/4 → 1/8, 1 → 1, 1/8 → 1/2.
    a, b = at_ranks([2, 4, 4, 1, 8]), at_ranks([1, 2, 8, 1, 2])
    found = evidence(compare(qrels, a, b, "RR"), test=test, tie=0.125)["RR"]
    assert (found.mean_a, found.mean_b, found.delta) == (0.425, 0.625, 0.2)
    assert (found.wins, found.ties, found.losses, found.queries) == (3, 2, 0, 5)
    assert found.relative == pytest.approx(0.2 / 0.425)
    # Of all signs of 0.5, 0.375, 0.25 and 0.125 four sum to 1.0 or more, on either side; of the
    # signed ranks 4, 3, 2 and −1 likewise.
    assert found.p == found.corrected == pytest.approx(p)
    # Squares around the mean: 0.09 + 0.0025 + 0.105625 + 0.04 + 0.030625 = 0.26875, over 4.
    assert found.effect == pytest.approx(0.2 / math.sqrt(0.26875 / 4))
    assert not found.sure


@cases("measure", MEASURES)
def test_the_tests_agree_with_scipy_s(shop, measure):
    a, b = scores_of(measure)
    rows = {test: evidence(shop, test=test, seed=5)[measure] for test in ("randomisation", "t")}
    rows["wilcoxon"] = evidence(shop, test="wilcoxon")[measure]
    assert rows["t"].p == pytest.approx(scipy.stats.ttest_rel(b, a).pvalue)
    deltas = (b - a).round(9).to_numpy()
    ranks = scipy.stats.rankdata(np.abs(deltas[deltas != 0])) * np.sign(deltas[deltas != 0])
    # SciPy's own p of tied ranks is that of the normal distribution.
    assert rows["wilcoxon"].p == pytest.approx(counted((2 * ranks).astype(int).tolist()))
    swapped = scipy.stats.permutation_test(
        (b.to_numpy(), a.to_numpy()),
        lambda one, other: np.mean(one - other, axis=-1),
        permutation_type="samples",
        vectorized=False,
        n_resamples=4_000,
        rng=np.random.default_rng(1),
    )
    assert rows["randomisation"].p == pytest.approx(swapped.pvalue, abs=0.02)
    for found in rows.values():
        assert found.delta == pytest.approx(fmean(b - a))
        assert found.effect == pytest.approx(fmean(b - a) / stdev(b - a))
        assert found.queries == len(a) == found.wins + found.ties + found.losses
    half = scipy.stats.t.ppf(0.975, len(a) - 1) * stdev(b - a) / math.sqrt(len(a))
    ends = pytest.approx((found.delta - half, found.delta + half))
    assert (rows["t"].low, rows["t"].high) == ends
    for test, seed in (("randomisation", 5), ("wilcoxon", SEED)):
        assert (rows[test].low, rows[test].high) == pytest.approx(not_rejected(deltas, seed))


@cases("test", ["randomisation", "t", "wilcoxon"])
def test_the_first_measure_is_tested_alone_and_the_others_together(shop, test):
    primary, *found = evidence(shop, test=test).values()
    assert primary.corrected == primary.p
    for each in found:
        # Holm: the smallest times 3, the next times 2, …; none is below one before it.
        before = [other.p for other in found if other.p <= each.p]
        stepped = [p * (3 - sum(other.p < p for other in found)) for p in before]
        assert each.corrected == pytest.approx(min(1.0, max(stepped)))
        assert each.sure == (each.corrected < 0.05)


def test_fewer_measures_are_corrected_less(shop):
    alone = evidence(shop, ["RR"])["RR"]
    assert alone.corrected == alone.p == evidence(shop)["RR"].p <= evidence(shop)["RR"].corrected


def test_deltas_up_to_the_threshold_are_ties(shop):
    deltas = shop.per_query("AP")["delta"].to_numpy()
    found = evidence(shop, ["AP"], tie=0.1)["AP"]
    assert found.ties == int((np.abs(deltas) <= 0.1).sum())
    assert found.wins == int((deltas > 0.1).sum())
    assert found.delta == evidence(shop, ["AP"])["AP"].delta


def test_a_run_against_itself_and_a_single_query():
    qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    run = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    same = evidence(compare(qrels, run, run, "RR"))["RR"]
    assert (same.p, same.corrected) == (1.0, 1.0)
    assert all(map(math.isnan, (same.low, same.high)))
    one = Run.from_dict({"q1": {"y": 2, "x": 1}})
    single = evidence(compare(qrels, run, one, "RR"))["RR"]
    assert single.queries == 1
    assert all(map(math.isnan, (single.p, single.corrected, single.low, single.effect)))
    assert not single.sure


def test_a_test_that_is_not_known_is_refused_with_those_that_are():
    qrels = {"q": {"x": 1}}
    with pytest.raises(MeasureError, match=r"'Student'.*randomisation"):
        evidence(compare(qrels, qrels, qrels, "RR"), test="Student")
