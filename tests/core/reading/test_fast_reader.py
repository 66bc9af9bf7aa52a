"""The fast reader against the careful one: the same data, or no result."""

import gzip
import os
import tempfile
import threading
from itertools import pairwise
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import (
    Convention,
    Qrels,
    ReadError,
    Run,
    match,
    match_file,
    read_qrels,
    read_run,
    reading,
)
from metrics.reading.from_trec import fast_file
from metrics.reading.problems import File
from metrics.reading.rank_column import order_of
from metrics.reading.sources import open_bytes
from tests.cases import cases

SAMPLES = Path(__file__).parents[3] / "sample_data"
READ = {Run: read_run, Qrels: read_qrels}
CONVENTIONS = [Convention(), Convention(ties="input", unjudged="removed", queries="qrels")]
QRELS = Qrels.from_dict({"q2": {"d": 1, "e": 0}, "q1": {"d": 2, "é": 1, "f": 0}, "q9": {"d": 1}})


def named(data):
    return "deep/my.run.gz" if data[:2] == b"\x1f\x8b" else "deep/my.run"


def carefully(kind, data):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "read_quickly", lambda *_: None)
        return READ[kind](data, named(data))


def quickly(kind, data):
    return fast_file.read_quickly(kind, open_bytes(data), "my", File("my"))


def everything(pairs):
    """All that a Run or Qrels is, bit for bit."""
    assert pairs.document.null_count == 0
    return (
        *(pairs.queries, pairs.name, pairs.notes, pairs.tag, pairs.digest),
        pairs.document.to_pylist(),
        *(pairs.document.type, pairs.query.dtype, pairs.query.tobytes(), pairs.value.tobytes()),
    )


def all_fields(judged):
    hits = [
        (
            *(h.query.tobytes(), h.document.to_pylist(), h.rank.tobytes(), h.grade.tobytes()),
            *(h.first.tobytes(), h.last.tobytes(), h.query.dtype, h.rank.dtype, h.first.dtype),
        )
        for h in (judged.hits, judged.judged)
    ]
    return (
        *hits,
        *(judged.queries, judged.retrieved.tobytes(), judged.retrieved.dtype, judged.convention),
        *(judged.missing_from_run, judged.missing_from_qrels, judged.notes, judged.tag),
    )


def outcome(act, *given, **options):
    """Return the data, or the message of the refusal."""
    try:
        return act(*given, **options)
    except ReadError as refusal:
        return str(refusal)


def compare(kind, data):
    """Return whether the fast reader accepted the data, with the careful reader's result."""
    fast, careful = quickly(kind, data), outcome(carefully, kind, data)
    if kind is Run:
        for convention in CONVENTIONS:
            streamed = outcome(match_file, QRELS, data, convention, name=named(data))
            if isinstance(careful, str):
                assert streamed == careful
            else:
                assert all_fields(streamed) == all_fields(match(QRELS, careful, convention))
    if fast is None:
        return False
    assert fast.notes == careful.notes[: len(fast.notes)]
    assert everything(READ[kind](data, named(data))) == everything(careful)
    return True


PLAIN = {
    "spaces": b"q1 Q0 d 1 2.5 t\nq1 Q0 e 2 1 t\n",
    "no last line end": b"q1 Q0 d 1 2.5 t",
    "tabs": b"q1\tQ0\td\t1\t2.5\tt\nq1\tQ0\te\t2\t1\tt\n",
    "wide": b"  q1  Q0 d   1   2.5 t \nq1 Q0 e 2 1 t \n",
    "wide tabs": b"\tq1\t\tQ0\td\t1\t2.5\tt\t\nq1\tQ0\te\t2\t1\tt\t\n",
    "a space before": b" q1 Q0 d 1 2.5 t\nq1 Q0 e 2 1 t",
    "a space after": b"q1 Q0 d 1 2.5 t\nq1 Q0 e 2 1 t ",
    "blank lines": b"\n \n\nq1 Q0 d 1 2.5 t\n\n \nq1 Q0 e 2 1 t\n \n\n",
    "line ends of Windows": b"q1 Q0 d 1 2.5 t\r\n\r\nq1 Q0 e 2 1 t\r\n",
    "byte order mark": b"\xef\xbb\xbfq1 Q0 d 1 2.5 t",
    "not ASCII": "q1 Q0 é 1 2.5 日本\nq1 😀 e 2 1 日本".encode(),
    "quotes": b'q1 Q0 "d 1 2.5 t"\nq1 Q0 \'e" 2 1 t"',
    "a comma and words of headers": b"query Q0 doc,id 1 2.5 t\nq1 Q0 e; 2 1 t",
    "null words": b"NA NULL null 1 2.5 nan\nNaN Q0 N/A 2 1 nan",
    "shuffled": b"q1 Q0 d 2 2.5 t\nq2 Q0 d 1 1 t\nq1 Q0 e 1 7 t",
    "zeros": b"q1 Q0 d 1 0 t\nq1 Q0 e 2 -0.0 t\nq1 Q0 f 3 0e-5 t\nq1 Q0 g 4 .0E-999 t\n"
    b"q1 Q0 h 5 -1 t",
    "small": b"q1 Q0 d 1 5e-324 t\nq1 Q0 e 2 1e-310 t",
    "digits": b"q1 Q0 d 1 0.1000000000000000055511151231257827 t\nq1 Q0 e 2 9007199254740991 t",
    "ties": b"q1 Q0 d 1 1 t\nq1 Q0 e 2 1 t\nq1 Q0 f 3 0 t\nq2 Q0 f 3 1 t\nq2 Q0 e 1 0 t",
    "ranks": b"q1 Q0 d 3 1 t\nq1 Q0 e 1.5 9 t\nq1 Q0 f -2 5 t",
    "plus": b"q1 Q0 d +1 +1.5 t",
}
NOT_PLAIN = {
    "tabs and spaces": b"q1\tQ0 d 1 2.5\tt\nq1 Q0\te 2 1 t\n",
    "a space within a tab's cell": b"q1\tQ0\tdoc 1\t1\t9.5\nq1\tQ0\tdoc 2\t2\t8\n",
    "Q0 for every document": b"q1 d Q0 1 2.5 t\nq2 e Q0 2 1 t\n",
    "nothing but ties": b"q1 Q0 d 1 1 t\nq1 Q0 e 2 1 t\nq2 Q0 f 3 1 t\nq2 Q0 e 1 1 t",
    "queries that look alike": "da Q0 d 1 2 t\nd\u0430 Q0 d 1 2 t".encode(),
    "control characters": b"q1 Q0 d\x0b\x1c 1 2.5 t",
    "delete": b"q1 Q0 d\x7f 1 2.5 t",
    "hidden letters": "q1 Q0 d\u202e 1 2.5 t".encode(),
    "ids that look alike": "q1 Q0 da 1 2.5 t\nq1 Q0 d\u0430 2 2 t".encode(),
    "two tags": b"q1 Q0 d 1 2.5 t\nq1 Q0 e 2 2 u",
    "a comment": b"# mine\nq1 Q0 d 1 2.5 t",
    "a query like a comment": b"q1 Q0 d 1 2.5 t\n#q Q0 d 1 2.5 t",
    "a long id": b"q1 Q0 " + b"d" * 1001 + b" 1 2.5 t",
    "underflow": b"q1 Q0 d 1 1e-999 t",
    "underflow beside zeros": b"q1 Q0 d 1 0 t\nq1 Q0 e 2 0.00001E-400 t",
    "underflow without exponent": b"q1 Q0 d 1 0." + b"0" * 400 + b"1 t",
    "overflow": b"q1 Q0 d 1 1e999 t",
    "not a number": b"q1 Q0 d 1 nan t",
    "infinity": b"q1 Q0 d 1 -Infinity t",
    "a non-numeric rank": b"q1 Q0 d x 1 t",
    "a rank that is nan": b"q1 Q0 d nan 1 t\nq1 Q0 e 1 2 t",
    "hexadecimal": b"q1 Q0 d 1 0x10 t",
    "two signs": b"q1 Q0 d 1 +-1 t",
    "a document twice": b"q1 Q0 d 1 1 t\nq2 Q0 d 1 1 t\nq1 Q0 d 2 1 t",
    "a field short": b"q1 Q0 d 1 1 t\nq1 Q0 e 2 1",
    "a field short, two spaces": b"q1 Q0 d 1 1 t\nq1 Q0 e  2 1",
    "no Q0, two spaces": b"q1  d 1 1 t\nq1 Q0 e 2 1 t",
    "no document, two spaces": b"q1 Q0 d 1 1 t\nq1 Q0  2 1 t",
    "no tag, a space": b"q1 Q0 d 1 1 t\nq1 Q0 e 2 1 ",
    "no query, a space": b"q1 Q0 d 1 1 t\n Q0 e 2 1 t",
    "a field long": b"q1 Q0 d 1 1 t\nq1 Q0 e 2 1 t u",
    "qrels": b"q1 0 d 1",
    "NUL": b"q1 Q0 d 1 1 t\0",
    "Latin-1": b"q1 Q0 d 1 1 t\nq1 Q0 e 2 1 \xe9",
    "a surrogate": b"q1 Q0 d 1 1 t\nq1 \xed\xa0\x80 e 2 1 t",
    "old line ends": b"q1 Q0 d 1 1 t\rq1 Q0 e 2 1 t",
    "a second byte order mark": b"\xef\xbb\xbf\xef\xbb\xbfq1 Q0 d 1 2.5 t",
    "a byte order mark after blanks": b" \xef\xbb\xbfq1 Q0 d 1 2.5 t",
    "JSON": b'{"q1": {"d": 1}}',
    "a bracket": b"[q1 Q0 d 1 1 t",
    "a header": b"query,document,score\nq1,d,1",
    "a header of six columns": b"query\tx\tdocid\trank\tscore\tt\nq1\tx\td\t1\t1\tt",
    "a PDF": b"%PDF Q0 d 1 1 t",
    "nothing": b"",
    "blanks": b" \n\t\n",
}


@cases("size", [2, 20, 1 << 23])
@cases("pack", [bytes, gzip.compress])
@cases("name", PLAIN)
def test_plain_runs_are_read_fast(name, pack, size, monkeypatch):
    monkeypatch.setattr(fast_file, "SIZE", size)
    assert compare(Run, pack(PLAIN[name]))


@cases("size", [2, 20, 1 << 23])
@cases("pack", [bytes, gzip.compress])
@cases("name", NOT_PLAIN)
def test_other_files_are_left_to_the_careful_reader(name, pack, size, monkeypatch):
    monkeypatch.setattr(fast_file, "SIZE", size)
    assert not compare(Run, pack(NOT_PLAIN[name]))


@cases("size", [1, 2, 3])
def test_bytes_are_tested_across_the_ends_of_blocks(size, monkeypatch):
    monkeypatch.setattr(fast_file, "_BLOCK", size)
    for data in PLAIN.values():
        assert quickly(Run, data) is not None
    for data in NOT_PLAIN.values():
        assert quickly(Run, data) is None


@pytest.mark.parametrize("other", ["", "é"])
def test_any_byte_in_an_id_is_read_as_the_careful_reader_does(other):
    plain = {
        byte
        for byte in [*range(35), 126, 127, 128, 138, 139, 255]
        if compare(Run, f"q1 Q0 d{other}".encode() + bytes([byte]) + b"e 1 2.5 t\nq1 Q0 f 2 1 t\n")
    }
    # A space makes a field too many, a line feed two lines too short.
    assert plain == {33, 34, 126}


@cases("path", sorted(SAMPLES.glob("*/*.run")), ids=str)
def test_the_samples_runs_are_plain(path):
    assert compare(Run, path.read_bytes())


@cases("path", sorted(SAMPLES.glob("*/qrels.txt")), ids=str)
def test_the_samples_qrels_are_plain(path):
    # Aspects in the second column are for the careful reader.
    assert compare(Qrels, path.read_bytes()) == (path.parent.name != "ambiguous")


@cases(
    ("data", "plain"),
    [
        (b"q1 0 d 1\nq1 0 e 0\nq2 0 d 3", True),
        (b"q1\t0\td\t30\r\nq1\t0\te\t5.0", True),
        (b"q1 0 d 1\nq1 0 e 0\nq2 0 d -1", False),
        (b"q1\t0\td\t31\r\nq1\t0\te\t5", False),
        (b"q1\t0\td\t1\r\nq1\t0\te\t.5", False),
        (b"q1 0 d 1001", False),
        (b"q1 0 d -1000.1", False),
        (b"q1 0 d 1\nq1 0 d 1", False),
        (b"q1 0 d 1 t\nq1 0 e 1 t", False),
        (b"q1 Q0 d 1 1 t", False),
        (b"q1 d 1 3\nq1 e 2 0", False),
    ],
)
def test_qrels(data, plain):
    assert compare(Qrels, data) == plain


def test_broken_gzip_is_left_to_the_careful_reader():
    whole = gzip.compress(PLAIN["spaces"] * 1)
    assert compare(Run, whole[:20] + whole[20:])
    assert compare(Run, gzip.compress(b"q1 Q0 d 1 2 t\n") + gzip.compress(b"q2 Q0 d 1 2 t\n"))
    assert not compare(Run, whole[:-5])
    assert not compare(Run, whole + b"rest")
    assert not compare(Run, whole[:-8] + b"\0\0\0\0" + whole[-4:])
    # The careful reader skips padding; the fast one need not.
    assert not compare(Run, whole + bytes(20))


def test_more_than_the_limit_is_left_to_the_careful_reader(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "expanded=20")
    assert quickly(Run, gzip.compress(PLAIN["spaces"])) is None


def test_a_pipe_can_be_read(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    threading.Thread(target=pipe.write_bytes, args=(PLAIN["spaces"],)).start()
    assert len(match_file(QRELS, pipe).hits) == 1


def test_progress_grows_to_one(monkeypatch):
    monkeypatch.setattr(fast_file, "SIZE", 40)
    told = []
    data = b"".join(b"q%d Q0 d 1 1 t\n" % number for number in range(99))
    match_file(QRELS, data, progress=told.append)
    assert len(told) > 20
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert told[0] > 0
    told.clear()
    match_file(QRELS, NOT_PLAIN["old line ends"], progress=told.append)
    assert told == [1.0]


ID = st.one_of(
    st.sampled_from(["q1", "q2", "d", "e", "f"]),
    st.sampled_from(["é", '"', "''", "NA", "\x0b", "\x1f", "e-", "\u2028", "[", "a,b", "\ufeff"]),
    st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4),
)
NUMBER = st.one_of(
    st.integers(-3, 3).map(str),
    st.floats(allow_nan=False, allow_infinity=False).map(repr),
    st.sampled_from(["1.", ".5", "-0", "0e-9", "1e-400", "1E5", "nan", "1_0", "+2", "1e400"]),
    st.text("0123456789+-.eE", min_size=1, max_size=6),
)
GAP = st.sampled_from([" "] * 12 + ["\t", "  ", " \t"])
END = st.sampled_from(["\n"] * 12 + ["\r\n", "\n\n", " \n", "\n ", "\r"])


@st.composite
def files(draw, wanted):
    """TREC files with, now and then, something odd."""
    number, id_ = (NUMBER, ID) if draw(st.booleans()) else (st.integers(0, 3).map(str), SANE)
    text = draw(st.sampled_from([""] * 8 + ["\ufeff", " ", "\n", "\ufeff\ufeff"]))
    for _ in range(draw(st.integers(0, 12))):
        fields = [draw(id_), "Q0", draw(id_), draw(number), draw(number), "t"]
        if wanted is Qrels:
            fields = [fields[0], "0", fields[2], fields[3]]
        gap = draw(GAP)
        text += gap.join(fields) + draw(END)
    return text.encode()


SANE = st.sampled_from(["q1", "q2", "q3", "d", "e", "f", "é"])


@settings(max_examples=400)
@given(files(Run), st.integers(2, 200), st.booleans())
def test_the_two_readers_agree_on_runs(data, size, zipped):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_file, "SIZE", size)
        compare(Run, gzip.compress(data) if zipped else data)


@settings(max_examples=200)
@given(files(Qrels), st.integers(2, 200))
def test_the_two_readers_agree_on_qrels(data, size):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(fast_file, "SIZE", size)
        compare(Qrels, data)


@given(
    st.lists(
        st.tuples(*[st.integers(0, 2)] * 4), min_size=1, max_size=12, unique_by=lambda row: row[:2]
    )
)
def test_contradictions_are_counted_as_by_hand(rows):
    """In a query, by rank and then score: each row that belongs above its predecessor."""
    count = 0
    for query in {row[0] for row in rows}:
        ranked = sorted((row for row in rows if row[0] == query), key=lambda row: (row[3], -row[2]))
        keys = [(score, document) for _, document, score, _ in ranked]
        count += sum(key > before for before, key in pairwise(keys))
    query, document, score, rank = zip(*rows, strict=True)
    ids = pa.array(map(str, document), pa.string())
    queries = tuple("qrst")
    order = order_of(Run(queries, np.array(query), ids, np.array(score)), np.array(rank))
    assert order.contradictions == count


COLUMN = st.one_of(
    st.lists(st.sampled_from([0.0, 0.5, 1.0, 2.0, 3.0, 1e308, -1e308]), min_size=8, max_size=8),
    st.tuples(st.sampled_from([-1.0, -0.5, 1.0, 2.0]), st.integers(-1, 8)).map(
        lambda line: [line[1] + line[0] * number for number in range(8)]
    ),
)


@settings(max_examples=300)
@given(st.lists(st.tuples(st.integers(1, 8), COLUMN, COLUMN), min_size=1, max_size=3))
def test_directions_are_counted_as_by_hand(queries):
    swapped, several, rising = 0, 0, 0
    for size, scores, ranks in queries:
        rows = sorted(zip(ranks[:size], scores[:size], strict=True), key=lambda r: (r[0], -r[1]))
        ranks, scores = zip(*rows, strict=True)
        steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(rows)]
        several += len(set(scores)) > 1
        rising += size > 1 and all(rank > 0 and score > 0 for rank, score in steps)
        down = size > 1 and scores[-1] == int(scores[-1]) and all(s == -1 for _, s in steps)
        like_ranks = scores[-1] == 1 or (scores[-1] == 0 and ranks[0] > 1)
        no_ranks = ranks[0] < ranks[-1] and any(rank != 1 for rank, _ in steps)
        fractions = any(rank != int(rank) for rank in ranks)
        swapped += down and ((like_ranks and no_ranks) or fractions)
    query = np.repeat(np.arange(len(queries)), [size for size, _, _ in queries])
    score = np.array([score for size, scores, _ in queries for score in scores[:size]])
    rank = np.array([rank for size, _, ranks in queries for rank in ranks[:size]])
    run = Run(tuple("qrs"), query, pa.array(map(str, range(len(query)))), score)
    order = order_of(run, rank)
    assert (order.swapped, order.several, order.rising) == (swapped, several, rising)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 6)), min_size=1), st.integers(2, 400))
def test_parts_are_whole_queries(queries, size):
    rows = [
        b"q%d Q0 d%d 1 1 t\n" % (number, document)
        for number, (_, depth) in enumerate(queries)
        for document in range(depth)
    ]
    data = b"".join(rows)
    with pytest.MonkeyPatch.context() as patch, tempfile.TemporaryDirectory() as folder:
        patch.setattr(fast_file, "SIZE", size)
        path = Path(folder) / "a.run"
        path.write_bytes(data)
        for source in (data, gzip.compress(data), path):
            with open_bytes(source) as file:
                read = [(get(), end) for get, end in fast_file.blocks_of(file)]
            cut = [part for part, _ in read]
            assert b"".join(cut) == data
            assert max(map(len, cut)) <= 2 * size + 2 * 6 * 20
            names = [{line.split()[0] for line in part.splitlines()} for part in cut]
            assert sum(map(len, names)) == len(queries)
            ends = [end for _, end in read]
            assert ends == sorted(ends)
            if source is path:
                assert ends == np.cumsum(list(map(len, cut))).tolist()


def test_a_file_truncated_meanwhile_is_not_plain(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(b"q1 Q0 d1 1 1 t\n")
    with path.open("rb") as file:
        (read, _), *_ = fast_file.blocks_of(file)
        path.write_bytes(b"q1")
        with pytest.raises(fast_file.NotPlainError):
            read()
