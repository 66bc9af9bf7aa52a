"""Own measures: what they give, where they work, and what is refused."""

import pickle
from dataclasses import replace

import cloudpickle
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import (
    AP,
    MEASURES,
    PRESETS,
    REGISTRY,
    Convention,
    MeasureError,
    Pairing,
    Qrels,
    RankscopeError,
    Run,
    bounds,
    compare,
    evaluate,
    evidence,
    explain,
    leaderboard,
    lightgbm_metric,
    match,
    one_query,
    own_measure,
    parse,
    reversal,
    score,
    trace,
)
from metrics.teaching.samples import catalogue
from tests.cases import cases


def my_dcg(query):
    return query.grades / np.log2(query.ranks + 1)


def my_ndcg(query):
    ideal = query.ideal[: query.cutoff]
    best = (ideal / np.log2(np.arange(len(ideal)) + 2)).sum()
    return my_dcg(query) / best if best else np.zeros(len(query.grades))


def my_precision(query):
    return (query.grades >= 1) / (query.cutoff or query.retrieved)


def my_average_precision(query):
    relevant = query.grades >= 1
    found = np.maximum((query.ideal >= 1).sum(), 1)
    return relevant * np.cumsum(relevant) / query.ranks / found


def my_first(query):
    relevant = query.grades >= 1
    return relevant * (np.cumsum(relevant) == 1) / query.ranks


SAME = [
    ("DCG", my_dcg),
    ("nDCG", my_ndcg),
    ("P", my_precision),
    ("AP", my_average_precision),
    ("RR", my_first),
]
IDS = st.sampled_from("abcdefgh")
CONVENTIONS = [
    replace(each, gain="linear", discount="log2", level=1.0, ideal_cut="k", precision="k", ap="R")
    for each in PRESETS.values()
    if each.ties != "mean"
]


@cases(("name", "function"), SAME)
@given(
    grades=st.dictionaries(
        st.sampled_from(["q1", "q2"]), st.dictionaries(IDS, st.integers(-1, 3)), min_size=1
    ),
    scores=st.dictionaries(
        st.sampled_from(["q1", "q2"]), st.dictionaries(IDS, st.integers(0, 3)), min_size=1
    ),
    convention=st.sampled_from(CONVENTIONS),
    unjudged=st.sampled_from(["zero", "removed"]),
    cutoff=st.sampled_from([None, 1, 3]),
)
def test_a_measure_written_as_a_function_is_the_built_in_one(
    name, function, grades, scores, convention, unjudged, cutoff
):
    # One, 0/0, belongs to measures that are a share; the ideals with negative gains differ.
    convention = replace(convention, unjudged=unjudged, undefined="zero", negative="nonrelevant")
    if name in ("nDCG", "AP"):
        convention = replace(convention, ideal="judged")
    own = own_measure(function)._with({"cutoff": cutoff})
    judged = match(Qrels.from_dict(grades), Run.from_dict(scores), convention)
    found = score(judged, [own]).ledgers[str(own)]
    expected = score(judged, [MEASURES[name]._with({"cutoff": cutoff})])
    (expected,) = expected.ledgers.values()
    assert found.scores == pytest.approx(expected.scores, abs=1e-12)
    assert found.contribution == pytest.approx(expected.contribution, abs=1e-12)


@pytest.fixture(scope="module")
def shop():
    return catalogue()["shop"].load()


def own_convention(preset):
    return replace(PRESETS[preset], ties="input") if PRESETS[preset].ties == "mean" else preset


@cases("preset", PRESETS)
def test_the_score_is_the_sum_of_the_ledger_everywhere(shop, preset):
    convention = own_convention(preset)
    own = own_measure(my_ndcg) @ 10
    both = compare(shop.qrels, *shop.runs, [own, "AP"], convention)
    query = both.queries[3]
    for side, run in zip((both.a, both.b), shop.runs, strict=True):
        lines = explain(shop.qrels, run, own, query, convention)
        assert lines.attrs["score"] == pytest.approx(lines["contribution"].sum())
        assert lines.attrs["score"] == pytest.approx(side.value(own, query))
        ledger = side.ledgers["my_ndcg@10"]
        assert ledger.scores == pytest.approx(
            side.judged.per_query(ledger.hits.query, ledger.contribution)
        )
    documents = both.documents(own).groupby("query")["delta"].sum()
    deltas = both.per_query(own)["delta"]
    assert documents.reindex(deltas.index).to_numpy() == pytest.approx(deltas.to_numpy())


def test_everything_else_takes_it(shop):
    own = own_measure(my_average_precision, "mine")
    both = compare(shop.qrels, *shop.runs, [own, "AP"])
    sure = evidence(both)
    assert sure["mine"].p == pytest.approx(sure["AP"].p)
    pairing = Pairing.of(shop.qrels, shop.runs, [own, "AP"])
    assert pairing.evidence == sure
    assert "mine" in pairing.verdict.sentence.text()
    board = leaderboard({"x": both.a, "y": both.b}, ["mine"])
    assert board.standings[0].means["mine"] == both.summary("mine").mean_b
    one = one_query(shop.qrels, *shop.runs, own @ 3, both.queries[0])
    assert one.waterfall["delta"].sum() == pytest.approx(one.b.score - one.a.score)
    built_in = reversal(one_query(shop.qrels, *shop.runs, AP @ 3, both.queries[0]))
    assert reversal(one).low == pytest.approx(built_in.low)
    assert lightgbm_metric(own)([1, 0], [0.1, 0.2], group=[2]) == [("mine[trec_eval]", 0.5, True)]


def test_unjudged_documents_are_lines_that_earn_nothing():
    qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"x": 2, "a": 1}})
    table = trace(qrels, run, own_measure(my_dcg), "q").table("q")
    assert table["contribution"].tolist() == pytest.approx([0, 1 / np.log2(3)])


def test_a_query_with_nothing_to_find_is_left_out_where_the_convention_says_so():
    grades, scores = {"p": {"a": 0}, "q": {"a": 1}}, {"p": {"a": 1}, "q": {"a": 1}}
    assert evaluate(grades, scores, own_measure(my_dcg)).average("my_dcg") == 0.5
    skipping = Convention(undefined="skip")
    assert evaluate(grades, scores, own_measure(my_dcg), skipping).average("my_dcg") == 1


def test_it_is_a_value():
    assert own_measure(my_dcg) == own_measure(my_dcg) != own_measure(my_dcg, "other")
    assert str(own_measure(my_dcg) @ 5) == "my_dcg@5" != str(own_measure(my_dcg))
    assert pickle.loads(pickle.dumps(own_measure(my_dcg) @ 5)) == own_measure(my_dcg) @ 5

    @own_measure
    def decorated(query):
        return query.grades

    copy = cloudpickle.loads(cloudpickle.dumps(decorated))
    assert evaluate({"q": {"a": 2}}, {"q": {"a": 1}}, copy).average("decorated") == 2


def test_it_changes_no_other_measure():
    before = dict(REGISTRY)
    own_measure(my_dcg, "unheard_of")
    assert before == REGISTRY
    assert "unheard_of" not in MEASURES
    with pytest.raises(MeasureError, match="no measure 'unheard_of'"):
        parse("unheard_of@5")


def of(returned):
    return lambda: evaluate(
        {"q1": {"a": 1, "b": 0}},
        {"q1": {"a": 2, "b": 1}},
        own_measure(lambda query: returned, "mine"),
    )


def changing(query):
    query.grades[0] = 3
    return query.grades


def ties():
    run = {"q1": {"a": 1, "b": 1}}
    return {"q1": {"a": 1}}, run, own_measure(my_dcg)


@cases(
    ("call", "said"),
    [
        (of(1.0), r"mine: for query 'q1' its function returned 1\.0; return one finite number"),
        (of([1.0]), "one finite number for each of the 2 documents"),
        (of([1.0, np.nan]), "return one finite number"),
        (of([1.0, np.inf]), "return one finite number"),
        (of(["x", "y"]), "return one finite number"),
        (of([[1], [1, 2]]), "return one finite number"),
        (of([[1, 2]]), "return one finite number"),
        (of(None), "returned None; return one"),
        (of([1j, 2]), "return one finite number"),
        (lambda: evaluate(*ties()[:2], own_measure(lambda q: q.nope, "x")), "x: its function fail"),
        (lambda: evaluate(*ties()[:2], own_measure(lambda: 1, "x")), "TypeError.*Correct the func"),
        (lambda: evaluate(*ties()[:2], own_measure(changing)), "read-only"),
        (lambda: own_measure(lambda q: q.grades), "'<lambda>' cannot be the name.*pass name="),
        (lambda: own_measure(my_dcg, "my measure"), "cannot be the name"),
        (lambda: own_measure(my_dcg, "a@5"), "cannot be the name"),
        (lambda: own_measure(my_dcg, 5), "5 cannot be the name"),
        (lambda: own_measure(my_dcg, "map"), "'map' is the name of another.*name='my_map'"),
        (lambda: own_measure(my_dcg, "iprec"), "name of another measure"),
        (lambda: own_measure(my_dcg, "P_5"), "name of another measure"),
        (lambda: own_measure(3), "needs a function of one query, not 3"),
        (lambda: own_measure(my_dcg)(p=0.5), "has no parameter 'p'; write it into the function"),
        (lambda: own_measure(my_dcg) @ 0, "my_dcg: the cutoff k must be"),
        (lambda: evaluate(*ties(), Convention(ties="mean")), "not linear"),
        (lambda: bounds(*ties()), "is not known, since its function is your own"),
        (
            lambda: evaluate(*ties()[:2], [own_measure(my_dcg), own_measure(my_first, "my_dcg")]),
            "Two measures are named my_dcg",
        ),
    ],
)
def test_a_mistake_names_the_fix(call, said):
    with pytest.raises(RankscopeError, match=said):
        call()
