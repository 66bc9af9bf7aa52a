"""Intervals over queries, against coefficients of qrels without a query."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics import Qrels
from metrics.agreement import agreement as module
from metrics.agreement.agreement import SCALES, cohen_kappa, krippendorff_alpha, percent_agreement
from tests.cases import cases
from tests.core.agreement.judges import drawn, judges_of, simulated


def without(judges, left_out):
    """The judges' qrels without some queries."""
    return [
        Qrels.from_dict({q: graded for q, graded in each.to_dict().items() if q not in left_out})
        for each in judges
    ]


def ends(coefficient, others, level):
    """Student's interval on Fisher's z, with the jackknife's standard error, by definition."""
    error = math.sqrt(sum((each - np.mean(others)) ** 2 for each in others))
    error *= math.sqrt((len(others) - 1) / len(others))
    reach = stats.t.interval(level, len(others) - 1, scale=error / (1 - coefficient**2))
    z = math.log((1 + coefficient) / (1 - coefficient)) / 2
    return tuple(math.tanh(z + by) for by in reach)


def test_the_interval_is_of_coefficients_without_a_query():
    judges = judges_of(drawn(11, judges=3, documents=44, missing=0.1))
    coefficients = {
        scale: lambda three, scale=scale: krippendorff_alpha(three, scale, 0.8) for scale in SCALES
    }
    coefficients["kappa"] = lambda three: cohen_kappa(*three[:2], "linear", level=0.8)
    for of in coefficients.values():
        found = of(judges)
        assert cohen_kappa(*judges[:2]).queries == len(judges[0].queries) == 11
        others = [of(without(judges, [query])).coefficient for query in judges[0].queries]
        assert (found.low, found.high) == pytest.approx(ends(found.coefficient, others, 0.8))


def test_a_share_has_the_interval_of_a_coefficient_from_minus_1_to_1():
    judges = judges_of(drawn(3, documents=40))
    found = percent_agreement(*judges)
    others = [percent_agreement(*without(judges, [q])).coefficient for q in judges[0].queries]
    low, high = ends(2 * found.coefficient - 1, [2 * each - 1 for each in others], 0.95)
    assert (found.low, found.high) == pytest.approx(((1 + low) / 2, (1 + high) / 2))


def test_the_interval_is_the_same_in_parts_of_any_size(monkeypatch):
    judges = judges_of(drawn(2))
    whole = cohen_kappa(*judges)
    monkeypatch.setattr(module, "_HELD", 100)
    assert vars(cohen_kappa(*judges)) == pytest.approx(vars(whole), abs=1e-12)


def test_many_queries_are_left_out_in_groups(monkeypatch):
    judges = judges_of(drawn(2, documents=80))
    monkeypatch.setattr(module, "GROUPS", 8)
    found, queries = cohen_kappa(*judges), sorted(judges[0].queries)
    others = [cohen_kappa(*without(judges, queries[i::8])).coefficient for i in range(8)]
    assert (found.low, found.high) == pytest.approx(ends(found.coefficient, others, 0.95))


def test_intervals_hold_the_coefficient_and_widen_with_the_level():
    for seed in range(10):
        judges = judges_of(drawn(seed, documents=120))
        found = cohen_kappa(*judges, "linear")
        assert found.low < found.coefficient < found.high
        wider = cohen_kappa(*judges, "linear", level=0.99)
        assert -1 < wider.low < found.low < found.high < wider.high < 1
        assert not found.why


def test_whole_queries_are_left_out_and_not_documents():
    # In each query both judges give the same grades, or opposite ones, to all its documents.
    a = [0, 1] * 100
    b = [*a[:100], *(1 - grade for grade in a[100:])]
    wide, narrow = (cohen_kappa(*judges_of([a, b], of_query)) for of_query in (20, 2))
    assert wide.coefficient == narrow.coefficient
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


@cases("queries", [6, 8, 40])
def test_intervals_hold_the_true_value_about_as_often_as_promised(queries):
    lots = np.random.default_rng(queries)
    true = cohen_kappa(*simulated(lots, 4_000), "quadratic").coefficient
    found = [cohen_kappa(*simulated(lots, queries), "quadratic") for _ in range(300)]
    assert 0.92 < np.mean([each.low <= true <= each.high for each in found]) < 0.985


@cases("queries", [1, module.FEWEST_QUERIES - 1])
def test_few_queries_have_a_coefficient_without_an_interval(queries):
    a, b = judges_of([[0, 1, 1] * queries, [0, 1, 0] * queries], 3)
    for found in (cohen_kappa(a, b), krippendorff_alpha([a, b]), percent_agreement(a, b)):
        assert 0 < found.coefficient < 1
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert f"needs {module.FEWEST_QUERIES} queries; the shared documents are" in found.why


@cases(
    "columns",
    [
        # Only one of seven queries has a second grade: without it, all are the same.
        ([0] * 7, [*[0] * 6, 1]),
        ([0, 1] * 7, [0, 1] * 7),
        ([0, 1] * 7, [1, 0] * 7),
    ],
)
def test_no_interval_is_given_where_chance_is_unknown(columns):
    found = cohen_kappa(*judges_of(columns, 1))
    assert not math.isnan(found.coefficient)
    assert math.isnan(found.low)
    assert math.isnan(found.high)
    assert "with equal and with different grades in several queries" in found.why
