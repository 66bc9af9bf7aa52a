"""A corpus' titles and other fields, and the judges' reasons, are kept by id."""

import io
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import ReadError, read_qrels, read_run, read_texts
from metrics.auditing.audit import size
from metrics.auditing.intake import Given, add_files
from metrics.reading import read_corpus
from tests.cases import cases

RECORDS = [
    {"_id": "d1", "title": "Mouse", "text": "Small, quiet.", "url": "/mouse", "tags": ""},
    {"_id": "d2", "title": "", "text": "Kabel", "url": "", "tags": '[1.50, {"a": null}]'},
    {"_id": "d3", "title": "Lamp", "text": "", "url": "/lamp", "tags": ""},
]
TABLE = [[*record.values()] for record in RECORDS]
CSV = '_id,title,text,url,tags\nd1,Mouse,"Small, quiet.",/mouse,\n'
CSV += 'd2,,Kabel,,"[1.50, {""a"": null}]"\n\nd3,Lamp,,/lamp,\n'
BY_ID = {each["_id"]: {key: each[key] for key in [*each][1:]} for each in RECORDS}


@cases(
    "data",
    [
        "\n".join(map(json.dumps, RECORDS)).replace(
            '"[1.50, {\\"a\\": null}]"', '[1.50,{"a":null}]'
        ),
        json.dumps(RECORDS, indent=2),
        json.dumps(BY_ID),
        CSV,
        "Doc ID\tTitle\ttext\turl\ttags\n" + "\n".join("\t".join(row) for row in TABLE),
        "_id|title|text|url|tags\n" + "\n".join("|".join(row) for row in TABLE),
    ],
)
def test_titles_and_other_fields_are_kept_by_id(data):
    corpus = read_corpus(data.encode())
    assert corpus.texts == {"d1": "Mouse. Small, quiet.", "d2": "Kabel", "d3": "Lamp"}
    assert corpus.fields == {
        "title": {"d1": "Mouse", "d3": "Lamp"},
        "url": {"d1": "/mouse", "d3": "/lamp"},
        "tags": {"d2": '[1.50, {"a": null}]'},
    }
    assert read_texts(data.encode()) == corpus.texts


@cases(
    ("data", "words"),
    [
        ("id,text\na,b,c\n", "line 2: found 3 fields; expected 2"),
        ("id,text\n\na,b\na,c\n", "line 4: found the id 'a' again"),
        ("id,text,text\na,b,c\n", "the column 'text' twice"),
        ('id,text\na,"b', "line 2: found .*expected CSV"),
        ("id,text\n,b\n", "line 2: found an empty id"),
        ("query,document,score\nq,d,1\n", "a unique id"),
        ('[{"query": "q", "document": "d", "score": 1}]', "row 1: found 'a record with the keys"),
        ('[{"id": "a", "text": null}]', "row 1: found 'a record with the keys id, text"),
        ('[{"id": "a", "text": "b"}, 7]', "row 2: found the number 7"),
        ('{"a": {"id": "b", "text": "c"}}', "'b' as the id of a record under 'a'"),
        ('{"a": ["b"]}', "a list under 'a'; expected a run, judgments or texts. A run looks like"),
        ('[{"id": "a", "text": "b", "c": "\\ud800"}]', "lone surrogate"),
        (json.dumps([{"id": "a", "text": "b" * 100_001}]), "limit line"),
        (json.dumps([{"id": "a", "text": "b", "c" * 1001: "d"}]), "limit id"),
        (
            json.dumps([{"id": "a", "text": "b", **dict.fromkeys(map(str, range(201)), "x")}]),
            "columns",
        ),
    ],
)
def test_a_corpus_that_breaks_a_rule_is_refused(data, words):
    with pytest.raises(ReadError, match=words):
        read_corpus(data.encode())


JUDGED = [("q1", "d1", 2, "Names the model"), ("q1", "d2", 0, ""), ("q2", "d1", 1, "Käse, teils")]
NAMES = ("query", "document", "grade", "Rationale")


def parquet():
    stream = io.BytesIO()
    columns = zip(NAMES, zip(*JUDGED, strict=True), strict=True)
    pq.write_table(pa.table({name: list(of) for name, of in columns}), stream)
    return stream.getvalue()


@cases(
    "data",
    [
        b"query,document,grade,Reason\n"
        + "".join(f'{q},{d},{g},"{r}"\n' for q, d, g, r in (*JUDGED, JUDGED[0])).encode(),
        json.dumps([dict(zip(NAMES, row, strict=True)) for row in JUDGED]).encode(),
        "\n".join(json.dumps(dict(zip(NAMES, row, strict=True))) for row in JUDGED).encode(),
        parquet(),
    ],
)
def test_the_judge_s_reasons_are_kept_by_query_and_document(data):
    qrels = read_qrels(data)
    assert qrels.reasons == {"q1": {"d1": "Names the model"}, "q2": {"d1": "Käse, teils"}}
    assert not any("not used" in note.text for note in qrels.notes)
    assert qrels.only("q2").reasons["q2"] == {"d1": "Käse, teils"}


def test_a_column_of_reasons_beside_scores_is_reported_as_unused():
    run = read_run(b"query,document,score,comment\nq,d,1,fine\n")
    assert run.reasons == {}
    assert "'comment'" in run.notes[0].text


def test_reasons_that_cannot_be_saved_are_refused():
    long = json.dumps([{"query": "q", "document": "d", "grade": 1, "reason": "x" * 100_001}])
    with pytest.raises(ReadError, match="limit line"):
        read_qrels(long.encode())
    with pytest.raises(ReadError, match="lone surrogate"):
        read_qrels(b'[{"query": "q", "document": "d", "grade": 1, "reason": "\\ud800"}]')


def test_fields_and_reasons_count_toward_the_limit_of_a_session(monkeypatch):
    files = [
        Given("q.csv", b"query,document,grade,reason\nq,d1,1,good\n", "qrels"),
        Given("r.txt", b"q Q0 d1 1 2 t", "run"),
        Given("c.csv", CSV.encode(), "document_texts"),
    ]
    data = add_files(files).dataset
    document = data.document("d1")
    assert (document.title, document.text) == ("Mouse", "Small, quiet.")
    assert document.fields == {"url": "/mouse"}
    assert data.document("unknown").text == ""
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={size(data)}")
    assert add_files(files).dataset is not None
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={size(data) - 1}")
    assert "limit session" in str(add_files(files).problems[0])
    monkeypatch.undo()
    other = add_files([Given("t.tsv", b"d1\tplain", "document_texts")], data).dataset
    assert (other.document_texts, other.document_fields) == ({"d1": "plain"}, {})
    assert add_files([Given("s.txt", b"q Q0 d1 1 2 t", "run")], data).dataset.document_fields
