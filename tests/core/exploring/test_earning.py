"""What grades earn at ranks, against the ledgers of the rankings with documents there."""

import random

import pytest

from metrics import Convention, Qrels, Run, match, parse
from metrics.exploring.earning import earning, most
from metrics.measures import REGISTRY, Measure
from tests.cases import cases, scaled

GRADES = {"a": 3, "b": 2, "c": 0, "d": 1, "e": 2, "f": 1}
ORDER = ["a", "c", "u", "b", "e", "d"]
NAMES = [
    *map(scaled, REGISTRY),
    "nDCG@4",
    "P@4",
    "R@3",
    "RBP(p=0.5)@3",
    "F1@4",
    "ERR@3",
    "IPrec@0.5",
    "DCG@2",
]


def ledger(order, name, convention=None):
    run = Run.from_dict({"q": {d: -place for place, d in enumerate(order)}})
    return parse(name).ledger(
        match(Qrels.from_dict({"q": GRADES}), run, convention or Convention())
    )


def lines(order, name, convention=None):
    """What each document earns, before the ideal divides it."""
    table = ledger(order, name, convention).parts[0].table("q")
    return dict(zip(table["document"], table["contribution"], strict=True))


def applies(name):
    measure = REGISTRY.get(name.partition("(")[0])
    return measure is None or not (measure.by_aspect or measure.needs)


@cases("name", [name for name in NAMES if applies(name)])
def test_a_gain_is_what_a_document_earns_at_rank_1(name):
    found = earning(ledger(ORDER, name))
    if found is None:
        # Its lines are not those of the list.
        assert type(parse(name)).ranking is not Measure.ranking
        return
    for document in ORDER:
        # It changes places with the first.
        swapped = [{ORDER[0]: document, document: ORDER[0]}.get(d, d) for d in ORDER]
        if document in GRADES:
            gain = found.first[GRADES[document]]
            assert lines(swapped, name).get(document, 0.0) == pytest.approx(gain)


@cases("name", [name for name in NAMES if applies(name)])
@cases("convention", [Convention(), Convention(gain="exponential", discount="ln")])
def test_shares_foretell_the_lines_of_every_order(name, convention):
    found = earning(ledger(ORDER, name, convention))
    if found is None:
        return
    if found.shares is None:
        measure = parse(name)
        rank_and_grade = measure.linear and measure.suffix == "cutoff"
        assert not (rank_and_grade and max(found.first.values()) > 0)
        return
    lots = random.Random(name)
    for _ in range(5):
        order = lots.sample(ORDER, len(ORDER))
        earned = lines(order, name, convention)
        for place, document in enumerate(order):
            share = found.shares[place] if place < len(found.shares) else 0.0
            foretold = found.first.get(GRADES.get(document), 0.0) * share
            assert earned.get(document, 0.0) == pytest.approx(foretold)


def test_there_are_no_shares_where_more_than_a_rank_and_a_grade_count():
    # A convention orders tied documents, unless the mean over all orders counts.
    for ties in ("descending", "mean"):
        run = Run.from_dict({"q": dict.fromkeys(ORDER, 1.0)})
        tied = match(Qrels.from_dict({"q": GRADES}), run, Convention(ties=ties))
        assert (earning(parse("P@3").ledger(tied)).shares is None) == (ties == "mean")
    own = Convention(ideal="retrieved")
    assert earning(ledger(ORDER, "nDCG@3", own)).shares is None
    assert earning(ledger(ORDER, "nDCG@3")).shares is not None


@cases(
    ("name", "expected"),
    [("nDCG@3", None), ("P@3", 1.0), ("AP", 1.0), ("NumRel", None), ("LogAP", None)],
)
def test_the_most_is_the_ideal_s_or_1(name, expected):
    best = ["a", "b", "e", "d", "f", "c"]
    if name == "nDCG@3":
        expected = float(ledger(best, "DCG@3").scores[0])
        assert most(ledger(ORDER, "DCG@3")) == pytest.approx(expected)
    found = most(ledger(ORDER, name))
    assert found is None if expected is None else found == pytest.approx(expected)
