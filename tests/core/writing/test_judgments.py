"""Judgments to take away: what is read back is what was judged."""

import csv
import io
import json
from dataclasses import replace

from metrics import Qrels, read_judges, read_qrels
from metrics.editing.signature import Signature
from metrics.writing.judgments import as_csv, as_json_lines, as_quepid

ADA = Signature("Ada", "2026-11-25T09:30:00Z", 'names the model, and "the size"')
QRELS = Qrels.from_dict({"q 1": {"d,1": 2, "=1+1": 0.5}, "q2": {"ü": 0}})
JUDGED = {
    ("q 1", "d,1"): ADA,
    ("q2", "lost"): Signature("", "2026-11-25T09:31:00Z", "a dead link"),
}


def test_json_lines_read_back_with_the_reasons():
    data = as_json_lines(QRELS, JUDGED)
    found = read_qrels(data, "judgments.jsonl")
    assert found.to_dict() == QRELS.to_dict()
    assert found.reasons == {"q 1": {"d,1": ADA.note}}
    first = json.loads(data.splitlines()[0])
    assert (first["judge"], first["time"]) == ("Ada", "2026-11-25T09:30:00Z")


def test_the_judges_of_a_file_that_was_taken_away_can_be_compared():
    judged = JUDGED | {("q2", "ü"): Signature("", "2026-11-25T09:31:00Z")}
    found = read_judges(as_json_lines(QRELS, judged), "judgments.jsonl")
    assert {name: qrels.to_dict() for name, qrels in found.items()} == {
        "Ada": {"q 1": {"d,1": 2}},
        "qrels": {"q 1": {"=1+1": 0.5}},
        "unnamed": {"q2": {"ü": 0}},
    }


def test_csv_reads_back_but_for_what_could_not_be_graded_and_what_spreadsheets_would_run():
    rows = list(csv.DictReader(io.StringIO(as_csv(QRELS, JUDGED).decode("utf-8-sig"))))
    assert [row["grade"] for row in rows] == ["2", "0.5", "0"]
    assert rows[0]["reason"] == ADA.note
    # A spreadsheet would run it as a formula.
    assert rows[1]["document"] == "'=1+1"
    plain = Qrels.from_dict({"q 1": {"d,1": 2}, "q2": {"ü": 0}})
    assert read_qrels(as_csv(plain, JUDGED), "a.csv").to_dict() == plain.to_dict()


def test_reasons_that_were_loaded_are_kept():
    loaded = replace(Qrels.from_dict({"q": {"d": 1}}), reasons={"q": {"d": "exact"}})
    assert json.loads(as_json_lines(loaded))["reason"] == "exact"


def test_quepid_gets_the_text_of_the_query_and_no_formula():
    rows = list(csv.DictReader(io.StringIO(as_quepid(QRELS, {"q2": "@two, words"}).decode())))
    assert [row["query"] for row in rows] == ["q 1", "q 1", "'@two, words"]
    assert [row["docid"] for row in rows] == ["d,1", "'=1+1", "ü"]
    assert [row["rating"] for row in rows] == ["2", "0.5", "0"]
