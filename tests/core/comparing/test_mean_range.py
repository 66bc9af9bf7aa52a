"""The range of the mean delta over the grades of unjudged documents, against all completions."""

import random
from itertools import product

import pytest

from metrics import Convention, Qrels, Run, compare, parse
from metrics.comparing import reversal as module
from metrics.comparing import reversal as search
from metrics.comparing.reversal import SEARCHED, SHARE, mean_range
from tests.cases import cases
from tests.core.comparing.test_reversal import run

OWN_IDEAL = Convention(ideal="retrieved", ap="retrieved")
SKIP = Convention(undefined="skip", ties="ascending")


def in_order(lists, name=""):
    return Run.from_dict(
        {
            query: {document: -place for place, document in enumerate(documents)}
            for query, documents in lists.items()
        },
        name,
    )


def means(qrels, a, b, name, convention, documents, scale=(0, 1, 2)):
    """The mean delta under every way to grade these (query, document) pairs."""
    found = []
    for given in product(scale, repeat=len(documents)):
        grades = qrels.to_dict()
        for (query, document), grade in zip(documents, given, strict=True):
            grades[query][document] = grade
        compared = compare(Qrels.from_dict(grades), a, b, name, convention)
        found.append(compared.summary(name).delta)
    return found


def draw(seed):
    """Two runs of three queries: u0, u1 and u2 are unjudged, at any rank of twelve or in none."""
    lots = random.Random(seed)
    ids = [f"j{i}" for i in range(12)]
    grades = {f"q{q}": {d: lots.choice([0, 0, 1, 2]) for d in ids} for q in range(3)}
    # One query has nothing to find as judged.
    grades["q0"] = dict.fromkeys(ids, 0)
    holes = {"q0": ["u0"], "q1": ["u1", "u2"], "q2": []}
    lists = [
        {q: lots.sample([*ids[:11], *holes[q]], 11 + len(holes[q])) for q in grades} for _ in "ab"
    ]
    return Qrels.from_dict(grades), *map(in_order, lists)


@cases(
    ("name", "convention"),
    [
        ("AP", Convention()),
        ("AP", OWN_IDEAL),
        ("AP", SKIP),
        ("nDCG", SKIP),
        ("nDCG@2", OWN_IDEAL),
        ("nDCG@2", Convention(ideal="doubled")),
        ("Bpref", Convention()),
        ("Rprec", SKIP),
    ],
)
def test_all_unjudged_documents_count_at_any_rank(name, convention):
    every = [("q0", "u0"), ("q1", "u1"), ("q1", "u2")]
    for seed in range(4):
        qrels, a, b = draw(seed)
        compared = compare(qrels, a, b, name, convention)
        over = mean_range(qrels, a, b, parse(name), compared)
        brute = [
            *means(qrels, a, b, name, convention, every),
            # As judged, unjudged documents need not count like those of grade 0.
            compared.summary(name).delta,
        ]
        assert (over.documents, over.queries) == (3, 2)
        if name == "Bpref":
            # Some queries may be as judged while others are not.
            assert over.low <= min(brute) + 1e-12
            assert over.high >= max(brute) - 1e-12
            continue
        assert (over.low, over.high) == pytest.approx((min(brute), max(brute)), abs=1e-12)
        assert (over.reached_low, over.reached_high) == pytest.approx((over.low, over.high))


def test_below_the_cutoff_of_both_runs_nothing_counts():
    qrels = Qrels.from_dict({"q": {"j": 1, "k": 0}})
    a, b = run("j", "k", "u"), run("k", "j", "v")
    compared = compare(qrels, a, b, "nDCG@2")
    over = mean_range(qrels, a, b, parse("nDCG@2"), compared)
    assert (over.documents, over.queries) == (0, 0)
    assert over.low == over.high == over.reached_low == compared.summary("nDCG@2").delta


def test_what_is_reached_is_a_completion_and_the_bounds_hold_for_all(monkeypatch):
    monkeypatch.setattr(search, "MOST_LINES", 2_000)
    wide = 0
    for seed in range(6):
        lots = random.Random(seed)
        ids = [*"jklm", *(f"u{i}" for i in range(7))]
        a, b = (in_order({"q": lots.sample(ids, len(ids)), "p": [*"jk"]}) for _ in "ab")
        grades = dict(zip("jklm", (1, 0, 1, 0), strict=True))
        qrels = Qrels.from_dict({"q": grades, "p": {"j": 1, "k": 0}})
        over = mean_range(qrels, a, b, parse("AP"), compare(qrels, a, b, "AP"))
        every = [("q", f"u{i}") for i in range(7)]
        brute = means(qrels, a, b, "AP", Convention(), every, (0, 1))
        assert over.low <= min(brute) + 1e-12
        assert over.high >= max(brute) - 1e-12
        for end in (over.reached_low, over.reached_high):
            assert min(abs(end - each) for each in brute) < 1e-12
        wide += over.reached_low - over.low > 1e-6
    assert wide


def test_a_document_of_both_runs_counts_once():
    qrels = Qrels.from_dict({"q": {"j": 1}})
    same = [f"u{i}" for i in range(SEARCHED)]
    a, b = run("j", *same), run(*same, "j")
    compared = compare(qrels, a, b, "DCG")
    assert mean_range(qrels, a, b, parse("DCG"), compared).documents == SEARCHED


@cases("ties", ["descending", "mean"])
def test_queries_beyond_the_limit_have_outer_bounds(ties, monkeypatch):
    limit = 20
    monkeypatch.setattr(module, "SEARCHED", limit)
    many = [f"q{q}" for q in range(limit + 3)]
    qrels = Qrels.from_dict({q: {"j": 1, "k": 0} for q in many})
    # Tied, the unjudged document is in the top 1 in half of the orders.
    a = Run.from_dict({q: {"j": 1, "u": 1} for q in many})
    b = Run.from_dict({q: {"j": 2, "k": 1} for q in many})
    convention = Convention(ties=ties)
    compared = compare(qrels, a, b, "P@1", convention)
    over = mean_range(qrels, a, b, parse("P@1"), compared)
    assert (over.documents, over.queries, over.unsearched) == (limit, len(many), 3)
    delta = compared.summary("P@1").delta
    searched = mean_range(
        *(each.only(*many[:limit]) for each in (qrels, a, b)),
        parse("P@1"),
        compare(qrels.only(*many[:limit]), a, b, "P@1", convention),
    )
    share = limit / len(many)
    assert over.low == pytest.approx(share * searched.low - (1 - share))
    assert over.high == pytest.approx(share * searched.high + (1 - share))
    # Beyond the limit nothing is reached but the delta as judged.
    assert over.reached_low == pytest.approx(share * searched.reached_low + (1 - share) * delta)
    assert over.reached_high == pytest.approx(share * searched.reached_high + (1 - share) * delta)


def test_where_the_limit_leaves_most_queries_out_none_is_searched(monkeypatch):
    monkeypatch.setattr(module, "SEARCHED", 3)
    for count, searched in ((round(3 / SHARE), 3), (round(3 / SHARE) + 1, 0)):
        many = [f"q{q}" for q in range(count)]
        qrels = Qrels.from_dict({q: {"j": 1} for q in many})
        a, b = (in_order(dict.fromkeys(many, order)) for order in ("uj", "ju"))
        over = mean_range(qrels, a, b, parse("RR"), compare(qrels, a, b, "RR"))
        assert (over.documents, over.unsearched) == (searched, count - searched)
        # Searched, a query's delta is at best +0.5 and at worst 0.
        assert over.low == pytest.approx(-(count - searched) / count)
        assert over.high == pytest.approx((searched / 2 + count - searched) / count)


def test_the_longer_list_does_not_tell_how_many_documents_both_have():
    own = [[f"{side}{i}" for i in range(SEARCHED // 2 + 1)] for side in "ab"]
    a, b = (run("j", *each) for each in own)
    one = Qrels.from_dict({"q": {"j": 1}})
    over = mean_range(one, a, b, parse("AP"), compare(one, a, b, "AP"))
    assert (over.documents, over.unsearched, over.low, over.high) == (0, 1, -1, 1)
    assert over.reached_low == over.reached_high == 0
    # A measure without bounds has none here.
    assert mean_range(one, a, b, parse("DCG"), compare(one, a, b, "DCG")) is None


@cases("name", ["nDCG@10", "RR", "P@5", "AP", "RBP"])
def test_outer_bounds_hold_what_a_full_search_finds(name, monkeypatch):
    for seed in range(4):
        lots = random.Random(seed)
        ids = [*"jklmn", *(f"u{i}" for i in range(6))]
        a, b = (in_order({f"q{q}": lots.sample(ids, 8) for q in range(5)}) for _ in "ab")
        grades = {f"q{q}": {d: lots.choice([0, 1, 2]) for d in "jklmn"} for q in range(5)}
        qrels = Qrels.from_dict(grades)
        compared = compare(qrels, a, b, name)
        full = mean_range(qrels, a, b, parse(name), compared)
        monkeypatch.setattr(module, "SEARCHED", 10)
        monkeypatch.setattr(module, "SHARE", 0)
        some = mean_range(qrels, a, b, parse(name), compared)
        monkeypatch.undo()
        assert full.unsearched == 0 < some.unsearched < 5
        assert (some.documents <= 10, some.queries) == (True, full.queries)
        assert some.low <= full.low <= some.reached_low + 1e-12
        assert some.reached_high - 1e-12 <= full.high <= some.high


def test_a_query_that_no_grade_can_score_stays_out():
    # With its own ideal, A has nothing to find: all its documents are judged 0.
    qrels = Qrels.from_dict({"q": {"j": 1, "k": 0}, "p": {"k": 0, "l": 1}})
    a = in_order({"q": ["k", "j"], "p": ["k"]})
    b = in_order({"q": ["j", "k"], "p": ["u"]})
    convention = Convention(ideal="retrieved", undefined="skip")
    compared = compare(qrels, a, b, "nDCG", convention)
    over = mean_range(qrels, a, b, parse("nDCG"), compared)
    assert over.low == over.high == compared.summary("nDCG").delta
    assert over.documents == 0
