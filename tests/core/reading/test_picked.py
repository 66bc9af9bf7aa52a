"""Tables whose columns a person names: the preview, the rows, the errors with their lines."""

import gzip

import pytest

from metrics import Qrels, ReadError, Run
from metrics.auditing.intake import Given, add_files
from metrics.reading import read_all, read_corpus
from metrics.reading.from_json.records import preview_of
from metrics.reading.from_tables.picked import RECORDS, Picked, preview
from metrics.reading.problems import File
from tests.cases import cases

ODD = "topic;result;place;value\nq1;d1;1;9,5\nq1;d2;2;8,25\n"
COLUMNS = Picked(";", ("query", "document", "", "score"), True)


def test_the_preview_shows_rows_as_they_are_cut():
    found = preview(ODD)
    assert (found.delimiter, found.has_header) == (";", True)
    assert found.rows[:2] == (("topic", "result", "place", "value"), ("q1", "d1", "1", "9,5"))
    assert found.shape == (";", "topic", "result", "place", "value")
    assert preview_of(gzip.compress(ODD.encode()), File("a.csv.gz")) == found


@cases(
    ("text", "mark", "columns"),
    [
        ("q1 d1 1 9.5 bm25\nq1 d2 2 8.5 bm25\n", " ", 5),
        ("q1\td one\t9\nq1\td two\t8\n", "\t", 3),
        ("a,b;c\nd,e;f\n", ";", 2),
        ("one\ntwo\n", None, 0),
        ("only one line\n", None, 0),
        ("", None, 0),
    ],
)
def test_the_delimiter_is_the_one_that_cuts_all_lines_alike(text, mark, columns):
    found = preview(text)
    assert (found and found.delimiter) == mark
    assert len(found.rows[0] if found else ()) == columns


def test_files_that_are_no_tables_have_no_preview():
    for data in (b"", b"PK\x03\x04", b"\x1f\x8b", b"%PDF-1.4", b"\xff\xfe\xfd", b"\n\n"):
        assert preview_of(data, File("a")) is None


def test_a_table_is_read_with_the_columns_that_were_named():
    with pytest.raises(ReadError):
        read_all(Run, ODD.encode(), "a.csv")
    (run,) = read_all(Run, ODD.encode(), "a.csv", picked=COLUMNS)
    assert run.to_dict() == {"q1": {"d1": 9.5, "d2": 8.25}}
    assert "Columns as you chose: query, document, not used, score." in map(str, run.notes)
    (qrels,) = read_all(
        Qrels, b"d1 q1 2\nd2 q1 0\n", "a", picked=Picked(" ", ("document", "query", "grade"), False)
    )
    assert qrels.to_dict() == {"q1": {"d1": 2, "d2": 0}}


@pytest.mark.parametrize("has_header", [True, False])
def test_an_error_names_the_line_of_the_file(has_header):
    rows = ("a;b;c;d\n" if has_header else "") + "q1;d1;1;9.5\n\nq1;d2;2;high\n"
    picked = Picked(";", COLUMNS.names, has_header)
    with pytest.raises(ReadError) as error:
        read_all(Run, rows.encode(), "a.csv", picked=picked)
    assert error.value.problems[0].line == rows.count("\n")


def test_texts_are_read_with_the_columns_that_were_named():
    rows = b"1|Mouse|d1|Wireless\n2||d2|Wired\n"
    picked = Picked("|", ("", "title", "id", "text"), False)
    corpus = read_corpus(rows, "a.txt", picked=picked)
    assert corpus.texts == {"d1": "Mouse. Wireless", "d2": "Wired"}
    assert corpus.fields == {"title": {"d1": "Mouse"}}


@cases(
    ("names", "missing"),
    [
        (("query", "document", "score"), ()),
        (("query", "document", "rank"), ()),
        (("query", "document"), ("score or grade",)),
        (("id", ""), ("text",)),
        (("id", "title"), ()),
        (("", ""), ("query", "document", "score or grade")),
    ],
)
def test_what_is_missing_is_known_before_the_file_is_read(names, missing):
    assert Picked(",", names, False).missing() == missing


def test_named_columns_decide_the_role():
    qrels = Given(
        "a.txt", b"x q1 d1 3\n", picked=Picked(" ", ("", "query", "document", "grade"), False)
    )
    run = Given("b.csv", ODD.encode(), picked=COLUMNS)
    texts = Given("c.txt", b"first d1\nsecond d2\n", picked=Picked(" ", ("text", "id"), False))
    taken = add_files([qrels, run, texts])
    assert [seen.role for seen in taken.seen] == ["qrels", "run", "document_texts"]
    assert taken.dataset.document_texts == {"d1": "first", "d2": "second"}


LIST = b"""[
  {"frage": "q1", "treffer": 7, "wert": 9.5, "score": "old"},
  {"frage": "q1", "treffer": "d2", "wert": 8.25, "rest": {"a": [1]}}
]"""
LINES = b"""{"frage": "q1", "treffer": 7, "wert": 9.5, "score": "old"}

{"frage": "q1", "treffer": "d2", "wert": 8.25, "rest": {"a": [1]}}
"""
KEYS = ("frage", "treffer", "wert", "score")
OF_KEYS = Picked(RECORDS, ("query", "document", "score", ""), True, KEYS)


@cases("data", [LIST, LINES, gzip.compress(LINES, mtime=0)])
def test_records_are_read_with_the_keys_that_were_named(data):
    with pytest.raises(ReadError):
        read_all(Run, data, "a.json")
    found = preview_of(data, File("a.json"))
    assert (found.keys, found.shape) == (KEYS, (RECORDS, *KEYS))
    assert found.rows[1:] == (
        ("q1", "7", "9.5", "old"),
        ("q1", "d2", "8.25", ""),
    )
    (run,) = read_all(Run, data, "a.json", picked=OF_KEYS)
    assert run.to_dict() == {"q1": {"7": 9.5, "d2": 8.25}}
    assert {note.code for note in run.notes} >= {"N-PICKED", "N-NUMBER-ID"}


@pytest.mark.parametrize(("data", "unit"), [(LIST, "row 2"), (LINES, "line 3")])
def test_an_error_names_the_record(data, unit):
    missing = Picked(RECORDS, ("query", "", "score", "document"), True, KEYS)
    with pytest.raises(ReadError, match=unit):
        read_all(Run, data.replace(b"8.25", b'"high"'), "a.json", picked=OF_KEYS)
    with pytest.raises(ReadError, match=f"{unit}.*without 'document'"):
        read_all(Run, data, "a.json", picked=missing)


def test_texts_of_records_are_read_with_the_keys_that_were_named():
    picked = Picked(RECORDS, ("id", "text", ""), True, ("key", "inhalt", "n"))
    for data in (b'[{"key": "d1", "inhalt": "Maus"}]', b'{"key": "d1", "inhalt": "Maus"}'):
        assert read_corpus(data, "a.json", picked=picked).texts == {"d1": "Maus"}


@cases(
    "data",
    [
        b"[1, 2]",
        b'{"a": 1}',
        b"[]",
        b"{}",
        b'{"q1": {"d1": 1}, "q2": {}}',
        b'[{"a": 1}, 2]',
        b'{"a": ',
        b'[{"a": 1}]',
    ],
)
def test_json_without_records_of_several_keys_has_no_preview(data):
    assert preview_of(data, File("a.json")) is None
