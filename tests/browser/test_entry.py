"""How the app is served: its headers, nothing from elsewhere, and what an error says."""

import re
import shutil
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from pages.ui.server import HEADERS
from tests.browser.conftest import ROOT, downloaded, give, serve, settled
from tests.browser.test_paths import SAMPLE, metric

PAGES = {
    "inspect_query": "The lines that sum to it",
    "compare_runs": "One query",
    "conventions": "The same ranking under every preset",
    "learn": "Worked example",
    "practice": "Level",
    "data": "Or take a sample",
}


def headers_of(url):
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return answer.status, answer.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers


@pytest.fixture
def complaints(page):
    """What the browser reports: violations of the policy, errors, requests to other places."""
    heard = []

    def said(message):
        # On a page of its own address Streamlit looks for the server there first.
        probe = re.search("_stcore/(health|host-config)$", message.location["url"])
        if message.type == "error" and not (probe and "404" in message.text):
            heard.append(message.text)

    def asked(request):
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            heard.append(request.url)

    page.on("console", said)
    page.on("pageerror", lambda error: heard.append(str(error)))
    page.on("request", asked)
    return heard


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/", 200),
        ("/compare_runs?k=3", 200),
        ("/_stcore/health", 200),
        ("/favicon.png", 200),
        ("/_stcore/nothing/_stcore/health", 404),
        ("/media/nothing.json", 404),
        ("//elsewhere", 400),
    ],
)
def test_every_answer_has_the_headers(server, path, status):
    got, headers = headers_of(f"{server}{path}")
    assert got == status
    assert dict(headers).items() >= {name.lower(): said for name, said in HEADERS.items()}.items()


def test_the_policy_lets_no_inline_script_in():
    (scripts,) = re.findall("script-src ([^;]+)", HEADERS["Content-Security-Policy"])
    assert re.fullmatch(r"'self' blob:( 'sha256-[\w+/]{43}=')*", scripts)


def test_a_download_has_the_headers(server, page):
    page.goto(server)
    page.get_by_role("button", name="Share").click()
    download = downloaded(page, page.get_by_role("button", name="Save the ranking"))
    status, headers = headers_of(download.url)
    assert status == 200
    assert headers["content-disposition"].startswith("attachment")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_opens_cold_and_asks_nobody_else(fresh_server, page, complaints, path):
    page.goto(f"{fresh_server}/{path}" if path != "inspect_query" else fresh_server)
    expect(page.get_by_text(PAGES[path]).first).to_be_visible()
    expect(page.get_by_role("link", name="Inspect")).to_be_visible()
    settled(page)
    assert complaints == []


def test_list_charts_and_formulas_work_under_the_policy(server, page, complaints):
    page.goto(server)
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")
    page.locator("ol.ranked li").nth(2).get_by_role("button", name="Raise the grade").click()
    expect(metric(page, "nDCG@5")).not_to_have_text("0.9602")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(page.locator(".katex").first).to_be_visible()
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.locator(".js-plotly-plot .barlayer path").first).to_be_visible()
    settled(page)
    assert complaints == []


@contextmanager
def broken(folder):
    """A server of the app with a page that always breaks, and the file of what it logs."""
    for name in ("app.py", "metrics", "pages", "sample_data", ".streamlit"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    script = folder / "pages" / "learn.py"
    script.write_text(script.read_text("utf-8") + '\nraise RuntimeError("a secret")\n', "utf-8")
    logged = folder / "log.txt"
    with logged.open("wb") as log:
        serving = serve(folder, log)
        yield next(serving), logged
        serving.close()


def test_an_error_is_told_to_the_log_alone_and_no_session_is_named(page, tmp_path):
    with broken(tmp_path) as (url, logged):
        page.goto(f"{url}/data")
        give(page, SAMPLE / "qrels.txt", SAMPLE / "bm25.run")
        page.get_by_role("link", name="Learn").click()
        expect(page.get_by_test_id("stException")).to_be_visible()
        shown, source = page.inner_text("body"), page.content()
    assert "a secret" not in source
    assert "Traceback" not in shown
    assert str(tmp_path) not in source
    log = logged.read_text("utf-8")
    assert "a secret" in log
    assert not re.search("[0-9a-f]{8}-[0-9a-f]{4}-", log + shown)
