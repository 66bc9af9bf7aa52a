"""The order of ties: bounds and means equal those over every order, tried one by one."""

import random
from dataclasses import replace
from functools import cache
from itertools import chain, permutations, product

import numpy as np
import pytest

from metrics import REGISTRY, Convention, MeasureError, Qrels, Run, bounds, evaluate, match, parse
from metrics.exploring.ties import bounds_of
from tests.cases import cases, every_measure
from tests.core.measures.batch import close
from tests.core.measures.reference import MEASURES

NAMES = every_measure(["", "@2", "@3"], ["@0.3", "@0.75"])
CONVENTIONS = [
    Convention(),
    Convention(gain="exponential", negative="nonrelevant", level=2, rbp="grade"),
    Convention(gain="{1:5,2:1}", ideal="retrieved", ap="capped", rbp="relevant"),
    Convention(ap="retrieved", precision="returned", recall_points="up", ideal_cut="whole"),
]


@cache
def tied():
    """Grades and scores of 40 queries, each for one of the conventions."""
    draw = random.Random(5)
    documents = ["a", "b", "c", "d", "e", "f"]
    drawn = []
    for _ in range(40):
        grades, scores = (
            {name: draw.choice(values) for name in draw.sample(documents, draw.randint(2, 5))}
            for values in ([-1, 0, 0, 1, 2, 3], [1.0, 1.0, 1.0, 2.0, 2.0])
        )
        drawn.append((grades, scores))
    return drawn


def orders(scores):
    """Every ranking that these scores allow."""
    groups = [
        [name for name in scores if scores[name] == score]
        for score in sorted(set(scores.values()), reverse=True)
    ]
    for parts in product(*map(permutations, groups)):
        ranked = list(chain(*parts))
        yield {name: float(-rank) for rank, name in enumerate(ranked)}


class Orders:
    """Queries with equal scores, and one judged run with a query for each order of each."""

    def __init__(self, drawn, convention):
        self.convention = convention
        self.queries = [f"q{number}" for number in range(len(drawn))]
        grades, scores = zip(*drawn, strict=True)
        self.qrels = Qrels.from_dict(dict(zip(self.queries, grades, strict=True)))
        self.run = Run.from_dict(dict(zip(self.queries, scores, strict=True)))
        ordered = [list(orders(each)) for each in scores]
        self.counts = np.array(list(map(len, ordered)))
        runs = dict(enumerate(chain(*ordered)))
        of_each = np.repeat(np.arange(len(drawn)), self.counts).tolist()
        self.every = match(
            Qrels.from_dict({str(n): grades[of] for n, of in enumerate(of_each)}),
            Run.from_dict({str(n): order for n, order in runs.items()}),
            convention,
        )
        assert self.every.queries == tuple(map(str, runs))

    def scores(self, name):
        """The lowest, mean and highest score of each query over its orders."""
        values, first = parse(name).ledger(self.every).scores, np.cumsum(self.counts) - self.counts
        mean = np.add.reduceat(values, first) / self.counts
        return np.minimum.reduceat(values, first), mean, np.maximum.reduceat(values, first)

    def disagreements(self, name):
        """Yield where the bounds, and the mean of a linear measure, are not those of all orders."""
        lowest, mean, highest = self.scores(name)
        found = bounds(self.qrels, self.run, name, self.convention)
        assert found.index.tolist() == self.queries
        sides = {side: found[side].to_numpy() for side in found}
        same = {
            "lowest": close(sides["lowest"], lowest, 1e-12, 1e-12),
            "highest": close(sides["highest"], highest, 1e-12, 1e-12),
            "score": (lowest - 1e-12 <= sides["score"]) & (sides["score"] <= highest + 1e-12),
        }
        if parse(name).linear:
            averaged = evaluate(self.qrels, self.run, name, replace(self.convention, ties="mean"))
            same["mean"] = close(averaged.ledgers[name].scores, mean, 1e-12, 1e-12)
        for what, each in same.items():
            yield from ((name, what, self.queries[wrong]) for wrong in np.flatnonzero(~each))


@cases("number", range(len(CONVENTIONS)))
def test_bounds_and_means_are_those_of_all_orders(number):
    every = Orders(tied()[number :: len(CONVENTIONS)], CONVENTIONS[number])
    wrong = [each for name in NAMES for each in every.disagreements(name)]
    assert wrong == []


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
    qrels = Qrels.from_dict({f"q{n}": grades for n, (grades, _) in enumerate(tied())})
    run = Run.from_dict({f"q{n}": scores for n, (_, scores) in enumerate(tied())})
    names = ("infAP", "G", "nDCG@3", "Bpref")
    together = {name: bounds(qrels, run, name) for name in names}
    for query in qrels.queries:
        alone = match(qrels.only(query), run.only(query))
        for name in names:
            expected = bounds_of(alone, parse(name))
            assert together[name].loc[[query]].equals(expected), (name, query)


def test_larger_ties_of_measures_that_are_searched():
    # The first query has nothing in the run: the second one's documents come first.
    drawn = [({"a": 1}, {})]
    for seed in range(12):
        draw = random.Random(seed)
        grades = {d: draw.choice([-1, 0, 0, 1, 2, 3, 7]) for d in "abcdefghi"}
        scores = {d: float(draw.random() < 0.2) for d in draw.sample([*"abcdefghi", "x"], 7)}
        drawn.append((grades, scores))
    every = Orders(drawn, Convention(queries="qrels"))
    assert [each for name in ("infAP", "G") for each in every.disagreements(name)] == []


def test_orders_in_which_little_decides_what_is_lowest():
    drawn = []
    for seed in (12, 17, 63, 70):
        draw = random.Random(seed)
        grades = {d: draw.choice([0, 0, 1, 2, 3, 7]) for d in "abcdefg"}
        drawn.append((grades, dict.fromkeys(draw.sample([*"abcdefg", "x", "y"], 6), 1.0)))
    assert list(Orders(drawn, Convention()).disagreements("G")) == []


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


@cases("symbol", MEASURES)
def test_these_measures_have_a_mean_over_orders(symbol):
    mean = MEASURES[symbol].mean
    assert REGISTRY[symbol].linear == mean, f"`{symbol}`: linear, and mean in reference.py, differ"
