"""Practice as students use it: answer, see the solution, open Inspect, come back."""

import io
import re
from pathlib import Path

from playwright.sync_api import expect
from pypdf import PdfReader

from metrics.teaching.exercises import KINDS, exercise
from metrics.teaching.handout import sheet
from tests.browser.actions import go_through_learn, score
from tests.browser.conftest import downloaded, settled
from tests.cases import cases

FILLED = """bar => bar.lastElementChild.getBoundingClientRect().right
    - bar.firstElementChild.getBoundingClientRect().left"""
RIGHT_ENDS = "parts => parts.map((each) => each.getBoundingClientRect().right)"
# The place, the title and the rank of each row, from above.
ROWS = """rows => rows.map((row) => [
    row.getBoundingClientRect().y, row.querySelector('.name').textContent,
    row.firstChild.textContent,
]).sort(([one], [other]) => one - other)"""
# Where a row is once its movement has ended.
SETTLED = """row => Promise.all(row.getAnimations().map((each) => each.finished))
    .then(() => row.getBoundingClientRect().y)"""
CUT = "all => all.filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.textContent)"
CONTROLS = "button, input, [role=gridcell][tabindex='0'], [data-testid=stCheckbox]"


def opened(server, page, kind, level, number):
    page.goto(f"{server}/practice?kind={kind}&difficulty={level}&no={number}")
    expect(page.locator(".lists table").first).to_be_visible()
    settled(page)
    return exercise(kind, level, number)


def field(page, blank):
    return page.get_by_role("textbox", name=blank.label, exact=True)


def reply(page, words):
    """Return what is said of a blank."""
    return page.locator(".card .notes:visible").filter(has_text=words)


def right(page, blank):
    return reply(page, re.compile(f"Right: {re.escape(blank.key)} [=≈] "))


def test_answers_are_checked_immediately_and_kept(server, page):
    (blank,) = opened(server, page, "ndcg", "2", 3).blanks
    words, value = next(iter(blank.mistakes.items()))
    answer = field(page, blank)
    answer.fill(f"{value:.4f}")
    answer.press("Enter")
    said = page.locator(".card [role=status]")
    expect(said).to_contain_text(f"is what you get {words}")
    expect(answer).to_have_attribute("aria-invalid", "true")
    answer.fill(f"{blank.answer:.3f}")
    answer.press("Enter")
    expect(said).to_contain_text(f"{blank.label} ✓ Right: {blank.key}")
    expect(right(page, blank)).to_have_count(1)
    page.get_by_text("Show the solution").click()
    settled(page)
    page.get_by_role("button", name="Open on Inspect").click()
    expect(score(page)).to_have_text(blank.key)
    go_through_learn(page, "Practice")
    expect(field(page, blank)).to_have_value(f"{blank.answer:.3f}")
    expect(page).to_have_url(re.compile("kind=ndcg.*no=3"))


def test_the_blanks_of_a_table_are_filled_in_its_cells_on_a_phone(server, page):
    page.set_viewport_size({"width": 390, "height": 800})
    blanks = opened(server, page, "table", "1", 1).blanks
    first, second, *_, last = blanks
    answer = field(page, first)
    box = answer.bounding_box()
    assert box["x"] + box["width"] <= 390
    # The picture comes first, and is still in sight at the last blank.
    bar = page.locator(".asked .total")
    assert bar.bounding_box()["y"] < page.locator(".lists table").first.bounding_box()["y"]
    hint = page.get_by_role("button", name="Hint 1 of 3 to (b)")
    expect(hint).to_have_count(0)
    expect(page.get_by_role("cell", name="see (")).not_to_have_count(0)
    field(page, second).focus()
    hint.click()
    expect(reply(page, f"Hint 1 {second.hints.where}")).to_have_count(1)
    answer.fill(first.hints.working)
    # The next blank cell is the next stop of the Tab key; Enter goes on to the one after it.
    answer.press("Tab")
    page.keyboard.type(f"{second.answer:.3f}")
    page.keyboard.press("Enter")
    for blank in blanks[2:]:
        expect(field(page, blank)).to_be_focused()
        page.keyboard.type(f"{blank.answer:.4f}")
        page.keyboard.press("Enter")
    expect(right(page, last)).to_have_count(1)
    expect(bar).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("cell", name="see (")).to_have_count(0)
    expect(page).to_have_url(re.compile("tally=table1.1$"))
    filled = bar.evaluate(FILLED)
    assert abs(filled / bar.bounding_box()["width"] - last.answer) < 0.05
    # Enter goes on to the next exercise, too.
    expect(page.get_by_role("button", name="Next", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("no=2"))
    # Each further exercise is read from its title on, also one that the grid below it opens.
    settled(page)
    title = page.locator(".card h2")
    assert title.bounding_box()["y"] >= 60
    page.locator("[data-place='ndcg 2']").click()
    expect(page).to_have_url(re.compile("kind=ndcg&difficulty=2"))
    settled(page)
    assert 60 <= title.bounding_box()["y"] < 400
    page.reload()
    expect(page.get_by_text("1 exercise done, 1 right at the first try.")).to_be_visible()


@cases(("kind", "level"), [("table", "2"), ("table", "3"), ("sets", "3"), ("higher", "2")])
def test_the_first_screen_shows_the_lists_and_few_controls(server, page, kind, level):
    opened(server, page, kind, level, 1)
    assert page.locator("[data-picture]").first.bounding_box()["y"] < 560
    outside = page.get_by_test_id("stMain").locator(CONTROLS)
    shown = [
        each
        for each in outside.all()
        if each.is_visible() and not each.evaluate("each => Boolean(each.closest('.lists table'))")
    ]
    assert len([each for each in shown if each.bounding_box()["y"] < 800]) <= 12
    for width in (1280, 900, 390):
        page.set_viewport_size({"width": width, "height": 800})
        settled(page)
        (end,) = page.locator(".lists").evaluate_all(RIGHT_ENDS)
        parts = page.locator(".lists > *, .lists table").evaluate_all(RIGHT_ENDS)
        assert max(parts) <= end + 1 <= width


def test_a_list_is_chosen_by_a_press_on_it(server, page):
    made = opened(server, page, "higher", "1", 2)
    (option,) = made.blanks[0].right
    if option in made.rankings:
        chosen = page.get_by_role("button", name=f"Ranking {option}")
        page.locator(".list", has=chosen).locator("td").last.click()
    else:
        page.get_by_role("button", name=option).click()
    expect(reply(page, "✓ Right.")).to_have_count(1)
    # The rows that make the scores are marked.
    ledgers = (made.rankings[name].ledger(made.measures[0]) for name in made.rankings)
    earned = [enumerate(each.parts[0].contribution, 1) for each in ledgers]
    ranks = [[rank for rank, value in of if value] for of in earned]
    for of, list_ in zip(ranks, page.locator(".list").all(), strict=True):
        expect(list_.locator(".counts th")).to_have_text([str(rank) for rank in of])
    reason = page.get_by_role("button", name=made.blanks[1].key)
    reason.click()
    expect(page.get_by_text("All correct.")).to_be_visible()
    expect(reason).to_have_attribute("aria-pressed", "true")


def test_the_reply_has_its_place_below_the_options(server, page):
    opened(server, page, "higher", "3", 1)
    page.set_viewport_size({"width": 1280, "height": 800})
    hint, options = page.get_by_role("button", name="Hint"), page.locator(".options button")
    bar = page.locator("caption .total").first
    places = hint.bounding_box(), bar.bounding_box()
    page.get_by_role("button", name="Ranking A").click()
    expect(page.locator(".notes p:visible")).to_have_count(1)
    assert (hint.bounding_box(), bar.bounding_box()) == places
    rooms = [each.bounding_box() for each in options.all()]
    page.get_by_role("button", name="rank of the first").click()
    expect(page.locator(".options .wrong")).to_have_count(1)
    assert [each.bounding_box() for each in options.all()] == rooms
    box = options.last.bounding_box()
    assert box["y"] + box["height"] <= page.locator(".foot").bounding_box()["y"]


def test_a_hint_in_sight_scrolls_nothing_and_the_next_exercise_begins_at_the_top(server, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    (blank,) = opened(server, page, "swap", "2", 1).blanks
    title = page.locator(".card h2")
    place = title.bounding_box()
    page.get_by_role("button", name="Hint 1").click()
    expect(reply(page, blank.hints.where)).to_be_in_viewport()
    assert title.bounding_box() == place
    page.mouse.wheel(0, 8)
    page.get_by_role("button", name="Next", exact=True).click()
    expect(page).to_have_url(re.compile("no=2"))
    settled(page)
    assert title.bounding_box()["y"] == place["y"]
    # A hint that is not in sight comes there.
    page.set_viewport_size({"width": 1280, "height": 400})
    page.get_by_role("button", name="Hint 1").click()
    expect(reply(page, "Hint 1")).to_be_in_viewport()


def test_the_solution_is_shown_where_it_is_seen(server, page):
    (blank,) = opened(server, page, "swap", "3", 1).blanks
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".told .key")).to_have_text(f"= {blank.key}")
    expect(page.locator(".told .key")).to_be_in_viewport()
    expect(page.get_by_role("heading", name="“")).to_be_in_viewport()


@cases("width", [1280, 390])
def test_the_solution_moves_no_row(server, page, width):
    page.set_viewport_size({"width": width, "height": 800})
    blanks = opened(server, page, "table", "1", 1).blanks
    parts = page.locator(".lists tr, .blank")
    before = [each.bounding_box() for each in parts.all()]
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".field .key").last).to_have_text(f"= {blanks[-1].key}")
    settled(page)
    assert [each.bounding_box() for each in parts.all()] == before


def test_two_rows_are_swapped_by_presses_and_by_dragging(server, page):
    (blank,) = opened(server, page, "swap", "2", 1).blanks
    rows = page.locator("tr[data-rank]")
    wrong = next(name for name in blank.replies if name not in blank.right)
    for rank in map(int, re.findall(r"\d+", wrong)):
        rows.nth(rank - 1).get_by_role("button").press("Enter")
    expect(reply(page, f"✗ {blank.replies[wrong]}")).to_have_count(1)
    expect(page.locator("tr.picked.wrong")).to_have_count(2)
    low, high = map(int, re.findall(r"\d+", min(blank.right)))
    names = rows.locator(".name").all_text_contents()
    start, end = (rows.nth(rank - 1).bounding_box() for rank in (low, high))
    page.mouse.move(start["x"] + 150, start["y"] + 10)
    page.mouse.down()
    page.mouse.move(end["x"] + 150, end["y"] + 10, steps=4)
    # The other row goes to the place that the held one has left.
    gone = rows.nth(high - 1).evaluate(SETTLED)
    assert abs(gone - start["y"]) < 1
    page.mouse.up()
    expect(page.get_by_text("All correct.")).to_be_visible()
    seen = rows.evaluate_all(ROWS)
    names[low - 1], names[high - 1] = names[high - 1], names[low - 1]
    assert [name for _, name, _ in seen] == names
    assert [rank for *_, rank in seen] == [str(rank) for rank in range(1, len(names) + 1)]


def test_the_grid_is_one_stop_of_the_keyboard(server, page):
    opened(server, page, "table", "1", 1)
    page.get_by_role("gridcell", name="DCG and IDCG tables, easy").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("kind=ndcg&difficulty=2"))
    here = page.get_by_role("gridcell", name="nDCG, usual: 0 of 0 right")
    expect(here).to_have_attribute("aria-selected", "true")
    expect(here).to_be_focused()


def test_the_sheet_is_saved_with_its_key(server, page):
    page.goto(f"{server}/practice?kind=sets&no=5")
    page.get_by_role("button", name="Sheet to print").click()
    settled(page)
    # It has the skill that the page shows, until all are asked for.
    save, only = page.get_by_role("button", name="Save as HTML"), page.get_by_text("Only ")
    assert "mixed" not in downloaded(page, save).suggested_filename
    only.click()
    settled(page)
    download = downloaded(page, save)
    assert download.suggested_filename == "practice-mixed-easy-5.html"
    page.set_content(Path(download.path()).read_text("utf-8"))
    expect(page.get_by_role("heading", level=2)).to_have_count(8)
    # The key is one page, which the screen shows when it is asked to.
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert ["Key:" in each.extract_text() for each in pages] == [False, False, True]
    # Nothing is beside the margins of the paper.
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 703, "height": 1000})
    assert max(page.locator(".all figure, .all hr").evaluate_all(RIGHT_ENDS)) <= 704
    page.emulate_media(media="screen")
    key = page.locator(".key section")
    expect(key).to_have_count(8)
    expect(key.first).to_be_hidden()
    page.get_by_label("Show the key").check()
    expect(key.last).to_be_visible()
    # All skills in turn, the first once more at the end, and no query twice.
    asked = page.locator(".all .rules").all_inner_texts()
    assert len({re.search(r"Query: ([^.]+)\.", each)[1] for each in asked}) == 8
    titles = [kind.title for kind in KINDS.values()]
    said = key.locator(".rules").all_inner_texts()
    places = [each.removeprefix("In Practice: ").split(", easy")[0] for each in said]
    assert places == [*titles[2:], *titles[:3]]
    # On a phone no table of the key is cut.
    page.set_viewport_size({"width": 390, "height": 844})
    assert key.locator("figure").evaluate_all(CUT) == []
    # Tables to fill are side by side in print, and on a phone have two lines a row.
    tables = {str(no): exercise("table", "1", no) for no in range(1, 9)}
    page.set_content(sheet("Week 3", tables))
    assert len(PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages) <= 5
    expect(page.locator("meta[name=viewport]")).to_have_attribute("content", "width=device-width")
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert page.locator("figure").evaluate_all(CUT) == []


PARTS = ".lists tr:not(.reply), .lists .field, .foot button"


@cases(
    ("kind", "height"),
    [("table", 800), ("table", 500), ("sets", 800), ("ndcg", 800), ("swap", 800)],
)
def test_a_reply_and_hints_are_beside_the_steps_and_move_nothing(server, page, kind, height):
    page.set_viewport_size({"width": 1280, "height": height})
    first, *_ = opened(server, page, kind, "1", 1).blanks
    if kind != "swap":
        field(page, first).focus()
    parts = page.locator(PARTS)
    places = [each.bounding_box()["y"] for each in parts.all()]
    if kind != "swap":
        page.keyboard.type("99")
        page.keyboard.press("Enter")
        expect(page.locator(".told")).to_contain_text("99")
    for number in (1, 2, 3):
        page.get_by_role("button", name="Hint").click()
        expect(page.locator(".told")).to_contain_text(f"Hint {number}")
    assert [each.bounding_box()["y"] for each in parts.all()] == places
    expect(page.locator(".told p").last).to_be_in_viewport()


def test_after_the_solution_no_hint_is_offered(server, page):
    opened(server, page, "table", "1", 1)
    hint = page.get_by_role("button", name="Hint")
    expect(hint).to_be_visible()
    page.get_by_role("button", name="Show the solution").click()
    expect(hint).to_be_hidden()
    page.get_by_role("button", name="Hide the solution").click()
    expect(hint).to_be_visible()


def test_a_wrong_blank_says_its_reason_again_once_its_field_is_in_use(server, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    first, second, *_ = opened(server, page, "table", "1", 1).blanks
    told = page.locator(".told")
    for blank, answer in ((first, "99"), (second, f"{second.answer:.3f}")):
        field(page, blank).fill(answer)
        field(page, blank).press("Enter")
    # Enter has gone on to an empty field: what was said last is still seen.
    expect(told).to_have_text(re.compile("^✓ "))
    expect(told).to_have_attribute("data-letter", second.letter)
    field(page, first).focus()
    expect(told).to_have_text(re.compile("^✗ "))
    expect(told).to_have_attribute("data-letter", first.letter)
    field(page, first).fill(f"{first.answer:.3f}")
    field(page, first).press("Enter")
    expect(told).to_have_text(re.compile("^✓ "))


def test_on_a_phone_a_reply_unfolds_under_its_row_and_moves_no_field_in_use(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    first, second, *_ = opened(server, page, "table", "1", 1).blanks
    field(page, first).fill("99")
    place = field(page, second).bounding_box()
    page.keyboard.press("Tab")
    expect(reply(page, "✗ ")).to_be_visible()
    expect(page.locator(".told")).to_be_hidden()
    expect(field(page, second)).to_be_focused()
    # A page scrolls by whole pixels.
    assert abs(field(page, second).bounding_box()["y"] - place["y"]) < 1
    box, said = field(page, first).bounding_box(), reply(page, "✗ ").bounding_box()
    assert 0 <= said["y"] - box["y"] - box["height"] < 12
