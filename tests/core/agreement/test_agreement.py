"""Kappa and alpha against scikit-learn, another program's values, and slow definitions."""

import gzip
import json
import math
import random
from functools import cache
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

from metrics import DataError, MeasureError, Qrels
from metrics.agreement.agreement import (
    SCALES,
    WEIGHTS,
    cohen_kappa,
    krippendorff_alpha,
    percent_agreement,
)
from tests.cases import cases
from tests.core.agreement.judges import both, drawn, judges_of

# Krippendorff, Computing Krippendorff's alpha-reliability (2011), example C.
FOUR_OBSERVERS = ("123321412...", "1233224125.3", ".3332342251.", "12332441251.")


@cache
def recorded():
    with gzip.open(Path(__file__).parents[2] / "data" / "alpha_krippendorff.json.gz") as file:
        return json.load(file)["cases"]


@cache
def two_judges():
    """The grades and the qrels of 300 cases of two judges."""
    columns = [drawn(seed, documents=40) for seed in range(300)]
    return [(*each, judges_of(each)) for each in columns]


def kappa_by_definition(pairs, distance):
    """Cohen (1968): mean distance of the pairs over that of every grade of A with every of B."""
    observed = sum(distance(x, y) for x, y in pairs) / len(pairs)
    expected = sum(distance(x, y) for x, _ in pairs for _, y in pairs) / len(pairs) ** 2
    return 1 - observed / expected


def alpha_by_definition(columns, scale):
    """Krippendorff (2011), sections B to E, with a loop for each sum."""
    units = [[g for g in unit if g is not None] for unit in zip(*columns, strict=True)]
    units = [unit for unit in units if len(unit) > 1]
    given = [grade for unit in units for grade in unit]

    def distance(x, y):
        if scale == "nominal":
            return x != y
        if scale == "interval":
            return (x - y) ** 2
        low, high = sorted((x, y))
        between = sum(low <= grade <= high for grade in given)
        return (between - (given.count(low) + given.count(high)) / 2) ** 2 if low != high else 0

    observed = sum(
        distance(x, y) / (len(unit) - 1) for unit in units for x, y in permutations(unit, 2)
    )
    expected = sum(distance(x, y) for x, y in permutations(given, 2)) / (len(given) - 1)
    return 1 - observed / expected


@pytest.mark.parametrize("weights", WEIGHTS)
def test_kappa_by_place_is_scikit_learn_s(weights):
    from sklearn.metrics import cohen_kappa_score

    theirs = None if weights == "none" else weights
    for a, b, judges in two_judges():
        pairs = both(a, b)
        # scikit-learn refuses fractions as labels; their order is all that counts by place.
        grades = sorted({grade for pair in pairs for grade in pair})
        codes = [[grades.index(grade) for grade in side] for side in zip(*pairs, strict=True)]
        expected = cohen_kappa_score(*codes, weights=theirs)
        found = cohen_kappa(*judges, weights, "place")
        assert found.coefficient == pytest.approx(expected, abs=1e-12)
        assert (found.pairs, found.grades) == (len(pairs), len(grades))
        if np.ptp(np.diff(grades)) == 0:
            evenly = cohen_kappa(*judges, weights)
            assert evenly.coefficient == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("weights", WEIGHTS)
def test_kappa_by_grade_is_its_definition(weights):
    distance = {
        "none": lambda x, y: x != y,
        "linear": lambda x, y: abs(x - y),
        "quadratic": lambda x, y: (x - y) ** 2,
    }[weights]
    for seed in range(40):
        a, b = drawn(seed)
        found = cohen_kappa(*judges_of([a, b]), weights)
        assert found.coefficient == pytest.approx(
            kappa_by_definition(both(a, b), distance), abs=1e-12
        )


def test_a_grade_between_two_others_moves_kappa_only_by_place():
    # Both judges give the same 2 to one document more; 1 and 4 were disagreements before.
    a, b = [0, 1, 4, 1, 0, 4] * 20, [0, 4, 4, 1, 1, 1] * 20
    with_2 = [*a, 2], [*b, 2]
    by_grade, by_place = (
        [cohen_kappa(*judges_of(each), "quadratic", steps).coefficient for each in ([a, b], with_2)]
        for steps in ("grade", "place")
    )
    assert by_grade[0] == pytest.approx(by_grade[1], abs=0.01)
    assert abs(by_place[0] - by_place[1]) > 0.05


@pytest.mark.parametrize("scale", SCALES)
def test_alpha_is_that_of_another_program(scale):
    assert len(recorded()) == 300
    for case in recorded():
        found = krippendorff_alpha(judges_of(case["grades"]), scale)
        assert found.coefficient == pytest.approx(case["alpha"][scale], abs=1e-12)


@cases(("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_of_four_observers_is_the_article_s(scale, alpha):
    columns = [[None if c == "." else int(c) for c in text] for text in FOUR_OBSERVERS]
    found = krippendorff_alpha(judges_of(columns), scale)
    assert round(found.coefficient, 3) == alpha
    # One of the twelve documents has one grade.
    assert (found.pairs, found.queries, found.grades) == (11, 3, 5)


@pytest.mark.parametrize("scale", SCALES)
def test_alpha_is_its_definition(scale):
    for seed in range(25):
        columns = drawn(seed, judges=2 + seed % 4, documents=25, missing=0.4)
        found = krippendorff_alpha(judges_of(columns), scale)
        assert found.coefficient == pytest.approx(alpha_by_definition(columns, scale), abs=1e-12)


def test_nominal_alpha_of_two_is_scott_s_pi_for_few_documents_and_not_kappa():
    for seed in range(20):
        a, b = drawn(seed, missing=0, documents=40)
        judges = judges_of([a, b])
        alpha = krippendorff_alpha(judges, "nominal").coefficient
        given, n = [*a, *b], len(a)
        expected = sum((given.count(grade) / (2 * n)) ** 2 for grade in set(given))
        same = sum(x == y for x, y in zip(a, b, strict=True)) / n
        pi = (same - expected) / (1 - expected)
        assert alpha == pytest.approx(pi + (1 - pi) / (2 * n), abs=1e-12)
        kappa = cohen_kappa(*judges).coefficient
        assert 1e-6 < abs(alpha - kappa) < 0.05


def test_the_order_of_judges_queries_and_documents_changes_nothing():
    columns = drawn(7, judges=3)
    judges = judges_of(columns)
    lots = random.Random(0)

    def mixed(qrels):
        """The same judgments with the rows of all queries mixed."""
        rows = list(qrels.to_frame().itertuples(index=False))
        lots.shuffle(rows)
        return Qrels.from_columns(*zip(*rows, strict=True))

    for scale in SCALES:
        first = krippendorff_alpha(judges, scale)
        for order in permutations(range(3)):
            again = krippendorff_alpha([mixed(judges[place]) for place in order], scale)
            assert vars(again) == pytest.approx(vars(first), abs=1e-12)
    for weights in WEIGHTS:
        forth, back = (
            cohen_kappa(a, b, weights)
            for a, b in (judges[:2], (mixed(judges[1]), mixed(judges[0])))
        )
        assert vars(back) == pytest.approx(vars(forth), abs=1e-12)


@cases("seed", range(5))
def test_a_judge_agrees_with_itself(seed):
    (qrels,) = judges_of(drawn(seed, judges=1))
    found = [
        *(cohen_kappa(qrels, qrels, weights) for weights in WEIGHTS),
        *(krippendorff_alpha([qrels] * 3, scale) for scale in SCALES),
        percent_agreement(qrels, qrels),
    ]
    assert {each.coefficient for each in found} == {1.0}
    # How far below 1 it may be is not known.
    assert all(math.isnan(each.low) and each.why for each in found)


def test_moving_and_scaling_grades_changes_nothing():
    columns = drawn(3, judges=3, scale=[0, 1, 2, 5])
    moved = [[None if g is None else 1e-9 * g - 3e-9 for g in each] for each in columns]
    for scale in SCALES:
        one, other = (krippendorff_alpha(judges_of(each), scale) for each in (columns, moved))
        assert vars(one) == pytest.approx(vars(other), abs=1e-9)


@cases("weights", WEIGHTS)
@cases("steps", ["grade", "place"])
def test_undefined_coefficients_say_why(weights, steps):
    two = Qrels.from_dict({"q1": {"x": 2, "y": 2}, "q2": {"x": 2}})
    for a, b, why in (
        (two, Qrels.from_dict({"q3": {"x": 2}}), "No document was judged by both judges."),
        (two, Qrels.from_dict({}), "No document was judged by both judges."),
        (Qrels.from_dict({}), Qrels.from_dict({}), "No document was judged by both judges."),
        (two, two, "All grades of 3 shared documents are 2: chance would agree as often."),
        (
            Qrels.from_dict({"q": {"x": -0.0}}),
            Qrels.from_dict({"q": {"x": 0.0}}),
            "All grades of 1 shared document are 0: chance would agree as often.",
        ),
    ):
        found = cohen_kappa(a, b, weights, steps)
        assert all(map(math.isnan, (found.coefficient, found.low, found.high)))
        assert found.why == why


@cases("scale", SCALES)
def test_undefined_alphas_say_why(scale):
    one, other = Qrels.from_dict({"q": {"x": 1, "z": 1}}), Qrels.from_dict({"q": {"y": 0}})
    found = krippendorff_alpha([one, other, Qrels.from_dict({})], scale)
    assert math.isnan(found.coefficient)
    assert (found.pairs, found.why) == (0, "No document was judged by two judges.")
    found = krippendorff_alpha([one, one, other], scale)
    assert math.isnan(found.coefficient)
    assert found.why == "All grades of 2 shared documents are 1: chance would agree as often."


def test_one_grade_each_is_no_agreement_when_the_grades_differ():
    a, b = Qrels.from_dict({"q": {"x": 0, "y": 0}}), Qrels.from_dict({"q": {"x": 1, "y": 1}})
    assert cohen_kappa(a, b).coefficient == 0
    assert percent_agreement(a, b).coefficient == 0


def test_percent_agreement_is_the_share_of_equal_grades():
    for seed in range(10):
        a, b = drawn(seed)
        found = percent_agreement(*judges_of([a, b]))
        pairs = both(a, b)
        assert found.coefficient == pytest.approx(sum(x == y for x, y in pairs) / len(pairs))
        assert found.low < found.coefficient < found.high
    same = Qrels.from_dict({f"q{i}": {"x": 1} for i in range(6)})
    found = percent_agreement(same, same)
    assert (found.coefficient, math.isnan(found.low)) == (1, True)


def test_mistakes_of_the_caller_name_the_choices():
    qrels = Qrels.from_dict({"q": {"x": 1}})
    with pytest.raises(MeasureError, match="'cubic' is not a weighting"):
        cohen_kappa(qrels, qrels, "cubic")
    with pytest.raises(MeasureError, match="Choose one of 'grade', 'place'"):
        cohen_kappa(qrels, qrels, steps="index")
    with pytest.raises(MeasureError, match="'nominal', 'ordinal', 'interval'"):
        krippendorff_alpha([qrels, qrels], "ratio")
    with pytest.raises(DataError, match="at least two judges"):
        krippendorff_alpha([qrels])
