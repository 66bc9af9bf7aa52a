"""Hand edits are pure: a new ranking or an error, and the old one is as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import EditError, evaluate
from metrics.edits import HandRanking, add, move, remove, set_grade
from metrics.samples import catalogue

RANKING = HandRanking.of("q", {"a": 3, "b": 0, "z": 2}, ["a", "b", "c"])


def documents(ranking):
    return [e.document for e in ranking.retrieved], [e.document for e in ranking.unretrieved]


def test_moving():
    assert documents(move(RANKING, "c", 1)) == (["c", "a", "b"], ["z"])
    assert documents(move(RANKING, "a", 99)) == (["b", "c", "a"], ["z"])
    assert documents(move(RANKING, "z", 2)) == (["a", "z", "b", "c"], [])
    assert documents(move(RANKING, "a", None)) == (["b", "c"], ["a", "z"])


def test_grading_adding_removing():
    assert set_grade(RANKING, "c", 1.5).retrieved[2].grade == 1.5
    assert set_grade(RANKING, "a", None).retrieved[0].grade is None
    assert documents(add(RANKING, " d\n", 1))[0] == ["a", "b", "c", "d"]
    assert documents(remove(RANKING, "z")) == (["a", "b", "c"], [])


@pytest.mark.parametrize(
    ("edit", "why"),
    [
        (lambda: move(RANKING, "a", 0), "whole numbers from 1"),
        (lambda: move(RANKING, "a", 2.5), "whole numbers from 1"),
        (lambda: move(RANKING, "a", True), "whole numbers from 1"),
        (lambda: set_grade(RANKING, "a", "3"), "grade is a number"),
        (lambda: move(RANKING, "nobody", 1), "not in the ranking"),
        (lambda: move(RANKING, "c", None), "give it a grade first"),
        (lambda: set_grade(RANKING, "a", float("nan")), "grade is a number"),
        (lambda: set_grade(RANKING, "a", 1e9), "grade is a number"),
        (lambda: set_grade(RANKING, "z", None), "remove it instead"),
        (lambda: add(RANKING, "a", 1), "already there"),
        (lambda: add(RANKING, "  ", 1), "needs an id"),
        (lambda: add(RANKING, "x" * 501, 1), "needs an id"),
        (lambda: add(RANKING, "new", float("inf")), "grade is a number"),
    ],
)
def test_impossible_edits_say_why(edit, why):
    with pytest.raises(EditError, match=why):
        edit()


@given(st.permutations(["a", "b", "c"]), st.integers(1, 5))
def test_moving_keeps_every_document(order, rank):
    ranking = RANKING
    for document in order:
        ranking = move(ranking, document, rank)
    assert sorted(documents(ranking)[0]) == ["a", "b", "c"]


def test_an_edited_ranking_scores_as_its_run_did():
    dataset = catalogue()["shop"].load()
    run = dataset.runs[0]
    scores = evaluate(dataset.qrels, run, ["nDCG@10", "AP"])
    for query in scores.judged.queries:
        ranking = HandRanking.from_run(dataset.qrels, run, query)
        again = evaluate(ranking.qrels, ranking.run, ["nDCG@10", "AP"])
        assert again.value("nDCG@10") == scores.value("nDCG@10", query)
        assert again.value("AP") == scores.value("AP", query)
