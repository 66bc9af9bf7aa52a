"""Readers: every format gives the same data; a wrong file gives file, line, column and fix."""

import gzip
import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import ReadError, read_qrels, read_run, read_texts
from tests.cases import cases

RUN = {"q1": {"01": 2.5, "1": 1.0}, "q2": {"d,1": -3e-2}}
TREC = b"q1 Q0 01 1 2.5 tag\nq1\tQ0  1 2 1.0 tag\r\n\nq2 Q0 d,1 1 -3e-2 tag"
FORMATS = {
    "trec": TREC,
    "trec.gz": gzip.compress(TREC),
    "trec in two gzip members": gzip.compress(TREC[:30]) + gzip.compress(TREC[30:]),
    "bom": b"\xef\xbb\xbf" + TREC,
    "csv": b'query,document,score\nq1,01,2.5\nq1,1,1.0\nq2,"d,1",-3e-2\n',
    "csv by other names": b'pos;Topic;DocNo;Sim\r\n1;q1;01;2.5\r\n2;q1;1;1.0\r\n1;q2;"d,1";-3e-2',
    "tsv": b"query_id\tcorpus-id\tscore\nq1\t01\t2.5\nq1\t1\t1.0\nq2\td,1\t-3e-2",
    "csv with blank lines": b'  \n\nquery,document,score\nq1,01,2.5\nq1,1,1.0\nq2,"d,1",-3e-2',
    "csv with old line ends": b'query,document,score\rq1,01,2.5\rq1,1,1.0\rq2,"d,1",-3e-2',
    "csv with texts too": b"qid,query,docid,document,score\nq1,a,01,x,2.5\nq1,a,1,y,1\n"
    b'q2,b,"d,1",z,-3e-2',
    "json": json.dumps(RUN).encode(),
    "json with text before": b" \n" + json.dumps(RUN, indent=1).encode(),
}


@cases("name", FORMATS)
def test_every_format_gives_the_same_run(name):
    assert read_run(FORMATS[name], name).to_dict() == RUN


def test_every_format_gives_the_same_qrels():
    grades = {"q1": {"a": 3.0, "b": 0.0}}
    assert read_qrels(b"q1 0 a 3\nq1 0 b 0").to_dict() == grades
    assert read_qrels(b"qid,doc,label\nq1,a,3\nq1,b,0").to_dict() == grades
    assert read_qrels(b"query-id\tcorpus-id\tscore\nq1\ta\t3\nq1\tb\t0").to_dict() == grades
    assert read_qrels(json.dumps(grades).encode()).to_dict() == grades


def test_names_come_from_the_file():
    assert read_run(TREC, "deep/bm25.run.gz").name == "bm25"


@cases(
    ("rows", "count"),
    [
        ("a 1 1.0|b 2 2.0|c 3 0", "1 row "),
        ("a 1 0|b 2 0", "1 row "),
        ("b 1 0|a 2 0", None),
        ("a 1 5|b 3 1|c 2 9", "1 row "),
        ("a 2 1|b 1 2|c 3 0", None),
    ],
)
def test_a_rank_that_contradicts_the_order_of_evaluation_is_reported(rows, count):
    # Another query, so that not every score is the same.
    lines = ["q Q0 {} {} {} t".format(*row.split()) for row in rows.split("|")] + ["p Q0 a 1 7 t"]
    notes = [
        str(n) for n in read_run("\n".join(lines).encode(), "r").notes if n.code == "N-RANK-ORDER"
    ]
    assert [note.startswith(count or "-") for note in notes] == ([True] if count else [])


def test_a_query_without_documents_is_reported():
    notes = read_run(b'{"q1": {"d": 1}, "q2": {}}').notes
    assert list(map(str, notes)) == ["1 query without a document left out, the first is 'q2'."]


WRONG = [
    ("run", b"", "E-EMPTY", None, None, "empty"),
    ("run", b" \n\n", "E-EMPTY", None, None, "no data rows"),
    ("run", b"query,document,score\n", "E-EMPTY", None, None, "no data rows"),
    ("run", TREC.replace(b"2.5", b"high"), "E-NUMBER", 1, 5, "'high'"),
    ("run", TREC.replace(b"2.5", b"NaN"), "E-NUMBER", 1, 5, "'nan'"),
    ("run", TREC.replace(b"2.5", b"1e400"), "E-NUMBER", 1, 5, "too large"),
    ("run", TREC.replace(b"2.5", b"8_5"), "E-NUMBER", 1, 5, "'8_5'"),
    ("run", TREC.replace(b"2.5", b"2,5"), "E-NUMBER", 1, 5, "decimal comma"),
    ("run", TREC + b"\nq2 Q0 d,1 2 9 tag", "E-DUP-DOC", 5, 3, "first on line 4"),
    ("run", b"q1 Q0 d 1 2.5 tag\nq1 Q0 e 2", "E-FIELDS", 2, None, "6 columns"),
    ("run", b"q1 0 d 1", "E-ROLE", 1, None, "looks like qrels"),
    ("qrels", b"q1 Q0 d 1 2.5 tag", "E-ROLE", 1, None, "looks like a run"),
    ("run", b"query,document,grade\nq,d,1", "E-ROLE", 1, None, "looks like qrels"),
    ("run", b"query,title,score\nq,d,1", "E-HEADER", 1, None, "a document column"),
    ("run", b"query,document,score\nq,d\n", "E-FIELDS", 2, None, "2 fields"),
    ("run", b'query,document,score\nq,"d,1\n', "E-QUOTE", 2, None, "quotes"),
    ("run", b"query,document,score\nq,,1\n", "E-ID", 2, 2, "an empty document"),
    ("run", b"query,document,score\nq,d,\n", "E-NUMBER", 2, 3, "an empty score"),
    ("qrels", b"q1 0 d 1100", "E-GRADE", 1, 4, "small scale"),
    ("qrels", b"q1 0 d -1100", "E-GRADE", 1, 4, "small scale"),
    ("qrels", "q1 0 d ３".encode(), "E-NUMBER", 1, 4, "digits"),
    ("qrels", b"q1 0 d\xe9 1", "E-ENCODING", 1, None, "save the file as utf-8"),
    ("run", "q1 Q0 d 1 1 t".encode("utf-16-le"), "E-ENCODING", None, None, "save as utf-8"),
    ("run", "q1 Q0 d 1 1 t".encode("utf-16-be"), "E-ENCODING", None, None, "utf-16 text"),
    ("run", "q1 Q0 d 1 1 t".encode("utf-32-le"), "E-ENCODING", None, None, "utf-32 text"),
    ("run", "q1 Q0 d 1 1 t".encode("utf-32-be"), "E-ENCODING", None, None, "utf-32 text"),
    ("run", b"\xff\xfe\0\0q", "E-ENCODING", None, None, "utf-32 text"),
    ("run", b"q1 Q0 d 1 2.5 tag\n\0\0\0", "E-NUL", 2, None, "damaged"),
    ("run", bytes(99), "E-NUL", 1, None, "damaged"),
    ("run", b"%PDF-1.7", "E-FORMAT", None, None, "a pdf"),
    ("run", gzip.compress(TREC * 50, mtime=0)[:-9], "E-GZIP", None, None, "ends too early"),
    ("run", b"\x1f\x8bnonsense", "E-GZIP", None, None, "corrupt gzip"),
    ("run", b'{"q": {"d": 1},}', "E-JSON", 1, None, "comma"),
    ("run", b'{"q": {"d": true}}', "E-NUMBER", None, None, "true"),
    ("run", b'{"q": {"d": NaN}}', "E-NUMBER", None, None, "nan"),
    ("run", b'{"q": {"d": 1, "d": 2}}', "E-DUP-DOC", None, None, "duplicate"),
    ("run", b'{"q": {"d": 1}, "q": {"e": 2}}', "E-DUP-QUERY", None, None, "duplicate"),
    ("run", b'{"q": 1}', "E-JSON", None, None, "the number 1"),
    ("run", b'{"q": {"\\ud800": 1}}', "E-ID", None, None, "surrogate"),
    ("run", TREC.replace(b"2.5", b"1e-400"), "E-NUMBER", 1, 5, "too small"),
    ("run", b"query,document,score,score\nq,d,1,2", "E-HEADER", 1, None, "twice"),
    ("qrels", b"query,document,rank,score\nq,d,1,2", "E-ROLE", 1, None, "looks like a run"),
    ("run", b'query,document,score\nq,d,1\nq,"e,1\nq,f,1\n', "E-QUOTE", 3, None, "quotes"),
    ("run", b"q Q0 d 1 1 t\rq Q0 \xe9 2 1 t", "E-ENCODING", 2, None, "utf-8"),
    ("run", b"[" * 100_000, "E-JSON", 1, None, "nested"),
]


@cases(("role", "data", "code", "line", "column", "words"), WRONG)
def test_wrong_files_are_explained(role, data, code, line, column, words):
    with pytest.raises(ReadError) as caught:
        {"run": read_run, "qrels": read_qrels}[role](data, "my file")
    problem = caught.value.problems[0]
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert words in str(caught.value).lower()
    assert "my file" in str(caught.value)
    assert problem.fix


@cases("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_a_byte_order_mark_says_how_a_text_is_read(encoding):
    run = read_run("\ufeffq1 Q0 \U0001f600 1 2.5 tag".encode(encoding))
    assert run.to_dict() == {"q1": {"\U0001f600": 2.5}}
    assert f"Read as {encoding[:6].upper()}, detected from the first bytes." in map(str, run.notes)


def test_many_problems_are_shown_in_part_and_counted():
    with pytest.raises(ReadError) as caught:
        read_run(b"q1 Q0 d\n" * 50, "r")
    assert str(caught.value).count("E-FIELDS") == 20
    assert "30 more" in str(caught.value)


def test_a_whole_file_of_the_wrong_kind_is_one_problem():
    with pytest.raises(ReadError) as caught:
        read_qrels(TREC * 9, "r")
    assert len(caught.value.problems) == 1


def test_problems_of_every_kind_are_reported_in_line_order():
    with pytest.raises(ReadError) as caught:
        read_run(b"q Q0 a 1 high t\nq Q0 b 2\nq Q0 a 3 1 t", "r")
    found = [(problem.line, problem.code) for problem in caught.value.problems]
    assert found == [(1, "E-NUMBER"), (2, "E-FIELDS"), (3, "E-DUP-DOC")]


def test_texts():
    assert read_texts(b"query\ttext\nq1\ta\tb\n") == {"q1": "a\tb"}
    assert read_texts(b"q1\ta\nq2\tb") == {"q1": "a", "q2": "b"}
    with pytest.raises(ReadError, match="line 3"):
        read_texts(b"query\ttext\nq1\ta\nq1\tb", "t")


@given(st.binary(max_size=200))
def test_only_our_own_error_comes_out(data):
    for read in (read_run, read_qrels, read_texts):
        with suppress(ReadError):
            read(data, "bytes")


IDS = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters=" \t\r\n\0\ufeff"),
    min_size=1,
    max_size=8,
)


@given(st.dictionaries(IDS, st.dictionaries(IDS, st.floats(-1e9, 1e9), min_size=1), min_size=1))
def test_ids_and_scores_survive_trec_and_json(run):
    rows = [f"{q} Q0 {d} 1 {s!r} t" for q, documents in run.items() for d, s in documents.items()]
    # A line that begins with "# " is a comment.
    if rows[0][0] not in "{[" and "," not in rows[0] and ";" not in rows[0] and "#" not in run:
        assert read_run("\n".join(rows).encode(), "t").to_dict() == run
    assert read_run(json.dumps(run).encode(), "j").to_dict() == run
