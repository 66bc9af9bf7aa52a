"""Practice as students use it: answer, see the solution, open Inspect, come back."""

import re
from pathlib import Path

from playwright.sync_api import expect

from metrics.teaching.exercises import exercise
from tests.browser.actions import go_through_learn, score
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
    expect(page.get_by_text(re.compile(f"Right: {re.escape(blank.key)} [=≈] "))).to_be_visible()
    page.get_by_text("Show the solution").click()
    settled(page)
    page.get_by_role("button", name="Open on Inspect").click()
    expect(score(page)).to_have_text(blank.key)
    go_through_learn(page, "Practice")
    expect(page.get_by_label(blank.label)).to_have_value(f"{blank.answer:.3f}")
    expect(page).to_have_url(re.compile("kind=ndcg.*no=3"))


def test_the_blanks_of_a_table_are_filled_in_its_cells_on_a_phone(server, page):
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{server}/practice?kind=table&difficulty=1&no=1")
    first, second, *_ = exercise("table", "1", 1).blanks
    field = page.get_by_label(first.label)
    expect(field).to_be_visible()
    box = field.bounding_box()
    assert box["x"] + box["width"] <= 390
    field.fill(first.hints.working)
    # The next blank cell is the next stop of the Tab key.
    field.press("Tab")
    page.keyboard.type(f"{second.answer:.3f}")
    page.keyboard.press("Enter")
    for blank in (first, second):
        expect(page.get_by_text(re.compile(f"Right: {re.escape(blank.key)} [=≈] "))).to_be_visible()
    expect(page).to_have_url(re.compile("tally=table1.1x"))
    page.reload()
    expect(page.get_by_text("0 of 1 right")).to_be_visible()


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
