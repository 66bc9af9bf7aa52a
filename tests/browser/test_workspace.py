"""The workspace: a killed server, another browser, a second server, a folder that is gone."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import address, free_port, new_context, settled, start
from tests.browser.test_comparing import upload
from tests.browser.test_editing import START, drag, expect_order, score

YOURS = {"name": "Your data"}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("RANKSCOPE_WORKSPACE", str(tmp_path / "workspace"))
    return tmp_path / "workspace"


@pytest.fixture
def servers(folder):
    """Start servers on the workspace; all are killed at the end."""
    running = []

    def another():
        port = free_port()
        running.append(start(port))
        return running[-1], address(port)

    yield another
    for process in running:
        process.kill()
        process.wait(60)


def test_what_a_killed_server_was_given_is_there_in_another_browser(servers, chromium, page):
    process, url = servers()
    upload(page, url)
    page.goto(f"{url}/inspect_query?example=laptop")
    expect_order(page, START)
    drag(page, "MacBook", "Gaming")
    expect(score(page)).to_have_text("0.9923")
    settled(page)
    process.kill()
    process.wait(60)
    _, url = servers()
    other = new_context(chromium).new_page()
    other.goto(f"{url}/data")
    expect(other.get_by_role("heading", **YOURS)).to_be_visible()
    settled(other)
    other.get_by_role("button", name="Compare the runs").click()
    expect(other.get_by_role("heading", name="is better than")).to_be_visible()
    other.goto(f"{url}/inspect_query?example=laptop")
    expect(score(other)).to_have_text("0.9923")
    settled(other)
    other.get_by_role("button", name="Undo").first.click()
    expect_order(other, START)
    other.context.close()


def test_a_second_server_begins_with_the_same_data_and_what_is_dropped_stays(servers, page, folder):
    _, first = servers()
    upload(page, first)
    page.get_by_role("button", name="Remove all data").click()
    expect(page.get_by_role("heading", **YOURS)).to_have_count(0)
    settled(page)
    page.get_by_role("button", name="Open it").click()
    expect(page.get_by_role("heading", **YOURS)).to_be_visible()
    settled(page)
    _, second = servers()
    page.goto(f"{second}/data")
    expect(page.get_by_role("heading", **YOURS)).to_be_visible()
    expect(page.get_by_role("heading", name="Workspace")).to_be_visible()


def test_what_cannot_be_kept_is_said_on_every_page(servers, page, folder):
    _, url = servers()
    page.goto(f"{url}/inspect_query?example=laptop")
    expect_order(page, START)
    settled(page)
    moved = folder.rename(folder.with_name("moved"))
    drag(page, "MacBook", "Gaming")
    expect(score(page)).to_have_text("0.9923")
    problem = page.get_by_text("The workspace cannot be used now")
    expect(problem).to_be_visible()
    page.get_by_role("link", name="Data", exact=True).click()
    expect(page.get_by_role("heading", name="Open a sample")).to_be_visible()
    expect(problem).to_be_visible()
    settled(page)
    # The list has gone, and with it its keys.
    page.evaluate("addEventListener('keydown', (event) => (window.taken = event.defaultPrevented))")
    page.keyboard.press("Control+z")
    assert page.evaluate("window.taken") is False
    settled(page)
    moved.rename(folder)
    page.get_by_role("link", name="Inspect", exact=True).click()
    expect(score(page)).to_have_text("0.9923")
    settled(page)
    page.get_by_role("button", name="Undo").first.click()
    expect_order(page, START)
    expect(problem).to_have_count(0)
