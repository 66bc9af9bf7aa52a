"""The order of ties: bounds and means equal those over every order, tried one by one."""

import random
from dataclasses import replace
from itertools import chain, permutations, product

import numpy as np
import pytest

from metrics import REGISTRY, Convention, MeasureError, Qrels, Run, bounds, evaluate, judge, parse

NAMES = [
    name
    for symbol, measure in REGISTRY.items()
    for name in {
        "cutoff": [symbol, f"{symbol}@2", f"{symbol}@3"],
        "recall": [f"{symbol}@0.3", f"{symbol}@0.75"],
        "": [symbol],
    }[measure.suffix]
]
CONVENTIONS = [
    Convention(),
    Convention(gain="exponential", negative="nonrelevant", level=2, rbp="grade"),
    Convention(gain="{1:5,2:1}", ideal="retrieved", ap="capped", rbp="relevant"),
    Convention(ap="retrieved", precision="returned", recall_points="up", ideal_cut="whole"),
]


def cases():
    draw = random.Random(5)
    documents = ["a", "b", "c", "d", "e", "f"]
    for number in range(40):
        grades = {
            name: draw.choice([-1, 0, 0, 1, 2, 3])
            for name in draw.sample(documents, draw.randint(2, 5))
        }
        scores = {
            name: float(draw.choice([1, 1, 1, 2, 2]))
            for name in draw.sample(documents, draw.randint(2, 5))
        }
        yield grades, scores, CONVENTIONS[number % len(CONVENTIONS)]


def orders(scores):
    """Every ranking that these scores allow."""
    groups = [
        [name for name in scores if scores[name] == score]
        for score in sorted(set(scores.values()), reverse=True)
    ]
    for parts in product(*map(permutations, groups)):
        ranked = list(chain(*parts))
        yield {name: float(-rank) for rank, name in enumerate(ranked)}


@pytest.mark.parametrize(("grades", "scores", "convention"), list(cases()))
def test_bounds_and_means_are_those_of_all_orders(grades, scores, convention):
    qrels, run = Qrels.from_dict({"q": grades}), Run.from_dict({"q": scores})
    every = [judge(qrels, Run.from_dict({"q": order}), convention) for order in orders(scores)]
    for name in NAMES:
        measure = parse(name)
        values = [float(measure.ledger(judged).scores[0]) for judged in every]
        found = bounds(qrels, run, name, convention).loc["q"]
        assert found["lowest"] == pytest.approx(min(values)), name
        assert found["highest"] == pytest.approx(max(values)), name
        assert min(values) - 1e-12 <= found["score"] <= max(values) + 1e-12
        if measure.linear:
            averaged = evaluate(qrels, run, name, replace(convention, ties="mean"))
            assert averaged.value(name, "q") == pytest.approx(np.mean(values)), name


def test_a_measure_that_is_not_linear_has_no_mean_over_orders():
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 0}})
    tied, clear = Run.from_dict({"q": {"a": 1, "b": 1}}), Run.from_dict({"q": {"a": 2, "b": 1}})
    with pytest.raises(MeasureError, match="not linear"):
        evaluate(qrels, tied, "RR", Convention(ties="mean"))
    assert evaluate(qrels, clear, "RR", Convention(ties="mean")).value("RR") == 1.0


def test_a_search_that_would_take_minutes_is_refused():
    grades = {f"d{i}": i % 50 for i in range(200)}
    run = Run.from_dict({"q": dict.fromkeys(grades, 1.0)})
    with pytest.raises(MeasureError, match=r"200 documents.*same score"):
        bounds(Qrels.from_dict({"q": grades}), run, "G")
    highest = bounds(Qrels.from_dict({"q": grades}), run, "nDCG")["highest"].item()
    assert highest == pytest.approx(1.0)


def test_bounds_of_many_queries_are_those_of_each():
    drawn = list(cases())
    qrels = {f"q{i}": grades for i, (grades, _, _) in enumerate(drawn)}
    run = {f"q{i}": scores for i, (_, scores, _) in enumerate(drawn)}
    for name in ("infAP", "G", "nDCG@3", "Bpref"):
        together = bounds(Qrels.from_dict(qrels), Run.from_dict(run), name)
        for query in qrels:
            alone = bounds(
                Qrels.from_dict({query: qrels[query]}), Run.from_dict({query: run[query]}), name
            )
            assert together.loc[[query]].equals(alone)


@pytest.mark.parametrize("name", ["infAP", "G"])
@pytest.mark.parametrize("seed", range(12))
def test_larger_ties_of_measures_that_are_searched(name, seed):
    draw = random.Random(seed)
    grades = {d: draw.choice([-1, 0, 0, 1, 2, 3, 7]) for d in "abcdefghi"}
    scores = {d: float(draw.random() < 0.2) for d in draw.sample([*"abcdefghi", "x"], 7)}
    # The first query has nothing in the run: the second one's documents come first.
    qrels = Qrels.from_dict({"p": {"a": 1}, "q": grades})
    convention = Convention(queries="qrels")
    every = [judge(qrels, Run.from_dict({"q": order}), convention) for order in orders(scores)]
    values = [float(parse(name).ledger(judged).scores[1]) for judged in every]
    found = bounds(qrels, Run.from_dict({"q": scores}), name, convention).loc["q"]
    assert found["lowest"] == pytest.approx(min(values), abs=1e-12)
    assert found["highest"] == pytest.approx(max(values), abs=1e-12)


@pytest.mark.parametrize("seed", [12, 17, 63, 70])
def test_orders_in_which_little_decides_what_is_lowest(seed):
    draw = random.Random(seed)
    grades = {d: draw.choice([0, 0, 1, 2, 3, 7]) for d in "abcdefg"}
    scores = dict.fromkeys(draw.sample([*"abcdefg", "x", "y"], 6), 1.0)
    qrels = Qrels.from_dict({"q": grades})
    judged = (judge(qrels, Run.from_dict({"q": order})) for order in orders(scores))
    values = [float(parse("G").ledger(each).scores[0]) for each in judged]
    lowest = bounds(qrels, Run.from_dict({"q": scores}), "G")["lowest"].item()
    assert lowest == pytest.approx(min(values), abs=1e-12)


def test_a_doubled_ideal_has_a_mean_where_the_top_k_are_known():
    doubled = Convention(ideal="doubled", ties="mean")
    qrels = Qrels.from_dict({"q": {"a": 2, "b": 1, "c": 1}})

    def score(scores):
        return evaluate(qrels, Run.from_dict({"q": scores}), "nDCG@2", doubled).value("nDCG@2")

    both = score({"a": 2, "b": 2, "c": 1})
    ordered = [
        evaluate(qrels, Run.from_dict({"q": scores}), "nDCG@2", Convention(ideal="doubled"))
        for scores in ({"a": 3, "b": 2, "c": 1}, {"a": 2, "b": 3, "c": 1})
    ]
    assert both == pytest.approx(np.mean([each.value("nDCG@2") for each in ordered]))
    # Which unjudged documents are in the top k changes no ideal.
    assert score({"a": 3, "x": 2, "y": 2}) == score({"a": 3, "x": 2, "y": 1})
    with pytest.raises(MeasureError, match="depends on the order of equal scores"):
        score({"a": 3, "b": 2, "c": 2})


def test_an_ideal_that_depends_on_the_order_has_no_known_bounds():
    qrels, run = Qrels.from_dict({"q": {"a": 1, "b": 2}}), Run.from_dict({"q": {"a": 1, "b": 1}})
    doubled = Convention(ideal="doubled")
    with pytest.raises(MeasureError, match="bounds are not known"):
        bounds(qrels, run, "nDCG@1", doubled)
    assert bounds(qrels, run, "nDCG", doubled).loc["q", "highest"] < 1


def test_these_measures_have_a_mean_over_orders():
    linear = {symbol for symbol, measure in REGISTRY.items() if measure.linear}
    sets = {"P", "R", "RCap", "F", "F1", "SetAP", "Rprec", "Judged", "Unjudged", "Utility"}
    counts = {"NumRet", "NumRel", "NumRelRet", "NumNonrelRet"}
    named = sets | counts | {"DCG", "IDCG", "nDCG", "RBP", "RBPres", "P_IA"}
    for symbol in linear:
        assert symbol in named, f"`{symbol}` is linear: add it to this test in test_tie_orders.py"
    assert linear == named
