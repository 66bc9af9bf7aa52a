"""A server of its own and a real Chromium for each test that asks for them."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import expect, sync_playwright

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)

# Machines are shared: what takes a second may take ten.
expect.set_options(timeout=20_000)


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def chromium():
    found = next(filter(None, map(which, NAMES)), None)
    if found is None:
        reason = f"no Chromium on the PATH (looked for {', '.join(NAMES)})"
        if os.environ.get("REQUIRE_BROWSER") == "1":
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
        yield browser
        browser.close()


def settled(page):
    """Wait until the page has answered: until then parts of it move, and widgets are replaced."""
    state = ("data-test-script-state", "notRunning")
    expect(page.get_by_test_id("stApp")).to_have_attribute(*state)


def serve(root=ROOT, log=subprocess.DEVNULL):
    """Start the app on a free port and wait until it is healthy; ends when the caller is done.

    ``root``: where ``app.py`` stands; ``log``: where what the server prints goes.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    process = subprocess.Popen(
        [*command, f"--server.port={port}", "--server.fileWatcherType=none"],
        cwd=root,
        stdout=log,
        stderr=log,
    )
    url = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                with urllib.request.urlopen(f"{url}/_stcore/health", timeout=2) as answer:
                    assert answer.read() == b"ok"
                break
            except OSError:
                time.sleep(0.25)
        else:
            pytest.fail("the app did not start within 30 seconds")
        yield url
    finally:
        process.terminate()
        process.wait(10)


@pytest.fixture
def fresh_server():
    """A server that nobody has asked for a page yet."""
    yield from serve()


@pytest.fixture(scope="session")
def server():
    """One server for all tests that need no fresh one."""
    yield from serve()


@pytest.fixture
def page(chromium):
    context = chromium.new_context(viewport={"width": 1280, "height": 900})
    context.set_default_timeout(20_000)
    yield context.new_page()
    context.close()
