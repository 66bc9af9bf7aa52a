"""The delta of two runs under a judge's errors, against a plain loop."""

import numpy as np
import pytest

from metrics import MeasureError, Qrels, Run, compare, judge_noise
from metrics.agreement import judge_noise as module
from metrics.agreement.judge_noise import UnderNoise, under_noise
from metrics.teaching.samples import catalogue

SAMPLE = catalogue()["two-judges"].load()
PERSON, (MODEL,) = SAMPLE.qrels, SAMPLE.judges


def test_the_deltas_are_those_of_the_draws(monkeypatch):
    monkeypatch.setattr(module, "DRAWS", 12)
    monkeypatch.setattr(module, "FEWEST", 12)
    found = under_noise(MODEL, PERSON, *SAMPLE.runs, "nDCG@10", seed=3)
    expected = [
        compare(drawn, *SAMPLE.runs, "nDCG@10").summary("nDCG@10").delta
        for drawn in judge_noise(MODEL, PERSON).draws(MODEL, 12, 3)
    ]
    assert found.deltas.tolist() == expected
    assert found.mean == pytest.approx(np.mean(expected))
    assert found.ahead == sum(delta > 0 for delta in expected) / 12
    low, high = found.interval()
    assert min(expected) <= low <= found.mean <= high <= max(expected)
    again = under_noise(MODEL, PERSON, *SAMPLE.runs, "nDCG@10", seed=3)
    assert again.deltas.tolist() == expected


def test_the_interval_cuts_an_equal_share_of_the_draws_off_at_each_end():
    found = UnderNoise(np.random.default_rng(1).permutation(1001) - 400.0, 0)
    assert found.interval() == pytest.approx((-375, 575))
    assert found.interval(0.8) == pytest.approx((-300, 500))
    assert found.interval(1) == (-400, 600)
    assert found.mean == 100
    # A draw in which neither is ahead is not one in which B is.
    assert found.ahead == 600 / 1001


def test_a_judge_without_errors_gives_the_delta_itself(monkeypatch):
    monkeypatch.setattr(module, "DRAWS", 5)
    monkeypatch.setattr(module, "FEWEST", 5)
    found = under_noise(PERSON, PERSON, *SAMPLE.runs, "nDCG@10")
    delta = compare(PERSON, *SAMPLE.runs, "nDCG@10").summary("nDCG@10").delta
    assert set(found.deltas.tolist()) == {delta}
    assert found.interval() == (delta, delta)
    assert found.kept == 0


def test_large_data_have_fewer_draws_and_huge_ones_none(monkeypatch):
    qrels = Qrels.from_dict({"q": {"x": 1, "y": 0}})
    run = Run.from_dict({"q": {"x": 1, "y": 0}})
    for rows, draws in ((6, 500), (6_000_000, 50)):
        monkeypatch.setattr(module, "ROWS", rows)
        assert len(under_noise(qrels, qrels, run, run, "P@1").deltas) in (500, draws)
    monkeypatch.setattr(module, "ROWS", 5)
    assert under_noise(qrels, qrels, run, run, "P@1") is None


def test_measures_that_cannot_be_computed_are_refused():
    with pytest.raises(MeasureError):
        under_noise(MODEL, PERSON, *SAMPLE.runs, "nothing@10")
