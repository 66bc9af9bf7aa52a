"""Start: the front with its three doors, and the eight scenes of the story."""

from metrics.teaching.exercises import Number
from metrics.teaching.story import scenes
from tests.cases import cases
from tests.pages.conftest import opened, scores


def button(at, label):
    return next(button for button in at.button if button.label == label)


def shown(at):
    return " ".join(text.value for text in at.markdown)


def test_the_front_says_what_a_measure_is_and_opens_three_doors():
    at = opened("start")
    assert not at.exception
    assert "ranking measure** is a number" in shown(at)
    assert "5.4662, divided by the largest possible sum, 5.6925, is **nDCG@5**" in shown(at)
    assert [button.label for button in at.button] == [
        "Learn: why this score?",
        "Look into one query",
        "Compare two runs",
    ]
    assert [caption.value for caption in at.caption].count("Convention: trec_eval.") == 1
    button(at, "Learn: why this score?").click().run()
    assert at.title[0].value == "Why 0.9602? 1 of 8: Grade"
    assert at.query_params["scene"] == "1"
    button(at, "Previous").click().run()
    assert at.title[0].value == "Rankscope"
    assert "scene" not in at.query_params


@cases("number", range(1, len(scenes()) + 1))
def test_a_link_opens_a_scene_which_checks_every_answer(number):
    at, scene = opened("start", scene=number), scenes()[number - 1]
    assert at.title[0].value == f"Why 0.9602? {number} of 8: {scene.title}"
    assert scene.sentences in shown(at)
    assert "✓" not in shown(at)
    if isinstance(scene.blank, Number):
        answers, field = [scene.blank.key, "0"], at.text_input[0]
    else:
        answers, field = list(scene.blank.replies), at.radio[0]
    for answer in answers:
        field.set_value(answer).run()
        assert not at.exception
        reply = scene.check(answer)
        assert f"{'✓' if reply.right else '✗'} {reply.text}" in shown(at)


def test_a_field_for_a_number_explains_what_it_cannot_read():
    at = opened("start", scene=4)
    at.text_input[0].set_value("one and a half").run()
    assert not at.exception
    assert "✗ `" in shown(at)


def test_the_control_of_each_scene_changes_the_picture():
    for number, scene in enumerate(scenes(), 1):
        at = opened("start", scene=number)
        if at.slider:
            control = at.slider[0]
            other = int(control.min if control.value == control.max else control.max)
        else:
            control, other = at.get("button_group")[0], list(scene.control.options)[1]
        before, pictures = shown(at), at.get("plotly_chart")[0].proto.spec
        control.set_value(other).run()
        assert not at.exception
        assert scene.view(other).sentence in shown(at) != before
        assert at.get("plotly_chart")[0].proto.spec != pictures


def test_the_steps_go_on_to_the_end_and_answers_are_kept():
    at = opened("start", scene=1)
    at.radio[0].set_value("3").run()
    for scene in scenes()[1:]:
        button(at, "Next").click().run()
        assert at.title[0].value.endswith(scene.title)
    assert "5.4662 ÷ 5.6925 = 0.9602" in shown(at)
    assert "Next" not in [button.label for button in at.button]
    for _ in scenes()[1:]:
        button(at, "Previous").click().run()
    assert at.radio[0].value == "3"


def test_the_last_scene_leads_to_this_list_on_inspect():
    at = opened("inspect_query", example="shop", measure="AP")
    at.switch_page("pages/start.py")
    at.query_params.clear()
    at.query_params["scene"] = str(len(scenes()))
    button(at.run(), "Open this list on Inspect").click().run()
    at.switch_page("pages/inspect_query.py").run()
    assert not at.exception
    assert (scores(at)[0].label, scores(at)[0].value) == ("nDCG@5", "0.9602")


@cases("wanted", ["0", "9", "two", "1.5", " 1"])
def test_a_scene_that_does_not_exist_is_reported_on_the_front(wanted):
    at = opened("start", scene=wanted)
    assert not at.exception
    assert "The link asks for scene" in at.warning[0].value
    assert at.title[0].value == "Rankscope"
