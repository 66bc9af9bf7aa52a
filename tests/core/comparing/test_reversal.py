"""The range of B − A over the grades of unjudged documents equals that of all completions."""

import random
from itertools import product

import numpy as np
import pytest

from metrics import Convention, DataError, MeasureError, Qrels, Run, compare, parse
from metrics.comparing import reversal as search
from metrics.comparing.one_query import one_query
from metrics.comparing.reversal import Reversal, reversal
from tests.cases import cases, every_measure

NAMES = every_measure(["", "@2"], ["@0.3"])
CONVENTIONS = [
    Convention(),
    Convention(unjudged="removed", level=2, ties="ascending", precision="returned"),
    Convention(ideal="retrieved", gain="exponential", ap="retrieved", rbp="relevant"),
    Convention(ideal="doubled", negative="nonrelevant", queries="qrels", undefined="skip"),
    Convention(ideal_cut="whole", ap="capped", gain="{1:2,2:1}", undefined="one", rbp="grade"),
]


def run(*documents):
    """Query q's ranking; ``=d`` has the score of the document above."""
    levels = np.cumsum([not document.startswith("=") for document in documents])
    pairs = zip(documents, levels.tolist(), strict=True)
    return Run.from_dict({"q": {document.lstrip("="): -level for document, level in pairs}})


def qrels(grades, scale=(0, 1, 2)):
    """The grades of query q; another query brings in the rest of the scale."""
    return Qrels.from_dict({"q": grades, "other": {str(grade): grade for grade in scale}})


def joint(*asked):
    """The range of a query's delta over the grades of both lists' unjudged documents."""
    return reversal(one_query(*asked))


def drawn(seed):
    """Judged documents j… and m; unjudged u…, some in both lists, some in one; one tie."""
    draw = random.Random(seed)
    for _ in range(2):
        grades = {f"j{i}": draw.choice([0, 1, 2]) for i in range(3)} | {"m": draw.choice([0, 2])}
        names = ["j0", "j1", "j2", "u0", "u1", "u2", "u3"]
        first, second, *rest = draw.sample(names, 5)
        yield grades, run(first, "=" + second, *rest), run(*draw.sample(names, 5))


def deltas(groups, name, convention):
    """B − A under each of the completions in a group, with its runs; NaN where there is no score.

    Each is a query of one comparison.
    """
    tags = [[f"{i} {j}" for j in range(len(group))] for i, (group, *_) in enumerate(groups)]
    grades, *sides = {}, {}, {}
    for names, (completions, *runs) in zip(tags, groups, strict=True):
        grades |= zip(names, completions, strict=True)
        for side, each in zip(sides, runs, strict=True):
            side |= dict.fromkeys(names, each.to_dict()["q"])
    compared = compare(Qrels.from_dict(grades), *map(Run.from_dict, sides), name, convention)
    found = compared.per_query(name)["delta"]
    return [found.reindex(names).to_numpy() for names in tags]


def completed(grades, documents, scale=(0, 1, 2)):
    every = product(scale, repeat=len(documents))
    return [grades | dict(zip(documents, given, strict=True)) for given in every]


def check(several, name, convention, scale=(0, 1, 2)):
    """Check that the bounds contain every delta, tightly where exact, and are reached as stated.

    ``several``: ranges, each with the grades and runs that it is of.
    """
    groups = [
        (
            [
                *(grades, grades | found.low_grades, grades | found.high_grades),
                *completed(grades, list(found.low_grades), scale),
            ],
            *(a, b),
        )
        for found, grades, a, b in several
    ]
    of_all = deltas(groups, name, convention)
    for (found, *_), of_it in zip(several, of_all, strict=True):
        given, every = of_it[:3], of_it[3:]
        ends = np.array([np.nanmin(every), -np.nanmax(every)])
        told = [found.delta, found.reached_low, found.reached_high]
        assert np.allclose(given, told, 0, 1e-12, equal_nan=True)
        assert (ends >= np.array([found.low, -found.high]) - 1e-12).all()
        if found.exact:
            assert np.allclose(ends, [found.low, -found.high], 0, 1e-9)


@cases("name", NAMES)
@cases("convention", CONVENTIONS, ids=range(len(CONVENTIONS)))
def test_the_ends_are_those_of_all_completions(name, convention):
    several, unscored = [], []
    # Draws in which sorting would be wrong for these two.
    for grades, a, b in drawn(seed={"Rprec": "Rprec2", "nDCG": "nDCG19"}.get(name, name)):
        try:
            found = joint(qrels(grades), a, b, name, "q", convention)
        except MeasureError:
            unscored.append((completed(grades, ["u0", "u1", "u2", "u3"]), a, b))
            continue
        assert found.exact
        several.append((found, grades, a, b))
    if unscored:
        assert all(np.isnan(each).all() for each in deltas(unscored, name, convention))
    check(several, name, convention)


@cases(("own", "both"), [(4, 1), (2, 5)], ids=["sorted", "each list alone"])
@cases("name", NAMES)
@cases("ideal", ["judged", "doubled"])
def test_the_ends_when_not_all_completions_can_be_tried(name, own, both, ideal, monkeypatch):
    monkeypatch.setattr(search, "MOST_LINES", 5_500)
    draw, grades = random.Random(name), {"j": 1, "k": 0, "m": 1}
    lists = [[*"jk", *(f"{side}{i}" for i in range(own)), *map(str, range(both))] for side in "ab"]
    a, b = (run(*draw.sample(each, len(each))) for each in lists)
    measure, found, refusal = parse(name), None, ""
    try:
        found = joint(qrels(grades, (0, 1)), a, b, name, "q", Convention(ideal=ideal))
    except MeasureError as error:
        refusal = str(error)
    if found is None:
        assert not measure.exchangeable
        assert "too many" in refusal
        return
    # Others have fixed weights, or few documents above the cutoff.
    assert measure.exchangeable or measure.linear or measure.cutoff is not None
    assert found.exact or both > own
    check([(found, grades, a, b)], name, Convention(ideal=ideal), (0, 1))


@cases("name", ["nDCG", "DCG@2", "RBP", "ERR", "Bpref", "infAP", "Judged", "AP"])
@cases("negative", ["unjudged", "nonrelevant"])
def test_grades_below_0_are_given_only_where_they_are_judgments(name, negative):
    scale = [0, 1] if negative == "unjudged" else [-1, 0, 1]
    several = []
    for grades, a, b in drawn(seed=name):
        grades = {d: min(grade, 1) for d, grade in grades.items()} | {a.document[0].as_py(): -1}
        found = joint(qrels(grades, (-1, 0, 1)), a, b, name, "q", Convention(negative=negative))
        assert (a.document[0].as_py() in found.low_grades) == (negative == "unjudged")
        several.append((found, grades, a, b))
    check(several, name, Convention(negative=negative), scale)


def test_which_list_can_overtake_the_other():
    judged = qrels({"j": 1}, scale=(0, 1))
    # u in both lists moves both; only documents above j in A can keep A ahead.
    found = joint(judged, run("u", "j"), run("j", "u"), "RR", "q")
    assert (found.delta, found.low, found.high) == (0.5, 0, 0.5)
    assert found.can_reverse is False
    assert found.low_grades == {"u": 1}
    found = joint(judged, run("v", "j"), run("u", "j", "v"), "RR", "q")
    assert (found.delta, found.can_reverse) == (0, False)
    found = joint(judged, run("v", "w", "j"), run("u", "j"), "RR", "q")
    assert (found.low, found.high, found.can_reverse) == (-0.5, pytest.approx(2 / 3), True)
    assert found.low_grades == {"v": 1, "w": 0, "u": 0}
    assert found.unjudged == 3


@cases(("reached", "bound", "says"), [(-1, -1, True), (1, -1, None), (1, 0, False)])
def test_only_what_is_reached_reverses_and_only_the_bound_rules_it_out(reached, bound, says):
    assert Reversal(2.0, bound, 3.0, reached, 3.0, {}, {}).can_reverse is says
    assert Reversal(-2.0, -3.0, -bound, -3.0, -reached, {}, {}).can_reverse is says


def test_the_documents_that_count():
    judged, long = qrels({"j": 1, "k": 2}), run("j", "u", "v", "k", "w")
    own, removed = Convention(ideal="retrieved"), Convention(unjudged="removed")
    for convention, names in ((Convention(), "ux"), (own, "uvwx"), (removed, "uvx")):
        found = joint(judged, long, run("k", "x"), "nDCG@2", "q", convention)
        assert list(found.low_grades) == [*names]
    assert joint(judged, long, run("k", "x"), "nDCG", "q").unjudged == 4
    tied = joint(judged, run("j", "u", "=v", "w"), run("k"), "P@2", "q", Convention(ties="mean"))
    assert list(tied.low_grades) == ["v", "u"]


@cases("name", NAMES)
def test_with_all_documents_judged_there_is_one_delta(name):
    found = joint(qrels({"j": 1, "k": 0}), run("j", "k"), run("k", "j"), name, "q")
    assert found.low == found.high == found.reached_low == found.reached_high == found.delta
    assert (found.unjudged, found.exact, bool(found.can_reverse)) == (0, True, False)


def test_too_many_documents_and_queries_without_a_score():
    long = [run(*(f"{side}{i}" for i in range(500))) for side in "ab"]
    with pytest.raises(MeasureError, match="too many"):
        joint(qrels({"j": 1}), *long, "infAP", "q")
    assert joint(qrels({"j": 1}), *long, "nDCG@10", "q").unjudged == 20
    with pytest.raises(DataError, match="no judgments"):
        joint(qrels({"j": 1}), *long, "AP", "unknown")
    skip = Convention(undefined="skip")
    with pytest.raises(MeasureError, match="leaves query"):
        joint(qrels({"j": 0}, scale=[0]), run("j", "u"), run("u"), "AP", "q", skip)
