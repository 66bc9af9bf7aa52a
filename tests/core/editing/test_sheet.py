"""A judge's sheet: judgments with who gave them, apart from any ranking."""

import pytest

from metrics import Qrels
from metrics.editing.changed_grades import agreed, changed_in, with_loaded_grades
from metrics.editing.edits import backwards, set_grade, step_grade
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.sheet import SHEET, sheet, sheets, signatures, with_judgments
from metrics.editing.signature import LONGEST_NAME, LONGEST_NOTE, Signature
from metrics.errors import EditError
from tests.cases import cases

QRELS = Qrels.from_dict({"q": {"a": 1, "b": 0}})
SHEET_OF_Q = Origin(QRELS.digest, SHEET, "q")
ADA = Signature("Ada", "2026-11-25T09:30:00Z", "names the model")
LATER = Signature("Ada", "2026-11-25T09:31:00Z", "names the model")


def begun():
    return History(sheet(QRELS, "q"), sheet(QRELS, "q"))


def kept(history, **others):
    return {SHEET_OF_Q: history} | {Origin(QRELS.digest, k, "q"): v for k, v in others.items()}


def test_a_document_without_a_grade_can_be_said_to_have_none():
    history = begun().then(
        with_judgments(sheet(QRELS, "q"), {"a": (None, ADA), "new": (None, ADA)})
    )
    assert changed_in(kept(history), QRELS.digest) == {"q": {"a": None}}
    assert [(each.document, each.grade) for each in history.present.signed] == [
        ("a", None),
        ("new", None),
    ]
    said = signatures(sheets(kept(history), QRELS.digest))
    assert [*said] == [("q", "a"), ("q", "new")]
    assert said["q", "new"].note == "names the model"


def test_a_sheet_that_shares_no_document_with_the_qrels_still_counts():
    empty = Qrels.from_dict({"q": {}})
    before = History(sheet(empty, "q"), sheet(empty, "q"))
    after = before.then(with_judgments(before.present, {"x": (2, ADA)}))
    after = after.then(with_judgments(after.present, {"y": (1, ADA)}))
    of = {Origin(empty.digest, SHEET, "q"): after}
    assert changed_in(of, empty.digest) == {"q": {"x": 2, "y": 1}}


def test_the_same_judgment_again_is_no_step_and_keeps_its_time():
    history = begun().then(with_judgments(sheet(QRELS, "q"), {"a": (2, ADA)}))
    assert history.then(with_judgments(history.present, {"a": (2, LATER)})) is history
    other = Signature("Bob", LATER.time, ADA.note)
    for said in ((1, LATER), (2, other), (2, Signature("Ada", LATER.time, "other"))):
        assert history.then(with_judgments(history.present, {"a": said})) is not history


def test_a_grade_that_is_changed_elsewhere_is_signed_no_more():
    of_run = HandRanking.of("q", {"a": 1, "b": 0}, ["b", "a", "c"])
    lists = kept(begun(), run=History(of_run, of_run))
    judged = begun().then(with_judgments(sheet(QRELS, "q"), {"a": (3, ADA), "c": (2, ADA)}))
    lists |= agreed(lists, SHEET_OF_Q, judged)
    origin = Origin(QRELS.digest, "run", "q")
    assert lists[origin].present.grades == {"b": 0, "a": 3, "c": 2}
    assert {*signatures(sheets(lists, QRELS.digest))} == {("q", "a"), ("q", "c")}
    changed = lists[origin].then(set_grade(lists[origin].present, "a", 1))
    lists |= agreed(lists, origin, changed)
    assert [*signatures(sheets(lists, QRELS.digest))] == [("q", "c")]
    back = with_loaded_grades(lists, QRELS.digest)
    assert changed_in(lists | back, QRELS.digest) == {}
    assert signatures(sheets(lists | back, QRELS.digest)) == {}


def in_list(lists, edit, by):
    """Return the histories after an edit or a step in the list of a run."""
    origin = Origin(QRELS.digest, "run", "q")
    return lists | agreed(lists, origin, edit(lists[origin]), by)


def signers(lists):
    of = sheets(lists, QRELS.digest)
    return {
        document: (of[query].grades.get(document), signed.judge)
        for (query, document), signed in signatures(of).items()
    }


def test_a_grade_given_in_a_list_is_signed_and_its_undo_gives_back_who_signed_before():
    of_run = HandRanking.of("q", {"a": 1, "b": 0}, ["b", "a", "c"])
    lists = {Origin(QRELS.digest, "run", "q"): History(of_run, of_run)}
    graded = in_list(lists, lambda list_: list_.then(set_grade(list_.present, "c", 2)), ADA)
    assert signers(graded) == {"c": (2, "Ada")}
    bob = Signature("Bob", LATER.time)
    again = in_list(graded, lambda list_: list_.then(set_grade(list_.present, "c", 3)), bob)
    assert signers(again) == {"c": (3, "Bob")}
    undone = in_list(again, History.undo, bob)
    assert signers(undone) == {"c": (2, "Ada")}
    assert signers(in_list(undone, History.redo, bob)) == {"c": (3, "Bob")}
    # A loaded grade is nobody's, and a judgment that is removed has none.
    assert signers(in_list(undone, History.undo, bob)) == {}
    removed = in_list(again, lambda list_: list_.then(set_grade(list_.present, "a", None)), bob)
    assert signers(removed) == {"c": (3, "Bob")}
    assert changed_in(removed, QRELS.digest) == {"q": {"a": None, "c": 3}}


def test_the_undo_of_a_list_takes_back_nothing_else_of_a_sheets_last_step():
    of_run = HandRanking.of("q", {"a": 1, "b": 0}, ["b", "a", "c"])
    lists = kept(begun(), run=History(of_run, of_run))
    said = {"a": (3, ADA), "new": (None, ADA)}
    lists |= agreed(lists, SHEET_OF_Q, begun().then(with_judgments(sheet(QRELS, "q"), said)))
    back = in_list(lists, lambda list_: list_.then(set_grade(list_.present, "a", 1)), ADA)
    assert signers(back) == {"new": (None, "Ada")}


def test_the_order_of_a_list_begins_no_sheet():
    of_run = HandRanking.of("q", {"a": 1, "b": 0}, ["b", "a", "c"])
    lists = {Origin(QRELS.digest, "run", "q"): History(of_run, of_run)}
    moved = in_list(lists, lambda list_: list_.then(backwards(list_.present)), ADA)
    assert sheets(moved, QRELS.digest) == {}


def test_an_edit_of_a_grade_removes_its_signature_and_one_that_changes_nothing_does_not():
    ranking = HandRanking("q", (Entry("a", 2, signed=ADA),))
    assert set_grade(ranking, "a", 2) == ranking
    assert step_grade(ranking, "a", 1).retrieved == (Entry("a", 3),)
    assert ranking.with_grades({"a": 2}) == ranking


@cases(
    ("arguments", "words"),
    [
        (("x" * (LONGEST_NAME + 1), ADA.time), "one line of at most"),
        (("two\nlines", ADA.time), "one line of at most"),
        (("Ada", ADA.time, "x" * (LONGEST_NOTE + 1)), "A note has at most"),
        (("Ada", "yesterday"), "A time looks like"),
        (("Ada", "2026-13-25T09:30:00Z"), "A time looks like"),
    ],
)
def test_a_signature_that_cannot_be_is_refused(arguments, words):
    with pytest.raises(EditError, match=words):
        Signature(*arguments)


def test_a_signature_of_now_has_the_form_of_all():
    now = Signature.now("Ada", "why")
    assert Signature("Ada", now.time, "why") == now


def test_an_impossible_grade_is_refused():
    with pytest.raises(EditError, match="a grade is a number"):
        with_judgments(sheet(QRELS, "q"), {"a": (float("nan"), ADA)})
