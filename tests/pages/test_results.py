"""The result cards of Compare: what each says, and how little the browser gets."""

import json
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from metrics import Convention, Dataset, Qrels, Run
from metrics.comparing.one_query import one_query
from pages.ui.compare.results import PER_PAGE, shown
from tests.pages.conftest import opened, pressed, tables_of

QRELS = replace(
    Qrels.from_dict({"q": {"d1": 2, "d2": 0, "d4": 1}}), reasons={"q": {"d1": "a *mouse*"}}
)
A = Run.from_dict({"q": {"d1": 4, "d2": 3, "d3": 2}}, "old")
B = Run.from_dict({"q": {"d2": 4, "d4": 3, "d1": 2}}, "new")
DATA = Dataset(
    "Your data",
    QRELS,
    (A, B),
    {"q": "quiet mouse"},
    {"d1": "Mouse. A quiet one.\nCheap.", "d2": "A lamp."},
    document_fields={"title": {"d1": "Mouse"}, "url": {"d1": "/mouse"}},
)
VIEW = {"picked": "d1", "page": 1, "opened": None}


@pytest.fixture
def one():
    return one_query(QRELS, A, B, "DCG", "q")


def cards(one, view=VIEW, data=DATA):
    return [
        {card["id"]: card for card in side["cards"]} for side in shown(one, data, view)["sides"]
    ]


def test_a_card_shows_rank_movement_grade_title_snippet_and_contribution(one):
    a, b = cards(one)
    moves = [{name: card["move"] for name, card in side.items()} for side in (a, b)]
    assert moves == [
        {"d1": "B: 3", "d2": "B: 1", "d3": "only A"},
        {"d2": "A: 2", "d4": "only B", "d1": "A: 1"},
    ]
    assert [card["rank"] for card in b.values()] == [1, 2, 3]
    assert [card["grade"] for card in a.values()] == ["2", "0", "?"]
    assert [card["earned"] for card in b.values()] == ["0.0000", "0.6309", "1.0000"]
    assert (a["d1"]["share"], b["d1"]["share"], a["d3"]["share"]) == (1.0, 0.5, 0.0)
    assert a["d1"]["title"] == [("Mouse", True)]
    assert a["d1"]["snippet"] == [("A ", False), ("quiet", True), (" one. Cheap.", False)]
    assert (a["d3"]["title"], a["d3"]["snippet"], a["d3"]["label"]) == ([], [], "d3")


def test_an_open_card_has_the_whole_text_the_fields_and_the_reason(one):
    assert shown(one, DATA, VIEW)["whole"] is None
    whole = shown(one, DATA, VIEW | {"opened": ["A", "d1"]})["whole"]
    assert whole["text"] == [("A ", False), ("quiet", True), (" one.\nCheap.", False)]
    assert whole["fields"] == [
        ("judge's reason", [("a *", False), ("mouse", True), ("*", False)]),
        ("url", [("/", False), ("mouse", True)]),
    ]
    assert shown(one, DATA, VIEW | {"opened": ["A", "d3"]})["whole"] == {"text": [], "fields": []}


def test_without_texts_and_judgments_the_cards_have_ids():
    run = Run.from_dict({"q": {"x": 2, "y": 1}}, "old")
    qrels = Qrels.from_dict({"q": {"z": 1}})
    other = Run.from_dict({"p": {"x": 1}}, "new")
    one = one_query(qrels, run, other, "nDCG@1", "q", Convention(queries="qrels"))
    a, b = cards(one, VIEW, Dataset("", qrels, (run,)))
    assert {name: card["earned"] for name, card in a.items()} == {"x": "0.0000", "y": "–"}
    assert b == {}
    json.dumps(shown(one, Dataset("", qrels, (run,)), VIEW), allow_nan=False)


def board(at):
    """What the browser gets of the cards."""
    every = [json.loads(each.proto.json or "{}") for each in at.get("bidi_component")]
    (found,) = [each for each in every if "sides" in each]
    return found


def test_the_browser_gets_the_snippets_of_one_page_of_a_thousand_results():
    names = [f"d{number}" for number in range(1000)]
    long = "quiet " * 3000
    runs = [
        Run.from_dict({"q": {each: 1000 - at for at, each in enumerate(ranking)}}, name)
        for name, ranking in (("old", names), ("new", names[::-1]))
    ]
    qrels = Qrels.from_dict({"q": {each: at % 3 for at, each in enumerate(names)}})
    texts = dict.fromkeys(names, f"Title. {long}")
    fields = {"title": dict.fromkeys(names, "Title"), "other": dict.fromkeys(names, long)}
    data = Dataset("Your data", qrels, (*runs,), {"q": "quiet"}, texts, document_fields=fields)
    at = opened()
    at.session_state["_upload"], at.session_state["data"] = data, "yours"
    at.session_state["document"], at.session_state["look"] = "d444", "Results"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    found = board(at)
    assert [len(side["cards"]) for side in found["sides"]] == [PER_PAGE] * 2
    assert len(json.dumps(found)) < 60_000
    # Neither do the tables and the list of documents have whole texts.
    assert not any(long in str(frame.to_numpy()) for frame in tables_of(at))
    assert max(len(each) for box in at.selectbox for each in box.options) < 300
    assert found["range"] == "Ranks 441–450 of 1,000", "the page of the picked document"


def test_a_link_opens_the_page_of_its_document():
    at = opened("compare_runs", data="shop", q="q12", document="python-19", look="Results")
    found = board(at)
    assert (found["picked"], found["page"]) == ("python-19", 2)


def listed(names, documents):
    import pandas as pd
    import streamlit as st

    from pages.ui import show, state

    state.enter_shell()
    state.enter_page(state.COMPARE)
    index = pd.Index(st.session_state.get("names", names), name="query")
    st.text(show.picking_table(pd.DataFrame({"document": documents}, index=index), "x"))


def test_a_press_belongs_to_rows_and_not_to_their_places():
    """After a change of run the pressed query may have another place, or be gone."""
    at = AppTest.from_function(listed, args=(["q1", "q2"], ["d1", "d2"])).run()
    at = pressed(at, "document", row=1)
    assert at.text[0].value == "1"
    at.session_state["names"] = ["q2", "q1"]
    assert at.run().text[0].value == "0"
    at.session_state["names"] = ["q3", "q1"]
    assert at.run().text[0].value == "None"
    # A row whose name comes again has its own.
    at.session_state["names"] = ["q3", "q3"]
    assert pressed(at.run(), "document", row=1).text[0].value == "1"


def test_a_long_table_is_sent_in_parts_in_the_order_of_all_its_rows():
    names = [f"q{number:03}" for number in range(450)]
    at = AppTest.from_function(listed, args=(names, names[::-1])).run()

    def rows(at):
        (drawn,) = (json.loads(each.proto.json) for each in at.get("bidi_component"))
        return [name for name, _ in drawn["rows"]], drawn["more"], drawn["first"]

    assert rows(at) == (names[:200], 250, 10)
    at = pressed(at, "document", more=True)
    assert rows(at) == (names[:400], 50, 10)
    at = pressed(at, "document", by=[1, False])
    assert rows(at)[0] == names[:49:-1]
    assert pressed(at, "document", row=0).text[0].value == "449"
