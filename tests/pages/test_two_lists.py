"""Lists that are typed on Data: one for Inspect, or two orders of its titles, compared."""

import json

import pytest

from tests.pages.conftest import drawn, drop, opened

TITLES = "Northern lights, 2\nWhale watching, 3\nHarbour tour, 0\nFjord cruise, 1"


def lists(at):
    """Return both lists of the page, each with its data."""
    found = [each.proto for each in at.get("bidi_component")]
    return [each for each in found if each.component_name == "ranking_list"]


def move(at, which, document, rank):
    proto = lists(at)[which]
    data = json.loads(proto.json)
    event = {"n": data["applied"].get(data["session"], 0) + 1, "to": data["session"]}
    event |= {"do": "move", "id": document, "value": rank}
    states = at._tree.get_widget_states()
    states.widgets.add(id=proto.id, json_value=json.dumps({"events": [event]}))
    return at._run(states)


def order(at, which):
    return [row["id"] for row in json.loads(lists(at)[which].json)["ranked"]]


def press(at, label):
    next(each for each in at.button if each.label == label).click()
    return at


@pytest.fixture
def typed():
    at = opened("data", typed="two")
    at.text_input(key="typed_query").set_value("things to do in Tromsø")
    at.text_area(key="typed_titles").set_value(TITLES).run()
    assert not at.exception
    return at


def test_both_orders_are_made_by_hand_and_compared(typed):
    at = move(typed, 1, "Whale watching", 1)
    assert order(at, 0)[0] == "Northern lights"
    assert order(at, 1)[0] == "Whale watching"
    values = [drawn(at, f"score_{name}")["score"]["value"] for name in ("first", "second")]
    at.text_input(key="typed_first").set_value("as it is")
    at.text_input(key="typed_second").set_value("as it could be").run()
    next(each for each in at.button if each.label == "Compare them").click()
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    shown = " ".join(each.value for each in [*at.header, *at.markdown])
    for words in ("as it is", "as it could be", *values):
        assert words in shown, words
    # Four titles: no rank is counted that neither list has.
    scores = "".join(words for _, words in drawn(at, "two_lists")["scores"])
    assert scores == f"nDCG@4 A {values[0]}, B {values[1]}"
    # A query alone needs no id beside its text.
    assert drawn(at, "two_lists")["id"] == ""
    # Data calls the grades what they are, and misses no text: the titles are there.
    at.switch_page("pages/data.py")
    at.query_params.clear()
    (files,) = (each.proto for each in at.run().get("bidi_component") if "cards" in each.proto.json)
    assert json.loads(files.json)["cards"][0]["name"] == "typed"
    assert not any("No texts" in each.value for each in at.caption)


def test_a_title_more_leaves_both_orders_as_they_are(typed):
    at = move(typed, 0, "Fjord cruise", 1)
    at.text_area(key="typed_titles").set_value(f"{TITLES}\nSauna, ?").run()
    assert order(at, 0)[0] == "Fjord cruise"
    assert order(at, 1)[0] == "Northern lights"
    assert order(at, 0)[-1] == order(at, 1)[-1] == "Sauna"


def test_a_corrected_title_keeps_its_places_and_both_lists_their_undo():
    at = move(
        move(opened("data", typed="two"), 0, "MacBook Pro for Developers", 2),
        1,
        "Gaming Laptop Review",
        1,
    )
    (field,) = at.text_area
    before = [order(at, 0), order(at, 1)]
    typed = field.value.replace("MacBook Pro", "MacBook Air")
    field.set_value(typed).run()
    corrected = [[each.replace("MacBook Pro", "MacBook Air") for each in of] for of in before]
    assert [order(at, 0), order(at, 1)] == corrected
    assert [json.loads(each.json)["undo"] for each in lists(at)] == [True, True]
    # Two other titles are new ones, and come last.
    typed = typed.replace("MacBook Air", "MacBook").replace("Top Programming", "Best Programming")
    at.text_area(key="typed_titles").set_value(typed).run()
    assert [{*order(at, which)[-2:]} for which in (0, 1)] == [
        {"MacBook for Developers", "Best Programming Laptops 2024"}
    ] * 2


def test_the_example_keeps_both_orders_whatever_is_typed():
    at = opened("data", typed="two")
    (field,) = at.text_area
    sample, before = field.value, [order(at, 0), order(at, 1)]
    assert before[0] != before[1]
    left_out = before[0][0]
    for typed, expected in {
        f"{sample}\nTablet": before,  # it has no grade, and cannot be read
        f"{sample}\nTablet, ?": [[*known, "Tablet"] for known in before],
        sample.split("\n", 1)[1]: [[each for each in of if each != left_out] for of in before],
        sample: before,
    }.items():
        at.text_area(key="typed_titles").set_value(typed).run()
        assert [order(at, 0), order(at, 1)] == expected, typed
        assert bool(at.error) == typed.endswith("Tablet")


def test_a_move_of_a_title_that_is_gone_is_no_step_to_undo(typed):
    at = move(typed, 0, "Fjord cruise", 1)
    at = move(at, 0, "Harbour tour", 1)
    at.text_area(key="typed_titles").set_value(TITLES.replace("Harbour tour, 0\n", "")).run()
    (data, other) = (json.loads(each.json) for each in lists(at))
    assert (data["undo"], other["undo"]) == (True, False)
    event = {"n": data["applied"][data["session"]] + 1, "to": data["session"], "do": "undo"}
    states = at._tree.get_widget_states()
    states.widgets.add(id=lists(at)[0].id, json_value=json.dumps({"events": [event]}))
    assert order(at._run(states), 0) == ["Northern lights", "Whale watching", "Fjord cruise"]


@pytest.mark.parametrize("typed", ["one", "two"])
def test_the_query_of_the_example_goes_with_the_last_of_its_titles(typed):
    at = opened("data", typed=typed)
    (field,) = at.text_area
    known = at.text_input(key="typed_query").value
    queries = {f"{field.value}\nTablet, 1": known, "Sauna\nPool": known, "": known, TITLES: ""}
    for titles, query in queries.items():
        at.text_area(key="typed_titles").set_value(titles).run()
        assert at.text_input(key="typed_query").value == query
        # The example's lists are not those of other titles, which cannot be read.
        assert bool(lists(at)) != bool(at.error)
    # A query that somebody typed stays, whatever the titles are.
    at.text_input(key="typed_query").set_value("places to warm up").run()
    at.text_area(key="typed_titles").set_value("Sauna, 2\nPool, 1").run()
    assert at.text_input(key="typed_query").value == "places to warm up"


def test_the_score_has_the_name_of_its_list(typed):
    typed.text_input(key="typed_first").set_value("as it is").run()
    names = [drawn(typed, f"score_{name}")["score"]["measure"] for name in ("first", "second")]
    assert names == ["nDCG@4 · as it is", "nDCG@4 · second list"]


@pytest.mark.parametrize("new", [False, True], ids=["same session", "after a reload"])
def test_compared_lists_are_edited_as_they_are(typed, new):
    at = move(typed, 1, "Whale watching", 1)
    at = move(at, 0, "Fjord cruise", 2)
    at.text_input(key="typed_second").set_value("as it could be").run()
    at.text_area(key="typed_titles").set_value(f"{TITLES}\nSauna, ?\n| Ice hotel, 3").run()
    orders = [order(at, which) for which in (0, 1)]
    scores = [drawn(at, f"score_{name}")["score"]["value"] for name in ("first", "second")]
    press(at, "Compare them").switch_page("pages/compare_runs.py").run()
    if new:
        held, at = at.session_state["_upload"], opened("data")
        at.session_state["_upload"], at.session_state["data"] = held, "yours"
        at.switch_page("pages/compare_runs.py").run()
    press(at, "Edit the lists").switch_page("pages/data.py")
    at.query_params["typed"] = "two"
    at.run()
    assert not at.exception
    assert [order(at, which) for which in (0, 1)] == orders
    shown = [drawn(at, f"score_{name}")["score"]["value"] for name in ("first", "second")]
    assert shown == scores
    fields = [at.text_input(key=f"typed_{key}").value for key in ("query", "first", "second")]
    assert fields == ["things to do in Tromsø", "first list", "as it could be"]
    lines = at.text_area(key="typed_titles").value.split("\n")
    assert sorted(lines) == sorted([*TITLES.split("\n"), "Sauna, ?", "| Ice hotel, 3"])


def test_only_typed_lists_are_edited():
    assert "Edit the lists" not in [each.label for each in opened("compare_runs").button]


def test_files_replace_compared_lists_which_are_still_where_they_were_typed(typed):
    press(move(typed, 1, "Whale watching", 1), "Compare them").switch_page("pages/compare_runs.py")
    at = typed.run().switch_page("pages/data.py")
    del at.query_params["typed"]
    at.run()
    runs = [(f"{name}.run", f"q Q0 {name} 1 1 {name}".encode()) for name in ("old", "new")]
    at = drop(at, ("labels.qrels", b"q 0 old 1"), *runs)
    held = at.session_state["_upload"]
    assert [run.name for run in held.runs] == ["old", "new"]
    assert held.qrels.to_dict() == {"q": {"old": 1}}
    at.query_params["typed"] = "two"
    at.run()
    assert order(at, 1)[0] == "Whale watching"
    # The lists would replace the files, which is said before.
    assert any("replaces your data, which Data can restore" in each.value for each in at.caption)
    press(at, "Compare them").switch_page("pages/data.py")
    del at.query_params["typed"]
    press(at.run(), "Restore").run()
    assert [run.name for run in at.session_state["_upload"].runs] == ["old", "new"]


def test_a_query_without_words_is_untitled_and_not_its_id(typed):
    typed = move(typed, 1, "Whale watching", 1)
    press(typed.text_input(key="typed_query").set_value(" ").run(), "Compare them")
    at = typed.switch_page("pages/compare_runs.py").run()
    assert at.session_state["_upload"].query_texts == {"q1": "untitled query"}
    assert drawn(at, "two_lists")["id"] == ""


def test_what_cannot_be_read_is_said_and_nothing_can_be_compared(typed):
    at = typed.text_area(key="typed_titles").set_value("one, 3\none, 2").run()
    assert not at.exception
    assert "Line 2: found 'one' again; expected each title once" in at.error[0].value
    assert "[E-" not in at.error[0].value
    assert next(each for each in at.button if each.label == "Compare them").disabled
    at.text_area(key="typed_titles").set_value(
        "one\nHarbour tour, 2\n3rd\n4th\n5th\n6th\n7th"
    ).run()
    assert [f"Line {line}:" in at.error[0].value for line in range(1, 8)] == [1, 0, 1, 1, 1, 1, 0]
    assert at.error[0].value.count("expected a title, then its grade") == 1
    assert "… and 1 more." in at.error[0].value
    # The line that could be read is in both lists, which is said.
    assert any("the lines that could be read" in each.value for each in at.caption)
    assert order(at, 0) == order(at, 1) == ["Harbour tour"]
    at.text_area(key="typed_titles").set_value(TITLES).run()
    assert order(at, 0) == order(at, 1) == [line.split(",")[0] for line in TITLES.split("\n")]


@pytest.mark.parametrize("grade", ["0", "?"])
def test_titles_that_earn_nothing_are_listed_with_a_word_on_it(typed, grade):
    at = typed.text_area(key="typed_titles").set_value(f"One, {grade}\nTwo, {grade}").run()
    assert not at.exception
    assert order(at, 0) == order(at, 1) == ["One", "Two"]
    assert any("No title has a grade above 0" in each.value for each in at.caption)
    assert next(each for each in at.button if each.label == "Compare them").disabled


@pytest.mark.parametrize(
    ("titles", "compared"),
    [
        (f"{TITLES}\nBeta, 2", "Beta"),
        ("Alpha, 1\nBeta", None),
        ("Alpha, 1\nBeta, 2", ""),
        (TITLES.replace("3", "?").replace("2", "?").replace("1", "?").replace("0", "?"), False),
    ],
)
def test_a_press_right_after_typing_compares_what_is_typed(typed, titles, compared):
    typed = move(typed, 1, "Whale watching", 1)
    typed.text_area(key="typed_titles").set_value(titles)
    next(each for each in typed.button if each.label == "Compare them").click().run()
    if not compared:
        assert not typed.exception
        assert bool(typed.error) == (compared is None)
        assert "_upload" not in typed.session_state
        # Two lists of one order cannot be compared, and the page says what to do.
        assert next(each for each in typed.button if each.label == "Compare them").disabled
        asked = any("move a row of one" in each.value for each in typed.caption)
        assert asked == (compared == "")
    else:
        runs = typed.session_state["_upload"].runs
        assert [[*run.to_dict()["q1"]][-1] for run in runs] == [compared] * 2


def test_two_lists_of_one_name_are_told_apart(typed):
    typed = move(typed, 1, "Whale watching", 1)
    for name in ("first", "second"):
        typed.text_input(key=f"typed_{name}").set_value("bm25")
    next(each for each in typed.run().button if each.label == "Compare them").click()
    at = typed.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert {at.selectbox(key=key).value for key in ("a", "b")} == {"bm25 1", "bm25 2"}


def test_one_list_is_typed_and_opened_on_inspect_under_its_query():
    at = opened("data", typed="one")
    at.text_input(key="typed_query").set_value("things to do in Tromsø")
    typed = "1. Northern lights 2\n2. Harbour tour 0\n| Whale watching 3"
    at.text_area(key="typed_titles").set_value(typed).run()
    assert order(at, 0) == ["Northern lights", "Harbour tour"]
    value = drawn(at, "score_only")["score"]["value"]
    next(each for each in at.button if each.label == "Open on Inspect").click()
    at.switch_page("pages/inspect_query.py").run()
    assert not at.exception
    assert at.title[0].value == "`things to do in Tromsø`"
    score = drawn(at, "score")["score"]
    assert (score["value"], score["change"]) == (value, "")
