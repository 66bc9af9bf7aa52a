"""Whose grades count is chosen once, named on each page, and kept in the link."""

import json

import pytest

from metrics import compare, evaluate, what_counts
from metrics.editing.changed_grades import with_grades
from metrics.teaching.samples import catalogue
from tests.pages.conftest import list_of, opened, scores, sent, texts

DATA = catalogue()["two-judges"].load()
JUDGES = {each.name: each for each in (DATA.qrels, *DATA.judges)}
A, B = DATA.runs
COUNTS = "Whose grades count"


def shown(at):
    return {each.label: each.value for each in scores(at)}


def mean(qrels, run=A):
    return f"{evaluate(qrels, run, ['nDCG@10']).value('nDCG@10'):.4f}"


@pytest.mark.parametrize("rule", ["only model", "first model", "majority", "mean"])
def test_compare_counts_by_the_rule_of_the_link_and_names_it(rule):
    at = opened("compare_runs", data="two-judges", counts=rule)
    assert not at.exception
    counted = what_counts(JUDGES, rule)
    summary = compare(counted, A, B, ["nDCG@10"]).summary("nDCG@10")
    found = shown(at)
    assert found["mean nDCG@10, A"] == f"{summary.mean_a:.4f}"
    assert found["delta B − A"] == f"{summary.delta:+.4f}".replace("-", "−")
    at.selectbox(key="counts").set_value("").run()
    assert shown(at)["mean nDCG@10, A"] == mean(DATA.qrels)
    assert "counts" not in at.query_params


def test_it_is_chosen_once_for_all_pages():
    at = opened("compare_runs", data="two-judges")
    at.selectbox(key="counts").set_value("mean").run()
    assert at.query_params["counts"] == "mean"
    at.query_params["example"] = "two-judges"
    at.switch_page("pages/inspect_query.py").run()
    qrels = what_counts(JUDGES, "mean")
    assert f"Mean over 8 queries: {mean(qrels)}." in " ".join(texts(at))
    at.switch_page("pages/judge.py").run()
    assert at.selectbox(key="counts").value == "mean"


def test_a_grade_changed_under_a_rule_is_of_that_rule():
    at = opened("inspect_query", example="two-judges", counts="mean")
    query = DATA.qrels.queries[0]
    document = next(iter(what_counts(JUDGES, "mean").to_dict()[query]))
    at = sent(at, {"do": "grade", "id": document, "value": 0.0})
    changed = with_grades(what_counts(JUDGES, "mean"), {query: {document: 0.0}})
    assert f"Mean over 8 queries: {mean(changed)}." in " ".join(texts(at))
    at.switch_page("pages/data.py").run()
    labels = [each.label for each in at.expander]
    assert any("1 grade of" in each and "judged by the mean grade" in each for each in labels)
    at.query_params["example"] = "two-judges"
    at.switch_page("pages/inspect_query.py").run()
    at.selectbox(key="counts").set_value("").run()
    assert f"Mean over 8 queries: {mean(DATA.qrels)}." in " ".join(texts(at))
    assert json.loads(list_of(at).json)["undo"] is False


def test_who_judges_here_is_one_of_the_judges_and_counts_at_once():
    at = opened("judge", example="shop", query="q01", judge="Ada")
    desk = json.loads(list_of(at, "desk").json)
    document = desk["papers"][0]["id"]
    before = desk["papers"][0]["grade"]
    given = 0 if before else 3
    at = sent(at, {"do": "judge", "id": document, "grade": given, "note": ""}, by="desk")
    shop = catalogue()["shop"].load()
    at.query_params["data"] = "shop"
    at.switch_page("pages/compare_runs.py").run()
    options = at.selectbox(key="counts").options
    assert {"Ada", "Ada, else qrels", "qrels, as loaded"} <= {*options}
    now = with_grades(shop.qrels, {"q01": {document: given}})
    assert shown(at)["mean nDCG@10, A"] == mean(now, shop.runs[0])
    for rule in ("only qrels", "first qrels"):
        at.selectbox(key="counts").set_value(rule).run()
        expected = shop.qrels if before is not None or rule == "only qrels" else now
        assert shown(at)["mean nDCG@10, A"] == mean(expected, shop.runs[0])


@pytest.mark.parametrize(
    ("data", "counts"), [("two-judges", "only Eve"), ("shop", "mean"), ("two-judges", "best")]
)
def test_a_rule_that_the_data_have_not_is_said(data, counts):
    at = opened("compare_runs", data=data, counts=counts)
    assert not at.exception
    assert any("counts" in each.value for each in at.warning)


def test_judging_anew_changes_no_number_by_a_rule():
    at = opened("judge", example="two-judges", judge="Ada", blind="anew", counts="majority")
    desk = json.loads(list_of(at, "desk").json)
    at = sent(at, {"do": "judge", "id": desk["papers"][0]["id"], "grade": 3, "note": ""}, by="desk")
    assert not at.exception
    at.query_params.update({"data": "two-judges"})
    at.switch_page("pages/compare_runs.py").run()
    assert shown(at)["mean nDCG@10, A"] == mean(what_counts(JUDGES, "majority"))
    assert not {"Ada"} & {*at.selectbox(key="counts").options}
