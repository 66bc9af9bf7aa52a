"""The server: security headers, no requests to other hosts, and errors without details."""

import re
import shutil
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from pages.ui.serving.server import HEADERS
from tests.browser.actions import open_tab
from tests.browser.conftest import ROOT, downloaded, drop, serve, settled
from tests.browser.test_user_journeys import SAMPLE, metric
from tests.cases import cases

PAGES = {
    "": "Why is this ranking",
    "inspect_query": "sum of the contributions",
    "compare_runs": "B − A in nDCG",
    "judge": "Keys: the grades",
    "conventions": "What other tools give",
    "learn": "Somewhere a person sat down",
    "practice": "What you can do",
    "data": "Open a sample",
}


def headers_of(url):
    try:
        with urllib.request.urlopen(url, timeout=60) as response:
            return response.status, response.headers
    except urllib.error.HTTPError as error:
        return error.code, error.headers


@pytest.fixture
def complaints(page):
    """Violations of the policy, errors, and requests to other hosts that the browser reports."""
    reported = []

    def on_console(message):
        # On a page with its own path Streamlit first looks for the server below that path.
        probe = re.search("_stcore/(health|host-config)$", message.location["url"])
        if message.type == "error" and not (probe and "404" in message.text):
            reported.append(message.text)

    def on_request(request):
        if not request.url.startswith(("http://127.0.0.1:", "data:", "blob:")):
            reported.append(request.url)

    page.on("console", on_console)
    page.on("pageerror", lambda error: reported.append(str(error)))
    page.on("request", on_request)
    return reported


@cases(
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
def test_every_response_has_the_headers(server, path, status):
    actual, headers = headers_of(f"{server}{path}")
    assert actual == status
    expected = {name.lower(): value for name, value in HEADERS.items()}
    assert dict(headers).items() >= expected.items()


def test_the_policy_allows_no_inline_scripts():
    (scripts,) = re.findall("script-src ([^;]+)", HEADERS["Content-Security-Policy"])
    assert re.fullmatch(r"'self' blob:( 'sha256-[\w+/]{43}=')*", scripts)


def test_a_download_has_the_headers(server, page):
    page.goto(f"{server}/inspect_query")
    page.get_by_role("button", name="Share").click()
    download = downloaded(page, page.get_by_role("button", name="Save the ranking"))
    status, headers = headers_of(download.url)
    assert status == 200
    assert headers["content-disposition"].startswith("attachment")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-security-policy"] == HEADERS["Content-Security-Policy"]


@cases("path", PAGES)
def test_a_page_opens_without_requests_to_other_hosts(server, page, complaints, path):
    complaints.clear()
    page.goto(f"{server}/{path}")
    expect(page.get_by_text(PAGES[path]).first).to_be_visible()
    expect(page.get_by_role("link", name="Inspect")).to_be_visible()
    settled(page)
    assert complaints == []


def test_list_charts_and_formulas_work_under_the_policy(server, page, complaints):
    page.goto(f"{server}/inspect_query")
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")
    page.locator("ol.ranked li").nth(2).get_by_role("button", name="Raise the grade").click()
    expect(metric(page, "nDCG@5")).not_to_have_text("0.9602")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    expect(page.locator(".katex").first).to_be_visible()
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", name="B better on")).to_be_visible()
    open_tab(page, "Scores")
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    settled(page)
    assert complaints == []


@contextmanager
def broken(folder):
    """Start the app with a page that always fails; yield its address and its log file."""
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


def test_an_error_appears_only_in_the_log_and_no_session_id_does(page, tmp_path):
    with broken(tmp_path) as (url, logged):
        page.goto(f"{url}/data")
        drop(page, SAMPLE / "qrels.txt", SAMPLE / "bm25.run")
        page.get_by_role("link", name="Learn").click()
        expect(page.get_by_test_id("stException")).to_be_visible()
        shown, source = page.inner_text("body"), page.content()
    assert "a secret" not in source
    assert "Traceback" not in shown
    assert str(tmp_path) not in source
    log = logged.read_text("utf-8")
    assert "a secret" in log
    assert not re.search("[0-9a-f]{8}-[0-9a-f]{4}-", log + shown)
