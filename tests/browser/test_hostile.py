"""Fifty hostile ids on every page are shown literally and have no effect."""

from urllib.parse import urlencode
from xml.etree import ElementTree

import pytest
from playwright.sync_api import expect

from metrics.editing.hand_ranking import HandRanking
from metrics.editing.ranking_link import pack
from metrics.rendering import text
from metrics.teaching.lesson import Lesson, one_line
from metrics.teaching.lesson import pack as pack_lesson
from tests.browser.actions import (
    choose,
    go,
    go_through_learn,
    open_tab,
    saved_chart,
    setting,
)
from tests.browser.conftest import settled
from tests.browser.hostile_ids import RUN_NAMES, Canary, Watch, ids
from tests.browser.test_editing import documents

LOOKS = ("Curves", "What if", "Equal scores", "Unjudged", "Formula")
COMPARED = ("Scores", "Documents", "By cutoff", "Robustness", "All runs", "Take away", "Queries")
OF_QUERY = ("Query tables", "Results", "Unjudged", "One document")
DRAWN = {"svg", "title", "desc", "defs", "clipPath", "g", "rect", "path", "text", "tspan"}
"""The elements of a chart's file."""
PARAMETERS = {
    "": "scene",
    "inspect_query": "example run query measure k level ranking editor view at hide gain ties back "
    "task said revealed present",
    "compare_runs": "data a b q document measure k test tie seed look shown beside chart runs "
    "find group outcome unjudged_min unjudged_max",
    "judge": "example query depth blind judging judge guideline measure k gain",
    "conventions": "example run query ranking measure k printed case discount unjudged",
    "learn": "lesson room grades pitfall word choice against family",
    "practice": "kind difficulty no tally",
    "data": "example data",
}


def test_the_watch_notices_ids_that_become_markup(chromium):
    """If an id were inserted into a page unescaped, the watch would report it."""
    canary = Canary()
    page = chromium.new_page()
    watch = Watch(page, canary, "about:")
    page.set_content("".join(name for name in ids(canary.url) if name.startswith("<i")))
    page.wait_for_load_state("networkidle")
    assert watch.events
    assert sorted(canary.requests) == ["/frame", "/image.png"]
    page.set_content("<p>an <em>id</em> that is <b>bolded</b>")
    watch.events.clear()
    canary.requests.clear()
    assert watch.wrong() == ["<b>bolded</b>"]
    page.close()
    canary.close()


def test_data_and_its_audit(watch):
    page = watch.page
    go(page, "Data")
    page.get_by_text("More: files, judged shares").click()
    page.get_by_role("tab", name="Judged shares").click()
    settled(page)
    for place, name in enumerate(("$qrels$ <b>bolded<b>", *RUN_NAMES)):
        expect(page.locator(".cards h3").nth(place)).to_contain_text(name)
    first = page.locator("details li").filter(has_text="run tags in one file")
    expect(first).to_contain_text(f"\"<img/src='{watch.canary.url}/tag0'>\"")
    assert watch.wrong() == []


def test_inspect(watch, names):
    page = watch.page
    go(page, "Inspect")
    expect(page.locator("li.row")).to_have_count(50)
    shown = documents(page)
    pairs = zip(names, names[1:] + names[:1], strict=True)
    assert sorted(shown) == sorted(
        f"{text.visible(name)}  {text.flat(f'{of}. {of}')}" for name, of in pairs
    )
    for look in LOOKS:
        open_tab(page, look)
        assert watch.wrong() == []
    page.locator("li.row").nth(6).get_by_role("button", name="Raise the grade").click()
    expect(page.locator(".score .change").first).not_to_be_empty()
    # The grade would count in everything that is downloaded later.
    page.get_by_role("button", name="Undo").first.click()
    expect(page.locator(".score .change").first).to_be_empty()
    page.get_by_role("button", name="Reorder").click()
    page.get_by_role("button", name="Type ranks in a table").click()
    settled(page)
    first = page.get_by_test_id("stDataFrame").first.get_by_test_id("glide-cell-0-0")
    expect(first).to_have_text(names[1])
    for _ in range(3):
        choose(page, "Query", 15)
        assert watch.wrong() == []
    setting(page, "Query")
    expect(page.get_by_role("combobox", name="Query")).to_have_value(
        "caf\u00e9: cafe\u0301. cafe\u0301"
    )
    page.keyboard.press("Escape")


def test_compare(watch):
    page = watch.page
    go(page, "Compare")
    expect(page.get_by_text(RUN_NAMES[0], exact=True).first).to_be_visible()
    for look in (*COMPARED, *OF_QUERY):
        open_tab(page, look)
        assert watch.wrong() == []
    bars = page.locator(".queries .row")
    for place in range(0, bars.count(), 7):
        bars.nth(place).click()
        settled(page)
        assert watch.wrong() == []
    for _ in range(3):
        choose(page, "Query", 15)
        choose(page, "Document", 1)
        assert watch.wrong() == []
    # The end of its id and the start of its text, which no other query has together.
    choose(page, "Query", typed="</svg>: <iframe")
    expect(page.locator(".two .id")).to_contain_text("</svg>")
    expect(page.locator(".bars .name", has_text="<svg onload")).not_to_have_count(0)
    assert watch.wrong() == []
    open_tab(page, "Scores")
    drawing = ElementTree.parse(saved_chart(page, "agreement", "SVG").path())
    kinds = {each.tag.rpartition("}")[2] for each in drawing.iter()}
    assert kinds <= DRAWN
    attributes = {name for each in drawing.iter() for name in each.attrib}
    assert [name for name in attributes if name.startswith("on") or "href" in name] == []
    assert watch.wrong() == []


def test_judge(watch, names):
    page = watch.page
    go(page, "Judge")
    expect(page.locator(".desk .progress")).to_contain_text("judged")
    assert watch.wrong() == []
    choose(page, "What you see", typed="everything")
    # A note is as hostile as an id.
    for name in names[:5]:
        page.keyboard.press("n")
        page.get_by_role("textbox", name="Note").fill(name)
        page.keyboard.press("Escape")
        page.keyboard.press("1")
        settled(page)
        page.keyboard.press("ArrowLeft")
        assert watch.wrong() == []
    choose(page, "Query", 3)
    assert watch.wrong() == []
    # Other tests expect the data as they were loaded.
    go(page, "Data")
    page.locator("summary", has_text="changed by hand").click()
    page.get_by_role("button", name="Reset all").click()
    expect(page.locator("summary", has_text="changed by hand")).to_have_count(0)
    settled(page)


def test_conventions_learn_and_practice(watch):
    page = watch.page
    for name, shown in (
        ("Why tools differ", "About the presets"),
        ("Practice", "What you can do"),
    ):
        go_through_learn(page, name)
        expect(page.get_by_text(shown).first).to_be_visible()
        settled(page)
        assert watch.wrong() == []


@pytest.mark.parametrize("path", PARAMETERS)
def test_links(server, page, canary, names, path):
    watch = Watch(page, canary, server)
    keys = PARAMETERS[path].split()
    for first in (0, 17, 34):
        values = {key: names[(first + 5 * place) % 50] for place, key in enumerate(keys)}
        page.goto(f"{server}/{path}?{urlencode(values)}")
        if path != "data":
            expect(page.get_by_text("The link asks for").first).to_be_visible()
        settled(page)
        assert watch.wrong() == []


def test_a_ranking_in_a_link(server, page, canary, names):
    watch = Watch(page, canary, server)
    few = names[4:14]
    ranking = HandRanking.of(names[1], dict.fromkeys(few[1:], 1), few[:-1])
    values = {"example": "yours", "run": names[6], "query": names[1], "ranking": pack(ranking)}
    lesson = Lesson(prompt=one_line(names[3]), question=one_line(names[0]))
    values |= {"task": pack_lesson(lesson), "said": names[5]}
    page.goto(f"{server}/inspect_query?{urlencode(values)}")
    expect(page.locator("li.row .name")).to_have_text([text.visible(name) for name in few])
    expect(page.get_by_role("heading", level=1)).to_have_text(names[1])
    expect(page.get_by_role("heading", level=2).first).to_have_text(text.visible(lesson.question))
    expect(page.locator(".st-key-task").get_by_test_id("stText").first).to_have_text(
        text.visible(lesson.prompt)
    )
    settled(page)
    assert watch.wrong() == []
