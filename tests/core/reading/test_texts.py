"""The texts of queries and documents: read exactly or refused."""

import pytest

from metrics import ReadError, read_texts
from tests.cases import cases


@cases("data", [b"id\ttext\n", b"\n \n", b"x" * 2000 + b"\ttext\n"])
def test_texts_without_anything_usable_are_refused(data):
    with pytest.raises(ReadError):
        read_texts(data)


@cases(
    "data",
    [
        b"q1\t0\td1\t3\nq2\t0\td4\t1\n",
        b"\nq1\t0\td1\t3\nq1\t0\td4\t-1",
        b"q1\tQ0\td1\t3\n",
        b"q1\tQ0\td1\t1\t9.5\ts\nq2\tQ0\td4\t1\t1e-3\ts\n",
        b"q1 Q0 d1 1 9.5 s\nq1 Q0 d2 2 8.5 s \n",
        b"query-id\tcorpus-id\tscore\nq1\td1\t1\n",
    ],
)
def test_a_run_or_qrels_are_refused_as_texts(data):
    with pytest.raises(ReadError, match=r"a run or qrels; .* as a run or as qrels"):
        read_texts(data)


@cases("text", ["0", "0 to 60", "Q0 code 5", "0\td1", "0\ta b\t3", "Q0\td1\tx"])
def test_a_text_may_begin_as_a_judgment_does(text):
    assert read_texts(f"q1\t{text}".encode()) == {"q1": text}
    assert len(read_texts(b"q1\t0\td1\t3\nq2\tred shoe")) == 2


def test_blank_lines_may_precede_the_header_of_texts():
    assert read_texts(b"\n \t\r\nqid\ttext\nq1\tcats\nqid\ttext") == {"q1": "cats", "qid": "text"}


def test_a_line_of_texts_is_a_header_only_where_it_names_both():
    assert read_texts(b"topic\tqueries about cats\n \n{a}\tx") == {
        "topic": "queries about cats",
        "{a}": "x",
    }
    assert read_texts(b"Query ID\tText\nq1\tcats") == {"q1": "cats"}
