"""What closed tabs held: for whom it is kept, how long, and how much of it."""

import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.responses import HTMLResponse, PlainTextResponse
from starlette.routing import Route

from metrics import Dataset, Qrels, Run
from metrics.auditing.audit import size
from metrics.limits import Limits
from metrics.sessions.session_file import Session
from pages.ui import kept_tabs
from pages.ui.serving.middleware import KnownBrowser
from tests.pages.test_server import run


def held(name, rows=1):
    qrels = Qrels.from_dict({"q": {"d": 1}})
    run = Run.from_dict({"q": {f"d{row}": float(row) for row in range(rows)}})
    return Session(Dataset(name, qrels, (run,)))


class Tabs(kept_tabs.KeptTabs):
    """Tabs of a server whose clock and connections the test sets."""

    def __init__(self):
        self.now, self.open = 0.0, set()
        super().__init__(lambda session: session in self.open, lambda: self.now)

    def later(self, seconds):
        """Let time pass as on a server, which looks at the tabs every few seconds."""
        for _ in range(round(seconds / 20)):
            self.now += 20
            self.sweep()


@pytest.fixture
def tabs():
    return Tabs()


def test_a_closed_tab_is_found_once_and_only_by_its_browser(tabs):
    tabs.keep("mine", "s1", mine := held("mine"))
    assert tabs.take("other", asked=True) is None
    assert tabs.take("mine", asked=False) is mine
    assert tabs.take("mine", asked=True) is None


def test_an_open_tab_is_shared_only_where_the_address_asks(tabs):
    tabs.open = {"s1"}
    tabs.keep("mine", "s1", mine := held("mine"))
    assert tabs.take("mine", asked=False) is None
    assert tabs.take("mine", asked=True) is mine
    assert tabs.take("mine", asked=True) is mine


def test_the_tab_that_was_closed_last_is_found_first(tabs):
    tabs.open = {"s1", "s2"}
    tabs.keep("mine", "s1", first := held("first"))
    tabs.keep("mine", "s2", second := held("second"))
    tabs.open = {"s1"}
    tabs.later(60)
    tabs.open = set()
    assert tabs.take("mine", asked=True) is first
    assert tabs.take("mine", asked=True) is second


def test_the_minutes_count_from_when_the_tab_was_closed(tabs):
    tabs.open = {"s1"}
    tabs.keep("mine", "s1", mine := held("mine"))
    tabs.later(7_200)
    tabs.open = set()
    tabs.later(580)
    assert tabs.take("mine", asked=False) is mine
    tabs.keep("mine", "s2", mine)
    tabs.later(640)
    assert len(tabs) == 0


def test_a_tab_that_holds_nothing_any_more_is_not_kept(tabs):
    tabs.keep("mine", "s1", held("mine"))
    tabs.keep("mine", "s1", Session())
    assert len(tabs) == 0


def test_closed_tabs_together_are_bounded(tabs, monkeypatch):
    each = held("mine", rows=100)
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={3 * size(each.dataset)}")
    for number in range(9):
        tabs.now += 1
        tabs.keep("mine", str(number), held(str(number), rows=100))
    tabs.open = {"0"}
    tabs.sweep()
    # The open one takes no memory of its own; of the closed ones the last three stay.
    names = [tabs.take("mine", asked=True).dataset.title for _ in range(4)]
    assert names == ["8", "7", "6", "0"]
    monkeypatch.setattr(kept_tabs, "MOST", 2)
    for number in range(9):
        tabs.keep("mine", f"small {number}", held("small"))
    tabs.sweep()
    assert len(tabs) == 3


def answer(path, headers=(), scheme="http"):
    def page(_request):
        return HTMLResponse("<p>Rankscope</p>")

    def file(_request):
        return PlainTextResponse("file")

    app = Starlette(
        routes=[Route("/", page), Route("/file", file)], middleware=[Middleware(KnownBrowser)]
    )
    sent = []

    async def receive():
        return {"type": "http.request"}

    async def send(message):
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "headers": list(headers)}
    run(app(scope | {"query_string": b"", "scheme": scheme}, receive, send))
    return [value.decode() for name, value in sent[0]["headers"] if name == b"set-cookie"]


def test_only_a_page_sets_the_cookie_and_only_once():
    (first,), (second,) = answer("/"), answer("/")
    assert first.split("; ")[1:] == ["Path=/", "HttpOnly", "SameSite=Lax"]
    word, other = (each.partition(";")[0].partition("=")[2] for each in (first, second))
    assert len(word) >= 43
    assert word != other
    assert answer("/file") == []
    assert answer("/", [(b"cookie", f"{kept_tabs.COOKIE}={word}".encode())]) == []
    assert "Secure" in answer("/", scheme="https")[0].split("; ")


def test_in_a_class_nothing_is_kept_unless_asked(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "classroom")
    assert answer("/") == []
    monkeypatch.setenv("RANKSCOPE_LIMITS", "classroom reload=5")
    assert len(answer("/")) == 1
    assert Limits().reload == 10
