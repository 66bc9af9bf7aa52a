"""Whose grades count is chosen once, named on each page, and kept in the link."""

import json
from dataclasses import replace

import pytest

from metrics import Qrels, compare, evaluate, what_counts
from metrics.editing import SHEET, Edits, Log, Origin, Record, Said, Signature
from metrics.editing.changed_grades import with_grades
from metrics.editing.log import ANEW
from metrics.teaching.samples import catalogue
from tests.pages.conftest import list_of, opened, scores, sent, texts

DATA = catalogue()["two-judges"].load()
JUDGES = {each.name: each for each in (DATA.qrels, *DATA.judges)}
A, B = DATA.runs
ADA = Signature("Ada", "2026-11-25T09:30:00Z")


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
    assert {"Ada", "Ada, else qrels as loaded", "qrels as loaded"} <= {*options}
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
    [record] = at.session_state["_edits"].log.records
    assert record.on.run.startswith(ANEW)
    at.query_params.update({"data": "two-judges"})
    at.switch_page("pages/compare_runs.py").run()
    assert shown(at)["mean nDCG@10, A"] == mean(what_counts(JUDGES, "majority"))
    assert not {"Ada"} & {*at.selectbox(key="counts").options}


def test_each_data_set_keeps_its_rule_and_none_goes_to_another():
    at = opened("compare_runs", data="two-judges", counts="mean")
    at.query_params["example"] = "shop"
    at.switch_page("pages/judge.py").run()
    at.text_input(key="judge").set_value("Ada").run()
    document = json.loads(list_of(at, "desk").json)["papers"][0]["id"]
    at = sent(at, {"do": "judge", "id": document, "grade": 3, "note": ""}, by="desk")
    at.query_params["example"] = "shop"
    at.switch_page("pages/inspect_query.py").run()
    assert at.selectbox(key="counts").value == ""
    at.selectbox(key="counts").set_value("only Ada").run()
    at.query_params["data"] = "two-judges"
    at.switch_page("pages/compare_runs.py").run()
    assert at.selectbox(key="counts").value == "mean"
    assert shown(at)["mean nDCG@10, A"] == mean(what_counts(JUDGES, "mean"))


def test_a_printed_result_is_not_claimed_where_a_rule_counts():
    data = catalogue()["reranking"].load()
    query = data.qrels.queries[0]
    other = {query: {name: 3 - grade for name, grade in data.qrels.to_dict()[query].items()}}
    on = Origin(data.key, SHEET, query)
    said = {name: Said(grade, ADA) for name, grade in other[query].items()}
    edits = Edits(log=Log.of([Record(1, "a", 1, on, said)]))
    at = opened("inspect_query", example="reranking")
    assert not any("(before your edits)" in each.label for each in at.expander)
    at.session_state["_edits"] = edits
    at.session_state["counts"] = "only Ada"
    at.run()
    assert at.selectbox(key="counts").value == "only Ada"
    printed = [each.label for each in at.expander if "agrees with its data" in each.label]
    assert printed
    assert all("(before your edits)" in each for each in printed)


@pytest.mark.parametrize("name", ["Ada ", "\u00a0", "the mean grade", "a/b|c", "Ada\n", "x" * 300])
def test_a_judge_of_any_name_can_be_chosen(name):
    graded = DATA.qrels.to_dict().items()
    turned = {query: {each: 3 - grade for each, grade in of.items()} for query, of in graded}
    other = Qrels.from_dict(turned, name)
    mine = replace(DATA, judges=(*DATA.judges, other))
    at = opened("data")
    at.session_state["_upload"] = mine
    at.query_params["data"] = "yours"
    at.switch_page("pages/compare_runs.py").run()
    judges = {**JUDGES, name: other}
    for rule in (f"first {name}", "mean", f"only {name}"):
        at.selectbox(key="counts").set_value(rule).run()
        assert not at.exception
        expected = compare(what_counts(judges, rule), A, B, ["nDCG@10"]).summary("nDCG@10")
        assert shown(at)["mean nDCG@10, A"] == f"{expected.mean_a:.4f}"
