"""The sum holds: mean delta = mean of query deltas = sum of document contributions."""

import math

import pytest

from metrics import Convention, Qrels, Run, compare
from metrics.samples import catalogue

MEASURES = ("nDCG@10", "nDCG", "AP", "RR", "P@10", "R@10", "F1@5", "Success@1", "DCG@5")


@pytest.mark.parametrize("key", ["shop", "reranking", "two-retrievers"])
@pytest.mark.parametrize("convention", [Convention(), Convention(gain="exponential", level=2)])
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


def test_swapping_the_runs_turns_the_sign():
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
