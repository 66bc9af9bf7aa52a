"""After the server dies during an edit, the ranking is restored or its loss is reported."""

import random
import re

import pytest
from playwright.sync_api import expect

from tests.browser.actions import saved, score, type_k
from tests.browser.conftest import address, drop_box, free_port, settled, start
from tests.browser.test_comparing import upload
from tests.browser.test_editing import START, documents, drag, expect_grade, expect_order, row, rows

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
    expect_grade(page, "Gaming", "1")
    expect(score(page)).not_to_have_text("0.9923")
    settled(page)
    return score(page).inner_text()


def expect_edited(page, value):
    expect(score(page)).to_have_text(value)
    expect_order(page, [*START[:2], START[4], START[2], START[3]])
    expect_grade(page, "Gaming", "1")


def test_an_edited_sample_is_restored_after_a_reload_and_without_one(own_server, context):
    page, waiting = context.new_page(), context.new_page()
    for each in (page, waiting):
        each.goto(f"{own_server.url}/inspect_query")
        expect_order(each, START)
    value = edited(page)
    assert edited(waiting) == value
    own_server.kill()
    for each in (page, waiting):
        expect(lost(each)).to_be_visible()
    own_server.restart()

    page.reload()
    expect_edited(page, value)
    settled(page)
    page.get_by_role("button", name="Undo").first.click()
    expect_order(page, START)
    expect(score(page)).to_have_text("0.9602")
    page.get_by_role("button", name="Redo").first.click()
    expect_edited(page, value)

    expect(lost(waiting)).to_have_count(0)
    expect_edited(waiting, value)
    # The first action only makes the new server draw the page again.
    rows(waiting).first.evaluate("row => { row.ariaLabel = 'old'; }")
    rows(waiting).first.click()
    expect(waiting.locator("li[aria-label=old]")).to_have_count(0)
    expect_edited(waiting, value)
    settled(waiting)
    row(waiting, "Budget").get_by_role("button", name="Move up").click()
    expect_order(waiting, [*START[:2], START[4], START[3], START[2]])


def test_lost_data_are_reported_and_the_ranking_of_them_is_restored(own_server, context):
    comparison, page = context.new_page(), context.new_page()
    upload(comparison, own_server.url)
    comparison.get_by_role("button", name="Compare the runs").click()
    expect(comparison).to_have_url(re.compile("data=yours"))
    settled(comparison)
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
    comparison.reload()
    expect(comparison.get_by_text(GONE)).to_be_visible()
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


def test_a_saved_ranking_and_a_saved_session_are_restored_from_their_files(
    own_server, context, tmp_path
):
    # The ranking is too long for the link, so that only its file has it.
    page, other = context.new_page(), context.new_page()
    page.goto(f"{own_server.url}/inspect_query")
    expect_order(page, START)
    draw = random.Random(1)
    lines = "\n".join(f"{draw.getrandbits(64):x},{draw.randrange(4)}" for _ in range(200))
    page.get_by_role("button", name="Paste").click()
    page.get_by_role("textbox", name="One title per line").fill(lines)
    page.get_by_role("button", name="Use this list").click()
    expect(page.get_by_text("too long for a link")).to_be_visible()
    settled(page)
    value, first = score(page).inner_text(), rows(page).first.locator(".name").inner_text()
    page.get_by_role("button", name="Share").click()
    ranking = saved(page, "Save the ranking", tmp_path)

    upload(other, own_server.url)
    other.get_by_role("button", name="Inspect a query").click()
    expect(rows(other).first).to_be_visible()
    type_k(other, "3")
    expect(other).to_have_url(re.compile("k=3"))
    settled(other)
    rows(other).first.get_by_role("button", name="Move down").click()
    expect(other.locator(".score .change").first).not_to_be_empty()
    settled(other)
    edited_value, order = score(other).inner_text(), documents(other)
    other.get_by_role("link", name="Data", exact=True).click()
    session = saved(other, "Save the session", tmp_path)

    own_server.restart()
    page.reload()
    expect_order(page, START)
    settled(page)
    page.get_by_role("button", name="Paste").click()
    field = page.get_by_role("region", name="Or a saved ranking")
    field.locator("input[type=file]").set_input_files(ranking)
    page.get_by_role("button", name="Open the saved ranking").click()
    expect(rows(page).first.locator(".name")).to_have_text(first)
    expect(score(page)).to_have_text(value)

    other.goto(f"{own_server.url}/data")
    drop_box(other).set_input_files(session)
    expect(other.get_by_role("button", name="Compare the runs")).to_be_visible()
    settled(other)
    other.get_by_role("link", name="Inspect", exact=True).click()
    expect(score(other)).to_have_text(edited_value)
    expect(other.locator("li.row .name")).to_have_text(order)
    expect(other.get_by_role("button", name="3", exact=True)).to_be_visible()
    expect(other.get_by_role("button", name="Undo").first).to_be_enabled()
