"""Each situation of a check gets its answer; unjudged documents never pass in silence."""

from dataclasses import replace

import pytest

from metrics import Convention, RankscopeError, match
from metrics.deciding.regression import IN_A_CHECK, Rule, Ruling, check
from metrics.deciding.statement import LEAVES_OPEN
from metrics.writing import check as wording
from tests.cases import cases, every_measure
from tests.checked_situations import N, base, new
from tests.checked_situations import cases as situations
from tests.situations import good, judged, top


@cases("name", situations)
def test_each_situation_gets_its_answer(name):
    case = situations()[name]
    found = check(*case.sides, case.measures, case.rule)
    assert found.outcome is case.answer
    assert case.says in wording.verdict(found).text()
    assert found.to_judge[:1] == ((case.to_judge,) if case.to_judge else ())


def test_a_check_answers_each_kind_that_leaves_a_verdict_open():
    assert list(IN_A_CHECK) == list(LEAVES_OPEN)


def test_the_counts_that_differ_are_given():
    case = situations()["pooled_baseline"]
    (row,) = check(*case.sides, case.measures).measures
    zero, out = row.otherwise["as grade 0"], row.otherwise["left out"]
    assert zero.delta == row.evidence.delta < -0.1
    assert (out.delta, out.wins, out.losses) == (0, 0, 0)
    text = wording.of_measure(row, case.rule).text()
    assert f"as grade 0: −{-zero.delta:.4f} (p < 0.001); left out: 0.0000 (p = 1.000)" in text


def test_a_convention_without_unjudged_documents_is_refused():
    sides = [match(judged(N), run, Convention(unjudged="removed")) for run in (base(), new(good))]
    with pytest.raises(RankscopeError, match=r"removes unjudged documents.*allow a gap of 1"):
        check(*sides, ["nDCG@10"])
    assert check(*sides, ["nDCG@10"], Rule(max_gap=1)).outcome is Ruling.HOLDS


def falls(name):
    """Whether a measure falls with the relevant documents, so that a check of it can fail."""
    case = replace(situations()["worse"], new=new(lambda query: top(14)))
    try:
        return check(*case.sides, [name], Rule(alpha=1)).outcome is Ruling.REGRESSION
    except RankscopeError:
        # A measure with another parameter, or one that rises where a run gets worse.
        return False


def test_junk_on_top_never_passes():
    named = every_measure(["@10"])
    able, case = [*filter(falls, named)], situations()["junk_in_every_rank"]
    assert len(able) > 35
    passed = [n for n in able if check(*case.sides, [n], Rule(alpha=1)).outcome is Ruling.HOLDS]
    assert passed == []
