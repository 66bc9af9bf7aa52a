"""Uploads above a session's limit are refused as they arrive, and the refusal is reported."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.benchmarks.sessions import walk
from tests.browser.conftest import drop_box, serve, settled

QRELS = {"name": "qrels.txt", "mimeType": "text/plain", "buffer": b"q1 0 d1 1\n"}


@pytest.fixture
def small_server(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "session=3000000")
    yield from serve()


def run(name, size=900_000):
    line = f"q1 Q0 d1 1 {ord(name)} {name}\n".encode()
    return {"name": f"{name}.run", "mimeType": "text/plain", "buffer": line.ljust(size, b"\n")}


def walked(server):
    """Open each page of a new server without a browser, as the simulated class does."""
    # Playwright's own loop runs in this thread.
    with ThreadPoolExecutor(1) as other:
        other.submit(lambda: asyncio.run(walk(urlsplit(server).port))).result()


def give(page, *files):
    with page.expect_response(lambda response: response.request.method == "PUT"):
        drop_box(page).set_input_files(files)


def expect_runs(page, count):
    settled(page)
    # The judgments have a card, too.
    expect(page.locator(".read .cards > li")).to_have_count(count + 1)


def test_files_above_the_limit_are_refused_and_the_others_stay(page, small_server):
    walked(small_server)
    page.goto(f"{small_server}/data")
    page.get_by_text("Formats and limits").click()
    expect(page.get_by_text("3 MB in a session")).to_be_visible()
    settled(page)
    refused = []
    page.on("response", lambda response: response.status == 413 and refused.append(response))
    drop_box(page).set_input_files(QRELS)
    expect(page.get_by_text("Still needed: a run.")).to_be_visible()
    settled(page)
    give(page, *map(run, "abcd"))
    expect(page.get_by_text("1 file was not accepted")).to_be_visible()
    settled(page)
    assert len(refused) == 1
    expect_runs(page, 3)

    # Files that were read, or left in a field, no longer count towards the limit.
    drop_box(page).set_input_files({**QRELS, "buffer": b"\n" * 2_500_000})
    expect(page.get_by_text("Your data are unchanged.")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Learn").click()
    expect(page.get_by_role("heading", name="Your data")).to_have_count(0)
    settled(page)
    page.get_by_role("link", name="Data").click()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    settled(page)
    give(page, run("e"))
    # The file's chip stays until the file is read.
    expect(page.get_by_test_id("stFileChip")).to_have_count(0)
    expect(page.get_by_text("1 file was not accepted")).to_have_count(0)
    expect_runs(page, 4)

    give(page, run("f", 3_500_000))
    expect(page.get_by_test_id("stFileChip").get_by_role("alert")).to_contain_text("413")
    assert len(refused) == 2
    expect_runs(page, 4)
    page.get_by_role("button", name="Remove b").click()
    expect(page.get_by_text("No longer loaded: b.")).to_be_visible()
    expect_runs(page, 3)


@pytest.mark.parametrize(
    ("failure", "why"),
    [
        (None, "the connection to the server was cut"),
        (507, "the server's disk is full"),
        (500, "the server could not receive it"),
    ],
)
def test_an_upload_that_failed_is_explained_and_can_be_repeated(page, server, failure, why):
    page.goto(f"{server}/data")
    drop_box(page).set_input_files(QRELS)
    expect(page.get_by_text("Still needed: a run.")).to_be_visible()
    settled(page)

    def fail(route):
        if route.request.method != "PUT":
            route.continue_()
        elif failure:
            route.fulfill(status=failure)
        else:
            route.abort("connectionreset")

    page.route("**/_stcore/upload_file/**", fail)
    drop_box(page).set_input_files(run("a", 100))
    told = page.get_by_text("a.run was not uploaded: ")
    expect(told).to_contain_text(why)
    expect(told).to_contain_text("What was loaded before stays.")
    expect(page.get_by_text("Still needed: a run.")).to_be_visible()
    page.unroute("**/_stcore/upload_file/**")
    drop_box(page).set_input_files(run("a", 100))
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    expect(told).to_have_count(0)
