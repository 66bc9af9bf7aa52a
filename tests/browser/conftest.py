"""Fixtures: a separate server, and pages in a real Chromium."""

import os
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from shutil import which

import pytest
from playwright.sync_api import Error, expect, sync_playwright

from tests.browser.hostile_ids import Canary, Watch, files, ids

ROOT = Path(__file__).parents[2]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    # Pages of one context share a process, which has read Streamlit's scripts already; to optimize
    # the scripts takes longer than what a test saves by it, and so does collecting garbage early.
    *("--process-per-site", "--js-flags=--max-opt=1 --min-semi-space-size=32"),
)
SCREEN = {"width": 1280, "height": 900}
KEPT = "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage"
"""What pages keep in the browser, except for its cache of files."""

WAITING = """() => [...(window.rankscopeWaiting ?? new Map()).entries()].map(
  ([key, { queue, data, pressed }]) =>
    [key, queue.map((event) => event.n), data.session, data.applied, pressed])"""
PATIENCE = 60_000
"""Milliseconds to wait for something that takes a second, because machines can be busy."""
expect.set_options(timeout=PATIENCE)
DOWNLOAD = 90_000
"""Milliseconds until a download begins; a report is made only when its button is pressed."""


def downloaded(page, button):
    """Click a button and return its download."""
    settled(page)
    with page.expect_download(timeout=DOWNLOAD) as download:
        button.click()
    return download.value


def pytest_collection_modifyitems(items):
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)
            # A busy machine can draw a page so late that a click misses; the report names each.
            item.add_marker(pytest.mark.flaky(reruns=1))


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


TIMES = """() => {
  if (window.answered) return;
  let sent = 0, received = 0;
  const sockets = new WeakSet(), send = WebSocket.prototype.send;
  WebSocket.prototype.send = function (...data) {
    if (!sockets.has(this)) this.addEventListener("message", () => (received = performance.now()));
    sockets.add(this);
    sent = performance.now();
    return send.apply(this, data);
  };
  window.answered = () => received >= sent;
}"""
"""From its first call on, a page notes when it sent its last message, and received its last."""

# Not Playwright's wait_for_function: what it looks at a second time needs `eval`, which the app's
# Content-Security-Policy forbids.
ANSWER = """(patience) => new Promise((done, failed) => {
  const end = performance.now() + patience;
  const look = () => {
    if (answered()) done();
    else if (performance.now() > end) failed(Error("the server has not answered"));
    else setTimeout(look, 20);
  };
  look();
})"""
"""Waits for the answer to the last message."""


def settled(page):
    """Wait until the page has been drawn; before that, parts move and widgets are replaced."""
    # Not `expect`, which describes the whole page for its report each time that it looks in vain.
    drawn = page.locator("[data-testid=stApp][data-test-script-state=notRunning]")
    drawn.wait_for(state="attached", timeout=PATIENCE)
    page.evaluate(TIMES)
    # The last action may not have been sent yet; and on a busy machine the answer takes its time.
    page.wait_for_timeout(150)
    page.evaluate(ANSWER, PATIENCE)
    drawn.wait_for(state="attached", timeout=PATIENCE)


def drop_box(page):
    """Return the field for files on Data, once the page is drawn."""
    expect(page.get_by_role("button", name="Save the session")).to_be_visible()
    settled(page)
    return page.get_by_role("region", name="Files", exact=True).locator("input[type=file]")


def drop(page, *files):
    """Drop files that are complete on Data: paths, or names with their content."""
    of_names = [
        {"name": file[0], "mimeType": "text/plain", "buffer": file[1].encode()}
        if isinstance(file, tuple)
        else file
        for file in files
    ]
    drop_box(page).set_input_files(of_names)
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()
    settled(page)


PORTS = []
"""The ports of all servers; what a browser has loaded from one, it loads again from its next."""


def free_port(besides=()):
    """Return a free port of this machine, rather one that an earlier server had.

    ``besides``: those of servers that have only just been started, and are not bound yet.
    """
    for port in (*(port for port in PORTS if port not in besides), 0):
        with socket.socket() as probe:
            # Connections of the earlier server may still be closing.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            found = probe.getsockname()[1]
        break
    PORTS.extend({found}.difference(PORTS))
    return found


def launch(port, root=ROOT, log=subprocess.DEVNULL):
    """Start the app, and do not wait until it answers.

    ``root``: the folder of ``app.py``; ``log``: the destination of the server's output.
    """
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    return subprocess.Popen(
        [*command, f"--server.port={port}", "--server.fileWatcherType=none"],
        cwd=root,
        stdout=log,
        stderr=log,
    )


def start(port, root=ROOT, log=subprocess.DEVNULL):
    """Start the app as `launch` does, and wait until it is healthy."""
    process = launch(port, root, log)
    for _ in range(480):
        if is_healthy(port):
            return process
        time.sleep(0.25)
    process.kill()
    return pytest.fail("the app did not start within two minutes")


def is_healthy(port):
    """Return whether the app on a port answers."""
    try:
        with urllib.request.urlopen(f"{address(port)}/_stcore/health", timeout=2) as answer:
            return answer.read() == b"ok"
    except OSError:
        return False


def address(port):
    """Return the address of the app on a port."""
    return f"http://127.0.0.1:{port}"


def serve(root=ROOT, log=subprocess.DEVNULL):
    """Start the app on a free port, yield its address, and stop it afterwards."""
    port = free_port()
    process = start(port, root, log)
    try:
        yield address(port)
    finally:
        process.terminate()
        process.wait(60)


@pytest.fixture
def fresh_server():
    """A server that has not served a page yet."""
    yield from serve()


@pytest.fixture(scope="session")
def server():
    """One server for all tests that do not need a fresh one."""
    yield from serve()


def new_context(chromium, **options):
    """Return a new browser, as far as pages know; animations would be drawn without a GPU."""
    context = chromium.new_context(**{"viewport": SCREEN, "reduced_motion": "reduce", **options})
    context.set_default_timeout(PATIENCE)
    return context


@pytest.fixture(scope="session")
def warm(chromium, server):
    """A context with one page that stays open, so that its process and cache stay warm."""
    context = new_context(chromium)
    context.new_page().goto(f"{server}/practice")
    yield context
    context.close()


@pytest.fixture
def context(warm):
    """A browser that remembers nothing of other tests but the files that it has loaded."""
    yield warm
    kept, *pages = warm.pages
    tools = warm.new_cdp_session(kept)
    for page in pages:
        page.close()
    for origin in map(address, PORTS):
        tools.send("Storage.clearDataForOrigin", {"origin": origin, "storageTypes": KEPT})
    tools.detach()
    warm.clear_cookies()
    warm.clear_permissions()


@pytest.fixture
def page(context):
    return context.new_page()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Show with a test that failed which events its page had not got applied."""
    report = yield
    page = item.funcargs.get("page") if report.failed and call.when == "call" else None
    if page:
        try:
            waiting = page.evaluate(WAITING)
        except Error as error:
            waiting = error
        report.sections.append(("What waits on the page", str(waiting)))
    return report


@pytest.fixture(scope="session")
def canary():
    """A server on this machine that no page may send a request to."""
    canary = Canary()
    yield canary
    canary.close()


@pytest.fixture(scope="session")
def names(canary):
    """Hostile ids."""
    return ids(canary.url)


@pytest.fixture(scope="session")
def watch(server, chromium, canary, names):
    """A watched page with the hostile ids uploaded."""
    context = new_context(chromium)
    page = context.new_page()
    watch = Watch(page, canary, server)
    page.goto(f"{server}/data")
    drop(page, *files(names, canary.url))
    yield watch
    context.close()
