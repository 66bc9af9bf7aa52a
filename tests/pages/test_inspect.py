"""Inspect's tabs and its link, without a browser."""

from dataclasses import replace

import pytest

from metrics import REGISTRY, evaluate, parse
from metrics.editing import hand_ranking
from metrics.editing.edits import best_first, move, set_grade, toggle_tie
from metrics.editing.hand_ranking import Entry, HandRanking
from metrics.editing.history import History
from metrics.editing.origin import Origin
from metrics.editing.ranking_link import pack, unpack
from metrics.editing.store import Edits
from metrics.exploring import what_if
from metrics.exploring.what_if import score_all
from metrics.link_text import LONGEST_LINK
from metrics.rendering import tables, text
from metrics.teaching.samples import catalogue
from pages.ui import ranking_list
from pages.ui.inspect import editor
from pages.ui.inspect.panels import TABS
from tests.cases import cases, own_scale
from tests.pages.conftest import (
    drawn,
    faulty_tabs,
    opened,
    scores,
    sent,
    sentences,
    signs,
    tables_of,
)

LAPTOP = catalogue()["laptop"].load()
RANKING = HandRanking.from_run(LAPTOP.qrels, LAPTOP.runs[0], LAPTOP.qrels.queries[0])
LAST = RANKING.retrieved[-1].document


def shown(at):
    return {metric.label: metric.value for metric in scores(at)}


def said(at):
    return " ".join(element.value for element in [*at.markdown, *at.info, *at.warning])


@cases("look", TABS)
def test_a_link_opens_a_tab_alone(look):
    at = opened(view=look)
    assert not at.exception
    assert [tab.label for tab in at.tabs if tab.children] == [look]


@cases(
    "choices, words",
    [
        ({"gain": "exponential"}, "trec_eval with gain = 2^grade − 1"),
        (
            {"gain": "binary", "ideal_cut": "whole", "unjudged": "removed", "scores": "single"},
            "trec_eval 9 with gain = 1 for grades above 0, ideal not cut and 1 more",
        ),
    ],
)
def test_the_sentence_names_the_choices_that_differ_from_the_nearest_preset(choices, words):
    labels = [each.proto.popover.label for each in opened(**choices).get("popover")]
    assert words in labels, labels


@cases("symbol", REGISTRY)
def test_every_tab_shows_every_measure_and_the_terms_that_an_edit_changed(symbol, all_tabs_open):
    moved = pack(move(RANKING, RANKING.retrieved[0].document, 3))
    at = opened(measure=symbol, k=0, ranking=moved, **own_scale(symbol))
    assert faulty_tabs(at) == {}
    assert not at.exception
    assert [tab.label for tab in at.tabs] == [*TABS]
    edit = sentences(at)[0]
    assert " → " in edit or scores(at)[0].delta == "no change"
    # Whether a tool has the measure or not, its convention is named.
    assert "*,* convention" in said(at)
    # The hatching ends where the best order does.
    bar = drawn(at, "score")["score"]
    if "reach" in bar:
        assert bar["number"] <= bar["reach"] + 1e-9 <= bar["whole"] + 2e-9


@cases("key", catalogue)
def test_every_tab_shows_every_sample(key, all_tabs_open):
    at = opened(example=key)
    assert faulty_tabs(at) == {}
    assert not at.exception
    assert [tab.label for tab in at.tabs] == [*TABS]
    first = scores(at)[0]
    assert first.label == catalogue()[key].measure
    assert float(first.value) >= 0


def test_the_menu_of_queries_has_the_score_of_each_the_lowest_first():
    at = opened(example="shop", query="q21", run="bm25", measure="P", k=3)
    found, shop = drawn(at, "queries_of_run"), catalogue()["shop"].load()
    known = evaluate(shop.qrels, shop.runs[0], "P@3")
    rows = found["bands"][0]["rows"]
    assert {row["id"]: row["delta"] for row in rows} == known.per_query["P@3"].to_dict()
    values = [row["delta"] for row in rows]
    assert values == sorted(values)
    assert len(set(values)) > 2
    assert (found["mean"], found["picked"]) == (known.value("P@3"), "q21")
    assert found["alt"] == f"bm25: mean P@3 {found['mean']:.4f} over 29 queries, the lowest first"
    # A lesson without its score has none of others either.
    assert drawn(opened(example="shop", query="q21", hide="score"), "queries_of_run") is None
    assert drawn(opened(example="laptop"), "queries_of_run") is None


def test_a_ranking_in_the_link_is_shown_and_can_be_undone():
    edited = move(RANKING, LAST, 3)
    at = opened(ranking=pack(edited))
    assert shown(at)["nDCG@5"] == "0.9923"
    assert scores(at)[0].delta == "+0.0321"
    assert sentences(at)[0] == (
        "MacBook Pro for Developers, rank 5 → 3: +0.2263. "
        "Budget Coding Laptops, rank 4 → 5: −0.0438. "
        "Together +0.1825 ÷ 5.6925 = +0.0321."
    )
    assert unpack(at.query_params["ranking"]) == edited
    sent(at, {"do": "undo"})
    assert shown(at)["nDCG@5"] == "0.9602"
    assert "ranking" not in at.query_params
    sent(at, {"do": "redo"})
    assert shown(at)["nDCG@5"] == "0.9923"
    sent(at, {"do": "reset"})
    assert shown(at)["nDCG@5"] == "0.9602"


def test_edits_and_steps_back_are_applied_in_the_order_in_which_they_were_made():
    at = opened()
    up, undo, redo = {"do": "up", "id": LAST}, {"do": "undo"}, {"do": "redo"}
    sent(at, up, up)
    assert shown(at)["nDCG@5"] == "0.9923"
    # An edit after Undo makes a history that equals the one shown, except for what it did.
    sent(at, undo, {"do": "more", "id": LAST}, up)
    once_up = move(RANKING, LAST, 4)
    graded = set_grade(once_up, LAST, 3)
    assert unpack(at.query_params["ranking"]) == move(graded, LAST, 3)
    sent(at, *[undo] * 30, redo)
    assert unpack(at.query_params["ranking"]) == once_up


def test_a_new_list_has_a_title_of_its_own_until_it_is_undone():
    at = opened()
    pasted = next(area for area in at.text_area if "One title per line" in area.label)
    pasted.set_value("3,2,0")
    next(b for b in at.button if b.label == "Use this list").click().run()
    assert unpack(at.query_params["ranking"]).title == "A pasted list"
    # It is no edit of the query.
    assert drawn(at, "score")["score"]["change"] == ""
    assert not [line for line in sentences(at) if line.startswith("The last edit")]
    labels = [each.proto.popover.label for each in at.get("popover")]
    assert "`A pasted list`" in labels
    assert not [label for label in labels if "laptop" in label.lower()]
    next(field for field in at.text_input if field.label == "Title or query").set_value(
        " red shoes "
    )
    next(b for b in at.button if b.label == "Use this list").click().run()
    titled = unpack(at.query_params["ranking"])
    assert (titled.title, titled.query) == ("red shoes", RANKING.query)
    assert unpack(opened(**at.query_params).query_params["ranking"]) == titled
    sent(at, {"do": "undo"})
    assert unpack(at.query_params["ranking"]).title == "A pasted list"
    sent(at, {"do": "undo"})
    assert "ranking" not in at.query_params


def test_a_saved_ranking_of_another_query_keeps_that_query_as_its_title():
    entries = (Entry("a", 1.0),)
    assert editor.in_place_of(HandRanking("shoes", entries), "q").title == "shoes"
    assert editor.in_place_of(HandRanking("q", entries), "q").title == ""
    assert editor.in_place_of(HandRanking("p", entries, title="Mine"), "q").title == "Mine"
    assert editor.in_place_of(HandRanking("", entries), "q").title == "A pasted list"


def test_a_ranking_that_is_too_long_to_edit_is_shown_and_scored(monkeypatch):
    monkeypatch.setattr(hand_ranking, "MOST_EDITED", 4)
    at = opened(ranking=pack(move(RANKING, LAST, 3)))
    assert not at.exception
    assert shown(at)["nDCG@5"] == "0.9923"
    assert "All 5 documents are scored, but only rankings of at most" in said(at)
    assert {"Undo", "Use this list"} <= signs(at)
    assert not {"Best first", "Remove", "Type ranks in a table"} & signs(at)


def test_the_list_shows_the_first_documents_that_were_not_retrieved():
    ranked = tuple(Entry(f"r{i}", 1.0) for i in range(ranking_list.LONGEST + 2))
    missing = tuple(Entry(f"n{i}", 0.0) for i in range(ranking_list.LONGEST + 3))
    given = ranking_list.rows(HandRanking("q", ranked, missing), None, {})
    assert len(given["ranked"]) == len(given["rest"]) == ranking_list.LONGEST
    assert (given["below"], given["unlisted"]) == (2, 3)


def test_a_list_that_cannot_be_loaded_has_the_same_rows_in_words():
    ranked = [Entry("a", 3.0), Entry("b\u202e", None), *(Entry(f"r{i}", 1.0) for i in range(50))]
    given = ranking_list.rows(
        HandRanking("q", tuple(ranked), (Entry("c", 0.5),)), None, {"a": "Title"}
    )
    lines = ranking_list.in_words(given).split("\n")
    assert lines[:2] == ["1. a  Title (grade 3)", "2. b⟨U+202E⟩ (unjudged)"]
    assert lines[-2:] == ["… 2 more below", "not retrieved: c (grade 0.5)"]
    assert len(lines) == ranking_list.LONGEST + 2


def test_plain_buttons_lead_to_the_table_and_step_back():
    at = opened()
    assert at.button(key="plain_Undo").disabled
    sent(at, {"do": "up", "id": LAST})
    edited = at.query_params["ranking"]
    at.button(key="plain_Undo").click().run()
    assert "ranking" not in at.query_params
    at.button(key="plain_Redo").click().run()
    assert at.query_params["ranking"] == edited
    at.button(key="plain_Reset").click().run()
    assert "ranking" not in at.query_params
    next(button for button in at.button if button.label == "Edit as a table").click().run()
    assert at.query_params["editor"] == "table"
    assert "Edit as a table" not in signs(at)
    assert not at.button(key="plain_Undo").disabled


def test_an_edit_that_lowers_the_score_has_a_minus():
    at = opened(ranking=pack(move(RANKING, RANKING.retrieved[0].document, 3)))
    assert scores(at)[0].delta.startswith("−")


def test_an_edit_that_changes_no_printed_digit_has_no_sign():
    at = opened(ranking=pack(set_grade(RANKING, "Gaming Laptop Review", None)))
    assert scores(at)[0].delta == "no change"


@cases("value", [0.0, -0.0, 4e-5, -4e-5])
def test_a_change_that_rounds_to_0_has_no_sign(value):
    assert text.signed(value) == "0.0000"


def test_a_damaged_ranking_in_a_link_is_reported():
    at = opened(ranking="1.damaged")
    assert not at.exception
    assert shown(at)["nDCG@5"] == "0.9602"
    assert "ranking = `1.damaged`" in at.warning[0].value


@cases("page", ["inspect", "learn"])
def test_an_unknown_tab_is_reported(page):
    at = opened(**{"view" if page == "inspect" else "room": "nope"})
    if page == "learn":
        at.switch_page("pages/learn.py").run()
    assert not at.exception
    assert "= `nope`, which is not available here" in at.warning[0].value


def test_a_deep_cutoff_and_many_ties_are_fast():
    assert not opened(k=1_000_000).exception
    tied = tuple(Entry(f"d{i}", float(i % 2), i > 0) for i in range(300))
    at = opened(view="Equal scores", ranking=pack(HandRanking(RANKING.query, tied)))
    assert "More than a billion orders" in said(at)


def test_an_uploaded_ranking_too_long_for_a_link_is_reported():
    entries = tuple(Entry(f"{i * 7919 % 100_003:x}-{i**5:x}", float(i % 3)) for i in range(300))
    at = opened(example="yours", ranking=pack(HandRanking("mine", entries)))
    assert f"too long for a link (limit {LONGEST_LINK:,} characters)" in at.warning[0].value


def test_undo_undoes_the_last_edit_even_if_the_page_has_not_shown_it():
    at = opened(ranking=pack(move(RANKING, LAST, 3)))
    origin = Origin.of(LAPTOP.qrels, LAPTOP.runs[0], RANKING.query)
    first, second = move(RANKING, LAST, 3), move(RANKING, LAST, 1)
    steps = History(RANKING, RANKING).then(first).then(second)
    at.session_state["_edits"] = Edits({origin: steps.bare()})
    sent(at, {"do": "undo"})
    assert shown(at)["nDCG@5"] == "0.9923"


def test_a_ranking_of_another_query_is_reported():
    at = opened(ranking=pack(HandRanking("other", (Entry("a", 1.0),))))
    assert "ranking = `other`" in at.warning[0].value


def test_a_link_contains_a_ranking_of_uploaded_data():
    ranking = HandRanking("my query", (Entry("a", None), Entry("b", 2.0)), (Entry("z", 1.0),))
    at = opened(example="yours", ranking=pack(ranking), measure="RR", k=0)
    assert not at.exception
    assert shown(at) == {"RR": "0.5000"}
    assert unpack(at.query_params["ranking"]) == ranking


def test_a_ranking_that_is_too_long_for_a_link_is_offered_as_a_file():
    entries = tuple(Entry(f"{i * 7919 % 100_003:x}-{i**5:x}", float(i % 3)) for i in range(300))
    long = HandRanking(RANKING.query, entries)
    assert len(pack(long)) > LONGEST_LINK
    at = opened(ranking=pack(long))
    assert "ranking" not in at.query_params
    assert f"too long for a link (limit {LONGEST_LINK:,} characters)" in at.warning[0].value
    assert at.get("download_button")


def test_the_best_swap_is_named_and_made():
    at = opened(view="What if")
    assert "**Best swap**: ranks 3 and 5, 0.9602 → 1.0000 (+0.0398)" in said(at)
    next(b for b in at.button if b.label == "Make this swap").click().run()
    assert shown(at)["nDCG@5"] == "1.0000"


def test_what_if_reports_a_ranking_that_is_too_long(monkeypatch):
    monkeypatch.setattr(what_if, "LONGEST", 4)
    at = opened(view="What if")
    assert not at.exception
    assert "too long to try every change: 5 documents, of at most 4." in said(at)


def test_equal_scores_show_the_range_of_the_score():
    at = opened(view="Equal scores")
    assert "No two scores are equal" in said(at)
    next(b for b in at.button if b.label == "Tie ranks 1 and 2").click().run()
    assert "2 orders of equal scores" in said(at)
    tied = toggle_tie(RANKING, RANKING.retrieved[2].document)
    at = opened(view="Equal scores", ranking=pack(tied))
    assert "2 orders of equal scores: **nDCG@5**" in said(at)
    alike = set_grade(RANKING, RANKING.retrieved[1].document, RANKING.retrieved[0].grade)
    tied = toggle_tie(alike, RANKING.retrieved[1].document)
    at = opened(view="Equal scores", ranking=pack(tied))
    assert "Every order of the equal scores gives **nDCG@5** " in said(at)


def test_unjudged_documents_show_the_range_of_the_score():
    at = opened(view="Unjudged")
    assert "Every document is judged" in said(at)
    next(b for b in at.button if b.label == "Take the grade of rank 1 away").click().run()
    # The grade that was taken away is one that it may have.
    assert "With any grades (0, 1, 2, 3) for 1 unjudged document," in said(at)
    assert "and **0.9602**" in said(at)
    at = opened(view="Unjudged", ranking=pack(set_grade(RANKING, LAST, None)))
    assert "With any grades (0, 1, 2, 3) for 1 unjudged document," in said(at)
    more = tuple(Entry(f"d{i}", None) for i in range(24))
    many = replace(RANKING, retrieved=RANKING.retrieved + more)
    at = opened(view="Unjudged", measure="infAP", ranking=pack(many))
    assert "There are too many to try, so others could fall outside" in said(at)


def test_the_loss_has_two_parts():
    assert "0.0398 by the order, 0.0000 by documents" in said(opened(view="Curves"))
    without = move(RANKING, RANKING.retrieved[0].document, None)
    now, best = score_all([without, best_first(without)], parse("nDCG@5")).tolist()
    lost = f"{best - now:.4f} by the order, {1 - best:.4f} by documents that are not retrieved"
    assert lost in said(opened(view="Curves", ranking=pack(without)))


def test_the_score_is_a_sentence_that_spells_out_its_abbreviations():
    score, terms = sentences(opened())
    assert score == (
        "nDCG@5 (normalised discounted cumulative gain) = DCG@5 ÷ IDCG@5 (ideal DCG) = "
        "5.4662 ÷ 5.6925 = 0.9602"
    )
    assert terms == (
        "(3 ÷ log₂ 2 + 2 ÷ log₂ 3 + 0 ÷ log₂ 4 + 1 ÷ log₂ 5 + 2 ÷ log₂ 6) ÷ 5.6925 ≈ 0.9602"
    )


def test_a_score_of_nothing_relevant_is_not_compared_with_the_ideal():
    nothing = HandRanking.of(RANKING.query, {"a": 0, "b": 0}, ["a", "b"])
    at = opened(ranking=pack(nothing))
    assert sentences(at)[0].endswith("= 0.0000 ÷ 0.0000 = by convention 0.0000")
    captions = " ".join(each.value for each in at.caption)
    assert "There is no relevant document" in captions
    assert "ideal ranking" not in captions.replace("the DCG of the ideal ranking", "")


def test_the_ledgers_have_no_inverse_column_and_end_with_their_sum():
    both = drawn(opened(gain="exponential"), "ledger_shown")["tables"]
    top, ideal = ([column["name"] for column in sheet["columns"]] for sheet in both)
    assert top == ["rank", "document", "grade", "gain", "log₂(r+1)", "contribution", "total"]
    assert ideal == ["rank", "document", "is at", *top[2:]]
    for sheet in both:
        names = [column["name"] for column in sheet["columns"]]
        assert sheet["total"][names.index("contribution")].removeprefix("≈ ") == sheet["score"]
        assert sheet["rows"][-1]["cells"][-1] == sheet["score"]


def test_unjudged_documents_and_missing_ranks_have_signs_of_their_own():
    edited = set_grade(move(RANKING, RANKING.retrieved[0].document, None), LAST, None)
    top, ideal = drawn(opened(ranking=pack(edited)), "ledger_shown")["tables"]
    grades = [row["cells"][2] for row in top["rows"]]
    assert grades == ["2", "0", "1", "?"]
    where = [column["name"] for column in ideal["columns"]].index("is at")
    assert [row["cells"][where] for row in ideal["rows"]] == ["–", "1", "3", "2"]


def test_a_long_ledger_is_drawn_in_part_and_offered_whole():
    entries = tuple(Entry(f"d{i}", float(i % 2)) for i in range(250))
    at = opened(k=0, ranking=pack(HandRanking(RANKING.query, entries)))
    assert not at.exception
    top, _ = drawn(at, "ledger_shown")["tables"]
    assert len(top["rows"]) == tables.MOST_ROWS
    added = HandRanking(RANKING.query, entries).ledger("DCG").contribution[200:].sum()
    assert top["more"] == f"50 more ranks add {added:.4f}"
    assert [len(frame) for frame in tables_of(at)[:2]] == [250, 250]


def test_the_strip_names_each_measure_with_its_cutoff():
    def shown(**link):
        found = drawn(opened(**link), "strip")["measures"]
        return {each["symbol"]: each for each in found}

    at_3 = shown(k=3, ties="mean")
    assert list(at_3) == ["P@3", "R@3", "F1@3", "AP", "RR", "nDCG@3"]
    for name, each in at_3.items():
        score = float(RANKING.ledger(name).scores[0])
        assert float(each["score"]) == pytest.approx(score, abs=5e-5)
    assert [name for name, each in at_3.items() if each["chosen"]] == ["nDCG@3"]
    assert at_3["AP"]["name"].startswith("AP, average precision.")
    assert at_3["RR"]["name"].endswith("Mean over queries: MRR.")
    assert list(shown(k=0)) == ["P", "R", "F1", "AP", "RR", "nDCG"]
    assert list(shown(measure="AP", k=0)) == ["P@5", "R@5", "F1@5", "AP", "RR", "nDCG@5"]
    at_3 = shown(measure="AP", k=3)
    assert list(at_3) == ["P@3", "R@3", "F1@3", "AP", "AP@3", "RR", "nDCG@3"]
    assert at_3["AP@3"]["chosen"]


@cases("elsewhere", [{"gain": "exponential"}, {"measure": "AP"}, {"k": 3}])
def test_printed_numbers_are_shown_under_their_own_measure_and_convention(elsewhere):
    def printed(at):
        return [each.label for each in at.expander if each.label.startswith("Printed in")]

    assert printed(opened())
    assert not printed(opened(**elsewhere))


def test_ap_is_an_area_under_ap_alone():
    assert "as an area" not in said(opened(view="Curves"))
    assert "**AP@5 as an area**: 0.8875" in said(opened(view="Curves", measure="AP", k=5))


def test_a_page_whose_data_are_gone_has_a_heading():
    at = opened(example="yours")
    assert [each.value for each in at.title] == ["Inspect"]
    assert at.warning[0].value.startswith("The data for this page were uploaded in a session")
