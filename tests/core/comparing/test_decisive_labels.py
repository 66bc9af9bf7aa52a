"""The fewest changed labels that turn the winner, against all combinations of single changes."""

import random
from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from metrics import (
    Convention,
    DataError,
    MeasureError,
    Qrels,
    Run,
    compare,
    match,
    own_measure,
    parse,
)
from metrics.comparing import decisive_labels as module
from metrics.comparing.decisive_labels import decisive_labels
from metrics.comparing.significance import TIE
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.core.comparing.test_reversal import CONVENTIONS, NAMES

MEASURES = ["nDCG@2", "nDCG", "AP", "AP@2", "RR", "P@2", "ERR", "Bpref", "RBP", "Rprec", "DCG@3"]
SCALES = [(0, 1), (0, 1, 2), (0, 1, 3), (0, 0.5, 1, 2.5), (-1, 0, 1, 2), (-2, -0.5, 1, 3.5)]
DRAWN = [
    Convention(),
    Convention(ideal="retrieved", ap="retrieved"),
    Convention(undefined="skip"),
    Convention(undefined="one", queries="qrels"),
    Convention(undefined="skip", queries="qrels", ideal="retrieved", ap="top"),
    Convention(ties="mean"),
    Convention(unjudged="removed"),
    Convention(unjudged="removed", undefined="skip", precision="returned", ties="ascending"),
    Convention(unjudged="removed", negative="nonrelevant"),
    Convention(negative="nonrelevant", level=2, gain="exponential"),
]


def options(grades, scale, steps):
    """No change, and every other grade of each document of a query."""
    place = {grade: number for number, grade in enumerate(scale)}
    return [None] + [
        (document, other)
        for document, grade in grades.items()
        for other in scale
        if 0 < abs(place[other] - place[grade]) <= (steps or len(scale))
    ]


def changed(qrels, changes):
    """The qrels with other grades: (query, document, grade)."""
    grades = qrels.to_dict()
    for query, document, grade in changes:
        grades[query][document] = grade
    return Qrels.from_dict(grades)


class Brute:
    """Every single change scored by `compare`, as one large comparison."""

    def __init__(self, qrels, a, b, name, convention, steps=None):
        compared = compare(qrels, a, b, name, convention)
        known = qrels.to_dict()
        scale = sorted({0.0, *qrels.value.tolist()})
        self.options = {q: options(known[q], scale, steps) for q in compared.queries}
        many = {}
        for query, every in self.options.items():
            for number, change in enumerate(every):
                many[f"{query} {number}"] = known[query] | (dict([change]) if change else {})
        runs = (
            Run.from_dict({q: found[q.split()[0]] for q in many if q.split()[0] in found})
            for found in (a.to_dict(), b.to_dict())
        )
        deltas = compare(Qrels.from_dict(many), *runs, name, convention).per_query(name)["delta"]
        self.deltas = {
            query: deltas.reindex([f"{query} {number}" for number in range(len(every))]).to_numpy()
            for query, every in self.options.items()
        }
        self.delta = compared.summary(name).delta

    def fewest(self):
        """The lowest number of changes, at most one a query, that turn the winner; 0: none do."""
        total, count, number = np.zeros(1), np.zeros(1), np.zeros(1, int)
        for deltas in self.deltas.values():
            total = np.add.outer(total, np.nan_to_num(deltas)).ravel()
            count = np.add.outer(count, ~np.isnan(deltas)).ravel()
            number = np.add.outer(number, np.arange(len(deltas)) > 0).ravel()
        mean = np.divide(total, count, out=np.zeros(len(total)), where=count > 0)
        turned = number[np.sign(self.delta) * mean < -TIE]
        return int(turned.min()) if abs(self.delta) > TIE and len(turned) else 0

    def effects(self):
        """What each single change does to the mean, by query, document and grade."""
        found = {}
        for query, every in self.options.items():
            others = [deltas[0] for name, deltas in self.deltas.items() if name != query]
            for change, delta in zip(every[1:], self.deltas[query][1:], strict=True):
                deltas = np.array([*others, delta])
                if not np.isnan(deltas).all():
                    found[query, *change] = float(np.nanmean(deltas)) - self.delta
        return found


def draw(seed):
    """Four queries with up to four labels, of which a run may lack one; some scores are tied."""
    lots = random.Random(seed)
    scale = SCALES[seed % len(SCALES)]
    queries = ["q0", "q1", "q2", "q3"]
    grades = {
        q: {f"j{i}": lots.choice(scale) for i in range(lots.choice([1, 3, 3, 4]))} for q in queries
    }
    runs = []
    for name in "ab":
        lists = {}
        for query in queries:
            documents = [*grades[query], "u0", "u1"]
            few = lots.sample(documents, lots.randint(1, len(documents)))
            lists[query] = {document: lots.randint(0, 4) for document in few}
        if lots.random() < 0.2:
            del lists[lots.choice(queries)]
        runs.append(Run.from_dict(lists, name))
    # A query of neither run brings in the rest of the scale.
    grades["scale"] = {f"s{i}": grade for i, grade in enumerate(scale)}
    return Qrels.from_dict(grades), *runs


def check(qrels, a, b, name, convention, steps=None):
    """Compare the smallest set and the ranked changes with brute force; return how it went."""
    brute = Brute(qrels, a, b, name, convention, steps)
    compared = compare(qrels, a, b, name, convention)
    found = decisive_labels(compared, name, (a, b), steps)
    known = qrels.to_dict()
    assert found.delta == pytest.approx(brute.delta, abs=1e-12, nan_ok=True)
    assert found.labels == sum(len(known[query]) for query in compared.queries)
    assert len(found.changes) == brute.fewest()
    assert len({each.query for each in found.changes}) == len(found.changes)
    if found.changes:
        after = changed(qrels, [(c.query, c.document, c.after) for c in found.changes])
        fresh = compare(after, a, b, name, convention)
        assert fresh.summary(name).delta == pytest.approx(found.delta_after, abs=1e-12)
        assert fresh.summary(name).delta * found.delta < 0
        both = [
            each.per_query(name)["delta"].reindex([c.query for c in found.changes])
            for each in (compared, fresh)
        ]
        stated = [[getattr(c, f"delta_{x}") for c in found.changes] for x in ("before", "after")]
        np.testing.assert_allclose(stated, both, atol=1e-12)
    else:
        assert found.delta_after == pytest.approx(found.delta, nan_ok=True)
    check_ranked(found, brute, known)
    if not found.leads:
        return "nobody leads"
    return ("no set", "one label", "several labels")[min(len(found.changes), 2)]


def check_ranked(found, brute, known):
    """Every label that moves the mean is listed, or one of its query and grade with its effect."""
    sign = np.sign(found.delta) if found.leads else 0

    def towards(effect):
        return -sign * effect if sign else abs(effect)

    effects = brute.effects() if not np.isnan(found.delta) else {}
    best = {}
    for (query, document, _), effect in effects.items():
        best[query, document] = max(best.get((query, document), 0.0), towards(effect))
    listed = {(each.query, each.document): each for each in found.ranked}
    assert len(listed) == len(found.ranked)
    for key, each in listed.items():
        assert each.before == known[each.query][each.document]
        assert each.effect == pytest.approx(effects[*key, each.after], abs=1e-11)
        assert towards(each.effect) == pytest.approx(best[key], abs=1e-11)
    alike = {}
    for each in found.ranked:
        alike.setdefault((each.query, each.before), []).append(towards(each.effect))
    for (query, document), effect in best.items():
        if effect > 1e-9:
            near = alike[query, known[query][document]]
            assert min(abs(effect - other) for other in near) < 1e-11
    sizes = [towards(each.effect) for each in found.ranked]
    assert all(higher >= lower - 1e-11 for higher, lower in pairwise(sizes))


@cases("convention", DRAWN, ids=range(len(DRAWN)))
def test_the_smallest_set_is_that_of_all_combinations(convention):
    outcomes = Counter()
    for seed in range(2 * len(MEASURES)):
        name = MEASURES[seed % len(MEASURES)]
        if convention.ties == "mean" and not parse(name).linear:
            name = "nDCG@2"
        case = draw(seed + 100 * DRAWN.index(convention))
        steps = None if seed < len(MEASURES) else 1
        outcomes[check(*case, name, convention, steps)] += 1
    assert min(outcomes["one label"], outcomes["several labels"], outcomes["no set"]) >= 3


@cases("name", NAMES)
def test_every_measure_tells_apart_what_it_is_said_to(name):
    # Each measure under trec_eval's convention and another one.
    number = NAMES.index(name)
    for convention in (CONVENTIONS[0], CONVENTIONS[1 + number % (len(CONVENTIONS) - 1)]):
        # The scale with the grades 0, 1 and 2, for which one convention has gains.
        qrels, a, b = draw(number * len(SCALES) + 1)
        try:
            compare(qrels, a, b, name, convention)
        except MeasureError:
            # Some measures refuse some conventions, or own gains.
            continue
        check(qrels, a, b, name, convention)


@pytest.fixture(scope="module")
def shop():
    data = catalogue()["shop"].load()
    runs = {run.name: run for run in data.runs}
    return data.qrels, runs["bm25"], runs["char_ngrams"]


@cases(("name", "one_step", "any_grade"), [("RR", 5, 5), ("AP", 12, 7), ("nDCG@10", 25, 6)])
def test_the_shop_sample_turns_with_few_labels(shop, name, one_step, any_grade):
    compared = compare(*shop, name)
    for steps, number in ((1, one_step), (None, any_grade)):
        found = decisive_labels(compared, name, steps=steps)
        assert (found.labels, len(found.changes)) == (327, number)
        after = changed(shop[0], [(c.query, c.document, c.after) for c in found.changes])
        fresh = compare(after, *shop[1:], name).summary(name).delta
        assert fresh == pytest.approx(found.delta_after, abs=1e-12)
        assert found.delta > 0 > fresh
        # With the last change undone, the same run leads.
        *kept, _ = found.changes
        before = changed(shop[0], [(c.query, c.document, c.after) for c in kept])
        assert compare(before, *shop[1:], name).summary(name).delta >= -TIE


def test_neither_run_leads():
    qrels = Qrels.from_dict({"q1": {"x": 1, "y": 0}, "q2": {"x": 1, "y": 0}})
    x, y = {"x": 2, "y": 1}, {"x": 1, "y": 2}
    a, b = Run.from_dict({"q1": x, "q2": y}), Run.from_dict({"q1": y, "q2": x})
    found = decisive_labels(compare(qrels, a, b, "RR"), "RR")
    assert (found.leads, found.turns, found.changes, found.delta) == (False, False, (), 0.0)
    # Without a leader, changes of either sign are listed.
    assert {round(each.effect, 4) for each in found.ranked} == {0.25, -0.25}


def test_one_label_a_query_may_not_be_enough():
    qrels = Qrels.from_dict({"q": {"x": 1, "y": 1, "z": 0}})
    a, b = Run.from_dict({"q": {"x": 2, "y": 1}}), Run.from_dict({"q": {"z": 1}})
    found = decisive_labels(compare(qrels, a, b, "Success@1"), "Success@1")
    assert (found.leads, found.turns, found.delta, found.delta_after) == (True, False, -1.0, -1.0)
    # B is level with A at best: by a relevant z, or without x at the top of A.
    assert {(each.document, each.effect) for each in found.ranked} == {("x", 1.0), ("z", 1.0)}


def test_no_query_is_compared_or_scored():
    qrels = Qrels.from_dict({"q": {"x": 0}})
    run = Run.from_dict({"q": {"x": 1}})
    skip = Convention(undefined="skip")
    for compared, labels in (
        (compare(qrels, run, Run.from_dict({"p": {"x": 1}}), "RR"), 0),
        (compare(qrels, run, run, "RR", skip), 1),
    ):
        found = decisive_labels(compared, "RR")
        assert np.isnan([found.delta, found.delta_after]).all()
        assert (found.labels, found.changes, found.ranked) == (labels, (), ())


def test_leaving_every_query_out_puts_nobody_ahead():
    queries = ["q1", "q2", "q3"]
    qrels = Qrels.from_dict({query: {"x": 1} for query in queries})
    found_by_one = Run.from_dict({"q1": {"u": 1}, "q2": {"x": 1}, "q3": {"x": 1}})
    found_by_all = Run.from_dict({query: {"x": 1} for query in queries})
    for name in ("RR", "nDCG", "RBP", "AP"):
        compared = compare(qrels, found_by_one, found_by_all, name, Convention(undefined="skip"))
        found = decisive_labels(compared, name)
        assert (found.leads, found.turns, found.delta_after) == (True, False, found.delta)
        # Without q1 neither leads; without another query B's lead is larger.
        assert [each.query for each in found.ranked] == ["q1"]


def test_only_labels_of_the_compared_queries_change(shop):
    compared = compare(*shop, "AP")
    few = compared.only(compared.queries[:9])
    found = decisive_labels(few, "AP")
    known = shop[0].to_dict()
    assert found.labels == sum(len(known[query]) for query in few.queries)
    assert {each.query for each in found.ranked} <= set(few.queries)


def test_judged_rankings_give_the_same_as_runs(shop):
    qrels, a, b = shop
    kept = [match(qrels, run) for run in (a, b)]
    compared = compare(qrels, *kept, "nDCG@10")
    assert decisive_labels(compared, "nDCG@10") == decisive_labels(
        compare(qrels, a, b, "nDCG@10"), "nDCG@10"
    )


def test_documents_that_were_removed_need_the_whole_runs():
    qrels = Qrels.from_dict({"q": {"x": 1, "y": -1, "z": 0}})
    a, b = Run.from_dict({"q": {"y": 3, "z": 2, "x": 1}}), Run.from_dict({"q": {"x": 1}})
    removed = Convention(unjudged="removed")
    compared = compare(qrels, a, b, "RR", removed)
    found = decisive_labels(compared, "RR", (a, b))
    # Once it is judged relevant, A has y at rank 1 again, where both are equal.
    assert ("y", 1.0, 0.0) in {(c.document, c.after, c.delta_after) for c in found.ranked}
    for runs in ((), tuple(match(qrels, run, removed) for run in (a, b))):
        with pytest.raises(DataError, match="Pass both runs as a whole"):
            decisive_labels(compared, "RR", runs)


def test_removed_documents_do_not_hide_the_ranks_below_them():
    # Without x and y, z is at rank 1: it is not like m, which A does not retrieve.
    qrels = Qrels.from_dict({"q": {"k": 1, "m": 0, "x": -1, "y": -1, "z": 0}})
    a, b = Run.from_dict({"q": {"x": 3, "y": 2, "z": 1}}), Run.from_dict({"q": {"k": 1}})
    compared = compare(qrels, a, b, "P@1", Convention(unjudged="removed"))
    found = decisive_labels(compared, "P@1", (a, b))
    assert ("z", 1.0, 0.0) in {(c.document, c.after, c.delta_after) for c in found.ranked}


def test_a_measure_of_your_own():
    def halved(query):
        return query.grades / 2.0**query.ranks / query.ideal.sum().clip(1)

    outcomes = {check(*draw(seed), own_measure(halved) @ 2, Convention()) for seed in range(9)}
    assert outcomes >= {"one label", "several labels"}


def test_without_another_grade_nothing_changes():
    qrels = Qrels.from_dict({"q": {"x": 0, "y": 0}})
    a, b = Run.from_dict({"q": {"x": 1}}), Run.from_dict({"q": {"y": 1, "u": 2}})
    for name, delta in (("RR", 0), ("nDCG@5", 0), ("NumRet", 1)):
        found = decisive_labels(compare(qrels, a, b, name), name)
        assert (found.delta, found.labels, found.changes, found.ranked) == (delta, 2, (), ())


def test_too_many_labels_are_not_tried(shop, monkeypatch):
    compared = compare(*shop, "AP")
    monkeypatch.setattr(module, "MOST_LINES", 100)
    assert decisive_labels(compared, "AP") is None


def test_many_labels_are_tried_in_parts(shop, monkeypatch):
    compared = compare(*shop, "nDCG@10")
    at_once = decisive_labels(compared, "nDCG@10")
    monkeypatch.setattr(module, "_AT_A_TIME", 500)
    assert decisive_labels(compared, "nDCG@10") == at_once


def test_the_list_of_the_strongest_is_cut(shop):
    compared = compare(*shop, "nDCG@10")
    short, long = (decisive_labels(compared, "nDCG@10", most=most) for most in (3, 200))
    assert short == replace(long, ranked=long.ranked[:3])
    assert len(long.ranked) > 100


def test_a_measure_of_aspects_is_refused():
    qrels = Qrels.from_aspects({"q": {"1": {"x": 1}, "2": {"y": 1}}})
    run = Run.from_dict({"q": {"x": 1}})
    name = next(name for name in NAMES if parse(name).by_aspect)
    with pytest.raises(MeasureError, match="depends on the aspects"):
        decisive_labels(compare(qrels, run, run, name), name)
