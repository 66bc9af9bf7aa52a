"""Compare's filter and the way to Inspect and back, with the mouse in a real browser."""

import re

from playwright.sync_api import expect

from tests.browser.actions import picking_tables, press_row
from tests.browser.conftest import settled
from tests.browser.test_user_journeys import metric


def scrolled(page):
    return page.get_by_test_id("stMain").evaluate("main => main.scrollTop")


def test_a_click_on_a_group_filters_and_inspect_leads_back_to_the_same_query(server, page):
    # A small window, in which the buttons are below what is seen.
    page.set_viewport_size({"width": 1280, "height": 500})
    page.goto(f"{server}/compare_runs?measure=nDCG&k=5&gain=exponential&look=Queries")
    verdict = page.get_by_role("heading", level=2)
    every = verdict.text_content()
    settled(page)
    groups = picking_tables(page).filter(has_text="keywords").last
    press_row(page, groups, 0)
    expect(page.get_by_role("button", name=re.compile(r"\d+ of 29 queries"))).to_be_visible()
    expect(page).to_have_url(re.compile("group="))
    expect(verdict).not_to_have_text(every)
    settled(page)
    # The popover shows what the click chose, and typing in it keeps it open.
    page.get_by_role("button", name=re.compile(r"\d+ of 29 queries")).click()
    page.get_by_label("Id or text contains").fill("e")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("find=e"))
    settled(page)
    page.keyboard.press("Escape")
    query = page.locator(".two .id").text_content()

    button = page.get_by_role("button", name="Open A in Inspect")
    button.scroll_into_view_if_needed()
    assert scrolled(page) > 0
    button.click()
    expect(page).to_have_url(re.compile(f"query={query}"))
    expect(metric(page, "nDCG@5")).to_be_visible()
    settled(page)
    assert scrolled(page) == 0
    page.get_by_role("tab", name="Unjudged").click()
    settled(page)
    assert scrolled(page) > 0

    page.get_by_role("button", name="Back to Compare").click()
    expect(page.locator(".two .id")).to_have_text(query)
    settled(page)
    assert scrolled(page) == 0
    for part in ("group=", "find=e", "k=5", "gain=exponential"):
        expect(page).to_have_url(re.compile(part))
    page.get_by_role("button", name="All queries").click()
    expect(page.get_by_role("button", name="all 29 queries")).to_be_visible()
    expect(verdict).to_have_text(every)
    settled(page)
    # Pressing the same group again filters again.
    press_row(page, groups, 0)
    expect(page.get_by_role("button", name=re.compile(r"\d+ of 29 queries"))).to_be_visible()
