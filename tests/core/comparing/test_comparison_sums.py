"""From the mean to the document without losing the sum: every measure, every preset."""

import math
from random import Random

import numpy as np
import pytest

from metrics import PRESETS, Qrels, Run, compare, parse
from metrics.teaching.samples import catalogue
from tests.cases import cases, every_measure

MEASURES = every_measure(("", "@3"), ("@0.3",))
# A comparison takes about as long for many queries as for one, so each is a case of its own.
QUERIES = [f"q{i}" for i in range(48)]
DOCUMENTS = [f"d{i}" for i in range(7)]


def drawn(draw, queries=QUERIES, number=36):
    """Numbers for some documents of some queries: few different ones, so that many are equal."""
    return {
        query: {d: draw.randint(0, 3) for d in draw.sample(DOCUMENTS, draw.randint(1, 7))}
        for query in draw.sample(queries, number)
    }


def shuffled(run, seed):
    """The same data with queries and documents listed in another order."""
    draw = Random(seed)
    return {
        query: dict(draw.sample(list(documents.items()), len(documents)))
        for query, documents in draw.sample(list(run.items()), len(run))
    }


def shuffled_all(everything, seed):
    return [shuffled(data, seed) for data in everything]


def compared(names, convention, qrels, a, b):
    runs = Run.from_dict(a), Run.from_dict(b)
    return compare(Qrels.from_dict(qrels), *runs, names, convention)


def sums(comparison, measure):
    """The mean delta by three routes: the summary, the queries, the documents."""
    frame = comparison.per_query(measure)
    documents = comparison.documents(measure)
    by_document = math.fsum(documents[documents["query"].isin(frame.index)]["delta"])
    n = len(frame)
    return (
        comparison.summary(measure).delta,
        math.fsum(frame["delta"]) / n if n else math.nan,
        by_document / n if n else math.nan,
    )


@cases("preset", PRESETS)
def test_mean_delta_queries_and_documents_have_one_sum(preset):
    draw = Random(preset)
    expect_one_sum(preset, drawn(draw), drawn(draw), drawn(draw))


@cases("seed", range(6))
def test_few_or_no_common_queries_have_one_sum(seed):
    draw, few = Random(seed), QUERIES[:8]
    # The last two draw from queries of their own, so the runs have none in common.
    a, b = (few, few) if seed < 4 else (few[:4], few[4:])
    preset = list(PRESETS)[seed]
    expect_one_sum(preset, drawn(draw, few, 4), drawn(draw, a, 3), drawn(draw, b, 3))


def expect_one_sum(preset, qrels, a, b):
    convention = PRESETS[preset]
    # Where equal scores are averaged over, only linear measures are asked for; others refuse.
    mean_of_orders = convention.ties == "mean"
    names = [m for m in MEASURES if not mean_of_orders or parse(m).linear]
    found = compared(names, convention, qrels, a, b)
    # Rows in another order change nothing, where the order of the input is no choice.
    rows = (qrels, a, b) if convention.ties == "input" else shuffled_all((qrels, a, b), preset)
    other = compared(names, convention, *rows)
    routes = np.array([(*sums(found, name), other.summary(name).delta) for name in names])
    equal = np.isclose(routes, routes[:, :1], rtol=0, atol=1e-12, equal_nan=True).all(axis=1)
    assert [name for name, same in zip(names, equal, strict=True) if not same] == []


@cases("preset", PRESETS)
def test_documents_over_all_queries_and_groups_of_queries_sum_to_the_mean(preset):
    dataset, convention = catalogue()["shop"].load(), PRESETS[preset]
    names = ["nDCG@10", "DCG@10", "P@10", "R@10", "AP", "RR", "Bpref"]
    if convention.ties == "mean":
        names = [name for name in names if parse(name).linear]
    found = compare(dataset.qrels, *dataset.runs, names, convention)
    for name in names:
        summary, totals = found.summary(name), found.document_totals(name)
        assert totals["delta"].abs().is_monotonic_decreasing
        for column, mean in (("A", summary.mean_a), ("B", summary.mean_b)):
            if (found.normalisers(name)["A"] == found.normalisers(name)["B"]).all():
                assert totals[column].sum() == pytest.approx(mean, abs=1e-12, rel=0)
        assert totals["delta"].sum() == pytest.approx(summary.delta, abs=1e-12, rel=0)
        groups: dict[str, list[str]] = {}
        for query in found.queries:
            groups.setdefault(dataset.query_attributes["group"][query], []).append(query)
        assert len(groups) == 3
        parts = [
            (len(part.per_query(name)), part.summary(name).delta)
            for part in map(found.only, groups.values())
        ]
        weighted = sum(count * delta for count, delta in parts if count)
        count = len(found.per_query(name))
        assert weighted / count == pytest.approx(summary.delta, abs=1e-12, rel=0)


def test_deltas_that_differ_by_little_more_than_rounding_keep_their_sum():
    # infAP adds 0.00001 to its counts, so that deltas of two queries differ by 2e-11.
    qrels = {
        "q0": {"d3": 1, "d4": 0, "d2": 0, "d5": 3, "d1": 2},
        "q1": {"d5": 1, "d0": 0, "d3": 0, "d1": 3, "d2": 0, "d4": 0, "d6": 1},
        "q2": {"d4": 3},
        "q4": {"d4": 0, "d2": 2, "d5": 3},
        "q6": {"d2": 0, "d3": 0, "d5": 2, "d4": 1, "d1": 2, "d0": 3, "d6": 3},
        "q11": {"d1": 2, "d4": 0, "d6": 0},
    }
    a = {
        "q1": {"d0": 2, "d5": 1, "d2": 0, "d3": 1},
        "q4": {"d2": 0, "d5": 3, "d3": 1},
        "q11": {"d0": 1, "d4": 3, "d2": 3, "d3": 1, "d6": 2, "d1": 1, "d5": 0},
    }
    b = {
        "q0": {"d0": 2, "d5": 2, "d1": 0, "d6": 0, "d3": 0, "d4": 0, "d2": 2},
        "q1": {"d2": 2, "d5": 0, "d6": 1, "d4": 3, "d0": 3, "d3": 3},
        "q2": {"d1": 1, "d6": 1},
        "q4": {"d0": 0, "d5": 1, "d4": 1, "d3": 0},
        "q6": {"d0": 1, "d1": 3, "d6": 3},
        "q11": {"d6": 0, "d3": 1, "d4": 2, "d0": 1, "d1": 1, "d5": 2, "d2": 3},
    }
    found = compared(["infAP"], PRESETS["Spark MLlib"], qrels, a, b)
    mean, queries, documents = sums(found, "infAP")
    assert queries == pytest.approx(mean, abs=1e-15, rel=0)
    assert documents == pytest.approx(mean, abs=1e-15, rel=0)
