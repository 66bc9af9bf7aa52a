"""Start in a real browser: one screen, then the story by keyboard, its links, and the phone."""

import re

from playwright.sync_api import expect

from metrics.teaching.exercises import Number
from metrics.teaching.story import Pick, scenes
from tests.browser.conftest import settled
from tests.browser.test_user_journeys import metric

DOORS = ("Learn: why this score?", "Look into one query", "Compare two runs")
PHONE = {"width": 390, "height": 844}

TOO_WIDE = """() => [
    ...document.querySelectorAll('[data-testid="stMain"] *:not(svg *), .annotation-text')]
    // The invisible field behind a slider's thumb is wider than the thumb.
    .filter(each => each.type !== 'range' && each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => `${each.tagName} ${each.textContent.slice(0, 40)}`)"""
COLLISIONS = """() => {
    const boxes = [...document.querySelectorAll('.annotation-text')].map(
        text => [text.textContent, text.getBoundingClientRect()]);
    return boxes.flatMap(([a, first], place) => boxes.slice(place + 1)
        .filter(([_, other]) => first.left < other.right && other.left < first.right
            && first.top < other.bottom - 2 && other.top < first.bottom - 2)
        .map(([b]) => [a, b]));
}"""


def heading(page, number):
    scene = scenes()[number - 1]
    return page.get_by_role("heading", name=f"{number} of {len(scenes())}: {scene.title}")


def reply(page, mark):
    return page.get_by_text(re.compile(f"^{mark} "))


def press(page, name):
    """Press a button by keyboard."""
    settled(page)
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def move_control(page, control):
    """Move a scene's control by keyboard."""
    if isinstance(control, Pick):
        page.get_by_role("radio", name=next(iter(control.options.values())), exact=True).focus()
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        return
    page.get_by_role("slider").focus()
    page.keyboard.press("ArrowRight" if control.start < control.last else "ArrowLeft")


def moved(control):
    if isinstance(control, Pick):
        return list(control.options)[1]
    return control.start + (1 if control.start < control.last else -1)


def answer(page, scene):
    """Give a wrong answer, then the right one."""
    if isinstance(scene.blank, Number):
        field = page.get_by_role("textbox", name=scene.blank.label)
        for text in ("7", scene.blank.key):
            field.fill(text)
            field.press("Enter")
            expect(reply(page, "✓" if text == scene.blank.key else "✗")).to_be_visible()
        return
    wrong = next(option for option in scene.blank.replies if option not in scene.blank.right)
    for option in (wrong, scene.blank.key):
        page.get_by_role("radiogroup", name=scene.question).get_by_text(option, exact=True).click()
        expect(reply(page, "✓" if option == scene.blank.key else "✗")).to_be_visible()


def picture(page):
    return page.locator(".js-plotly-plot .main-svg").first


def test_one_screen_then_the_story_from_a_cold_start(fresh_server, page):
    # Inspect was the front page once: a link from then still opens it.
    page.goto(f"{fresh_server}/?k=3")
    expect(metric(page, "nDCG@3")).to_be_visible()
    for size in ({"width": 1280, "height": 800}, PHONE):
        page.set_viewport_size(size)
        page.goto(fresh_server)
        expect(picture(page)).to_be_visible()
        settled(page)
        for shown in (*(page.get_by_role("button", name=door) for door in DOORS), picture(page)):
            box = shown.bounding_box()
            assert box["y"] + box["height"] <= size["height"], (size, shown)
        assert page.evaluate(TOO_WIDE) == []
    page.set_viewport_size({"width": 1280, "height": 800})
    press(page, DOORS[0])
    for number, scene in enumerate(scenes(), 1):
        expect(heading(page, number)).to_be_visible()
        expect(page).to_have_url(re.compile(rf"/\?scene={number}$"))
        expect(picture(page)).to_be_visible()
        settled(page)
        steps = page.get_by_role("button", name="Previous")
        places = [each.bounding_box() for each in (picture(page), steps)]
        move_control(page, scene.control)
        expect(page.get_by_text(scene.view(moved(scene.control)).sentence)).to_be_visible()
        answer(page, scene)
        settled(page)
        assert [each.bounding_box() for each in (picture(page), steps)] == places
        if number < len(scenes()):
            press(page, "Next")
    press(page, "Open this list on Inspect")
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")
    settled(page)
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
        expect(picture(page)).to_be_visible()
        settled(page)
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate(COLLISIONS) == []
