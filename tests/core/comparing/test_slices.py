"""Filters of queries: what fits, and that cut data give the numbers of the queries alone."""

from dataclasses import replace

import pytest

from metrics import Convention, Dataset, Pairing, Qrels, Run, compare
from metrics.comparing.evidence import PairedTest, uncorrected
from metrics.comparing.significance import NONE
from metrics.comparing.slices import (
    EVERY,
    SEARCHED,
    Reason,
    Slice,
    fitting,
    most_instructive,
)
from tests.cases import cases

# q1: B gains; q2: B loses; q3: a tie with half of both lists unjudged; q4, q5, q6, q7: left out.
QRELS = Qrels.from_dict(
    {
        **{query: {"x": 1, "y": 0} for query in ("q1", "q2", "q4", "q5", "q6")},
        "q3": {"x": 1},
    }
)
A = Run.from_dict(
    {
        "q1": {"y": 2, "x": 1},
        "q2": {"x": 2, "y": 1},
        "q3": {"x": 2, "u": 1},
        "q4": {"x": 2},
        "q7": {"x": 1},
    }
)
B = Run.from_dict(
    {
        "q1": {"x": 2, "y": 1},
        "q2": {"y": 2, "x": 1},
        "q3": {"x": 2, "v": 1},
        "q5": {"x": 2},
    }
)
DATA = Dataset(
    "",
    QRELS,
    (A, B),
    query_texts={"q1": "Straße nach Rom", "q2": "tax"},
    query_attributes={
        "group": {"q1": "short", "q2": "long", "q4": "short", "q7": "long"},
        "device": {"q1": "mobile", "q2": "mobile", "q4": "desktop"},
    },
)


@cases(
    ("which", "queries"),
    [
        (EVERY, "q1 q2 q3 q4 q5 q6 q7"),
        (Slice("STRASSE"), "q1"),
        (Slice("Q"), "q1 q2 q3 q4 q5 q6 q7"),
        (Slice("q2"), "q2"),
        # Queries without a comparison fit too, so that the cut data report them.
        (Slice(groups=(("group", "short"),)), "q1 q4"),
        (Slice(groups=(("group", "no group"), ("group", "long"))), "q2 q3 q5 q6 q7"),
        # Of two attributes a query is in a group of each.
        (Slice(groups=(("group", "short"), ("device", "mobile"))), "q1"),
        (Slice(outcome="B better"), "q1"),
        (Slice(outcome="A better"), "q2"),
        (Slice(outcome="ties"), "q3"),
        (Slice(least_unjudged=0.5), "q3"),
        (Slice(least_unjudged=0.51), ""),
        (Slice(most_unjudged=0.49), "q1 q2"),
        (Slice("q", (("group", "long"),), "A better"), "q2"),
    ],
)
def test_a_query_fits_if_it_meets_every_condition(which, queries):
    found = fitting(which, compare(QRELS, A, B, "RR"), "RR", DATA, 10, 0.0)
    assert " ".join(found) == queries


def test_the_size_of_a_tie_decides_the_outcome():
    compared = compare(QRELS, A, B, "RR")
    assert fitting(Slice(outcome="ties"), compared, "RR", DATA, 10, 0.5) == ("q1", "q2", "q3")


@pytest.mark.parametrize("convention", [Convention(), Convention(queries="qrels", ties="mean")])
def test_cut_data_give_the_numbers_of_their_queries(convention):
    names = ["nDCG@10", "AP"]
    cut = DATA.only(["q1", "q3", "q4", "q6", "q9"])
    whole, part = (compare(data.qrels, *data.runs, names, convention) for data in (DATA, cut))
    for name in names:
        expected = uncorrected(whole.only(["q1", "q3", "q4", "q6"]), name)
        assert uncorrected(part, name) == expected
    assert (part.only_a, part.only_b, part.unjudged) == (
        tuple(q for q in whole.only_a if q == "q4"),
        (),
        (),
    )
    assert {pairs.digest for pairs in (cut.qrels, *cut.runs)}.isdisjoint(
        {pairs.digest for pairs in (DATA.qrels, *DATA.runs)}
    )


def test_without_a_test_there_is_no_p_and_nothing_is_sure():
    pairing = Pairing.of(QRELS, (A, B), ["RR", "AP"], test=PairedTest(NONE))
    found, decided = pairing.evidence, pairing.verdict
    assert all(row.p != row.p and row.corrected != row.corrected for row in found.values())
    assert not any(row.sure for row in found.values())
    assert decided.outcome == "undecided"
    sentence = decided.sentence.text()
    assert sentence.startswith("(A) and (B) have the same RR on average, 0.8333; ")
    assert sentence.endswith("Nothing was tested.")
    assert not {"chance", "few"} & {threat.kind for threat in decided.threats}


@cases(
    ("queries", "first", "reason"),
    [
        # Each list is A's documents in B's order, the grades in A's. The largest gain is no mixed
        # one; of the mixed ones that with more to weigh against each other is opened.
        (
            {"gain": ("1003", "3100"), "mixed": ("3210", "1032"), "less": ("1120", "1012")},
            "mixed",
            Reason.MIXED,
        ),
        # Two documents that change places are mixed, too, and fewer than are worth reading.
        ({"two": ("31", "13"), "three": ("112", "211")}, "three", Reason.MIXED),
        # Of the queries that are read at a glance it changes most, and another one more.
        ({"one": ("1000", "0001"), "three": ("11100", "01110")}, "three", Reason.LARGEST_OF_FEW),
        # With one relevant document nothing is mixed: the largest change, of either run.
        (
            {"small": ("0100", "0010"), "large": ("1000", "0001"), "none": ("10", "10")},
            "large",
            Reason.LARGEST,
        ),
        ({"none": ("10", "10"), "alike": ("100", "100")}, "none", Reason.UNCHANGED),
    ],
)
def test_the_first_query_has_several_documents_that_gain_and_lose(queries, first, reason):
    qrels, a, b = {}, {}, {}
    for query, (before, after) in queries.items():
        names = [f"{grade}{before[:at].count(grade)}" for at, grade in enumerate(before)]
        moved = [f"{grade}{after[:at].count(grade)}" for at, grade in enumerate(after)]
        qrels[query] = {name: int(name[0]) for name in names}
        a[query], b[query] = (
            {name: float(-at) for at, name in enumerate(ranking)} for ranking in (names, moved)
        )
    compared = compare(qrels, a, b, "nDCG")
    found, delta = most_instructive(compared, "nDCG"), compared.per_query("nDCG")["delta"]
    assert (found.query, found.reason) == (first, reason)
    # The reason is true, and the sums are those of the query's documents.
    assert found.gains - found.losses == pytest.approx(delta[first])
    assert (min(found.gains, found.losses) > 0) == (reason is Reason.MIXED)
    if reason is not Reason.MIXED:
        assert (abs(delta[first]) == abs(delta).max()) == (reason is not Reason.LARGEST_OF_FEW)
    assert (abs(delta).max() == 0) == (reason is Reason.UNCHANGED)


def test_only_the_largest_changes_of_many_queries_are_searched():
    """The query in the middle is the only mixed one, and its delta is the smallest."""
    many = 2 * SEARCHED + 1
    qrels = {f"q{at:03}": {"x": 1} for at in range(many)} | {"mixed": {"x": 1, "y": 1, "z": 3}}
    first, second = {"x": 2, "u": 1}, {"u": 2, "x": 1}
    a = {query: first if at % 2 else second for at, query in enumerate(qrels)}
    b = {query: second if at % 2 else first for at, query in enumerate(qrels)}
    a["mixed"], b["mixed"] = {"z": 3, "x": 2, "y": 1}, {"x": 3, "y": 2, "z": 1}
    assert most_instructive(compare(qrels, a, b, "nDCG"), "nDCG").query != "mixed"
    few = {query: qrels[query] for query in ("q000", "q001", "mixed")}
    assert most_instructive(compare(few, a, b, "nDCG"), "nDCG").query == "mixed"


def test_values_that_repeat_or_are_few_are_groups_and_weights_are_not():
    every = [f"q{n}" for n in range(60)]
    data = replace(
        DATA,
        query_attributes={
            "device": dict.fromkeys(every, "mobile"),
            "remark": {query: f"about {query}" for query in every},
            "few": {query: f"about {query}" for query in every[:50]},
            "hits": {query: str(n) for n, query in enumerate(every)},
            "hour": {query: str(n % 24) for n, query in enumerate(every)},
        },
    )
    assert [*data.groupings] == ["device", "few", "hour"]
    # An hour, or a length, is a number too, and no weight.
    assert [*data.weights] == ["hits"]
