"""The report in Chromium: on screen nothing is cut off, and in print no row is lost."""

import io
import re
import unicodedata
from html import unescape

import numpy as np
import pytest
from playwright.sync_api import expect
from pypdf import PdfReader

from metrics import Dataset, Pairing, Qrels, Run
from metrics.defaults import MEASURES
from metrics.rendering import report as reports

QUERIES = 150
# True where a drawn text reaches out of its chart.
OUTSIDE = """
[...document.querySelectorAll('svg')].flatMap(svg => {
  const box = svg.getBoundingClientRect();
  return [...svg.querySelectorAll('text')].filter(text => {
    const at = text.getBoundingClientRect();
    return at.left < box.left || at.right > box.right || at.top < box.top || at.bottom > box.bottom;
  }).map(text => text.textContent);
})
"""
# The pairs of texts in one chart that overlap by more than a pixel.
OVERLAPPING = """
[...document.querySelectorAll('svg')].flatMap(svg => {
  const texts = [...svg.querySelectorAll('text')].map(t => [t, t.getBoundingClientRect()]);
  return texts.flatMap(([t, a], i) => texts.slice(i + 1).filter(([, b]) =>
    a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1
  ).map(([u]) => `${t.textContent} / ${u.textContent}`));
})
"""
TEXT_SIZES = (
    "all => all.map(svg => 13 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)"
)
CUT = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"
SCROLLED = """
[...document.querySelectorAll('body *')].filter(element =>
  element.scrollHeight > element.clientHeight + 1
  && ['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowY)
).map(element => element.tagName)
"""


def drawn(queries):
    """Return a data set with long ids and texts, drawn at random."""
    rng = np.random.default_rng(5)
    words = ["how", "is", "a", "ranking", "of", "search", "results", "measured", "and", "compared"]
    names = [f"query-{at:04d}" for at in range(queries)]
    documents = [f"docs.example.org/guide/part-{at:02d}/section" for at in range(40)]
    scores = rng.normal(size=(2, queries, 40))
    runs = tuple(
        Run.from_dict(
            {q: dict(zip(documents, row, strict=True)) for q, row in zip(names, side, strict=True)},
            name,
        )
        for name, side in zip(("bm25", "dense"), scores, strict=True)
    )
    judged = {
        q: dict(zip(documents[:8], rng.integers(0, 4, 8).tolist(), strict=True)) for q in names
    }
    texts = {q: " ".join(rng.choice(words, 14)) for q in names}
    return Dataset("Search", Qrels.from_dict(judged), runs, texts)


@pytest.fixture(scope="module")
def report():
    dataset = drawn(QUERIES)
    pairing = Pairing.of(dataset.qrels, dataset.runs, MEASURES)
    return reports.report(pairing, dataset, "query-0007")


@pytest.fixture(scope="module")
def opened(chromium, report, tmp_path_factory):
    """The report in a page, with the messages of its console."""
    file = tmp_path_factory.mktemp("report") / "report.html"
    file.write_text(report, "utf-8")
    context = chromium.new_context(offline=True)
    page, messages = context.new_page(), []
    page.on("console", lambda message: messages.append(message.text))
    page.goto(file.as_uri())
    yield page, messages
    context.close()


def _lowest(page):
    """The height of the lowest text on a page, in points."""
    found = []

    def visit(text, matrix, of_text, *_):
        if text.strip():
            found.append(matrix[3] * of_text[5] + matrix[5])
            # The number of the page is in the margin.
            found[:] = [each for each in found if each > 14 * 72 / 25.4]

    page.extract_text(visitor_text=visit)
    return min(found)


def test_the_report_is_small_and_nothing_is_cut_off(opened, report):
    page, messages = opened
    assert len(report.encode()) < 500_000
    for width in (1280, 390):
        page.set_viewport_size({"width": width, "height": 900})
        # A phone has a form of each picture in which names are above their bars and below ranks.
        shown = [each.is_visible() for each in page.locator("svg").all()]
        assert shown == 3 * [width > 640, width <= 640]
        # No text is under 11 pixels, and no picture is cut or scrolled.
        assert min(page.locator("svg:visible").evaluate_all(TEXT_SIZES)) >= 11
        assert page.locator("figure:visible").evaluate_all(CUT) == []
        # No table scrolls.
        rights = "all => Math.max(...all.map((cell) => cell.getBoundingClientRect().right))"
        assert page.locator("td").evaluate_all(rights) <= width
        assert page.locator("table").evaluate_all(CUT) == []
        # On a phone a table of many columns has no header: each number has its label before it.
        heading = page.get_by_role("heading", name="Means, intervals, tests")
        means = heading.locator("xpath=following-sibling::table[1]")
        assert means.locator("thead").is_visible() is (width > 640)
        before = "all => all.map((each) => getComputedStyle(each, '::before').content)"
        labels = {*means.locator("tr:first-child td").evaluate_all(before)}
        assert ({'"mean A"', '"mean B"', '"p"', '"p Holm"'} <= labels) is (width <= 640)
        assert page.evaluate("document.documentElement.scrollWidth") == width
        page.get_by_role("link", name="Reproduce these numbers").click()
        expect(page.get_by_role("heading", name="Reproduce these numbers")).to_be_in_viewport()
        page.go_back()
        assert page.evaluate(OUTSIDE) == []
        assert page.evaluate(OVERLAPPING) == []
        assert page.evaluate(SCROLLED) == []
    assert messages == []


def test_page_one_is_for_who_decides_pages_are_full_and_no_heading_is_at_a_foot(opened, report):
    page, _ = opened
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    printed = [_letters(each.extract_text()) for each in pages]
    first, rest = (
        [_letters(unescape(re.sub("<.*?>", "", each))) for each in re.findall("<h2.*?</h2>", part)]
        for part in report.split("</section>", 1)
    )
    assert len(first) == 3
    assert all(each in printed[0] for each in first)
    assert "(gain:thegrade;" in printed[0]
    assert f"1/{len(pages)}" in printed[0]
    # No page but the last has a quarter empty above its margin.
    assert max(_lowest(each) / float(each.mediabox.height) for each in pages[:-1]) < 0.28
    # In the order of the PDF a footer's place is at the end of its page.
    assert len(rest) > 10
    assert [each for each in rest if any(words.endswith(each) for words in printed)] == []


def test_printing_loses_no_row(opened, report):
    page, _ = opened
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    printed = "".join(_letters(each.extract_text()) for each in pages)
    rows = [
        _letters(unescape("".join(re.findall("<td[^>]*>(.*?)</td>", row))))
        for row in re.findall("<tr>(.*?)</tr>", report)
    ]
    rows = [row for row in rows if row]
    assert len(rows) > QUERIES
    assert [row for row in set(rows) if printed.count(row) < rows.count(row)] == []
    # The means by cutoff are on one page.
    assert sum("meanAfromAtoA" in _letters(each.extract_text()) for each in pages) == 1
    # A table that runs over pages has its header on each of them.
    header = _letters("unjudged in the top 10, A")
    on = [header in _letters(each.extract_text()) for each in pages]
    assert sum(on) > 2
    assert on.index(True) + sum(on) == len(on) - on[::-1].index(True)


def _letters(words):
    """Return a text without spaces and line ends, which depend on the width of a cell."""
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", words))
