"""Back and Forward go through the choices on a page, one press each."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.actions import choose, open_tab, score, setting, type_k, words_of
from tests.browser.conftest import settled
from tests.browser.test_editing import documents, expect_order, rows

FIRST_EDIT = re.compile("ranking=")


def choices(page, server):
    """Make ten choices on three pages; yield what each shows, with the check of it."""

    def shows(path, *found):
        def check():
            expect(page).to_have_url(re.compile(path))
            for locator, pattern in found:
                expect(locator).to_have_text(re.compile(pattern), use_inner_text=True)
            settled(page)

        return check

    def option(picker, name):
        setting(page, picker)
        page.get_by_role("combobox", name=picker, exact=True).click()
        page.get_by_role("option", name=name, exact=True).click()
        page.keyboard.press("Escape")

    a = words_of(page, "Run A")
    query = page.locator(".two .id")
    k = words_of(page, "Cutoff k")
    page.goto(f"{server}/compare_runs")
    yield shows("compare_runs$", (a, "bm25"))
    option("Run A", "Ideal")
    # The query that is shown stays, although another one would be the first of these runs.
    yield shows("a=ideal&q=q21$", (a, "Ideal"))
    page.get_by_role("button", name="Options", exact=True).click()
    page.get_by_role("button", name="Swap A and B", exact=True).click()
    page.keyboard.press("Escape")
    yield shows("b=ideal", (a, "char_ngrams"))
    choose(page, "Query", typed="q10")
    yield shows("q=q10", (query, "^q10$"))
    open_tab(page, "More")
    yield shows("look=One.document")
    page.get_by_role("radio", name="Scores", exact=True).click()
    yield shows("look=Scores")
    page.get_by_role("link", name="Learn", exact=True).click()
    yield shows("learn$")
    page.get_by_role("link", name="Practice", exact=True).click()
    yield shows("practice$")
    page.get_by_role("button", name="Next", exact=True).click()
    yield shows("no=2$")
    page.get_by_role("link", name="Learn", exact=True).click()
    yield shows("learn$")
    page.get_by_role("tab", name="Glossary", exact=True).click()
    yield shows("room=Glossary$")
    page.get_by_role("link", name="Inspect", exact=True).click()
    yield shows("inspect_query", (k, "[0-9]"))
    type_k(page, "3")
    yield shows("k=3", (k, "3"))


def test_each_press_of_back_undoes_one_choice_and_forward_makes_it_again(server, page):
    checks = []
    for check in choices(page, server):
        check()
        checks.append(check)
    for check in checks[-2::-1]:
        page.go_back()
        check()
    for check in checks[1:]:
        page.go_forward()
        check()
    page.reload()
    checks[-1]()


def go(page, way, address):
    """Go back or forward to an address, and wait until the page is no longer held in its place."""
    way()
    expect(page).to_have_url(re.compile(address))
    settled(page)
    page.wait_for_timeout(2500)


def test_back_from_a_group_shows_its_row_where_it_was_pressed_and_the_query_that_was_open(
    server, page
):
    page.goto(f"{server}/compare_runs?look=Queries")
    settled(page)
    # A link with a tab leads to it.
    tab = page.get_by_role("tab", name="Queries", exact=True)
    expect(tab).to_be_in_viewport()
    query = page.locator(".two .id")
    before = query.inner_text()
    # Back leads to one address twice.
    page.get_by_role("button", name="q07", exact=True).click()
    expect(page).to_have_url(re.compile("q=q07"))
    settled(page)
    page.go_back()
    expect(query).to_have_text(before)
    settled(page)
    group = page.get_by_role("button", name="keywords", exact=True)
    group.scroll_into_view_if_needed()
    settled(page)
    place = group.bounding_box()
    group.click()
    expect(page).to_have_url(re.compile("group=keywords"))
    settled(page)
    expect(query).not_to_have_text(before)
    go(page, page.go_back, r"compare_runs\?look=Queries$")
    expect(query).to_have_text(before)
    assert group.bounding_box() == pytest.approx(place, abs=2)


AFTER_EACH = """
what => {
  const push = history.pushState;
  history.pushState = (...step) => {
    push.apply(history, step);
    const pressed = new PointerEvent("pointerdown", { bubbles: true });
    if (what === "Escape") dispatchEvent(new KeyboardEvent("keydown", { key: what }));
    else document.querySelector(what).dispatchEvent(pressed);
  };
}
"""
"""Closes a list of options, by a key or a press beside it, after each change of the address."""


@pytest.mark.parametrize("what", ["Escape", "[data-testid=stMain]"])
def test_what_closes_a_list_of_options_makes_no_second_step_of_one_choice(server, page, what):
    page.goto(f"{server}/compare_runs")
    settled(page)
    page.evaluate(AFTER_EACH, what)
    setting(page, "Run A")
    page.get_by_role("combobox", name="Run A", exact=True).click()
    page.get_by_role("option", name="Ideal", exact=True).click()
    # The run is written into the address first, the query that stays in view after it.
    expect(page).to_have_url(re.compile("a=ideal&q=q21$"))
    settled(page)
    page.go_back()
    expect(page).to_have_url(re.compile("compare_runs$"))


def test_back_undoes_an_edit_of_the_ranking(server, page):
    page.goto(f"{server}/inspect_query")
    settled(page)
    names, value = documents(page), score(page).inner_text()
    rows(page).nth(2).get_by_role("button", name="Move up").click()
    expect(page).to_have_url(FIRST_EDIT)
    settled(page)
    edited = documents(page)
    page.go_back()
    expect(page).not_to_have_url(FIRST_EDIT)
    expect(score(page)).to_have_text(value)
    expect_order(page, names)
    settled(page)
    expect(page.get_by_role("button", name="Redo").first).to_be_enabled()
    page.go_forward()
    expect(page).to_have_url(FIRST_EDIT)
    expect_order(page, edited)


def test_back_after_a_presentation_leads_to_what_was_before_it(server, page):
    page.goto(f"{server}/compare_runs")
    settled(page)
    choose(page, "Query", typed="q10")
    expect(page).to_have_url(re.compile("q=q10$"))
    settled(page)
    page.get_by_role("button", name="Present", exact=True).click()
    for panel in ("verdict", "movement"):
        expect(page).to_have_url(re.compile(f"present={panel}"))
        settled(page)
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("present=waterfall"))
    settled(page)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("q=q10$"))
    settled(page)
    page.go_back()
    expect(page).to_have_url(re.compile("compare_runs$"))
    expect(page.get_by_role("button", name="Present", exact=True)).to_be_visible()


def test_back_from_another_page_and_forward_lead_to_where_each_was_left(server, page):
    page.goto(f"{server}/compare_runs?look=Labels")
    settled(page)
    row = page.get_by_role("button", name="q04", exact=True)
    row.scroll_into_view_if_needed()
    place = row.bounding_box()
    row.click()
    expect(page).to_have_url(re.compile("q=q04"))
    settled(page)
    page.wait_for_timeout(2000)
    title = page.locator(".two .title")
    opened = title.bounding_box()
    page.get_by_role("link", name="Learn", exact=True).click()
    expect(page).to_have_url(re.compile("learn"))
    settled(page)
    # What is above may be folded otherwise when the page is drawn anew.
    go(page, page.go_back, "q=q04")
    assert title.bounding_box()["y"] == pytest.approx(opened["y"], abs=30)
    go(page, page.go_back, "look=Labels$")
    assert row.bounding_box()["y"] == pytest.approx(place["y"], abs=30)
    go(page, page.go_forward, "q=q04")
    assert title.bounding_box()["y"] == pytest.approx(opened["y"], abs=30)
