"""Actions on the pages that several tests share."""

from playwright.sync_api import expect

from tests.browser.conftest import downloaded, settled


def go(page, name):
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("link", name=name, exact=True)).to_have_attribute(
        "aria-current", "page"
    )
    settled(page)


def go_through_learn(page, name):
    """Open a page that the menu lacks: its door is in the rail of Learn."""
    go(page, "Learn")
    page.get_by_role("link", name=name, exact=True).click()
    expect(page.get_by_role("heading", level=1, name=name)).to_be_visible()
    settled(page)


def score(page):
    """Return the number of Inspect."""
    return page.locator(".score:not([hidden]) .value")


def setting(page, label):
    """Open a setting of the sentence at the top of a page."""
    words_of(page, label).click()


def words_of(page, label):
    """Return the words of a setting in the sentence at the top of a page."""
    name = label.replace(" ", "-")
    return page.locator(f".st-key-setting-{name}").get_by_role("button").first


def type_k(page, k):
    """Type a cutoff into its setting."""
    setting(page, "Cutoff k")
    field = page.get_by_role("spinbutton", name="Cutoff k", exact=True)
    field.fill(k)
    field.press("Enter")
    expect(words_of(page, "Cutoff k")).to_have_text(k, use_inner_text=True)
    page.keyboard.press("Escape")


def open_tab(page, name):
    settled(page)
    if not page.get_by_role("tab", name=name, exact=True).count():
        open_tab(page, "More")
        page.get_by_role("radio", name=name, exact=True).click()
        settled(page)
        return
    page.get_by_role("tab", name=name, exact=True).click()
    expect(page.get_by_role("tab", name=name, exact=True, selected=True)).to_be_visible()
    # The content of a tab is created when the tab opens.
    inside = page.get_by_role("tabpanel", name=name, exact=True)
    expect(inside.get_by_test_id("stElementContainer").first).to_be_visible()
    settled(page)


def open_section(page, title):
    """Open a closed section of a page, which is drawn then."""
    section = page.get_by_test_id("stExpander").filter(has_text=title)
    section.locator("summary").click()
    expect(section.get_by_test_id("stExpanderDetails").locator(":scope > *").first).to_be_visible()
    settled(page)


def choose(page, label, down=0, typed=""):
    """Choose an option by keyboard: a number of places down, or the one the letters find."""
    box = page.get_by_role("combobox", name=label, exact=True)
    if inside := not box.is_visible():
        setting(page, label)
    box.click()
    page.keyboard.type(typed)
    for _ in range(down):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settled(page)
    if inside:
        page.keyboard.press("Escape")


def saved(page, button, folder):
    """Save a button's download as a file in the folder, and return its path."""
    button = page.get_by_role("button", name=button) if isinstance(button, str) else button
    settled(page)
    download = downloaded(page, button)
    file = folder / download.suggested_filename
    download.save_as(file)
    return file


def saved_chart(page, name, kind):
    """Return the download of a chart as PNG or SVG."""
    page.get_by_role("button", name=f"Save the chart: {name}", exact=True).click()
    return downloaded(page, page.get_by_role("button", name=kind, exact=True))


def picking_tables(page):
    """Return the tables in sight in which a press picks a row."""
    return page.locator("table.picks").filter(visible=True)


def press_row(page, table, row):
    """Press a row of a table, counted from 0, once the page is still."""
    settled(page)
    table.locator("tbody tr").nth(row).click()


def edit_cell(page, row, column, text):
    """Type into a cell of the ranking editor by keyboard; both count from 0, ids included."""
    canvas = page.get_by_test_id("stDataFrame").first.locator("canvas").first

    def cell(x, y):
        return canvas.get_by_test_id(f"glide-cell-{x}-{y}")

    expect(cell(column, row)).to_be_attached()
    box = canvas.bounding_box()
    page.mouse.click(box["x"] + 40, box["y"] + 50)
    expect(cell(0, 0)).to_have_attribute("aria-selected", "true")
    for key, times in (("ArrowDown", row), ("ArrowRight", column)):
        for _ in range(times):
            page.keyboard.press(key)
    expect(cell(column, row)).to_have_attribute("aria-selected", "true")
    if not text:
        page.keyboard.press("Delete")
        return
    page.keyboard.type(text)
    overlay = page.locator("#portal input")
    expect(overlay).to_have_value(text)
    overlay.press("Enter")
