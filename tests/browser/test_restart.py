"""After the server dies during an edit, the ranking is restored or its loss is reported."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.actions import saved
from tests.browser.conftest import address, drop_box, free_port, settled, start
from tests.browser.test_comparing import upload
from tests.browser.test_editing import START, documents, drag, expect_order, grade, row, rows, score

GONE = "The data for this page were uploaded in a session that has ended"
ALONE = "The link contains only this ranking"


class Server:
    """The app on one port, to be killed and restarted there."""

    def __init__(self):
        self.port = free_port()
        self.url = address(self.port)
        self.process = start(self.port)

    def kill(self):
        self.process.kill()
        self.process.wait(60)

    def restart(self):
        self.kill()
        self.process = start(self.port)


@pytest.fixture(scope="module")
def own_server():
    server = Server()
    yield server
    server.kill()


def lost(page):
    return page.get_by_role("dialog").filter(has_text="Connection error")


def edited(page):
    """Move the last document up and raise its neighbour's grade."""
    drag(page, "MacBook", "Gaming")
    expect(score(page)).to_have_text("0.9923")
    row(page, "Gaming").get_by_role("button", name="Raise the grade").click()
    expect(grade(page, "Gaming")).to_have_text("1")
    expect(score(page)).not_to_have_text("0.9923")
    settled(page)
    return score(page).inner_text()


def expect_edited(page, value):
    expect(score(page)).to_have_text(value)
    expect_order(page, [*START[:2], START[4], START[2], START[3]])
    expect(grade(page, "Gaming")).to_have_text("1")


def test_an_edited_sample_is_restored_after_a_reload(own_server, page):
    page.goto(f"{own_server.url}/inspect_query")
    expect_order(page, START)
    value = edited(page)
    own_server.kill()
    expect(lost(page)).to_be_visible()
    own_server.restart()
    page.reload()
    expect_edited(page, value)
    settled(page)
    page.get_by_role("button", name="Undo").first.click()
    expect_order(page, START)
    expect(score(page)).to_have_text("0.9602")
    page.get_by_role("button", name="Redo").first.click()
    expect_edited(page, value)


def test_the_page_recovers_without_a_reload(own_server, page):
    page.goto(f"{own_server.url}/inspect_query")
    expect_order(page, START)
    value = edited(page)
    own_server.kill()
    expect(lost(page)).to_be_visible()
    own_server.restart()
    expect(lost(page)).to_have_count(0)
    expect_edited(page, value)
    # The first action only makes the new server draw the page again.
    rows(page).first.evaluate("row => row.classList.add('old')")
    rows(page).first.click()
    expect(page.locator("li.old")).to_have_count(0)
    expect_edited(page, value)
    settled(page)
    row(page, "Budget").get_by_role("button", name="Move up").click()
    expect_order(page, [*START[:2], START[4], START[3], START[2]])


def test_a_ranking_of_uploaded_data_is_restored_and_the_lost_data_are_reported(own_server, page):
    upload(page, own_server.url)
    page.get_by_role("button", name="Inspect a query").click()
    expect(rows(page).first).to_be_visible()
    settled(page)
    before = score(page).inner_text()
    rows(page).first.get_by_role("button", name="Move down").click()
    expect(score(page)).not_to_have_text(before)
    settled(page)
    expect(page).to_have_url(re.compile("example=yours.*ranking=1"))
    value, order = score(page).inner_text(), documents(page)
    expect(page.get_by_text(ALONE)).to_have_count(0)
    own_server.restart()
    page.reload()
    expect(score(page)).to_have_text(value)
    ids = [re.escape(name.split("  ")[0]) for name in order]
    expect(page.locator("li.row .name")).to_have_text([re.compile(rf"^{each}\b") for each in ids])
    expect(page.get_by_text(ALONE)).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    expect(page.get_by_text(ALONE)).to_be_visible()
    upload(page, own_server.url)
    expect(page.get_by_text(ALONE)).to_have_count(0)


def test_a_comparison_of_uploaded_data_reports_that_they_are_lost(own_server, page):
    upload(page, own_server.url)
    page.get_by_role("button", name="Compare the runs").click()
    expect(page).to_have_url(re.compile("data=yours"))
    settled(page)
    own_server.restart()
    page.reload()
    expect(page.get_by_text(GONE)).to_be_visible()


def test_a_ranking_too_long_for_the_link_is_restored_from_its_file(own_server, page, tmp_path):
    page.goto(f"{own_server.url}/inspect_query")
    expect_order(page, START)
    draw = random.Random(1)
    lines = "\n".join(f"{draw.getrandbits(64):x},{draw.randrange(4)}" for _ in range(200))
    page.get_by_role("button", name="Paste").click()
    page.get_by_role("textbox", name="Grades in rank order").fill(lines)
    page.get_by_role("button", name="Replace the ranking").click()
    expect(page.get_by_text("too long for the link, which does not hold it")).to_be_visible()
    settled(page)
    value, first = score(page).inner_text(), rows(page).first.locator(".name").inner_text()
    page.get_by_role("button", name="Share").click()
    file = saved(page, "Save the ranking", tmp_path)
    own_server.restart()
    page.reload()
    expect_order(page, START)
    settled(page)
    page.get_by_role("button", name="Paste").click()
    field = page.get_by_role("region", name="Or a saved ranking")
    field.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Open the saved ranking").click()
    expect(rows(page).first.locator(".name")).to_have_text(first)
    expect(score(page)).to_have_text(value)


def test_a_saved_session_restores_data_edits_and_settings(own_server, page, tmp_path):
    upload(page, own_server.url)
    page.get_by_role("button", name="Inspect a query").click()
    expect(rows(page).first).to_be_visible()
    page.get_by_label("k", exact=True).fill("3")
    page.get_by_label("k", exact=True).press("Enter")
    expect(page).to_have_url(re.compile("k=3"))
    settled(page)
    rows(page).first.get_by_role("button", name="Move down").click()
    expect(page.get_by_text("The last edit")).to_be_visible()
    settled(page)
    value, order = score(page).inner_text(), documents(page)
    page.get_by_role("link", name="Data", exact=True).click()
    file = saved(page, "Save the session", tmp_path)
    own_server.restart()
    page.goto(f"{own_server.url}/data")
    drop_box(page).set_input_files(file)
    expect(page.get_by_role("button", name="Compare the runs")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Inspect", exact=True).click()
    expect(score(page)).to_have_text(value)
    expect(page.locator("li.row .name")).to_have_text(order)
    expect(page.get_by_label("k", exact=True)).to_have_value("3")
    expect(page.get_by_role("button", name="Undo").first).to_be_enabled()
