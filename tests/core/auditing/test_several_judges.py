"""A dropped file of several judges: the first gives the qrels, the others are further judges."""

import gzip
import io
import json

import pandas as pd
import pytest

from metrics import ReadError, read_qrels
from metrics.auditing.intake import Given, add_files
from metrics.auditing.recognition import are_judges
from metrics.teaching.samples import FOLDER, catalogue
from tests.cases import cases

SAMPLE = FOLDER / "two_judges"
RUN = Given("a.run", b"q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a")
BOTH = b"judge,query,document,grade\nAda,q1,d1,2\nBob,q1,d1,0\nBob,q1,d2,1\n"
APART = b"judge,query,document,grade\nAda,q1,d1,2\nBob,q1,d2,1\n"


def judges(taken):
    assert not taken.problems
    every = (taken.dataset.qrels, *taken.dataset.judges)
    return {each.name: each.to_dict() for each in every}


@pytest.mark.parametrize("table", [BOTH, APART])
def test_the_first_judge_is_the_qrels(table):
    taken = add_files([RUN, Given("both.csv", table)])
    assert judges(taken).keys() == {"Ada", "Bob"}
    assert judges(taken)["Ada"] == {"q1": {"d1": 2}}
    assert taken.seen[1].role == "qrels"
    assert taken.seen[1].holds.startswith("2 judges, 1 query")


def test_beside_qrels_all_are_further_judges_and_none_comes_twice():
    qrels = Given("gold.txt", b"q1 0 d1 1\nq1 0 d2 1")
    taken = add_files([Given("both.csv", BOTH), qrels, RUN])
    assert [*judges(taken)] == ["gold", "Ada", "Bob"]
    again = add_files([Given("both.csv", BOTH)], taken.dataset)
    assert [*judges(again)] == ["gold", "Ada", "Bob"]


def test_the_sample_s_files_are_the_sample():
    files = [*SAMPLE.glob("*.run"), *SAMPLE.glob("*.tsv")]
    taken = add_files([Given(path.name, path.read_bytes()) for path in files])
    sample = catalogue()["two-judges"].load()
    assert taken.dataset.qrels.to_dict() == sample.qrels.to_dict()
    assert [each.to_dict() for each in taken.dataset.judges] == [
        each.to_dict() for each in sample.judges
    ]
    assert taken.dataset.judges[0].reasons == sample.judges[0].reasons


def test_one_judge_s_reader_still_refuses_two():
    with pytest.raises(ReadError, match="E-JUDGES"):
        read_qrels(BOTH, "both.csv")


def test_other_mistakes_are_still_refused():
    wrong = BOTH.replace(b"Bob,q1,d2,1", b"Bob,q1,d2,high")
    (problem,) = add_files([RUN, Given("both.csv", wrong)]).problems
    assert "high" in str(problem)
    twice = BOTH + b"Bob,q1,d2,0\n"
    (problem,) = add_files([RUN, Given("both.csv", twice)]).problems
    assert "E-DUP-DOC" in str(problem)


NAMES = ("query", "document", "grade_ann", "grade_bob")
ROWS = [("q1", "d1", 2, 1), ("q1", "d2", 0, None)]
GRADES = {"grade_ann": {"q1": {"d1": 2, "d2": 0}}, "grade_bob": {"q1": {"d1": 1}}}


def wide(form, names=NAMES, rows=ROWS):
    """Return a table with a column for each judge, in a file format."""
    frame = pd.DataFrame(rows, columns=names)
    stream = io.BytesIO()
    if form in ("csv", "tsv"):
        return frame.to_csv(index=False, sep="\t" if form == "tsv" else ",").encode()
    if form == "jsonl":
        filled = [{k: v for k, v in zip(names, row, strict=True) if v is not None} for row in rows]
        return "\n".join(map(json.dumps, filled)).encode()
    if form == "xlsx":
        pytest.importorskip("openpyxl")
        frame.to_excel(stream, index=False)
    else:
        frame.to_parquet(stream, index=False)
    return stream.getvalue()


def table(*lines):
    return "\n".join(lines).encode()


@cases("form", ["csv", "tsv", "jsonl", "xlsx", "parquet"])
@cases("role", ["", "qrels"])
@cases("ids", [("query", "document"), ("qid", "docno")])
def test_a_column_for_each_judge_is_read_as_a_column_of_judges_is(form, role, ids):
    data = wide(form, (*ids, *NAMES[2:]))
    taken = add_files([RUN, Given(f"x.{form}", data, role)])
    assert judges(taken) == GRADES
    assert taken.seen[1].holds == "2 judges, 1 query, 3 judgments"
    (note,) = (each for each in taken.dataset.qrels.notes if each.code == "N-JUDGE-COLUMNS")
    assert "'grade_ann', 'grade_bob'" in str(note)


def test_packed_and_below_remarks_they_are_the_same():
    for data in (
        gzip.compress(wide("csv")),
        b"# by hand\n" + wide("csv"),
        b"sep=,\n" + wide("csv"),
    ):
        assert judges(add_files([RUN, Given("x.csv", data)])) == GRADES


OPEN = table("query,document,ann,bob", "q1,d1,2,1", "q1,d2,2,", "q2,d1,0,1")


def test_other_names_ask_and_the_role_or_the_name_of_the_file_answers():
    (seen,) = add_files([Given("x.csv", OPEN)]).seen
    assert seen.is_open
    assert seen.fits[0] == "qrels"
    assert "grades of a judge" in seen.holds
    for file in (Given("x.csv", OPEN, "qrels"), Given("labels.csv", OPEN)):
        found = judges(add_files([RUN, file]))
        assert found["bob"] == {"q1": {"d1": 1}, "q2": {"d1": 1}}
        assert [*found] == ["ann", "bob"]
    assert add_files([Given("run.csv", OPEN)]).seen[0].role != "qrels"


@cases(
    "lines",
    [
        ("query,document,bm25,dense", "q1,d1,2,1", "q1,d2,2,0"),
        ("query,document,run A,run B", "q1,d1,2,1", "q1,d2,2,0"),
        ("query,document,rank_a,grade_a", "q1,d1,2,1", "q1,d2,2,0"),
        ("query,document,grade_a,rel_model_2", "q1,d1,2,1", "q1,d2,2,0"),
        # Ranks do not repeat within a query.
        ("query,document,a,b", "q1,d1,1,2", "q1,d2,2,1", "q2,d1,1,2", "q2,d2,2,1"),
        ("query,document,a,b", "q1,d1,0.5,0.25", "q1,d2,0.5,1"),
        ("query,document,a,b", "q1,d1,11,1", "q1,d2,11,0"),
        ("query,document,a,b", "q1,d1,-1,1", "q1,d2,-1,0"),
        ("query,document,a,b", "q1,d1,1,", "q1,d2,1,"),
        ("query,document,a,b,remarks", "q1,d1,1,0,good", "q1,d2,1,0,"),
        ("query,document,a,a", "q1,d1,1,0", "q1,d2,1,0"),
        ("query,document,a,", "q1,d1,1,0", "q1,d2,1,0"),
        ("query,document,a,b", "q1,d1,1,0", "q1,d2,1,0,7"),
        ("query,document,grade_ann", "q1,d1,1", "q1,d2,1"),
        ("query,document,title,grade_a,grade_b", "q1,d1,Mouse,1,0", "q1,d2,Cable,1,0"),
        ("query,document," + ",".join(map("f{}".format, range(21))), *["q1,d1" + ",1" * 21] * 2),
    ],
)
def test_columns_that_may_be_anything_else_are_not_judges(lines):
    data = table(*lines)
    assert are_judges(data) is None
    (seen,) = add_files([Given("x.csv", data)]).seen
    assert "qrels" not in (seen.role, *seen.fits)


@cases(
    ("lines", "role"),
    [
        (("query,document,label,label_2", "q1,d1,2,1", "q1,d2,2,0"), "qrels"),
        (("query,document,label,score", "q1,d1,2,9.5", "q1,d2,2,1"), ""),
        (("query,document,rank,ann,bob", "q1,d1,1,2,1", "q1,d2,2,2,0"), "run"),
        (("query,document,score,ann,bob", "q1,d1,9.5,2,1", "q1,d2,8.5,2,0"), "run"),
        (("query,document,aspect,grade", "q1,d1,1,2", "q1,d1,2,2"), "qrels"),
    ],
)
def test_a_table_that_has_a_column_of_grades_or_scores_keeps_its_meaning(lines, role):
    (seen,) = add_files([Given("x.csv", table(*lines))]).seen
    assert (seen.role, seen.refusal) == (role or seen.role, None)
    assert "judges" not in seen.holds


def test_given_as_qrels_all_columns_of_grades_are_read():
    two = table("query,document,label,label_2", "q1,d1,2,1", "q1,d2,2,0")
    assert [*judges(add_files([RUN, Given("x.csv", two, "qrels")]))] == ["label", "label_2"]
    # Two names of one thing are not two judges.
    rivals = table("query,document,label,grade", "q1,d1,0,3", "q1,d2,3,0")
    assert judges(add_files([RUN, Given("x.csv", rivals, "qrels")])) == {
        "x": {"q1": {"d1": 3, "d2": 0}}
    }
    # Where the others are not grades, they are reported as unused.
    other = table("query,document,label,label_by", "q1,d1,2,7", "q1,d2,2,Ada")
    taken = add_files([RUN, Given("x.csv", other, "qrels")])
    assert judges(taken) == {"x": {"q1": {"d1": 2, "d2": 2}}}
    assert "'label_by'" in " ".join(map(str, taken.dataset.qrels.notes))
    scores = table("query,document,ann,bob", "q1,d1,0.5,1", "q1,d2,0.25,0")
    assert [*judges(add_files([RUN, Given("x.csv", scores, "qrels")]))] == ["ann", "bob"]


@cases(
    ("lines", "said"),
    [
        (
            ("qid,docno,ann,bob", "q1,d1,2,1", "q1,d2,x,0"),
            "line 3, column 3: found 'x'; expected a",
        ),
        (("qid,docno,ann,bob", "q1,d1,2,1", "q1,d1,2,0"), "line 3, column 2: found a duplicate"),
        (("qid,docno,ann,ann,bob", "q1,d1,2,1,0"), "line 1: found the column 'ann' twice"),
        (("qid,docno,ann", "q1,d1,2"), "line 1: found 'qid, docno, ann'"),
        (("qid,docno,ann,bob", "q1,d1,2,"), "line 1: found 'qid, docno, ann, bob'"),
        (("qid,docno,ann,remarks", "q1,d1,2,good"), "line 1: found 'qid, docno, ann, remarks'"),
    ],
)
def test_a_mistake_in_a_table_of_judges_is_refused_with_its_line(lines, said):
    (problem,) = add_files([RUN, Given("x.csv", table(*lines), "qrels")]).problems
    assert f"x.csv, {said}" in str(problem)


def test_a_mistake_below_names_that_say_grade_asks_or_is_refused_with_its_line():
    data = table("qid,docno,grade_ann,grade_bob", "q1,d1,2,1", "q1,d2,high,0")
    assert add_files([Given("x.csv", data)]).seen[0].is_open
    (problem,) = add_files([RUN, Given("grades.csv", data)]).problems
    assert "grades.csv, line 3, column 3: found 'high'" in str(problem)


def test_no_more_judges_are_read_than_can_be_compared(monkeypatch):
    names = [f"judge{number}" for number in range(201)]
    data = table("query,document," + ",".join(names), "q1,d1" + ",1" * 201)
    (problem,) = add_files([RUN, Given("x.csv", data)]).problems
    assert "203 columns; expected at most 200 (limit columns)" in str(problem)
    monkeypatch.setenv("RANKSCOPE_LIMITS", "columns=300")
    for role in ("", "qrels"):
        (problem,) = add_files([RUN, Given("x.csv", data, role)]).problems
        assert "201 judges; expected at most 200" in str(problem)


def test_no_cell_is_read_where_the_header_does_not_name_judges(monkeypatch):
    def refused(*args):
        raise AssertionError("the cells were read")

    monkeypatch.setattr("metrics.auditing.recognition._grades_in", refused)
    for data in (
        table("doc_id,title,text,stars,votes", "d1,Mouse,Wireless,1,2"),
        table("query,document,grade", "q1,d1,1"),
        table("q1 0 d1 1"),
        wide("parquet", ("query", "document", "bm25", "dense")),
    ):
        add_files([Given("x", data)])
