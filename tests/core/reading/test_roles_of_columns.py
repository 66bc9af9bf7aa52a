"""What columns say of a file: judgments, a run, both, several runs, pairs, clicks; and labels."""

import io

import pandas as pd
import pytest

from metrics import Qrels, RankscopeError, ReadError, Run, read_qrels, read_run
from metrics.__main__ import main
from metrics.auditing.audit import findings
from metrics.auditing.intake import Given, add_files
from metrics.dataset import Dataset
from metrics.reading import read_all
from metrics.reading.told import telling
from tests.cases import cases

BOTH = b"query,document,label,score\nq,a,2,0.1\nq,b,,0.9\nq,c,1,\n"


def codes(pairs):
    return {note.code for note in pairs.notes}


def in_parquet(text):
    stream = io.BytesIO()
    pd.read_csv(io.BytesIO(text)).to_parquet(stream)
    return stream.getvalue()


def in_json(text):
    return pd.read_csv(io.BytesIO(text)).to_json(orient="records").encode()


@cases("form", [bytes, in_parquet, in_json])
@cases("kind", [Run, Qrels])
def test_a_table_with_grades_and_scores_holds_judgments_and_a_run(form, kind):
    run, qrels = sorted(read_all(kind, form(BOTH)), key=lambda each: isinstance(each, Qrels))
    assert run.to_dict() == {"q": {"a": 0.1, "b": 0.9}}
    assert qrels.to_dict() == {"q": {"a": 2, "c": 1}}
    assert "1 row left out: without a score (not retrieved)." in map(str, run.notes)
    assert "1 row left out: without a grade (unjudged)." in map(str, qrels.notes)


def test_a_column_that_is_blank_throughout_is_no_half():
    (run,) = read_all(Run, b"query,document,label,score\nq,a,,0.1\nq,b,,0.9\n")
    assert run.to_dict() == {"q": {"a": 0.1, "b": 0.9}}


def test_several_systems_of_one_table_are_several_runs():
    rows = b"system,query,document,score\nA,q,a,2\nA,q,b,1\nB,q,a,1\nB,q,b,2\n"
    first, second = read_all(Run, rows)
    assert (first.name, first.to_dict()) == ("A", {"q": {"a": 2, "b": 1}})
    assert (second.name, second.to_dict()) == ("B", {"q": {"a": 1, "b": 2}})
    with pytest.raises(ReadError, match="2 of type Run, 'A', 'B'"):
        read_run(rows)
    # A document twice under one tag is a fault, as without tags.
    with pytest.raises(ReadError, match="E-DUP-DOC"):
        read_all(Run, rows + b"B,q,a,3\n")


@cases(
    "rows",
    [
        b"query,document\nq,a\nq,b\nr,a\n",
        b"q\ta\nq\tb\nr\ta\n",
        b"q,a\nq,b\nr,a\n",
        b'[{"query": "q", "document": "a"}, {"query": "q", "document": "b"}, '
        b'{"query": "r", "document": "a"}]',
    ],
)
def test_pairs_are_relevant_documents(rows):
    qrels = read_qrels(rows)
    assert qrels.to_dict() == {"q": {"a": 1, "b": 1}, "r": {"a": 1}}
    assert "N-PAIRS" in codes(qrels)
    assert "N-ONLY-RELEVANT" not in codes(qrels)


@cases("rows", [b"q1\t3\nq2\t0\n", b"q1 long\n", b"q {a\nq b\n"])
def test_two_cells_are_no_pairs_where_they_may_be_something_else(rows):
    with pytest.raises(ReadError, match="E-FIELDS"):
        read_qrels(rows)


def test_lines_of_two_words_that_may_be_texts_stay_a_question():
    (seen,) = add_files([Given("a.tsv", b"q1\tlong\nq2\tshort\n")]).seen
    assert seen.role == ""
    assert "query_attributes" in seen.fits


@cases(
    "labels, grades",
    [
        ("E S C I", [3, 2, 1, 0]),
        ("Exact Partial Irrelevant Exact", [2, 1, 0, 2]),
        ("L2 L0 l1 L4", [2, 0, 1, 4]),
        ("TRUE FALSE true false", [1, 0, 1, 0]),
        ("3-Perfect 0:Bad 1-Fair 2-Good", [3, 0, 1, 2]),
        ("relevant relevant relevant relevant", [1, 1, 1, 1]),
    ],
)
def test_labels_of_a_known_scale_are_grades(labels, grades):
    rows = "".join(f"q,d{at},{label}\n" for at, label in enumerate(labels.split()))
    for data in (f"query,document,label\n{rows}", rows):
        qrels = read_qrels(data.encode())
        assert qrels.value.tolist() == grades
        assert "N-LABELS" in codes(qrels)


@cases(
    "labels, code",
    [
        ("hot cold", "E-LABEL"),
        ("E x", "E-LABEL"),
        ("1 good", "E-NUMBER"),
        ("good", "E-LABEL"),
        ("odd", "E-NUMBER"),
    ],
)
def test_other_labels_are_refused_by_their_name(labels, code):
    rows = "".join(f"q,d{at},{label}\n" for at, label in enumerate(labels.split()))
    with pytest.raises(ReadError, match=code) as caught:
        read_qrels(f"query,document,label\n{rows}".encode())
    assert f"'{labels.split()[-1]}'" in str(caught.value)
    assert caught.value.problems[0].line


def test_a_person_says_what_columns_and_labels_are():
    rows = b"term,uid,how,why\nred,a,hot,fits\nred,b,cold,no\n"
    columns = {"query": "term", "document": "uid", "grade": "how", "reason": "why"}
    qrels = read_qrels(rows, columns=columns, labels={"hot": 2, "cold": 0.5})
    assert qrels.to_dict() == {"red": {"a": 2, "b": 0.5}}
    assert qrels.reasons == {"red": {"a": "fits", "b": "no"}}
    with telling(labels={"hot": 1}), pytest.raises(ReadError, match="E-LABEL"):
        read_qrels(rows, columns=columns)
    for grade in ("x", None, float("nan")):
        with pytest.raises(RankscopeError, match="expected a number"):
            read_qrels(rows, columns=columns, labels={"hot": grade, "cold": 0})
    scored = b"term,uid,bm\nred,a,2.5\n"
    columns = {"query": "term", "document": "uid", "score": "bm"}
    for form in (scored, in_parquet(scored), in_json(scored)):
        assert read_run(form, columns=columns).to_dict() == {"red": {"a": 2.5}}
    # A file without such columns is read as ever.
    assert read_run(b"q Q0 a 1 2.5 t", columns=columns).to_dict() == {"q": {"a": 2.5}}


def test_a_command_takes_columns_and_labels(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.csv").write_text("term,uid,how\nred,a,hot\nred,b,cold\n")
    (tmp_path / "r.csv").write_text("term,uid,bm\nred,a,1\nred,b,2\n")
    said = "query=term,document=uid,grade=how,score=bm"
    command = ["score", "q.csv", "r.csv", "-m", "RR", "--quiet"]
    assert main(command) == 4
    assert main([*command, "--columns", said, "--labels", "hot=2,cold=0"]) == 0
    assert "0.5000" in capsys.readouterr().out
    assert main([*command, "--columns", "colour=term"]) == 2
    with pytest.raises(SystemExit):
        main([*command, "--labels", "hot"])


@cases("form", [bytes, in_parquet, in_json])
def test_a_distance_ranks_the_nearest_first(form):
    run = read_run(form(b"query,document,distance\nq,near,0.25\nq,far,3\n"))
    assert run.to_dict() == {"q": {"near": -0.25, "far": -3}}
    assert "N-DISTANCE" in codes(run)


def test_a_frame_with_distances_ranks_the_nearest_first():
    frame = pd.DataFrame({"query": ["q", "q"], "document": ["a", "b"], "distance": [1, 3]})
    assert Run.from_frame(frame).to_dict() == {"q": {"a": -1, "b": -3}}


def test_clicks_are_called_so_unless_there_are_scores():
    log = "query,document,position,clicked\nq,a,1,0\nq,b,2,1\n"
    with pytest.raises(ReadError, match="E-CLICKS"):
        read_run(log.encode())
    assert read_run(log.replace("position", "score").encode()).to_dict() == {"q": {"a": 1, "b": 2}}


@cases(
    "rows, words",
    [
        ("query,document,label\nq,a,hot\nq,b,cold\n", "2 labels in place of grades"),
        ("query,document,score\nq,a,high\nq,b,2.5\n", "a number as the score"),
        ("query,document,colour\nq,a,red\nq,b,blue\n", "a score column"),
    ],
)
def test_a_table_of_rows_is_refused_in_the_words_of_its_nearest_role(rows, words):
    (problem,) = add_files([Given("a.csv", rows.encode())]).problems
    assert words in str(problem)
    assert "a tab and a text" not in str(problem)


def test_what_the_texts_lack_can_never_be_found():
    qrels = Qrels.from_dict({"q": {"a": 1, "gone": 2}, "r": {"b": 1}})
    run = Run.from_dict({"q": {"a": 1}, "r": {"b": 1}}, "run")
    texts = {"a": "one", "b": "two", "c": "one", "d": " "}
    said = [str(each) for each in findings(Dataset("mine", qrels, (run,), document_texts=texts))]
    assert any("'gone' of query 'q', whose recall is at most 0.50" in each for each in said)
    assert any("Mean recall is at most 0.7500" in each for each in said)
    assert any("1 empty text: 'd'" in each for each in said)
    assert any("'c' has that of 'a'" in each for each in said)
    # Texts of a part of the documents say nothing of the others.
    part = Dataset("mine", qrels, (run,), document_texts={"a": "one"})
    assert not any("never be found" in str(each) for each in findings(part))
