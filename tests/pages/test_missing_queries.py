"""A query missing from a run counts as 0; Compare reports it beside every affected number."""

import io
import json

import pandas as pd
import pytest

from metrics import Dataset, Pairing, Qrels, Run
from metrics.comparing.one_query import one_query
from metrics.conventions.convention import Convention
from metrics.rendering import comparison_tables, comparison_text, joined_lists
from metrics.rendering import report as comparison_files
from metrics.rendering.report import report
from metrics.writing.as_json import as_json, parquet
from metrics.writing.delimited import for_spreadsheets
from tests.pages.conftest import drop, opened, texts

QRELS = "q1 0 d1 1\nq5 0 d1 1\nq5 0 d2 2"
ALPHA = "q1 Q0 d1 1 2 t\nq5 Q0 d2 1 2 t\nq5 Q0 d1 2 1 t"
BETA = "q1 Q0 d1 1 2 t\nq9 Q0 d1 1 2 t"
ALL = Convention(queries="qrels")
SAID = "1 judged query not in run B, counted as 0 (`q5`)"
DATA = Dataset(
    "",
    Qrels.from_dict({"q1": {"d1": 1}, "q5": {"d1": 1, "d2": 2}}),
    (
        Run.from_dict({"q1": {"d1": 2}, "q5": {"d2": 2, "d1": 1}}, "alpha"),
        Run.from_dict({"q1": {"d1": 2}, "q9": {"d1": 2}}, "beta"),
    ),
)


@pytest.fixture(scope="module")
def page():
    at = opened("data")
    runs = {"q.txt": QRELS, "alpha.run": ALPHA, "beta.run": BETA}
    drop(at, *((name, rows.encode()) for name, rows in runs.items()))
    at.query_params["queries"] = "qrels"
    at.switch_page("pages/compare_runs.py").run()
    next(box for box in at.selectbox if box.label == "Query").set_value("q5").run()
    assert not at.exception
    return at


def test_the_page_reports_a_missing_query_beside_the_mean_and_at_the_query(page):
    assert any(f"{SAID}." in each for each in texts(page))
    assert [each.value for each in page.warning] == [f"Not in a run: {SAID}."]
    said = ""
    for look in ("Query tables", "Unjudged"):
        page.session_state["look"] = look
        said += " ".join(texts(page.run()))
    assert "Only A ranks documents for this query; B has no ranking to compare." in said
    assert "This query is not in this run." in said
    assert "share no document" not in said
    assert "contains all of" not in said


def test_what_an_empty_ranking_lacks_is_not_retrieved():
    alpha, beta = DATA.runs
    one = one_query(DATA.qrels, alpha, beta, "nDCG@10", "q5", ALL)
    drawn = joined_lists.shown(one, DATA, 10, "")["lists"]
    assert [len(side) for side in drawn["sides"]] == [2, 0]
    # Only what counts has a line.
    assert [(link["A"], link["B"]) for link in drawn["links"]] == [(1, None), (2, None)]
    assert drawn["below"] == ["", "not retrieved"]
    none = one_query(DATA.qrels, beta, beta, "nDCG@10", "q5", ALL)
    nothing = comparison_tables.movement(none, 10, {})
    assert comparison_text.movement(nothing, 10) == "Neither run ranks a document for this query."


def test_every_download_names_the_missing_query_the_runs_and_the_convention():
    pairing = Pairing.of(DATA.qrels, DATA.runs, ["nDCG@10", "AP"], ALL)
    table = comparison_files.each_query(pairing, DATA)
    made = for_spreadsheets(table), parquet(table)
    rows = pd.read_csv(io.BytesIO(made[0]), encoding="utf-8-sig")
    assert made[0].startswith(b"\xef\xbb\xbfmeasure,query,a,b,delta,convention\n")
    frame = pd.read_parquet(io.BytesIO(made[1]))
    assert {*rows.pop("convention")} == {ALL.label}
    assert rows.to_dict() == frame.to_dict()
    assert len(frame) == 4
    described = json.loads(as_json(table))
    assert described.pop("rows") == frame.to_dict("records")
    for facts in (described, frame.attrs):
        assert facts["inputs"]["run_a"] == {"name": "alpha", "digest": DATA.runs[0].digest}
        assert facts["convention"] == ALL.label
        assert facts["choices"]["queries"] == "qrels"
        assert facts["missing_but_counted"] == {"b": ["q5"]}
        assert facts["left_out"] == {"unjudged": ["q9"]}
    name = comparison_files.file_name(pairing, DATA, "queries", "csv")
    assert name == "alpha-beta-queries-queries_qrels.csv"
    page = report(pairing, DATA, "q5")
    assert "Not in a run: 1 judged query not in run B, counted as 0 (q5)." in page
