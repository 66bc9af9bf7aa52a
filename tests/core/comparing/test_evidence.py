"""The evidence of a comparison is made of its deltas; the correction counts the measures."""

import math

import numpy as np
import pytest

from metrics import Qrels, Run, compare
from metrics.comparing.evidence import ALPHA, evidence
from metrics.comparing.significance import TESTS, effect, holm, interval
from metrics.teaching.samples import catalogue

MEASURES = ("nDCG@10", "AP", "RR", "P@10")


@pytest.fixture(scope="module")
def shop():
    dataset = catalogue()["shop"].load()
    return compare(dataset.qrels, *dataset.runs, MEASURES)


@pytest.mark.parametrize("test", TESTS)
def test_each_number_is_that_of_the_deltas(shop, test):
    found = evidence(shop, test=test, seed=5)
    values = [TESTS[test].p(shop.per_query(m)["delta"].to_numpy(), 5) for m in MEASURES]
    assert [each.p for each in found.values()] == values
    assert [each.corrected for each in found.values()] == holm(values)
    for measure, each in found.items():
        deltas = shop.per_query(measure)["delta"].to_numpy()
        assert (each.low, each.high) == interval(deltas, seed=5)
        assert each.low < each.delta < each.high
        assert each.effect == effect(deltas)
        assert each.queries == len(deltas) == each.wins + each.ties + each.losses
        assert each.sure == (each.corrected < ALPHA)


def test_fewer_measures_are_corrected_less(shop):
    alone = evidence(shop, ["RR"])["RR"]
    assert alone.corrected == alone.p == evidence(shop)["RR"].p <= evidence(shop)["RR"].corrected


def test_a_threshold_makes_ties(shop):
    deltas = shop.per_query("AP")["delta"].to_numpy()
    found = evidence(shop, ["AP"], tie=0.1)["AP"]
    assert found.ties == int((np.abs(deltas) <= 0.1).sum())
    assert found.wins == int((deltas > 0.1).sum())
    assert found.delta == evidence(shop, ["AP"])["AP"].delta


def test_a_run_against_itself_and_a_single_query():
    qrels = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    run = Run.from_dict({"q1": {"x": 2, "y": 1}, "q2": {"y": 2, "x": 1}})
    same = evidence(compare(qrels, run, run, "RR"))["RR"]
    assert (same.p, same.corrected, same.low, same.high) == (1.0, 1.0, 0.0, 0.0)
    one = Run.from_dict({"q1": {"y": 2, "x": 1}})
    single = evidence(compare(qrels, run, one, "RR"))["RR"]
    assert single.queries == 1
    assert all(map(math.isnan, (single.p, single.corrected, single.low, single.effect)))
    assert not single.sure
