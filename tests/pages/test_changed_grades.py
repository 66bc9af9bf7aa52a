"""A grade set in one list counts on every page; an order is that list's own."""

import json

import pytest

from metrics import compare, evaluate
from metrics.editing.changed_grades import with_grades
from metrics.editing.ranking_link import unpack
from metrics.sessions.session_file import Session, save
from metrics.teaching.samples import catalogue
from tests.pages.conftest import drop, list_of, opened, sent, texts

SHOP = catalogue()["shop"].load()
A, B = SHOP.runs
# Of the two documents, run A retrieves the first only; the second was not judged.
CHANGED = {"q01": {"headphones-08": 0.0, "shoes-05": 3.0}}
QRELS = with_grades(SHOP.qrels, CHANGED)
EDITS = [{"do": "grade", "id": name, "value": grade} for name, grade in CHANGED["q01"].items()]
SAID = "2 changed grades: every run and page counts with it."


def shown(at):
    return {each.label: each.value for each in at.metric}


def said(at):
    return " ".join(texts(at))


def press(at, label):
    return next(each for each in at.button if each.label == label).click().run()


@pytest.fixture
def edited():
    """Inspect after two grades of q01 were changed in the list of run B."""
    return sent(opened(example="shop", run=B.name, query="q01"), *EDITS)


def score(run, query="q01"):
    return f"{evaluate(QRELS, run, ['nDCG@10']).per_query.loc[query, 'nDCG@10']:.4f}"


def test_the_other_run_and_the_mean_count_with_it(edited):
    assert shown(edited)["nDCG@10"] == score(B)
    mean = evaluate(QRELS, B, ["nDCG@10"]).value("nDCG@10")
    assert f"Mean over 29 queries: {mean:.4f}." in said(edited)
    assert SAID in said(edited)
    edited.selectbox(key="run").set_value(A.name).run()
    assert shown(edited)["nDCG@10"] == score(A)
    assert SAID in said(edited)
    # Its address holds the grades, too, and its own undo has nothing to take back.
    assert unpack(edited.query_params["ranking"]).grades["shoes-05"] == 3
    assert json.loads(list_of(edited).json)["undo"] is False


def test_compare_counts_with_it_and_says_so(edited):
    edited.switch_page("pages/compare_runs.py").run()
    summary = compare(QRELS, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(edited)["mean nDCG@10, A"] == f"{summary.mean_a:.4f}"
    assert shown(edited)["delta B − A"] == f"{summary.delta:+.4f}"
    assert "**Changed by hand**: 2 grades of 1 query." in said(edited)


def test_the_order_of_a_list_is_its_own(edited):
    at = sent(edited, {"do": "move", "id": "shoes-05", "value": 1})
    assert "**What if**: other pages keep the run's order." in said(at)
    assert "Mean over 29 queries, in the order of the run:" in said(at)
    at.switch_page("pages/compare_runs.py").run()
    summary = compare(QRELS, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(at)["mean nDCG@10, B"] == f"{summary.mean_b:.4f}"
    at.switch_page("pages/inspect_query.py").run()
    press(at, "Back to the run's order")
    assert shown(at)["nDCG@10"] == score(B)
    assert SAID in said(at)
    assert "What if" not in said(at)


def test_data_lists_the_changed_grades_and_takes_them_back(edited):
    edited.switch_page("pages/data.py").run()
    frame = next(each.value for each in edited.dataframe if "loaded" in each.value)
    assert frame["document"].tolist() == list(CHANGED["q01"])
    assert frame["loaded"].tolist()[0] == 3
    assert frame["now"].tolist() == [0, 3]
    press(edited, "Take all back")
    assert "Changed grades" not in [each.value for each in edited.header]
    edited.switch_page("pages/compare_runs.py").run()
    summary = compare(SHOP.qrels, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(edited)["mean nDCG@10, B"] == f"{summary.mean_b:.4f}"
    assert "Changed by hand" not in said(edited)


def test_a_bad_upload_and_a_saved_session_keep_them(edited):
    edited.switch_page("pages/data.py").run()
    drop(edited, ("bad.txt", b"\x00\x01"))
    edits = edited.session_state["_edits"].histories
    saved = save(Session(None, edits, {"data": "shop"}))
    fresh = drop(opened("data"), ("session.zip", saved))
    fresh.switch_page("pages/compare_runs.py").run()
    summary = compare(QRELS, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(fresh)["mean nDCG@10, B"] == f"{summary.mean_b:.4f}"


def test_a_list_of_its_own_changes_no_grade_of_the_data():
    at = opened("compare_runs", data="shop", a="ideal", b=B.name, q="q01")
    press(at, "Open run A on Inspect").switch_page("pages/inspect_query.py").run()
    assert at.selectbox(key="example").value == "scratch"
    assert shown(at)["nDCG@10"] == "1.0000"
    assert "changed grade" not in said(at)
    assert "What if" not in said(at)
    at.switch_page("pages/data.py").run()
    assert "Changed grades" not in [each.value for each in at.header]


def test_a_printed_number_is_of_the_grades_as_they_were_printed():
    at = opened(example="reranking")
    first, *_ = json.loads(list_of(at).json)["ranked"]
    at = sent(at, {"do": "grade", "id": first["id"], "value": 3 - first["grade"]})
    at.switch_page("pages/compare_runs.py").run()
    at.selectbox(key="data").set_value("reranking").run()
    labels = [each.label for each in at.expander if each.label.startswith("Printed in")]
    assert len(labels) == 1
    assert "(before your edits)" in labels[0]


def test_runs_without_judgments_can_be_judged_on_inspect():
    runs = [(f"{run.name}.run", run.to_trec().encode()) for run in SHOP.runs]
    at = press(drop(opened("data"), *runs), "Compare without judgments")
    at.switch_page("pages/inspect_query.py").run()
    at.selectbox(key="query").set_value("q01").run()
    at = sent(at, *EDITS[:1], {"do": "grade", "id": "headphones-04", "value": 2})
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert "mean nDCG@10, A" in shown(at)
    assert "Mean over 1 query" in said(at)
