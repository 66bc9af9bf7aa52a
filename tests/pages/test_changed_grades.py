"""A grade set in one list counts on every page; an order is that list's own."""

import json

import pytest

from metrics import compare, evaluate
from metrics.commands.app import WORKSPACE_VARIABLE
from metrics.editing.changed_grades import with_grades
from metrics.editing.ranking_link import unpack
from metrics.sessions.session_file import Session, save
from metrics.teaching.samples import catalogue
from tests.pages.conftest import drop, list_of, opened, reopened, scores, sent, tables_of, texts

SHOP = catalogue()["shop"].load()
A, B = SHOP.runs
# Of the two documents, run A retrieves the first only; the second was not judged.
CHANGED = {"q01": {"headphones-08": 0.0, "shoes-05": 3.0}}
QRELS = with_grades(SHOP.qrels, CHANGED)
EDITS = [{"do": "grade", "id": name, "value": grade} for name, grade in CHANGED["q01"].items()]
SAID = "2 grades are changed by hand: this affects every run and page."


def shown(at):
    return {each.label: each.value for each in scores(at)}


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
    assert not json.loads(list_of(edited).json)["own"]
    at = sent(edited, {"do": "move", "id": "shoes-05", "value": 1})
    # The list says so beside its way back, also when the query is opened again.
    assert json.loads(list_of(at).json)["own"]
    assert "Your order stays on this page; other pages keep the run's order." in said(at)
    assert "Mean over 29 queries, in the order of the run:" in said(at)
    at.switch_page("pages/compare_runs.py").run()
    summary = compare(QRELS, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(at)["mean nDCG@10, B"] == f"{summary.mean_b:.4f}"
    at.switch_page("pages/inspect_query.py").run()
    assert json.loads(list_of(at).json)["own"]
    sent(at, {"do": "undo"})
    assert shown(at)["nDCG@10"] == score(B)
    assert SAID in said(at)
    assert "Your order" not in said(at)
    assert not json.loads(list_of(at).json)["own"]


def test_data_lists_the_changed_grades_and_takes_them_back(edited):
    edited.switch_page("pages/data.py").run()
    frame = next(each for each in tables_of(edited) if "grade, loaded" in each)
    assert frame["document"].tolist() == list(CHANGED["q01"])
    assert frame["grade, loaded"].tolist()[0] == 3
    assert frame["grade, now"].tolist() == [0, 3]
    # Nobody gave a name or a note; the time is known.
    assert list(frame.reset_index()) == ["query", "document", "grade, loaded", "grade, now", "time"]
    # One line, the last of the page.
    assert edited.expander[-1].label == "2 grades of `Shop search` changed by hand"
    press(edited, "Reset all")
    assert "changed by hand" not in edited.expander[-1].label
    press(edited, "Bring them back")
    assert edited.expander[-1].label == "2 grades of `Shop search` changed by hand"
    assert "Bring them back" not in [each.label for each in edited.button]
    press(edited, "Reset all")
    edited.switch_page("pages/compare_runs.py").run()
    summary = compare(SHOP.qrels, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(edited)["mean nDCG@10, B"] == f"{summary.mean_b:.4f}"
    assert "Changed by hand" not in said(edited)


def shared(at, **others):
    """Return Compare in another session, opened by the address of Compare here."""
    at = at.switch_page("pages/compare_runs.py").run()
    return opened(
        "compare_runs", **{"data": "shop", "changed": at.query_params["changed"], **others}
    )


def mean_of_b(qrels):
    return f"{evaluate(qrels, B, ['nDCG@10']).value('nDCG@10'):.4f}"


def test_the_address_of_compare_holds_them_and_they_can_be_left_out(edited):
    at = shared(edited)
    assert shown(at)["mean nDCG@10, B"] == mean_of_b(QRELS)
    assert "**From the link**: grades of 1 query." in said(at)
    assert at.query_params["changed"] == edited.query_params["changed"]
    # A reload, which is a new session with the same edits, knows as much.
    address = {"data": "shop", "changed": at.query_params["changed"]}
    assert "**From the link**" in said(reopened(at, "compare_runs", **address))
    # Whose grades they are finds them as their own at the same address.
    assert "**From the link**" not in said(reopened(edited, "compare_runs", **address))
    assert said_here(at, "q01")["shoes-05"] == (3, "from a link")
    # A grade that is given since stays.
    at = at.switch_page("pages/inspect_query.py")
    at.query_params.update({"example": "shop", "query": "q01", "run": B.name})
    at = sent(at.run(), {"do": "grade", "id": "headphones-04", "value": 0})
    press(at.switch_page("pages/compare_runs.py").run(), "Leave them out")
    since = with_grades(SHOP.qrels, {"q01": {"headphones-04": 0.0}})
    assert shown(at)["mean nDCG@10, B"] == mean_of_b(since) != mean_of_b(SHOP.qrels)
    assert "From the link" not in said(at)


def said_here(at, query):
    """What was said of documents of a query in this session, each grade with its judge."""
    said = at.session_state["_edits"].log.said(SHOP.key, query)
    return {name: (each.grade, each.signed.judge) for name, each in said.items()}


def test_a_grade_that_a_link_has_too_stays_whose_it_is(edited):
    mine = {"do": "judge", "id": "headphones-08", "grade": 0, "note": ""}
    at = sent(opened("judge", example="shop", query="q01", judge="Ada"), mine, by="desk")
    changed = edited.switch_page("pages/compare_runs.py").run().query_params["changed"]
    at = reopened(at, "compare_runs", data="shop", changed=changed)
    assert said_here(at, "q01") == {"headphones-08": (0, "Ada"), "shoes-05": (3, "from a link")}


def test_in_a_workspace_the_grades_of_a_link_wait_for_an_answer(edited, monkeypatch, tmp_path):
    """Others see what is in a workspace, so that opening a link must not change it."""
    monkeypatch.setenv(WORKSPACE_VARIABLE, str(tmp_path / "workspace"))
    at = shared(edited)
    assert shown(at)["mean nDCG@10, B"] == mean_of_b(SHOP.qrels)
    assert "**The link has other grades** of 1 query." in said(at)
    press(at, "Use them")
    assert shown(at)["mean nDCG@10, B"] == mean_of_b(QRELS)
    assert "The link has other grades" not in said(at)
    press(at, "Leave them out")
    assert shown(at)["mean nDCG@10, B"] == mean_of_b(SHOP.qrels)


def test_a_link_leaves_grades_of_here_out_of_it_as_they_were(edited):
    """An address is bookmarked, a further grade is given, and the bookmark opened in the tab."""
    at = edited.switch_page("pages/compare_runs.py").run()
    bookmark = at.query_params["changed"]
    at = sent(at.switch_page("pages/inspect_query.py").run(), {**EDITS[1], "value": 1})
    assert at.switch_page("pages/compare_runs.py").run().query_params["changed"] != bookmark
    other = reopened(at, "compare_runs", data="shop", changed=bookmark)
    assert shown(other)["mean nDCG@10, B"] == mean_of_b(QRELS)
    press(other, "Leave them out")
    now = {"q01": CHANGED["q01"] | {"shoes-05": 1.0}}
    assert shown(other)["mean nDCG@10, B"] == mean_of_b(with_grades(SHOP.qrels, now))


@pytest.mark.parametrize(
    ("others", "words"),
    [
        ({"data": "two-judges"}, "in other data than these"),
        ({"changed": "1.abc"}, "damaged; copy the whole link again"),
    ],
)
def test_a_link_of_other_data_or_a_damaged_one_is_told_and_changes_nothing(edited, others, words):
    at = shared(edited, **others)
    assert words in " ".join(each.value for each in at.warning)
    assert "_edits" not in at.session_state
    assert "Changed by hand" not in said(at)


def test_a_bad_upload_and_a_saved_session_keep_them(edited):
    edited.switch_page("pages/data.py").run()
    drop(edited, ("bad.txt", b"\x00\x01"))
    edits = edited.session_state["_edits"]
    saved = save(Session(None, edits.histories, {"data": "shop"}, log=edits.log))
    fresh = drop(opened("data"), ("session.zip", saved))
    assert any("no data, 1 edited query." in each.value for each in fresh.info)
    fresh.switch_page("pages/compare_runs.py").run()
    summary = compare(QRELS, A, B, ["nDCG@10"]).summary("nDCG@10")
    assert shown(fresh)["mean nDCG@10, B"] == f"{summary.mean_b:.4f}"


def test_a_list_of_its_own_changes_no_grade_of_the_data():
    at = opened("learn", room="Measures", measure="nDCG")
    press(at, "Open on Inspect").switch_page("pages/inspect_query.py").run()
    assert at.selectbox(key="example").value == "scratch"
    assert "changed grade" not in said(at)
    assert "What if" not in said(at)
    at.switch_page("pages/data.py").run()
    assert "changed by hand" not in at.expander[-1].label


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
    # A query alone begins with its own tables.
    at.session_state["look"] = "Measures"
    at.switch_page("pages/compare_runs.py").run()
    assert not at.exception
    assert "mean nDCG@10, A" in shown(at)
    assert "no difference on the only query" in said(at)
