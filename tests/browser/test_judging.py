"""Judging by keyboard alone: from two runs and texts, without qrels, over a killed server."""

import json
import re

from playwright.sync_api import expect

from metrics import evaluate, read_qrels, read_run
from tests.browser.actions import choose, saved, setting, words_of
from tests.browser.conftest import drop_box, new_context, settled
from tests.browser.test_workspace import folder, servers

__all__ = ["folder", "servers"]

QUERIES = [f"q{number}" for number in range(1, 7)]
PER_QUERY = 10


def run_of(name, first):
    """A run of ten documents for each query; two runs share half of them."""
    return "".join(
        f"{query} Q0 {query}-d{first + rank:02} {rank + 1} {PER_QUERY - rank} {name}\n"
        for query in QUERIES
        for rank in range(PER_QUERY)
    ).encode()


TEXTS = "".join(
    json.dumps({"_id": f"{query}-d{at:02}", "title": "", "text": f"About {query}, part {at}."})
    + "\n"
    for query in QUERIES
    for at in range(15)
).encode()


def row(page, at):
    return page.get_by_role("group", name="Documents").get_by_role("button").nth(at)


def rest(page):
    return page.locator(".desk .rest")


def progress(page):
    return page.locator(".desk .progress")


def taken(page, button, folder):
    """Save a download by keyboard, and return its path."""
    if not page.get_by_role("button", name=button).is_visible():
        page.get_by_role("button", name="Export").press("Enter")
    with page.expect_download() as download:
        page.get_by_role("button", name=button).press("Enter")
    file = folder / download.value.suggested_filename
    download.value.save_as(file)
    return file


def test_fifty_judgments_by_keyboard_outlive_the_server(servers, chromium, page, tmp_path):
    process, url = servers()
    page.goto(f"{url}/data")
    files = {"a.run": run_of("a", 0), "b.run": run_of("b", 5), "corpus.jsonl": TEXTS}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    drop_box(page).set_input_files([tmp_path / name for name in files])
    # From here on the keyboard alone.
    page.get_by_role("button", name="Judge them here").press("Enter")
    expect(progress(page)).to_have_text("0 of 15 judged")
    settled(page)
    words_of(page, "What you see").press("Enter")
    name = page.get_by_label("Your name, kept with each judgment")
    name.press_sequentially("Ada")
    name.press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    expect(name).to_be_hidden()
    page.keyboard.press("n")
    page.keyboard.type("a reason")
    page.keyboard.press("Escape")
    for key in "3210u32103":
        page.keyboard.press(key)
    expect(progress(page)).to_have_text("10 of 15 judged, 1 ×")
    settled(page)
    page.keyboard.press("Control+z")
    expect(progress(page)).to_have_text("9 of 15 judged, 1 ×")
    settled(page)
    page.keyboard.press("3")
    for key in "01230":
        page.keyboard.press(key)
    expect(progress(page)).to_have_text("15 of 15 judged, 1 ×")
    settled(page)
    page.keyboard.press("Enter")
    expect(page.locator(".desk .query").filter(has_text="q2")).to_be_visible()
    settled(page)
    expect(progress(page)).to_have_text("0 of 15 judged")
    for key in "012301230123012":
        page.keyboard.press(key)
    expect(progress(page)).to_have_text("15 of 15 judged")
    settled(page)
    # One key too many, which moves nothing.
    place = page.locator(".desk .grades").bounding_box()
    page.keyboard.press("0")
    expect(rest(page)).to_contain_text("Choose a document to change its grade.")
    expect(page.locator(".desk .paper.at .dots")).to_have_text("●●○")
    settled(page)
    assert page.locator(".desk .grades").bounding_box() == place

    process.kill()
    process.wait(60)
    _, url = servers()
    other = new_context(chromium).new_page()
    other.goto(f"{url}/judge?example=yours&judge=Bob&query=q2")
    expect(progress(other)).to_have_text("15 of 15 judged")
    settled(other)
    for query in ("q3", "q4"):
        other.keyboard.press("Enter")
        expect(other.locator(".desk .query").filter(has_text=query)).to_be_visible()
        settled(other)
        expect(progress(other)).to_have_text("0 of 15 judged")
        for key in "3" * 15 + "1":
            other.keyboard.press(key)
        expect(progress(other)).to_have_text("15 of 15 judged")
        settled(other)
    file = taken(other, "JSON Lines", tmp_path)
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert len(lines) == 59
    assert [line["grade"] for line in lines if line["judge"] == "Bob"] == [3] * 30
    (reason,) = [line["reason"] for line in lines if "reason" in line]
    assert reason == "a reason"
    qrels = read_qrels(taken(other, "Qrels", tmp_path))
    assert len(qrels) == 59
    other.keyboard.press("Escape")
    choose(other, "What you see", typed="everything")
    for name in ("a", "b"):
        mean = evaluate(qrels, read_run(tmp_path / f"{name}.run"), ["nDCG@10"]).value("nDCG@10")
        expect(other.locator(".st-key-chart_effect")).to_contain_text(f"{mean:.4f}")
    other.context.close()


def title(page):
    return page.locator(".desk .title")


def note(page):
    return page.get_by_role("textbox", name="Note")


def test_after_the_settings_enter_leads_to_the_next_query(server, page):
    page.goto(f"{server}/judge?example=shop&query=q05&depth=1&blind=anew")
    expect(progress(page)).to_contain_text("judged")
    settled(page)
    setting(page, "What you see")
    name = page.get_by_label("Your name, kept with each judgment")
    name.fill("Ada")
    name.press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    # The browser gives the focus back to the button, which opens the settings with Enter.
    expect(words_of(page, "What you see")).to_be_focused()
    for _ in range(page.locator(".desk .paper").count()):
        page.keyboard.press("2")
    settled(page)
    expect(rest(page)).to_have_text("Press Enter for the next query")
    # Also for who has just chosen a document.
    row(page, 0).click()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("query=q06"))
    expect(name).to_be_hidden()
    # Undo leads back to the query before, whose last grade can then be taken back.
    settled(page)
    for told in ("Press Enter for the next query", re.compile("left in all queries")):
        page.keyboard.press("Control+z")
        expect(page).to_have_url(re.compile("query=q05"))
        expect(rest(page)).to_have_text(told)
        settled(page)


def test_a_quick_correction_is_of_the_same_document(server, page):
    page.goto(f"{server}/judge?example=shop&query=q05&judge=Ada")
    expect(progress(page)).to_contain_text("judged")
    settled(page)
    row(page, 0).click()
    first = title(page).inner_text()
    for key in ("3", "Control+z", "1"):
        page.keyboard.press(key)
    settled(page)
    expect(row(page, 0).locator(".dots")).to_have_text("●○○")
    row(page, 0).click()
    expect(title(page)).to_have_text(first)

    # A note is kept when its field is left, and gone when the step is taken back.
    page.keyboard.press("n")
    page.keyboard.type("first")
    page.keyboard.press("Escape")
    settled(page)
    for key in ("ArrowRight", "ArrowDown", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
    expect(note(page)).to_have_value("first")
    expect(row(page, 0)).to_have_accessible_name(re.compile("grade 1, has a note"))
    for key, value in (("z", ""), ("y", "first"), ("z", "")):
        page.keyboard.press(f"Control+{key}")
        settled(page)
        expect(note(page)).to_have_value(value)

    # A key that is held down grades one document.
    row(page, 2).click()
    page.keyboard.down("2")
    page.keyboard.down("2")
    page.keyboard.down("2")
    page.keyboard.up("2")
    settled(page)
    expect(row(page, 2).locator(".dots")).to_have_text("●●○")
    choose(page, "What you see", typed="everything")
    row(page, 4).click()
    shown = title(page).inner_text()
    choose(page, "What you see", typed="ranks and runs")
    expect(title(page)).to_have_text(shown)


def test_a_grade_moves_the_bar_and_neither_the_grades_nor_the_list(server, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{server}/judge?example=shop&query=q01")
    picture = page.locator("[data-picture]")
    expect(picture.locator(".number")).to_have_text(re.compile(r"0\.\d{4}"))
    settled(page)
    before = picture.bounding_box()
    assert before["y"] + before["height"] < 560
    width = picture.locator(".track i").bounding_box()["width"]
    places = [page.locator(name).bounding_box() for name in (".desk .grades", ".desk .strip")]
    left = int(rest(page).inner_text().split()[0])
    page.locator(".desk .paper", has_text="○○○").first.click()
    page.keyboard.press("3")
    expect(page.locator(".desk .done")).to_contain_text(": 0.")
    settled(page)
    expect(rest(page)).to_contain_text(f"{left} left in all queries")
    assert picture.locator(".track i").bounding_box()["width"] != width
    after = [page.locator(name).bounding_box() for name in (".desk .grades", ".desk .strip")]
    assert after == places


def test_a_phone_has_the_document_its_grades_and_the_next_query_on_one_screen(server, chromium):
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    page = new_context(chromium, **phone).new_page()
    page.goto(f"{server}/judge?query=q05")
    expect(rest(page)).to_contain_text("left in all queries")
    settled(page)
    # The desk is in the upper part of the screen, and no grade moves it.
    place = page.locator(".desk").bounding_box()["y"]
    assert place <= 240
    heading = page.get_by_role("heading", name="Judge", exact=True)
    assert heading.bounding_box()["y"] + heading.bounding_box()["height"] < place
    expect(page.get_by_text("Grade documents by hand")).to_be_hidden()
    # The settings are whole: they wrap at the width of the page.
    assert page.locator(".st-key-sentence").evaluate("e => e.scrollWidth <= e.clientWidth")
    for _ in range(4):
        page.get_by_role("button", name="0 off topic").tap()
        settled(page)
        assert page.locator(".desk").bounding_box()["y"] == place
    expect(rest(page)).to_have_text("Go on to the next query")
    after = page.get_by_role("button", name="Next query").bounding_box()
    assert after["y"] + after["height"] <= 844
    # What the judgments changed is told in sight.
    expect(page.locator(".desk .done")).to_contain_text("leads")
    expect(page.locator(".desk .done")).to_be_in_viewport()
    targets = page.locator(".desk :is(button, input):visible").all()
    assert min(each.bounding_box()["height"] for each in targets) >= 44
    # On other pages a long word of the settings wraps, and no comma begins a line.
    page.goto(f"{server}/inspect_query?example=shop&ties=ascending&unjudged=removed")
    settled(page)
    *commas, word = page.locator(
        ".st-key-sentence :is(em, .st-key-setting-Convention button:visible)"
    ).all()
    assert word.bounding_box()["height"] > 40
    left = page.locator(".st-key-sentence").bounding_box()["x"]
    assert all(not left - 3 < each.bounding_box()["x"] < left + 3 for each in commas)
    page.context.close()


def test_two_judges_are_pictures_first_with_their_words_on_the_same_screen(server, page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{server}/judge?example=two-judges&judging=Two judges")
    words = page.get_by_text("One judge is not enough")
    expect(words).to_be_visible()
    settled(page)
    winners, squares = (each.bounding_box() for each in page.locator(".js-plotly-plot").all())
    # Both pictures come first, their words are below, and what a square lists begins in sight.
    assert max(winners["y"], squares["y"]) <= 230
    assert winners["y"] + winners["height"] <= words.bounding_box()["y"]
    assert squares["y"] + squares["height"] <= 800
    place = page.get_by_role("heading", name="Disagreements").bounding_box()["y"]
    assert place < 800
    page.mouse.click(*middle(square(page, 1)))
    expect(page.get_by_text("Press the square again to list all")).to_be_in_viewport()
    settled(page)
    assert page.get_by_role("heading", name="Disagreements").bounding_box()["y"] == place
    # Who judges a document comes back to its row, which says its reasons once.
    row = page.locator(".st-key-disagreements details").last
    notes = row.locator("summary em").nth(1)
    expect(notes).to_be_visible()
    row.locator("summary").click()
    expect(notes).to_be_hidden()
    name = row.locator("strong").first.inner_text()
    row.get_by_role("button", name="Judge it yourself").click()
    expect(title(page)).to_be_visible()
    settled(page)
    page.get_by_role("button", name="Back to the disagreement").click()
    back = page.locator(".st-key-sought summary", has_text=name)
    expect(back).to_be_focused()
    expect(back).to_be_in_viewport()


def square(page, number):
    """A square of the picture, which takes the click at its place."""
    return page.locator(".js-plotly-plot").nth(1).locator(".points path").nth(number)


def middle(mark):
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_the_first_tap_on_a_square_lists_its_documents_and_the_next_those_of_another(
    server, chromium
):
    phone = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
    page = new_context(chromium, **phone).new_page()
    page.goto(f"{server}/judge?example=two-judges&judging=Two judges")
    expect(page.get_by_role("heading", name="Disagreements")).to_be_visible()
    settled(page)
    for model, listed in ((1, "Disagreements"), (2, "Disagreements"), (0, "Agreements")):
        page.touchscreen.tap(*middle(square(page, model)))
        expect(page.get_by_text(f"5 of 8: person gave 0, model gave {model}.")).to_be_visible()
        expect(page.get_by_role("heading", name=listed, exact=True)).to_be_visible()
        settled(page)
    # Two quick taps are no double one, which would take the second back.
    places = [middle(square(page, number)) for number in (1, 2)]
    for place in places:
        page.touchscreen.tap(*place)
        page.wait_for_timeout(120)
    listed = page.get_by_text("5 of 8: person gave 0, model gave 2.")
    expect(listed).to_be_visible()
    settled(page)
    expect(listed).to_be_visible()
    page.context.close()


def test_another_judge_does_not_sign_the_first_one_s_note(server, page, tmp_path):
    page.goto(f"{server}/judge?example=shop&query=q06&judge=Ada")
    expect(progress(page)).to_contain_text("judged")
    settled(page)
    row(page, 0).click()
    page.keyboard.press("n")
    page.keyboard.type("Ada thinks so")
    page.keyboard.press("Escape")
    page.keyboard.press("3")
    settled(page)
    setting(page, "What you see")
    page.get_by_label("Your name, kept with each judgment").fill("Bob")
    page.keyboard.press("Enter")
    settled(page)
    page.keyboard.press("Escape")
    row(page, 0).click()
    expect(note(page)).to_have_value("")
    expect(page.locator(".desk .about")).to_contain_text("note: Ada thinks so")
    page.keyboard.press("1")
    settled(page)
    page.get_by_role("button", name="Export").click()
    lines = saved(page, "JSON Lines", tmp_path).read_text("utf-8").splitlines()
    (bob,) = [line for line in map(json.loads, lines) if line["judge"] == "Bob"]
    assert (bob["grade"], "reason" in bob) == (1, False)
