"""Where a browser cannot load the list of Inspect, the table and plain buttons edit the ranking."""

import pytest
from playwright.sync_api import expect

from tests.browser.actions import edit_cell
from tests.browser.conftest import settled

SCRIPTS = """(() => {
  const make = URL.createObjectURL.bind(URL);
  URL.createObjectURL = (blob) =>
    blob.type.includes("javascript") ? make(new Blob([SCRIPT], { type: blob.type })) : make(blob);
})()"""
"""Replaces the script of every component; Streamlit loads it from a blob: URL."""


def blocked(page):
    """A file of Streamlit's that draws components does not arrive."""
    page.route("**/BidiComponent*", lambda route: route.abort())


def broken(page):
    """The script of each component raises an error when it is mounted."""
    failing = "'export default () => { throw new Error(\"no\"); };'"
    page.add_init_script(SCRIPTS.replace("SCRIPT", failing))


def unreadable(page):
    """A browser cannot read the script, as one that is too old for its syntax."""
    page.add_init_script(SCRIPTS.replace("SCRIPT", "'export default @'"))


def score(page):
    """The metric in the place of the score, whose component cannot be loaded either."""
    return page.get_by_test_id("stMetricValue").first


def warning(page):
    return page.get_by_text("This browser could not load the list.")


@pytest.mark.parametrize("failure", [blocked, broken, unreadable])
def test_a_ranking_can_be_edited_without_the_list(server, page, failure):
    failure(page)
    page.goto(f"{server}/inspect_query")
    expect(score(page)).to_have_text("0.9602")
    expect(warning(page)).to_be_visible()
    expect(score(page)).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Edit as a table").click()
    expect(warning(page)).to_have_count(0)
    settled(page)
    edit_cell(page, row=4, column=1, text="3")
    expect(score(page)).to_have_text("0.9923")
    settled(page)
    for button, result in (("Undo", "0.9602"), ("Redo", "0.9923"), ("Reset", "0.9602")):
        page.get_by_role("button", name=button, exact=True).click()
        expect(score(page)).to_have_text(result)
        settled(page)
    expect(page.get_by_role("button", name="Undo", exact=True)).to_be_enabled()


def test_a_locked_list_becomes_lines_of_text(server, page):
    broken(page)
    page.goto(f"{server}/inspect_query?hide=editing")
    expect(score(page)).to_have_text("0.9602")
    expect(page.get_by_text("5. MacBook Pro for Developers (grade 2)")).to_be_visible()
    expect(page.get_by_role("button", name="Edit as a table")).to_have_count(0)


def test_where_the_list_is_loaded_nothing_else_is_shown(server, page):
    page.goto(f"{server}/inspect_query")
    expect(page.locator("li.row").first).to_be_visible()
    settled(page)
    expect(warning(page)).to_be_hidden()
    expect(score(page)).to_be_hidden()
    expect(page.get_by_role("button", name="Undo", exact=True)).to_have_count(1)


def test_where_the_card_of_practice_cannot_be_loaded_the_sheet_is_named(server, page):
    broken(page)
    page.goto(f"{server}/practice?kind=first&no=2")
    expect(page.get_by_text("This browser could not load the exercise.")).to_be_visible()
    expect(page.get_by_text("Sheet to print").first).to_be_visible()
