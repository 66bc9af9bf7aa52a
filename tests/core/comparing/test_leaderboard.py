"""A leaderboard has the numbers of its pairs, over the queries that all runs have."""

import json
from itertools import combinations

import numpy as np
import pytest
import scipy

from metrics import Convention, DataError, MeasureError, Qrels, Run, compare, evaluate
from metrics.comparing.evidence import PairedTest, interval, uncorrected
from metrics.comparing.leaderboard import MOST, leaderboard
from metrics.comparing.significance import NONE, TESTS, holm, interval_of_scores, not_rejected
from metrics.defaults import ALPHA
from metrics.teaching.samples import catalogue
from metrics.writing import FORMATS
from metrics.writing.comparison import leaderboard_table
from metrics.writing.table import raised
from tests.cases import cases

MEASURE = "nDCG@10"


@pytest.fixture(scope="module")
def shop():
    dataset = catalogue()["shop"].load()
    scores = dataset.runs[0].to_dict()
    made = {
        "Ideal": dataset.qrels.to_dict(),
        "All tied": {query: dict.fromkeys(of, 1) for query, of in scores.items()},
    }
    made["Joined"] = {query: {} for query in scores}
    for run in dataset.runs:
        for query, of in run.to_dict().items():
            for rank, document in enumerate(sorted(of, key=of.get, reverse=True), 1):
                earned = made["Joined"][query].get(document, 0)
                made["Joined"][query][document] = earned + 1 / (60 + rank)
    runs = [*dataset.runs, *(Run.from_dict(of, name) for name, of in made.items())]
    return dataset.qrels, {run.name: run for run in runs}


def board_of(qrels, runs, **asked):
    scores = {name: evaluate(qrels, run, MEASURE) for name, run in runs.items()}
    return leaderboard(scores, MEASURE, PairedTest(**asked))


@cases("test", [name for name in TESTS if name != NONE])
def test_every_pair_is_the_comparison_of_the_two(shop, test):
    qrels, runs = shop
    board = board_of(qrels, runs, test=test, tie=0.01, seed=4)
    assert {frozenset(pair) for pair in board.pairs} == set(map(frozenset, combinations(runs, 2)))
    for (worse, better), row in board.pairs.items():
        pair = compare(qrels, runs[worse], runs[better], MEASURE)
        own = uncorrected(pair, MEASURE, PairedTest(test, 0.01, 4))
        assert (row.delta, row.p) == (own.delta, own.p)
        assert (row.wins, row.ties, row.losses) == (own.wins, own.ties, own.losses)
        assert row.delta >= 0
    assert [row.corrected for row in board.pairs.values()] == holm(
        row.p for row in board.pairs.values()
    )


def test_the_standings_are_means_with_intervals_and_the_runs_behind(shop):
    qrels, runs = shop
    board = board_of(qrels, runs, seed=2)
    means = [each.means[MEASURE] for each in board.standings]
    assert means == sorted(means, reverse=True)
    assert board.standings[0].run == "Ideal"
    assert "".join(each.letter for each in board.standings) == "abcdefgh"[: len(runs)]
    for each in board.standings:
        scores = evaluate(qrels, runs[each.run], MEASURE)
        assert each.means == {MEASURE: scores.mean[MEASURE]}
        values = scores.per_query[MEASURE].to_numpy()
        assert (each.low, each.high) == interval_of_scores(values)
        behind = {worse for (worse, b), row in board.pairs.items() if b == each.run and row.sure}
        assert set(each.ahead_of[MEASURE]) == behind
    sure = [row.corrected < ALPHA for row in board.pairs.values()]
    assert {True, False} == set(sure)


@pytest.mark.parametrize("test", ["t", "randomisation"])
def test_a_pair_of_several_has_the_interval_at_the_level_of_its_corrected_p(shop, test):
    """Alone it is the pair's own."""
    qrels, runs = shop
    board = board_of(qrels, runs, test=test)
    ranked = sorted(board.pairs.values(), key=lambda row: row.p)
    steps = len(ranked)
    apart = [row for place, row in enumerate(ranked) if row.p * (steps - place) < ALPHA]
    assert 0 < len(apart) < steps
    for row in ranked:
        n = row.corrected / row.p if row in apart else steps - len(apart)
        deltas = compare_pair(qrels, runs, board, row)
        level = 1 - ALPHA / n
        expected = (
            scipy.stats.ttest_1samp(deltas, 0).confidence_interval(level)
            if test == "t"
            else not_rejected(deltas, level=level)
        )
        assert (row.low, row.high) == pytest.approx(tuple(expected))
        # In these data no pair is so close to the limit that two methods would disagree.
        assert (row.corrected < ALPHA) == (not row.low <= 0 <= row.high)
    two = dict(list(runs.items())[:2])
    (row,) = board_of(qrels, two, test=test).pairs.values()
    expected = interval(compare_pair(qrels, two, board_of(qrels, two), row), PairedTest(test))
    assert (row.low, row.high) == pytest.approx(expected, rel=1e-12)


def compare_pair(qrels, runs, board, row):
    """Return the deltas of the pair with this evidence."""
    ((worse, better),) = (pair for pair, each in board.pairs.items() if each.delta == row.delta)
    pair = compare(qrels, runs[worse], runs[better], MEASURE)
    return pair.per_query(MEASURE)["delta"].to_numpy()


def test_the_other_measures_are_one_family_beside_the_first(shop):
    qrels, runs = shop
    names = [MEASURE, "AP", "P(rel=2)@5"]
    scores = {name: evaluate(qrels, run, names) for name, run in runs.items()}
    board, alone = leaderboard(scores, names), leaderboard(scores, MEASURE)
    assert board.measures == tuple(names)
    assert board.pairs == alone.pairs
    raw = {}
    for name in names[1:]:
        for a, b in combinations(runs, 2):
            row = uncorrected(compare(qrels, runs[a], runs[b], name), name)
            raw[name, (b, a) if row.delta < 0 else (a, b)] = row.p
    corrected = dict(zip(raw, holm(raw.values()), strict=True))
    pairs = len(list(combinations(runs, 2)))
    assert board.tests == (pairs, 2 * pairs)
    for each in board.standings:
        assert each.means == pytest.approx({name: scores[each.run].mean[name] for name in names})
        for name in names[1:]:
            behind = {
                worse
                for (of, (worse, better)), p in corrected.items()
                if (of, better) == (name, each.run) and p < ALPHA
            }
            assert set(each.ahead_of[name]) == behind
    assert {bool(each.ahead_of["AP"]) for each in board.standings} == {True, False}


def test_a_measure_without_a_score_has_no_mean_and_no_run_ahead():
    qrels = Qrels.from_dict({"q1": {"x": 1, "y": 0}, "q2": {"x": 1}})
    runs = {name: Run.from_dict({q: {name: 1.0} for q in ("q1", "q2")}) for name in "xy"}
    names, skip = ["RR", "P(rel=2)@5"], Convention(undefined="skip")
    scores = {name: evaluate(qrels, run, names, skip) for name, run in runs.items()}
    board = leaderboard(scores, names)
    assert board.queries == {"RR": 2, "P(rel=2)@5": 0}
    table = leaderboard_table(board)
    cells = dict(zip(table.columns, table.rows[0], strict=True))
    assert (cells["RR"], cells["P(rel=2)@5"], cells["P(rel=2)@5 ahead of"]) == (1.0, None, "")
    assert table.labels["queries"] == "2; 0 in P(rel=2)@5"


def test_the_table_has_letters_as_columns_for_programs_and_raised_for_readers(shop):
    qrels, runs = shop
    names = [MEASURE, "AP"]
    scores = {f"<{name}>_1": evaluate(qrels, run, names) for name, run in runs.items()}
    board = leaderboard(scores, names)
    table = leaderboard_table(board)
    letters = {each.letter: each.run for each in board.standings}
    rows = json.loads(FORMATS["json"](table))["rows"]
    for each, row in zip(board.standings, rows, strict=True):
        assert (row["letter"], row["run"], row[MEASURE]) == (
            each.letter,
            each.run,
            each.means[MEASURE],
        )
        for name in names:
            assert tuple(letters[one] for one in row[f"{name} ahead of"]) == each.ahead_of[name]
    best = rows[0]
    number, ahead = f"{best['AP']:.4f}", best["AP ahead of"]
    assert ahead
    assert rf"\textbf{{{number}}}\textsuperscript{{{ahead}}}" in FORMATS["latex"](table)
    assert f"| **{number}**{raised(ahead)} |" in FORMATS["markdown"](table)
    assert f" {number}{raised(ahead)}" in FORMATS["table"](table)
    assert f",{best['AP']!r},{ahead}\n" in FORMATS["csv"](table)
    facts = json.loads(FORMATS["json"](table))
    assert facts["schema"] == "rankscope/leaderboard/1"
    assert (facts["primary"], facts["tests"]) == (MEASURE, {"primary": 10, "others": 10})
    none = leaderboard_table(leaderboard(scores, names, PairedTest(NONE)))
    assert none.labels["test"] == "No test; seed 0"


def test_only_queries_that_all_have_count():
    qrels = Qrels.from_dict({q: {"x": 1} for q in ("q1", "q2", "q3")})
    good, bad = {"x": 2, "y": 1}, {"y": 2, "x": 1}
    runs = {
        "a": Run.from_dict({"q1": good, "q2": bad, "q3": good}),
        "b": Run.from_dict({"q3": bad, "q2": good}),
        "c": Run.from_dict({"q2": bad, "q1": good, "q3": bad}),
    }
    board = board_of(qrels, runs)
    assert board.queries == {MEASURE: 2}
    found = {each.run: each.means[MEASURE] for each in board.standings}
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


def test_a_measure_that_a_run_is_not_scored_by_is_refused():
    scores = evaluate({"q": {"x": 1}}, {"q": {"x": 1}}, "RR")
    with pytest.raises(MeasureError, match="P@1"):
        leaderboard({"a": scores, "b": scores}, ["RR", "P@1"])
    with pytest.raises(MeasureError, match="one measure or more"):
        leaderboard({"a": scores, "b": scores}, [])
