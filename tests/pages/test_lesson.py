"""A lesson on Inspect: what it hides is not sent, what it locks stays, and how it is revealed."""

import json
from itertools import combinations
from urllib.parse import parse_qsl, urlsplit

import pytest

from metrics.editing.edits import move
from metrics.editing.hand_ranking import HandRanking
from metrics.editing.ranking_link import pack as pack_ranking
from metrics.teaching.lesson import ALLOWED, SHOWN, Lesson, hiding, pack, unpack
from metrics.teaching.samples import catalogue
from tests.cases import cases
from tests.pages.conftest import (
    can_edit,
    drawn,
    list_of,
    opened,
    reopened,
    scores,
    sent,
    sentences,
    signs,
    tables_of,
)

LAPTOP = catalogue()["laptop"].load()
RANKING = HandRanking.from_run(LAPTOP.qrels, LAPTOP.runs[0], LAPTOP.qrels.queries[0])
LAST = RANKING.retrieved[-1].document
TASK = pack(Lesson("Order", "Look at the list.", "What is nDCG@5?", steps=True))

# Text that appears only in one part of the page.
SIGNS = {
    "data": "Data",
    "measure": "Measure",
    "convention": "Preset",
    "rules": "Preset",
    "editing": "Undo",
    "score": "DCG@3",
    "chart": "chart_running",
    "lines": "ledger_shown",
    "strip": "strip",
    "more": "Curves",
}


def shown(at):
    return {metric.label: metric.value for metric in scores(at)}


def said(at):
    return " ".join(each.value for each in [*at.markdown, *at.text, *at.caption, *at.warning])


def on_page(at):
    """Everything that a page sends to the browser, as one text."""
    return "".join(str(block.proto) for block in at._tree if hasattr(block, "proto"))


def drawn_rows(at):
    """The ranked rows of the page's list."""
    return json.loads(list_of(at).json)["ranked"]


def press(at, label):
    return next(button for button in at.button if button.label == label).click().run()


@cases("part", SIGNS)
def test_a_lesson_hides_a_part_and_keeps_its_values(part):
    at = opened(hide=part, k=3, measure="DCG", gain="exponential")
    assert not at.exception
    assert at.query_params["hide"] == part
    gone = {SIGNS[name] for name in hiding(Lesson(), [part]).hidden}
    assert SIGNS.keys() == SHOWN.keys() | ALLOWED.keys()
    assert signs(at) & set(SIGNS.values()) == set(SIGNS.values()) - gone
    assert part == "score" or shown(at)["DCG@3"] == "8.8928"


def test_a_lesson_hides_nothing_on_other_pages():
    at = opened(hide="measure-convention-data", task=TASK)
    assert "Measure" not in signs(at)
    for page in ("conventions", "learn", "practice"):
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception
    at.switch_page("pages/conventions.py").run()
    assert {"Data", "Measure"} <= signs(at)
    at.query_params.clear()
    at.switch_page("pages/inspect_query.py").run()
    assert "Measure" not in signs(at)
    assert at.query_params["task"] == TASK
    assert at.query_params["hide"] == "convention-data-measure"


def test_a_part_that_a_lesson_cannot_hide_is_reported():
    at = opened(hide="chart-walls")
    assert "hide = `walls`" in said(at)
    assert SIGNS["chart"] not in signs(at)


def test_a_lesson_that_cannot_be_read_is_reported_and_hides_what_it_says():
    at = opened(hide="score", task="1.broken!")
    assert "task = `1.broken!`" in said(at)
    assert "no lesson from Rankscope" in said(at)
    assert not scores(at)


EDITED = move(RANKING, LAST, 3)
LEDGER = EDITED.ledger("nDCG@5")
CONTRIBUTIONS = [
    f"{value:.4f}" for part in LEDGER.parts for value in part.table(RANKING.query)["contribution"]
]
TOTALS = [f"{float(part.scores[0]):.4f}" for part in LEDGER.parts]
SCORES = f"{float(LEDGER.scores[0]):.4f}", "0.9602"
# Whole numbers are not telling: they are grades as well.
EARNED = [number for number in CONTRIBUTIONS if not number.endswith(".0000")]


@cases("parts", [parts for size in range(len(SHOWN) + 1) for parts in combinations(SHOWN, size)])
def test_no_hidden_number_is_on_the_page_whatever_is_hidden(parts):
    locked = ALLOWED if "rules" in parts else ()
    at = opened(
        hide="-".join([*parts, *locked]), task=TASK, ranking=pack_ranking(EDITED), view="Curves"
    )
    assert not at.exception
    page, hidden = on_page(at), hiding(Lesson(), parts).hidden
    assert ("score" in hidden) == (SCORES[0] not in page)
    for number in (*SCORES, *TOTALS, "ends at") if "score" in hidden else ():
        assert number not in page
    for number in EARNED if "lines" in hidden else ():
        assert number not in page
    if "lines" in hidden:
        # Tables and pictures are not texts.
        assert not [*tables_of(at), *at.get("plotly_chart")]
        assert {(row["gain"], row["earned"], row["value"]) for row in drawn_rows(at)} == {
            (0.0, 0.0, "")
        }
    else:
        assert all(number in page for number in (*EARNED, *TOTALS))


def test_a_locked_list_stays_and_takes_no_edits():
    at = opened(hide="editing", view="What if")
    assert [row["id"] for row in drawn_rows(at)] == [e.document for e in RANKING.retrieved]
    assert not can_edit(at)
    assert not {"Undo", "Best first", "Make this swap"} & signs(at)
    assert "Tie ranks 1 and 2" not in signs(opened(hide="editing", view="Equal scores"))
    assert "ranking" not in at.query_params
    sent(at, {"do": "up", "id": LAST})
    assert "ranking" not in at.query_params
    assert shown(at)["nDCG@5"] == "0.9602"


def test_the_score_is_revealed_step_by_step_after_a_prediction():
    at = opened(task=TASK, hide="score-editing-data-measure-convention")
    assert at.title[0].value == "`Order`"
    assert "Look at the list." in said(at)
    assert "Write your prediction, then press Enter." in said(at)
    assert at.header[0].value == "`What is nDCG@5?`"
    press(at, "Reveal step 1 of 3: DCG@5")
    assert "**Write your prediction first.**" in said(at)
    assert "5.4662" not in on_page(at)
    at.text_input(key="said").set_value("high").run()
    assert "Noted: `high`. You can change it until you reveal DCG@5. A number" in said(at)
    # Neither 70 nor 7 can be the score: it is asked what is meant, and nothing is revealed.
    asked = {"70": "is 0.70 meant?", "7": "is 0.70 meant?", "700": "write a number up to 1."}
    for number, question in asked.items():
        at.text_input(key="said").set_value(number).run()
        assert f"nDCG@5 is at most 1: {question}" in said(at)
        assert "Noted" not in said(at)
        assert drawn(at, "score")["score"]["marks"] == []
        press(at, "Reveal step 1 of 3: DCG@5")
        assert "5.4662" not in on_page(at)
    at.text_input(key="said").set_value("0,9").run()
    assert at.query_params["said"] == "0,9"
    assert drawn(at, "score")["score"]["marks"] == [{"text": "you: 0.90", "at": 0.9}]
    assert "Noted: `0,9`. You can change it until you reveal DCG@5." in said(at)
    press(at, "Reveal step 1 of 3: DCG@5")
    # From here on the prediction stays, whatever the address says.
    assert [each.value for each in at.text_input if not each.disabled and each.key == "said"] == []
    assert [field.value for field in at.text_input if field.disabled] == ["0,9"]
    assert "5.4662" in on_page(at)
    (lines,) = drawn(at, "score_lines")["lines"]
    assert "".join(part["text"] for part in lines).startswith("DCG@5 = 3 ÷ log₂ 2 + 2 ÷ log₂ 3 + ")
    assert "Noted: `0,9`." in said(at)
    assert "until you reveal" not in said(at)
    assert "5.6925" not in on_page(at)
    # The rows earn the terms that the table shows; a bar that they fill would be the score.
    terms = RANKING.ledger("DCG@5").table(RANKING.query)["contribution"]
    bar = drawn(at, "score")["score"]
    assert bar["chunks"] == []
    assert [mark["text"] for mark in bar["marks"]] == ["you: 0.90"]
    assert [row["value"] for row in drawn_rows(at)] == [f"{t:.4f}" if t else "0" for t in terms]
    press(at, "Reveal step 2 of 3: ideal DCG@5")
    assert "5.6925" in on_page(at)
    assert "0.9602" not in on_page(at)
    # Each part of the score has a line.
    assert [line[:14] for line in sentences(at)[0].split("\n")] == [
        "DCG@5 = 3 ÷ lo",
        "ideal DCG@5 = ",
    ]
    # The number and its bar are for the last step.
    assert drawn(at, "score")["score"] == bar
    assert (bar["number"], bar["value"]) == (None, "nDCG@5 = ?")
    assert at.query_params["revealed"] == "ideal"
    # The address is enough to go on.
    at = opened(**at.query_params)
    press(at, "Reveal step 3 of 3: nDCG@5")
    assert "You said `0.90`; nDCG@5 is **0.9602**: **0.06 too low**." in said(at)
    assert shown(at)["nDCG@5"] == "0.9602"
    assert "Next, work one out:" in said(at)
    # Both are on one scale.
    both = {mark["text"]: mark["at"] for mark in drawn(at, "score")["score"]["marks"]}
    assert both == {"nDCG@5: 0.9602": pytest.approx(0.9602, abs=1e-4), "you: 0.90": 0.9}
    assert "chart_running" in signs(at)
    assert not can_edit(at)
    assert not {"Present", "Make a lesson"} & signs(at)
    assert "One query" not in said(at)


def test_a_measure_without_an_ideal_is_revealed_in_one_step():
    at = opened(task=TASK, hide="score", measure="AP", said="0.5", revealed="ideal")
    assert "0.8875" not in on_page(at)
    # A bar from 0 to 1 has a place for a prediction, also without an ideal.
    assert [mark["at"] for mark in drawn(at, "score")["score"]["marks"]] == [0.5]
    press(at, "Reveal AP@5")
    assert shown(at) == {"AP@5": "0.8875"}
    at = opened(task=TASK, hide="score", measure="DCG", said="0.5", revealed="dcg")
    assert drawn(at, "score")["score"]["marks"] == []


def test_only_the_teacher_s_link_reveals_where_students_may_not():
    task = pack(Lesson(question="What is nDCG@5?"))
    at = opened(task=task, hide="score", revealed="score", said="0.97")
    assert "Noted: `0.97`. Your teacher shows the score." in said(at)
    assert "0.9602" not in on_page(at)
    assert not [button for button in at.button if button.label.startswith("Reveal ")]
    # The teacher need not type the prediction again.
    at = opened(task=task)
    assert "said" not in [field.key for field in at.text_input]
    assert "nDCG@5 is **0.9602**." in said(at)
    at = opened(task=task, said="0.97")
    assert "You said `0.97`; nDCG@5 is **0.9602**: **0.01 too high**." in said(at)
    assert "Share" in on_page(at)


def test_the_texts_of_a_lesson_are_literal():
    mark = "![x](https://e.org/x.png) $x$ :red[x]"
    at = opened(task=pack(Lesson(*[mark] * 3)), said=mark)
    assert not at.exception
    assert mark in [each.value for each in at.text]
    assert at.title[0].value == at.header[0].value == f"`{mark}`"
    assert f"You said `{mark}`; nDCG@5 is **0.9602**." in said(at)


def links(at):
    """The parameters of both links of a lesson: the students' and the teacher's."""
    shown = [drawn(at, f"copy_{whose}")["link"] for whose in ("students", "teacher")]
    return [dict(parse_qsl(urlsplit(link).query)) for link in shown]


def field(at, kind, label):
    """A field of the dialog, by the first words of its label."""
    return next(each for each in getattr(at, kind) if each.label.startswith(label))


def test_the_links_hold_the_lesson_and_nothing_of_the_teacher_s_page():
    at = opened(back="shop|bm25|char_ngrams|q01", view="Curves", at="d1", k=3)
    assert "Back to Compare" in signs(at)
    press(at, "Make a lesson")
    press(at, "Make the links")
    students, teacher = links(at)
    assert students.keys() - {"hide"} == teacher.keys() == {"k", "task"}
    assert "A student who edits the link can see the score." in said(at)


def test_the_order_of_a_lesson_is_no_edit():
    link = {"task": TASK, "hide": "score-measure", "ranking": pack_ranking(EDITED)}
    at = opened(**link, said="0.9", revealed="score")
    score = drawn(at, "score")
    assert (score["score"]["value"], score["score"]["change"]) == (SCORES[0], "")
    assert not [line for line in sentences(at) if line.startswith("The last edit")]
    assert not [each for each in at.expander if "your edits" in each.label]
    verdict = f"You said `0.90`; nDCG@5 is **{SCORES[0]}**: "
    (before,) = [each.value for each in at.markdown if verdict in each.value]
    sent(at, {"do": "up", "id": LAST})
    assert drawn(at, "score")["score"]["change"]
    # What was predicted is the score before the edits.
    first = EDITED.retrieved[0].document
    sent(at, {"do": "down", "id": first})
    now = float(move(move(EDITED, LAST, 2), first, 2).ledger("nDCG@5").scores[0])
    assert f"{before} Now nDCG@5 is **{now:.4f}**." in said(at)


def test_a_prediction_is_of_the_list_before_the_first_reveal():
    at = opened(task=TASK, hide="score")
    assert "You can edit the list first." in said(at)
    at.text_input(key="said").set_value("0.9").run()
    assert "You can change it and the list until you reveal DCG@5." in said(at)
    sent(at, {"do": "up", "id": LAST})
    press(at, "Reveal step 1 of 3: DCG@5")
    assert "Later edits of the list do not count." in said(at)
    sent(at, {"do": "down", "id": LAST})
    press(at, "Reveal step 2 of 3: ideal DCG@5")
    press(at, "Reveal step 3 of 3: nDCG@5")
    at_first = float(move(RANKING, LAST, 4).ledger("nDCG@5").scores[0])
    assert f"nDCG@5 is **{at_first:.4f}**: " in said(at)
    assert "Now nDCG@5 is **0.9602**." in said(at)


def test_a_lesson_begins_with_its_own_order_whatever_was_edited_before():
    edited = sent(opened(), {"do": "up", "id": LAST})
    link = {"task": TASK, "hide": "score-measure"}
    order = [entry.document for entry in RANKING.retrieved]
    at = reopened(edited, "inspect_query", **link)
    assert [row["id"] for row in drawn_rows(at)] == order
    assert "ranking" not in at.query_params
    # What its student edits stays, also when the page is loaded again.
    sent(at, {"do": "up", "id": LAST})
    moved = [row["id"] for row in drawn_rows(at)]
    assert moved != order
    assert [
        row["id"] for row in drawn_rows(reopened(at, "inspect_query", **at.query_params))
    ] == moved


def test_a_lesson_on_typed_lists_brings_the_words_of_its_query():
    at = opened("data", typed="two")
    at.text_input(key="typed_query").set_value("things to do in Tromsø").run()
    press(at, "Compare them")
    at.query_params.clear()
    at.switch_page("pages/inspect_query.py").run()
    press(at, "Make a lesson")
    press(at, "Make the links")
    student = opened(**links(at)[0])
    assert not student.exception
    assert student.title[0].value == "`things to do in Tromsø`"


def test_a_lesson_on_own_data_says_nothing_of_the_teacher_s_upload():
    packed, task = pack_ranking(EDITED), pack(Lesson(question="What is nDCG@5?"))
    at = opened(example="yours", ranking=packed, task=task, hide="score", run="mine")
    assert not at.exception
    assert at.header[0].value == "`What is nDCG@5?`"
    assert not at.info
    # Without a lesson it matters that only the ranking is there.
    assert "another session" in opened(example="yours", ranking=packed, run="mine").info[0].value


def test_the_teacher_writes_a_lesson():
    at = opened(ranking=pack_ranking(EDITED), k=3, said="0.5", revealed="score")
    press(at, "Make a lesson")
    # The links are made of the fields, so they are never beside fields that can change.
    assert drawn(at, "copy_students") is None
    press(at, "Make the links")
    assert "Make the links" not in signs(at)
    students, teacher = links(at)
    hidden = {*SHOWN, *ALLOWED} - {"rules"}
    assert students.pop("hide") == "-".join(sorted(hidden))
    assert (
        students
        == teacher
        == {
            "ranking": pack_ranking(EDITED),
            "k": "3",
            "task": pack(Lesson(question="What is the score of this ranking?", steps=True)),
        }
    )
    press(at, "Change the lesson")
    assert drawn(at, "copy_students") is None
    field(at, "text_area", "Instructions").set_value(" Look\nat it. ")
    field(at, "radio", "Score").set_value("link")
    field(at, "button_group", "Students can").set_value(["editing"])
    press(at, "Make the links")
    students, teacher = links(at)
    assert students["hide"] == "-".join(sorted(hidden - {"editing"}))
    assert unpack(teacher["task"]).prompt == "Look at it."
    assert not unpack(teacher["task"]).steps
    press(at, "Change the lesson")
    assert field(at, "text_area", "Instructions").value == "Look at it."
    assert field(at, "radio", "Score").value == "link"
    assert field(at, "button_group", "Students can").value == ["editing"]
    # Who opens the teacher's link can go on with it.
    at = opened(**teacher)
    assert "Look at it." in said(at)
    press(at, "Make a lesson")
    press(at, "Make the links")
    assert unpack(links(at)[0]["task"]).prompt == "Look at it."


def test_a_query_of_a_comparison_is_presented_and_the_choices_stay():
    at = opened("compare_runs", q="q10", k=3)
    press(at, "Present")
    assert at.query_params["present"] == "verdict"
    assert {"query_bars", "Leave"} <= signs(at)
    assert "two_lists" not in signs(at)
    press(at, "Next")
    assert at.query_params["present"] == "movement"
    assert {"two_lists", "Leave"} <= signs(at)
    assert "query_bars" not in signs(at)
    press(at, "Leave")
    assert at.selectbox(key="q").value == "q10"
    assert at.number_input(key="k").value == 3


def test_a_presentation_shows_one_panel_and_nothing_that_is_hidden():
    at = opened(hide="score", task=TASK, present="list", k=3)
    assert {"Previous", "Next", "Leave", "browser"} <= signs(at)
    # The list can be moved, and its bar is beside it, unless the lesson hides that.
    assert can_edit(at)
    assert not {"Data", "Measure", "Present", "Reorder"} & signs(at)
    assert "Ranking, 1 of 1" in said(at)
    assert at.header[0].value == "`What is nDCG@5?`"
    assert "0.9602" not in on_page(at)
    assert not can_edit(opened(hide="score-editing", task=TASK, present="list"))
    at = opened(present="walls")
    assert "present = `walls`" in said(at)
    assert "Measure" in signs(at)
    at = opened(present="score")
    assert shown(at)["nDCG@5"] == "0.9602"
    sent(at, {"do": "move", "id": LAST, "value": 3})
    assert shown(at)["nDCG@5"] == SCORES[0]
    assert at.query_params["ranking"] == pack_ranking(EDITED)
    # Each ledger had a panel of its own, which a link still names.
    at = opened(present="ledger", ranking=pack_ranking(EDITED))
    assert "Ledgers, 2 of 4" in said(at)
    assert len(drawn(at, "ledger_shown")["tables"]) == 2
    press(at, "Next")
    assert at.query_params["present"] == "chart"
    assert "chart_running" in signs(at)
    press(at, "Leave")
    assert "present" not in at.query_params
    assert {"Data", "Measure", "Present", "Undo"} <= signs(at)
    assert shown(at)["nDCG@5"] == SCORES[0]


@cases(("hide", "is_said"), [("", True), ("chart", False)])
def test_other_pages_are_no_matter_of_a_student(hide, is_said):
    at = opened(hide=hide, ranking=pack_ranking(EDITED))
    assert ("Your order stays on this page" in said(at)) == is_said
    assert bool(json.loads(list_of(at).json)["own"]) == is_said
