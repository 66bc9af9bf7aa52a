"""The rule of `check` seldom fails two versions of one system, and finds a real drop."""

from collections import Counter

from metrics.deciding.regression import Ruling
from tests.benchmarks import verdicts
from tests.benchmarks.gate import DROPS, POOLED, RULES, findings, pooled, rates


def test_two_versions_of_one_system_seldom_fail():
    found = Counter(findings(100, queries=60))
    # In so few queries the mean alone often drops by more than is allowed.
    assert found[Ruling.CHANCE] >= 10
    # At most half of alpha is expected: 2.5 of 100.
    assert found[Ruling.REGRESSION] <= 5


def test_a_pool_of_the_baseline_fails_no_good_system_and_passes_no_junk():
    found = {name: pooled(5, new_run, queries=60) for name, new_run in POOLED.items()}
    good = found["another system, as good"]
    # With unjudged documents simply at 0, each of them failed.
    assert (good.loose, good.outcomes[Ruling.REGRESSION]) == (5, 0)
    assert found["another system, far worse"].outcomes[Ruling.REGRESSION] >= 4
    for name, junk in found.items():
        if "junk" in name:
            assert junk.outcomes[Ruling.HOLDS] == 0


def test_the_rule_trades_few_false_alarms_for_little_power():
    none, small, large = (rates(150, drop) for drop in DROPS)
    drop, both, interval = RULES
    assert none[both] <= none[drop] <= none[interval]
    assert none[both] <= 0.05
    assert none[interval] > 0.4
    assert small[both] > 0.65
    assert large[both] > 0.85


def test_verdicts_are_seldom_wrong_and_find_large_differences_where_both_runs_are_pooled(
    monkeypatch,
):
    monkeypatch.setattr(verdicts, "NOISE", (0.7, 1.5))
    monkeypatch.setattr(verdicts, "POPULATION", 500)
    found = verdicts.pairs(36, 40)
    called = [each for each in found if each.called]
    assert len(called) >= 5
    assert sum(each.wrong for each in called) <= 1
    # What only one run's pool judged is never decided.
    assert not any(each.called for each in found if each.pool == "of A")
    both = [each for each in found if each.pool == "of both"]
    large = [each for each in both if abs(each.delta) >= 2 * each.detectable]
    assert len(large) >= 3
    assert all(each.called and not each.wrong for each in large)
