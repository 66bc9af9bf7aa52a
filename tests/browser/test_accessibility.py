"""Every page for everyone: axe-core finds nothing wrong, and a phone needs no sideways scroll."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import settled

PAGES = (
    "/",
    "/?scene=3",
    "/inspect_query",
    "/compare_runs",
    "/judge",
    "/judge?blind=open",
    "/conventions",
    "/learn",
    "/learn?room=When numbers lie&pitfall=missing-labels",
    "/learn?room=All measures",
    "/learn?room=One measure&against=AP",
    "/learn?room=Which measure?",
    "/learn?room=Glossary",
    "/learn?room=Checked sources",
    "/practice",
    "/data",
)
RULES = {name: {"enabled": True} for name in ("target-size", "heading-order")}
ALL = {"rules": RULES}
OF_COLOURS = {"runOnly": ["color-contrast", "link-in-text-block"]}
PHONE = {"width": 390, "height": 844}
PARTS = "p, label, button, input, h1, h2, h3, td, th"
# The visible parts that reach out of the screen, where nothing can be scrolled sideways.
CUT = """parts => {
    const visible = { opacityProperty: true, visibilityProperty: true };
    const scrolls = (each) => /auto|scroll/.test(getComputedStyle(each).overflowX);
    const above = (each) => each.parentElement ?? each.getRootNode().host;
    const scrolled = (each) => each.dataset.testid !== 'stMain'
        && (scrolls(each) || (above(each) ? scrolled(above(each)) : false));
    return parts.filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
        .filter((each) => each.checkVisibility(visible) && !scrolled(each))
        .map((each) => `${each.tagName} ${each.textContent.slice(0, 40)}`);
}"""
# The labels and marks of charts under the button that saves the chart.
UNDER = """buttons => buttons.flatMap((button) => {
    const own = button.getBoundingClientRect();
    const inside = (box) => box.left < own.right && box.right > own.left
        && box.top < own.bottom && box.bottom > own.top;
    return [...document.querySelectorAll('.js-plotly-plot :is(text, .point, image)')]
        .filter((each) => inside(each.getBoundingClientRect()))
        .map((each) => `${button.title} ${each.textContent}`);
})"""

# Notes each height at which the title is drawn, from the first one on.
TITLE = """(() => {
    window.heights = new Set();
    const look = () => {
        const title = document.querySelector('h1');
        if (title) heights.add(Math.round(title.getBoundingClientRect().y));
        requestAnimationFrame(look);
    };
    look();
})()"""


def violations(page, rules):
    """Return the rule, the selector and the markup of each element with a fault that matters."""
    found = Axe().run(page, options={**rules, "resultTypes": ["violations"]}).response
    return [
        (rule["id"], node["target"][-1], node["html"])
        for rule in found["violations"]
        if rule["impact"] in ("serious", "critical") or rule["id"] in RULES
        for node in rule["nodes"]
    ]


@pytest.mark.parametrize("address", PAGES)
def test_nobody_is_shut_out(server, page, address):
    page.add_init_script(TITLE)
    page.goto(f"{server}{address}")
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    settled(page)
    assert len(page.evaluate("[...heights]")) == 1, "the page moved while it was loaded"
    # The dark scheme changes nothing but colours.
    for scheme, rules in (("light", ALL), ("dark", OF_COLOURS)):
        page.emulate_media(color_scheme=scheme)
        settled(page)
        assert violations(page, rules) == []
    page.set_viewport_size(PHONE)
    settled(page)
    main = page.get_by_test_id("stMain")
    assert main.evaluate("main => main.scrollWidth - main.clientWidth") == 0
    assert main.locator(PARTS).evaluate_all(CUT) == []
    assert main.locator("button[title^='Save the chart']").evaluate_all(UNDER) == []
