"""Overlap, RBO and tau against their definitions, written out."""

import math
from random import Random

import pytest

from metrics import Run
from metrics.comparing.similarity import P, in_common, pooled, rbo, similarity
from tests.cases import cases


def rbo_by_definition(a, b, p, depth=4000):
    """(1 − p) Σ p^(d−1) A_d, where both lists go on with the agreement that they end with.

    For lists of one length: extrapolation keeps the last agreement for ever.
    """
    total, agreement = 0.0, 0.0
    for d in range(1, depth + 1):
        if d <= len(a):
            agreement = len(set(a[:d]) & set(b[:d])) / d
        total += p ** (d - 1) * agreement
    return (1 - p) * total


def rbo_depth_by_depth(a, b, p):
    """Equation 32 of Webber, Moffat & Zobel, with the agreement at each depth."""
    short, long = sorted((len(a), len(b)))
    common, at_short, total = 0, 0, 0.0
    for depth in range(1, long + 1):
        common = len(set(a[:depth]) & set(b[:depth]))
        at_short = common if depth == short else at_short
        below = at_short * (depth - short) / (short * depth) if depth > short else 0.0
        total += (common / depth + below) * p**depth
    return (1 - p) / p * total + ((common - at_short) / long + at_short / short) * p**long


@cases("seed", range(20))
@cases("p", [0.5, 0.9, 0.98])
def test_rbo_of_lists_of_one_length(seed, p):
    draw = Random(seed)
    pool = [f"d{i}" for i in range(12)]
    n = draw.randint(1, 10)
    a, b = draw.sample(pool, n), draw.sample(pool, n)
    assert rbo(a, b, p) == pytest.approx(rbo_by_definition(a, b, p), abs=1e-9)


@cases("seed", range(20))
def test_rbo_is_symmetric_and_stays_in_its_range(seed):
    draw = Random(seed)
    pool = [f"d{i}" for i in range(12)]
    a, b = (draw.sample(pool, draw.randint(1, 10)) for _ in range(2))
    assert rbo(a, b) == pytest.approx(rbo(b, a), abs=1e-12)
    assert -1e-12 <= rbo(a, b) <= 1 + 1e-12


def test_rbo_of_uneven_lists_by_hand():
    """Equation 32 for x against x, y: the short list agrees fully, so the long one is taken to."""
    assert rbo(["x"], ["x", "y"]) == pytest.approx(1.0)
    # Nothing in common at depth 1, one document at depth 2: X_s = 0, X_l = 1.
    expected = (1 - P) / P * (1 / 2) * P**2 + (1 / 2) * P**2
    assert rbo(["y"], ["x", "y"]) == pytest.approx(expected)


def test_what_all_queries_have_in_common_is_that_of_each():
    draw = Random(7)
    pool = [f"d{i}" for i in range(12)]
    lists = {
        f"q{i}": [draw.sample(pool, draw.randint(1, 12)) for _ in "ab"] for i in range(300)
    } | {"same": [pool, pool], "apart": [["x"], ["y", "z"]]}
    a, b = (
        Run.from_dict(
            {
                query: {document: -float(rank) for rank, document in enumerate(both[side])}
                for query, both in lists.items()
            }
        )
        for side in (0, 1)
    )
    # A query of one run alone is not compared.
    b = Run.from_dict({"alone": {"x": 1.0}} | b.to_dict())
    for p, depth in (0.5, 1), (P, 5), (0.98, 100):
        found = in_common(a, b, depth, p=p)
        assert found.index.tolist() == list(lists)
        expected = [rbo_depth_by_depth(*both, p) for both in lists.values()]
        assert [rbo(*both, p) for both in lists.values()] == pytest.approx(expected, abs=1e-12)
        assert found["RBO"].tolist() == pytest.approx(expected, abs=1e-12)
        tops = [(set(x[:depth]), set(y[:depth]), set(x), set(y)) for x, y in lists.values()]
        assert found["in common"].tolist() == [len(x & y) for x, y, *_ in tops]
        assert found["only A"].tolist() == [len(x - every) for x, _, _, every in tops]
        assert found["only B"].tolist() == [len(y - every) for _, y, every, _ in tops]
        of_alone = 1
        assert pooled([a, b], depth) == sum(len(x | y) for x, y, *_ in tops) + of_alone
    assert in_common(Run.from_dict({}), b, 10).empty


def test_equal_apart_and_empty():
    same = similarity(["a", "b", "c"], ["a", "b", "c"], 10)
    assert (same.overlap, same.depth, same.shared) == (3, 10, 3)
    assert (same.rbo, same.tau) == (pytest.approx(1.0), pytest.approx(1.0))
    back = similarity(["a", "b", "c"], ["c", "b", "a"], 2)
    assert (back.overlap, back.tau) == (1, pytest.approx(-1.0))
    apart = similarity(["a"], ["b"], 5)
    assert (apart.overlap, apart.rbo, apart.shared) == (0, 0.0, 0)
    assert math.isnan(apart.tau)
    assert math.isnan(similarity([], ["a"], 5).rbo)
