"""Swapped columns, files and ids: refused, or reported with what was done."""

import json

from metrics import Qrels, Run
from metrics.auditing import audit
from metrics.dataset import Dataset
from metrics.reading import read_qrels, read_run
from metrics.writing.reproduce import as_input, input_name
from tests.cases import cases
from tests.catalogue.upload import load_upload

QRELS = b"q1 0 d1 3\nq1 0 d2 0\nq1 0 d9 1\nq2 0 d4 0\nq2 0 d5 2\n", "qrels.txt"
RUN = b"q1 Q0 d1 1 9 s\nq1 Q0 d2 2 8 s\nq2 Q0 d4 1 7 s\nq2 Q0 d5 2 6 s\n", "run.txt"
BEIR = b"query-id\tcorpus-id\tscore\nq1\td1\t3\nq1\td9\t1\nq2\td5\t2\n"
HITS = {
    "details": {
        "q1": {
            "hits": [
                {"hit": {"_id": f"d{score}", "_score": score}, "rating": 1}
                for score in (1, 2, 3, 4)
            ]
        }
    }
}


def loaded(data, name, role="run", beside=True):
    data = data if isinstance(data, bytes) else data.encode()
    other = (QRELS if role == "run" else RUN) if beside else None
    return load_upload(data, name, role, other)


REFUSED = {
    "documents and ranks": (
        "q1 Q0 1 d1 9.5 s\nq1 Q0 2 d2 8.5 s\nq2 Q0 1 d4 7 s\n",
        *("r.txt", "run", 1, "Columns 3 and 4 look swapped"),
    ),
    "queries and Q0": (
        "Q0 q1 d1 1 9.5 s\nQ0 q2 d4 1 8.5 s\n",
        *("r.txt", "run", 1, "Columns 1 and 2 look swapped"),
    ),
    "queries and 0": (
        "0 q1 d1 1\n0 q1 d2 0\n",
        *("q.txt", "qrels", 1, "Columns 1 and 2 look swapped"),
    ),
    "queries that are numbers, and 0": (
        "0 301 d1 1\n0 302 d2 0\n",
        *("q.txt", "qrels", 1, "Columns 1 and 2 look swapped"),
    ),
    "flags instead of ids": (
        '[{"query_id": "q1", "retrieved": ["d1", "d2", "d9"], "relevant": [1, 0, 1]}]',
        *("r.json", "run", None, "flags, not ids"),
    ),
    "a number too large in JSON": (
        '{"q1": {"d1": 1e999}}',
        *("q.json", "qrels", None, "too large for a double"),
    ),
    "a number too large in CSV": (
        "qid,docid,score\nq1,d1,1e999\n",
        *("q.csv", "qrels", 2, "too large for a double"),
    ),
    "another spelling further down": (
        '{"qid":"q1","docid":"d1","score":1}\n{"qid":"q1","doc_id":"d2","score":1}\n',
        *("r.jsonl", "run", 2, "'docid' and 'doc_id' for one column"),
    ),
    "two names for one column": (
        "qid,docid,doc_id,score\nq1,d1,d2,1\n",
        *("r.csv", "run", 1, "'docid' and 'doc_id' for one column"),
    ),
    "a list on each line": (
        '["q1","d1",1]\n["q1","d2",1]\n',
        *("r.jsonl", "run", 1, "found a list; expected a record"),
    ),
    "null on the first line": (
        'null\n{"qid":"q1","docid":"d2","score":1}\n',
        *("r.jsonl", "run", 1, "found null; expected a record"),
    ),
    "a page for JSON": (
        "<!DOCTYPE html>\n<html></html>",
        *("r.json", "run", 1, "Download the file itself"),
    ),
    "a page for a run": ("<html lang='en'>\n", "r.run", "run", 1, "Download the file itself"),
    "CSV that is called JSON": (
        "qid,docid,score\nq1,d1,1\n",
        *("r.json", "run", None, "rename it to .txt or .csv"),
    ),
}


@cases("case", REFUSED)
def test_it_is_refused_with_its_line_and_the_fix(case):
    data, name, role, line, words = REFUSED[case]
    result = loaded(data, name, role)
    assert (result["severity"], result.get("line")) == ("error", line), result
    assert words in result["messages"][0]
    assert len(result["messages"][0]) < 400


TOLD = {
    "part of the qrels": (
        json.dumps({"q1": {"d1": 3, "d2": 0, "d9": 1}, "q2": {"d5": 2}}),
        *("r.json", "is this the qrels file?"),
    ),
    "BEIR's qrels": (BEIR, "test.tsv", "is this the qrels file?"),
    "ranks as scores, JSON": (
        json.dumps({"q1": {"d1": 1, "d2": 2, "d9": 3}, "q2": {"d4": 1, "d5": 2}}),
        *("r.json", "as ranks do"),
    ),
    "ranks as scores, CSV": (
        "qid,docid,score\nq1,d1,1\nq1,d2,2\nq2,d4,1\nq2,d5,2\n",
        *("r.csv", "as ranks do"),
    ),
    "hits in another order than their scores": (
        json.dumps(HITS),
        *("r.json", "the best rank has the lowest score"),
    ),
    "a dash for a hyphen": (
        "q1 Q0 doc-1 1 9 s\nq1 Q0 doc\u20101 2 8 s\n",
        *("r.txt", "look alike"),
    ),
    "a dash that holds together": (
        "q1 Q0 doc-1 1 9 s\nq1 Q0 doc\u20111 2 8 s\n",
        *("r.txt", "look alike"),
    ),
    "what Excel shows for an error": (
        "qid,docid,score\nq1,#NAME?,2\nq1,#REF!,1\n",
        *("r.csv", "2 ids that Excel shows in place of"),
    ),
    "dates with a year": (
        "qid,docid,score\nq1,5-Jan-24,2\nq1,Jan-2005,1\n",
        *("r.csv", "2 ids that look like ids that Excel has turned into a date"),
    ),
    "a column without a name": ("qid,,docid,score\nq1,x,d1,2\n", "r.csv", "one without a name"),
}


@cases("case", TOLD)
def test_it_is_reported(case):
    data, name, words = TOLD[case]
    result = loaded(data, name)
    assert result["severity"] == "warn"
    assert any(words in message for message in result["messages"]), result["messages"]


def test_qrels_with_the_header_of_beir_are_reported_without_others_beside_them():
    result = loaded(BEIR, "test.tsv", beside=False)
    assert (result["severity"], "BEIR" in result["messages"][0]) == ("warn", True)


@cases("query", ["[a]b", "[x", "{x", "{{q1}}", "[[q1]]", "{a:b}", "BZh1", "GIF8"])
def test_an_id_may_begin_as_another_kind_of_file_does(query):
    result = loaded(f"{query} Q0 d1 1 9 s\n", "r.txt", beside=False)
    assert (result["severity"], result["qids"]) == ("ok", [query])


@cases(
    ("data", "kind"),
    [
        ("q0 Q0 d1 1 9 s\nq0 Q0 d2 2 8 s\n", "run"),
        ("0 Q0 d1 1 9 s\n0 Q0 d2 2 8 s\n", "run"),
        ("0 0 d1 1\n0 0 d2 0\n", "qrels"),
        ("0 1 d1 1\n0 1 d2 0\n", "qrels"),
        ("q1 Q0 1 1 9 s\nq1 Q0 2 2 8 s\n", "run"),
    ],
)
def test_files_in_their_own_role_are_read(data, kind):
    result = loaded(data, "x.txt", kind, beside=False)
    assert (result["severity"], result["rows"]) == ("ok", 2)


def test_a_run_whose_scores_are_partly_grades_is_a_run():
    qrels = Qrels.from_dict({"q1": {"a": 3, "b": 0, "c": 1}})
    run = Run.from_dict({"q1": {"a": 3, "b": 1, "c": 0}})
    said = audit.findings(Dataset("", qrels, (run,)))
    assert not [each for each in said if "the qrels file" in each.text]


@cases(
    ("role", "data"),
    [
        ("qrels", "d1 0 q1 2\nd4 0 q2 1\n"),
        ("qrels", '{"d1": {"q1": 1}, "d2": {"q1": 0}}'),
        ("run", "".join(f"d{n} Q0 q1 1 {9 - n} s\n" for n in (1, 2, 4, 5, 6, 7, 9))),
    ],
)
def test_either_file_may_be_transposed(role, data):
    result = loaded(data, "x.txt" if data[0] == "d" else "x.json", role)
    assert result["severity"] == "error"
    assert "(transposed)" in result["messages"][0]


@cases(
    "rows",
    [
        {"q1": {"score": 2, "docid": 1}},
        {"corpus-id": {"relevant": 0}, "relevant": {"x": 1}},
        {"_id": {"d1": 1}, "text": {"d1": 2}},
        {"columns": {"d1": 1}, "data": {"d1": 2}},
        {"retrieved": {"d1": 1}},
        {"requests": {"d1": 1}, "details": {"ratings": 1}},
    ],
)
def test_ids_that_look_like_keys_read_back(rows):
    for made, read in ((Qrels.from_dict(rows), read_qrels), (Run.from_dict(rows), read_run)):
        assert read(as_input(made), input_name("again", made)).to_dict() == made.to_dict()
