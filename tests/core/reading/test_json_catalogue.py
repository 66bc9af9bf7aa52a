"""JSON, Parquet and archives that could be misread: read exactly, reported or refused."""

import gzip
import io
import json
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import ReadError, Run, read_qrels, read_run
from metrics.auditing.intake import Given, add_files
from metrics.reading import read_all
from tests.cases import cases
from tests.catalogue.upload import load_upload


def hits(*rows):
    found = [
        {"hit": {"_index": index, "_id": document, "_score": score}, "rating": rating}
        for document, score, rating, index in rows
    ]
    return {"metric_score": 1, "details": {"q1": {"hits": found}}, "failures": {}}


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream)
    return stream.getvalue()


def packed(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(name.replace("__", "/"), content)
    return stream.getvalue()


ROW = {"qid": "q1", "docid": "d1", "score": 2}
REFUSED = {
    "a wrapper around records": ({"data": [ROW]}, "run", "'data' is not a query"),
    "a wrapper around a run": ({"run": {"q1": {"d1": 2}}}, "run", "If 'run' is not a query"),
    "records under another query": ({"q1": [ROW | {"qid": "q2"}]}, "run", "'q2'"),
    "a table by columns": ({"qid": ["q1"], "docid": ["d1"], "score": [2]}, "run", "by columns"),
    "by columns and rows": ({"qid": {"0": "q1"}, "docid": {"0": "d"}}, "qrels", "by columns"),
    "a key in two spellings": (
        {"q1": [{"doc": "d1", "Score": 1, "score": 2}]},
        "run",
        "for one column",
    ),
    "a key that changes": (
        {"q1": [{"doc": "a", "relevant": True}, {"doc": "b", "rating": 3}]},
        "qrels",
        "without 'rating'",
    ),
    "null as a grade": ({"q1": [{"doc_id": "d1", "grade": None}]}, "qrels", "null as 'grade'"),
    "null as a judgment": ({"q1": {"d1": None}}, "qrels", "Remove it if the document is unjudged"),
    "forms that vary": ({"q1": [{"doc": "a", "grade": 1}], "q2": {"b": 1}}, "qrels", "one form"),
    "half of the scores": (hits(("a", 0.3, 3, "i"), ("b", None, 0, "i")), "run", "1 of 2 hits"),
    "two indexes": (hits(("a", 3, 3, "i"), ("a", 2, 3, "j")), "run", "in two indexes"),
    "no hits": ({"details": {"q1": {"hits": []}, "q2": {"x": 1}}}, "run", "the hits of query 'q2'"),
    "no ratings": (
        {"requests": [{"id": "q1", "ratings": []}, {"id": "q2"}]},
        "qrels",
        "the ratings of query 'q2'",
    ),
    "judgments that disagree": (
        [{"retrieved": ["a"], "relevant": ["a"], "relevance_scores": {"a": 0, "b": 1}}],
        "run",
        "'a' of query 'q1' in relevant, with the grade 0",
    ),
    "a name that is none": (
        [{"query_id": True, "retrieved": ["a"], "relevant": ["a"]}],
        "run",
        "true as 'query_id'",
    ),
    "an empty name": ({"": {"retrieved": ["a"], "relevant": ["a"]}}, "run", "an empty query id"),
    "half a record": (
        [{"retrieved": ["a"], "relevant": ["a"]}, ROW],
        "run",
        "without a list of retrieved documents on row 2",
    ),
    "a list of details": ({"details": [{"hits": 1}]}, "run", "a document column"),
    "one text": ({"_id": "q1", "text": "x"}, "qrels", "These are texts"),
    "NaN as an id": (b'[{"qid":"q1","docid":NaN,"score":1}]', "run", "the number NaN as 'docid'"),
    "NaN in a list": (b'{"q1":["d1",NaN]}', "run", "NaN as a document id"),
    "NaN as a name": (
        b'[{"query_id":NaN,"retrieved":["a"],"relevant":["a"]}]',
        "run",
        "the number NaN as 'query_id'",
    ),
    "half a character": (
        b'[{"qid":"q1","docid":"d\\udc00","score":1}]',
        "run",
        "a lone surrogate in",
    ),
    "a comma too many": (b'{"q1":1},\n{"q1":2}\n', "run", "one comma too many"),
    "a comma before a bracket": (b'{"q1":{"d1":1,\n}}', "run", "one comma too many"),
    "a comma after a comma": (b'{"q1":["d1",,"d2"]}', "run", "before that comma: add what"),
    "cut after a comma": (
        b'{"q1":{"d1":1,\n"d2":2,',
        "run",
        "line 2: found the end of the line at column 8; expected JSON. The text",
    ),
    "cut in a name": (b'{"q":1}\n{"qid":"q1","doc', "run", "The text ends too early"),
    "cut in a number": (b'{"q1":{"d1":1.', "run", "The text ends too early"),
    "cut in a list": (b'[{"qid":"q1"},', "run", "The text ends too early"),
    "a quote left open": (b'{"q1":{"d1":1,"d2:2}}', "run", "A closing quote is missing"),
    "a name without quotes": (b'{"q1":{"d1":1, d2:2}}', "run", "A name has no quotes"),
    "a document without quotes": (b'{"q1":["d1", d2]}', "run", "A name has no quotes"),
    "a word for a score": (b'{"q1":{"d1":x}}', "run", "Check the comma"),
    "a line ended by a carriage return": (
        b'{\r"q1":{\r"d1":x}}',
        "run",
        "line 3: found 'x}}' at column 6; expected JSON",
    ),
}


@cases("case", REFUSED)
def test_what_could_be_misread_is_refused(case):
    value, role, words = REFUSED[case]
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    said = load_upload(data, "x.txt", role, None)
    assert (said["severity"], words in said["messages"][0]) == ("error", True), said


def test_records_in_lists_are_read_as_records_in_a_table():
    listed = {"q1": [{"doc": "a", "sim": 2, "title": "A"}, {"doc": "b", "sim": 3, "title": "B"}]}
    flat = [{"query": query} | row for query, rows in listed.items() for row in rows]
    nested, plain = (read_run(json.dumps(value).encode()) for value in (listed, flat))
    assert nested.to_dict() == plain.to_dict() == {"q1": {"a": 2, "b": 3}}
    assert nested.notes == plain.notes
    assert "'title'" in nested.notes[0].text


@cases("wrap", [lambda rows: rows, lambda rows: [rows], lambda rows: {"q1": rows}])
def test_a_rank_orders_a_list_of_grades(wrap):
    rows = [{"doc": "a", "grade": 0, "rank": 2}, {"doc": "b", "grade": 3, "rank": 1}]
    run, qrels = read_all(Run, json.dumps(wrap(rows)).encode())
    assert (run.to_dict(), qrels.to_dict()) == ({"q1": {"a": 1, "b": 2}}, {"q1": {"a": 0, "b": 3}})
    assert "the order of 'rank'" in "".join(map(str, run.notes))


def test_a_name_is_found_by_its_key_and_not_by_its_position():
    judged = {"retrieved": ["d"], "relevant": ["d"]}
    records = [{"query": "red", "query_id": "1"}, {"query_id": 2, "query": "blue"}]
    run = read_run(json.dumps([record | judged for record in records]).encode())
    assert run.queries == ("1", "2")
    assert "'2' as 'query_id'" in "".join(map(str, run.notes))
    assert "Keys that are not used: 'query'." in map(str, run.notes)
    null = [{"query_id": None, "query": "red"} | judged]
    assert read_run(json.dumps(null).encode()).queries == ("red",)


def test_what_a_request_or_a_response_lacks_is_reported():
    rated = {"id": 1, "ratings": [{"_id": "a", "rating": 3}]}
    qrels = read_qrels(json.dumps({"requests": [rated, {"id": "q2", "ratings": []}]}).encode())
    assert qrels.queries == ("1",)
    assert "'q2'" in "".join(map(str, qrels.notes))
    assert "number used as an id" in "".join(map(str, qrels.notes))


def test_a_file_in_the_other_role_is_accepted_as_what_it_is():
    unrated = json.dumps(hits(("a", 2, None, "i"))).encode()
    request = json.dumps({"requests": [{"id": "q1", "ratings": [{"_id": "a", "rating": 3}]}]})
    taken = add_files([Given("a.json", unrated, "qrels"), Given("r.json", request.encode(), "run")])
    assert [run.queries for run in taken.dataset.runs] == [("q1",)]
    assert len(taken.notes) == 2
    for data, role in ((unrated, "qrels"), (request.encode(), "run")):
        assert "found only" in load_upload(data, "x.json", role, None)["messages"][0]


def test_a_ranking_beside_judgments_does_not_join_the_runs():
    judged = json.dumps([{"query": "q1", "retrieved": ["a"], "relevant": ["a"]}]).encode()
    files = [Given("labels.json", judged, "qrels"), Given("b.run", b"q1 Q0 a 1 2 t", "run")]
    taken = add_files(files)
    assert [run.name for run in taken.dataset.runs] == ["b"]
    assert "the ranking in the qrels file labels" in taken.notes[0].text
    assert add_files(files[:1]).dataset.runs[0].queries == ("q1",)
    assert not any("labels" in note.text for note in add_files(files[1:], taken.dataset).notes)


@cases("role", ["run", "qrels"])
@cases(
    ("name", "data"),
    [
        ("x.json", b'[{"retrieved": ["a", "b"], "relevant": ["a"]}]'),
        ("x.json", b'[[["a", "b"], [["a", 1], ["b", 0]]]]'),
        ("x.csv", b"doc_id,relevant\na,1\nb,0\n"),
    ],
)
def test_a_query_without_a_name_matches_no_query_of_another_file(name, data, role):
    # It would be called q1, and q1 of the other file may be any question.
    other = {"run": "qrels", "qrels": "run"}[role]
    beside = {"qrels": b"q1 0 a 2\nq1 0 c 1\n", "run": b"q1 Q0 a 1 2 t\nq1 Q0 c 2 1 t\n"}[other]
    refused = add_files([Given(name, data, role), Given("other.txt", beside, other)])
    assert "queries without names" in str(refused.problems[0])
    assert not refused.notes
    alone = add_files([Given(name, data, role)])
    assert alone.dataset.runs[0].queries == ("q1",)
    # The same file may be uploaded again, or in both roles.
    assert not add_files([Given(name, data, role)], alone.dataset).problems
    both = add_files([Given(name, data, "qrels"), Given(name, data, "run")])
    assert both.dataset.runs[0].to_dict() == alone.dataset.runs[0].to_dict()
    elsewhere = add_files(
        [Given("o.run", b"q1 Q0 c 1 2 t", "run"), Given("o.qrels", b"q1 0 c 1", "qrels")]
    )
    assert len(add_files([Given(name, data, role)], elsewhere.dataset).problems) == 1


def test_a_first_line_that_is_broken_is_the_broken_one():
    broken = b'{"qid":"q1","docid":"d1","score":2\n{"qid":"q1","docid":"d2","score":1}\n'
    with pytest.raises(ReadError, match="line 1"):
        read_run(broken, "x.jsonl")
    assert read_run(b'{"q1":\n{"d1":1}\n}').to_dict() == {"q1": {"d1": 1}}


def test_parquet_has_text_of_any_kind_and_no_nan_for_an_id():
    view = pa.array(["q"], pa.string_view())
    assert read_run(parquet(qid=view, docid=["d"], score=[2.0])).to_dict() == {"q": {"d": 2}}
    nan = pa.array([1.0, float("nan")], from_pandas=False)
    with pytest.raises(ReadError, match="nan in the column 'docid', row 2"):
        read_run(parquet(qid=["q", "q"], docid=nan, score=[2.0, 1.0]))


def test_whatever_follows_gzip_is_left_out():
    line = b"q1 Q0 d1 1 2.5 a\n"
    for more in (b"\n", b"\x1f", b"\r\n", b"hello"):
        (note,) = read_run(gzip.compress(line) + more, "r.gz").notes
        assert str(note).endswith("after the end of the gzip data left out.")


@pytest.mark.parametrize("ending", ["gz", "zip"])
def test_a_text_named_as_if_it_were_packed_is_reported(ending):
    name = f"r.{ending}"
    told = f"The file is not compressed, although its name ends in .{ending}."
    for data in (b"q1 Q0 d1 1 2.5 a\n", b'{"q1": {"d1": 2.5}}'):
        said = load_upload(data, name, "run", None)
        assert (said["severity"], told in said["messages"]) == ("warn", True), said
    whole = packed(r=data) if ending == "zip" else gzip.compress(data)
    assert load_upload(whole, name, "run", None)["severity"] == "ok"


def test_members_of_an_archive_are_named_with_their_folders():
    line = b"q1 Q0 d1 1 2.5 a\n"
    beside = {"._r.txt": b"\0\5", "a__._r.txt": b"\0", "desktop.ini": b"[x]", ".DS_Store": b"\0"}
    runs = read_all(Run, packed(a__r__txt=line, b__r__txt=line, **beside), "runs.zip")
    assert [run.name for run in runs] == ["txt", "txt"]
    assert "The archive contains a/r/txt, b/r/txt; all were read." in map(str, runs[0].notes)
    with pytest.raises(ReadError, match=r"runs.zip \(a/bad\), line 1"):
        read_run(packed(a__bad=b"q1 d1\n"), "runs.zip")


def test_another_office_document_is_named_for_what_it_is():
    for member in ("[Content_Types].xml", "mimetype"):
        with pytest.raises(ReadError, match="xlsx or CSV"):
            read_run(packed(**{member: b"<x/>", "xl__sheet1.xml": b"<x/>"}), "run.csv")


def test_queries_that_are_called_as_columns_are_queries():
    run = {"score": {"d": 1}, "document": {"d": 2, "e": 1}, "qid": {"d": 1}}
    assert read_run(json.dumps(run).encode()).to_dict() == run


@cases(("name", "told"), [("r.txt", True), ("r.parquet", False), ("r", False)])
def test_parquet_under_another_name_is_reported(name, told):
    run = read_run(parquet(qid=["q"], docid=["d"], score=[2.0]), name)
    assert ("in Parquet, although its name ends in .txt" in "".join(map(str, run.notes))) == told


def test_a_grade_that_is_too_high_is_named_where_there_is_no_line():
    with pytest.raises(ReadError, match="'1100' for query 'q1', document 'd2'"):
        read_qrels(b'{"q1": {"d1": 3, "d2": 1100}}', "x.json")
