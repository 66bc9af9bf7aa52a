"""What people do on the pages, for the tests that do a lot of it."""

from playwright.sync_api import expect

from tests.browser.conftest import downloaded, settled


def go(page, name):
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    settled(page)


def open_tab(page, name):
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tab", name=name, exact=True, selected=True)).to_be_visible()
    # What is in it is made once the tab is open.
    inside = page.get_by_role("tabpanel", name=name, exact=True)
    expect(inside.get_by_test_id("stElementContainer").first).to_be_visible()
    settled(page)


def choose(page, label, down=0, typed=""):
    """Pick from a list of choices by keyboard: so many places below, or what the letters find."""
    page.get_by_role("combobox", name=label, exact=True).click()
    page.keyboard.type(typed)
    for _ in range(down):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settled(page)


def saved(page, button, folder):
    """What a button downloads, as a file in the folder."""
    button = page.get_by_role("button", name=button) if isinstance(button, str) else button
    settled(page)
    download = downloaded(page, button)
    file = folder / download.suggested_filename
    download.save_as(file)
    return file


def tick(page, table, row):
    """Tick a row of a table, counted from 0, once the page stands still."""
    line = table.locator("tr").filter(has=page.get_by_test_id(f"glide-cell-1-{row}"))
    expect(line).to_be_attached()
    settled(page)
    table.scroll_into_view_if_needed()
    table.click(position={"x": 16, "y": 35 * (row + 1) + 17})
    expect(line).to_have_attribute("aria-selected", "true")
