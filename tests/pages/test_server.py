"""Every response has the headers, and the server is ready before the first request."""

import asyncio
import gc
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from pages.ui.serving.middleware import ALIASES, Aliases, OwnAddress, Styled
from pages.ui.serving.server import HEADERS, SecureHeaders, failed, give_back, ready
from pages.ui.shell import PAGES, STYLE
from tests.cases import cases

ROOT = Path(__file__).parents[2]


def run(coroutine):
    """Return a coroutine's result, from a thread, because Playwright runs a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


def test_a_page_comes_with_its_style():
    def page(request):
        given = HTMLResponse if request.url.path == "/" else PlainTextResponse
        return given(request.headers.get("accept-encoding", ""), headers={"ETag": "file"})

    app = Starlette(
        routes=[Route("/", page), Route("/file", page)], middleware=[Middleware(Styled)]
    )
    headers = [(b"accept", b"text/html"), (b"accept-encoding", b"gzip")]
    bodies = []
    for path, asked in (("/", headers), ("/file", headers), ("/", headers[1:])):
        sent = []

        async def receive():
            return {"type": "http.request"}

        async def send(message, sent=sent):
            sent.append(message)

        scope = {"type": "http", "method": "GET", "path": path, "headers": asked}
        run(app({**scope, "query_string": b""}, receive, send))
        given = dict(sent[0]["headers"])
        assert int(given[b"content-length"]) == len(sent[1]["body"])
        assert (b"etag" in given) == ((path, asked) != ("/", headers))
        bodies.append(sent[1]["body"].decode())
    # Nothing would be added to what is compressed.
    assert bodies == [f"<style>{STYLE.read_text('utf-8')}</style>", "", "gzip"]


def served(path):
    def fine(_request):
        return PlainTextResponse("fine", headers={"X-Frame-Options": "SAMEORIGIN"})

    def broken(_request):
        raise RuntimeError("a secret")

    app = Starlette(
        routes=[Route("/fine", fine), Route("/broken", broken)],
        middleware=[Middleware(SecureHeaders)],
        exception_handlers={500: failed},
    )
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": [], "query_string": b""}
    try:
        run(app(scope, receive, send))
    except RuntimeError:
        assert path == "/broken"
    start, body = sent
    return start["status"], start["headers"], body["body"]


@cases(("path", "status"), [("/fine", 200), ("/broken", 500), ("/none", 404)])
def test_every_answer_has_each_header_once(path, status):
    got, headers, body = served(path)
    assert got == status
    for name, said in HEADERS.items():
        assert [value for key, value in headers if key == name.lower().encode()] == [said.encode()]
    assert b"secret" not in body


@pytest.mark.parametrize("headless", [True, False])
def test_all_is_imported_and_frozen_before_the_first_session(monkeypatch, headless):
    opened = []
    monkeypatch.setattr("streamlit.cli_util.open_browser", opened.append)
    monkeypatch.setattr(st, "get_option", {"server.headless": headless}.get)
    monkeypatch.setattr("streamlit.web.server.server_util.get_url", lambda _address: "here")

    async def start():
        async with ready(None):
            return gc.get_freeze_count()

    # The tests have frozen what they import, too.
    gc.unfreeze()
    assert run(start()) > 100_000
    assert opened == ([] if headless else ["here"])


def test_memory_that_is_free_is_given_back():
    if not sys.platform.startswith("linux"):
        pytest.skip("only glibc's allocator has something to give back")

    def resident():
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    give_back()
    held = [bytes(1_000) for _ in range(100_000)]
    # The last one alone keeps the allocator from shrinking.
    held = held[-1:]
    before = resident()
    give_back()
    assert held
    assert before - resident() > 50_000_000


READY = """
import asyncio, sys
from pages.ui.serving import server

async def start():
    async with server.ready(None):
        print(*sys.modules)

asyncio.run(start())
"""


def test_every_module_of_the_app_is_loaded_before_the_first_session():
    # In a process of its own: here other tests have imported them already.
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", READY],
        cwd=ROOT,
        env={**os.environ, "STREAMLIT_SERVER_HEADLESS": "true"},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    files = [*(ROOT / "metrics").rglob("*.py"), *(ROOT / "pages/ui").rglob("*.py")]
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts) for path in files}
    of_the_app = {
        name.removesuffix(".__init__")
        for name in names
        if not name.startswith(("metrics.commands", "metrics.__main__"))
    }
    assert len(of_the_app) > 150
    assert not of_the_app - loaded
    assert {"pandas", "plotly.graph_objects", "scipy.stats"} <= loaded


OPTIONS = {
    "server.address": "127.0.0.1",
    "server.allowedHosts": ["rank.example.edu", "*.example.org"],
    "server.corsAllowedOrigins": ["https://portal.example.edu"],
}


def answered(kind, **headers):
    """Return whether the app is asked for a request with these headers, or what it gets instead."""
    asked, sent = [], []

    async def app(scope, _receive, _send):
        asked.append(scope)

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "headers": [(k.encode(), v.encode()) for k, v in headers.items()]}
    run(OwnAddress(app)(scope, None, send))
    if asked:
        return "the app"
    assert sent[0]["type"] == ("websocket." if kind == "websocket" else "") + "http.response.start"
    return sent[0]["status"], sent[1]["body"].decode()


@cases("name", list(ALIASES))
def test_another_address_leads_to_its_page_with_the_parameters(name):
    answers = []

    async def send(message):
        answers.append(message)

    scope = {"type": "http", "path": f"/{name}", "query_string": b"k=3&q=a%20b"}
    run(Aliases(None)(scope, None, send))
    where = dict(answers[0]["headers"])[b"location"].decode()
    assert answers[0]["status"] == 307
    page, _, parameters = where.partition("?")
    assert page in {each.path for each in PAGES}
    assert parameters.endswith("k=3&q=a%20b")


@cases("kind", ["http", "websocket"])
def test_only_the_apps_own_hosts_and_origins_are_answered(monkeypatch, kind):
    options = dict(OPTIONS)
    monkeypatch.setattr(st, "get_option", options.get)
    names = ("localhost", "127.0.0.1:9001", "[::1]:8501", "LocalHost.", "rank.example.edu")
    for host in (*names, "a.example.org"):
        assert answered(kind, host=host) == "the app"
        assert answered(kind, host=host, origin=f"http://{host}") == "the app"
    assert answered(kind, host="localhost", origin="https://portal.example.edu") == "the app"
    # The first are a name that leads to 127.0.0.1, and names that only look like the app's.
    others = ("evil.test", "evil.test:8501", "localhost.evil.test", "example.org", "localhost@evil")
    for host in (*others, "", "localhost:a/b", "[::1"):
        status, why = answered(kind, host=host, origin=f"http://{host}")
        assert (status, "--server.allowedHosts=NAME" in why) == (403, True)
    for origin in ("http://localhost:9999", "http://127.0.0.1:8501", "null", "localhost:8501", ""):
        status, why = answered(kind, host="localhost:8501", origin=origin)
        assert (status, "expected the host 'localhost:8501'" in why) == (403, True)
    # Behind another address any name may be the app's; without names Streamlit asks for none.
    options |= {"server.address": "0.0.0.0", "server.allowedHosts": []}
    assert answered(kind, host="evil.test") == "the app"
    options["server.allowedHosts"] = ["rank.example.edu"]
    assert answered(kind, host="localhost:8501") == "the app"
    assert answered(kind, host="evil.test")[0] == 403


def test_the_app_asks_every_request_for_its_address():
    import app

    assert OwnAddress in [each.cls for each in app.app._user_middleware]
