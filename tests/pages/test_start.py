"""Start: the front with its list and its doors, and the eight scenes of the story."""

import json

from metrics.teaching.exercises import Number
from metrics.teaching.story import Touch, scenes
from tests.cases import cases
from tests.pages.conftest import drawn, list_of, opened, scores, sent


def button(at, label):
    return next(button for button in at.button if button.label == label)


def shown(at):
    return " ".join(text.value for text in at.markdown)


def listed(at):
    """The documents of the list on the page, and the rest of its data."""
    data = json.loads(list_of(at).json)
    return [row["id"] for row in data["ranked"]], data


def test_the_front_is_a_list_whose_score_moves_with_it():
    at = opened("start")
    assert not at.exception
    assert at.title[0].value == "Why is this ranking 96 % perfect?"
    assert (scores(at)[0].label, scores(at)[0].value) == ("nDCG@5 in trec_eval", "0.96")
    documents, data = listed(at)
    assert [row["value"] for row in data["ranked"]] == ["3.00", "1.26", "0", "0.43", "0.77"]
    assert (drawn(at, "score")["score"]["earned"], data["plays"]["rank"]) == ("≈ 5.47 of 5.69", 3)
    last = documents[-1]
    assert data["plays"]["id"] == last
    at = sent(at, {"do": "move", "id": last, "value": 3})
    assert not at.exception
    assert listed(at)[0] == [*documents[:2], last, *documents[2:4]]
    assert (scores(at)[0].value, scores(at)[0].delta) == ("0.99", "+0.03")
    assert (
        drawn(at, "score")["score"]["lost"]
        == "MacBook Pro for Developers, rank 5 → 3: +0.23, with the others +0.18 in DCG; "
        "0.04 of 5.69 lost"
    )
    # Only Inspect grades a document, ties it or takes it out.
    for event in ({"do": "grade", "value": 3}, {"do": "tie"}, {"do": "move", "value": None}):
        at = sent(at, {**event, "id": last})
        assert listed(at)[0].index(last) == 2
        assert scores(at)[0].value == "0.99"
    at = sent(at, {"do": "undo"})
    assert listed(at)[0] == documents
    assert scores(at)[0].delta == ""
    # The list of Inspect is another one.
    sent(at, {"do": "up", "id": last})
    at.switch_page("pages/inspect_query.py").run()
    assert scores(at)[0].value == "0.9602"


def test_the_picture_of_the_tools_says_that_its_list_is_another():
    at = opened("start")
    many = next(card for card in drawn(at, "ways") if card["title"] == "One ranking, many numbers")
    assert many["about"].startswith("nDCG@6 of another list. ")
    assert many["line"][0]["name"] == "trec_eval 0.79"


def test_doors_lead_to_the_story_and_to_the_pages():
    at = opened("start")
    button(at, "Find out in 8 steps · 4 minutes").click().run()
    assert at.title[0].value == "1 of 8: the grade"
    assert at.query_params["scene"] == "1"
    button(at, "Previous").click().run()
    assert "scene" not in at.query_params
    doors = {
        "Type one list": "data",
        "Type two lists": "data",
        "Open your files": "data",
    }
    for door, page in doors.items():
        button(at, door).click()
        at.switch_page(f"pages/{page}.py").run()
        assert not at.exception
        at.switch_page("pages/start.py").run()


@cases("number", range(1, len(scenes()) + 1))
def test_a_link_opens_a_scene_which_checks_every_answer(number):
    at, scene = opened("start", scene=number), scenes()[number - 1]
    assert at.title[0].value == f"{number} of 8: the {scene.title.lower()}"
    assert scene.sentences in shown(at)
    assert "Right:" not in shown(at)
    if isinstance(scene.blank, Number):
        answers, field = [scene.blank.key, "0"], at.text_input[0]
    else:
        answers, field = list(scene.blank.replies), at.radio[0]
    for answer in answers:
        field.set_value(answer).run()
        assert not at.exception
        reply = scene.check(answer)
        assert f"**{reply.sign}** {reply.text}" in shown(at)


def test_a_field_for_a_number_explains_what_it_cannot_read():
    at = opened("start", scene=4)
    # What the sum lacks to the ideal is the next scene's.
    assert drawn(at, "score")["score"]["lost"] == ""
    at.text_input[0].set_value("one and a half").run()
    assert not at.exception
    assert "`'one and a half'" in shown(at)


def test_the_control_of_each_scene_changes_the_list_or_its_bars():
    for number, scene in enumerate(scenes(), 1):
        at = opened("start", scene=number)
        before = shown(at), listed(at)[1]
        # The story has one number and its bar in each scene.
        assert len({score.value for score in scores(at)}) == 1
        if isinstance(scene.control, Touch):
            at = sent(at, {"do": "move", "id": listed(at)[0][-1], "value": 2})
            other = at.session_state[f"_moved_scene_{number}"][0].present
        elif at.slider:
            other = int(at.slider[0].max if at.slider[0].value == at.slider[0].min else 2)
            at.slider[0].set_value(other).run()
        else:
            other = list(scene.control.options)[1]
            at.segmented_control(key=f"scene_{number}_control").set_value(other).run()
        assert not at.exception
        assert scene.view(other).sentence in shown(at) != before[0]
        assert listed(at)[1] | {"applied": None} != before[1] | {"applied": None}


def test_the_rail_opens_every_scene():
    at = opened("start", scene=2)
    at.segmented_control(key="rail").set_value(5).run()
    assert at.title[0].value == "5 of 8: the ideal"
    assert at.query_params["scene"] == "5"


def test_the_closing_card_counts_what_was_right_at_first_try():
    at = opened("start", scene=1)
    right = next(iter(scenes()[0].blank.right))
    wrong = next(each for each in scenes()[0].blank.replies if each != right)
    for answer in (wrong, right):
        at.radio[0].set_value(answer).run()
    button(at, "Next").click().run()
    at.radio[0].set_value(next(iter(scenes()[1].blank.right))).run()
    at.segmented_control(key="rail").set_value(8).run()
    button(at, "See the answer").click().run()
    assert at.query_params["scene"] == "end"
    rail = at.segmented_control(key="rail").options
    assert [at for at, title in enumerate(rail, 1) if "✓" in title] == [2]
    assert "You answered **2 of 8**, and predicted **1** right at the first try." in shown(at)


def test_the_steps_go_on_to_the_end_and_answers_are_kept():
    at = opened("start", scene=1)
    at.radio[0].set_value("3").run()
    for scene in scenes()[1:]:
        button(at, "Next").click().run()
        assert at.title[0].value.endswith(scene.title.lower())
    button(at, "See the answer").click().run()
    assert at.title[0].value == "Why 0.96?"
    assert "5.47 ÷ 5.69 ≈ 0.96" in shown(at)
    both = [(score.label, score.value) for score in scores(at)]
    assert both == [("nDCG@5 as ranked", "0.96"), ("nDCG@5 in the ideal order", "1.00")]
    assert "Next" not in [button.label for button in at.button]
    for _ in scenes():
        button(at, "Previous").click().run()
    assert at.radio[0].value == "3"


def test_the_last_scene_leads_to_this_list_on_inspect():
    at = opened("inspect_query", example="shop", measure="AP")
    at.switch_page("pages/start.py")
    at.query_params.clear()
    at.query_params["scene"] = "end"
    button(at.run(), "Open this list on Inspect").click().run()
    at.switch_page("pages/inspect_query.py").run()
    assert not at.exception
    assert (scores(at)[0].label, scores(at)[0].value) == ("nDCG@5", "0.9602")


@cases("wanted", ["0", "9", "two", "1.5", " 1"])
def test_a_scene_that_does_not_exist_is_reported_on_the_front(wanted):
    at = opened("start", scene=wanted)
    assert not at.exception
    assert "The link asks for scene" in at.warning[0].value
    assert at.title[0].value.startswith("Why is this ranking")
