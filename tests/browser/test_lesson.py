"""A lesson from the teacher's first click to the student's reveal, and the page on a projector."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import expect

from tests.browser.actions import score, words_of
from tests.browser.conftest import new_context, settled
from tests.browser.test_editing import documents

HIDDEN = "0.9602", "5.4662", "5.6925", "1.2619", "0.7737", "0.4307", "0.960", "5.466"
"""The score of the laptop example, both its totals, and contributions."""

# Everything in the document: attributes, alt texts and shadow roots too.
WHOLE = """() => {
  const texts = [];
  const read = (root) => {
    texts.push(root.innerHTML);
    for (const each of root.querySelectorAll("*")) if (each.shadowRoot) read(each.shadowRoot);
  };
  read(document);
  return document.documentElement.outerHTML + texts.join("");
}"""

# The sizes of all visible text, in pixels.
SIZES = """() => {
  const sizes = [];
  const read = (root) => {
    for (const each of root.querySelectorAll("*")) {
      if (each.shadowRoot) read(each.shadowRoot);
      const words = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
      const { width, height } = each.getBoundingClientRect();
      const drawn = width > 2 && height > 2 && each.checkVisibility({ visibilityProperty: true });
      if (words && drawn && !["STYLE", "SCRIPT", "TITLE"].includes(each.tagName)) {
        sizes.push([parseFloat(getComputedStyle(each).fontSize), each.textContent.slice(0, 40)]);
      }
    }
  };
  read(document.querySelector('[data-testid="stMain"]'));
  return sizes;
}"""

# How many of the words are on more than one line.
BROKEN = """all => all.flatMap((cell) => [...cell.textContent.matchAll(/\\S+/g)].filter((word) => {
  const range = document.createRange();
  range.setStart(cell.firstChild, word.index);
  range.setEnd(cell.firstChild, word.index + word[0].length);
  return new Set([...range.getClientRects()].map((each) => each.top)).size > 1;
})).length"""


# What is cut because its place on the page is too low or too narrow; a formula has room to scroll.
CUT = """all => all.flatMap((each) => [each, ...each.querySelectorAll("*")])
  .filter(({ scrollHeight: height, scrollWidth: width, clientHeight, clientWidth }) =>
    clientWidth > 2 && (height > clientHeight + 1 || width > clientWidth))
  .filter((each) => ["auto", "hidden", "scroll"].includes(getComputedStyle(each).overflowX))
  .filter((each) => !each.closest(".katex") && !each.querySelector(".katex"))
  .map((each) => each.textContent)"""


def learner(chromium):
    """A new browser's page, and the frames that the server sends to it."""
    page = new_context(chromium).new_page()
    frames = []
    page.on(
        "websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(frame))
    )
    return page, frames


def copied(page, button):
    """What a button copies."""
    button.click()
    expect(page.get_by_role("dialog").get_by_text("Copied", exact=True)).to_have_count(1)
    return page.evaluate("navigator.clipboard.readText()")


def test_a_teacher_hides_the_score_and_a_student_predicts_and_reveals_it(server, page, chromium):
    page.goto(f"{server}/inspect_query")
    expect(page.locator("tfoot")).to_have_count(2)
    settled(page)
    page.get_by_role("button", name="Make a lesson", exact=True).click()
    dialog = page.get_by_role("dialog", name="Make a lesson")
    question = dialog.get_by_label("Question: ")
    question.fill("What is nDCG@5?")
    # The field has not been left, so only the button sends it.
    dialog.get_by_role("button", name="Make the links").evaluate("button => button.click()")
    copy = dialog.get_by_role("button", name="Copy student link")
    expect(copy).to_be_visible()
    expect(question).to_have_count(0)
    settled(page)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    link = copied(page, copy)
    assert "score" in parse_qs(urlsplit(link).query)["hide"][0].split("-")
    # Without https only a selected text can be copied.
    page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(); }")
    own = copied(page, dialog.get_by_role("button", name="Copy your link"))
    assert own != link
    dialog.get_by_role("button", name="Change the lesson").click()
    expect(question).to_have_value("What is nDCG@5?")

    student, frames = learner(chromium)
    student.goto(link)
    expect(student.get_by_role("heading", name="What is nDCG@5?")).to_be_visible()
    expect(student.locator("li.row .name")).to_have_count(5)
    settled(student)
    expect(student).to_have_title("Lesson · Rankscope")
    sent = b"".join(each if isinstance(each, bytes) else each.encode() for each in frames)
    whole = student.evaluate(WHOLE)
    assert "Developer Laptop Guide" in whole
    assert b"Developer Laptop Guide" in sent
    for number in HIDDEN:
        assert number not in whole
        assert number.encode() not in sent
    # The list cannot be changed: no button, no handle, no key.
    order = documents(student)
    row = student.locator("li.row").nth(2)
    expect(row.locator(":is(button, .handle):visible")).to_have_count(0)
    row.focus()
    for key in ("Alt+ArrowUp", "3", "=", "Control+z"):
        student.keyboard.press(key)
    settled(student)
    assert documents(student) == order
    assert "ranking=" not in student.url

    # The menu and the logo would lead to Start, which shows the score of this ranking.
    header = student.get_by_test_id("stHeader")
    expect(header.get_by_role("link")).to_have_count(0)
    expect(header.get_by_test_id("stHeaderLogo")).to_have_count(0)

    prediction = student.get_by_role("textbox", name="Your prediction")
    prediction.fill("0.9")
    prediction.press("Enter")
    expect(student.locator(".mark")).to_have_text("you: 0.90")
    expect(
        student.get_by_text("Noted: 0.9. You can change it until you reveal DCG@5.")
    ).to_be_visible()
    bar = student.locator(".score:not([hidden]) .total")
    top = bar.bounding_box()["y"]
    student.get_by_role("button", name="Reveal step 1 of 3: DCG@5").click()
    expect(student.locator("caption")).to_have_count(1)
    expect(prediction).to_be_disabled()
    # Its ledger has another beside it only when the ideal is revealed; nothing moves for that.
    first = student.locator("table").first
    width = first.bounding_box()["width"]
    student.get_by_role("button", name="Reveal step 2 of 3: ideal DCG@5").click()
    expect(student.locator("caption")).to_have_count(2)
    # Both totals would draw the score.
    expect(bar.locator(".chunk")).to_have_count(0)
    assert (first.bounding_box()["width"], bar.bounding_box()["y"]) == (width, top)
    assert "0.9602" not in student.evaluate(WHOLE)
    student.get_by_role("button", name="Reveal step 3 of 3: nDCG@5").click()
    expect(bar.locator(".chunk")).not_to_have_count(0)
    assert bar.bounding_box()["y"] == top
    verdict = student.get_by_text("You said 0.90; nDCG@5 is 0.9602: 0.06 too low.")
    expect(verdict).to_be_visible()
    expect(score(student)).to_have_text("0.9602")
    expect(bar.locator(".chunk")).to_have_count(5)
    expect(header.get_by_role("link", name="Start")).to_be_visible()
    settled(student)
    # Neither Back nor a reload lets a student change the prediction.
    for name in ("step 3 of 3: nDCG@5", "step 2 of 3: ideal DCG@5", "step 1 of 3: DCG@5"):
        student.go_back()
        expect(student.get_by_role("button", name=f"Reveal {name}")).to_be_visible()
        expect(prediction).to_be_disabled()
        settled(student)
    student.go_forward()
    expect(student.get_by_role("button", name="Reveal step 2")).to_be_visible()
    settled(student)
    student.reload()
    expect(prediction).to_be_disabled()
    expect(prediction).to_have_value("0.9")
    student.context.close()

    page.goto(own)
    expect(score(page)).to_have_text("0.9602")
    expect(page.get_by_role("heading", name="What is nDCG@5?")).to_be_visible()
    # On a small phone a title of two lines leaves its grade room, also where the score is hidden.
    page.set_viewport_size({"width": 280, "height": 844})
    page.goto(f"{server}/inspect_query?hide=score")
    expect(page.locator(".tall.unscored li.row")).to_have_count(5)
    for row in page.locator("li.row").all():
        box, grade = (each.bounding_box() for each in (row, row.locator(".grade")))
        assert grade["y"] + grade["height"] <= box["y"] + box["height"]
        # Where it earns nothing that is shown, the title has the whole width.
        name = row.locator(".name").bounding_box()
        assert name["x"] + name["width"] > box["x"] + box["width"] - 16


def test_a_projector_shows_one_panel_in_large_text(server, page):
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{server}/inspect_query")
    expect(page.locator("tfoot")).to_have_count(2)
    settled(page)
    page.get_by_role("button", name="Present", exact=True).click()
    titles = "Ranking", "Ledgers", "Running total", "Formula"
    for place, title in enumerate(titles, 1):
        expect(page.get_by_text(f"{title}, {place} of {len(titles)}")).to_be_visible()
        settled(page)
        sizes = page.evaluate(SIZES)
        assert len(sizes) > 5
        assert [each for each in sizes if each[0] < 24] == []
        main = page.get_by_test_id("stMain")
        assert main.evaluate("main => main.scrollWidth <= main.clientWidth")
        assert page.get_by_test_id("stElementContainer").evaluate_all(CUT) == []
        # A panel fits the screen above its steps.
        assert main.evaluate("main => main.scrollHeight <= main.clientHeight + 1")
        page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_text("Running total, 3 of 4")).to_be_visible()
    settled(page)
    # Back leads to the page that is presented, whatever panel is shown.
    page.go_back()
    expect(words_of(page, "Measure")).to_be_visible()
    settled(page)
    page.go_forward()
    expect(page.get_by_text("Running total, 3 of 4")).to_be_visible()
    settled(page)
    # And stays: what Python still wrote for the page before is no press of Close.
    expect(page).to_have_url(f"{server}/inspect_query?present=chart")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Share", exact=True)).to_be_visible()
    expect(words_of(page, "Measure")).to_be_visible()
    # On a phone a long list has one line a row, with what belongs to it, and is seen as a whole.
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server}/inspect_query?example=shop&query=q21&run=bm25&present=list")
    row = page.locator("li.row").nth(1)
    expect(row).to_be_visible()
    settled(page)
    around = row.bounding_box()
    for part in (".name", ".grade", ".value"):
        inner = row.locator(part).bounding_box()
        assert around["y"] <= inner["y"] + 5
        assert inner["y"] + inner["height"] <= around["y"] + around["height"] + 5
    steps = page.locator(".st-key-steps_of_panels").bounding_box()["y"]
    tenth = page.locator("li.row").nth(9).bounding_box()
    assert tenth["y"] + tenth["height"] < steps
    # Both ledgers, too, and no id is cut.
    page.get_by_role("button", name="Next").click()
    expect(page.locator(".sheet")).to_have_count(2)
    settled(page)
    ideal = page.locator(".sheet").nth(1).bounding_box()
    assert ideal["y"] + ideal["height"] < steps
    assert page.locator(".sheet, .sheet .document span:visible").evaluate_all(CUT) == []
    page.set_viewport_size({"width": 1920, "height": 1080})
    page.goto(f"{server}/inspect_query?example=shop&query=q21&run=bm25&present=list")
    for last, at in (("li.row", 11), (".sheet", 1)):
        expect(page.locator(last).nth(at)).to_be_visible()
        settled(page)
        steps = page.locator(".st-key-steps_of_panels").bounding_box()["y"]
        drawn = page.locator(last).nth(at).bounding_box()
        # Each name has the same room, whatever its row earns.
        names = "all => new Set(all.map((each) => each.getBoundingClientRect().width)).size"
        assert page.locator("li.row .name").evaluate_all(names) == (last == "li.row")
        assert 0.85 * steps < drawn["y"] + drawn["height"] < steps
        if last == "li.row":
            # Its border is not cut where the list would scroll.
            room = page.locator(".list:visible").bounding_box()
            assert drawn["y"] + drawn["height"] <= room["y"] + room["height"]
            # An id that is copied from the words under the bar is the id.
            lost = page.locator(".notes:visible", has_text="lost")
            assert "help-warranty-01 (at 4" in lost.text_content()
            # And is not broken.
            expect(lost.locator("span")).not_to_have_count(0)
            assert lost.locator("span").evaluate_all(BROKEN) == 0
        # From within a row, too.
        page.locator(last).nth(at).press("ArrowRight")
    # A heading breaks between its words alone.
    of = "example=shop&query=q21&run=bm25&measure=AP&k=0"
    page.goto(f"{server}/inspect_query?{of}&present=ledger")
    headings = page.locator(".sheet th")
    expect(headings.last).to_have_text("total")
    assert headings.evaluate_all(BROKEN) == 0
    page.goto(f"{server}/compare_runs?present=waterfall")
    expect(page.get_by_role("heading", name="does the warranty cover")).to_be_visible()
    for drawn in (".bars .bar", ".lists li"):
        expect(page.locator(drawn).first).to_be_attached()
        settled(page)
        sizes = page.evaluate(SIZES)
        assert len(sizes) > 5
        assert [each for each in sizes if each[0] < 24] == []
        page.keyboard.press("ArrowLeft")
    expect(words_of(page, "Run A")).to_be_hidden()
