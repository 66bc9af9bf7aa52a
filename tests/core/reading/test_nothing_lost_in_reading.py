"""Files of which a part would be lost, doubled or reversed: reported or refused in every form."""

import io
import struct
import zipfile

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import ReadError, read_texts
from tests.cases import cases
from tests.catalogue.upload import load_upload

QRELS = b"q1 0 d1 1\nq1 0 d2 0\nq2 0 d4 1\nq2 0 d5 0\n", "qrels.txt"
RUN = b"q1 Q0 d1 1 3 s\nq1 Q0 d2 2 1 s\nq2 Q0 d4 1 2 s\nq2 Q0 d5 2 1 s\n", "run.txt"
COLUMNS = {"qid": ["q1", "q1", "q2", "q2"], "docid": ["d1", "d2", "d4", "d5"]}
SCORES = {**COLUMNS, "score": [3.25, 2.5, 1.125, 1.0]}


def loaded(data, name="run.txt", role="run"):
    data = data if isinstance(data, bytes) else data.encode()
    return load_upload(data, name, role, QRELS if role == "run" else RUN)


def parquet(columns, **options):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


def archive(name="a.txt", content=RUN[0]):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr(name, content)
    return stream.getvalue()


@cases(
    ("text", "name", "role"),
    [
        ('qid\tnote\tdocid\tlabel\nq1\t"5 in\td1\t3\nq1\t6 in"\td2\t0\n', "q.tsv", "qrels"),
        ('qid,title,docid,score\nq1,"foo,d1,3\nq1,bar",d2,2\nq2,x,d4,1\n', "r.csv", "run"),
        ('qid,docid,score\nq1,"d1,3\nq1,d2",2\nq2,d4,1\n', "r.csv", "run"),
    ],
)
def test_two_stray_quotes_swallow_no_row(text, name, role):
    result = loaded(text, name, role)
    assert (result["severity"], result["line"]) == ("error", 2)
    assert "Close or double the quotes" in result["messages"][0]


def test_a_text_of_several_lines_may_hold_commas_and_numbers():
    text = 'qid,docid,score,text\nq1,d1,3,"one\ntwo, three, 4"\nq2,d4,1,x\n'
    assert loaded(text, "r.csv")["scores"] == [3.0, 1.0]


@cases(
    ("tail", "severity", "words"),
    [
        (b"", "ok", ""),
        (b"\0" * 20, "ok", ""),
        (b"x" * 50, "warn", "50 bytes after the end of the zip archive left out"),
        (archive(), "error", "Two archives seem to be joined"),
    ],
)
def test_what_follows_an_archive_is_reported(tail, severity, words):
    result = loaded(archive() + tail, "r.zip")
    assert result["severity"] == severity
    assert words in " ".join(result["messages"])


@cases(
    "text",
    [
        '{"0":{"qid":1,"docid":5,"score":2.5},"1":{"qid":1,"docid":6,"score":3}}',
        '{"q1":{"docid":5,"rank":1},"q2":{"docid":6,"rank":1}}',
        '{"columns":["docid","score"],"index":["q1","q2"],"data":[["d1",1],["d4",2]]}',
    ],
)
def test_a_table_that_pandas_wrote_in_another_way_has_no_queries(text):
    result = loaded(text, "r.json")
    assert result["severity"] == "error"
    assert "orient='records'" in result["messages"][0]


def test_a_parquet_page_that_changed_is_refused():
    options = {"compression": "none", "use_dictionary": False, "write_page_checksum": True}
    data = bytearray(parquet(SCORES, **options))
    assert loaded(bytes(data), "r.parquet")["scores"] == SCORES["score"]
    data[data.find(struct.pack("4d", *SCORES["score"])) + 7] ^= 1
    result = loaded(bytes(data), "r.parquet")
    assert result["severity"] == "error"
    assert "CRC" in result["messages"][0]


def test_an_empty_cell_between_tabs_shifts_no_other_cell():
    result = loaded("q1\tQ0\td1\t\t9\t1\nq1\tQ0\td2\t\t8\t1\n")
    assert (result["severity"], result["line"]) == ("error", 1)
    assert "in the column rank" in result["messages"][0]


TIMES = ["1700000000000000002", "1700000000000000001", "3", "2"]


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (RUN[0].replace(b" 3 s", b" %b s").replace(b" 1 s", b" %b s", 1), "r.txt"),
        (parquet({**COLUMNS, "score": pa.array(map(int, TIMES), pa.uint64())}), "r.parquet"),
    ],
)
def test_whole_scores_that_a_double_cannot_tell_apart_are_reported(data, name):
    if name == "r.txt":
        data = data % tuple(each.encode() for each in TIMES[:2])
    result = loaded(data, name)
    assert result["severity"] == "warn"
    said = " ".join(result["messages"])
    assert f"'{TIMES[1]}'" in said
    assert f"the same as '{TIMES[0]}'" in said


def test_one_number_written_twice_is_no_loss():
    result = loaded("q1 Q0 d1 1 9007199254740994 s\nq1 Q0 d2 2 9007199254740994.0 s\n")
    assert not any("double" in said for said in result["messages"])


TAGGED = (
    '[{"qid":"q1","docid":"d1","score":2,"tag":"A"},{"qid":"q2","docid":"d4","score":1,"tag":"B"}]'
)


@cases(
    ("data", "name"),
    [
        (TAGGED, "r.json"),
        (TAGGED[1:-1].replace("},", "}\n"), "r.jsonl"),
        (parquet({**SCORES, "tag": ["A", "A", "B", "B"]}), "r.parquet"),
    ],
)
def test_two_runs_in_one_file_are_reported_in_every_form(data, name):
    result = loaded(data, name)
    assert result["severity"] == "warn"
    assert "2 run tags in one file" in " ".join(result["messages"])


def test_an_id_with_a_leading_or_trailing_space_is_reported():
    result = loaded('{"q1":{"d1":3," d1":0},"q2":{"d4":1}}', "q.json", "qrels")
    assert result["docs"] == ["d1", " d1", "d4"]
    assert "with leading or trailing spaces, the first is ' d1'" in " ".join(result["messages"])


@cases(
    ("scores", "severity"),
    [("1 2 3 1 2", "warn"), ("0.1 0.2 0.3 0.1 0.2", "warn"), ("3 2 1 2 1", "ok")],
)
def test_a_run_whose_best_rank_has_the_lowest_score_is_reported(scores, severity):
    rows = ["q1 Q0 d1 1", "q1 Q0 d2 2", "q1 Q0 d0 3", "q2 Q0 d4 1", "q2 Q0 d5 2"]
    text = "".join(f"{row} {x} s\n" for row, x in zip(rows, scores.split(), strict=True))
    messages = load_upload(text.encode(), "run.txt", "run", None)["messages"]
    assert any("as with distances" in said for said in messages) == (severity == "warn")


def test_fractions_among_ranks_do_not_make_scores_ranks():
    text = RUN[0].decode().replace("d1 1 3 s", "d1 1.5 9.5 s").replace("d2 2 1 s", "d2 2 8.5 s")
    assert "swapped" not in " ".join(loaded(text)["messages"])


@pytest.mark.parametrize(
    ("data", "name"),
    [
        (
            '[{"qid":"q1","docid":"d1","score":2,"rank":null},{"qid":"q2","docid":"d4","score":1}]',
            "r.json",
        ),
        (parquet({**SCORES, "rank": [1, None, 1, 2]}), "r.parquet"),
    ],
)
def test_a_missing_rank_beside_a_score_is_reported(data, name):
    result = loaded(data, name)
    assert result["severity"] == "warn"
    assert "non-numeric rank" in " ".join(result["messages"])


def test_the_index_that_pandas_writes_is_no_column():
    assert loaded(parquet({**SCORES, "__index_level_0__": [2, 0, 1, 3]}), "r.parquet") == (
        loaded(parquet(SCORES), "r.parquet")
    )


JOINTS = {
    "files joined without a line end": "",
    "a byte order mark between them": "\ufeff",
    "a space": " ",
    "a tab": "\t",
    **{f"U+{ord(each):04X}": each for each in "\v\f\x1c\x1d\x1e\x85\u2028\u2029\x1a\u200b\u00a0"},
    **{repr(each): each for each in (*",;|/", "\\n", "<br>", " # ")},
}


@cases("second", ["Q0", "q0", "0", "1"])
@cases("joint", JOINTS.values(), ids=JOINTS)
def test_rows_that_are_joined_into_one_line_are_refused(joint, second):
    row = f"q1 {second} d1 1 3 s"
    text = f"{row}\n{row.replace('d1 1 3', 'd2 2 2')}{joint}q2 {second} d4 1 2 s\n"
    result = loaded(text)
    assert (result["severity"], result["line"]) == ("error", 2)
    assert "begin a new line" in result["messages"][0]


@cases("joint", ["\x85", "\u2028", "\u2029", "\v"])
def test_qrels_that_are_joined_into_one_line_are_refused_with_the_reason(joint):
    result = loaded(f"q1 0 d1 1\nq1 0 d2 0{joint}q2 0 d4 1\n", "qrels.txt", "qrels")
    assert (result["severity"], result["line"]) == ("error", 2)
    assert "begin a new line" in result["messages"][0]


@cases("joint", ["\x85", "\u2028", "\u2029", "\v"])
def test_texts_that_are_joined_into_one_line_are_refused(joint):
    with pytest.raises(ReadError, match=r"line 1: .* begin a new line"):
        read_texts(f"q1\tone{joint}q2\ttwo\nq3\tthree\n".encode())
    of_lines = read_texts(f"q1\tone{joint}more\nq3\tthree\tfour\n".encode())
    assert of_lines == {"q1": f"one{joint}more", "q3": "three\tfour"}


@cases("tag", ["bm25 k1 0.9 b 0.4", "my run 2", "run of 3 May", "fold 0 of 5", "a b c d e f g"])
def test_words_after_a_tag_are_left_out_with_a_note(tag):
    result = loaded(RUN[0].decode().replace(" s\n", f" {tag}\n"))
    assert result["scores"] == [3.0, 1.0, 2.0, 1.0]
    assert any("fields after the run tag" in each for each in result["messages"])
