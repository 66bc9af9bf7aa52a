"""The numbers of the threats equal those computed another way."""

import itertools
import math

import numpy as np
import pytest
import scipy

from metrics import Convention, DataError, Pairing, Qrels, Run, compare, evaluate, parse
from metrics.comparing import reversal as mean_range_module
from metrics.comparing import reversal as search
from metrics.comparing.evidence import PairedTest
from metrics.comparing.reversal import MeanRange, mean_range
from metrics.comparing.significance import NONE, TESTS
from metrics.deciding import pairing
from metrics.deciding.threats import detectable
from tests.cases import cases
from tests.situations import cases as situations
from tests.situations import good, judged, ranked, top


@cases("n", [5, 8, 30, 1000])
def test_a_detectable_difference_is_found_in_four_of_five_comparisons(n):
    deltas = np.random.default_rng(n).normal(0, 0.3, n)
    shift = detectable(deltas) / (deltas.std(ddof=1) / math.sqrt(n))
    found = scipy.stats.nct.sf(scipy.stats.t.ppf(0.975, n - 1), n - 1, shift)
    assert found == pytest.approx(0.8, abs=0.01)
    assert math.isnan(detectable(deltas[:1]))


def test_the_range_of_the_mean_delta_is_that_of_all_grades():
    qrels = Qrels.from_dict({"q1": {"r": 2}, "q2": {"r": 1}, "q3": {"r": 1}})
    a = Run.from_dict({q: {"r": 3, "x": 2, "y": 1} for q in qrels.queries})
    b = Run.from_dict({"q1": {"x": 3, "r": 2}, "q2": {"y": 3, "r": 2}, "q3": {"r": 2}})
    compared = compare(qrels, a, b, "nDCG@2")
    over = mean_range(qrels, a, b, parse("nDCG@2"), compared)
    found = []
    for grades in itertools.product((0, 1, 2), repeat=6):
        of = dict(zip(itertools.product(("q1", "q2", "q3"), "xy"), grades, strict=True))
        full = qrels.to_dict()
        for (query, document), grade in of.items():
            full[query][document] = grade
        # y is below the cutoff of both runs at q1 and q3: it stays unjudged there.
        for query in ("q1", "q3"):
            del full[query]["y"]
        each = Qrels.from_dict(full)
        found.append(
            evaluate(each, b, "nDCG@2").mean.iloc[0] - evaluate(each, a, "nDCG@2").mean.iloc[0]
        )
    assert (over.low, over.high) == pytest.approx((min(found), max(found)))
    assert (over.reached_low, over.reached_high) == (over.low, over.high)
    assert (over.documents, over.queries) == (4, 3)


def told(qrels, a, b, name, convention=None):
    """The verdict's statement on the missing grades; None without one."""
    found = Pairing.of(qrels, (a, b), name, convention or Convention()).verdict
    (threat,) = [each for each in found.threats if each.kind == "grades"] or [None]
    return threat


def lists(name, **documents):
    return Run.from_dict(
        {q: {d: -i for i, d in enumerate(ids)} for q, ids in documents.items()}, name
    )


@pytest.mark.parametrize(
    ("name", "convention", "finder"),
    [("AP", Convention(), "a"), ("nDCG@5", Convention(ideal="retrieved"), "b")],
    ids=["no cutoff", "own ideals"],
)
def test_an_unjudged_document_at_rank_15_can_decide(name, convention, finder):
    others = [f"n{i}" for i in range(13)]
    qrels = Qrels.from_dict({q: {"r": 1} | dict.fromkeys(others, 0) for q in ("q1", "q2")})
    at_15 = ["r", *others, "u"]
    late, earlier = [*others[:4], "r"], [*others[:3], "r"]
    # B leads by one rank of q2; u raises A's AP of q1, but in the ideal of B alone it costs B.
    of_a, of_b = (at_15, at_15[:-1]) if finder == "a" else (at_15[:-1], at_15)
    a, b = lists("a", q1=of_a, q2=late), lists("b", q1=of_b, q2=earlier)
    threat = told(qrels, a, b, name, convention)
    relevant = qrels.to_dict()
    relevant["q1"]["u"] = 1
    lead = compare(Qrels.from_dict(relevant), a, b, name, convention).summary(name).delta
    assert lead < 0
    assert threat.facts["lead_low"] == threat.facts["lead_found"] == pytest.approx(lead)
    assert threat.facts["documents"] == 1
    says = "1 document lacks a grade: b could lead by up to "
    assert threat.text().startswith(says)


def test_a_grade_can_make_both_equal():
    qrels = Qrels.from_dict({"q1": {"r": 1}, "q2": {"r": 1}})
    a, b = lists("a", q1="ur", q2="r"), lists("b", q1="r", q2="r")
    says = told(qrels, a, b, "RR@5").text()
    assert says.startswith("1 document in the top 2 lacks a grade: b could lead by up to ")
    assert says.endswith(", or be level with a.")


def test_what_the_sentence_on_grades_says_is_true_of_all_grades(monkeypatch):
    monkeypatch.setattr(search, "MOST_LINES", 2_000)
    said = set()
    for seed in range(40):
        rng = np.random.default_rng(seed)
        ids = [*"jklm", *(f"u{i}" for i in range(6))]
        q1 = ([str(d) for d in rng.permutation(ids)] for _ in "ab")
        a, b = (lists(name, q1=each, q2=["j"]) for name, each in zip("ab", q1, strict=True))
        grades = {"q1": {"j": 1, "k": 0, "l": 1, "m": 0}, "q2": {"j": 1, "k": 0}}
        threat = told(Qrels.from_dict(grades), a, b, "AP")
        if threat is None:
            continue
        leads = []
        sign = np.sign(compare(Qrels.from_dict(grades), a, b, "AP").summary("AP").delta)
        for given in itertools.product((0, 1), repeat=6):
            full = grades | {"q1": grades["q1"] | dict(zip(ids[4:], given, strict=True))}
            leads.append(sign * compare(Qrels.from_dict(full), a, b, "AP").summary("AP").delta)
        assert threat.facts["lead_low"] <= min(leads) + 1e-12
        assert min(abs(threat.facts["lead_found"] - lead) for lead in leads) < 1e-12
        ways = ("could lead by", "stays ahead", "is not known")
        (way,) = [way for way in ways if way in threat.text()]
        said.add(way)
        if way != "is not known":
            assert (way == "could lead by") == (min(leads) < 1e-9)
    assert said >= {"could lead by", "is not known"}


@pytest.mark.parametrize(
    ("low", "found", "says"),
    [
        (0.1, 0.1, "b stays ahead whatever the grades of the 3 unjudged documents: its lead is "),
        (0.0, 0.0, "3 documents lack a grade: b could lead by up to 0.5000, or be level with a."),
        (-0.1, -0.1, "lack a grade: b could lead by up to 0.5000, or a by 0.1000."),
        (0.0, 0.1, "could make a draw level is not known: the lowest lead of b found is +0.1000, "),
        (-0.1, 0.0, "could make a lead is not known: the lowest lead of b found is 0.0000, and "),
    ],
)
def test_bounds_rule_out_and_found_grades_show_what_is_possible(low, found, says, monkeypatch):
    over = MeanRange(low, 0.5, found, 0.5, documents=3, queries=1)
    monkeypatch.setattr(pairing, "mean_range", lambda *_: over)
    qrels = Qrels.from_dict({"q1": {"r": 1}, "q2": {"r": 1}})
    threat = told(qrels, lists("a", q1="ur", q2="r"), lists("b", q1="r", q2="r"), "RR")
    assert says in threat.text()


def test_documents_that_both_runs_have_are_counted_once_and_said_to_be_in_both():
    # What is said of each run and of both adds up to the documents.
    said = set()
    for seed in range(60):
        rng = np.random.default_rng(seed)
        ids = [*"jklm", *(f"u{i}" for i in range(6))]
        orders = {name: [rng.permutation(ids).tolist() for _ in "12"] for name in "ab"}
        a, b = (lists(name, q1=one, q2=two) for name, (one, two) in orders.items())
        grades = {"j": 1, "k": 0, "l": 1, "m": -1}
        threat = told(Qrels.from_dict({"q1": grades, "q2": grades}), a, b, "P@4")
        if threat is None or "lack a grade" not in threat.text():
            continue
        tops = [
            {(query, each) for query in (0, 1) for each in orders[name][query][:4]} for name in "ab"
        ]
        of_a, of_b = ({(q, each) for q, each in top if each[0] in "um"} for top in tops)
        both = f", both {len(of_a & of_b)}" if of_a & of_b else ""
        of_each = f" (a {len(of_a)}, b {len(of_b)}{both}): "
        assert f"{len(of_a | of_b)} documents in the top 4 lack a grade{of_each}" in threat.text()
        said.add(bool(both))
    assert said == {True, False}


def test_too_many_unjudged_documents_are_said_to_be_so(monkeypatch):
    monkeypatch.setattr(mean_range_module, "SEARCHED", 40)
    holes = [f"u{i}" for i in range(6)]
    qrels = Qrels.from_dict({f"q{q}": {"r": 1, "n": 0} for q in range(8)})
    a = lists("a", **{q: ["r", *holes] for q in qrels.queries})
    b = lists("b", **{q: [*holes, "r"] for q in qrels.queries})

    def threats(measure):
        found = Pairing.of(qrels, (a, b), measure).verdict.threats
        return {each.kind: each for each in found}

    bounded = threats("AP")["grades"]
    assert bounded.facts["unsearched"] == 2
    outer = "These are outer bounds: 2 of 8 queries have too many to try."
    assert bounded.text().endswith(outer)
    # A score without a highest value has no outer bounds.
    unbounded = threats("DCG")
    assert "there are too many to try" in unbounded["unjudged"].text()
    assert "grades" not in unbounded


def test_a_missing_query_that_counts_as_0_is_left_out_in_the_alternative():
    case = situations()["missing_queries"]
    counted = Convention(queries="qrels")
    found = Pairing.of(case.qrels, (case.a, case.b), "nDCG@10", counted).verdict
    (threat,) = [each for each in found.threats if each.kind == "queries"]
    both = compare(case.qrels, case.a, case.b, "nDCG@10")
    assert (found.outcome, found.open) == ("leads", ("queries",))
    assert threat.reverses
    assert threat.facts["delta_otherwise"] == both.summary("nDCG@10").delta
    assert threat.facts["missing_from_b"] == 30


def test_choices_that_turn_the_winner_are_named_with_their_delta():
    # A has the one excellent document first, B more good ones: the gain decides.
    grades = {"best": 4} | {f"g{i}": 2 for i in range(3)} | {f"n{i}": 0 for i in range(9)}
    qrels = Qrels.from_dict({f"q{i}": grades for i in range(40)})
    a = ranked_as("a", ["best", "n1", "n2", "n3", "n4", "n5"])
    b = ranked_as("b", ["g0", "g1", "g2", "n1", "n2", "n3"])
    found = Pairing.of(qrels, (a, b), "DCG@5").verdict
    (threat,) = [each for each in found.threats if each.kind == "choices"]
    other = compare(qrels, a, b, "DCG@5", Convention(gain="exponential")).summary("DCG@5")
    assert found.outcome == "B"
    assert threat.reverses
    assert threat.facts["gain=exponential"] == pytest.approx(other.delta)
    assert {"cutoff=1"} < threat.facts.keys()
    assert "a leads under other choices: gain 2^grade − 1 (" in threat.text()


def ranked_as(name, documents, queries=40):
    scores = {document: -place for place, document in enumerate(documents)}
    return Run.from_dict({f"q{i}": scores for i in range(queries)}, name)


def test_runs_of_one_name_are_told_apart():
    a, b = ranked("run", 9, good), ranked("run", 9, lambda q: top(3, 9))
    said = Pairing.of(judged(9), (a, b), "RR").verdict.sentence
    assert said.names == ("run (A)", "run (B)")


def test_one_query_is_an_example():
    a, b = ranked("a", 1, good), ranked("b", 1, lambda q: top(3))
    found = Pairing.of(judged(1), (a, b), "RR").verdict
    assert found.outcome == "undecided"
    assert "1 query is an example" in found.sentence.text()


def test_a_rank_test_may_favour_the_run_with_the_lower_mean():
    # RR is 1/50 against 1/40 in most queries, and 0 against 1 in one.
    a = ranked("a", 20, lambda q: top(10))
    b = ranked("b", 20, lambda q: top(1) if q == 0 else top(11))
    of = Pairing.of(judged(20), (a, b), "RR", test=PairedTest("wilcoxon"))
    rows, found = of.evidence, of.verdict
    (threat,) = [each for each in found.threats if each.kind == "chance"]
    assert rows["RR"].delta > 0 > rows["RR"].towards
    assert rows["RR"].p < 0.05
    assert found.outcome == "undecided"
    assert threat.reverses
    assert "favours a (p < 0.001" in threat.text()


def test_without_a_test_nothing_is_said_of_chance():
    case = situations()["clear_win"]
    found = Pairing.of(case.qrels, (case.a, case.b), "nDCG@10", test=PairedTest(NONE)).verdict
    assert found.outcome == "undecided"
    assert found.sentence.text().endswith(
        "better on 60 of 60 queries, worse on 0. Nothing was tested."
    )
    assert found.threats == ()


def by_rank(name, *ranks):
    """A run whose relevant document has this rank in each query: RR is 1 / rank."""
    return ranked(name, len(ranks), lambda q: top(ranks[q]))


def threat(kind, a, b, n):
    """A verdict's statement of this kind by RR; None without one."""
    found = Pairing.of(judged(n), (a, b), "RR").verdict
    return next((each for each in found.threats if each.kind == kind), None)


@pytest.mark.parametrize("leader", ["a", "b"])
def test_the_query_that_carries_the_lead_is_named_with_what_is_left_without_it(leader):
    # RR is 1 against 1/10 in one query, and 1/5 against 1/4 in two others.
    strong, weak = (10, 1, 5, 5, 2), (10, 10, 4, 4, 2)
    runs = by_rank("a", *strong), by_rank("b", *weak)
    if leader == "b":
        runs = by_rank("a", *weak), by_rank("b", *strong)
    sign = 1 if leader == "b" else -1
    found = threat("outlier", *runs, 5)
    other = "b" if leader == "a" else "a"
    assert found.names == ("q001", leader, other)
    assert found.facts["query"] == "q001"
    assert found.facts["queries"] == 1
    assert found.facts["delta_without"] == pytest.approx(-sign * (1 / 4 - 1 / 5) * 2 / 4)
    assert "One query, q001, carries the lead of" in found.text()
    assert "(0.9000)" in found.text()
    assert f"without it {other} leads by 0.0250" in found.text()


def test_without_the_queries_that_carry_the_lead_neither_may_lead():
    found = threat("outlier", by_rank("a", 1, 3, 2), by_rank("b", 1, 1, 2), 3)
    assert found.names == ("q001", "b")
    assert found.facts["delta_without"] == 0
    assert found.text().endswith("without it neither leads.")
    # Two queries are no basis for an outlier.
    assert threat("outlier", by_rank("a", 1, 3), by_rank("b", 1, 1), 2) is None


@pytest.mark.parametrize(("n", "named"), [(149, False), (150, True)])
def test_one_in_fifty_queries_may_carry_the_lead_together(n, named):
    # Three queries win 1/2 each and one loses 3/10: without two of the three, b still leads.
    a = by_rank("a", 2, 2, 2, 2, *[3] * (n - 4))
    b = by_rank("b", 1, 1, 1, 5, *[3] * (n - 4))
    found = threat("outlier", a, b, n)
    assert (found is not None) == named
    if named:
        assert found.facts == {"queries": 3, "delta_without": pytest.approx(-0.3 / (n - 3))}
        assert found.names == ("b", "a")
        assert "3 of 150 queries carry the lead of b: without them a leads" in found.text()


def test_chance_and_excluded_leads_are_stated_where_as_many_queries_are_won_as_lost():
    ranks = (1, 2, 1, 3, 1, 2, 1, 4, 1, 2)
    a, b = by_rank("a", *ranks), by_rank("b", *(ranks[at ^ 1] for at in range(10)))
    row = Pairing.of(judged(10), (a, b), "RR").found
    assert (row.wins, row.losses) == (5, 5)
    found = threat("excluded", a, b, 10)
    assert found.facts == {"lead_of_b": row.high, "lead_of_a": -row.low}
    assert len(found.names) == 1
    assert threat("chance", a, b, 10).facts["p"] == row.corrected


@pytest.mark.parametrize("kind", ["chance", "excluded"])
def test_nothing_is_said_of_chance_or_excluded_leads_where_no_query_differs(kind):
    assert threat(kind, by_rank("a", 1, 2, 3), by_rank("b", 1, 2, 3), 3) is None


@pytest.mark.parametrize("leader", ["a", "b"])
def test_chance_and_excluded_leads_are_stated_where_every_query_goes_to_one_run(leader):
    # Three wins are too few for any test to call them more than chance, and for an interval.
    runs = by_rank("a", 1, 2, 3), by_rank("b", 2, 3, 4)
    if leader == "b":
        runs = runs[::-1]
    found = threat("excluded", *runs, 3)
    assert (found.text(), found.facts) == (
        "Fewer than 6 queries differ, so no difference can be ruled out.",
        {},
    )
    assert threat("chance", *runs, 3).facts["p"] == pytest.approx(1 / 4)


def test_a_measure_that_finds_a_difference_is_named_where_the_first_finds_none():
    a = ranked("a", 30, lambda q: top(1 + q % 2, 14))
    b = ranked("b", 30, lambda q: top(2 - q % 2, 5, 6))
    found = Pairing.of(judged(30), (a, b), ["RR", "R@10", "P@1"]).verdict
    assert found.outcome == "undecided"
    (others,) = [each for each in found.threats if each.kind == "others"]
    assert others.text().startswith("R@10 favours b (+0.4000, p < 0.001")
    assert list(others.facts) == ["R@10"]


@cases(("test", "most"), [("randomisation", 36), ("wilcoxon", 400), ("t", 0)])
def test_a_p_value_is_called_exact_where_every_way_counts(test, most):
    for queries in {2, most, most + 1} - {0, 1}:
        qrels = Qrels.from_dict({f"q{q}": {"r": 1} for q in range(queries)})
        a, b = ranked_as("a", ["n", "r"], queries), ranked_as("b", ["r"], queries)
        found = Pairing.of(qrels, (a, b), "RR", test=PairedTest(test)).verdict
        (chance,) = [each for each in found.threats if each.kind == "chance"]
        assert chance.facts["exact"] == (queries <= most)
        assert (f"exact {TESTS[test].name}" in chance.text()) == (queries <= most)


def weighted(weights, a, b, test="randomisation"):
    """The statement on these weights, and the verdict by RR."""
    qrels = judged(len(a))
    runs = by_rank("a", *a), by_rank("b", *b)
    by = {"hits": dict(zip(qrels.queries, weights, strict=False))}
    found = Pairing.of(qrels, runs, "RR", test=PairedTest(test), weights=by).verdict
    return next(each for each in found.threats if each.kind == "weighting"), found


def test_weights_that_favour_the_other_run_are_a_threat_in_view():
    # B wins by 1/2 on nine queries and loses 3/4 on the most frequent one.
    ranks = (1, *[2] * 9), (4, *[1] * 9)
    found, decided = weighted([1000, *[1] * 9], *ranks)
    a, b = (1000 + 9 / 2) / 1009, (1000 / 4 + 9) / 1009
    assert decided.outcome == "B"
    assert found.facts["delta_hits"] == pytest.approx(b - a)
    assert (found.reverses, found in decided.turning) == (True, True)
    said = f"Weighted by hits ({a:.4f} to {b:.4f}), a leads by {a - b:.4f}"
    assert found.text().startswith(said)


@cases(
    ("heavy", "in_view"),
    [
        # Σ weight · delta is 9 · 1/2 − heavy · 3/4, and the lead is (9/2 − 3/4) / 10.
        (1, False),
        (5, False),
        (5.9, True),
    ],
)
def test_weights_that_keep_the_lead_are_a_remark_until_it_has_about_vanished(heavy, in_view):
    found, decided = weighted([heavy, *[1.0] * 8, 1.0001], (1, *[2] * 9), (4, *[1] * 9))
    assert (decided.outcome, found.reverses) == ("B", False)
    assert "b leads by" in found.text()
    assert (found in decided.turning) == in_view


def test_the_test_of_a_weighted_mean_is_that_of_weighted_deltas():
    rng = np.random.default_rng(5)
    a, b = rng.integers(1, 6, (2, 8)).tolist()
    weights = rng.integers(1, 50, 8).tolist()
    found, _ = weighted(weights, a, b)
    deltas = (1 / np.array(b) - 1 / np.array(a)) * weights
    signs = np.array(list(itertools.product((-1, 1), repeat=8)))
    p = (np.abs(signs @ deltas) >= abs(deltas.sum()) - 1e-9).mean()
    assert f"p = {p:.3f}" in found.text()


def test_queries_without_a_weight_are_named_and_left_out():
    found, _ = weighted([5, 1], (1, 2, 1, 1, 1, 1), (2, 2, 3, 3, 3, 3))
    lacking = "left out: 4 queries without a weight (q002, q003, q004, …)."
    assert found.text().endswith(lacking)
    assert found.facts["delta_hits"] == pytest.approx(-5 / 12)
    none, _ = weighted([], (1, 2, 1), (2, 2, 3))
    assert none.text() == "No compared query has a weight above 0 by hits."


def test_a_negative_weight_is_refused():
    with pytest.raises(DataError, match="weight of query 'q001' is -1; give a number, 0 or more"):
        weighted([1, -1], (1, 2), (2, 2))
