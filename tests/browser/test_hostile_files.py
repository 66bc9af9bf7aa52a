"""Fifty hostile ids in every downloaded file stay the same and have no effect."""

import csv
import io
import json
import re
import zipfile

import pyarrow.parquet as pq
import pytest
from playwright.sync_api import expect

from metrics import read_qrels, read_run
from metrics.editing.ranking_link import from_json
from metrics.sessions.session_file import load
from metrics.words import visible
from tests.browser.actions import choose, go, go_through_learn, open_tab, saved
from tests.browser.conftest import drop_box, settled
from tests.browser.hostile_ids import RUN_NAMES, Watch, values

NUMBER = re.compile(r"[+-]?[0-9.]+(e[+-]?[0-9]+)?", re.IGNORECASE)
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@pytest.fixture
def opened(chromium, canary):
    """Return a function that opens a downloaded page from disk and watches it."""
    context = chromium.new_context()

    def opened(file):
        watch = Watch(context.new_page(), canary, "file:")
        watch.page.goto(file.as_uri())
        watch.page.wait_for_load_state("networkidle")
        return watch

    yield opened
    context.close()


@pytest.fixture(scope="module")
def taken(watch, tmp_path_factory):
    """Everything that Compare offers for download, by its key or the label of its button."""
    page, folder = watch.page, tmp_path_factory.mktemp("taken")
    go(page, "Compare")
    choose(page, "Query", typed="gpj.exe: ")
    open_tab(page, "Take away")
    formats = ("md", "tex", "csv", "json")
    each = ("csv", "json", "parquet")
    keys = [*(f"table_as_{name}" for name in formats), *(f"queries_as_{name}" for name in each)]
    files = {key: saved(page, page.locator(f".st-key-{key} button"), folder) for key in keys}
    files["qrels and both runs"] = saved(page, "Download qrels and both runs", folder)
    page.get_by_role("button", name="Share", exact=True).click()
    files["the report"] = saved(page, "Download the report", folder)
    page.keyboard.press("Escape")
    assert watch.wrong() == []
    return files


def test_the_saved_ranking(watch, names, tmp_path):
    page = watch.page
    go(page, "Inspect")
    page.get_by_role("button", name="Share").click()
    ranking = from_json(saved(page, "Save the ranking", tmp_path).read_text("utf-8"))
    page.keyboard.press("Escape")
    assert ranking.query in names
    assert {entry.document for entry in ranking.entries} <= {*names}
    assert watch.wrong() == []


def test_the_report(taken, opened, names):
    watch = opened(taken["the report"])
    report = watch.page
    expect(report.locator("h1")).to_have_text(f"{RUN_NAMES[0]} (A) against {RUN_NAMES[1]} (B)")
    expect(report.locator("figure svg")).not_to_have_count(0)
    cells = report.locator("td:first-child").all_text_contents()
    assert {*map(visible, names)} <= {*cells}
    headings = report.locator("h2").all_text_contents()
    assert "Query ⟨U+202E⟩gpj.exe: what each document changed" in headings
    assert {*json.loads(report.locator("#queries").text_content())["query"]} == {*names}
    assert watch.wrong() == []


def test_tables_as_markdown_and_latex(taken):
    markdown, latex = (taken[f"table_as_{name}"].read_text("utf-8") for name in ("md", "tex"))
    assert r"\<img src=x onerror=alert(1)\> \$x^2\$" in markdown
    assert r"=1+1 \*\*bolded\*\* \[linked\]" in markdown
    assert r"\textless{}img src=x onerror=alert(1)\textgreater{} \$x\textasciicircum{}2\$" in latex


def test_no_cell_of_a_csv_is_a_formula(taken, names):
    for key in ("table_as_csv", "queries_as_csv"):
        with taken[key].open(encoding="utf-8-sig", newline="") as file:
            cells = [cell for row in csv.reader(file) for cell in row]
        assert [c for c in cells if c.startswith(FORMULA) and not NUMBER.fullmatch(c)] == []
        wanted = names if key == "queries_as_csv" else ()
        assert {c.replace("'", "") for c in cells} >= {c.replace("'", "") for c in wanted}
        # The names of the runs are in the file's name, without what a shell or a path would read.
        assert re.fullmatch(r"[\w@][\w.@-]*\.csv", taken[key].name)


def test_files_for_programs_keep_the_ids_unchanged(taken, names):
    table = pq.read_table(io.BytesIO(taken["queries_as_parquet"].read_bytes()))
    assert {*table["query"].to_pylist()} == {*names}
    table, scores = (
        json.loads(taken[f"{kind}_as_json"].read_text("utf-8")) for kind in ("table", "queries")
    )
    assert [table["inputs"][run]["name"] for run in ("run_a", "run_b")] == [*RUN_NAMES[:2]]
    assert {row["query"] for row in scores["rows"]} == {*names}
    qrels, *runs = values(names)
    with zipfile.ZipFile(taken["qrels and both runs"]) as packed:
        assert read_qrels(packed.read("qrels.json"), "qrels.json").to_dict() == qrels
        for name, run in zip(("a.json", "b.json"), runs, strict=True):
            assert read_run(packed.read(name), name).to_dict() == run


def test_the_session_opens_again_as_it_was(watch, server, page, canary, tmp_path):
    go(watch.page, "Data")
    file = saved(watch.page, "Save the session", tmp_path)
    assert watch.wrong() == []
    other = Watch(page, canary, server)
    page.goto(f"{server}/data")
    drop_box(page).set_input_files(file)
    expect(page.get_by_role("button", name="Compare the runs")).to_be_visible()
    settled(page)
    again = saved(page, "Save the session", tmp_path / "again")
    assert other.wrong() == []
    first, second = (load(each.read_bytes(), each.name) for each in (file, again))
    assert first.settings == second.settings
    assert first.edits == second.edits
    one, two = first.dataset, second.dataset
    for a, b in zip((one.qrels, *one.runs), (two.qrels, *two.runs), strict=True):
        assert (a.name, a.notes, a.to_dict()) == (b.name, b.notes, b.to_dict())
    assert [*one.texts()] == [*two.texts()]
    assert {*map(len, one.texts())} == {50}
    assert len(one.query_attributes) == 1


def test_the_sheet_of_practice(watch, opened, tmp_path):
    go_through_learn(watch.page, "Practice")
    watch.page.get_by_role("button", name="Sheet to print").click()
    sheet = opened(saved(watch.page, "Save as HTML", tmp_path))
    watch.page.keyboard.press("Escape")
    assert sheet.wrong() == watch.wrong() == []
