"""A model's means, corrected by a person's grades of a random part of the queries."""

import gzip
import json
import math
from pathlib import Path
from random import Random
from statistics import fmean

import numpy as np
import pytest

from metrics import DataError, Qrels, evaluate
from metrics.agreement.corrected import Corrected, corrected, draw_queries
from tests.benchmarks.corrected import EFFECT, ERRORS, cell

DOCUMENTS = tuple("abcdefgh")


@pytest.fixture(scope="module")
def recorded():
    with gzip.open(Path(__file__).parents[2] / "data" / "corrected_ppi_py.json.gz") as file:
        return json.load(file)["cases"]


@pytest.fixture(scope="module")
def judged():
    """A model's grades of 60 queries, a person's of all, and two runs."""
    lots = Random(3)
    queries = [f"q{n}" for n in range(60)]
    human = {q: {d: lots.choice([0, 0, 1, 2, 3]) for d in DOCUMENTS} for q in queries}
    model = {
        q: {d: g if lots.random() < 0.7 else lots.randrange(4) for d, g in of.items()}
        for q, of in human.items()
    }

    def run(noise):
        return {q: {d: g + noise * lots.random() for d, g in of.items()} for q, of in human.items()}

    return model, human, run(6), run(4)


def some(of, queries):
    return {query: of[query] for query in queries}


def test_value_and_standard_error_are_those_of_ppi_py(recorded):
    assert len(recorded) == 200
    for case in recorded:
        parts = [np.array(case[name]) for name in ("human", "model", "others")]
        found, (n, m) = Corrected(*parts, case["weight"]), map(len, parts[1:])
        assert found.value == pytest.approx(case["value"], rel=1e-12)
        # There variances are divided by the number of scores, here by the degrees of freedom.
        others = found.weight**2 * found.others.var(ddof=1) / m
        rests = found.variance - others
        theirs = others * (m - 1) / m + rests * (n - 2) / n
        assert math.sqrt(theirs) == pytest.approx(case["standard_error"], rel=1e-9)


@pytest.mark.parametrize("errors", ERRORS)
def test_the_interval_holds_the_truth_whatever_the_errors_of_the_model(errors):
    found = cell("symmetric", errors, 50, draws=400)
    assert found["corrected"] > 0.92
    if errors == "useless":
        assert 0.98 < found["width"] < 1.02
    else:
        assert found["width"] < 0.85
    # A model that is wrong in one direction is believed, and never right.
    assert errors != "favours a run" or found["model alone"] < 0.05


def test_the_weight_is_the_one_with_the_narrowest_interval():
    lots = np.random.default_rng(5)
    human = EFFECT + lots.normal(0, 0.2, 200)
    model, others = human + lots.normal(0, 0.1, 200), EFFECT + lots.normal(0, 0.22, 600)
    best = Corrected.of(human, model, others)
    near = [Corrected(human, model, others, best.weight + by).variance for by in (-0.1, 0.1)]
    assert 0 < best.weight < 1
    assert best.variance < min(near)


def test_each_mean_is_that_of_scores_one_by_one(judged):
    model, human, a, b = judged
    mine = draw_queries([*model], 20)
    found = corrected(model, some(human, mine), a, b, ["nDCG@5", "P(rel=2)@3"], "trec_eval")
    assert set(found.queries) == set(mine)
    assert found.judgments == 20 * len(DOCUMENTS)
    for name, of in found.measures.items():
        by = {
            whose: {side: evaluate(qrels, run, name).per_query[name] for side, run in runs}
            for whose, qrels in (("model", model), ("human", human))
            for runs in [(("a", a), ("b", b))]
        }
        scored = [q for q in mine if q in by["model"]["a"].index and q in by["human"]["a"].index]
        rest = [q for q in by["model"]["a"].index if q not in mine]
        weight = of.delta.weight
        for side in ("a", "b"):
            persons, models = (by[whose][side] for whose in ("human", "model"))
            value = weight * fmean(models[q] for q in rest)
            value += fmean(persons[q] - weight * models[q] for q in scored)
            assert getattr(of, side).value == pytest.approx(value, rel=1e-12)
        assert of.delta.value == pytest.approx(of.b.value - of.a.value, rel=1e-12)


def test_a_person_who_graded_all_needs_no_model(judged):
    model, human, a, b = judged
    delta = corrected(model, human, a, b, "nDCG@5").measures["nDCG@5"].delta
    assert (delta.weight, len(delta.others)) == (0, 0)
    assert delta.interval == pytest.approx(delta.alone)
    assert delta.needed == len(delta.human)


def test_a_query_with_another_ideal_is_left_out_and_named(judged):
    model, human, a, b = judged
    part = some(human, [*human][:10])
    part["q3"] = {d: g for d, g in part["q3"].items() if d not in "ab"}
    # What the model did not grade is no reason to leave a query out.
    part["q4"] = part["q4"] | {"new": 1}
    found = corrected(model, part, a, b, "nDCG@5")
    assert found.incomplete == {"q3": 2}
    assert len(found.queries) == 9
    every = found.measures["nDCG@5"].delta
    assert len(every.human) + len(every.others) == 60


def test_queries_that_were_chosen_are_told_from_a_draw(judged):
    model, human, a, b = judged
    scores = evaluate(model, a, "nDCG@5").per_query["nDCG@5"].sort_values()
    best = corrected(model, some(human, scores.index[-15:]), a, b, "nDCG@5")
    assert best.is_unlike
    of_draws = [
        corrected(model, some(human, draw_queries([*model], 15, seed)), a, b, "nDCG@5").is_unlike
        for seed in range(20)
    ]
    assert sum(of_draws) <= 3


def test_too_few_queries_are_refused(judged):
    model, human, a, b = judged
    with pytest.raises(DataError, match="In 1 query a person graded all documents"):
        corrected(model, some(human, ["q1"]), a, b, "nDCG@5")
    with pytest.raises(DataError, match="In 0 queries"):
        corrected(model, Qrels.from_dict({"other": {"a": 1}}), a, b, "nDCG@5")


def test_a_longer_draw_begins_with_the_shorter_one():
    queries = [f"q{n}" for n in range(40)]
    assert draw_queries(queries, 30)[:12] == draw_queries(queries, 12)
    assert sorted(draw_queries(queries, 99)) == sorted(queries)
    assert draw_queries(queries, 12, seed=1) != draw_queries(queries, 12)
