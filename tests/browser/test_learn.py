"""Learn as a reader uses it: chapters with a list to move, cards of measures, and pitfalls."""

import itertools
import re

import pytest
from playwright.sync_api import expect

from metrics.editing.edits import step
from metrics.teaching.chapters import chapters, scored
from tests.browser.actions import choose, go_through_learn, open_tab, score, type_k
from tests.browser.conftest import settled
from tests.cases import cases

TITLE = "One answer, or all"
CHAPTER = chapters()[TITLE]


def value(ranking, name):
    return f"{scored(ranking, CHAPTER.readings[name]).scores[0]:.2f}"


def reading(page, name):
    return page.locator(".strip button").filter(has_text=re.compile(f"^{name}"))


def test_a_row_that_is_moved_changes_the_scores_that_notice_it(server, page):
    page.goto(f"{server}/learn")
    open_tab(page, TITLE)
    expect(page.get_by_role("heading", level=1, name=TITLE)).to_be_visible()
    expect(score(page)).to_have_text(value(CHAPTER.ranking, "RR"))
    last = CHAPTER.ranking.retrieved[4].document
    row = page.locator("li.row").filter(has_text=last)
    row.get_by_role("button", name=f"Move up: {last}").click()
    moved = step(CHAPTER.ranking, last, -1)
    expect(row.locator(".rank")).to_have_text("4")
    expect(reading(page, "AP")).to_contain_text(value(moved, "AP"))
    expect(score(page)).to_have_text(value(CHAPTER.ranking, "RR"))
    reading(page, "AP").click()
    expect(score(page)).to_have_text(value(moved, "AP"))
    page.get_by_role("button", name="Reset", exact=True).click()
    expect(score(page)).to_have_text(value(CHAPTER.ranking, "AP"))
    # The first chapter has its own list, and this one is as it was left.
    page.get_by_role("button", name="Next: ").click()
    expect(page.get_by_role("heading", level=1, name="Order and grades")).to_be_in_viewport()
    page.go_back()
    expect(score(page)).to_have_text(value(CHAPTER.ranking, "AP"))


def test_the_rail_is_beside_the_page_and_on_a_phone_above_it(server, page):
    page.goto(f"{server}/learn")
    tab = page.get_by_role("tab", name="Order and grades", exact=True)
    title = page.get_by_role("heading", level=1)
    settled(page)
    assert tab.bounding_box()["x"] + tab.bounding_box()["width"] < title.bounding_box()["x"]
    page.get_by_role("tab", name="What a grade is").focus()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("heading", level=1, name=TITLE)).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    settled(page)
    # A list of all rooms is between the title and the text.
    expect(page.get_by_role("tab")).to_have_count(0)
    rooms = page.get_by_role("combobox", name="Chapter or reference")
    expect(rooms).to_have_value(f"2. {TITLE}")
    assert rooms.bounding_box()["y"] > title.bounding_box()["y"]
    assert rooms.bounding_box()["y"] < page.get_by_text("At two in the morning").bounding_box()["y"]
    # A title of two lines leaves its bar in its row.
    ends = page.locator("li.row").evaluate_all(
        "all => all.map((row) => ['.bar', '.grade'].map((part) =>"
        " row.querySelector(part).getBoundingClientRect().bottom)"
        ".concat(row.getBoundingClientRect().bottom))"
    )
    assert ends
    assert all(max(bar, grade) < row for bar, grade, row in ends)
    rooms.click()
    page.get_by_role("option", name="Checked sources").click()
    expect(title).to_have_text("Checked sources")
    expect(page).to_have_url(re.compile("room=Checked"))
    # A card of a source leads to its example, which is below all of them.
    expect(page.get_by_role("list", name="Checked sources")).to_be_visible()
    page.locator("[data-id]").filter(has_text="Headphones, 20 results").click()
    expect(page.get_by_role("heading", name="Headphones, 20 results")).to_be_in_viewport()


def test_two_cards_are_compared_on_one_list(server, page):
    page.goto(f"{server}/learn?room=All measures")
    expect(page.get_by_role("list", name="Measures: The usual ones")).to_be_visible()
    page.get_by_role("button", name="reciprocal rank", exact=False).first.click()
    expect(page.get_by_role("heading", name="Reciprocal rank (RR)")).to_be_visible()
    expect(page).to_have_url(
        re.compile("room=One.measure.*measure=RR|measure=RR.*room=One.measure")
    )
    choose(page, "Compare with", typed="AP · average")
    expect(reading(page, "AP")).to_be_visible()
    expect(page).to_have_url(re.compile("against=AP"))
    page.go_back()
    expect(reading(page, "AP")).to_have_count(0)


def test_a_usual_choice_opens_both_of_its_measures(server, page):
    page.goto(f"{server}/learn?room=Which measure?")
    page.get_by_role("button", name="Fact checking").click()
    expect(page.get_by_role("heading", name="Hit rate (Success)")).to_be_visible()
    expect(reading(page, "RR")).to_be_visible()


def test_an_answer_does_not_move_the_usual_choices(server, page):
    page.goto(f"{server}/learn?room=Which measure?")
    usual = page.get_by_role("heading", name="Usual choices")
    settled(page)
    at = usual.bounding_box()
    for answer in ("No: the first", "Yes", "Yes", "a result page"):
        page.get_by_role("button", name=answer).click()
        settled(page)
        assert usual.bounding_box() == at
    expect(page.get_by_text("Report nDCG@10")).to_be_visible()


def test_a_theme_of_the_glossary_is_one_press_away_and_no_step_of_back(server, page):
    page.goto(f"{server}/learn")
    open_tab(page, "Glossary")
    theme = page.get_by_role("heading", name="Two runs")
    expect(theme).not_to_be_in_viewport()
    page.get_by_role("link", name="Two runs").click()
    expect(theme).to_be_in_viewport()
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="What a grade is")).to_be_visible()


def test_a_phone_shows_one_theme_of_the_glossary_where_the_pressed_pill_is(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/learn?room=Glossary")
    shown = page.locator(".st-key-themes h2").filter(visible=True)
    expect(shown).to_have_text("A ranking")
    settled(page)
    at = shown.bounding_box()["y"]
    for theme in ("What a list earns", "Two runs", "A ranking"):
        pill = page.get_by_role("link", name=theme, exact=True)
        pill.click()
        expect(shown).to_have_text(theme)
        expect(pill).to_have_attribute("aria-current", "true")
        # Nothing above it has moved, and the page is short.
        assert abs(shown.bounding_box()["y"] - at) < 1
        assert page.get_by_test_id("stMain").evaluate("main => main.scrollHeight") < 2000
    expect(page.locator(".st-key-jumps [aria-current]")).to_have_count(1)


def test_the_first_card_and_the_pressed_family_are_on_the_first_screen_of_a_phone(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/learn?room=All measures&family=Counts and costs")
    first = page.locator(".wide [data-id]").first
    expect(first).to_be_in_viewport(ratio=1)
    settled(page)
    assert first.bounding_box()["y"] < 360
    pressed = page.get_by_role("radio", name="Counts and costs")
    box = pressed.bounding_box()
    assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_a_recommendation_and_its_pictures_are_on_the_first_screen_of_a_phone(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/learn?room=Which measure?&choice=b-a-a")
    page.get_by_role("button", name="a list that is scrolled").click()
    expect(page.get_by_role("heading", name="Report nDCG@20")).to_be_in_viewport(ratio=1)
    for picture in page.locator("figure").all():
        expect(picture).to_be_in_viewport(ratio=1)
    expect(page.locator("figure")).to_have_count(2)


@pytest.mark.parametrize("name", ["Practice", "Why tools differ"])
def test_a_door_in_the_rail_opens_a_page_that_the_menu_lacks(server, page, name):
    page.goto(f"{server}/learn")
    expect(page.get_by_test_id("stTopNavLink")).to_have_text(
        ["Start", "Inspect", "Compare", "Judge", "Learn", "Data"]
    )
    go_through_learn(page, name)
    page.go_back()
    expect(page.get_by_role("heading", level=1, name="What a grade is")).to_be_visible()


def test_a_link_to_a_pitfall_opens_it_in_sight(server, page):
    page.goto(f"{server}/learn?room=Pitfalls&pitfall=ids-that-do")
    lists = page.locator(".lists figure")
    expect(lists).to_have_count(2)
    expect(lists.first).to_be_in_viewport()


@pytest.mark.parametrize("width", [1280, 390])
def test_no_label_of_the_line_of_tools_lies_over_another(server, page, width):
    page.set_viewport_size({"width": width, "height": 844})
    page.goto(f"{server}/conventions")
    dots, labels = page.locator(".line .dot"), page.locator(".line .label")
    expect(labels.first).to_be_visible()
    settled(page)
    line = page.locator(".line").bounding_box()
    boxes = [each.bounding_box() for each in labels.all()]
    for place, one in enumerate(boxes):
        assert line["x"] - 1 <= one["x"] <= one["x"] + one["width"] <= line["x"] + line["width"] + 1
        for other in boxes[place + 1 :]:
            aside = one["x"] + one["width"] <= other["x"] or other["x"] + other["width"] <= one["x"]
            below = one["y"] + one["height"] <= other["y"] + 1
            above = other["y"] + other["height"] <= one["y"] + 1
            assert aside or below or above
    names = (each.replace("”, ", "” ") for each in labels.locator("span").all_inner_texts())
    counts = (re.search(r" and (\d+) more$", each) or each.count(", ") + 1 for each in names)
    # A dot has the number of its tools, unless it is one.
    assert [int(each or 1) for each in dots.all_inner_texts()] == [
        each if isinstance(each, int) else 1 + int(each[1]) for each in counts
    ]
    # No dot lies over another.
    rounds = [each.bounding_box() for each in dots.all()]
    for one, other in itertools.pairwise(rounds):
        aside = one["x"] + one["width"] <= other["x"] + 1
        assert aside or one["y"] + one["height"] <= other["y"] + 1
    leads = page.locator(".line .lead")
    assert leads.count() == len(boxes)
    assert max(lead.evaluate("lead => lead.offsetWidth") for lead in leads.all()) < 44


def test_a_card_on_a_phone_has_its_words_beside_its_picture_below_what_bars_mean(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    for room, costs in (("All+measures", 0), ("All+measures&family=Counts+and+costs", 1)):
        page.goto(f"{server}/learn?room={room}")
        expect(page.locator(".key .lost")).to_have_count(costs)
        expect(page.locator(".key .earned")).to_be_visible()
        picture, words = (
            page.locator(f".wide [data-id] .{part}").first.bounding_box()
            for part in ("bars", "words")
        )
        assert picture["x"] + picture["width"] < words["x"]


def test_on_a_phone_a_pressed_score_s_reason_comes_into_sight_below_the_line(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/conventions")
    # What finds the convention of a number is on the first screen.
    expect(page.get_by_text("Find the convention behind a number")).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="0.9488").click()
    expect(page.locator("[class*=st-key-why_]").nth(1)).to_contain_text("LightGBM, XGBoost")
    button = page.get_by_role("button", name="Use this convention").first
    expect(button).to_be_in_viewport(ratio=1)
    expect(page.locator(".line")).to_be_in_viewport(ratio=1)
    # Who uses its convention sees the line, with the new score first.
    button.click()
    expect(page.locator("[class*=st-key-why_]").first).to_contain_text("LightGBM, XGBoost")
    expect(page.get_by_role("heading", name="Why tools differ", exact=True)).to_be_in_viewport()


def test_dots_travel_when_the_measure_changes(server, page):
    page.goto(f"{server}/conventions")
    dots = page.locator(".line .dot")
    expect(dots.first).to_be_visible()
    settled(page)
    before = [box.bounding_box()["x"] for box in dots.all()]
    type_k(page, "3")
    settled(page)
    page.wait_for_timeout(400)
    after = [box.bounding_box()["x"] for box in dots.all()]
    assert sorted(after) != sorted(before)
    page.emulate_media(reduced_motion="reduce")
    assert dots.first.evaluate("dot => getComputedStyle(dot).transitionDuration") == "0s"


@cases("chapter", chapters())
def test_scores_fit_their_frames_and_they_and_the_rail_stay_in_sight(server, page, chapter):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{server}/learn?room={chapter}")
    settled(page)
    for frame in page.locator(".strip button").all():
        assert frame.evaluate("each => each.scrollWidth <= each.clientWidth")
    page.locator(".st-key-prose_rest p").last.scroll_into_view_if_needed()
    for beside in (page.locator(".score"), page.locator(".strip button").last):
        expect(beside).to_be_in_viewport(ratio=1)
    page.get_by_role("button", name="Next: ").hover()
    expect(page.get_by_role("tablist")).to_be_in_viewport(ratio=1)
    expect(page.locator(".st-key-learn_doors a").last).to_be_in_viewport(ratio=1)
