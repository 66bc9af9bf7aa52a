"""A file of several judges is read as the qrels of each."""

import gzip
import io

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import Qrels, ReadError, read_judges, read_qrels, read_run
from metrics.reading import judges as reading
from metrics.reading.problems import JUDGES, UNUSED_COLUMNS
from tests.cases import cases
from tests.fuzzing.mutation import Mutator
from tests.fuzzing.readers import READERS, SEEDS

GRADES = {"ann": {"q1": {"d1": 2.0, "d2": 0.0}}, "bob": {"q1": {"d1": 1.0}}}
HOSTILE = (
    "<b>x</b> [a](http://example.org)",
    "![b](http://example.org/b.png) `$c$`",
    "=1+1",
    "a\u202eb\u200b",
    "01",
    "NA",
    'a "b", c',
)
LONG = b"judge,query,document,grade\nann,q1,d1,2\nann,q1,d2,0\nbob,q1,d1,1\n"
WIDE = b"query,document,ann,bob\nq1,d1,2,1\nq1,d2,0,\n"


def grades(data, name="x.csv"):
    return {judge: qrels.to_dict() for judge, qrels in read_judges(data, name).items()}


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def workbook():
    stream = io.BytesIO()
    rows = [("ann", "q1", "d1", 2), ("ann", "q1", "d2", 0), ("bob", "q1", "d1", 1)]
    names = ["annotator", "query", "document", "label"]
    pd.DataFrame(rows, columns=names).to_excel(stream, index=False)
    return stream.getvalue()


FORMS = {
    "a column of judges": (LONG, "x.csv"),
    "another name": (LONG.replace(b"judge", b"Annotator"), "x.csv"),
    "semicolons": (LONG.replace(b",", b";"), "x.csv"),
    "tabs": (LONG.replace(b",", b"\t"), "x.tsv"),
    "packed": (gzip.compress(LONG), "x.csv.gz"),
    "remarks above": (b"# by hand\n" + LONG, "x.csv"),
    "a column each": (WIDE, "x.csv"),
    "a column each, below remarks": (b"# by hand\n" + WIDE, "x.csv"),
    "a column each, below the delimiter": (b"sep=;\n" + WIDE.replace(b",", b";"), "x.csv"),
    "a column each, packed": (gzip.compress(WIDE), "x.csv.gz"),
    "JSON Lines": (
        b'{"judge": "ann", "query": "q1", "document": "d1", "grade": 2}\n'
        b'{"judge": "ann", "query": "q1", "document": "d2", "grade": 0}\n'
        b'{"judge": "bob", "query": "q1", "document": "d1", "grade": 1}\n',
        "x.jsonl",
    ),
    "keys": (
        b'[{"query": "q1", "document": "d1", "ann": 2, "bob": 1},'
        b' {"query": "q1", "document": "d2", "ann": 0, "bob": null}]',
        "x.json",
    ),
    "keys that are missing": (
        b'{"query": "q1", "document": "d1", "ann": 2, "bob": 1}\n'
        b'{"query": "q1", "document": "d2", "ann": 0}\n',
        "x.jsonl",
    ),
    "Parquet": (
        parquet(
            judge=["ann", "ann", "bob"],
            query=["q1"] * 3,
            document=["d1", "d2", "d1"],
            grade=[2, 0, 1],
        ),
        "x.parquet",
    ),
    "columns of Parquet, as polars and pandas write them": (
        parquet(
            query=pa.array(["q1", "q1"]).dictionary_encode(),
            document=pa.array(["d1", "d2"], pa.large_string()),
            ann=pa.array([2, 0], pa.int8()),
            bob=[1.0, float("nan")],
        ),
        "x.parquet",
    ),
    "columns of Parquet": (
        parquet(query=["q1"] * 2, document=["d1", "d2"], ann=[2.0, 0.0], bob=[1, None]),
        "x.parquet",
    ),
}


@cases("form", FORMS)
def test_every_form_gives_the_grades_of_each_judge(form):
    assert grades(*FORMS[form]) == GRADES


def test_a_workbook_gives_the_grades_of_each_judge():
    pytest.importorskip("openpyxl")
    assert grades(workbook(), "x.xlsx") == GRADES


def test_any_other_qrels_are_one_judge_named_by_the_file():
    assert grades(b"q1 0 d1 2\n", "bob.qrels") == {"bob": {"q1": {"d1": 2.0}}}
    assert grades(b"query,document,grade,page\nq1,d1,2,7\n", "bob.csv") == {
        "bob": {"q1": {"d1": 2.0}}
    }
    assert grades(b'{"q1": {"d1": 2}}', "bob.json") == {"bob": {"q1": {"d1": 2.0}}}


JSON_WITHOUT_A_JUDGE = """\
{"query": "q1", "document": "d1", "grade": 1, "judge": ""}
{"query": "q1", "document": "d2", "grade": 0, "judge": ""}
"""


@cases("form", ["query,document,grade,judge\nq1,d1,1,\nq1,d2,0,\n", JSON_WITHOUT_A_JUDGE])
def test_a_column_of_judges_that_is_blank_throughout_names_nobody(form):
    name = "a.csv" if form.startswith("query") else "a.jsonl"
    (found,) = read_judges(form.encode(), name).values()
    assert (found.name, found.to_dict()) == ("a", {"q1": {"d1": 1, "d2": 0}})
    assert read_qrels(form.encode(), name).notes == ()


def test_columns_of_labels_keep_the_reason_beside_them():
    table = (
        b"query,document,label_1,label_2,reason_1,reason_2,url\n"
        b"q1,d1,2,1,exact,,/a\nq1,d2,0,,no,?,/b\n"
    )
    found = read_judges(table)
    assert list(found) == ["label_1", "label_2"]
    assert found["label_1"].reasons == {"q1": {"d1": "exact", "d2": "no"}}
    # The reason for a missing judgment is left out with it.
    assert found["label_2"].reasons == {}
    assert found["label_2"].to_dict() == {"q1": {"d1": 1.0}}


def test_a_person_stands_beside_a_model_s_label():
    table = b"query,document,human,llm_label,llm_reason\nq1,d1,2,1,so so\n"
    found = read_judges(table)
    assert list(found) == ["human", "llm_label"]
    assert found["llm_label"].reasons == {"q1": {"d1": "so so"}}
    assert found["human"].reasons == {}


def test_lines_of_a_model_keep_its_reason_and_its_confidence():
    line = (
        b'{"query_id": "q1", "doc_id": "d1", "llm_score": 3, "reason": "Exact.", '
        b'"confidence": 0.95, "model": "m"}'
    )
    (judge,) = read_judges(line, "x.jsonl").values()
    assert judge.name == "m"
    assert judge.reasons == {"q1": {"d1": "Exact. (confidence 0.95)"}}


def test_a_column_of_remarks_is_no_judge():
    table = b"query,document,ann,bob,remarks\nq1,d1,2,1,good\nq1,d2,0,1,7 of 9\n"
    assert list(read_judges(table)) == ["ann", "bob"]


def test_columns_that_no_judge_has_are_reported():
    table = b"query,document,label_1,label_2,pages,reason_1\nq1,d1,2,1,7,so\nq1,d2,0,1,9,\n"
    for qrels in read_judges(table).values():
        (note,) = (str(each) for each in qrels.notes if each.code == UNUSED_COLUMNS)
        assert note == "Columns that are not used: 'pages'."


def test_two_columns_of_one_name_are_not_told_apart():
    with pytest.raises(ReadError, match="line 1: found the column 'ann' twice"):
        read_judges(b"query,document,ann,ann,bob\nq1,d1,2,1,0\n", "x.csv")
    # Those of one judge's remarks are none's.
    table = b"query,document,llm_label,seen,seen\nq1,d1,2,yes,no\n"
    assert grades(table, "ann.csv") == {"ann": {"q1": {"d1": 2}}}


def test_the_grades_for_aspects_stay_with_their_judge():
    table = (
        b"judge,query,aspect,document,grade\n"
        b"ann,q1,1,d1,2\nann,q1,2,d1,0\nbob,q1,1,d1,1\nbob,q1,2,d1,1\n"
    )
    assert read_judges(table)["ann"].aspects == {"q1": {"d1": {"1": 2.0, "2": 0.0}}}


@cases(
    ("data", "said"),
    [
        (b"judge,query,document,grade\nann,q1,d1,2\n,q1,d2,0\n", "x.csv, line 3: found a row with"),
        (
            b"judge,query,document,grade\nann,q1,d1,2\nann,q1,d1,0\n",
            "line 3, column 3: found a dup",
        ),
        (
            b"judge,query,document,grade\nann,q1,d1,good\n",
            "line 2, column 4: found 1 label in place of grades: 'good'",
        ),
        (
            b"query,document,ann,bob\nq1,d1,2,1\nq1,d2,x,0\n",
            "line 3, column 3: found 'x'; expected a",
        ),
        (b"judge,query,grade\nann,q1,2\n", "found 'judge, query, grade'"),
        (b"q1 Q0 d1 1 2.5 tag\n", "[E-ROLE]"),
        (b"", "found an empty file"),
        (b"judge,query,document,grade\n" + b"a" * 1001 + b",q1,d1,1\n", "at most 1,000 characters"),
        (b"\x00\x01\x02", "x.csv"),
    ],
)
def test_a_refusal_says_where_and_what_to_do(data, said):
    with pytest.raises(ReadError) as refused:
        read_judges(data, "x.csv")
    assert said in str(refused.value)
    assert all(problem.fix for problem in refused.value.problems)


def test_no_more_judges_are_read_than_can_be_compared(monkeypatch):
    rows = "".join(f"j{n},q1,d{n},1\n" for n in range(reading.MOST + 1))
    with pytest.raises(ReadError, match="201 judges; expected at most 200"):
        read_judges(b"judge,query,document,grade\n" + rows.encode())
    monkeypatch.setattr(reading, "MOST_CELLS", 5)
    for data in (LONG, WIDE + b"q2,d1,2,1\n"):
        with pytest.raises(ReadError, match="judgments of 2 judges"):
            read_judges(data)


@cases("name", HOSTILE)
def test_hostile_names_stay_as_they_are(name):
    row = {"judge": name, "query": name, "document": name, "grade": 1, "reason": name}
    frame = pd.DataFrame([row, {**row, "judge": "ann", "grade": 0}])
    found = read_judges(frame.to_json(orient="records").encode(), "x.json")
    assert list(found) == [name, "ann"]
    for qrels in found.values():
        assert list(qrels.to_dict()[name]) == [name]
        assert qrels.reasons == {name: {name: name}}


def test_two_files_of_one_name_are_two_judges():
    qrels = Qrels.from_dict({"q": {"d": 1}}, "ann")
    assert [each.name for each in reading.named([qrels, qrels], ["ann"]).values()] == [
        "ann (2)",
        "ann (3)",
    ]


def test_read_as_one_judge_they_are_noted_or_refused_by_their_names():
    apart = b"judge,query,document,grade\nann,q1,d1,2\nbob,q1,d2,0\n"
    (note,) = (each for each in read_qrels(apart).notes if each.code == JUDGES)
    assert str(note) == "The grades of 2 judges were read as those of one."
    with pytest.raises(ReadError, match="The judges 'ann' and 'bob' both graded it"):
        read_qrels(LONG)


def test_whatever_comes_in_is_judges_or_a_refusal():
    seeds, mutator = SEEDS["judges"](), Mutator(2)
    for data in [mutator.mutated(mutator.random.choice(seeds), seeds) for _ in range(150)]:
        READERS["judges"](data)


def test_rows_of_scores_alone_are_no_judgments():
    """Found by fuzzing: no judge came of it, and nobody was told."""
    data = b'{"judge":"ann","query":"q","docid":"d","score":1,"grade":""}\n'
    assert read_run(data).to_dict() == {"q": {"d": 1.0}}
    for read in (read_judges, read_qrels):
        with pytest.raises(ReadError, match="found no grade in any row; expected a grade"):
            read(data)
