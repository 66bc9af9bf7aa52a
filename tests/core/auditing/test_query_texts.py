"""Ratings by query text (Quepid, search workbenches) join runs by query id, and the reverse."""

import json

import pytest

from metrics import Qrels, Run
from metrics.auditing.intake import Given, add_files, named_by_ids
from tests.fuzzing.valid import SEARCH_TOOLS

RUN = b"q1 Q0 11 1 9.5 t\nq1 Q0 1892 2 8.5 t\nq2 Q0 277834 1 7.5 t\n"
TEXTS = b"q1\tStar  Wars\nq2\tmoana\n"
CASE = SEARCH_TOOLS["quepid case"]


def taken(*files):
    return add_files(Given(name, data) for name, data in files)


@pytest.mark.parametrize("reverse", [False, True])
def test_a_case_of_quepid_joins_a_run_by_the_texts_of_its_queries(reverse):
    files = [("case.json", CASE), ("r.run", RUN), ("queries.tsv", TEXTS)]
    found = taken(*(files[::-1] if reverse else files))
    assert not found.problems
    assert found.dataset.qrels.to_dict() == {"q1": {"11": 3, "1892": 0}, "q2": {"277834": 2}}
    assert "N-QUERY-TEXT" in {note.code for note in found.dataset.qrels.notes}


def test_runs_by_text_join_qrels_by_id():
    rows = {"star wars": {"11": 2.5}, "MOANA": {"277834": 1.5}}
    qrels = b"q1 0 11 1\nq2 0 277834 1\n"
    found = taken(("q.txt", qrels), ("r.json", json.dumps(rows).encode()), ("queries.tsv", TEXTS))
    assert found.dataset.runs[0].to_dict() == {"q1": {"11": 2.5}, "q2": {"277834": 1.5}}


def test_without_the_texts_nothing_joins():
    found = taken(("case.json", CASE), ("r.run", RUN))
    assert found.dataset is None
    assert "0 of 2 queries overlap" in str(found.problems[0])


def test_one_shared_query_is_enough_to_change_nothing():
    qrels = Qrels.from_dict({"moana": {"a": 1}, "q9": {"a": 1}})
    assert named_by_ids(qrels, {"q2": "moana"}, {"q2", "q9"}) is qrels


def test_texts_of_several_queries_join_nothing():
    run = Run.from_dict({"moana": {"a": 1}})
    assert named_by_ids(run, {"q1": "moana", "q2": "Moana"}, {"q1", "q2"}) is run
    twice = Run.from_dict({"moana": {"a": 1}, "Moana": {"a": 1}})
    assert named_by_ids(twice, {"q1": "moana"}, {"q1"}) is twice
