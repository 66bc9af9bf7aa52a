"""ir_measures computes our measures, and PyTerrier's frames are read as they come."""

import ir_measures
import numpy as np
import pandas as pd
import pytest

from metrics import (
    PRESETS,
    Convention,
    RankscopeError,
    compare,
    evaluate,
    explain,
    ir_measure,
    own_measure,
)
from tests.cases import cases

TOPICS = [f"q{i}" for i in range(6)]


def results(seed, queries=TOPICS):
    """What a transformer of PyTerrier returns: ranks from 0, the query's text, scores with ties."""
    rng = np.random.default_rng(seed)
    rows = [
        {"qid": query, "docid": number, "docno": f"d{number}", "rank": place, "query": "some words"}
        for query in queries
        for place, number in enumerate(rng.permutation(12)[:8])
    ]
    score = -np.sort(-rng.integers(0, 6, (len(queries), 8))).ravel()
    return pd.DataFrame(rows).assign(score=score.astype(float))


@pytest.fixture(scope="module")
def qrels():
    rng = np.random.default_rng(1)
    rows = [
        {"qid": query, "docno": f"d{number}", "label": rng.integers(0, 4), "iteration": "0"}
        for query in TOPICS
        for number in rng.permutation(12)[:7]
    ]
    return pd.DataFrame(rows)


def renamed(frame):
    """The frame with the columns to which PyTerrier renames before it calls ir_measures."""
    return frame.rename(columns={"qid": "query_id", "docno": "doc_id", "label": "relevance"})


def test_frames_of_pyterrier_are_read_as_they_come(qrels):
    a, b = results(2), results(3)
    measures = [ir_measures.AP, ir_measures.RR]
    # What it returns is in no order of its own.
    expected = ir_measures.calc_aggregate(measures, renamed(qrels), renamed(a))
    found = evaluate(qrels, a, ["AP", "RR"], "trec_eval 9")
    assert found.mean.tolist() == pytest.approx([expected[each] for each in measures])
    both = compare(qrels, a, b, "nDCG@5")
    assert both.queries == tuple(TOPICS)
    assert len(explain(qrels, a, "nDCG@5", "q0")) == 5


@cases("preset", PRESETS)
def test_ir_measures_gives_the_scores_of_evaluate(qrels, preset):
    name = "DCG@5" if PRESETS[preset].ties == "mean" else "nDCG@5"
    run = results(4)
    measure = ir_measure(name, preset)
    values = {
        each.query_id: each.value
        for each in ir_measures.iter_calc([measure, ir_measures.AP], renamed(qrels), renamed(run))
        if each.measure == measure
    }
    assert values == evaluate(qrels, run, name, preset).per_query[name].to_dict()
    assert len(set(values.values())) > 3


def test_a_query_that_the_run_lacks_counts_as_0(qrels):
    run, measure = results(4, TOPICS[:4]), ir_measure("nDCG@5")
    (found,) = ir_measures.calc_aggregate([measure], renamed(qrels), renamed(run)).values()
    expected = evaluate(qrels, run, "nDCG@5", Convention(queries="qrels"))
    assert found == pytest.approx(expected.average("nDCG@5"))
    assert found < evaluate(qrels, run, "nDCG@5").average("nDCG@5")


def test_a_measure_of_theirs_and_ours_are_two(qrels):
    # Equal names are one measure to ir_measures, and PyTerrier renames columns by them.
    both = [ir_measure("nDCG@5"), ir_measures.nDCG @ 5, ir_measure("nDCG@5", "LightGBM")]
    assert len(set(both)) == 3
    found = ir_measures.calc_aggregate(both, renamed(qrels), renamed(results(4)))
    assert len(set(found.values())) > 1
    assert list(map(str, both)) == ["nDCG@5[trec_eval]", "nDCG@5", "nDCG@5[LightGBM]"]


def test_own_measures_and_their_cutoffs(qrels):
    own = own_measure(lambda query: query.grades / query.ranks, "mine") @ 3
    measure = ir_measure(own, "LightGBM")
    assert str(measure) == "mine@3[LightGBM]"
    (found,) = ir_measures.calc_aggregate([measure], renamed(qrels), renamed(results(4))).values()
    assert found == pytest.approx(evaluate(qrels, results(4), own, "LightGBM").average("mine@3"))


@cases(
    ("call", "said"),
    [
        (lambda: ir_measure("nope"), "no measure 'nope'"),
        (lambda: ir_measure("AP", "nope"), "no convention 'nope'"),
        (lambda: ir_measure("AP", Convention(undefined="skip")), "would count them as 0. Choose"),
    ],
)
def test_a_mistake_names_the_fix(call, said):
    with pytest.raises(RankscopeError, match=said):
        call()


def test_without_ir_measures_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ir_measures", None)
    with pytest.raises(RankscopeError, match="pip install ir-measures"):
        ir_measure("AP")


def test_aspects_are_passed_on():
    rows = [("q", "a", 1, "1"), ("q", "a", 1, "2"), ("q", "b", 1, "2"), ("q", "c", 0, "1")]
    qrels = [ir_measures.Qrel(*row) for row in rows]
    run = [ir_measures.ScoredDoc("q", "b", 2.0), ir_measures.ScoredDoc("q", "a", 1.0)]
    frame = pd.DataFrame(rows, columns=["query_id", "doc_id", "relevance", "aspect"])
    names = ["alpha_nDCG@5", "nDCG@5"]
    ours = evaluate(frame, {"q": {"b": 2.0, "a": 1.0}}, names).mean
    for name in names:
        (found,) = ir_measures.calc_aggregate([ir_measure(name)], qrels, run).values()
        assert found == ours[name]
    assert ours["alpha_nDCG@5"] < 1
