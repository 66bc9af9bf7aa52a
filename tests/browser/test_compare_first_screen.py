"""The first screen of Compare: the verdict, every query as a bar, and one query as two lists."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.browser.actions import open_tab
from tests.browser.conftest import drop, settled

WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}
MOST_HIGH = 2400
# Counts what moves.
MOVED = """
const animate = Element.prototype.animate;
window.moved = [];
Element.prototype.animate = function (...how) {
  moved.push(this.tagName.toLowerCase());
  return animate.apply(this, how);
};
"""
# The controls on the screen, outside of the menu and of the lists.
CONTROLS = """() => {
    const every = (root) => [...root.querySelectorAll('*')].flatMap((node) =>
        [node, ...(node.shadowRoot ? every(node.shadowRoot) : [])]);
    return every(document.querySelector('[data-testid=stMain]'))
        .filter((each) => each.matches('button, input, a[href], summary'))
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))
        .filter((each) => each.getBoundingClientRect().top < 800)
        .filter((each) => each.getBoundingClientRect().width > 1)
        .filter((each) => !each.closest('.queries, .lists') && !each.closest('[role=tablist]'))
        .map((each) => each.textContent || each.outerHTML.slice(0, 80));
}"""


@pytest.fixture
def shop(server, page):
    page.set_viewport_size(WIDE)
    page.add_init_script(MOVED)
    page.goto(f"{server}/compare_runs")
    expect(page.locator(".row.picked")).to_have_count(1)
    expect(page.locator(".lists li")).to_have_count(20)
    settled(page)
    return page


def row(page, name):
    return page.locator(".row", has_text=name)


def test_the_first_screen_answers_the_question(shop):
    heading = shop.get_by_role("heading", level=2)
    expect(heading).to_have_text(re.compile("char_ngrams is better than bm25: nDCG@10 0.7544"))
    pictures = shop.locator("[data-picture]")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        box = picture.bounding_box()
        assert box["y"] < 560
        # Both are seen as a whole.
        assert box["y"] + box["height"] < WIDE["height"]
    assert len(controls := shop.evaluate(CONTROLS)) <= 12, controls
    block = shop.get_by_test_id("stMainBlockContainer")
    assert block.evaluate("block => block.scrollHeight") <= MOST_HIGH


def test_what_cannot_turn_the_verdict_is_one_click_away(shop):
    expect(shop.get_by_text(re.compile("Missing grades.*could lead by"))).to_be_visible()
    about = shop.get_by_text(re.compile("corrected for testing"))
    expect(about).to_be_hidden()
    shop.get_by_role("button", name="Method").click()
    expect(about).to_be_visible()
    how = "95 % interval of the mean delta (inverted randomisation test). Chance: Randomisation, "
    expect(shop.get_by_text(how)).to_be_visible()


def test_a_click_shows_another_query_and_its_lists_glide(shop):
    shop.emulate_media(reduced_motion="no-preference")
    shop.evaluate("moved.length = 0")
    row(shop, "where is my parcel").click()
    expect(shop.locator(".two .title")).to_have_text("where is my parcel")
    expect(shop.locator(".scores")).to_have_text("nDCG@10 A 0.2635, B 0.0000")
    expect(shop).to_have_url(re.compile("q=q20"))
    settled(shop)
    assert {"li", "path"} <= {*shop.evaluate("moved")}
    expect(shop.locator(".row.picked .name")).to_have_text("where is my parcel")
    expect(shop.locator(".bar.together .value")).to_have_text("−0.2635")


def test_nothing_glides_where_motion_is_not_wanted(shop):
    shop.emulate_media(reduced_motion="reduce")
    shop.evaluate("moved.length = 0")
    row(shop, "waterprof earbuds").click()
    expect(shop.locator(".two .title")).to_have_text("waterprof earbuds")
    settled(shop)
    assert shop.evaluate("moved") == []


def test_arrow_keys_walk_through_the_queries(shop):
    first = shop.locator(".row").first
    first.focus()
    shop.keyboard.press("ArrowDown")
    expect(shop.locator(".two .title")).to_have_text("ultrawide monitors for coding")
    settled(shop)
    # The focus stays in the row, and Tab leads to it.
    expect(shop.locator(".row:focus .name")).to_have_text("ultrawide monitors for coding")
    expect(shop.locator(".row[tabindex='0']")).to_have_count(1)
    shop.keyboard.press("ArrowUp")
    expect(shop.locator(".two .title")).to_have_text("how to descale an espresso machine")
    settled(shop)
    last = shop.locator(".row").last
    last.focus()
    shop.keyboard.press("Enter")
    expect(shop.locator(".two .title")).to_have_text(last.locator(".name").text_content())


def test_a_band_opens_in_place(shop):
    rows = shop.locator(".row")
    more = shop.get_by_role("button", name="B better on 16: …")
    before = rows.count() + int(re.search(r"\d+", more.text_content())[0])
    more.press("Enter")
    # All 16, and the picked one is among them.
    expect(rows).to_have_count(before)
    expect(shop.locator(".row:focus")).to_have_count(1)
    equal = shop.get_by_role("button", name="Equal on 7")
    row(shop, "where is my parcel").click()
    expect(shop.locator(".two .title")).to_have_text("where is my parcel")
    above = equal.bounding_box()
    equal.click()
    expect(rows).to_have_count(before + 7)
    # The row that was picked before stays, and so does all that is above.
    assert equal.bounding_box() == above
    # Both lists stay in sight beside the bars.
    main = shop.get_by_test_id("stMain")
    main.evaluate("main => main.scrollBy(0, 300)")
    assert shop.locator(".two .title").bounding_box()["y"] > 60
    main.evaluate("main => main.scrollTo(0, 0)")
    expect(equal).to_have_attribute("aria-expanded", "true")
    equal.click()
    expect(rows).to_have_count(before)


def test_a_document_is_lit_in_both_lists_and_its_bar(shop):
    shop.locator(".lists ol.A li", has_text="help-warranty-03").hover()
    expect(shop.locator(".two .lit")).to_have_count(4)
    shop.locator(".lists ol.A li", has_text="help-warranty-03").click()
    expect(shop).to_have_url(re.compile("document=help-warranty-03"))
    expect(shop.locator(".two .picked .name")).to_have_text(["help-warranty-03"] * 3)
    shop.locator(".lists ol.A button").first.focus()
    for key, there in (("ArrowDown", "monitor-04"), ("ArrowRight", "help-warranty-02")):
        shop.keyboard.press(key)
        expect(shop.locator(".lists button:focus .name")).to_have_text(there)


def test_a_tab_has_the_tables_that_sum_to_the_scores(shop):
    expect(shop.locator("tfoot")).to_have_count(0)
    open_tab(shop, "Query tables")
    expect(shop.locator("tfoot")).to_have_count(2)
    expect(shop.get_by_text("Difference", exact=True)).to_be_visible()
    expect(shop.locator("caption")).to_have_count(2)


def test_a_phone_leads_from_the_lists_back_to_all_queries(shop):
    back = shop.get_by_role("button", name="List of queries")
    expect(back).to_be_hidden()
    shop.set_viewport_size(PHONE)
    row(shop, "where is my parcel").click()
    expect(shop.locator(".two .title")).to_have_text("where is my parcel")
    expect(shop.locator(".queries .legend")).not_to_be_in_viewport()
    back.click()
    expect(shop.locator(".queries .legend")).to_be_in_viewport()


def test_no_tab_is_cut_and_each_row_has_one_gap(shop):
    boxes = "tabs => tabs.map((tab) => tab.getBoundingClientRect().toJSON())"
    tabs = shop.locator(".st-key-looks [role=tab]")
    wide = tabs.evaluate_all(boxes)
    gaps = {round(b["x"] - a["right"]) for a, b in pairwise(wide) if a["y"] == b["y"]}
    assert len(gaps) == 1
    assert len({tab["y"] for tab in wide}) == 1
    assert len(wide) == 6
    shop.set_viewport_size(PHONE)
    settled(shop)
    assert len({tab["y"] for tab in tabs.evaluate_all(boxes)}) == 1
    tabs.last.scroll_into_view_if_needed()
    expect(tabs.last).to_be_in_viewport(ratio=1)


def test_the_name_of_a_setting_never_lies_over_the_menu(shop):
    tooltip = shop.get_by_role("tooltip", include_hidden=True)
    shop.get_by_role("button", name="nDCG", exact=True).first.hover()
    expect(tooltip).to_be_attached()
    expect(tooltip).to_be_hidden()
    shop.get_by_role("button", name="nDCG", exact=True).first.click()
    expect(shop.get_by_role("combobox", name="Measure")).to_be_visible()
    expect(tooltip).to_be_hidden()


def test_a_phone_needs_no_sideways_scroll(shop):
    shop.set_viewport_size(PHONE)
    settled(shop)
    # The headline is first, with what it rests on and what can turn it; half the screen is bars.
    parts = (
        shop.get_by_role("heading", level=2),
        *map(shop.locator, (".st-key-evidence", ".st-key-threats", ".queries")),
    )
    places = [part.bounding_box()["y"] for part in parts]
    assert places == sorted(places)
    assert places[0] < 180
    assert places[-1] < 370
    # The menu and the headline have room of their own.
    menu, present, heading, evidence = (
        part.bounding_box()
        for part in (
            shop.get_by_role("button", name="Menu", exact=True),
            shop.get_by_role("button", name="Present", exact=True),
            shop.get_by_role("heading", level=2).locator("span").first,
            shop.locator(".st-key-evidence"),
        )
    )
    assert present["x"] - menu["x"] - menu["width"] >= 12
    assert evidence["y"] - heading["y"] - heading["height"] >= 6
    main = shop.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth") <= PHONE["width"]
    for part in (".queries", ".two"):
        assert shop.locator(part).evaluate("box => box.scrollWidth - box.clientWidth") <= 0
    # Every bar has its number in sight.
    ends = shop.locator(".value").evaluate_all(
        "all => all.map((v) => v.getBoundingClientRect().right)"
    )
    assert max(ends) <= PHONE["width"]
    # No words above the bars lie over others.
    beside = shop.locator(".queries .legend").evaluate(
        "legend => [legend.firstChild, ...legend.querySelectorAll('b')].map((part) => {"
        " const range = document.createRange(); range.selectNodeContents(part);"
        " return range.getBoundingClientRect().toJSON(); })"
    )
    assert all(one["right"] < other["left"] for one, other in pairwise(beside))


def test_a_presented_verdict_fits_its_screen_with_regressions_and_names_both_runs(server, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{server}/compare_runs?present=verdict")
    bands = page.locator(".queries h3")
    expect(bands).to_have_text(
        [
            re.compile("char_ngrams better on 16"),
            re.compile("Equal on 7"),
            re.compile("bm25 better on 6"),
        ]
    )
    settled(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollHeight <= main.clientHeight + 1")
    worse = page.locator("section", has_text="bm25 better on 6").locator(".row")
    # As many of either as of all queries, so that the picture says what the headline does.
    better = page.locator("section", has_text="char_ngrams better on 16").locator(".row")
    assert better.count() > 1.5 * worse.count() > 3
    assert (
        worse.last.bounding_box()["y"] < page.get_by_role("button", name="Next").bounding_box()["y"]
    )

    # What goes on below a name begins below it.
    name, more = (
        page.get_by_text(words).bounding_box() for words in ("best pizza in new york", "… 3 more")
    )
    assert more["x"] + more["width"] > name["x"]

    # A screen with more room has more rows, and one with less has fewer again.
    rows = page.locator("section", has_text="char_ngrams better on 16").locator(".row")
    few = rows.count()
    page.set_viewport_size({"width": 1920, "height": 1480})
    expect(rows.nth(few + 3)).to_be_visible()
    page.set_viewport_size({"width": 1920, "height": 1080})
    expect(rows).to_have_count(few)

    # A hall has nothing to point at: each document has its text in its row.
    page.get_by_role("button", name="Next").click()
    said = page.locator("ol.A .said")
    expect(said.first).to_be_visible()
    expect(page.locator(".scores")).to_have_text("nDCG@10 bm25 0.7963, char_ngrams 0.9250")
    expect(page.locator(".sentence")).to_contain_text("at rank 4 in bm25, at rank 1 in char_ngrams")
    assert said.first.text_content().startswith("Extended protection plan")
    # It has two lines, which are in its row.
    lines = "(text) => text.clientHeight / parseFloat(getComputedStyle(text).lineHeight)"
    assert said.first.evaluate(lines) > 1.5
    row = page.locator("ol.A li").first.bounding_box()
    assert said.first.bounding_box()["height"] <= row["height"]


def test_a_phone_presents_both_lists_as_a_whole_above_the_steps(server, page):
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/compare_runs?q=q20&present=verdict")
    # The list of all queries was there, and is not.
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".below.B")).to_have_text("rank 11")
    settled(page)
    expect(page.get_by_role("button", name="List of queries")).to_have_count(0)
    steps = page.locator(".st-key-steps_of_panels").bounding_box()
    for query in ("q20", "q21"):
        # The second has a text above its lists.
        page.goto(f"{server}/compare_runs?q={query}&present=movement")
        expect(page.locator(".facts .id")).to_have_text(query)
        settled(page)
        last = page.locator(".below.B").bounding_box()
        assert last["y"] + last["height"] < steps["y"]
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".bars")).to_be_visible()
    settled(page)
    title = page.get_by_text("What each document changed, 3 of 3").bounding_box()
    assert title["x"] + title["width"] <= PHONE["width"]


def test_one_query_alone_is_two_lists_and_its_tables(server, page):
    page.set_viewport_size(WIDE)
    page.goto(f"{server}/data")
    drop(
        page,
        ("qrels.txt", "q 0 x 2\nq 0 y 1\nq 0 z 0\n"),
        ("one.run", "q Q0 x 1 3 r\nq Q0 y 2 2 r\nq Q0 z 3 1 r\n"),
        ("two.run", "q Q0 y 1 3 r\nq Q0 x 2 2 r\n"),
    )
    page.get_by_role("button", name="Compare the runs").click()
    expect(page.locator(".lists li")).to_have_count(5)
    settled(page)
    expect(page.locator(".queries")).to_have_count(0)
    expect(page.get_by_text("all 1 quer")).to_have_count(0)
    expect(page.locator("tfoot")).to_have_count(2)
    lists, bars = (page.locator(part).bounding_box() for part in (".lists", ".bars"))
    assert lists["x"] + lists["width"] <= bars["x"], "beside each other"


def test_in_the_dark_both_names_and_numbers_are_read(shop):
    """Axe measures the contrast of the page; here is what it does not see: text beside bars."""
    ratio = """(nodes) => nodes.map((node) => {
        const canvas = Object.assign(document.createElement('canvas'), { width: 1, height: 1 });
        const of = (colour) => {
            const pen = canvas.getContext('2d', { willReadFrequently: true });
            pen.fillStyle = colour;
            pen.fillRect(0, 0, 1, 1);
            const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((each) => {
                const part = each / 255;
                return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const app = document.querySelector('[data-testid=stApp]');
        const both = [getComputedStyle(node).color, getComputedStyle(app).backgroundColor];
        const [low, high] = both.map(of).sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    })"""
    for scheme in ("light", "dark"):
        shop.emulate_media(color_scheme=scheme)
        settled(shop)
        for part in (".sides b", ".lists > b", ".row .value", "h2 span"):
            found = shop.locator(part).evaluate_all(ratio)
            assert found, part
            assert min(found) >= 4.5, (scheme, part, found)
