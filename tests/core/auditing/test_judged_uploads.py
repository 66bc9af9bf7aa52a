"""Files of judged rankings in an upload: taken where their judgments are those of the data."""

import pytest

from metrics import Convention, Qrels, Run, match
from metrics.auditing import audit
from metrics.auditing.coverage import coverage
from metrics.auditing.intake import Given, add_files
from metrics.matching.judged_file import packed_file
from metrics.scoring.evaluate import score

QRELS = Qrels.from_dict({"q1": {"a": 2, "b": 1}, "q2": {"a": 1, "c": 0}}, "judges")
# The same judgments in another order.
LINES = b"q2 0 c 0\nq2 0 a 1\nq1 0 b 1\nq1 0 a 2\n"
A = Run.from_dict({"q1": {"a": 3.0, "x": 2.0, "b": 1.0}, "q2": {"y": 2.0, "a": 1.0}}, "bm25")
B = Run.from_dict({"q1": {"b": 3.0, "a": 2.0}, "q9": {"a": 1.0}}, "dense")
RUN_LINES = b"q1 Q0 b 1 2.0 t\nq2 Q0 a 1 2.0 t\n"


def file(run, name="", qrels=QRELS, **choices):
    content = packed_file(match(qrels, run, Convention(**choices)), name=name)
    return Given(f"{run.name}.judged.parquet", content, "run")


def means(dataset):
    scores = (score(match(dataset.qrels, each), ["nDCG@5", "AP"]) for each in dataset.rankings)
    return [[each.summary(name) for name in ("nDCG@5", "AP")] for each in scores]


def test_the_judgments_come_from_the_files_where_there_are_no_others():
    taken = add_files([file(A), file(B)])
    assert not taken.problems
    assert [note.code for note in taken.notes] == ["N-JUDGED-QRELS"]
    data = taken.dataset
    assert (data.runs, [each.name for each in data.judged]) == ((), ["bm25", "dense"])
    assert data.qrels.to_dict() == QRELS.to_dict()
    assert means(data) == [
        [score(match(QRELS, run), ["nDCG@5", "AP"]).summary(name) for name in ("nDCG@5", "AP")]
        for run in (A, B)
    ]


@pytest.mark.parametrize("role", ["run", "qrels"])
def test_a_file_stands_beside_qrels_and_a_run_in_whatever_field(role):
    judged = Given("bm25.judged.parquet", file(A).data, role)
    files = [Given("q.txt", LINES, "qrels"), Given("r.txt", RUN_LINES, "run"), judged]
    data = add_files(files).dataset
    assert [each.name for each in data.rankings] == ["r", "bm25"]
    # The order of the qrels at hand holds for both.
    assert data.judged[0].queries == data.qrels.queries == ("q2", "q1")
    assert data.judged[0].qrels is data.qrels


def test_new_qrels_are_taken_where_they_say_the_same():
    before = add_files([file(A)]).dataset
    again = add_files([Given("q.txt", LINES, "qrels")], before)
    assert again.dataset.judged[0].queries == ("q2", "q1")
    other = add_files([Given("q.txt", LINES + b"q2 0 z 1\n", "qrels")], before)
    assert other.dataset is None
    (problem,) = other.problems
    assert str(problem).startswith("bm25: The rankings were judged by other judgments")
    assert "1 judgment only in the qrels (query 'q2', document 'z')" in str(problem)


def test_two_files_of_different_judgments_are_refused():
    other = Qrels.from_dict({"q1": {"a": 1, "b": 1}, "q2": {"a": 1, "c": 0}})
    taken = add_files([file(A), file(B, qrels=other)])
    assert taken.dataset is None
    (problem,) = taken.problems
    assert "1 judgment with another grade (query 'q1', document 'a')" in str(problem)


def test_names_and_repeats():
    taken = add_files([file(A)])
    again = add_files([file(A)], taken.dataset)
    assert [note.code for note in again.notes] == ["N-SAME-RUN"]
    assert len(again.dataset.rankings) == 1
    renamed = add_files([file(B, "bm25"), file(A, "copy")], taken.dataset)
    assert [note.code for note in renamed.notes] == ["N-RENAMED", "N-SAME-ROWS"]
    assert [each.name for each in renamed.dataset.rankings] == ["bm25", "bm25 (2)", "copy"]


def test_a_file_without_a_name_is_named_for_itself():
    nameless = Run.from_dict(A.to_dict())
    given = Given("nightly.judged.parquet", file(nameless).data, "run")
    assert add_files([given]).dataset.judged[0].name == "nightly.judged"


def test_a_name_is_as_long_as_that_of_an_upload():
    given = file(A, "x" * 900_000)
    again = file(B, "x" * 900_001)
    names = [each.name for each in add_files([given, again]).dataset.judged]
    assert names == ["x" * 100, f"{'x' * 100} (2)"]


def test_a_file_without_a_judged_document_is_refused():
    far = Run.from_dict({"q1": {"a.txt": 1.0}}, "far")
    (problem,) = add_files([file(far)]).problems
    assert str(problem).startswith("far: no document of the run is judged.")


def test_a_damaged_file_is_refused_and_nothing_is_lost():
    before = add_files([file(A)]).dataset
    given = file(B)
    cut = Given(given.name, given.data[:-40] + given.data[-8:], "run")
    taken = add_files([cut], before)
    assert taken.dataset is None
    assert "damaged" in str(taken.problems[0])


def test_the_budget_of_the_session_holds(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "session=900")
    (problem, *_) = add_files([file(A), file(B)]).problems
    assert "limit session" in str(problem)


def test_coverage_of_a_file_is_that_of_its_run():
    for run in (A, B):
        of_run, of_file = coverage(QRELS, run, 2), coverage(QRELS, match(QRELS, run), 2)
        assert of_file.judged.to_dict() == of_run.judged.to_dict()
        assert of_file.top.tolist() == of_run.top.tolist()
        for part in ("shared", "only_qrels", "only_run", "share"):
            assert getattr(of_file, part) == getattr(of_run, part)
    # Queries that the run lacks and the convention counts are not the run's own.
    counted = coverage(QRELS, match(QRELS, B, Convention(queries="qrels")), 2)
    assert (counted.shared, counted.only_qrels) == (("q1",), ("q2",))


def test_findings_name_what_a_file_lacks():
    data = add_files([file(A), file(B)]).dataset
    found = [str(each) for each in audit.findings(data) if each.about != "qrels"]
    assert found == [
        "bm25: 40 % of the top 3 documents were not judged. From 5 % on, their grades could "
        "turn a close comparison: judge them, or trust only a clear lead.",
        "dense: 1 of 2 judged queries is missing from the run: 'q2'. A mean over all judged "
        "queries counts it as 0, one over the run's own leaves it out.",
        "dense: 1 query of 2 in the run was not judged and left out: 'q9'. 1 of 2 were.",
    ]


def test_data_cut_to_some_queries():
    data = add_files([file(A), Given("r.txt", RUN_LINES, "run")]).dataset
    part = data.only(["q2"])
    assert part.judged[0].queries == ("q2",)
    assert means(part) == [
        [score(match(QRELS.only("q2"), run), ["nDCG@5", "AP"]).summary(n) for n in ("nDCG@5", "AP")]
        for run in (data.runs[0].only("q2"), A.only("q2"))
    ]
