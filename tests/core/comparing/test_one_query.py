"""One query of two runs has the numbers of the whole comparison, and is searched for once."""

import pytest

from metrics import Convention, DataError, Qrels, Run, compare, evaluate, match
from metrics.comparing.comparison import IDEALS
from metrics.comparing.one_query import one_query
from metrics.comparing.reversal import reversal
from metrics.data import Pairs
from metrics.teaching.samples import catalogue
from tests.cases import cases

RETRIEVED = Convention(ideal="retrieved")
CONVENTIONS = [Convention(), RETRIEVED, Convention(ideal="doubled"), Convention(unjudged="removed")]
SHOP = catalogue()["shop"].load()
ALL = Convention(queries="qrels")


@cases("measure", ["nDCG@10", "nDCG", "AP", "Bpref", "nERR@5"])
@cases("convention", CONVENTIONS, ids=lambda each: each.label)
def test_one_query_has_the_numbers_of_the_whole_comparison(measure, convention):
    whole = compare(SHOP.qrels, *SHOP.runs, measure, convention)
    scores, bars = whole.per_query(measure), whole.documents(measure)
    for query in whole.queries[:6]:
        one = one_query(SHOP.qrels, *SHOP.runs, measure, query, convention)
        assert (one.a.score, one.b.score) == tuple(scores.loc[query, ["A", "B"]])
        changed = bars[(bars["query"] == query) & (bars["delta"] != 0)]
        found = one.waterfall[one.waterfall["delta"] != 0].set_index("document")["delta"]
        assert found.to_dict() == pytest.approx(changed.set_index("document")["delta"].to_dict())


@cases("measure", ["nDCG@10", "RR", "AP", "Bpref"])
@cases("convention", CONVENTIONS, ids=lambda each: each.label)
def test_what_made_most_of_each_delta_has_its_sign_or_is_the_largest_change(measure, convention):
    whole = compare(SHOP.qrels, *SHOP.runs, measure, convention)
    found, deltas = whole.decisive(measure), whole.per_query(measure)["delta"]
    for query, lines in whole.documents(measure).groupby("query"):
        of = {
            line.document: line.delta
            for line in lines.itertuples()
            if line.document != IDEALS and line.delta
        }
        kept = dict(reversed(of.items()))
        for name, delta in reversed(of.items()):
            # Those that cancel go in pairs, the last of each side first.
            size = round(abs(delta), 12)
            others = [n for n, x in kept.items() if x * delta < 0 and round(abs(x), 12) == size]
            if name in kept and others:
                del kept[name], kept[others[0]]
        of = dict(reversed(kept.items())) or of
        same = {name: delta for name, delta in of.items() if delta * deltas[query] > 0} or of
        if not of:
            assert query not in found.index
            continue
        most = max(same, key=lambda name: abs(same[name]))
        assert found.at[query, "document"] == most
        assert found.at[query, "delta"] == of[most]
    one = one_query(SHOP.qrels, *SHOP.runs, measure, found.index[0], convention)
    assert one.decisive == found["document"].iloc[0]
    same = one_query(SHOP.qrels, SHOP.runs[0], SHOP.runs[0], measure, found.index[0], convention)
    assert same.decisive == ""


def test_documents_of_one_grade_that_change_places_are_no_reason():
    qrels = Qrels.from_dict({"q": {"x": 2, "y": 2, "z": 3}})
    a = Run.from_dict({"q": {"x": 9, "u": 8, "y": 7, "z": 6}})
    b = Run.from_dict({"q": {"y": 9, "u": 8, "x": 7, "v": 6, "z": 5}})
    one = one_query(qrels, a, b, "nDCG", "q")
    assert abs(one.delta["x"]) > abs(one.delta["z"]) > 0
    assert one.decisive == "z"


@cases("convention", CONVENTIONS, ids=lambda each: each.label)
def test_the_movement_and_the_ideals_sum_to_the_delta(convention):
    for query in ("q12", "q20", "q22", "q29"):
        one = one_query(SHOP.qrels, *SHOP.runs, "nDCG@10", query, convention)
        ideals = one.waterfall.loc[one.waterfall["document"] == IDEALS, "delta"].sum()
        total = one.movement(10)["delta"].sum() + ideals
        assert total == pytest.approx(one.b.score - one.a.score, abs=1e-12)


def test_the_movement_at_different_ideals_has_the_values_computed_by_hand():
    qrels = Qrels.from_dict({"q": {"x": 1, "y": 1}})
    a, b = Run.from_dict({"q": {"x": 2, "u": 1}}), Run.from_dict({"q": {"x": 2, "y": 1}})
    # Ranks 1 and 2 have no discount: A has 1 of 1, and B 2 of 2, at the mean of 1/1 and 1/2.
    convention = Convention(ideal="retrieved", discount="jarvelin")
    one = one_query(qrels, a, b, "nDCG", "q", convention)
    frame = one.movement(9)
    assert frame["contribution A"].to_dict() == {"x": 1, "y": 0, "u": 0}
    assert frame["contribution B"].to_dict() == {"x": 0.5, "y": 0.5, "u": 0}
    assert frame["delta"].to_dict() == {"x": 0, "y": 0.75, "u": 0}
    assert one.delta[IDEALS] == -0.75


def test_documents_come_with_the_largest_change_first_then_as_a_and_b_rank_them():
    qrels = Qrels.from_dict({"q": {"down": 3, "up": 1, "still": 2, "missed": 1}})
    a = Run.from_dict({"q": {"down": 5, "ua": 4, "still": 3, "both": 2, "up": 1}})
    b = Run.from_dict({"q": {"up": 5, "ub": 4, "still": 3, "both": 2, "down": 1}})
    one, back = one_query(qrels, a, b, "DCG", "q"), one_query(qrels, b, a, "DCG", "q")
    assert abs(one.delta["down"]) > abs(one.delta["up"]) > one.delta["still"] == 0
    # What is judged comes before what nobody judged, although it changes nothing.
    assert one.documents == ["down", "up", "still", "ua", "both", "ub"]
    assert back.documents == ["down", "up", "still", "ub", "both", "ua"]


def test_condensed_lists_have_no_unjudged_documents():
    qrels = Qrels.from_dict({"q": {"x": 1}})
    a, b = Run.from_dict({"q": {"u": 3, "x": 2}}), Run.from_dict({"q": {"u": 3, "v": 2, "x": 1}})
    one = one_query(qrels, a, b, "RR", "q")
    assert (one.a.score, one.b.score) == (1 / 2, 1 / 3)
    assert one.condensed() == (1.0, 1.0)


def test_a_run_without_the_query_has_an_empty_ranking():
    a, b = Run.from_dict({"q": {"x": 1}}), Run.from_dict({"other": {"x": 1}})
    one = one_query(Qrels.from_dict({"q": {"x": 1}}), a, b, "RR", "q", ALL)
    assert (one.a.score, one.b.score, one.b.documents) == (1, 0, [])
    assert one.b.ledger.judged.missing_from_run == ("q",)
    assert one.comparison.a.judged.missing_from_run == ()
    with pytest.raises(DataError, match="not in the run"):
        one_query(Qrels.from_dict({"q": {"x": 1}}), a, b, "RR", "q")


def test_the_rows_of_a_query_are_searched_for_once(monkeypatch):
    searched = []
    only = Pairs.only

    def counted(self, query):
        searched.append(len(self))
        return only(self, query)

    monkeypatch.setattr(Pairs, "only", counted)
    one = one_query(SHOP.qrels, *SHOP.runs, "nDCG@10", "q12")
    assert reversal(one).unjudged
    assert one.condensed()
    assert len(one.movement(10))
    for pairs in (SHOP.qrels, *SHOP.runs):
        assert searched.count(len(pairs)) == 1


def test_the_grades_in_use_are_those_of_all_queries():
    one = one_query(SHOP.qrels, *SHOP.runs, "nDCG@10", "q12")
    assert one.grades.tolist() == [0, 1, 2, 3]
    assert evaluate(SHOP.qrels, SHOP.runs[0], "nDCG@10").value("nDCG@10", "q12") == one.a.score


@cases("name", ["nDCG@3", "AP", "RR", "RBP"])
def test_a_query_with_another_grade_is_that_of_the_qrels_with_it(name):
    qrels = Qrels.from_dict({"q": {"x": 2, "y": 0, "z": 1}, "p": {"x": 3}})
    a = Run.from_dict({"q": {"x": 3, "u": 2, "z": 1}, "p": {"x": 1}})
    b = Run.from_dict({"q": {"y": 3, "x": 2, "v": 1}, "p": {"x": 1}})
    one = one_query(qrels, a, b, name, "q").with_grade("y", 3.0)
    other = Qrels.from_dict({"q": {"x": 2, "y": 3, "z": 1}, "p": {"x": 3}})
    expected = one_query(other, a, b, name, "q")
    assert [side.score for side in one.sides] == [side.score for side in expected.sides]
    assert one.delta.to_dict() == expected.delta.to_dict()
    assert one.grades.tolist() == [0, 1, 2, 3]
    judged = one_query(qrels, match(qrels, a), match(qrels, b), name, "q")
    with pytest.raises(DataError, match="judged by other judgments"):
        judged.with_grade("y", 3.0)
