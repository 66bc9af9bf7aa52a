"""Two runs alone: what they have in common, until judgments come."""

import pytest

from metrics import Run
from metrics.comparing.similarity import in_common
from metrics.sessions.session_file import Session, load, save
from tests.pages.conftest import drop, opened, scores, tables_of, texts

A = "q1 Q0 d1 1 3 old\nq1 Q0 d2 2 2 old\nq2 Q0 d1 1 1 old\nq3 Q0 d9 1 1 old"
B = "q1 Q0 d2 1 3 new\nq1 Q0 d3 2 2 new\nq2 Q0 d1 1 1 new"
QRELS = "q1 0 d2 1\nq1 0 d1 0\nq2 0 d1 1"


def press(at, label):
    return next(each for each in at.button if each.label == label).click().run()


@pytest.fixture
def alone():
    """Two runs that were opened without judgments."""
    at = drop(opened("data"), ("old.run", A.encode()), ("new.run", B.encode()))
    assert at.info[0].value == "Still needed: the qrels."
    at = press(at, "Compare without judgments")
    return at.switch_page("pages/compare_runs.py").run()


def uploaded(at):
    return at.session_state["_upload"]


def test_two_runs_alone_are_compared_without_a_score(alone):
    assert not alone.exception
    shown = " ".join(texts(alone))
    assert "`old`] and :orange[`new`] have 1.0 of their top 10 documents" in shown
    assert "0.5 of A's, 0.5 of B's top 10 documents" in shown
    assert "**Only in A**: 1 query." in shown
    # In q1 three documents, in q2 one, and one of the query that only A has.
    assert "5 documents for the top 10 of both" in shown
    assert not scores(alone)
    assert [box.label for box in alone.selectbox] == ["Run A", "Run B", "Data", "Query"]


def test_there_is_no_ideal(alone):
    assert alone.selectbox(key="b").options == ["old", "new"]


def test_a_query_is_chosen_from_the_table_of_what_is_in_common(alone):
    frame = tables_of(alone)[0]
    old, new = (Run.from_dict(run.to_dict()) for run in uploaded(alone).runs)
    expected = in_common(old, new, 10).sort_values(["in common", "RBO"], kind="stable")
    assert frame.index.tolist() == expected.index.tolist()
    assert frame["RBO"].tolist() == pytest.approx(expected["RBO"].tolist())
    alone.selectbox(key="q").set_value("q2").run()
    assert "Both have the same top 10" in " ".join(texts(alone))


def test_every_page_shows_runs_alone(alone):
    for page in ("inspect_query", "conventions", "data", "learn", "practice"):
        alone.switch_page(f"pages/{page}.py").run()
        assert not alone.exception, page
    alone.switch_page("pages/inspect_query.py").run()
    assert "This query has no judgment" in alone.info[0].value
    alone.switch_page("pages/data.py").run()
    assert "No judgments: nothing is scored. Add qrels at any time." in texts(alone)


def test_judgments_make_it_a_comparison(alone):
    alone.switch_page("pages/data.py").run()
    drop(alone, ("qrels.txt", QRELS.encode()))
    assert uploaded(alone).is_judged
    alone.switch_page("pages/compare_runs.py").run()
    assert not alone.exception
    assert scores(alone)


def test_another_run_is_added_to_runs_alone(alone):
    alone.switch_page("pages/data.py").run()
    drop(alone, ("third.run", b"q4 Q0 d1 1 1 third"))
    assert [run.name for run in uploaded(alone).runs] == ["old", "new", "third"]
    assert uploaded(alone).qrels.queries == ("q1", "q2", "q3", "q4")


def test_a_saved_session_keeps_runs_alone(alone):
    again = load(save(Session(uploaded(alone))), "session.zip").dataset
    assert not again.is_judged
    assert again.qrels.queries == ("q1", "q2", "q3")
    assert [run.name for run in again.runs] == ["old", "new"]


def test_one_run_alone_is_opened_on_inspect():
    at = drop(opened("data"), ("old.run", A.encode()))
    press(at, "Open without judgments")
    at.switch_page("pages/inspect_query.py").run()
    assert not at.exception
    assert at.selectbox(key="example").value == "yours"


def test_runs_without_a_common_query_say_so():
    at = drop(opened("data"), ("a.run", A.encode()), ("b.run", b"q7 Q0 d1 1 1 b"))
    at = press(at, "Compare without judgments").switch_page("pages/compare_runs.py").run()
    assert at.info[0].value == "The two runs have no query in common."
