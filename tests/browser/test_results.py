"""The results of a query in a real browser: read, walked by keyboard, and paged."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from metrics.words import visible
from tests.browser.actions import choose, go, open_tab
from tests.browser.conftest import drop, new_context, settled

DOCUMENTS = 1000
LONG = "The wireless mouse is quiet. " * 30


def table(*rows):
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return stream.getvalue()


def files():
    """One query with many documents: "d7" falls from rank 2 to rank 9."""
    names = [f"d{number}" for number in range(DOCUMENTS)]
    first = ["d0", "d7", *names[1:7], *names[8:]]
    second = [each for each in names[:9] if each != "d7"] + ["d7", *names[9:]]
    runs = [
        (f"{name}.run", "".join(f"q Q0 {each} 1 {9999 - i} t\n" for i, each in enumerate(ranking)))
        for name, ranking in (("before", first), ("after", second))
    ]
    corpus = [(each, f"Title of {each}", f"{LONG}{each} ends.", f"/{each}") for each in names]
    judged = [("q", each, number % 3, f"reason {each}") for number, each in enumerate(names[:12])]
    return [
        ("queries.tsv", "q\tquiet mouse"),
        ("corpus.csv", table(("id", "title", "text", "url"), *corpus)),
        ("qrels.csv", table(("query", "document", "grade", "reason"), *judged)),
        *runs,
    ]


@pytest.fixture(scope="module")
def results(server, chromium):
    """Compare with these files; and the number of bytes that the browser has received."""
    context = new_context(chromium)
    page = context.new_page()
    received = [0]

    def count(frame):
        received[0] += len(frame)

    page.on("websocket", lambda socket: socket.on("framereceived", count))
    page.goto(f"{server}/data")
    drop(page, *files())
    page.get_by_role("button", name="Compare the runs").click()
    open_tab(page, "Results")
    expect(page.locator(".results")).to_be_visible()
    yield page, received
    context.close()


def focused(page):
    """The id of the card in focus, and its column."""
    head = page.locator(".results .head:focus")
    return head.get_attribute("data-side"), head.get_attribute("data-id")


def test_the_results_are_read_by_keyboard(results):
    page, _ = results
    expect(page.get_by_text("d2 is at rank 4 in A, at rank 3 in B: +0.0213.")).to_be_visible()
    # The one of the sentence is lit in both columns.
    expect(page.locator(".card.picked .title")).to_have_text(["Title of d2"] * 2)
    page.locator(".results .head").first.focus()
    for key, there in (
        ("j", ("A", "d7")),
        ("ArrowDown", ("A", "d1")),
        ("ArrowRight", ("B", "d2")),
        ("k", ("B", "d1")),
        ("h", ("A", "d7")),
    ):
        page.keyboard.press(key)
        assert focused(page) == there
    page.keyboard.press("j")
    # The keys rest, and the page shows the document's line.
    expect(page).to_have_url(re.compile("document=d1(&|$)"))
    settled(page)
    assert focused(page) == ("A", "d1")
    expect(page.locator(".card.picked .title")).to_have_text(["Title of d1"] * 2)
    page.keyboard.press("Enter")
    whole = page.get_by_role("region", name="Full text: Title of d1")
    expect(whole).to_contain_text("d1 ends.")
    expect(whole.locator("dd")).to_have_text(["reason d1", "/d1"])
    assert focused(page) == ("A", "d1")
    page.keyboard.press("Enter")
    expect(whole).to_have_count(0)


def test_equal_ranks_are_beside_each_other(results):
    page, _ = results
    tops = [
        [card.bounding_box()["y"] for card in page.locator(f".side.{side} .card").all()]
        for side in "AB"
    ]
    assert tops[0] == tops[1]
    heights = [head.bounding_box()["height"] for head in page.locator(".results .head").all()]
    assert min(heights) >= 24


def test_on_a_phone_one_list_is_below_the_other(results):
    page, _ = results
    wide = page.viewport_size
    page.set_viewport_size({"width": 390, "height": 844})
    a, b = (page.locator(f".side.{side}").bounding_box() for side in "AB")
    assert a["y"] + a["height"] <= b["y"]
    assert all(each["width"] > 300 and each["x"] + each["width"] <= 390 for each in (a, b))
    page.set_viewport_size(wide)


def test_a_thousand_results_are_paged(results):
    page, received = results
    expect(page.locator(".card")).to_have_count(20)
    page.get_by_role("button", name="Next ›").click()
    expect(page.locator(".range")).to_have_text("Ranks 11–20 of 1,000")
    settled(page)
    page.locator(".side.B .head").last.focus()
    before = received[0]
    page.keyboard.press("j")
    expect(page.locator(".range")).to_have_text("Ranks 21–30 of 1,000")
    settled(page)
    assert focused(page) == ("B", "d20")
    expect(page).to_have_url(re.compile("document=d20(&|$)"))
    assert received[0] - before < 500_000
    # A document picked elsewhere brings its page.
    open_tab(page, "One document")
    choose(page, "Document (type any id of 1,000)", typed="d998")
    open_tab(page, "Results")
    expect(page.locator(".range")).to_have_text("Ranks 991–1,000 of 1,000")
    expect(page.locator(".card.picked .title")).to_have_text(["Title of d998"] * 2)
    expect(page.get_by_role("button", name="Next ›")).to_be_visible()


def test_hostile_titles_and_texts_stay_text(watch, names):
    page = watch.page
    go(page, "Compare")
    choose(page, "Query", typed="</svg>: <iframe")
    open_tab(page, "Results")
    expect(page.locator(".results")).to_be_visible()
    settled(page)
    others = dict(zip(names, names[1:] + names[:1], strict=True))
    for head in page.locator(".side.A .head").all():
        name = head.get_attribute("data-id")
        shown = " ".join(visible(others[name]).split())
        assert " ".join(head.locator(".title").text_content().split())[:60] == shown[:60]
    page.locator(".side.A .head").first.click()
    expect(page.locator(".whole")).to_be_visible()
    settled(page)
    assert watch.wrong() == []
