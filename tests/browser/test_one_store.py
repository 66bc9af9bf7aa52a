"""A grade set in one list, followed through every place that has its number."""

import json
import subprocess
import sys
import zipfile

from playwright.sync_api import expect

from metrics import compare, evaluate, read_qrels
from metrics.editing.changed_grades import with_grades
from metrics.teaching.samples import catalogue
from tests.browser.actions import choose, go, open_tab, saved, score
from tests.browser.conftest import ROOT, settled

SHOP = catalogue()["shop"].load()
A, B = SHOP.runs
QRELS = with_grades(SHOP.qrels, {"q01": {"shoes-05": 3.0}})
NAME = "nDCG@10"


def test_a_grade_of_one_list_is_everywhere(server, page, tmp_path):
    page.goto(f"{server}/inspect_query?example=shop&run={B.name}&query=q01")
    scores = {run.name: evaluate(QRELS, run, [NAME]) for run in (A, B)}
    row = page.get_by_role("listitem").filter(has_text="shoes-05")
    row.focus()
    page.keyboard.press("3")
    number = score(page)
    expect(number).to_have_text(f"{scores[B.name].value(NAME, 'q01'):.4f}")
    expect(
        page.get_by_text("1 grade is changed by hand: this affects every run and page.")
    ).to_be_visible()
    mean = f"Mean over 29 queries: {scores[B.name].value(NAME):.4f}."
    expect(page.get_by_text(mean)).to_be_visible()

    # The other run, whose list does not have the document.
    choose(page, "Run", typed=A.name)
    expect(number).to_have_text(f"{scores[A.name].value(NAME, 'q01'):.4f}")
    assert A.to_dict()["q01"].get("shoes-05") is None

    go(page, "Compare")
    summary = compare(QRELS, A, B, [NAME]).summary(NAME)
    verdict = ".st-key-verdict h2"
    expect(page.locator(verdict)).to_contain_text(f"{summary.mean_b:.4f}")
    expect(page.get_by_text("Changed by hand: 1 grade of 1 query.")).to_be_visible()

    # Somebody else opens the address of the page, in a browser that knows nothing.
    settled(page)
    with page.context.browser.new_context() as theirs:
        other = theirs.new_page()
        other.goto(page.url)
        expect(other.locator(verdict)).to_contain_text(f"{summary.mean_b:.4f}")
        expect(other.get_by_text("From the link: grades of 1 query.")).to_be_visible()
        settled(other)
        assert other.url == page.url

    page.get_by_role("button", name="Share", exact=True).click()
    report = saved(page, "Download the report", tmp_path).read_text("utf-8")
    assert f"{summary.delta:+.4f}" in report.replace("−", "-")
    page.keyboard.press("Escape")
    open_tab(page, "Take away")
    inputs = saved(page, "Download qrels and both runs", tmp_path)
    with zipfile.ZipFile(inputs) as packed:
        packed.extractall(tmp_path)
        names = packed.namelist()
    exported = read_qrels(tmp_path / names[0])
    assert exported.to_dict() == QRELS.to_dict()

    command = [
        sys.executable,
        "-m",
        "metrics",
        "compare",
        *(str(tmp_path / each) for each in names),
    ]
    printed = subprocess.run(
        [*command, "-m", NAME, "--format", "json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert f"{summary.delta}" in json.dumps(json.loads(printed))

    go(page, "Data")
    settled(page)
    changed = page.locator("summary", has_text="changed by hand")
    changed.click()
    qrels = saved(page, "Download the changed qrels", tmp_path)
    assert read_qrels(qrels).to_dict() == QRELS.to_dict()
    page.get_by_role("button", name="Reset all").click()
    expect(changed).to_have_count(0)
    go(page, "Compare")
    before = compare(SHOP.qrels, A, B, [NAME]).summary(NAME)
    expect(page.get_by_role("heading", level=2)).to_contain_text(f"{before.mean_b:.4f}")
