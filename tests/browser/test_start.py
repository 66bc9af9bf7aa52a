"""Start in a real browser: one screen, then the story by keyboard, its links, and the phone."""

import re

from playwright.sync_api import expect

from metrics.editing.edits import move
from metrics.teaching.exercises import Number
from metrics.teaching.story import K, Pick, Touch, laptop, scenes
from pages.ui.start.scene import WHY
from tests.browser.conftest import settled
from tests.browser.test_user_journeys import metric

STORY = "Find out in 8 steps · 4 minutes"
DOORS = (STORY, "Type one list", "Type two lists", "Open your files")
STEADY = ("previous", "next", "scene_score", "scene_question")
WIDE = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 844}

TOO_WIDE = """() => [
    ...document.querySelectorAll('[data-testid="stMain"] *:not(svg *)')]
    // The invisible field behind a slider's thumb is wider than the thumb.
    .filter(each => each.type !== 'range' && each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => `${each.tagName} ${each.textContent.slice(0, 40)}`)"""


def heading(page, number):
    scene = scenes()[number - 1]
    return page.get_by_role("heading", name=f"{number} of 8: the {scene.title.lower()}")


def reply(page, right):
    return page.get_by_text(re.compile("^✓ Right: " if right else "^✗ No: "))


def press(page, name):
    """Press a button by keyboard."""
    settled(page)
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def move_control(page, control):
    """Move a scene's control by keyboard, and return its value then."""
    if isinstance(control, Touch):
        rows(page).last.focus()
        page.keyboard.press("Alt+ArrowUp")
        return move(laptop(), laptop().retrieved[-1].document, K - 1)
    if isinstance(control, Pick):
        page.get_by_role("radio", name=next(iter(control.options.values())), exact=True).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        return list(control.options)[1]
    page.get_by_role("slider").focus()
    step = 1 if control.start < control.last else -1
    page.keyboard.press("ArrowRight" if step > 0 else "ArrowLeft")
    return control.start + step


def answer(page, scene):
    """Give a wrong answer, then the right one."""
    if isinstance(scene.blank, Number):
        field = page.get_by_role("textbox", name=scene.blank.label)
        for text in ("7", scene.blank.key):
            field.fill(text)
            field.press("Enter")
            expect(reply(page, text == scene.blank.key)).to_be_visible()
        return
    wrong = next(option for option in scene.blank.replies if option not in scene.blank.right)
    for option in (wrong, scene.blank.key):
        page.get_by_role("radiogroup", name=scene.question).get_by_text(option, exact=True).click()
        expect(reply(page, option == scene.blank.key)).to_be_visible()


def rows(page):
    return page.locator("li.row")


def bar(page):
    return page.locator(".score:not([hidden]) .total")


def names(page):
    return page.locator("li.row .name").all_inner_texts()


def test_the_list_of_the_front_plays_once_and_then_is_the_visitors(server, page):
    page.set_viewport_size(WIDE)
    page.emulate_media(reduced_motion="no-preference")
    page.goto(server)
    number = page.locator(".score:not([hidden]) .value")
    expect(number).to_have_text("0.96")
    order = names(page)
    # The last document travels to its best rank, and back.
    turn = page.locator(".hint", has_text="Your turn")
    expect(number).to_have_text("0.99")
    assert names(page)[2] == order[-1]
    expect(turn).to_have_count(0)
    expect(number).to_have_text("0.96")
    expect(turn).to_have_count(1)
    assert names(page) == order
    page.reload()
    expect(number).to_have_text("0.96")
    page.wait_for_timeout(2_000)
    expect(number).to_have_text("0.96")

    # Nothing can be undone yet: the words above the list have the room.
    undo = page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_have_count(0)
    keys = "hint => getComputedStyle(hint, '::after').content"
    assert "Alt+" in page.locator(".hint").evaluate(keys)
    top = rows(page).first.bounding_box()
    last = rows(page).last
    last.hover()
    page.mouse.down()
    x, y = middle(rows(page).nth(2))
    page.mouse.move(x, y - 8)
    page.mouse.up()
    assert names(page)[2] == order[-1]
    expect(number).to_have_text("0.99")
    notes = page.locator(".notes")
    expect(notes).to_contain_text("with the others +0.18 in DCG; 0.04 of 5.69 lost")
    assert rows(page).first.bounding_box() == top
    assert page.locator(".hint").evaluate(keys) == "none"
    # Its second line has its room.
    lines = notes.bounding_box()["y"] + notes.evaluate("notes => notes.scrollHeight")
    assert lines + 12 < page.locator(".st-key-ways").bounding_box()["y"]
    expect(turn).to_have_count(0)
    undo.click()
    expect(number).to_have_text("0.96")


def middle(row):
    box = row.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_where_motion_is_reduced_nothing_plays(server, page):
    page.goto(server)
    expect(page.locator(".score:not([hidden]) .value")).to_have_text("0.96")
    order = names(page)
    page.wait_for_timeout(2_000)
    assert names(page) == order


def test_a_picture_is_a_door(server, page):
    page.goto(server)
    page.get_by_role("button", name="For teachers").click()
    expect(page.get_by_role("dialog")).to_contain_text("Make a lesson")
    page.goto(server)
    page.get_by_role("button", name="One ranking, many numbers").press("Enter")
    expect(page.get_by_role("heading", name="Why tools differ", exact=True)).to_be_visible()


def test_a_list_is_typed_where_the_caret_is(server, page):
    page.goto(server)
    settled(page)
    page.get_by_role("button", name="Type two lists").press("Enter")
    field = page.get_by_role("textbox", name="One title per line")
    expect(field).to_be_focused()
    # The second list is the best order; its bar is full, though its last document earns nothing.
    edges = "all => all.map((each) => getComputedStyle(each).borderRightWidth)"
    full = page.locator(".st-key-list_second .total.full .chunk")
    expect(full).to_have_count(K)
    assert full.evaluate_all(edges)[-2:] == ["0px", "0px"]
    lines = [f"{number}. Title {number} {number % 4}" for number in range(1, 8)]
    field.fill("\n".join(lines))
    # Until the titles are taken, the scores are those of before.
    score = page.locator(".st-key-replaceable_score_first")
    expect(score).to_have_css("opacity", "0.4")
    field.press("Control+Enter")
    expect(rows(page)).to_have_count(2 * len(lines))
    expect(score).to_have_css("opacity", "1")
    # No list scrolls by itself.
    heights = "all => all.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight)"
    assert page.locator(".list").evaluate_all(heights) == [0, 0]
    # Both stand level, whatever one is called and has lost.
    page.get_by_label("Name of B").fill("the ranking of our new learned model")
    page.get_by_label("Name of B").press("Enter")
    expect(page.locator(".measure", has_text="new learned model")).to_be_visible()
    settled(page)
    for part in (".total", "li.row:first-child"):
        a, b = (
            page.locator(f".st-key-list_{of} {part}").bounding_box() for of in ("first", "second")
        )
        assert a["y"] == b["y"]
    assert a["height"] == 60
    # On a phone titles are typed first, and the lists are below them.
    page.set_viewport_size(PHONE)
    settled(page)
    field.scroll_into_view_if_needed()
    below = page.locator(".st-key-list_first .total").bounding_box()["y"]
    assert field.bounding_box()["y"] < below
    # What is wrong with them is said where the bar at the bottom hides nothing.
    typed = field.input_value()
    field.fill(f"{typed}\nTablet")
    field.press("Control+Enter")
    refusal = page.get_by_role("alert")
    expect(refusal).to_be_in_viewport()
    bar_of_actions = page.locator(".st-key-typed_actions").bounding_box()
    assert refusal.bounding_box()["y"] < bar_of_actions["y"]
    field.fill(typed)
    field.press("Control+Enter")
    expect(refusal).to_have_count(0)
    # Both scores are side by side and stay in sight, to the end of the list of B.
    rows(page).last.scroll_into_view_if_needed()
    of_a, of_b = (page.locator(f".st-key-replaceable_score_{of}") for of in ("first", "second"))
    for score in (of_a, of_b):
        expect(score).to_be_in_viewport(ratio=1)
    a, b = of_a.bounding_box(), of_b.bounding_box()
    assert (a["y"], a["x"] + a["width"]) <= (b["y"], b["x"])
    # Why the lists cannot be compared stands beside the button.
    said = page.locator(".st-key-typed_actions", has_text="same order: move a row of one")
    expect(said).to_be_in_viewport(ratio=1)
    page.set_viewport_size(WIDE)
    # Both have one order, until a row is moved.
    compare = page.get_by_role("button", name="Compare them")
    expect(compare).to_be_disabled()
    page.locator(".st-key-list_second li.row").nth(1).press("Alt+ArrowUp")
    expect(compare).to_be_enabled()
    settled(page)
    compare.press("Enter")
    expect(page.locator("h1")).to_be_focused()
    # On a phone no action lies over the menu.
    page.set_viewport_size(PHONE)
    settled(page)
    menu = page.get_by_role("button", name="Menu", exact=True).bounding_box()
    actions = page.locator(".st-key-actions button")
    expect(actions).to_have_text(
        [re.compile(a) for a in ("Edit the lists", "Present", "Share", "Options")]
    )
    for each in actions.all():
        # They are one row, which scrolls.
        each.evaluate("button => button.scrollIntoView({ inline: 'nearest' })")
        box = each.bounding_box()
        assert box["x"] > menu["x"] + menu["width"]
        assert box["x"] + box["width"] <= PHONE["width"]
    page.get_by_role("button", name="Present").click()
    expect(page.locator(".two.large li")).to_have_count(2 * len(lines))
    settled(page)
    assert page.evaluate(TOO_WIDE) == []
    # No row lies over the next one.
    names, grades = (page.locator(f".lists .A .{part}").all() for part in ("name", "grade"))
    for grade, name in zip(grades, names[1:], strict=False):
        box = grade.bounding_box()
        assert box["y"] + box["height"] <= name.bounding_box()["y"] + 2


def test_the_score_of_one_typed_list_stays_in_sight_above_it(server, page):
    page.set_viewport_size(PHONE)
    page.goto(f"{server}/data?typed=one")
    field = page.get_by_role("textbox", name="One title per line")
    field.fill("\n".join(f"Title {number}, {number % 4}" for number in range(1, 15)))
    field.press("Control+Enter")
    expect(rows(page)).to_have_count(14)
    settled(page)
    rows(page).last.scroll_into_view_if_needed()
    expect(page.locator(".st-key-replaceable_score_only .total")).to_be_in_viewport(ratio=1)


def test_one_screen_then_the_story_from_a_cold_start(fresh_server, page):
    # Inspect was the front page once: a link from then still opens it.
    page.goto(f"{fresh_server}/?k=3")
    expect(metric(page, "nDCG@3")).to_be_visible()
    for size in (WIDE, PHONE):
        page.set_viewport_size(size)
        page.goto(fresh_server)
        expect(rows(page)).to_have_count(K)
        settled(page)
        for shown in (*(page.get_by_role("button", name=door) for door in DOORS), rows(page).first):
            box = shown.bounding_box()
            assert box["y"] + box["height"] <= size["height"], (size, shown)
        main = page.get_by_test_id("stMain")
        assert size == PHONE or main.evaluate("main => main.scrollHeight") <= size["height"]
        assert page.evaluate(TOO_WIDE) == []
    page.set_viewport_size(WIDE)
    press(page, STORY)
    first = []
    for number, scene in enumerate(scenes(), 1):
        expect(heading(page, number)).to_be_visible()
        expect(page).to_have_url(re.compile(rf"/\?scene={number}$"))
        expect(rows(page)).to_have_count(K)
        settled(page)
        # The line of the cutoff moves between the rows.
        steady = [
            rows(page).first,
            *(page.locator(f".st-key-{key}") for key in STEADY),
        ]
        watched = [*steady, *bar(page).all()]
        places = [each.bounding_box() for each in watched]
        # From scene to scene no list, step, score or question moves; a row grows with a bar.
        corners = [(each["x"], each["y"]) for each in places[: len(steady)]]
        first = first or corners
        assert corners == first
        value = move_control(page, scene.control)
        expect(page.get_by_text(scene.view(value).sentence)).to_be_visible()
        answer(page, scene)
        settled(page)
        assert [each.bounding_box() for each in watched] == places
        # No scene scrolls, answered or not.
        assert main.evaluate("main => main.scrollHeight") <= WIDE["height"], number
        told = reply(page, right=True).bounding_box()
        assert told["y"] + told["height"] <= WIDE["height"], number
        if number < len(scenes()):
            press(page, "Next")
    press(page, "See the answer")
    whole = page.get_by_role("button", name="Open this list on Inspect")
    expect(whole).to_be_in_viewport()
    press(page, "Open this list on Inspect")
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")
    settled(page)
    expect(page).to_have_url(re.compile("inspect_query"))
    page.go_back()
    expect(page.get_by_role("heading", name=WHY)).to_be_visible()
    for number in (8, 7, 6):
        page.go_back()
        expect(heading(page, number)).to_be_visible()
        settled(page)
    page.reload()
    expect(heading(page, 6)).to_be_visible()


def test_a_link_opens_a_scene_which_fits_a_phone(server, page):
    page.set_viewport_size(PHONE)
    for number in range(1, len(scenes()) + 1):
        page.goto(f"{server}/?scene={number}")
        expect(heading(page, number)).to_be_visible()
        expect(rows(page)).to_have_count(K)
        settled(page)
        assert page.evaluate(TOO_WIDE) == []
        # The control, the score that it changes and the steps share a screen.
        control, score = page.locator(".st-key-scene_words"), page.locator(".st-key-scene_score")
        top = control.bounding_box()["y"]
        below = score.bounding_box()
        assert top < below["y"] + below["height"] <= PHONE["height"]
        expect(
            page.get_by_role("button", name=re.compile("Next|See the answer"))
        ).to_be_in_viewport()
        # All rows are in the screen of the control, and the question is below them.
        question, row = page.locator(".st-key-scene_question"), rows(page).last.bounding_box()
        expect(question).to_be_in_viewport(ratio=1)
        assert row["y"] + row["height"] < question.bounding_box()["y"]
        # The list has no dead button.
        expect(page.get_by_role("button", name="Grades", exact=True)).to_have_count(0)
        # The score stays below the steps, whatever is scrolled.
        page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, main.scrollHeight)")
        steps = page.locator(".st-key-steps").bounding_box()
        assert score.bounding_box()["y"] >= steps["y"] + steps["height"]
        expect(rows(page).last).to_be_in_viewport(ratio=1)
    # Where the list would have no room, the question is below it.
    page.set_viewport_size({"width": 390, "height": 640})
    page.get_by_test_id("stMain").evaluate("main => main.scrollTo(0, 0)")
    expect(question).not_to_be_in_viewport()


def test_every_scene_draws_bars_in_rows_of_one_height(server, page):
    heights = set()
    for number in range(1, len(scenes()) + 1):
        page.goto(f"{server}/?scene={number}")
        expect(rows(page).first.locator(".bar")).to_be_visible()
        heights |= {row.bounding_box()["height"] for row in rows(page).all()}
    assert len(heights) == 1
    page.goto(f"{server}/?scene=end")
    expect(page.get_by_role("heading", name=WHY)).to_be_visible()
    settled(page)
    expect(page.get_by_role("radio", checked=True)).to_have_count(0)
