"""A reload, a second tab and another browser: who finds the uploaded data again."""

import re

from playwright.sync_api import expect

from tests.browser.actions import score
from tests.browser.conftest import new_context, settled
from tests.browser.test_comparing import upload


def verdict(page):
    return page.get_by_role("heading", name=re.compile("char_ngrams is better than"))


def test_a_reload_finds_the_uploaded_data(server, context):
    page = context.new_page()
    upload(page, server)
    page.reload()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Compare the runs").click()
    expect(verdict(page)).to_be_visible()
    settled(page)
    page.reload()
    expect(verdict(page)).to_be_visible()
    (cookie,) = [each for each in context.cookies() if each["name"] == "rankscope_browser"]
    assert cookie["httpOnly"]
    assert cookie["sameSite"] == "Lax"


def test_after_a_reload_of_another_page_the_menu_opens_the_own_data(server, context):
    page = context.new_page()
    upload(page, server)
    page.reload()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Compare").click()
    expect(verdict(page)).to_be_visible()
    expect(page).to_have_url(re.compile("data=yours"))
    page.get_by_role("link", name="Judge").click()
    settled(page)
    expect(page).to_have_url(re.compile("example=yours"))


def test_a_page_that_lacks_a_part_of_it_offers_to_load_it_again(server, context):
    page = context.new_page()
    charts = "**/PlotlyChart*"
    page.route(charts, lambda route: route.abort())
    page.goto(f"{server}/inspect_query")
    told = page.get_by_role("alert").filter(has_text="A part of this page did not arrive.")
    expect(told).to_contain_text("your data and edits stay")
    settled(page)
    before = score(page).inner_text()
    page.get_by_role("button", name="Raise the grade").first.click()
    expect(score(page)).not_to_have_text(before)
    settled(page)
    after = score(page).inner_text()
    page.unroute(charts)
    told.get_by_role("button", name="Load again").click()
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(score(page)).to_have_text(after)
    expect(told).to_have_count(0)


def test_an_edit_can_be_undone_after_a_reload(server, context):
    page = context.new_page()
    upload(page, server)
    page.get_by_role("button", name="Inspect a query").click()
    settled(page)
    raise_grade = page.get_by_role("button", name="Raise the grade").first
    before = score(page).inner_text()
    raise_grade.click()
    expect(score(page)).not_to_have_text(before)
    settled(page)
    after = score(page).inner_text()
    page.reload()
    expect(score(page)).to_have_text(after)
    settled(page)
    page.get_by_role("button", name="Undo").click()
    expect(score(page)).to_have_text(before)


def test_a_second_tab_begins_empty_unless_its_address_asks_for_the_data(server, context):
    page = context.new_page()
    upload(page, server)
    second = context.new_page()
    second.goto(f"{server}/data")
    expect(second.get_by_role("heading", name="Open a sample")).to_be_visible()
    settled(second)
    expect(second.get_by_role("heading", name="Your data")).to_have_count(0)
    second.goto(f"{server}/compare_runs?data=yours")
    expect(verdict(second)).to_be_visible()
    # What one tab drops stays in the other.
    page.get_by_role("button", name="Remove all data").click()
    expect(page.get_by_role("heading", name="Your data")).to_have_count(0)
    second.reload()
    expect(verdict(second)).to_be_visible()


def test_another_browser_gets_nothing(server, context, chromium):
    page = new_context(chromium).new_page()
    mine = context.new_page()
    upload(mine, server)
    mine.close()
    page.goto(f"{server}/compare_runs?data=yours")
    expect(page.get_by_text("The data for this page were uploaded in a session")).to_be_visible()
    # The browser that closed its tab finds the data in its next one.
    mine = context.new_page()
    mine.goto(f"{server}/compare_runs?data=yours")
    expect(verdict(mine)).to_be_visible()
    page.context.close()


FORGETS = """
const Plain = WebSocket;
window.WebSocket = class extends Plain {
  constructor(address, protocols) {
    // The third names the session to go on with, which the server has dropped after minutes.
    super(window.away ? "ws://127.0.0.1:9" : address, protocols.slice(0, 2));
    window.connection = this;
  }
};
"""
LEFT = "() => { window.away = true; connection.close(); }"
BACK = """() => new Promise((done) => {
  window.away = false;
  const is_back = () => connection.readyState === 1 && connection.url.includes("stream");
  const look = () => (is_back() ? done() : setTimeout(look, 100));
  look();
})"""


def test_a_page_that_was_away_too_long_keeps_its_edits_and_says_so(server, context):
    page = context.new_page()
    page.add_init_script(FORGETS)
    upload(page, server)
    page.get_by_role("button", name="Inspect a query").click()
    settled(page)
    number = score(page)
    raise_grade = page.get_by_role("button", name="Raise the grade").first
    before = number.inner_text()
    raise_grade.click()
    expect(number).not_to_have_text(before)
    settled(page)
    edited = number.inner_text()
    told = page.get_by_role("alert").filter(has_text="the server began a new session")
    expect(told).to_have_count(0)
    page.evaluate(LEFT)
    raise_grade.click()
    page.evaluate(BACK)
    # The new session begins with the next change.
    raise_grade.click()
    expect(told).to_contain_text("Your data and edits are here again")
    told.get_by_role("button", name="Close").click()
    expect(told).to_have_count(0)
    settled(page)
    undo = page.get_by_role("button", name="Undo")
    for _ in range(2):
        expect(number).not_to_have_text(edited)
        undo.click()
        settled(page)
    expect(number).to_have_text(edited)
    undo.click()
    expect(number).to_have_text(before)
    settled(page)
    expect(undo).to_have_attribute("aria-disabled", "true")
