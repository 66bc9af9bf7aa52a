"""On paper every page has all columns and rows of its tables, and all can be taken away."""

import io
import re
import unicodedata
from xml.etree import ElementTree

import pytest
from PIL import Image
from playwright.sync_api import expect
from pypdf import PdfReader

from metrics.editing.hand_ranking import HandRanking
from metrics.teaching.handout import handout
from tests.browser.actions import open_tab, saved_chart
from tests.browser.conftest import downloaded, settled

SVG = "{http://www.w3.org/2000/svg}"

# Each row of each table that is not folded away, as its texts.
ROWS = """tables => tables
    .filter((table) => (table.getRootNode().host ?? table).checkVisibility())
    .flatMap((table) => [...table.rows].map((row) => row.innerText || row.textContent))"""

# The width in pixels of the widest chart.
WIDEST = "all => Math.max(0, ...all.map((each) => each.getBoundingClientRect().width))"
A4 = 1047
"""The width in pixels of a page of paper in landscape, without its margins."""


@pytest.mark.parametrize(
    ("address", "ruled", "known"),
    [
        (
            "/inspect_query?view=What if",
            1,
            "MacBook Pro for Developers 2 2.5850 0.7737 5.4662",
        ),
        ("/compare_runs?look=Queries", 2, "where is my parcel"),
        ("/conventions", 1, "Cutoff of the ideal 0.7562"),
        ("/learn?room=Worked examples", 4, ""),
    ],
)
def test_paper_has_every_row(server, page, address, ruled, known):
    page.goto(f"{server}{address}")
    # What is open is printed.
    to_open = {"/conventions": ("One choice changed",)}
    to_open["/learn?room=Worked examples"] = ("The steps to DCG@5", "The steps to IDCG@5")
    for title in to_open.get(address, ()):
        page.locator("summary", has_text=title).click()
    read = page.locator("[class*=st-key-drawn_] table").filter(visible=True)
    expect(read).to_have_count(ruled)
    settled(page)
    charts = page.locator(".js-plotly-plot .svg-container")
    on_screen = charts.evaluate_all(WIDEST)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert charts.evaluate_all(WIDEST) == pytest.approx(min(on_screen, A4), abs=1)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert charts.evaluate_all(WIDEST) == on_screen
    page.emulate_media(media="print")
    tables = page.locator("table")
    assert sum(each.is_visible() for each in tables.all()) >= ruled
    rows = [letters(row) for row in tables.evaluate_all(ROWS)]
    page.emulate_media(media="null")
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    printed = "".join(letters(each.extract_text()) for each in pages)
    assert letters(known) in printed
    assert [row for row in set(rows) if printed.count(row) < rows.count(row)] == []
    # A phone shows tables as paper does: no cell is cut.
    page.set_viewport_size({"width": 390, "height": 844})
    expect(read).to_have_count(ruled)
    assert page.evaluate("document.scrollingElement.scrollWidth") == 390


def test_inspect_can_be_taken_away(server, page):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/inspect_query")
    expect(page.locator("tfoot")).to_have_count(2)
    settled(page)
    page.get_by_role("button", name="Export").click()
    files = {
        name: downloaded(page, page.get_by_role("button", name=name, exact=True))
        for name in ("CSV", "LaTeX", "Markdown", "Complete", "With blanks", "Ledgers as SVG")
    }
    assert all("-trec_eval." in file.suggested_filename for file in files.values())
    texts = {name: file.path().read_text("utf-8-sig") for name, file in files.items()}
    assert sum("0.7737" in text for text in texts.values()) == 5
    assert "0.9602" not in texts["With blanks"]
    assert all("trec" in text for text in texts.values())
    assert is_a_picture(page, "Ledgers", "best laptop for programming: nDCG@5 = 0.9602")
    page.keyboard.press("Escape")
    shown = page.locator(".st-key-chart_running .js-plotly-plot")
    drawing = saved_chart(page, "running", "SVG")
    assert drawing.suggested_filename == "A-q1-nDCG@5-running-trec_eval.svg"
    svg = ElementTree.fromstring(drawing.path().read_bytes())
    words = [each.text for each in svg.iter(f"{SVG}text")]
    assert {*shown.locator("text").all_text_contents()} <= {*words}
    assert words[-1] == svg.find(f"{SVG}title").text == "A; q1; nDCG@5; convention: trec_eval"
    assert svg.find(f"{SVG}desc").text == shown.locator("..").get_attribute("aria-label")
    image = Image.open(saved_chart(page, "running", "PNG").path()).convert("RGB")
    box = shown.bounding_box()
    assert abs(image.width - 3 * box["width"]) < 3
    assert image.height > 3 * box["height"]
    # In the dark theme too the file has dark text on white.
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert all("rgb(49, 51, 63)" in each.get("style") for each in svg.iter(f"{SVG}text"))


@pytest.mark.parametrize("blanks", [True, False])
def test_a_sheet_fills_one_page_with_room_to_write_and_fits_a_phone(page, blanks):
    grades = {f"document-{at:02d}": at % 4 for at in range(12)}
    ledger = HandRanking.of("q", grades, [*grades]).ledger("nDCG@10")
    page.set_content(handout(ledger, "q", "Ten documents", blanks))
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert len(pages) == 1
    assert ("Notes" in pages[0].extract_text()) is not blanks
    # A page of A4 has 273 mm between its margins.
    page.set_viewport_size({"width": 703, "height": 900})
    page.emulate_media(media="print")
    room = page.locator(".room").bounding_box()
    assert room["height"] > 100
    assert 265 < (room["y"] + room["height"]) * 25.4 / 96 < 273
    page.emulate_media(media="screen")
    page.set_viewport_size({"width": 390, "height": 844})
    wide = "all => all.filter((each) => each.scrollWidth > each.clientWidth + 1).length"
    assert page.locator("html, figure, table").evaluate_all(wide) == 0
    # Where the reader works there is a box, high enough for a number.
    boxes = page.locator("td:empty")
    assert boxes.count() == (40 if blanks else 0)
    for media in ("screen", "print"):
        page.emulate_media(media=media)
        edges = "all => all.map((each) => getComputedStyle(each).borderStyle)"
        assert {*boxes.evaluate_all(edges)} <= {"solid"}
        assert all(each.bounding_box()["height"] > 20 for each in boxes.all())
    page.emulate_media(media="screen")
    # A long table begins on the first page and goes on overleaf.
    grades = {f"document-{at:02d}": at % 4 for at in range(24)}
    ledger = HandRanking.of("q", grades, [*grades]).ledger("nDCG@20")
    page.set_content(handout(ledger, "q", "Twenty documents", blanks))
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert len(pages) == 2
    assert "document-19" in pages[0].extract_text()


def test_the_pictures_of_a_comparison_are_saved(server, page):
    page.emulate_media(color_scheme="dark")
    page.goto(f"{server}/compare_runs?query=q21")
    settled(page)
    open_tab(page, "Query tables")
    assert is_a_picture(page, "Ledgers of B", "B char_ngrams: nDCG@10 = 0.9250")
    page.get_by_role("button", name="Share", exact=True).click()
    assert is_a_picture(page, "Every query", "char_ngrams is better than bm25")
    title = "does the warranty cover water damage · nDCG@10 0.7963, 0.9250"
    assert is_a_picture(page, "This query", title)


def is_a_picture(page, name, title):
    """Return whether the files of a picture, PNG and SVG, are one on white with this title."""
    png, svg = (
        downloaded(page, page.get_by_role("button", name=f"{name} as {kind}", exact=True)).path()
        for kind in ("PNG", "SVG")
    )
    image, root = Image.open(png).convert("RGB"), ElementTree.fromstring(svg.read_bytes())
    size = [3 * float(root.get(side)) for side in ("width", "height")]
    assert [*image.size] == pytest.approx(size, abs=3)
    assert image.getpixel((0, 0)) == (255, 255, 255)
    assert len(image.getcolors(image.width * image.height)) > 2
    return title in root.find(f"{SVG}title").text


def letters(words):
    """Return a text without what depends on the width of a cell: spaces, line ends, hyphens."""
    return re.sub("[\\s\xad]+", "", unicodedata.normalize("NFKC", words))
