"""Swaps, other grades, unjudged documents and ties, checked against trying every possibility."""

import math
import random
import time
from dataclasses import replace
from functools import cache
from itertools import chain, combinations, permutations, product

import numpy as np
import pytest

from metrics import REGISTRY, Convention, MeasureError, Qrels, Run, evaluate, parse
from metrics.editing.edits import in_order, move, remove, set_grade, swap, toggle_tie
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.exploring import unjudged, what_if
from metrics.exploring.ties import COUNTED, tied
from metrics.exploring.unjudged import completions
from metrics.exploring.what_if import changes, score_all, swaps
from tests.cases import cases, every_measure, scaled

NAMES = every_measure(["", "@2"], ["@0.3"], 4)
CONVENTIONS = [
    Convention(),
    Convention(gain="exponential", ideal="retrieved", negative="nonrelevant"),
    Convention(ties="ascending", unjudged="removed", level=2),
    Convention(ties="input", ideal_cut="whole", ap="capped", rbp="relevant", undefined="one"),
    Convention(gain="{1:2,2:1}", precision="returned", recall_points="up"),
]
OF_GAINS = [
    Convention(ties="mean", ideal="judged"),
    Convention(ideal="doubled", gain="exponential"),
    Convention(rbp="relevant", undefined="skip"),
]


@cache
def rankings(count, unjudged, seed):
    """Return small rankings with ties, unjudged documents and documents that are not retrieved."""
    draw, made = random.Random(seed), []
    for _ in range(count):
        grades = [None] * unjudged + [draw.choice([0, 1, 2, 3]) for _ in range(3)]
        draw.shuffle(grades)
        retrieved = [
            Entry(name, grade, tied=place > 0 and draw.random() < 0.25)
            for place, (name, grade) in enumerate(zip("fbdace", grades, strict=False))
        ]
        rest = [Entry("x", 2.0)] if draw.random() < 0.5 else []
        made.append(HandRanking("q", tuple(retrieved), tuple(rest)))
    return tuple(made)


def score(ranking, name, convention):
    """Return the score of one ranking on its own; NaN where nothing is judged."""
    if not ranking.grades:
        return math.nan
    everyone = replace(convention, queries="qrels")
    return evaluate(ranking.qrels, ranking.run, name, everyone).value(name, "q")


def scores_together(rankings, name, convention):
    """Return the score of each ranking, as a query of one evaluation of them all."""
    names = [f"q{i}" for i in range(len(rankings))]
    grades = {query: r.grades for query, r in zip(names, rankings, strict=True) if r.grades}
    if not grades:
        return [math.nan] * len(rankings)
    run = {query: r.scores for query, r in zip(names, rankings, strict=True)}
    everyone = replace(convention, queries="qrels")
    found = evaluate(Qrels.from_dict(grades), Run.from_dict(run), name, everyone)
    return [found.value(name, query) if query in grades else math.nan for query in names]


def by_group(groups, scored, *under):
    """Return the scores of each group of rankings; all are scored in one call."""
    scores = np.array(scored([*chain.from_iterable(groups)], *under))
    return np.split(scores, np.cumsum([len(group) for group in groups])[:-1])


@cache
def completed(ranking, grades):
    """Return the ranking with every combination of grades for its unjudged documents."""
    graded = [
        [replace(entry, grade=float(grade)) for grade in grades] if entry.grade is None else [entry]
        for entry in ranking.retrieved
    ]
    return [replace(ranking, retrieved=entries) for entries in product(*graded)]


@cache
def swapped(ranking, depth):
    """Return the ranking with each two of its first documents swapped, by their places."""
    return {(i, j): swap(ranking, i + 1, j + 1) for i, j in product(range(depth), repeat=2)}


def same(a, b):
    return np.allclose(a, b, rtol=0, atol=1e-12, equal_nan=True)


@cases("name", NAMES)
@cases("convention", CONVENTIONS, ids=lambda c: c.label)
def test_swaps_equal_the_difference_after_swapping(name, convention):
    some = rankings(3, 2, seed=name)
    others = [swapped(ranking, 4) for ranking in some]
    groups = [[now, *then.values()] for now, then in zip(some, others, strict=True)]
    scores = by_group(groups, scores_together, name, convention)
    for ranking, pairs, (now, *then) in zip(some, others, scores, strict=True):
        found = swaps(ranking, parse(name), convention, depth=4)
        deltas = [found[pair] for pair in pairs]
        assert same(deltas, np.array(then) - now), dict(zip(pairs, deltas, strict=True))


@cases("name", NAMES)
def test_changes_equal_the_difference_after_changing(name):
    frames, every = [], []
    for ranking in rankings(3, 1, seed=name):
        frame = changes(ranking, parse(name)).set_index("document")
        made = {"now": ranking}
        for entry in ranking.entries:
            d, grade = entry.document, entry.grade
            at = {e.document: rank for rank, e in enumerate(ranking.retrieved, 1)}.get(d)
            if at != 1:
                made[d, "to rank 1"] = move(ranking, d, 1)
            made[d, "grade +1"] = set_grade(ranking, d, (grade or 0) + 1)
            made[d, "removed"] = remove(ranking, d)
            if grade:
                made[d, "grade −1"] = set_grade(ranking, d, grade - 1)
                if at:
                    made[d, "not retrieved"] = move(ranking, d, None)
            assert math.isnan(frame.at[d, "grade −1"]) == (not grade)
            assert math.isnan(frame.at[d, "to rank 1"]) == (at == 1)
            assert math.isnan(frame.at[d, "not retrieved"]) == (grade is None or not at)
        frames.append(frame)
        every.append(made)
    groups = [list(made.values()) for made in every]
    scores = by_group(groups, scores_together, name, Convention())
    for frame, (_, *places), (now, *scored) in zip(frames, every, scores, strict=True):
        for at, then in zip(places, scored, strict=True):
            assert same(frame.at[at], then - now), at


def test_no_grade_is_raised_above_the_scale_of_the_measure():
    frame = changes(HandRanking.of("q", {"a": 4, "b": 3}, ["a", "b"]), parse("ERR"))
    raised = frame.set_index("document")["grade +1"]
    assert math.isnan(raised["a"])
    assert raised["b"] > 0


@cases("name", NAMES)
@cases("convention", CONVENTIONS, ids=lambda c: c.label)
def test_the_bounds_of_unjudged_documents_are_the_extremes_over_all_grades(name, convention):
    grades, extremes, bounds = (0, 1, 2), [], []
    some = rankings(3, 3, seed=name)
    groups = [completed(ranking, grades) for ranking in some]
    of_all = by_group(groups, score_all, parse(name), convention)
    for ranking, scores in zip(some, of_all, strict=True):
        ends = completions(ranking, parse(name), grades, convention)
        assert same([ends.lowest, ends.highest], [scores.min(), scores.max()])
        extremes += [ends.lowest_ranking, ends.highest_ranking]
        bounds += [ends.lowest, ends.highest]
    assert same(scores_together(extremes, name, convention), bounds)


@cases("name", NAMES)
@cases("convention", CONVENTIONS, ids=lambda c: c.label)
def test_the_bounds_of_many_unjudged_documents_are_the_extremes_too(name, convention, monkeypatch):
    """With a limit that allows no list of all sets; where the bounds are not exact, they say so."""
    monkeypatch.setattr(unjudged, "MOST_LINES", 0)
    grades, measure = (0, 1, 2), parse(name)
    for ranking in rankings(1, 3, seed=f"many {name}"):
        scores = score_all(completed(ranking, grades), measure, convention)
        ends = completions(ranking, measure, grades, convention)
        assert scores.min() - 1e-12 <= ends.lowest <= ends.highest <= scores.max() + 1e-12
        if ends.exact:
            assert same([ends.lowest, ends.highest], [scores.min(), scores.max()])
    assert ends.exact or measure.symbol != "nDCG"


@cases("name", ["nDCG", "nDCG@3", "DCG", "DCG@3", "RBP", "RBP@3", "ERR", "IERR@2"])
@cases("convention", [*CONVENTIONS, *OF_GAINS], ids=lambda c: c.label)
def test_graded_measures_of_many_unjudged_documents_have_exact_bounds(
    name, convention, monkeypatch
):
    monkeypatch.setattr(unjudged, "MOST_LINES", 0)
    draw, grades, measure = random.Random(f"{name} {convention}"), (0, 1, 2, 3), parse(name)
    if convention.ties == "mean" and not measure.linear:
        return
    some = []
    for _ in range(4):
        known = draw.sample([None, None, None, None, 0.0, 1.0, 3.0], 7)
        ties = [place > 0 and draw.random() < 0.2 for place in range(7)]
        entries = tuple(map(Entry, "abcdefg", known, ties))
        rest = (Entry("x", 2.0), Entry("y", 1.0))[: draw.randint(0, 2)]
        some.append(HandRanking("q", entries, rest))
    groups = [completed(ranking, grades) for ranking in some]
    of_all = by_group(groups, score_all, measure, convention)
    for ranking, scores in zip(some, of_all, strict=True):
        ends = completions(ranking, measure, grades, convention)
        assert ends.exact
        assert same([ends.lowest, ends.highest], [np.nanmin(scores), np.nanmax(scores)])


@cases(
    "name", ["nDCG@10", "P@10", "AP@10", "RR", "ERR@10", "RBP", "nDCG", "AP", "R@100", "DCG@100"]
)
def test_a_run_of_1000_documents_has_exact_bounds_in_about_a_second(name):
    """The top 10 is unjudged, and so are most others."""
    judged = {f"d{i}": float(i % 4) for i in range(10, 1000, 7)} | {"missing": 3.0}
    documents = [f"d{i}" for i in range(1000)]
    long = HandRanking.of("q", judged, documents)
    begun = time.perf_counter()
    ends = completions(long, parse(name), [0, 1, 2, 3])
    took = time.perf_counter() - begun
    assert ends.exact
    assert took < 8
    extremes = [ends.lowest_ranking, ends.highest_ranking]
    assert same(score_all(extremes, parse(name)), [ends.lowest, ends.highest])
    draw, missing = random.Random(name), [f"d{i}" for i in range(1000) if f"d{i}" not in judged]
    some = [
        HandRanking.of("q", judged | {d: float(draw.choice(scale)) for d in missing}, documents)
        for scale in ([0], [3], [0, 1], [0, 0, 0, 3], [0, 1, 2, 3], [2, 3])
    ]
    within = score_all(some, parse(name))
    assert ends.lowest - 1e-12 <= within.min() <= within.max() <= ends.highest + 1e-12


def test_the_bounds_are_not_reached_by_all_zero_and_all_highest_grades():
    ranking = HandRanking("q", (Entry("a", 1.0), Entry("x", None), Entry("y", None)))
    ends = completions(ranking, parse("nDCG"), [0, 1, 2, 3])
    lowest, highest = (
        score_all([set_grade(set_grade(ranking, "x", g), "y", g)], parse("nDCG"))[0] for g in (0, 3)
    )
    assert ends.lowest < min(lowest, highest)
    assert ends.highest == lowest == 1
    assert [e.grade for e in ends.lowest_ranking.retrieved] == [1.0, 0.0, 3.0]


@cache
def better_documents_swapped_in():
    """Return random rankings, and each with a better document swapped in from further down."""
    before, after, draw = [], [], random.Random(0)
    for _ in range(400):
        names, rest = draw.sample("abcdef", draw.randint(2, 6)), [Entry("x", 2.0)]
        entries = tuple(Entry(d, draw.choice([None, -1.0, 0.0, 0.0, 1.0, 2.0, 4.0])) for d in names)
        if all(entry.grade is None for entry in entries):
            continue
        ranking = HandRanking("q", entries, tuple(rest[: draw.randint(0, 1)]))
        for (i, upper), (j, lower) in combinations(enumerate(e.grade for e in entries), 2):
            if upper is not None and lower is not None and 0 <= upper < lower:
                before.append(ranking)
                after.append(swap(ranking, i + 1, j + 1))
    return before, after


@cases("symbol", REGISTRY)
def test_swapping_in_a_better_document_never_lowers_an_exchangeable_measure(symbol):
    measure = parse(scaled(symbol, 4) + ("@0.5" if REGISTRY[symbol].needs else ""))
    before, after = (score_all(each, measure) for each in better_documents_swapped_in())
    lowered = bool((after - before < -1e-12).any())
    assert not (measure.exchangeable and lowered)
    assert lowered or symbol not in {"nDCGrel", "G"}


def test_ten_unjudged_documents_have_286_sets_of_grades():
    # Each set is tried in both sorted orders; a set with one grade has only one order.
    ten = HandRanking("q", tuple(Entry(f"d{i}", None) for i in range(10)))
    assert completions(ten, parse("nDCG@10"), [0, 1, 2, 3]).tried == 2 * 286 - 4
    some = completions(ten, parse("G"), [0, 1, 2, 3])
    assert not some.exact
    assert (some.lowest, round(some.highest, 9)) == (0, 1)
    nothing = HandRanking("q", (Entry("a", 1.0),))
    assert completions(nothing, parse("RR"), [0, 1]).lowest == 1


def test_measures_that_are_not_exchangeable_try_every_combination():
    entries = (Entry("a", 2.0), Entry("b", None), Entry("c", None, True), Entry("d", None))
    ranking = HandRanking("q", entries, (Entry("x", 0.0),))
    scores = [score(whole, "nDCGrel", Convention()) for whole in completed(ranking, (0, 1))]
    ends = completions(ranking, parse("nDCGrel"), [0, 1])
    assert same([ends.lowest, ends.highest], [min(scores), max(scores)])
    assert ends.tried == 8


@cases("name", ["Bpref", "infAP", "AP", "nDCG@2", "Judged@2"])
def test_a_scale_may_have_grades_below_0(name):
    grades = (-1, 0, 1)
    for ranking in rankings(3, 3, seed=name):
        scores = score_all(completed(ranking, grades), parse(name))
        ends = completions(ranking, parse(name), grades)
        assert same([ends.lowest, ends.highest], [scores.min(), scores.max()])


def test_a_scale_may_have_a_grade_that_the_convention_removes():
    ranking = HandRanking("q", (Entry("a", 2.0), Entry("b", None), Entry("c", -1.0)))
    removed = Convention(unjudged="removed")
    ends = completions(ranking, parse("DCG"), [-1, 0, 2], removed)
    assert same([ends.lowest, ends.highest], [2.0, 2.0 + 2 / math.log2(3)])


def test_only_the_top_of_a_long_ranking_is_changed():
    long = HandRanking("q", tuple(Entry(f"d{i}", float(i % 3)) for i in range(1000)))
    assert len(changes(long, parse("nDCG@10"), depth=20)) == 20


def test_changes_of_a_long_ranking_are_scored_in_batches(monkeypatch):
    ranking = HandRanking("q", tuple(Entry(f"d{i}", float(i % 3)) for i in range(30)))
    measure = parse("nDCG@10")
    whole = swaps(ranking, measure), changes(ranking, measure)
    most = [0]

    def counted(batch, *args, scored=what_if._scored):
        most[0] = max(most[0], len(batch))
        return scored(batch, *args)

    monkeypatch.setattr(what_if, "AT_ONCE", 100)
    monkeypatch.setattr(what_if, "_scored", counted)
    assert (swaps(ranking, measure) == whole[0]).all()
    assert changes(ranking, measure).equals(whole[1])
    assert most[0] == 4


@pytest.mark.parametrize("tried", [swaps, changes])
def test_a_ranking_that_is_too_long_is_refused(tried):
    entries = tuple(Entry(f"d{i}", 1.0) for i in range(what_if.LONGEST + 1))
    with pytest.raises(MeasureError, match="too long to try every change: 5,001 documents"):
        tried(HandRanking("q", entries), parse("RR"))


def test_a_query_that_the_convention_leaves_out_has_no_bounds():
    ranking = HandRanking("q", (Entry("a", 0.0), Entry("x", None)))
    skip = Convention(undefined="skip")
    assert completions(ranking, parse("R"), [0, 1], skip).lowest == 1
    with pytest.raises(MeasureError, match="leaves this query out"):
        completions(ranking, parse("R"), [0], skip)


def orders(ranking):
    """Return every order that the ties allow."""
    for order in permutations(ranking.retrieved):
        ranks = dict(zip((e.document for e in ranking.retrieved), ranking.ranks, strict=True))
        if sorted(order, key=lambda e: ranks[e.document]) == list(order):
            yield in_order(ranking, order)


@cases("name", NAMES)
def test_the_mean_and_bounds_of_ties_equal_those_over_every_order(name):
    some = [
        ranking if ranking.retrieved[2].tied else toggle_tie(ranking, ranking.retrieved[2].document)
        for ranking in rankings(4, 1, seed=name)
    ]
    every = by_group([list(orders(ranking)) for ranking in some], score_all, parse(name))
    all_found = [tied(ranking, parse(name)) for ranking in some]
    by_rule = {
        rule: scores_together(some, name, Convention(ties=rule)) for rule in all_found[0].by_rule
    }
    for number, (found, scores) in enumerate(zip(all_found, every, strict=True)):
        assert found.orders == len(scores)
        assert same([found.lowest, found.highest], [scores.min(), scores.max()])
        assert same(found.mean, scores.mean())
        assert found.by_rule.keys() == by_rule.keys()
        for rule, value in found.by_rule.items():
            assert same(value, by_rule[rule][number])


def test_too_many_orders_have_no_mean_unless_the_measure_is_linear():
    eight = HandRanking("q", tuple(Entry(f"d{i}", float(i % 2), i > 0) for i in range(8)))
    assert tied(eight, parse("AP")).mean is None
    assert tied(eight, parse("nDCG@3")).mean == pytest.approx(0.5)


def test_orders_are_not_counted_beyond_the_reported_maximum():
    """Counting all orders of a million tied documents takes minutes."""
    pairs = tuple(Entry(f"d{i}", float(i % 2), i % 2 > 0) for i in range(4_000))
    found = tied(HandRanking("q", pairs), parse("nDCG@3"))
    assert found.orders == COUNTED
    assert found.lowest < found.mean < found.highest
