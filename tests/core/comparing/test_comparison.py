"""The sum holds: mean delta = mean of query deltas = sum of document contributions."""

import math
from dataclasses import replace

import pytest

from metrics import Convention, Qrels, Run, compare
from metrics.comparing.comparison import IDEALS
from metrics.teaching.samples import catalogue
from metrics.writing.comparison import about
from tests.cases import cases

MEASURES = ("nDCG@10", "nDCG", "AP", "RR", "P@10", "R@10", "F1@5", "Success@1", "DCG@5")


@cases("key", ["shop", "reranking", "two-retrievers"])
@cases("convention", [Convention(), Convention(gain="exponential", level=2)])
def test_the_waterfalls_sum_to_the_mean_delta(key, convention):
    dataset = catalogue()[key].load()
    comparison = compare(dataset.qrels, *dataset.runs, MEASURES, convention)
    for measure in MEASURES:
        bars = comparison.documents(measure)
        by_query = bars.groupby("query")["delta"].sum().reindex(comparison.queries, fill_value=0)
        assert by_query.tolist() == pytest.approx(
            comparison.per_query(measure)["delta"].tolist(), abs=1e-12, rel=0
        )
        total = math.fsum(bars["delta"]) / len(comparison.queries)
        summary = comparison.summary(measure)
        assert total == pytest.approx(summary.delta, abs=1e-12, rel=0)
        assert summary.mean_b - summary.mean_a == pytest.approx(summary.delta, abs=1e-12, rel=0)
        assert summary.wins + summary.ties + summary.losses == len(comparison.queries)


def test_queries_are_aligned_by_id_and_missing_ones_are_named():
    qrels = Qrels.from_dict({"q1": {"d": 1}, "q2": {"d": 1}, "q3": {"d": 1}})
    a = Run.from_dict({"q1": {"d": 1}, "q2": {"x": 2, "d": 1}})
    b = Run.from_dict({"q3": {"d": 1}, "q2": {"d": 1}})
    comparison = compare(qrels, a, b, ["RR"])
    assert comparison.queries == ("q2",)
    assert comparison.only_a == ("q1",)
    assert comparison.only_b == ("q3",)
    assert comparison.summary("RR").delta == 0.5


def test_swapping_the_runs_changes_the_sign():
    dataset = catalogue()["shop"].load()
    a, b = dataset.runs
    there, back = (compare(dataset.qrels, *pair, ["nDCG@10"]) for pair in ((a, b), (b, a)))
    assert there.summary("nDCG@10").delta == -back.summary("nDCG@10").delta
    assert there.summary("nDCG@10").wins == back.summary("nDCG@10").losses


def test_the_shop_sample_is_like_real_data():
    dataset = catalogue()["shop"].load()
    summary = compare(dataset.qrels, *dataset.runs, ["nDCG@10"]).summary("nDCG@10")
    assert min(summary.wins, summary.ties, summary.losses) >= 2
    assert len(dataset.document_texts) >= 150
    assert len(dataset.qrels.queries) >= 24
    grades = dataset.qrels.to_dict()
    assert sum(max(by_document.values()) == 0 for by_document in grades.values()) == 1
    assert {0.0, 1.0, 2.0, 3.0} == set(dataset.qrels.value)
    for run in dataset.runs:
        documents = run.to_dict()
        assert any(d not in grades[q] for q in grades for d in list(documents[q])[:10])
        assert set(run.document.to_pylist()) <= set(dataset.document_texts)


RETRIEVED = Convention(ideal="retrieved")
QRELS = Qrels.from_dict({"q": {"a": 3, "b": 2, "c": 1, "d": 0}, "p": {"a": 1}})
LEFT = Run.from_dict({"q": {"a": 4, "d": 3, "b": 2}, "p": {"a": 1}})
RIGHT = Run.from_dict({"q": {"a": 4, "c": 3, "d": 2}, "p": {"x": 2, "a": 1}})


@cases("measure", ["nDCG@3", "nDCG", "nERR@3"])
def test_different_ideals_are_a_separate_bar(measure):
    found = compare(QRELS, LEFT, RIGHT, measure, RETRIEVED)
    bars = found.documents(measure)
    sums = bars.groupby("query")["delta"].sum().reindex(found.queries)
    assert sums.tolist() == pytest.approx(found.per_query(measure)["delta"].tolist(), abs=1e-15)
    by_name = bars[bars["query"] == "q"].set_index("document")["delta"]
    assert by_name[IDEALS] != 0
    # It has rank 1 in both: only the ideals differ.
    assert by_name["a"] == pytest.approx(0, abs=1e-15)
    assert IDEALS not in set(bars[bars["query"] == "p"]["document"])
    # With the runs swapped, every bar changes its sign.
    back = compare(QRELS, RIGHT, LEFT, measure, RETRIEVED).documents(measure)
    turned = back[back["query"] == "q"].set_index("document")["delta"]
    assert turned.reindex(by_name.index).tolist() == pytest.approx((-by_name).tolist())
    # With the ideal of all judged documents there is no separate bar.
    assert IDEALS not in set(compare(QRELS, LEFT, RIGHT, measure).documents(measure)["document"])


def test_the_bar_of_the_ideals_has_the_value_computed_by_hand():
    found = compare(QRELS, LEFT, RIGHT, "nDCG@3", RETRIEVED)
    bars = found.documents("nDCG@3")
    of_a, of_b = 3 + 2 / math.log2(3), 3 + 1 / math.log2(3)
    dcg_a, dcg_b = 3 + 2 / 2, 3 + 1 / math.log2(3)
    assert found.normalisers("nDCG@3").loc["q"].tolist() == pytest.approx([of_a, of_b])
    bar = bars.set_index(["query", "document"])["delta"]["q", IDEALS]
    assert bar == pytest.approx((dcg_a + dcg_b) / 2 * (1 / of_b - 1 / of_a))


LACKING = (
    Qrels.from_dict({q: {"d": 1} for q in ("q1", "q2", "q3")} | {"q4": {"d": 0}}),
    Run.from_dict({"q1": {"d": 1}, "q2": {"x": 2, "d": 1}, "q4": {"d": 1}}),
    Run.from_dict({"q2": {"d": 1}}),
)


def test_a_query_that_is_counted_without_a_ranking_is_named():
    compared = compare(*LACKING, ["RR", "P@1"], Convention(queries="qrels"))
    assert compared.missing_but_counted == {
        "not in run B, counted as 0": ("q1", "q4"),
        "in neither run, counted as 0": ("q3",),
    }
    assert (compared.only_a, compared.missing_from_both) == ((), ())
    listed = "2 judged queries not in run B, counted as 0 (q1, q4); "
    listed += "1 judged query in neither run, counted as 0 (q3)"
    assert about(compared) == {"direction": "delta = B − A", "not in a run": listed}
    assert about(compare(*LACKING, "RR"))["left out"] == (
        "2 judged queries only in run A (q1, q4); 1 judged query in neither run (q3)"
    )


@pytest.mark.parametrize(
    ("measure", "convention"), [("nDCG", Convention(undefined="one")), ("GMAP", Convention())]
)
def test_no_score_is_reported_where_an_empty_ranking_has_none(measure, convention):
    compared = compare(*LACKING, [measure], replace(convention, queries="qrels"))
    assert compared.missing_but_counted["not in run B, counted as an empty ranking"] == ("q1", "q4")


@pytest.mark.parametrize("convention", [Convention(), Convention(ideal="doubled")])
def test_a_rank_below_the_cutoff_is_not_missing(convention):
    qrels = Qrels.from_dict({"q": {"d1": 1, "d2": 2, "d3": 1}})
    a = Run.from_dict({"q": {"d1": 5, "x": 4, "d2": 3, "d3": 2}})
    b = Run.from_dict({"q": {"d2": 5, "d3": 4, "x": 3, "d1": 2}})
    bars = compare(qrels, a, b, "nDCG@1", convention).documents("nDCG@1").set_index("document")
    assert bars.loc[["d1", "d2"], ["rank A", "rank B"]].to_numpy().tolist() == [[1, 4], [3, 1]]
    lacking = compare(qrels, a, Run.from_dict({"q": {"d2": 5}}), "P@1", convention)
    bars = lacking.documents("P@1").set_index("document")
    assert bars.at["d1", "rank A"] == 1
    assert bars["rank B"].isna().tolist() == [name == "d1" for name in bars.index]


@cases("ties", ["descending", "mean"])
@cases("negative", ["unjudged", "nonrelevant"])
def test_unjudged_documents_are_counted_down_to_a_depth(ties, negative):
    dataset, convention = catalogue()["shop"].load(), Convention(ties=ties, negative=negative)
    found = compare(dataset.qrels, *dataset.runs, ["P@5", "Unjudged@5"], convention)
    counts, shares = found.unjudged_documents(5), found.per_query("Unjudged@5")
    assert counts.index.tolist() == list(found.queries)
    for side in ("A", "B"):
        assert counts[side].tolist() == pytest.approx((5 * shares[side]).tolist(), abs=1e-12)
    qrels = Qrels.from_dict({"q": {"x": 1, "y": -1}})
    a, b = Run.from_dict({"q": {"x": 3, "y": 2, "u": 1}}), Run.from_dict({"q": {"v": 2, "u": 1}})
    counts = compare(qrels, a, b, "P@2", convention).unjudged_documents(2)
    assert counts.loc["q"].tolist() == [1 if negative == "unjudged" else 0, 2]
