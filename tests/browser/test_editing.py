"""Editing on Inspect as people do it: drag, keys, buttons, paste, undo, and the link."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.actions import score, type_k
from tests.browser.conftest import new_context, settled

START = [
    "Top Programming Laptops 2024",
    "Developer Laptop Guide",
    "Gaming Laptop Review",
    "Budget Coding Laptops",
    "MacBook Pro for Developers",
]


def rows(page):
    return page.locator("li.row")


def row(page, text):
    return page.locator("li.row", has_text=text)


def expect_grade(page, text, grade):
    """Expect a document's grade, which dots show where all grades are few."""
    shown = "unjudged" if grade == "?" else f"grade {grade}"
    expect(row(page, text).locator(".grade")).to_have_attribute("title", re.compile(f"^{shown}"))


def expect_order(page, names):
    expect(rows(page).locator(".name")).to_have_text(names)


def documents(page):
    """Return the names of the documents, once the list is drawn."""
    expect(rows(page).first).to_be_visible()
    return rows(page).locator(".name").all_text_contents()


@pytest.fixture
def laptop(server, page):
    page.goto(f"{server}/inspect_query")
    expect(score(page)).to_have_text("0.9602")
    expect_order(page, START)
    return page


def drag(page, text, to, after=0):
    """Drag a row to the middle of another row, or below it."""
    lift(page, text, to, after)
    page.mouse.up()


def lift(page, text, to, after=0):
    """Drag a row, and hold it there."""
    settled(page)
    name = row(page, text).locator(".name")
    name.hover()
    page.mouse.down()
    target = row(page, to).bounding_box()
    y = target["y"] + target["height"] / 2 + after
    page.mouse.move(target["x"] + 60, y, steps=8)
    expect(row(page, text)).to_have_class(re.compile("dragged"))


WATCH = """() => {
  // The heights on the page at which each rank was drawn; those not retrieved count from the last.
  window.seen = {};
  const main = document.querySelector('[data-testid="stMain"]');
  const inside = (root) => root.querySelector("div.list") ??
    [...root.querySelectorAll("*")].map((each) => each.shadowRoot && inside(each.shadowRoot))
      .find(Boolean);
  const box = inside(document);
  const look = () => {
    for (const list of box.querySelectorAll("ol")) {
      const all = [...list.querySelectorAll("li.row")];
      all.forEach((row, at) => {
        const place = list.className.startsWith("rest") ? at - all.length : at;
        // Where it is going: a row travels there.
        const top = list.offsetTop + row.offsetTop;
        (window.seen[place] ??= new Set()).add(top);
      });
    }
    requestAnimationFrame(look);
  };
  look();
}"""


def middle(found):
    box = found.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_every_press_counts_and_no_row_moves_under_it(server, page):
    page.goto(f"{server}/inspect_query")
    expect_order(page, START)
    # The charts are loaded last; before, what is above the list may still grow.
    expect(page.locator(".js-plotly-plot .main-svg").first).to_be_visible()
    settled(page)
    page.evaluate(WATCH)
    mouse = page.mouse
    raise_it = middle(row(page, "Gaming").get_by_role("button", name="Raise the grade"))
    for _ in range(20):
        mouse.click(*raise_it)
    expect_grade(page, "Gaming", "20")
    third = rows(page).nth(2)
    up = middle(third.get_by_role("button", name="Move up"))
    # A second press at the same spot moves the same document on, and a third has nowhere to.
    for place in (1, 0, 0):
        mouse.click(*up)
        expect(rows(page).nth(place).locator(".name")).to_have_text(START[2])
    # The button of the row that came under the pointer is not marked until the pointer moves.
    under = third.get_by_role("button", name="Move up")
    expect(under).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    mouse.move(up[0], up[1] + 5)
    expect(under).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    # A press elsewhere means the row that is there now.
    up = up[0], up[1] + 5
    mouse.click(*up)
    expect_order(page, [START[2], START[1], START[0], *START[3:]])
    settled(page)
    # What changes between a press and its release is drawn after the release.
    mouse.move(up[0], up[1] - 10)
    mouse.down()
    page.keyboard.press("Alt+ArrowUp")
    settled(page)
    expect(third.locator(".name")).to_have_text(START[0])
    mouse.up()
    expect(rows(page).first.locator(".name")).to_have_text(START[0])
    undo = page.get_by_role("button", name="Undo")
    expect(undo).to_be_enabled()
    settled(page)
    for _ in range(30):
        mouse.click(*middle(undo))
    page.locator("h1").click()
    for _ in range(12):
        page.keyboard.press("Control+z")
    expect_order(page, START)
    expect_grade(page, "Gaming", "0")
    expect(undo).to_be_disabled()
    page.keyboard.press("Control+Shift+Z")
    expect_grade(page, "Gaming", "1")
    # In a field the keys are the field's own.
    page.get_by_role("button", name="Paste or new list").click()
    title = page.get_by_role("textbox", name="Title or query")
    title.press_sequentially("shoes")
    title.press("Control+z")
    expect(title).not_to_have_value("shoes")
    page.keyboard.press("Escape")
    settled(page)
    expect_grade(page, "Gaming", "1")
    for what in ("Move down", "Lower the grade", "Same score"):
        for text in START[1:]:
            # A pointer that was elsewhere means the row that is there now.
            page.locator("h1").hover()
            row(page, text).get_by_role("button", name=what).click()
    settled(page)
    seen = page.evaluate("Object.values(window.seen).map((tops) => [...tops])")
    assert [len(tops) for tops in seen] == [1] * len(seen), seen


def test_dragging_moves_removes_and_restores_a_document(laptop):
    drag(laptop, "MacBook", "Gaming")
    expect(score(laptop)).to_have_text("0.9923")
    expect_order(laptop, [*START[:2], START[4], START[2], START[3]])
    drag(laptop, "Top Programming", "Budget", after=80)
    expect(score(laptop)).to_have_text("0.6487")
    expect(laptop.locator(".rest li.row")).to_have_count(1)
    drag(laptop, "Top Programming", "Developer Laptop Guide")
    expect(score(laptop)).to_have_text("0.9923")


def test_a_row_in_hand_shows_what_a_drop_would_earn_and_escape_puts_it_back(server, laptop):
    def shown():
        return [row(laptop, name).locator(".rank, .value").all_text_contents() for name in START]

    before, sentence = shown(), laptop.locator(".lines p").first
    lift(laptop, "MacBook", "Gaming")
    expect(score(laptop)).to_have_text("0.9923")
    held = shown()
    assert [rank for rank, _ in held] == ["1", "2", "4", "5", "3"]
    # Python has heard of nothing, and what it wrote is pale.
    settled(laptop)
    expect(sentence).to_contain_text("0.9602")
    waits = [laptop.locator(f".st-key-{key}") for key in ("score_lines", "chart", "ledger_shown")]
    for each in waits:
        expect(each).to_have_css("opacity", "0.4")
    laptop.keyboard.press("Escape")
    expect(score(laptop)).to_have_text("0.9602")
    laptop.mouse.up()
    settled(laptop)
    assert shown() == before
    expect(laptop.get_by_role("button", name="Undo")).to_be_disabled()
    drag(laptop, "MacBook", "Gaming")
    expect(sentence).to_contain_text("rank 5 → 3")
    for each in waits:
        expect(each).to_have_css("opacity", "1")
    assert shown() == held
    # A tied row, too; between tied ones only Python knows the order.
    laptop.goto(f"{server}/inspect_query?example=shop&query=q21&run=bm25")
    expect(score(laptop)).to_have_text("0.7963")
    lift(laptop, "help-warranty-01", "monitor-04")
    expect(score(laptop)).to_have_text("0.9079")
    laptop.keyboard.press("Escape")
    laptop.mouse.up()
    lift(laptop, "monitor-04", "help-warranty-02")
    expect(row(laptop, "monitor-04")).to_have_class(re.compile("waits"))
    expect(score(laptop)).to_have_text("0.7963")
    laptop.mouse.up()


def test_keys_move_and_grade_and_keep_the_focus_on_their_row(laptop):
    row(laptop, "MacBook").focus()
    for _ in range(3):
        laptop.keyboard.press("Alt+ArrowUp")
    expect_order(laptop, [START[0], START[4], *START[1:4]])
    laptop.keyboard.press("3")
    expect_grade(laptop, "MacBook", "3")
    laptop.keyboard.press("?")
    expect_grade(laptop, "MacBook", "?")
    laptop.keyboard.press("ArrowDown")
    laptop.keyboard.press("0")
    expect_grade(laptop, "Developer Laptop Guide", "0")
    # One stop of the tab key for each row; within it, arrows lead to its buttons.
    expect(laptop.locator(".list [tabindex='0']")).to_have_count(len(START))
    for _ in range(3):
        laptop.keyboard.press("ArrowRight")
    raise_it = row(laptop, "Developer Laptop Guide").get_by_role("button", name="Raise the grade")
    expect(raise_it).to_be_focused()
    expect(raise_it).to_have_accessible_name("Raise the grade: Developer Laptop Guide")
    laptop.keyboard.press("Enter")
    expect_grade(laptop, "Developer Laptop Guide", "1")
    expect(raise_it).to_be_focused()
    # The scale of the grades stays where the only 3 is taken away.
    row(laptop, START[0]).focus()
    laptop.keyboard.press("1")
    expect_grade(laptop, START[0], "1 of 3")


def test_the_list_shows_the_cutoff_and_lights_the_same_document(server, page):
    page.goto(f"{server}/inspect_query?k=2")
    expect(page.locator(".ranked > li").nth(2)).to_have_text("cutoff k = 2")
    expect(rows(page).nth(2)).to_have_attribute("aria-label", re.compile("below the cutoff"))
    settled(page)
    page.evaluate(
        "window.addEventListener('rankscope:document', (event) => (window.lit = event.detail.id))"
    )
    row(page, "MacBook").hover()
    assert page.evaluate("window.lit") == "MacBook Pro for Developers"
    page.evaluate(
        "window.dispatchEvent(new CustomEvent('rankscope:document', "
        "{ detail: { id: 'Gaming Laptop Review' } }))"
    )
    expect(page.locator("li.row.lit .name")).to_have_text("Gaming Laptop Review")
    page.mouse.move(5, 5)
    expect(page.locator("li.row.lit")).to_have_count(0)
    assert page.evaluate("window.lit") is None
    sizes = page.locator("li.row button").evaluate_all(
        "all => all.map((each) => [each.offsetWidth, each.offsetHeight])"
    )
    assert min(min(size) for size in sizes) >= 24
    row(page, "Budget").get_by_role("button", name="Move up").click()
    expect(rows(page).nth(2).locator(".name")).to_have_text("Budget Coding Laptops")
    page.set_viewport_size({"width": 390, "height": 800})
    row(page, "Budget").get_by_role("button", name="Move up").click()
    expect(rows(page).nth(1).locator(".name")).to_have_text("Budget Coding Laptops")
    assert page.locator(".list").evaluate("each => each.clientWidth") == 358
    assert page.locator(".list").evaluate("each => each.scrollWidth <= each.clientWidth")


def test_buttons_grade_move_and_tie_documents(laptop):
    for _ in range(3):
        row(laptop, "Gaming").get_by_role("button", name="Raise the grade").click()
    expect_grade(laptop, "Gaming", "3")
    row(laptop, "Gaming").get_by_role("button", name="Move up").click()
    expect_order(laptop, [START[0], START[2], START[1], *START[3:]])
    row(laptop, "Gaming").get_by_role("button", name="Same score").click()
    tie = row(laptop, "Gaming").get_by_role("button", name="Same score")
    expect(tie).to_have_attribute("aria-pressed", "true")
    # This is the rank that is scored, as in the ledger and in the text for screen readers.
    expect(row(laptop, "Gaming").locator(".rank")).to_have_text("2")
    expect(row(laptop, "Gaming")).to_have_attribute("aria-label", re.compile(", rank 2, "))
    settled(laptop)
    laptop.get_by_role("tab", name="Equal scores").click()
    expect(laptop.get_by_text("Every order of the equal scores gives")).to_be_visible()


def test_undo_redo_and_reset_restore_the_ranking(laptop):
    row(laptop, "MacBook").get_by_role("button", name="Move up").click()
    expect(score(laptop)).to_have_text("0.9679")
    laptop.get_by_role("button", name="Undo").first.click()
    expect(score(laptop)).to_have_text("0.9602")
    laptop.get_by_role("button", name="Redo").first.click()
    expect(score(laptop)).to_have_text("0.9679")
    laptop.get_by_role("button", name="Reset").click()
    expect(score(laptop)).to_have_text("0.9602")
    expect_order(laptop, START)


def test_documents_are_added_removed_and_reordered(laptop):
    laptop.get_by_role("button", name="Add, remove").click()
    laptop.get_by_label("New document's id").fill("A new one")
    laptop.get_by_role("button", name="Add at the end").click()
    expect_order(laptop, [*START, "A new one"])
    laptop.get_by_role("button", name="Reorder").click()
    laptop.get_by_role("button", name="Best first").click()
    expect(score(laptop)).to_have_text("1.0000")
    laptop.get_by_role("button", name="Reset").click()
    expect_order(laptop, START)
    laptop.get_by_role("button", name="Add, remove").click()
    laptop.get_by_role("button", name="Remove", exact=True).click()
    expect_order(laptop, START[1:])


def test_the_link_opens_a_pasted_ranking_in_a_fresh_session(laptop, chromium):
    laptop.get_by_role("button", name="Paste").click()
    laptop.get_by_role("textbox", name="Title or query").fill("an example of Wikipedia")
    laptop.get_by_role("textbox", name="One title per line").fill("3,2,3,0,1,2 | 3,2")
    laptop.get_by_role("button", name="Use this list").click()
    expect(laptop.get_by_test_id("stPopoverBody")).to_have_count(0)
    # The Wikipedia example has nDCG@6 = 0.7850.
    type_k(laptop, "6")
    expect(score(laptop)).to_have_text("0.7850")
    settled(laptop)
    rows(laptop).nth(2).click()
    expect(laptop.locator("li.row.picked .name")).to_have_text("d3")
    settled(laptop)
    laptop.get_by_role("tab", name="What if").click()
    expect(laptop.get_by_text("Best swap")).to_be_visible()
    expect(laptop).to_have_url(re.compile("ranking=2"))
    expect(laptop).to_have_url(re.compile("view=What"))
    settled(laptop)
    other = new_context(chromium).new_page()
    other.goto(laptop.url)
    expect(score(other)).to_have_text("0.7850")
    expect_order(other, [f"d{i}" for i in range(1, 9)])
    expect(other.get_by_text("Best swap")).to_be_visible()
    expect(other.locator("li.row.picked .name")).to_have_text("d3")
    other.reload()
    expect(score(other)).to_have_text("0.7850")
    other.context.close()


def test_a_pasted_list_that_cannot_be_read_changes_nothing(laptop):
    laptop.get_by_role("button", name="Paste").click()
    laptop.get_by_role("textbox", name="One title per line").fill("a,3\nb,high")
    laptop.get_by_role("button", name="Use this list").click()
    # The reason is under the button, in sight.
    popover = laptop.get_by_test_id("stPopoverBody")
    expect(popover.get_by_text("line 2: found 'b,high'")).to_be_in_viewport()
    expect_order(laptop, START)


def test_a_long_sentence_on_what_is_lost_moves_nothing(laptop):
    def tops():
        settled(laptop)
        parts = ".lines p", ".st-key-chart"
        return [laptop.locator(part).first.bounding_box()["y"] for part in parts]

    # What loads last.
    for part in (".strip", ".sheet", ".js-plotly-plot"):
        expect(laptop.locator(part).first).to_be_visible()
    lost, before = laptop.locator(".notes").first, tops()
    long = " ".join(["A long title", *["that goes on"] * 5])
    laptop.get_by_role("button", name="Paste").click()
    field = laptop.get_by_role("textbox", name="One title per line")
    field.fill(f"Short, 2\n{long}, 3\nOther, 1\nThird, 1\nLast, 1")
    laptop.get_by_role("button", name="Use this list").click()
    expect(lost).to_contain_text(long)
    assert lost.evaluate("box => box.scrollHeight > box.clientHeight")
    assert tops() == before
    expect(lost).to_have_attribute("aria-live", "polite")


PRESS = """async (row) => {
  window.addEventListener("rankscope:earned", (event) => (window.earned = event.detail.chunks));
  row.querySelector("button.up").click();
  await new Promise(requestAnimationFrame);  // that of the press: the rows move before it
  const rows = [...row.parentElement.querySelectorAll("li.row")];
  const chunks = window.earned.map(({ earned }) => earned);
  const travels = row.getAnimations().filter((each) => !(each instanceof CSSTransition));
  const front = travels.map((each) => each.effect.getKeyframes()[0].zIndex);
  return [rows.indexOf(row), front, chunks];
}"""


def test_a_row_moves_in_the_frame_of_the_press_and_travels_unless_motion_is_reduced(server, page):
    for motion, moving in (("no-preference", ["1"]), ("reduce", [])):
        page.emulate_media(reduced_motion=motion)
        page.goto(f"{server}/inspect_query")
        expect_order(page, START)
        settled(page)
        place, animations, chunks = row(page, "MacBook").evaluate(PRESS)
        assert (place, animations) == (3, moving)
        # What Python will say is known before it has said anything.
        assert f"{sum(chunks):.4f}" == "5.5101"
        expect(score(page)).to_have_text("0.9679")
        expect(page.locator(".chunk")).to_have_count(5)
        settled(page)
        page.get_by_role("button", name="Undo").click()
        expect(score(page)).to_have_text("0.9602")


@pytest.mark.parametrize("pause", [0, 80, 300])
def test_presses_in_quick_succession_each_move_the_row_on(server, page, pause):
    page.emulate_media(reduced_motion="no-preference")
    page.goto(f"{server}/inspect_query")
    expect_order(page, START)
    settled(page)
    up = middle(rows(page).nth(4).get_by_role("button", name="Move up"))
    for _ in range(3):
        # As long as a finger holds a button; rows are on their way then.
        page.mouse.click(*up, delay=50)
        page.wait_for_timeout(pause)
    expect(rows(page).nth(1).locator(".name")).to_have_text("MacBook Pro for Developers")
    settled(page)
    expect(rows(page).nth(1).locator(".name")).to_have_text("MacBook Pro for Developers")


def test_a_first_screen_has_a_picture_and_at_most_twelve_controls(server, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{server}/inspect_query")
    settled(page)
    picture = page.locator("[data-picture]").first.bounding_box()
    assert picture["y"] + picture["height"] < 560
    controls = page.evaluate(
        """() => {
          const seen = [...document.querySelectorAll(
            '[data-testid="stMain"] :is(button, input, a, [role=tablist])')];
          const shown = seen.filter((each) => {
            const { top, bottom, width } = each.getBoundingClientRect();
            const within = each.closest("[role=radiogroup], .stPlotlyChart");
            return width && top < 800 && bottom > 0 && !within;
          });
          return shown.map((each) => each.innerText || each.ariaLabel);
        }"""
    )
    assert len(controls) <= 12, controls
