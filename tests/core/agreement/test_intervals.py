"""Intervals of a bootstrap over queries, against coefficients of queries drawn one by one."""

import math

import numpy as np
import pytest
from scipy import stats

from metrics import Qrels
from metrics.agreement import agreement as module
from metrics.agreement.agreement import SCALES, cohen_kappa, krippendorff_alpha, percent_agreement
from tests.cases import cases
from tests.core.agreement.judges import drawn, judges_of, simulated


def resampled(judges, order):
    """The judges' qrels of queries drawn with replacement, each as a query of its own."""
    return [
        Qrels.from_dict(
            {f"{place} {query}": of.get(query, {}) for place, query in enumerate(order)}
        )
        for of in (each.to_dict() for each in judges)
    ]


@pytest.mark.parametrize("scale", SCALES)
def test_the_interval_is_the_percentiles_of_coefficients_of_drawn_queries(scale, few_samples):
    judges = judges_of(drawn(11, judges=3, documents=44, missing=0.1))
    queries = sorted(judges[0].queries)
    assert cohen_kappa(*judges[:2]).queries == len(queries) == 11
    drawn_queries = np.random.default_rng(5).integers(
        len(queries), size=(module.SAMPLES, len(queries))
    )
    samples = [resampled(judges, [queries[i] for i in each]) for each in drawn_queries.tolist()]
    alphas = [krippendorff_alpha(each, scale).coefficient for each in samples]
    found = krippendorff_alpha(judges, scale, 0.8, 5)
    # Hesterberg's expanded percentiles: those of a normal distribution where Student's ends are.
    reach = stats.t.ppf(0.9, len(queries) - 1) * math.sqrt(len(queries) / (len(queries) - 1))
    ends = [1 - stats.norm.cdf(reach), stats.norm.cdf(reach)]
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(alphas, ends)))
    kappas = [cohen_kappa(*each[:2], "linear").coefficient for each in samples]
    found = cohen_kappa(*judges[:2], "linear", level=0.8, seed=5)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(kappas, ends)))


def test_the_interval_is_the_same_in_parts_of_any_size(monkeypatch):
    judges = judges_of(drawn(2))
    whole = cohen_kappa(*judges)
    monkeypatch.setattr(module, "_HELD", 100)
    assert vars(cohen_kappa(*judges)) == pytest.approx(vars(whole), abs=1e-12)


def test_many_grades_are_drawn_less_often(monkeypatch):
    judges = judges_of(drawn(2))
    assert cohen_kappa(*judges).samples == module.SAMPLES == 9_999
    monkeypatch.setattr(module, "_COUNTED", 1)
    found = cohen_kappa(*judges)
    assert found.samples == module.FEWEST
    assert found.low < found.coefficient < found.high


def test_intervals_keep_their_seed_hold_the_coefficient_and_widen_with_the_level():
    for seed in range(10):
        judges = judges_of(drawn(seed, documents=120))
        found = cohen_kappa(*judges, "linear")
        assert found == cohen_kappa(*judges, "linear")
        other = cohen_kappa(*judges, "linear", seed=1)
        assert (found.low, found.high) != (other.low, other.high)
        assert (found.low, found.high) == pytest.approx((other.low, other.high), abs=0.02)
        assert found.low < found.coefficient < found.high
        wider = cohen_kappa(*judges, "linear", level=0.99)
        assert wider.low < found.low < found.high < wider.high
        assert not found.why


def test_whole_queries_are_drawn_and_not_documents():
    # In each query both judges give the same grades, or opposite ones, to all its documents.
    a = [0, 1] * 100
    b = [*a[:100], *(1 - grade for grade in a[100:])]
    wide, narrow = (cohen_kappa(*judges_of([a, b], of_query)) for of_query in (20, 2))
    assert wide.coefficient == narrow.coefficient
    assert wide.high - wide.low > 2 * (narrow.high - narrow.low)


@pytest.mark.parametrize(("queries", "least", "most"), [(8, 0.88, 0.97), (40, 0.91, 0.99)])
def test_intervals_hold_the_true_value_about_as_often_as_promised(
    queries, least, most, monkeypatch
):
    lots = np.random.default_rng(queries)
    monkeypatch.setattr(module, "SAMPLES", 299)
    true = cohen_kappa(*simulated(lots, 4_000), "quadratic").coefficient
    found = [cohen_kappa(*simulated(lots, queries), "quadratic") for _ in range(300)]
    assert least < np.mean([each.low <= true <= each.high for each in found]) < most


@cases("queries", [1, module.FEWEST_QUERIES - 1])
def test_few_queries_have_a_coefficient_without_an_interval(queries):
    a, b = judges_of([[0, 1, 1] * queries, [0, 1, 0] * queries], 3)
    for found in (cohen_kappa(a, b), krippendorff_alpha([a, b]), percent_agreement(a, b)):
        assert 0 < found.coefficient < 1
        assert math.isnan(found.low)
        assert math.isnan(found.high)
        assert f"needs {module.FEWEST_QUERIES} queries; the shared documents are" in found.why


def test_samples_without_a_coefficient_are_counted():
    # Only one of seven queries has a second grade: it is in 1 − (6/7)⁷ of the samples.
    found = cohen_kappa(*judges_of([[0] * 7, [*[0] * 6, 1]], 1))
    assert found.undefined == pytest.approx((6 / 7) ** 7, abs=0.02)
    assert found.low <= found.high
    assert not found.why
