"""Compare in a real browser: from the mean to one document's line, and the downloads."""

import json
import re
import shlex
import zipfile
from datetime import date

import pytest
from playwright.sync_api import expect

from metrics import __main__ as command_line
from tests.browser.actions import open_tab, picking_tables, press_row, setting, words_of
from tests.browser.conftest import downloaded, drop, settled
from tests.browser.test_user_journeys import SAMPLE, metric

CHART = ".js-plotly-plot"


def upload(page, server):
    page.goto(f"{server}/data")
    drop(page, *(SAMPLE / name for name in ("qrels.txt", "bm25.run", "char_ngrams.run")))


def test_the_mouse_leads_from_the_upload_to_a_document_s_line(server, page):
    upload(page, server)
    page.get_by_role("button", name="Compare the runs").click()
    expect(page.locator(".st-key-evidence")).to_contain_text("Lead 0.0946")
    settled(page)
    row = page.locator(".queries .row")
    row.first.click()
    expect(page).to_have_url(re.compile("q=q12"))
    settled(page)
    row.filter(has_text="where is my parcel").or_(row.filter(has_text="q20")).click()
    expect(page).to_have_url(re.compile("q=q20"))
    expect(page.locator(".scores")).to_have_text("nDCG@10 A 0.2635, B 0.0000")
    open_tab(page, "One document")
    page.locator(".bars [data-id]").first.click()
    shown = page.get_by_role("combobox", name="Document")
    expect(shown).to_have_value("help-tracking-01")
    settled(page)
    page.get_by_role("button", name="Open A in Inspect").click()
    expect(metric(page, "nDCG@10")).to_have_text("0.2635")
    expect(page).to_have_url(re.compile("example=yours.*query=q20"))


def test_the_keyboard_leads_from_the_mean_to_a_document_s_line(server, page):
    page.goto(f"{server}/compare_runs")
    expect(page.locator(".st-key-evidence")).to_contain_text("Lead 0.0946")
    settled(page)

    def choose(name, typed):
        box = page.get_by_role("combobox", name=name, exact=True)
        box.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.type(typed)
        page.keyboard.press("Enter")
        settled(page)

    words_of(page, "Query").press("Enter")
    choose("Query", "q20")
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile("q=q20"))
    expect(page.locator(".scores")).to_have_text("nDCG@10 A 0.2635, B 0.0000")
    page.get_by_role("tab", name="Queries").focus()
    for look, shown in (("Documents", "the delta of the mean"), ("Query tables", "Difference")):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        expect(page.get_by_role("tab", name=look, selected=True)).to_be_visible()
        expect(page.get_by_text(shown).first).to_be_visible()
        settled(page)
    page.get_by_role("tab", name="More").press("Enter")
    page.get_by_role("radio", name="One document").press("Enter")
    settled(page)
    choose("Document", "help-tracking-01")
    expect(page.get_by_role("combobox", name="Document")).to_have_value(
        re.compile("^help-tracking-01: ")
    )
    button = page.get_by_role("button", name="Open A in Inspect")
    button.focus()
    page.keyboard.press("Enter")
    expect(metric(page, "nDCG@10")).to_have_text("0.2635")


def test_a_cell_of_all_pairs_opens_the_two_runs(server, page):
    page.goto(f"{server}/compare_runs?look=All runs&runs=bm25%7Cideal%7Cchar_ngrams")
    expect(page.get_by_text("has the highest mean")).to_be_visible()
    settled(page)
    squares = page.locator(CHART).last.locator(".scatterlayer .point")
    expect(squares).to_have_count(6)
    squares.first.click(force=True)
    # The best pair is the second run against the first.
    expect(page).to_have_url(re.compile("a=char_ngrams.*b=ideal"))
    settled(page)
    page.get_by_role("button", name="Options", exact=True).click()
    page.get_by_role("button", name="Swap A and B").click()
    expect(page).to_have_url(re.compile("a=ideal"))


@pytest.fixture
def taken(server, page, tmp_path):
    """Download the report and the inputs."""
    page.goto(f"{server}/compare_runs?look=Take away&q=q12&k=5&gain=exponential&test=t")
    inputs = page.get_by_role("button", name="Download qrels and both runs")
    expect(inputs).to_be_visible()
    settled(page)
    downloaded(page, inputs).save_as(tmp_path / "inputs.zip")
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_role("textbox", name="Author").fill("A. Nonymous")
    page.keyboard.press("Tab")
    settled(page)
    report = page.get_by_role("button", name="Download the report")
    downloaded(page, report).save_as(tmp_path / "report.html")
    return tmp_path


def test_the_report_opens_offline_and_agrees_with_the_command_line(
    taken, chromium, capsys, monkeypatch
):
    context = chromium.new_context(offline=True)
    page, messages, requests = context.new_page(), [], []
    page.on("console", lambda message: messages.append(message.text))
    page.on("pageerror", lambda error: messages.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto((taken / "report.html").as_uri())
    expect(page.locator("figure svg:visible")).to_have_count(3)
    expect(page.locator(".by")).to_have_text(
        f"Shop search · A. Nonymous · {date.today().isoformat()}"
    )
    assert (messages, requests) == ([], [(taken / "report.html").as_uri()])
    means = json.loads(page.locator("#means").text_content())
    command = page.locator("pre").first.text_content()
    context.close()

    with zipfile.ZipFile(taken / "inputs.zip") as packed:
        packed.extractall(taken)
    monkeypatch.chdir(taken)
    _, *words = shlex.split(command)
    assert command_line.main([*words, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["rows"] == means["rows"]


def test_hostile_ids_are_text_in_the_report(server, page, tmp_path, chromium):
    name = "</script><img src=x onerror=alert(1)><b>"
    (tmp_path / "qrels.json").write_text(json.dumps({name: {name: 1, "y": 0}, "q": {"x": 1}}))
    for run, scores in (("one", {name: 2.0, "y": 1.0}), ("two", {name: 1.0, "y": 2.0})):
        text = json.dumps({name: scores, "q": {"x": 1.0}})
        (tmp_path / f"<img src=x>run {run}.json").write_text(text)
    page.goto(f"{server}/data")
    runs = [tmp_path / f"<img src=x>run {run}.json" for run in ("one", "two")]
    drop(page, tmp_path / "qrels.json", *runs)
    page.get_by_role("button", name="Compare the runs").click()
    expect(page.locator(".st-key-evidence")).to_contain_text("0.")
    page.get_by_role("button", name="Share", exact=True).click()
    download = downloaded(page, page.get_by_role("button", name="Download the report"))
    download.save_as(tmp_path / "report.html")
    context = chromium.new_context()
    report, messages = context.new_page(), []
    report.on("console", lambda message: messages.append(message.text))
    report.on("dialog", lambda dialog: messages.append(dialog.message))
    report.goto((tmp_path / "report.html").as_uri())
    expect(report.locator("figure svg:visible")).not_to_have_count(0)
    expect(report.locator("img, script")).to_have_count(0)
    assert messages == []
    assert name in json.loads(report.locator("#queries").text_content())["query"]
    context.close()


def test_opening_the_convention_does_not_change_it(server, page):
    """A field in a popover starts with its default, which was once reported as a choice."""
    page.goto(f"{server}/compare_runs?k=5&ties=ascending")
    expect(page.get_by_role("heading", name="nDCG@5 ")).to_be_visible()
    settled(page)
    page.locator(".queries .row").first.click()
    settled(page)
    setting(page, "Convention")
    expect(page.get_by_role("combobox", name="Preset")).to_be_visible()
    page.get_by_text("Change one choice").click()
    expect(page.get_by_role("combobox", name="Ties")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox", name="Preset")).to_be_hidden()
    page.get_by_role("button", name="Options", exact=True).click()
    page.get_by_role("button", name="Swap A and B").click()
    expect(page).to_have_url(re.compile("a=char_ngrams&b=bm25"))
    settled(page)
    assert "ties=ascending" in page.url


def test_a_phone_shows_whole_rows_and_what_a_row_opens(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/compare_runs?data=shop")
    # Many columns are below each other, each in a row of its own.
    turned = page.locator("table.turned").filter(visible=True).locator("th, td")
    expect(turned.first).to_be_visible()
    places = [
        (round(box["x"]), round(box["y"])) for box in (cell.bounding_box() for cell in turned.all())
    ]
    assert len({*places}) == len(places) > 50
    open_tab(page, "Documents")
    listed = page.locator("table").filter(visible=True).first
    rows = listed.locator("tbody tr")
    expect(rows.filter(visible=True)).to_have_count(10)
    cells = listed.locator("tbody tr:first-child td")
    boxes = [cell.bounding_box() for cell in cells.all()]
    assert all(0 <= box["x"] <= box["x"] + box["width"] <= 390 for box in boxes)
    page.get_by_role("button", name="45 more").click()
    expect(rows.filter(visible=True)).to_have_count(55)
    # What was above the button stays where it was.
    expect(rows.nth(10)).to_be_in_viewport()
    rows.nth(3).get_by_role("button").click()
    of_document = page.locator(".st-key-of_document")
    expect(of_document).to_contain_text("pizza-10")
    queries = of_document.locator("tbody").get_by_role("button")
    expect(queries.first).to_be_in_viewport()
    queries.first.click()
    title = page.get_by_role("heading", name="late night pizza delivery brooklyn")
    expect(title).to_be_in_viewport()
    settled(page)
    page.get_by_role("button", name="Back to the table").click()
    expect(queries.first).to_be_in_viewport()


def test_a_press_shows_what_it_opens(server, page):
    page.goto(f"{server}/compare_runs?data=shop")
    open_tab(page, "Documents")
    listed = picking_tables(page)
    of_document = page.locator(".st-key-of_document")
    press_row(page, listed.first, 1)
    expect(of_document).to_contain_text("coffee-09")
    # What it opens stays beside a long table.
    page.get_by_role("button", name="45 more").click()
    name = listed.first.locator("tbody tr").nth(30).get_by_role("button").text_content()
    press_row(page, listed.first, 30)
    # The page looks once more after 1.5 s where the press before it led.
    page.wait_for_timeout(1_500)
    expect(listed.first.locator("tr.picked button")).to_have_text(name)
    expect(of_document).to_contain_text(name)
    expect(of_document.get_by_text("changes 1 query")).to_be_in_viewport()
    expect(listed.first.locator("tr.picked")).to_be_in_viewport()
    # Sorted, the pressed row stays picked.
    listed.first.get_by_role("button", name="document").click()
    expect(listed.first.locator("th").first).to_have_attribute("aria-sort", "ascending")
    names = listed.first.locator("tbody button").all_text_contents()
    assert names == sorted(names)
    expect(listed.first.locator("tr.picked button")).to_have_text(name)
    press_row(page, listed.first, names.index("pizza-10"))
    expect(of_document.get_by_text("pizza-10")).to_be_in_viewport()
    press_row(page, listed.nth(1), 1)
    title = page.get_by_role("heading", name="best pizza in new york")
    expect(title).to_be_in_viewport()
    expect(page.locator(".st-key-two_lists .picked").first).to_contain_text("pizza-10")


def test_back_after_two_labels_stays_in_their_tab(server, page):
    page.goto(f"{server}/compare_runs?data=shop&look=Labels")
    listed = picking_tables(page).first
    sentence = page.locator(".two .sentence")
    changed = page.locator(".two .changed")
    for row, document in ((1, "help-returns-04"), (4, "coffee-13")):
        press_row(page, listed, row)
        expect(sentence).to_contain_text(f"{document} with grade 0 → 1: delta ")
        expect(changed.first).to_have_text("0 → 1")
    settled(page)
    page.go_back()
    expect(sentence).to_contain_text("help-returns-04")
    expect(page).to_have_url(re.compile("look=Labels"))
    expect(listed.locator("tr.picked")).to_contain_text("help-returns-04")
    # A second press takes the other grade back.
    press_row(page, listed, 1)
    expect(changed).to_have_count(0)
    expect(listed.locator("tr.picked")).to_have_count(0)


def test_a_group_is_named_where_it_is_compared_and_a_way_leads_back_to_its_table(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/compare_runs?data=shop")
    open_tab(page, "Queries")
    group = page.get_by_role("button", name="a question", exact=True)
    group.click()
    expect(page.get_by_role("button", name="a question (8 of 29 queries)")).to_be_in_viewport()
    settled(page)
    page.get_by_role("button", name="Back to the table").click()
    expect(group).to_be_in_viewport()
    expect(page.get_by_role("button", name="Back to the table")).to_have_count(0)
    # From one group to the next.
    page.get_by_role("button", name="keywords", exact=True).click()
    expect(page.get_by_role("button", name="keywords (17 of 29 queries)")).to_be_in_viewport()
