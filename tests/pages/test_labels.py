"""The tab Labels: the fewest judgments that turn the winner, and those that weigh most."""

import json

import pytest

from metrics import compare, decisive_labels
from metrics.editing.changed_grades import with_grades
from metrics.rendering.text import number, signed
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.pages.conftest import drawn, opened, pressed, tables_of, texts

SHOP = catalogue()["shop"].load()


def tab(**parameters):
    at = opened("compare_runs", data="shop", look="Labels", **parameters)
    assert not at.exception
    return at


@cases(("steps", "most"), [("one", 1), ("any", None)])
@cases("measure", ["RR", "AP"])
def test_the_labels_that_turn_the_winner_are_listed_and_do(measure, steps, most):
    at = tab(measure=measure, k=0, steps=steps)
    found = decisive_labels(compare(SHOP.qrels, *SHOP.runs, [measure]), measure, steps=most)
    frame = next(each for each in tables_of(at) if "mean change" in each)
    assert frame["document"].tolist() == [each.document for each in found.changes]
    least = f"**It takes at least {len(found.changes)} of 327 labels, changed"
    assert any(least in said for said in texts(at))
    # The listed changes, made: the other run is ahead.
    changed = {
        query: {document: float(grade.split(" → ")[1])}
        for query, document, grade in zip(
            frame.index, frame["document"], frame["grade"], strict=True
        )
    }
    after = compare(with_grades(SHOP.qrels, changed), *SHOP.runs, [measure]).summary(measure)
    assert after.delta == pytest.approx(found.delta_after)
    assert after.delta * found.delta < 0
    total = signed(after.delta - found.delta)
    assert f"Their mean changes sum to {total}." in texts(at)


def test_a_pressed_label_is_the_picked_document_of_its_query_with_what_it_changes():
    at = tab(measure="AP", k=0)
    frame = next(each for each in tables_of(at) if "mean change" in each)
    at = pressed(at, "mean change", row=3)
    assert not at.exception
    row, shown = frame.iloc[3], drawn(at, "two_lists")
    assert (shown["query"], shown["picked"]) == (frame.index[3], row["document"])
    before, after = (signed(row[name]) for name in ("delta", "delta after"))
    grades = row["grade"].replace(" ", "\u00a0")
    said = f" with grade {grades}: delta {before}\u00a0→\u00a0{after}."
    assert shown["sentence"] == [["document", row["document"]], ["", said]]
    # What is drawn is the query with that grade: both scores, the grade, and bars that sum.
    was, grade = row["grade"].split(" → ")
    assert shown["was"] == was
    lines = [each for side in shown["lists"]["sides"] for each in side]
    assert {each["grade"] for each in lines if each["id"] == row["document"]} == {grade}
    graded = with_grades(SHOP.qrels, {shown["query"]: {row["document"]: float(grade)}})
    scores = [
        compare(qrels, *SHOP.runs, "AP").per_query("AP").loc[shown["query"]]
        for qrels in (SHOP.qrels, graded)
    ]
    for side, place in (("A", 2), ("B", 4)):
        ends = [number(each[side]) for each in scores]
        assert shown["scores"][place][1].strip(" ,") == " → ".join(ends)
    assert shown["bars"][-1]["to"] == pytest.approx(scores[1]["delta"])
    # A link says it, too.
    assert (
        drawn(opened("compare_runs", **at.query_params), "two_lists")["sentence"]
        == shown["sentence"]
    )
    # The label's row is marked, and it alone.
    tables = [json.loads(each.proto.json) for each in at.get("bidi_component")]
    marks = [each["picked"] for each in tables if "mean change" in each.get("columns", [])]
    assert marks[0] == 3
    assert marks[1:] == [None] * (len(marks) - 1)


def test_no_label_decides_where_none_can():
    at = tab(measure="nDCG", k=0)
    assert any("stays ahead, whichever of 327 labels change by one grade" in t for t in texts(at))
    same = tab(measure="RR", a="bm25", b="bm25")
    assert "Neither run leads in RR@10, so no label decides." in texts(same)


def test_measures_of_aspects_say_why_there_is_no_answer():
    at = opened("compare_runs", data="ambiguous", look="Labels")
    assert not at.exception
    assert any("aspects" in each.value for each in at.info)
