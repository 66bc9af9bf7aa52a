"""One ranking under every preset and choice, and the convention behind a printed number."""

import math
from functools import partial

import pytest

from metrics import PRESETS, Convention, Qrels, RankscopeError, Run, parse
from metrics.editing.edits import toggle_tie
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.pasted import read_ranking
from metrics.exploring.convention_search import choices, presets, search
from metrics.exploring.what_if import score_all
from metrics.scoring.expressions import unit, verdict
from tests.cases import cases

WIKIPEDIA = read_ranking("3,2,3,0,1,2 | 3,2", "q")
NDCG = parse("nDCG@6")


@cases(
    ("printed", "changes"),
    [
        ("0.7850", {}),
        ("0.7562", {"ideal_cut": "whole"}),
        ("0.7691", {"discount": "jarvelin"}),
        ("0.7511", {"gain": "exponential"}),
        ("0.7377", {"gain": "exponential", "ideal_cut": "whole"}),
        ("0.9608", {"ideal": "retrieved"}),
        ("0.9488", {"gain": "exponential", "ideal": "retrieved"}),
        ("0.8697", {"gain": "binary"}),
    ],
)
def test_the_convention_behind_a_number_is_found(printed, changes):
    found = search(printed, WIKIPEDIA.evaluated, NDCG)
    assert found.found[0].convention == Convention(**changes)
    assert len(found.found[0].differs) == len(changes)
    assert found.tried == 54
    assert not found.nearest
    assert all(verdict(printed, reading.value) == "agrees" for reading in found.found)


def test_a_number_that_no_convention_gives_has_three_nearest_ones():
    found = search("0.795", read_ranking("3,1,0,2", "q").evaluated, parse("nDCG@4"))
    assert not found.found
    assert len(found.nearest) == 3
    distances = [abs(reading.value - 0.795) for reading in found.nearest]
    assert distances == sorted(distances)
    assert distances[0] > 0.0005


def test_presets_list_only_the_differences_that_affect_the_measure():
    read = {reading.name: reading for reading in presets(WIKIPEDIA.evaluated, NDCG)}
    of_others = {"MS MARCO", "BEIR", "ragas"}
    assert list(read) == [name for name in PRESETS if name not in of_others]
    assert read["ranx"].differs == ()
    assert read["LightGBM"].differs == (
        "gain: 2^grade − 1",
        "ideal ranking: retrieved documents only",
    )
    for name, reading in read.items():
        assert reading.value == score_all([WIKIPEDIA], NDCG, PRESETS[name])[0]
    same = presets(WIKIPEDIA.evaluated, NDCG, PRESETS["LightGBM"])
    assert next(each for each in same if each.name == "XGBoost").differs == ()


def test_a_choice_is_offered_only_where_it_can_change_the_score():
    def offered(text, measure):
        return {
            reading.name for reading in choices(read_ranking(text, "q").evaluated, parse(measure))
        }

    dcg = {"Gain", "Discount", "Ideal ranking", "Cutoff of the ideal"}
    assert offered("3,2,0", "nDCG") == dcg
    assert offered("3,2,?", "nDCG") == dcg | {"Unjudged documents"}
    assert offered("3,2,-1", "nDCG") == dcg | {"Negative grades", "Unjudged documents"}
    assert offered("0,0,0", "RR") == {"Queries with nothing to find"}
    assert offered("3,2,0", "P@5") == {"P@k divided by"}
    tied = toggle_tie(read_ranking("3,2,0", "q"), "d2")
    assert {r.name for r in choices(tied.evaluated, parse("RR"))} == {"Ties"}


def test_an_undefined_score_among_the_retrieved_documents_is_a_choice_too():
    ranking = read_ranking("0,0 | 3", "q")
    found = search("1.0", ranking.evaluated, parse("nDCG@5"))
    assert found.found[0].convention == Convention(ideal="retrieved", undefined="one")
    differs = {
        reading.name: reading.differs for reading in presets(ranking.evaluated, parse("nDCG@5"))
    }
    assert "queries with nothing to find: score 1 where 0/0" in differs["LightGBM"]
    negative_only = {
        reading.name for reading in choices(read_ranking("-1", "q").evaluated, parse("Unjudged"))
    }
    assert "Unjudged documents" in negative_only


def test_a_convention_that_the_measure_refuses_has_a_reason_and_no_value():
    tied = toggle_tie(read_ranking("0,2,0", "q"), "d2")
    refused = [
        reading for reading in choices(tied.evaluated, parse("RR")) if math.isnan(reading.value)
    ]
    assert ["not linear" in reading.problem for reading in refused] == [True]


@cases(
    ("printed", "value", "expected"),
    [
        ("0.795", 0.7954, "agrees"),
        ("0.795", 0.7956, "last digit"),
        ("0.795", 0.7966, "differs"),
        ("96%", 0.9602, "agrees"),
        ("3/5", 0.6, "agrees"),
        ("3/5", 0.61, "differs"),
        (" −0.5 ", -0.5, "agrees"),
        ("1", 1.4, "agrees"),
    ],
)
def test_a_verdict_compares_to_the_printed_digits(printed, value, expected):
    assert verdict(printed, value) == expected


@cases("printed", ["", "high", "0.7.9", "1/0", "٣", "1e5", "nan", "9" * 400 + "/1"])
def test_a_text_that_is_not_a_number_is_refused(printed):
    with pytest.raises(RankscopeError, match="is not a number"):
        unit(printed)


def test_each_preset_orders_the_run_by_its_own_tie_rule():
    def values(scores):
        qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": scores})
        under = partial(HandRanking.from_run, qrels, run, "q")
        return {reading.name: reading.value for reading in presets(under, parse("RR"))}

    equal = values({"a": 1.0, "b": 1.0})
    assert (equal["trec_eval"], equal["MS MARCO"], equal["ranx"]) == (0.5, 1.0, 1.0)
    close = values({"a": 1.0 + 1e-12, "b": 1.0})
    assert (close["trec_eval"], close["trec_eval 9"]) == (1.0, 0.5)
