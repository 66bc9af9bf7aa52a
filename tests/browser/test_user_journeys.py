"""Typical paths in a real browser: open a link cold, edit a grade, upload, drill down."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.actions import edit_cell, picking_tables, press_row, setting, type_k
from tests.browser.conftest import drop, drop_box, settled

SAMPLE = Path(__file__).parents[2] / "sample_data" / "shop_search"


def metric(page, label):
    """Return a number by its label: a metric, or the score of Inspect."""
    box = page.get_by_test_id("stMetric").filter(has_text=re.compile(rf"^{re.escape(label)}"))
    measure = page.locator(".measure", has_text=re.compile(rf"^{re.escape(label)}$"))
    of_list = page.locator(".score .head").filter(has=measure).locator(".value")
    # Beside the score is a metric for browsers that cannot load it.
    return box.get_by_test_id("stMetricValue").or_(of_list).filter(visible=True)


def test_a_cold_deep_link_reaches_its_page_with_its_settings(fresh_server, page):
    page.goto(f"{fresh_server}/compare_runs?k=3")
    expect(page.get_by_role("heading", name="nDCG@3 ")).to_be_visible()
    assert page.url.startswith(f"{fresh_server}/compare_runs")
    assert "k=3" in page.url
    expect(page.get_by_role("link", name="Inspect")).to_be_visible()


@pytest.mark.parametrize(
    ("link", "popover", "label", "kept"),
    [
        ("inspect_query?gain=exponential", "Convention", "Gain", "2^grade − 1"),
        ("compare_runs?test=t", "Options", "Paired test", "Paired t"),
        ("compare_runs?beside=RR%7CERR", "Options", "Other measures to test", "ERR"),
    ],
)
def test_a_popover_that_opens_late_keeps_what_the_link_set(
    server, page, link, popover, label, kept
):
    page.goto(f"{server}/{link}")
    # The page runs again both before and after the widgets in the popover are drawn.
    for step in ("3", "4"):
        type_k(page, step)
        expect(page).to_have_url(re.compile(f"[?&]k={step}"))
        settled(page)
        if popover == "Convention":
            setting(page, popover)
        else:
            page.get_by_role("button", name=popover, exact=True).click()
        body = page.get_by_test_id("stPopoverBody")
        # The list of single choices stays open.
        if popover == "Convention" and step == "3":
            body.get_by_text("Change one choice").click()
        expect(body.get_by_text(label, exact=True)).to_be_visible()
        for _ in range(300):
            shown = [box.input_value() for box in body.get_by_role("combobox").all()]
            shown += body.inner_text().split("\n")
            if kept in shown:
                break
            # A slow machine may still be drawing the widget of the label.
            page.wait_for_timeout(100)
        assert kept in shown
        page.keyboard.press("Escape")
        settled(page)
        assert link.partition("?")[2] in page.url.replace("|", "%7C")


def test_editing_a_grade_changes_score_and_ledger(server, page):
    page.goto(f"{server}/inspect_query?editor=table")
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")
    expect(page.get_by_text("÷ 5.6925 ≈ 0.9602")).to_be_visible()
    edit_cell(page, row=2, column=2, text="3")
    expect(page.get_by_text("6.9662 of ")).to_be_visible()
    expect(page.locator("caption").first).to_have_text(
        "DCG@5 (discounted cumulative gain) = sum of the contributions ≈ 6.9662",
        use_inner_text=True,
    )
    page.get_by_role("button", name="Undo").first.click()
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")


def test_editing_a_rank_moves_the_document(server, page):
    page.goto(f"{server}/inspect_query?editor=table")
    expect(metric(page, "nDCG@5")).to_have_text("0.9602")
    edit_cell(page, row=4, column=1, text="3")
    expect(metric(page, "nDCG@5")).to_have_text("0.9923")
    page.get_by_role("link", name="Data", exact=True).click()
    page.get_by_role("link", name="Inspect").click()
    expect(metric(page, "nDCG@5")).to_have_text("0.9923")


def test_a_pressed_row_opens_its_query(server, page):
    page.goto(f"{server}/compare_runs?shown=A better")
    expect(page.get_by_role("tab", name="Queries", selected=True)).to_be_visible()
    # The first row is B's largest loss, the second row the next one.
    press_row(page, picking_tables(page).first, 1)
    expect(page).to_have_url(re.compile("q=q10"))
    expect(page.locator(".two .id")).to_have_text("q10")


def test_a_wrong_file_is_reported_and_the_earlier_data_stay(server, page, tmp_path):
    page.goto(f"{server}/data")
    drop(page, SAMPLE / "qrels.txt", SAMPLE / "bm25.run")
    bad = tmp_path / "bad.run"
    bad.write_text("q01 Q0 laptop-01 1 9.5 mine\nq01 Q0 laptop-02 2 high mine\n")
    drop_box(page).set_input_files(bad)
    expect(page.get_by_text("bad.run, line 2, column 5: found 'high'")).to_be_visible()
    expect(page.get_by_text("was not added. Your data are unchanged.")).to_be_visible()
    expect(page.get_by_role("heading", name="Your data")).to_be_visible()


def test_every_document_can_be_removed_from_the_ranking(server, page):
    page.goto(f"{server}/inspect_query?example=four-items&editor=table")
    expect(metric(page, "nDCG@4")).to_have_text("0.9434")
    first = page.get_by_test_id("stDataFrame").first.get_by_test_id("glide-cell-0-0")
    for document in ("d1", "d2", "d3", "d4"):
        expect(first).to_have_text(document)
        edit_cell(page, row=0, column=1, text="")
    expect(metric(page, "nDCG@4")).to_have_text("0.0000")


def test_a_links_settings_survive_a_change_of_page(server, page):
    page.goto(f"{server}/inspect_query?example=shop&query=q20&k=7&gain=exponential")
    expect(metric(page, "nDCG@7")).to_be_visible()
    settled(page)
    page.get_by_role("link", name="Compare", exact=True).click()
    expect(page.get_by_role("heading", name="nDCG@7 ")).to_be_visible()
    expect(page).to_have_url(re.compile(r"compare_runs\?k=7&gain=exponential$"))
    settled(page)
    page.get_by_role("link", name="Inspect", exact=True).click()
    expect(page).to_have_url(re.compile("example=shop.*query=q20"))
    expect(metric(page, "nDCG@7")).to_be_visible()


def test_a_score_under_a_convention_leads_to_its_ledger_and_to_inspect(server, page):
    page.goto(f"{server}/conventions")
    expect(page.get_by_text("nDCG@6 = 0.7850 under trec_eval")).to_be_visible()
    # The chosen tool's reason comes first, then that of the score that is pressed.
    rows = page.locator("[class*=st-key-why_]")
    expect(rows.first).to_contain_text("as chosen")
    # The pressed one has a frame, and its text is in the column of the others.
    left = "all => all.map((row) => row.querySelector('p').getBoundingClientRect().x)"
    assert len(set(rows.evaluate_all(left))) == 1
    page.locator(".dot[title$=XGBoost]").click()
    expect(rows.nth(1)).to_contain_text("LightGBM, XGBoost")
    expect(rows.first).to_contain_text("as chosen")
    expect(page.get_by_role("button", name="0.9488")).to_have_attribute("aria-pressed", "true")
    settled(page)
    rows.nth(1).get_by_role("button", name="Ledger").click()
    sentence = r"^nDCG@6 = 0\.9488 under: LightGBM, with gain: 2\^grade − 1; .*$"
    expect(rows.nth(1).get_by_text(re.compile(sentence))).to_be_visible()
    page.get_by_role("button", name="Use it on Inspect").click()
    expect(metric(page, "nDCG@6")).to_have_text("0.9488")
