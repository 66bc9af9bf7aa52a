"""A leaderboard has the numbers of its pairs, over the queries that all runs have."""

from itertools import combinations

import numpy as np
import pytest

from metrics import DataError, Qrels, Run, compare, evaluate
from metrics.comparing.evidence import ALPHA, PairedTest, uncorrected
from metrics.comparing.fusion import VIRTUAL
from metrics.comparing.leaderboard import MOST, leaderboard
from metrics.comparing.significance import NONE, TESTS, holm, interval
from metrics.teaching.samples import catalogue

MEASURE = "nDCG@10"


@pytest.fixture(scope="module")
def shop():
    dataset = catalogue()["shop"].load()
    made = [VIRTUAL[key].make(dataset.qrels, dataset.runs) for key in ("ideal", "ties", "rrf")]
    return dataset.qrels, {run.name: run for run in [*dataset.runs, *made]}


def board_of(qrels, runs, **asked):
    scores = {name: evaluate(qrels, run, MEASURE) for name, run in runs.items()}
    return leaderboard(scores, MEASURE, PairedTest(**asked))


@pytest.mark.parametrize("test", [name for name in TESTS if name != NONE])
def test_every_pair_is_the_comparison_of_the_two(shop, test):
    qrels, runs = shop
    board = board_of(qrels, runs, test=test, tie=0.01, seed=4)
    assert {frozenset(pair) for pair in board.pairs} == set(map(frozenset, combinations(runs, 2)))
    for (worse, better), row in board.pairs.items():
        pair = compare(qrels, runs[worse], runs[better], MEASURE)
        own = uncorrected(pair, MEASURE, PairedTest(test, 0.01, 4))
        assert (row.delta, row.p, row.low, row.high) == (own.delta, own.p, own.low, own.high)
        assert (row.wins, row.ties, row.losses) == (own.wins, own.ties, own.losses)
        assert row.delta >= 0
    assert [row.corrected for row in board.pairs.values()] == holm(
        row.p for row in board.pairs.values()
    )


def test_the_standings_are_means_with_intervals_and_who_is_beaten(shop):
    qrels, runs = shop
    board = board_of(qrels, runs, seed=2)
    means = [each.mean for each in board.standings]
    assert means == sorted(means, reverse=True)
    assert board.standings[0].run == "Ideal"
    names = {each.place: each.run for each in board.standings}
    for each in board.standings:
        scores = evaluate(qrels, runs[each.run], MEASURE)
        assert each.mean == scores.mean[MEASURE]
        values = scores.per_query[MEASURE].to_numpy()
        assert (each.low, each.high) == interval(values)
        beaten = {worse for (worse, b), row in board.pairs.items() if b == each.run and row.sure}
        assert {names[place] for place in each.beats} == beaten
    sure = [row.corrected < ALPHA for row in board.pairs.values()]
    assert {True, False} == set(sure)


def test_only_queries_that_all_have_count():
    qrels = Qrels.from_dict({q: {"x": 1} for q in ("q1", "q2", "q3")})
    good, bad = {"x": 2, "y": 1}, {"y": 2, "x": 1}
    runs = {
        "a": Run.from_dict({"q1": good, "q2": bad, "q3": good}),
        "b": Run.from_dict({"q3": bad, "q2": good}),
        "c": Run.from_dict({"q2": bad, "q1": good, "q3": bad}),
    }
    board = board_of(qrels, runs)
    assert board.queries == 2
    found = {each.run: each.mean for each in board.standings}
    half = 1 / np.log2(3)
    assert found == pytest.approx({"a": (1 + half) / 2, "b": (1 + half) / 2, "c": half})
    assert all(row.queries == 2 for row in board.pairs.values())


def test_too_few_too_many_and_none_in_common(shop):
    qrels, runs = shop
    with pytest.raises(DataError, match="2 to 10 runs; 1"):
        board_of(qrels, dict(list(runs.items())[:1]))
    with pytest.raises(DataError, match=f"{MOST + 1} are chosen"):
        board_of(qrels, {str(number): runs["Ideal"] for number in range(MOST + 1)})
    two = Qrels.from_dict({"q1": {"x": 1}, "q2": {"x": 1}})
    apart = {q: Run.from_dict({q: {"x": 1}}) for q in ("q1", "q2")}
    with pytest.raises(DataError, match="no query for which all"):
        board_of(two, apart)
