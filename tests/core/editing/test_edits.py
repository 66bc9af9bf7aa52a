"""Edits are pure: they return a new ranking or raise an error, and the old one is unchanged."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Convention, EditError, Qrels, Run, evaluate
from metrics.editing import history
from metrics.editing.edits import (
    add,
    backwards,
    best_first,
    move,
    remove,
    set_grade,
    shuffled,
    step,
    step_grade,
    swap,
    toggle_tie,
)
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.history import LONGEST, History
from metrics.teaching.samples import catalogue
from tests.cases import cases

RANKING = HandRanking.of("q", {"a": 3, "b": 0, "z": 2}, ["a", "b", "c"])


def documents(ranking):
    return [e.document for e in ranking.retrieved], [e.document for e in ranking.unretrieved]


def test_a_document_moves_to_a_rank_or_out_of_the_ranking():
    assert documents(move(RANKING, "c", 1)) == (["c", "a", "b"], ["z"])
    assert documents(move(RANKING, "a", 99)) == (["b", "c", "a"], ["z"])
    assert documents(move(RANKING, "z", 2)) == (["a", "z", "b", "c"], [])
    assert documents(move(RANKING, "a", None)) == (["b", "c"], ["a", "z"])


def test_grading_adding_removing():
    assert set_grade(RANKING, "c", 1.5).retrieved[2].grade == 1.5
    assert set_grade(RANKING, "a", None).retrieved[0].grade is None
    assert documents(add(RANKING, " d\n", 1))[0] == ["a", "b", "c", "d"]
    assert documents(remove(RANKING, "z")) == (["a", "b", "c"], [])


@cases(
    ("edit", "why"),
    [
        (lambda: move(RANKING, "a", 0), "whole number, 1 or more"),
        (lambda: move(RANKING, "a", 2.5), "whole number, 1 or more"),
        (lambda: move(RANKING, "a", True), "whole number, 1 or more"),
        (lambda: set_grade(RANKING, "a", "3"), "grade is a number"),
        (lambda: move(RANKING, "nobody", 1), "not in the ranking"),
        (lambda: move(RANKING, "c", None), "needs a grade; remove it"),
        (lambda: set_grade(RANKING, "a", float("nan")), "grade is a number"),
        (lambda: set_grade(RANKING, "a", 1e9), "grade is a number"),
        (lambda: set_grade(RANKING, "z", None), "remove it instead"),
        (lambda: add(RANKING, "a", 1), "already there"),
        (lambda: add(RANKING, "  ", 1), "needs an id"),
        (lambda: add(RANKING, "x" * 501, 1), "needs an id"),
        (lambda: add(RANKING, "new", float("inf")), "grade is a number"),
    ],
)
def test_impossible_edits_name_the_reason(edit, why):
    with pytest.raises(EditError, match=why):
        edit()


def test_steps():
    assert documents(step(RANKING, "b", -1)) == (["b", "a", "c"], ["z"])
    assert step(RANKING, "a", -1) == RANKING
    assert documents(step(RANKING, "b", 1)) == (["a", "c", "b"], ["z"])
    assert documents(step(RANKING, "z", -1)) == (["a", "b", "c", "z"], [])
    assert step(RANKING, "z", 1) == RANKING
    last = move(RANKING, "b", 3)
    assert documents(step(last, "b", 1)) == (["a", "c"], ["b", "z"])
    assert [step_grade(RANKING, "a", by).retrieved[0].grade for by in (1, -1)] == [4, 2]
    assert step_grade(RANKING, "b", -1).retrieved[1].grade is None
    assert step_grade(RANKING, "c", 1).retrieved[2].grade == 0
    assert step_grade(RANKING, "c", -1) == RANKING
    zero = set_grade(RANKING, "z", 0)
    assert step_grade(zero, "z", -1) == zero
    half = set_grade(RANKING, "a", 0.5)
    assert step_grade(half, "a", -1).retrieved[0].grade == 0


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


def tied(*groups):
    """A ranking of unjudged documents; each text is a group of ties."""
    entries = [Entry(d, None, tied=i > 0) for group in groups for i, d in enumerate(group)]
    return HandRanking("q", tuple(entries))


def test_equal_scores_are_made_moved_into_and_left():
    assert toggle_tie(tied("a", "b", "c"), "b") == tied("ab", "c")
    assert toggle_tie(tied("ab", "c"), "c") == tied("abc")
    assert toggle_tie(tied("abc"), "b") == tied("a", "bc")
    assert move(tied("ab", "c"), "c", 2) == tied("acb")
    assert move(tied("ab", "c"), "c", 1) == tied("c", "ab")
    assert move(tied("ab", "c"), "a", 3) == tied("b", "c", "a")
    assert move(tied("ab", "c"), "b", 2) == tied("ab", "c")
    assert remove(tied("abc"), "a") == tied("bc")
    assert remove(tied("abc"), "b") == tied("ac")
    assert swap(tied("ab", "c"), 1, 3) == tied("cb", "a")
    assert tied("ab", "c").ranks == (1, 1, 3)
    assert tied("ab", "cd").run.to_dict() == {"q": {"a": 4.0, "b": 4.0, "c": 2.0, "d": 2.0}}


@cases(
    ("build", "why"),
    [
        (lambda: toggle_tie(RANKING, "a"), "no document above"),
        (lambda: toggle_tie(RANKING, "z"), "no document above"),
        (lambda: HandRanking("q", (Entry("a", 1), Entry("a", 2))), "already there"),
        (lambda: HandRanking("q", (Entry("a", 1),), (Entry("a", 2),)), "already there"),
        (lambda: HandRanking("q", (Entry("a", True),)), "grade is a number"),
        (lambda: HandRanking("q", (), (Entry("a", None),)), "needs a grade"),
        (lambda: HandRanking("q", (), title="x" * 201), "at most 200 characters"),
        (lambda: HandRanking("q", (), title="a\nb"), "one line"),
    ],
)
def test_a_ranking_that_cannot_be_is_refused(build, why):
    with pytest.raises(EditError, match=why):
        build()


def test_whole_orders():
    graded = HandRanking(
        "q", tuple(Entry(d, g) for d, g in zip("abcd", [0, 3, None, 1], strict=True))
    )
    assert documents(best_first(graded))[0] == ["b", "d", "a", "c"]
    assert documents(backwards(graded))[0] == ["d", "c", "b", "a"]
    assert backwards(tied("ab")) == tied("b", "a")
    assert sorted(documents(shuffled(graded, 1))[0]) == ["a", "b", "c", "d"]
    assert len({tuple(documents(shuffled(graded, seed))[0]) for seed in range(20)}) > 5


def test_ties_of_a_run_are_kept():
    qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1, "b": 1, "c": 2}})
    ranking = HandRanking.from_run(qrels, run, "q")
    assert [(e.document, e.tied) for e in ranking.retrieved] == [
        ("c", False),
        ("b", False),
        ("a", True),
    ]
    single = Convention(scores="single", ties="ascending")
    close = Run.from_dict({"q": {"a": 1.0, "b": 1.0 + 1e-12}})
    assert HandRanking.from_run(qrels, close, "q", single).ranks == (1, 1)
    assert HandRanking.from_run(qrels, close, "q").ranks == (1, 2)


def test_a_ranking_of_other_documents_replaces_the_original():
    history = History(RANKING, RANKING)
    assert not history.replaced
    assert not history.then(HandRanking("q", (Entry("a", 1),))).replaced
    assert history.then(HandRanking("q", (Entry("new", 1),))).replaced
    assert not history.then(HandRanking("q", ())).replaced


def test_a_title_is_kept_by_edits_and_undone_with_its_list():
    history = History(RANKING, RANKING).then(replace(RANKING, title="Mine"))
    tied = toggle_tie(move(history.present, "c", 1), "a")
    assert tied.evaluated(Convention()).title == "Mine"
    assert history.undo().present == history.reset().present == RANKING
    assert history.undo().redo().present.title == "Mine"


def test_undo_and_redo():
    history = History(RANKING, RANKING)
    assert history.undo() == history.redo() == history.then(RANKING) == history
    first, second = move(RANKING, "c", 1), remove(RANKING, "b")
    edited = history.then(first).then(second)
    assert edited.undo().present == first
    assert edited.undo().undo().present == edited.undo().undo().undo().present == RANKING
    assert edited.undo().undo().redo().redo() == edited
    assert edited.undo().then(RANKING).redo().present == RANKING
    long = history
    for number in range(LONGEST + 5):
        long = long.then(HandRanking("q", (Entry(str(number), 1),)))
    assert len(long.past) == LONGEST
    assert long.original == RANKING


def test_undo_has_a_limit_of_documents_and_always_the_last_step(monkeypatch):
    monkeypatch.setattr(history, "MOST_ENTRIES", 10)
    steps = [RANKING, *(add(RANKING, f"new{number}", 1) for number in range(5))]
    edited = History(RANKING, RANKING)
    for ranking in steps[1:]:
        edited = edited.then(ranking)
    size = len(steps[1].entries)
    assert edited.past == tuple(steps[5 - 10 // size : 5])
    monkeypatch.setattr(history, "MOST_ENTRIES", 1)
    assert edited.then(RANKING).past == (steps[5],)
