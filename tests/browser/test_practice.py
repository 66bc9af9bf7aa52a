"""Practice as students use it: answer, see the solution, open Inspect, come back."""

import re
from pathlib import Path

from playwright.sync_api import expect

from metrics.teaching.exercises import exercise
from tests.browser.conftest import downloaded, settled


def test_answers_are_checked_immediately_and_kept(server, page):
    page.goto(f"{server}/practice?kind=ndcg&difficulty=2&no=3")
    (blank,) = exercise("ndcg", "2", 3).blanks
    words, value = next(iter(blank.mistakes.items()))
    field = page.get_by_label(blank.label)
    field.fill(f"{value:.4f}")
    field.press("Enter")
    expect(page.get_by_text(f"is what you get {words}")).to_be_visible()
    field.fill(f"{blank.answer:.3f}")
    field.press("Enter")
    expect(page.get_by_text(f"Right: {blank.key}.")).to_be_visible()
    page.get_by_text("Show the solution").click()
    settled(page)
    page.get_by_role("button", name="Open on Inspect").click()
    expect(page.get_by_test_id("stMetricValue").first).to_have_text(blank.key)
    page.get_by_role("link", name="Practice").click()
    expect(page.get_by_label(blank.label)).to_have_value(f"{blank.answer:.3f}")
    expect(page).to_have_url(re.compile("kind=ndcg.*no=3"))


def test_the_sheet_is_saved_with_its_key(server, page):
    page.goto(f"{server}/practice?kind=sets&no=5")
    page.get_by_role("button", name="Sheet to print").click()
    settled(page)
    download = downloaded(page, page.get_by_role("button", name="Save as HTML"))
    assert download.suggested_filename == "practice-sets-1-5.html"
    page.set_content(Path(download.path()).read_text("utf-8"))
    expect(page.get_by_role("heading", level=2)).to_have_count(8)
    expect(page.locator(".key section")).to_have_count(8)
    last = exercise("sets", "1", 12).blanks[0]
    expect(page.locator(".key section").last).to_contain_text(f"{last.label} = {last.key}")
