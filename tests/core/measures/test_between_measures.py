"""Relations between measures, between two runs, and between a score and its bounds."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import REGISTRY, Convention, Qrels, Run, bounds, compare, evaluate, parse
from metrics.comparing.significance import TIE
from tests.cases import cases, every_measure, scaled

DOCUMENTS = [f"d{i}" for i in range(7)]
QUERIES = ["q1", "q2", "q3"]
QRELS = st.dictionaries(
    st.sampled_from(QUERIES),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1),
    min_size=1,
)
# Few scores for seven documents, so that many are equal.
RUNS = st.fixed_dictionaries(
    {q: st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 3), min_size=1) for q in QUERIES}
)


def every(k):
    """The name of every measure, with the cutoff k where it takes one."""
    return every_measure([f"@{k}"], ["@0.3"])


def scores(qrels, run, *names):
    """One row per name, one column per query."""
    return evaluate(Qrels.from_dict(qrels), Run.from_dict(run), names).per_query.to_numpy().T


def close(a, b):
    return np.allclose(a, b, rtol=0, atol=1e-12)


@given(QRELS, RUNS, st.integers(1, 6))
def test_precision_recall_and_f1_count_the_same_hits(qrels, run, k):
    p, r, hits, total, f1 = scores(
        qrels, run, f"P@{k}", f"R@{k}", f"NumRelRet@{k}", "NumRel", f"F1@{k}"
    )
    assert close(p * k, hits)
    assert close(r * total, hits)
    assert close(f1, 2 * hits / (k + total))


@given(QRELS, RUNS, st.floats(0.01, 100))
def test_the_unit_of_the_gains_does_not_matter_to_normalised_measures(qrels, run, unit):
    gains = "{" + ",".join(f"{grade}:{grade * unit!r}" for grade in (1, 2, 3)) + "}"
    for symbol, at in itertools.product(("nDCG", "nDCGrel", "RnDCG"), ("", "@2")):
        if not at or symbol == "nDCG":
            assert close(*scores(qrels, run, symbol + at, f"{symbol}(gain={gains}){at}"))
    dcg, scaled = scores(qrels, run, "DCG", f"DCG(gain={gains})")
    assert close(dcg, scaled / unit)


@given(QRELS, RUNS, st.floats(0.05, 0.95))
def test_rbp_and_its_residual_sum_to_at_most_1(qrels, run, p):
    binary, scaled, residual, n = scores(
        qrels, run, f"RBP(p={p},worth=relevant)", f"RBP(p={p})", f"RBPres(p={p})", "NumRet"
    )
    assert (binary <= 1 - p**n + 1e-12).all()
    assert (binary + residual <= 1 + 1e-12).all()
    assert (scaled + residual <= 1 + 1e-12).all()


# All measures in each example: few examples do.
@settings(max_examples=8)
@given(QRELS, RUNS, st.integers(1, 4))
def test_every_score_lies_within_its_bounds(qrels, run, k):
    qrels, run = Qrels.from_dict(qrels), Run.from_dict(run)
    for name, ties in itertools.product(every(k), ("descending", "ascending", "mean")):
        this = parse(name)
        if this.linear or ties != "mean":
            range_ = bounds(qrels, run, this, Convention(ties=ties))
            assert (range_["lowest"] <= range_["score"] + 1e-12).all(), (name, ties)
            assert (range_["score"] <= range_["highest"] + 1e-12).all(), (name, ties)


@settings(max_examples=8)
@given(QRELS, RUNS, RUNS, st.integers(1, 4))
def test_swapping_two_runs_changes_the_signs(qrels, run_a, run_b, k):
    names = every(k)
    qrels, a, b = Qrels.from_dict(qrels), Run.from_dict(run_a), Run.from_dict(run_b)
    there, back = compare(qrels, a, b, names), compare(qrels, b, a, names)
    for name in names:
        delta = there.per_query(name)["delta"]
        assert delta.equals(-back.per_query(name)["delta"])
        one, other = there.summary(name), back.summary(name)
        assert (one.wins, one.ties, one.losses) == (other.losses, other.ties, other.wins)
        assert one.delta == -other.delta
        lines = there.documents(name)
        summed = [lines["delta"][lines["query"] == query].sum() for query in delta.index]
        # A delta this small is made 0; infAP can differ by less than rounding may make of others.
        assert np.allclose(summed, delta, rtol=0, atol=TIE), name


def test_a_deeper_cutoff_can_lower_a_score():
    p, f1, ndcg = (
        [
            float(scores({"q": {"a": 1, "b": 0, "c": 3}}, {"q": run}, f"{symbol}@{k}")[0, 0])
            for k in (1, 2)
        ]
        for symbol, run in (
            ("P", {"a": 2, "b": 1}),
            ("F1", {"a": 2, "b": 1}),
            ("nDCG", {"c": 2, "b": 1}),
        )
    )
    assert p == [1.0, 0.5]
    assert f1 == pytest.approx([2 / 3, 1 / 2])
    assert ndcg == pytest.approx([1.0, 3 / (3 + 1 / np.log2(3))])


def test_g_can_fall_when_a_better_document_rises():
    before, after = ({"a": 3, "b": 2, "c": 1}, {"a": 3, "c": 2, "b": 1})
    values = [
        scores({"q": {"a": 1, "b": 2, "c": 3}}, {"q": run}, "G")[0, 0] for run in (before, after)
    ]
    assert values == pytest.approx(
        [(1 / 2 + 2 / 2 + 3 / 1) / 6, (1 / 2 + 3 / np.log2(3) + 2 / 1) / 6]
    )
    assert values[1] < values[0]


@cases("symbol", REGISTRY)
def test_a_measure_is_graded_if_and_only_if_grades_above_the_level_count(symbol):
    draw = random.Random(symbol)
    name = scaled(symbol) + {"cutoff": "", "recall": "@0.5", "": ""}[REGISTRY[symbol].suffix]
    changed = False
    for _ in range(30):
        grades = {d: draw.randint(0, 3) for d in DOCUMENTS}
        relevant = {d: min(grade, 1) for d, grade in grades.items()}
        run = {d: draw.random() for d in draw.sample(DOCUMENTS, 5)}
        both = [scores({"q": judged}, {"q": run}, name)[0, 0] for judged in (grades, relevant)]
        changed |= not close(*both)
    assert REGISTRY[symbol].graded == changed
