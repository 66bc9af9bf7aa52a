"""The first screen of Inspect: score, ranking and both ledgers, and how an edit changes them."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.actions import score
from tests.browser.conftest import settled

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
DOCUMENT = "MacBook Pro for Developers"
CUT = "sheets => sheets.map((each) => each.scrollWidth - each.clientWidth)"


ENDS = """name => {
  const range = document.createRange();
  range.selectNodeContents(name);
  return Math.max(...[...range.getClientRects()].map(({ right }) => right));
}"""


@pytest.fixture
def laptop(server, page):
    page.set_viewport_size(WIDE)
    page.goto(f"{server}/inspect_query")
    expect(page.locator("tfoot")).to_have_count(2)
    settled(page)
    return page


def boxes(page, *selectors):
    """Return where each of these elements is, once the page is still."""
    settled(page)
    return [page.locator(selector).first.bounding_box() for selector in selectors]


def test_an_edit_is_explained_in_place(laptop):
    (ledger,) = boxes(laptop, "caption")
    assert ledger["y"] < WIDE["height"]
    term, definition = laptop.get_by_role("button", name="IDCG@5").first, ".definition:popover-open"
    term.press("Enter")
    expect(laptop.locator(definition)).to_contain_text("The DCG of the best possible ranking")
    laptop.keyboard.press("Escape")
    expect(laptop.locator(definition)).to_have_count(0)

    watched = ".strip", "li.row", "caption", "tfoot"
    before = boxes(laptop, *watched)
    laptop.locator("li.row").nth(4).get_by_role("button", name="Move up").click()
    region = laptop.locator("div.lines:not(:empty)")
    expect(region).to_contain_text("÷ 5.6925 ≈ 0.9679")
    expect(region).to_contain_text(
        f"{DOCUMENT}, rank 5 → 4: +0.0876. Budget Coding Laptops, rank 4 → 5: −0.0438. "
        "Together +0.0438"
    )
    # All of it can be seen.
    assert region.evaluate("lines => lines.scrollHeight <= lines.clientHeight")
    assert boxes(laptop, *watched) == before
    # The pointer is over the row that took its place now.
    expect(laptop.locator("li.row.lit .name")).to_have_text(DOCUMENT)
    # The change has its room, too.
    expect(laptop.locator(".score:not([hidden]) .change")).to_have_text("+0.0077")

    lit = laptop.locator(".lit")
    laptop.locator(f'tr[data-id="{DOCUMENT}"]').first.hover()
    expect(laptop.locator("tr.lit")).to_have_count(2)
    expect(laptop.locator("li.row.lit .name")).to_have_text(DOCUMENT)
    expect(laptop.locator("div.lines .lit")).to_have_text([DOCUMENT, "2 ÷ log₂ 5"])
    laptop.locator("h1").hover()
    expect(lit).to_have_count(0)
    laptop.locator("li.row").first.hover()
    expect(laptop.locator("tr.lit td.name").first).to_have_text("Top Programming Laptops 2024")
    chart = laptop.locator(".js-plotly-plot").first
    expect(chart.locator(".lit")).to_have_count(1)
    chart.locator(".trace").last.locator(".point").nth(2).hover(force=True)
    expect(laptop.locator("li.row.lit .name")).to_have_text("Gaming Laptop Review")

    laptop.locator(f'tr[data-id="{DOCUMENT}"]').first.click()
    expect(laptop.locator("li.row.picked .name")).to_have_text(DOCUMENT)
    expect(laptop.locator("tr.picked")).to_have_count(2)
    laptop.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")

    # No order of four relevant documents earns more of P@5.
    laptop.get_by_role("button", name="P@5 0.8000").click()
    expect(laptop.locator(".score:not([hidden]) .total")).to_have_css("background-size", "80% auto")
    # The frame of the first measure is in line with the bar.
    frame, bar = boxes(laptop, ".strip button", ".total")
    assert frame["x"] >= bar["x"]
    # The field for the level, which AP needs, moves nothing.
    laptop.get_by_role("button", name="AP 0.8875").click()
    expect(laptop.get_by_role("button", name="grade 1", exact=True)).to_be_visible()
    assert boxes(laptop, ".strip", "li.row", "caption")[:2] == before[:2]
    expect(laptop.get_by_role("button", name="all ranks")).to_be_visible()
    expect(laptop.locator("caption")).to_contain_text(
        "AP (average precision) = sum of the contributions = 0.8875", use_inner_text=True
    )
    expect(laptop.get_by_role("button", name="AP 0.8875")).to_have_attribute("aria-pressed", "true")
    # Without an ideal ranking the move that helps most is named.
    lost = laptop.locator(".score:not([hidden]) .notes")
    expect(lost).to_contain_text(
        "0.1125 short of 1.0000: MacBook Pro for Developers to rank 1 adds"
    )
    # Few ledgers have more columns; a phone shows all of them.
    laptop.set_viewport_size(PHONE)
    settled(laptop)
    assert laptop.locator(".sheet").evaluate_all(CUT) == [0]
    # The other measures are between the score and its list.
    tops = [each["y"] for each in boxes(laptop, ".total", ".strip", "li.row")]
    assert tops[:3] == sorted(tops)[:3]


def test_a_picked_card_has_its_whole_text_and_no_short_list_is_boxed(server, page):
    cut = "name => name.scrollHeight - name.clientHeight"
    for size in (None, PHONE):
        page.set_viewport_size(size or {"width": 1280, "height": 800})
        page.goto(f"{server}/inspect_query?example=shop&query=q21&run=bm25&k=0")
        name = page.locator(".row .name").nth(3)
        expect(name).to_contain_text("normal wear are excluded")
        # It is tied, and has its grip all the same.
        expect(page.locator(".row .handle").nth(3)).to_be_visible()
        settled(page)
        # On a phone, too, the score is in the upper part: what is done with a page is in its bar.
        assert page.locator(".score:not([hidden]) .value").bounding_box()["y"] < 260
        assert name.evaluate(cut) > 8
        # The buttons for its grade hide no word.
        less = page.locator(".row .less").nth(3).bounding_box() if size is None else None
        assert not less or name.evaluate(ENDS) <= less["x"]
        name.click()
        expect(page.locator(".row.picked")).to_have_count(1)
        assert name.evaluate(cut) <= 1
        boxed = page.locator(".list").first.evaluate(
            "list => list.scrollHeight - list.clientHeight"
        )
        assert boxed <= 1


def test_every_column_is_visible_and_a_phone_needs_no_sideways_scroll(server, laptop):
    laptop.goto(f"{server}/inspect_query?gain=exponential")
    expect(laptop.locator("th", has_text="gain")).to_have_count(2)
    expect(laptop.locator("tfoot td", has_text="10.4840")).to_be_visible()
    assert laptop.locator(".sheet").evaluate_all(CUT) == [0, 0]
    # The number of a document is not read as one with the total.
    gap = "cell => parseFloat(getComputedStyle(cell).paddingLeft)"
    assert laptop.locator("tbody td:last-child").first.evaluate(gap) >= 16
    laptop.set_viewport_size(PHONE)
    settled(laptop)
    assert laptop.locator(".sheet").evaluate_all(CUT) == [0, 0]
    main = laptop.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth") <= PHONE["width"]

    # The score stays above the list, in sight; an edit moves no row.
    score, last = laptop.locator(".score:not([hidden])"), laptop.locator("li.row").nth(4)
    last.evaluate("row => row.scrollIntoView({ block: 'end' })")
    (before,) = boxes(laptop, "li.row")
    last.get_by_role("button", name="Move up").click()
    expect(score.locator(".change")).to_have_text(re.compile(r"^[+−]0\.\d{4}$"))
    expect(score.locator(".total")).to_be_in_viewport(ratio=1)
    why = laptop.locator("div.lines p").first
    expect(why).to_contain_text(f"{DOCUMENT}, rank 5 → 4: +0.1315.")
    expect(why).to_be_in_viewport(ratio=1)
    # Whose order it is stands beside the way back.
    expect(laptop.get_by_text("Your list.")).to_be_visible()
    # A page that keeps its rows in place scrolls by whole pixels.
    assert boxes(laptop, "li.row")[0]["y"] == pytest.approx(before["y"], abs=1)

    # What changes a grade is behind one button, inside the row.
    lower = last.get_by_role("button", name="Lower the grade")
    expect(lower).to_be_hidden()
    laptop.get_by_role("button", name="Grades", exact=True).click()
    row, button = last.bounding_box(), lower.bounding_box()
    assert row["x"] < button["x"] < button["x"] + button["width"] < row["x"] + row["width"]
    raised = last.get_by_role("button", name="Raise the grade").bounding_box()
    assert button["x"] + button["width"] <= raised["x"]
    # Each is as large as a finger, and does not lie below another.
    targets = [each.bounding_box() for each in last.locator("button:visible").all()]
    assert min(min(each["width"], each["height"]) for each in targets) >= 44
    starts = sorted(each["x"] for each in targets)
    assert min(right - left for left, right in pairwise(starts)) >= 44

    laptop.get_by_role("button", name="Menu", exact=True).click()
    laptop.get_by_test_id("stSidebarNavLink").filter(has_text="Learn").click()
    expect(laptop.get_by_role("heading", name="What a grade is", exact=True)).to_be_visible()
    expect(laptop.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_a_mean_opens_into_its_queries_and_one_of_them_into_its_list(server, page, size):
    page.set_viewport_size(size)
    page.goto(f"{server}/inspect_query?example=shop&query=q21&run=bm25")
    settled(page)
    page.get_by_role("button", name="does the warranty cover water damage").click()
    expect(page.get_by_text("bm25: mean nDCG@10 0.6598 over 29 queries")).to_be_visible()
    rows = page.locator(".queries .row")
    expect(rows).to_have_count(29)
    # None is cut off, and none has a bar beyond its track.
    assert rows.evaluate_all("of => of.every((row) => row.scrollWidth <= row.clientWidth)")
    second = rows.nth(1)
    name, value = (second.locator(each).inner_text() for each in (".name", ".value"))
    second.click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    expect(score(page)).to_have_text(value)
    # The menu does not cover what it opened.
    expect(rows).to_have_count(0)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_room_of_a_component_is_kept_until_it_is_drawn(server, page, size):
    page.set_viewport_size(size)
    held = []
    page.route("**/BidiComponent*", lambda route: held.append(route))
    page.goto(f"{server}/inspect_query")
    # What is below: the list, the score's three parts, the ledgers.
    watched = ".st-key-list_actions", ".st-key-under", ".st-key-view"
    page.locator(".st-key-view").wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    expect(page.locator(".st-key-room_of_list")).to_be_visible()
    shown = page.locator(".st-key-room_of_list [data-testid=stText]").bounding_box()
    assert shown["width"] == page.locator(".st-key-replaceable_list").bounding_box()["width"]

    def below():
        top = page.locator(".st-key-two").bounding_box()["y"]
        return [page.locator(each).bounding_box()["y"] - top for each in watched]

    before = below()
    for each in held:
        each.continue_()
    expect(page.locator("tfoot")).to_have_count(2)
    settled(page)
    assert below() == pytest.approx(before, abs=12)
