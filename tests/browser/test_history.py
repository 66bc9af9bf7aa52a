"""The page History in a browser: its address, its place in the menu, and that it fits everyone."""

from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from metrics import Qrels, Run, match, save
from tests.browser import test_accessibility
from tests.browser.conftest import serve, settled

QRELS = Qrels.from_dict({f"q{i}": {"x": 1, "y": 2} for i in range(12)})


@pytest.fixture
def with_history(tmp_path, monkeypatch):
    """A server whose folder has two comparable runs; the newer one is worse on eight queries."""
    for day, worse in enumerate((0, 8)):
        rows = {
            query: {"y": 2.0, "x": 1.0} if number >= worse else {"x": 2.0, "y": 1.0}
            for number, query in enumerate(QRELS.queries)
        }
        time = datetime(2026, 11, 1 + day, tzinfo=UTC)
        judged = match(QRELS, Run.from_dict(rows, f"night{day}"))
        save(judged, tmp_path / f"{day}.judged.parquet", time=time + timedelta(hours=day))
    monkeypatch.setenv("RANKSCOPE_HISTORY", str(tmp_path))
    yield from serve()


def test_the_page_is_in_the_menu_and_fits_everyone(page, with_history):
    # The first request to a server that has not served a page yet.
    page.goto(f"{with_history}/history?drop=q3")
    expect(page.get_by_role("heading", name="History", level=1)).to_be_visible()
    expect(page.get_by_text("night0 2026-11-01 00:00")).to_be_visible()
    expect(page.get_by_text("costs")).to_have_count(1)
    settled(page)
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", name="Compare", level=1)).to_be_visible()
    page.get_by_role("link", name="History", exact=True).click()
    expect(page.get_by_role("heading", name="History", level=1)).to_be_visible()
    test_accessibility.test_nobody_is_shut_out(with_history, page, "/history")


def test_without_a_folder_the_menu_and_the_address_lack_it(page, server):
    page.goto(server)
    settled(page)
    expect(page.get_by_role("link", name="Compare", exact=True)).to_be_visible()
    expect(page.get_by_role("link", name="History", exact=True)).to_have_count(0)
    page.goto(f"{server}/history")
    expect(page.get_by_text("Page not found")).to_be_visible()
