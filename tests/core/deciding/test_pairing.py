"""A pairing gives what each function gives, computes it once, and mixes up no two inputs."""

from collections import Counter
from dataclasses import replace

import pandas as pd
import pytest

from metrics import (
    TREC_EVAL,
    Convention,
    DataError,
    Pairing,
    Qrels,
    Run,
    compare,
    evaluate,
    evidence,
    leaderboard,
    one_query,
    own_measure,
    parse,
)
from metrics.comparing.evidence import PairedTest, by_group, intervals
from metrics.comparing.robustness import settings
from metrics.comparing.similarity import in_common, overlaps, pooled
from metrics.comparing.slices import largest_changes
from metrics.data import Note
from metrics.memory import unbounded
from metrics.teaching.samples import catalogue

MEASURES = ("nDCG@5", "AP", "P@5")
TEST = PairedTest("t", 0.01, 3)


def shop():
    return catalogue()["shop"].load()


def pairing(**changed):
    data = shop()
    return replace(Pairing.of(data.qrels, data.runs, MEASURES, test=TEST), **changed)


def counting(calls):
    """Return a memory that counts what is computed."""
    remember = unbounded()

    def memory(key, make):
        def counted():
            calls[key[0]] += 1
            return make()

        return remember(key, counted)

    return memory


def same(found, expected):
    if isinstance(expected, pd.DataFrame | pd.Series):
        equal = pd.testing.assert_frame_equal, pd.testing.assert_series_equal
        equal[isinstance(expected, pd.Series)](found, expected, check_exact=True)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        for name, value in expected.items():
            same(found[name], value)
    else:
        assert repr(found) == repr(expected)


def test_every_part_is_what_its_function_returns():
    data, of = shop(), pairing()
    a, b = data.runs
    compared = compare(data.qrels, a, b, MEASURES)
    measure = parse(MEASURES[0])
    same(of.evidence, evidence(compared, None, *vars(TEST).values()))
    same(of.summaries, {name: compared.summary(name) for name in MEASURES})
    same(of.intervals, intervals(compared, MEASURES))
    same(of.documents, compared.document_totals(MEASURES[0]))
    same(of.changes(-1, 4), largest_changes(compared, MEASURES[0], -1, 4, TEST.tie))
    groups = data.query_attributes["group"]
    same(of.groups(groups), by_group(compared, MEASURES[0], groups, TEST))
    same(of.settings, settings(data.qrels, a, b, measure, test=TEST.test, seed=TEST.seed))
    same(of.overlaps(7), overlaps(a, b, 7))
    same(of.in_common(7)[0], in_common(a, b, 7))
    assert of.in_common(7)[1] == pooled((a, b), 7)
    one = one_query(data.qrels, a, b, measure, "q12")
    same(of.one("q12").waterfall, one.waterfall)
    assert of.of_query(lambda each: each.condensed(), "q12") == one.condensed()
    scores = {run.name: evaluate(data.qrels, run, MEASURES) for run in data.runs}
    same(of.leaderboard, leaderboard(scores, MEASURES, TEST))
    same(of.by("RR").comparison.per_query("RR"), compare(data.qrels, a, b, "RR").per_query("RR"))


def test_each_part_is_computed_once_and_a_run_is_matched_once_for_all_measures():
    calls = Counter()
    of = pairing(memory=counting(calls))
    for each in (of, of, replace(of), of.by("AP", "RR"), of.by("AP").by(*MEASURES)):
        assert each.verdict
        assert len(each.documents)
        assert each.one("q12")
    assert calls["judged"] == 2
    assert calls["scored"] == 2 * len({*MEASURES, "RR"})
    assert calls["evidence"] == len({*MEASURES, "RR"})
    assert calls["verdict"] == calls["documents"] == calls["one"] == 2


CHANGED = {
    "qrels": Qrels.from_dict({"q01": {"x": 1}}),
    "measures": (parse("nDCG@5"), parse("P@5"), parse("AP")),
    "convention": Convention(gain="exponential"),
    "test": replace(TEST, seed=4),
}


@pytest.mark.parametrize("name", [*CHANGED, "order", "rows", "a name", "one run more"])
def test_the_digest_changes_with_each_input(name):
    of = pairing()
    a, b = of.runs
    runs = {
        "order": (b, a),
        "rows": (a.only("q12"), b),
        "a name": (a.renamed("another"), b),
        "one run more": (a, b, b.renamed("c")),
    }
    other = {"runs": runs[name]} if name in runs else {name: CHANGED[name]}
    assert replace(of, **other).digest != of.digest
    assert pairing().digest == of.digest


def test_runs_of_the_same_rows_keep_their_names_and_notes():
    data = shop()
    first = data.runs[0]
    second = replace(first, name="second", notes=(Note("A note.", "N-TEST"),), tag="tag")
    of = Pairing.of(data.qrels, (first, second), MEASURES)
    one, other = of.sides
    assert (one.name, one.notes) == (first.name, first.notes)
    assert (other.name, other.notes, other.tag) == ("second", second.notes, "tag")
    assert other.hits is not one.hits
    assert of.same
    assert of.verdict.outcome == "equal"


def test_some_queries_are_compared_as_data_that_hold_no_others():
    data, queries = shop(), ("q12", "q20", "q03")
    cut = data.only(queries)
    part, expected = pairing().only(*queries), pairing(qrels=cut.qrels, runs=cut.runs)
    same(part.evidence, expected.evidence)
    assert part.verdict == expected.verdict
    assert part.digest == expected.digest != pairing().digest


def test_a_detached_pairing_needs_no_memory_of_the_page():
    open_ = True
    remember = unbounded()

    def memory(key, make):
        assert open_, "the session is over"
        return remember(key, make)

    of = pairing(memory=memory)
    verdict, evidence = of.verdict, of.evidence
    apart, open_ = of.detached(), False
    assert apart.verdict is verdict
    assert apart.evidence is evidence
    same(apart.documents, pairing().documents)
    with pytest.raises(AssertionError, match="the session is over"):
        assert of.documents is not None


def test_runs_that_are_scored_already_are_not_scored_again():
    data = shop()
    sides = tuple(evaluate(data.qrels, run, MEASURES) for run in data.runs)
    calls = Counter()
    of = Pairing.of_scores(*sides)
    counted = replace(of, memory=counting(calls))
    vars(counted)["scores"] = of.scores
    same(counted.evidence, evidence(compare(data.qrels, *data.runs, MEASURES)))
    assert not {"judged", "scored"} & calls.keys()
    assert of.convention is TREC_EVAL


@pytest.mark.parametrize("number", [0, 1, 11])
def test_two_to_ten_runs_are_compared(number):
    runs = [{"q": {"x": 1.0}}] * number
    with pytest.raises(DataError, match=f"Two to 10 runs are compared; {number} are given"):
        Pairing.of({"q": {"x": 1}}, runs, "AP")


def test_dicts_are_taken_as_they_are():
    of = Pairing.of(
        {"q": {"x": 1}}, [{"q": {"y": 2.0, "x": 1.0}}, {"q": {"x": 1.0}}], "mrr", "ranx"
    )
    assert isinstance(of.a, Run)
    assert of.comparison.deltas(of.measure).tolist() == [0.5]
    assert repr(of).startswith("Pairing('', '': RR, ")
    assert ", ranx, with ties: in input order; " in repr(of)


def test_what_lists_have_in_common_takes_whole_runs():
    of = pairing()
    judged = replace(of, runs=of.sides)
    with pytest.raises(DataError, match="do not hold all documents"):
        judged.overlaps(5)


def test_two_functions_of_one_name_are_two_measures():
    low, high = (
        own_measure(lambda query, factor=factor: factor * query.grades, "mine")
        for factor in (0.1, 0.2)
    )
    of = pairing(measures=(low,))
    first, second = of.evidence["mine"], of.by(high).evidence["mine"]
    assert second.mean_a == pytest.approx(2 * first.mean_a)
    assert of.by(high).digest != of.digest
