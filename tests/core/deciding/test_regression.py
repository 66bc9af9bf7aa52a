"""A check tells a regression from chance, and names the document behind a drop."""

import numpy as np
import pytest

from metrics import (
    PRESETS,
    Convention,
    DataError,
    Qrels,
    RankscopeError,
    Run,
    evaluate,
    explain,
    match,
)
from metrics.comparing.comparison import compare
from metrics.comparing.evidence import evidence
from metrics.deciding.regression import LESS_IS_BETTER, Rule, Ruling, check
from metrics.measures import REGISTRY
from metrics.scoring.naming import parse
from tests.benchmarks.gate import collection
from tests.cases import cases, scaled
from tests.situations import bad, good, judged, mixed, ranked

N = 60
QRELS = judged(N)


def outcome(a, b, *measures, **rule):
    found = check(match(QRELS, a), match(QRELS, b), measures or ["nDCG@10"], Rule(**rule))
    return found.outcome


def run(order, name="run"):
    return ranked(name, N, order)


def test_a_run_that_is_as_good_holds_and_one_that_is_worse_does_not():
    assert outcome(run(good), run(good)) is Ruling.HOLDS
    assert outcome(run(bad), run(good)) is Ruling.HOLDS
    assert outcome(run(good), run(bad)) is Ruling.REGRESSION
    assert outcome(run(good), run(mixed)) is Ruling.REGRESSION


def some(queries):
    """A run that loses its relevant documents in so many queries."""
    return run(lambda q: bad(q) if q < queries else good(q))


def test_a_drop_must_be_large_and_unlikely_to_be_chance():
    # In 3 queries p cannot be below 0.25, however large the drop.
    few = check(match(QRELS, run(good)), match(QRELS, some(3)), ["nDCG@10"], Rule())
    (row,) = few.measures
    assert (row.finding, few.outcome) == (Ruling.CHANCE, Ruling.HOLDS)
    assert row.evidence.p == 0.25
    assert -row.evidence.delta > 0.01
    # Without a test the same drop decides.
    assert outcome(run(good), some(3), alpha=1) is Ruling.REGRESSION
    # A certain drop of the allowed size holds.
    assert outcome(run(good), some(N), max_drop=0.5) is Ruling.HOLDS
    assert outcome(run(good), some(12)) is Ruling.REGRESSION


def test_a_drop_of_exactly_the_limit_holds():
    qrels = judged(10)
    a = ranked("a", 10, lambda q: ["r0"])
    b = ranked("b", 10, lambda q: ["r0"] if q else ["n0", "r0"])
    (row,) = check(match(qrels, a), match(qrels, b), ["RR"], Rule(0.05, alpha=1)).measures
    assert row.evidence.delta == pytest.approx(-0.05)
    assert row.finding is Ruling.HOLDS
    (row,) = check(match(qrels, a), match(qrels, b), ["RR"], Rule(0.0499, alpha=1)).measures
    assert row.finding is Ruling.REGRESSION


def test_rounding_does_not_fail_a_drop_of_the_limit():
    delta = 0.49 - 0.5
    assert -delta > 0.01
    assert Rule(alpha=1).ruling(delta, 1.0) is Ruling.HOLDS


def test_every_measure_must_hold_and_all_p_values_are_corrected():
    a, b = run(good), some(7)
    names = ["nDCG@10", "RR", "P@10"]
    found = check(match(QRELS, a), match(QRELS, b), names, Rule())
    alone = {name: evidence(compare(QRELS, a, b, [name]))[name].p for name in names}
    # Holm: the smallest p counts three times, the next one twice.
    order = sorted(alone.values())
    held = {row.measure: row.evidence.corrected for row in found.measures}
    assert held["nDCG@10"] == pytest.approx(3 * order[0])
    assert max(held.values()) <= 1
    assert all(held[name] >= alone[name] for name in names)
    # P@10 counts two documents in both runs, and does not save the others.
    findings = {row.measure: row.finding for row in found.measures}
    assert findings["P@10"] is Ruling.HOLDS
    assert findings["nDCG@10"] is Ruling.REGRESSION
    assert found.outcome is Ruling.REGRESSION


def test_a_query_that_must_hold_may_not_drop_at_all():
    a, b = run(good), run(lambda q: mixed(q) if q == 7 else good(q))
    assert outcome(a, b) is Ruling.HOLDS
    assert outcome(a, b, must_hold=("q006", "q008")) is Ruling.HOLDS
    found = check(
        match(QRELS, a), match(QRELS, b), ["nDCG@10", "RR"], Rule(must_hold=("q008", "q007"))
    )
    assert found.outcome is Ruling.REGRESSION
    holds, drops = found.held
    assert (holds.query, holds.drops) == ("q008", ())
    assert [change.measure for change in drops.drops] == ["nDCG@10", "RR"]
    assert [each.baseline for each in drops.changes] == [
        evaluate(QRELS, a, name).value(name, "q007") for name in ("nDCG@10", "RR")
    ]


def test_a_difference_by_rounding_is_no_drop():
    # The same documents in another order of equal gains: sums differ in the last bits at most.
    a = run(lambda q: ["r0", "n0", "r1", "r2", "n1", "r3", "r4"])
    b = run(lambda q: ["r4", "n1", "r3", "r2", "n0", "r1", "r0"])
    every = tuple(QRELS.queries)
    assert outcome(a, b, "nDCG", "AP", "RBP", must_hold=every, max_drop=0, alpha=1) is Ruling.HOLDS


@cases("seed", range(5))
def test_a_fault_in_one_document_of_one_query_is_named_first(seed):
    rng = np.random.default_rng(seed)
    made = collection(rng, N)
    query = int(rng.integers(N))
    grades = made.qrels.to_dict()[f"q{query}"]
    best = int(np.argmax([grades[document] for document in made.documents]))
    # Other queries change a little; in this one the best document falls to the last rank.
    scores, faulty = made.scores.copy(), made.shaken(rng, 0.05)
    faulty[query] = scores[query]
    scores[query, best], faulty[query, best] = 99, -99
    runs = [made.run(each) for each in (scores, faulty)]
    sides = [match(made.qrels, each) for each in runs]
    found = check(*sides, ["nDCG@10"], Rule())
    # One query cannot be told from chance, and is named nevertheless.
    assert found.outcome is Ruling.HOLDS
    first = found.causes[0]
    (document, *_) = first.documents
    assert (first.query, document.document) == (f"q{query}", f"d{best}")
    assert (document.baseline.rank, document.new.rank) == (1, len(made.documents))
    held = Rule(must_hold=(f"q{query}",))
    assert check(*sides, ["nDCG@10"], held).outcome is Ruling.REGRESSION
    assert check(*sides, ["nDCG@10"], held).causes[0].query == f"q{query}"


@cases("preset", ["trec_eval", "LightGBM", "“NDCG and MRR From Scratch” (batch code)"])
@cases("measure", ["nDCG@10", "AP", "ERR@5", "RBP", "P@5", "DCG"])
def test_the_lines_of_a_document_are_those_of_the_ledger(preset, measure):
    convention = PRESETS[preset]
    rng = np.random.default_rng(3)
    made = collection(rng, 12, depth=12)
    scores = rng.normal(0, 1, (2, *made.scores.shape))
    # The worst document of each query is not retrieved.
    runs = [made.run(each) for each in scores]
    runs = [
        Run.from_dict(
            {q: dict(sorted(row.items(), key=lambda x: x[1])[1:]) for q, row in of.items()}
        )
        for of in (each.to_dict() for each in runs)
    ]
    found = check(*(match(made.qrels, each, convention) for each in runs), [measure], Rule(alpha=1))
    assert found.causes
    for change in found.causes:
        assert change.documents
        tables = [explain(made.qrels, each, measure, change.query, convention) for each in runs]
        assert change.delta == pytest.approx(change.new - change.baseline, abs=1e-9)
        for document in change.documents:
            if not document.is_ranked:
                continue
            for place, table in zip((document.baseline, document.new), tables, strict=True):
                lines = table[table["document"] == document.document]
                assert place.contribution == pytest.approx(lines["contribution"].sum())
                for name, value in place.working.items():
                    assert value == lines[name].iloc[0]
                assert bool(place.working) <= (len(lines) == 1)


def test_the_documents_of_a_query_are_those_that_lose_most():
    found = check(match(QRELS, run(good)), match(QRELS, run(bad)), ["nDCG@10"], Rule())
    for change in found.causes:
        bars = (
            compare(QRELS, run(good), run(bad), "nDCG@10").only([change.query]).documents("nDCG@10")
        )
        lost = bars.sort_values("delta")["delta"].head(len(change.documents)).tolist()
        assert [each.delta for each in change.documents] == pytest.approx(lost)


def test_a_document_that_the_new_run_lacks_is_not_at_a_rank():
    a, b = run(good), run(lambda q: [d for d in good(q) if d != "r0"] if q == 5 else good(q))
    (change,) = check(match(QRELS, a), match(QRELS, b), ["RR"], Rule()).causes
    (document,) = change.documents
    assert document.document == "r0"
    assert (document.baseline.rank, document.new.rank) == (1, None)


def test_a_test_that_no_drop_could_fail_is_refused():
    five = judged(5)
    side = match(five, ranked("a", 5, good))
    with pytest.raises(RankscopeError, match=r"With 5 queries p is never below 0\.0625"):
        check(side, side, ["RR"])
    assert check(side, side, ["RR"], Rule(alpha=1)).outcome is Ruling.HOLDS
    assert check(side, side, ["RR"], Rule(alpha=0.1)).outcome is Ruling.HOLDS
    with pytest.raises(RankscopeError, match=r"With 5 queries and 2 measures"):
        check(side, side, ["RR", "AP"], Rule(alpha=0.1))
    with pytest.raises(RankscopeError, match=r"With 60 queries p is never below 0\.0001"):
        outcome(run(good), run(bad), alpha=0.0001)


def test_a_check_of_no_measure_is_refused():
    with pytest.raises(RankscopeError, match="No measure is named"):
        check(match(QRELS, run(good)), match(QRELS, run(bad)), [])


@cases(
    "bad_rule",
    [{"max_drop": -1}, {"max_drop": float("nan")}, {"alpha": 0}, {"alpha": 1.1}, {"alpha": "x"}],
)
def test_a_rule_that_means_nothing_is_refused(bad_rule):
    with pytest.raises(RankscopeError, match="must be"):
        Rule(**bad_rule)


def test_a_list_of_queries_with_a_mistake_is_refused():
    side = match(QRELS, run(good))
    with pytest.raises(DataError, match=r"2 queries that must hold are not among .*'q07', 'q60'"):
        check(side, side, ["RR"], Rule(must_hold=("q001", "q07", "q60")))
    qrels = Qrels.from_dict({**QRELS.to_dict(), "q000": {"n0": 0}})
    side = match(qrels, run(good), Convention(undefined="skip"))
    with pytest.raises(DataError, match="1 query that must hold has no score in RR: 'q000'"):
        check(side, side, ["RR"], Rule(must_hold=("q000",)))


def test_measures_that_rise_where_a_run_gets_worse_are_refused():
    side = match(QRELS, run(good))
    for name in LESS_IS_BETTER:
        with pytest.raises(RankscopeError, match="rises where a run gets worse"):
            check(side, side, [name])
    assert set(REGISTRY) > LESS_IS_BETTER


def test_the_list_of_those_measures_is_complete():
    """Of a perfect ranking and the same one reversed, with unjudged documents on top."""
    qrels = Qrels.from_dict({"q": {"a": 2, "b": 1, "n": 0, "m": 0}})
    best = match(qrels, Run.from_dict({"q": {"a": 4, "b": 3, "n": 2, "m": 1}}))
    worst = match(qrels, Run.from_dict({"q": {"x": 6, "y": 5, "n": 4, "m": 3}}))
    higher = set()
    for symbol, kind in REGISTRY.items():
        name = scaled(symbol) + {"cutoff": "@3", "recall": "@0.5", "": ""}[kind.suffix]
        a, b = (parse(name).ledger(side).scores[0] for side in (best, worst))
        if b > a:
            higher.add(symbol)
    assert higher <= LESS_IS_BETTER


def test_unjudged_documents_near_the_top_are_counted():
    a, b = run(good), run(lambda q: ["x", *good(q)])
    found = check(match(QRELS, a), match(QRELS, b), ["nDCG@5"], Rule())
    assert (found.depth, found.unjudged()) == (5, (0.0, pytest.approx(0.2)))
