"""The first screen of Inspect: score, ranking and both ledgers, and how an edit changes them."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import settled

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
DOCUMENT = "MacBook Pro for Developers"
CUT = "sheets => sheets.map((each) => each.scrollWidth - each.clientWidth)"


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
    region = laptop.locator("[aria-live=polite]").first
    expect(region).to_contain_text("5.5101 ÷ 5.6925 ≈ 0.9679")
    expect(region).to_contain_text(
        f"The last edit: {DOCUMENT} from rank 5 to rank 4: 2 ÷ log₂ 6 becomes 2 ÷ log₂ 5, "
        "+0.0876 DCG; "
    )
    assert boxes(laptop, *watched) == before
    # The pointer is over the row that took its place now.
    expect(laptop.locator("li.row.lit .name")).to_have_text(DOCUMENT)
    # The change has its room, too.
    expect(laptop.locator(".score:not([hidden]) .change")).to_have_text("+0.0077")

    lit = laptop.locator(".lit")
    laptop.locator(f'tr[data-id="{DOCUMENT}"]').first.hover()
    expect(laptop.locator("tr.lit")).to_have_count(2)
    expect(laptop.locator("li.row.lit .name")).to_have_text(DOCUMENT)
    expect(laptop.locator(".lines span.lit").first).to_have_text("2 ÷ log₂ 5")
    laptop.locator("h1").hover()
    expect(lit).to_have_count(0)
    laptop.locator("li.row").first.hover()
    expect(laptop.locator("tr.lit td.name").first).to_have_text("Top Programming Laptops 2024")
    chart = laptop.locator(".js-plotly-plot").first
    expect(chart.locator(".lit")).to_have_count(1)
    chart.locator(".trace").last.locator(".point").nth(2).hover(force=True)
    expect(laptop.locator("li.row.lit .name")).to_have_text("Gaming Laptop Review")
    laptop.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")

    laptop.locator(f'tr[data-id="{DOCUMENT}"]').first.click()
    expect(laptop.locator("li.row.picked .name")).to_have_text(DOCUMENT)
    expect(laptop.locator("tr.picked")).to_have_count(2)

    # The field for the level, which AP needs, moves nothing.
    laptop.get_by_role("button", name="AP 0.8875").click()
    expect(laptop.get_by_role("button", name="relevant from grade 1")).to_be_visible()
    assert boxes(laptop, ".strip", "li.row", "caption")[:2] == before[:2]
    expect(laptop.get_by_role("button", name="of all ranks")).to_be_visible()
    expect(laptop.locator("caption")).to_contain_text(
        "AP (average precision) = sum of the contributions = 0.8875", use_inner_text=True
    )
    expect(laptop.get_by_role("button", name="AP 0.8875")).to_have_attribute("aria-pressed", "true")
    # Few ledgers have more columns; a phone shows all of them.
    laptop.set_viewport_size(PHONE)
    settled(laptop)
    assert laptop.locator(".sheet").evaluate_all(CUT) == [0]


def test_every_column_is_visible_and_a_phone_needs_no_sideways_scroll(server, laptop):
    laptop.goto(f"{server}/inspect_query?gain=exponential")
    expect(laptop.locator("th", has_text="gain")).to_have_count(2)
    expect(laptop.locator("tfoot td", has_text="10.4840")).to_be_visible()
    assert laptop.locator(".sheet").evaluate_all(CUT) == [0, 0]
    laptop.set_viewport_size(PHONE)
    settled(laptop)
    assert laptop.locator(".sheet").evaluate_all(CUT) == [0, 0]
    main = laptop.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth") <= PHONE["width"]

    # The score is above the list; an edit moves no row, and its score is in sight.
    brief, last = laptop.locator(".brief").first, laptop.locator("li.row").nth(4)
    expect(brief).to_be_hidden()
    last.evaluate("row => row.scrollIntoView({ block: 'center' })")
    expect(brief).to_be_visible()
    (before,) = boxes(laptop, "li.row")
    last.get_by_role("button", name="Move up").click()
    expect(brief).to_have_text(re.compile(r"^nDCG@5 0\.\d{4} \([+-]0\.\d{4}\)$"))
    # A page that keeps its rows in place scrolls by whole pixels.
    assert boxes(laptop, "li.row")[0]["y"] == pytest.approx(before["y"], abs=1)
    # Everything that the sentence says is shown.
    lines = laptop.locator(".lines").first
    assert lines.evaluate("lines => lines.scrollHeight <= lines.clientHeight")

    laptop.get_by_role("button", name="Menu", exact=True).click()
    laptop.get_by_test_id("stSidebarNavLink").filter(has_text="Learn").click()
    expect(laptop.get_by_role("heading", name="What a grade is", exact=True)).to_be_visible()
    expect(laptop.get_by_test_id("stSidebar")).to_have_attribute("data-collapsed", "true")
