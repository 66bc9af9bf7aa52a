"""Files that are not what they seem: read as what they certainly are, or refused."""

import io
import json
import zipfile

import pytest

from metrics import Dataset, Qrels, ReadError, Run, evaluate, read_qrels, read_run, read_texts
from metrics.auditing import audit
from metrics.auditing.audit import size
from metrics.auditing.id_mismatch import for_queries, for_run
from metrics.auditing.intake import Given, add_files
from metrics.reading import read_all
from tests.cases import cases

QRELS = Given("q.txt", b"q1 0 a 2\nq1 0 b 0\nq1 0 c 1", "qrels")


@cases(
    "data",
    [
        b"qq,doc_id,score\n1,a,12.5\n2,c,9\n",
        b"qq,doc_id,label\n1,a,1\n2,c,0\n",
        b"docid,score\na,2\nb,1\n",
        b"docid,label,score\na,1,9.5\nb,0,8.5\n",
        b'{"qnum": "1", "doc_id": "a", "score": 2}\n{"qnum": "2", "doc_id": "a", "score": 2}\n',
    ],
)
def test_scores_are_not_grades_where_the_query_has_another_name(data):
    with pytest.raises(ReadError, match="a query column"):
        read_run(data)


POINTER = b"""version https://git-lfs.github.com/spec/v1
oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
size 265849697
"""


@cases("name", ["a.run", "a.csv", "a.json", "a.jsonl", "a.parquet", "a"])
def test_a_pointer_of_git_lfs_is_named(name):
    for read in (read_run, read_qrels, read_texts):
        with pytest.raises(ReadError, match=r"a Git LFS pointer; .* git lfs pull\."):
            read(POINTER, name)
    # Words of that line may be ids.
    assert read_run(b"version Q0 https://git-lfs.github.com/spec/v1 1 2.0 t").queries


def zipped(**members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for name, content in members.items():
            packed.writestr(name.replace("_", "."), content)
    return stream.getvalue()


@pytest.mark.parametrize("program", [b"MZ\x90\0\x03", b"\x7fELF\x02\x01"])
def test_a_program_is_named_alone_and_in_an_archive(program):
    with pytest.raises(ReadError, match=r"a program; expected rows of text\. Choose the file with"):
        read_run(program, "tool.txt")
    run = b"q1 Q0 d1 1 2.0 t"
    with pytest.raises(ReadError, match=r"setup\.exe\).*a program"):
        read_run(zipped(run_txt=run, setup_exe=program), "a.zip")
    assert read_run(b"MZ Q0 d1 1 2.0 t").queries == ("MZ",)


def test_an_old_workbook_is_named_whatever_its_name():
    with pytest.raises(ReadError, match=r"old Office document.* Save the sheet as CSV"):
        read_run(b"\xd0\xcf\x11\xe0" + bytes(600), "scores.csv")


def test_scores_of_records_within_a_query_are_scores():
    data = b'{"q1": [{"doc_id": "d1", "score": 12.5}, {"doc_id": "d2", "score": 13.0}]}'
    (run,) = read_all(Run, data)
    assert run.to_dict() == {"q1": {"d1": 12.5, "d2": 13.0}}
    both = b'{"q1": [{"item": "laptop", "doc_id": "d1", "score": 12.5, "relevance": 3}]}'
    assert read_qrels(both).to_dict() == {"q1": {"d1": 3}}


def test_a_run_with_ranks_for_documents_is_not_qrels():
    data = b"q1\td1\t1\t26.5\nq1\td2\t2\t25.1\n"
    with pytest.raises(ReadError, match="looks like a run"):
        read_qrels(data, "ranking.tsv")
    assert read_qrels(b"q1 0 1 2\nq1 0 2 0\n").to_dict() == {"q1": {"1": 2, "2": 0}}


def test_judgments_beside_a_run_give_way_to_qrels():
    answer = {"details": {"q1": {"hits": [{"hit": {"_id": "a", "_score": 2}, "rating": 1}]}}}
    run = Given("answer.json", json.dumps(answer).encode(), "run")
    taken = add_files([QRELS, run])
    assert len(taken.dataset.qrels) == 3
    assert "Not used, because there are others" in taken.notes[0].text
    assert add_files([run], taken.dataset).dataset.qrels is taken.dataset.qrels
    assert len(add_files([run]).dataset.qrels) == 1


def test_queries_that_a_response_lacks_are_reported():
    answer = {
        "details": {
            "q1": {"hits": [{"hit": {"_id": "a", "_score": 2}, "rating": 1}]},
            "q2": {"hits": []},
        },
        "failures": {"q3": {}},
    }
    said = " ".join(map(str, read_all(Run, json.dumps(answer).encode())[0].notes))
    assert "'q2'" in said
    assert "failed" in said
    assert "'q3'" in said


def test_a_first_line_of_texts_is_a_header_only_where_it_names_an_id():
    assert read_texts(b"q1\titem\nq2\tbrand\n") == {"q1": "item", "q2": "brand"}
    assert read_texts(b"query_id\ttext\nq2\tbrand\n") == {"q2": "brand"}


def test_a_mend_never_merges_ids():
    qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}})
    run = Run.from_dict({"q1": {"a": 1.0}, "Q1": {"z": 1.0}, "Q2": {"b": 2.0}}, "r")
    for finding in audit.findings(Dataset("x", qrels, (run,))):
        if finding.mend:
            assert finding.mend.apply(run, qrels).queries == ("q1", "Q1", "q2")
    ids = [*(f"D{i}" for i in range(20_000)), "d5", "x"]
    long = Run.from_columns(["q"] * len(ids), ids, range(len(ids), 0, -1), "r")
    few = Qrels.from_dict({"q": {"d5": 1, "d6": 1, "e": 0}})
    for finding in audit.findings(Dataset("x", few, (long,))):
        fixed = finding.mend.apply(long, few) if finding.mend else long
        assert evaluate(few, fixed, "R@30000").mean.iloc[0] <= 1


def test_only_a_difference_of_most_ids_is_a_reason():
    cited = Qrels.from_dict({"p1": {"p7": 1}, "p2": {"p8": 1}})
    run = Run.from_dict({"p7": {"p1": 2, "p5": 1}, "p9": {"p6": 1, "p3": 1}}, "r")
    assert for_run(run, cited) is None
    found = for_queries(["train_1", "train_2"], ["test_1", "test_2"])
    assert "may differ by a prefix" in str(found)
    assert "may" not in str(for_queries(["1", "2"], ["q1", "q2"]))


def test_judged_shares_are_of_documents():
    judged = {f"d{i}": 1.0 for i in range(10)} | {"z": 0.0}
    qrels = Qrels.from_dict({"q1": {"a": 1, "z": 0}, "q2": judged})
    run = Run.from_dict({"q1": {"x": 1}, "q2": {f"d{i}": 20 - i for i in range(10)}}, "r")
    said = [f.text for f in audit.findings(Dataset("", qrels, (run,)))]
    assert any(text.startswith("9.1 % of the top 10") for text in said)


def test_query_ids_and_texts_count_for_the_room_of_a_session():
    run = Run.from_dict({"x" * 900 + str(i): {"d": 1} for i in range(100)})
    qrels = Qrels.from_dict({"q": {"d": 1}})
    assert size(Dataset("", qrels, (run,))) > 90_000
    assert size(Dataset("", qrels, (), {str(i): "" for i in range(100)})) > 10_000


@cases(
    ("read", "data", "line", "words"),
    [
        (read_run, b"sep=;\n\nquery;document;foo\nq;d;1\n", 3, "a score column"),
        (read_run, b"\nquery,document,score,score\nq,d,1,1\n", 2, "twice"),
        (read_run, b"query,document,rank\nq,d,1.5\n", 2, "a whole number"),
        (read_run, b'query,document,score\nq,d,"1,234"\n', 2, "between thousands"),
    ],
)
def test_a_table_is_refused_at_its_line(read, data, line, words):
    with pytest.raises(ReadError, match=words) as caught:
        read(data)
    assert caught.value.problems[0].line == line


def test_ranks_may_be_written_as_fractions():
    assert read_run(b"query,document,rank\nq,d,1.0\nq,e,2.0\n").to_dict() == {"q": {"d": 2, "e": 1}}


@cases("name", ["run.bm25", "bm25.res", "x.qrel", "run 2024.05.01", "run."])
def test_any_name_is_accepted(name):
    taken = add_files([QRELS, Given(name, b"q1 Q0 a 1 2 t", "run")])
    assert not taken.problems


@cases("mark", [";", "\t", "|"])
def test_decimal_commas_are_read_where_commas_part_no_columns(mark):
    rows = [["query", "document", "score"], ["q1", "a", "2,5"], ["q1", "b", "-1,250"]]
    text = "\n".join(mark.join(row) for row in [*rows, ["q2", "a", "7"]])
    run = read_run(text.encode(), "a.csv" if mark != "\t" else "a.tsv")
    assert run.to_dict() == {"q1": {"a": 2.5, "b": -1.25}, "q2": {"a": 7.0}}
    notes = [str(note) for note in run.notes if note.code == "N-DECIMAL-COMMA"]
    assert notes == ["Decimal commas were read as points: '2,5' as 2.5, in 2 rows."]
    assert all(note.warns for note in run.notes if note.code == "N-DECIMAL-COMMA")


@cases(
    "values",
    [
        ["1,250", "12,000"],  # thousands
        ["2,5", "2.5"],  # both
        ["2,5", "1,2,3"],
        ["2,5", "high"],
        ["2,5", ""],
    ],
)
def test_commas_of_another_meaning_are_refused(values):
    text = "query;document;score\n" + "".join(f"q1;d{i};{v}\n" for i, v in enumerate(values))
    with pytest.raises(ReadError, match="number"):
        read_run(text.encode())


def test_grades_with_decimal_commas():
    found = read_qrels(b"query;document;grade\nq1;a;0,5\nq1;b;1\n")
    assert found.to_dict() == {"q1": {"a": 0.5, "b": 1.0}}


REMARKS = ["# exported, by hand", "My export", "#", "Ranker of\r\nMonday", "# q1;d1;2.5"]


@cases("remark", REMARKS)
@cases("mark", [";", ",", "\t"])
def test_comments_and_titles_above_a_header_are_left_out(remark, mark):
    rows = "\n".join(["query;document;score", "q1;a;2.5", "q1;b;bad"]).replace(";", mark)
    text = f"\n{remark}\n\n{rows}"
    with pytest.raises(ReadError) as refused:
        read_run(text.encode(), "a.txt")
    # Lines keep their numbers.
    (problem,) = refused.value.problems
    assert problem.line == text.replace("\r\n", "\n").split("\n").index(f"q1{mark}b{mark}bad") + 1
    run = read_run(text.replace("bad", "1.5").encode(), "a.txt")
    assert run.to_dict() == {"q1": {"a": 2.5, "b": 1.5}}
    (note,) = [each for each in run.notes if each.code == "N-REMARKS"]
    first = remark.split("\r\n")[0]
    assert "above the column names w" in str(note)
    assert repr(first) in str(note)
    assert note.warns


@cases("row", ["q1;a;2.5", "q1 Q0 a 1 2.5 t", "only 3 words", "a;b"])
def test_a_row_above_a_header_is_not_left_out(row):
    with pytest.raises(ReadError):
        read_run(f"{row}\nquery;document;score\nq1;b;1.5".encode())
