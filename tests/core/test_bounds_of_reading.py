"""Small files that are large once they are read: what they cost is bounded."""

import gzip
import io
import json
import zlib

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import ReadError, read_run, read_texts
from metrics.reading import faults, json_records, names, parse_json
from metrics.reading.decode import each_line, each_part, lines
from metrics.reading.look_alikes import skeleton


class Counted:
    """A decompressor that counts the bytes that it was given."""

    def __init__(self, inner, counts):
        self._inner, self._counts = inner, counts

    def decompress(self, data, *most):
        self._counts.append(len(data))
        return self._inner.decompress(data, *most)

    def __getattr__(self, name):
        return getattr(self._inner, name)


@pytest.mark.parametrize("content", [b"", b"#"])
def test_gzip_members_are_not_copied_again_for_each_that_follows(monkeypatch, content):
    data = gzip.compress(content) * 5000 + gzip.compress(b"\nq Q0 d 1 1 t\n")
    counts, make = [], zlib.decompressobj
    monkeypatch.setattr(zlib, "decompressobj", lambda wbits: Counted(make(wbits), counts))
    assert read_run(data).to_dict() == {"q": {"d": 1}}
    assert sum(counts) < 200 * len(data)


def parquet(**columns):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, dictionary_pagesize_limit=1 << 28)
    return stream.getvalue()


def test_a_text_that_stands_once_for_all_rows_is_counted_for_each(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "expanded=10000000")
    one = pa.DictionaryArray.from_arrays(np.zeros(2000, np.int32), ["q" * 10_000])
    data = parquet(query=one, document=list(map(str, range(2000))), score=[1.0] * 2000)
    assert len(data) < 100_000
    with pytest.raises(ReadError, match="E-SIZE"):
        read_run(data)


def test_columns_of_one_name_are_looked_at_once_each(monkeypatch):
    looked, nested = [], pa.types.is_nested
    monkeypatch.setattr(pa.types, "is_nested", lambda of: looked.append(of) or nested(of))
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array([1])] * 300, names=["query"] * 300), stream)
    with pytest.raises(ReadError, match="300 columns"):
        read_run(stream.getvalue())
    assert len(looked) == 300


@pytest.fixture
def pool():
    """What counts the memory of Arrow in one test."""
    usual = pa.default_memory_pool()
    counting = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(counting)
    yield counting
    pa.set_memory_pool(usual)


def test_a_query_that_stands_once_is_not_copied_for_each_row(pool):
    documents = b",".join(b'"%d": 1' % number for number in range(5000))
    run = read_run(b'{"%s": {%s}}' % (b"q" * 1000, documents))
    assert len(run) == 5000
    assert pool.max_memory() < 1_000_000


def test_marks_for_the_end_of_a_file_are_looked_for_once():
    # Looked for from each of them, this would take an hour.
    with pytest.raises(ReadError, match="limit line"):
        read_run(b"q1 Q0 d1 1 1 t\n" + b"\x1a" * 500_000 + b"x\n")


def test_a_long_name_is_read_once():
    assert names.title("a" * 500_000) == names.shown("a" * 500_000)


def test_marks_heaped_on_a_letter_are_not_put_in_order():
    heaped = "e" + "\u0315" * 200_000 + "\u0327" * 200_000
    assert skeleton(heaped) == heaped
    assert skeleton("cafe\u0301" + "x" * 100) == "caf\u00e9" + "x" * 100


@pytest.mark.parametrize("tags", ["{0} {0}", "{0} u"])
def test_the_limit_of_a_line_holds_for_the_quick_reader_too(tags):
    one, other = tags.format("t" * 200_000).split()
    with pytest.raises(ReadError, match="limit line"):
        read_run(f"q1 Q0 d1 1 2 {one}\nq1 Q0 d2 2 1 {other}\n".encode())
    long = "t" * 2000
    assert read_run(f"q1 Q0 d1 1 2 {long}\n".encode()).to_dict() == {"q1": {"d1": 2}}


@pytest.mark.parametrize("row", ["ab," * 40_000, '"' + "a\n" * 60_000 + '",'])
def test_the_limit_of_a_line_holds_for_a_row_of_a_table(row):
    with pytest.raises(ReadError, match=r"line 3: .* too long.*limit line"):
        read_run(f"query,document,score\nq1,d1,1\n{row}\n".encode())


@pytest.mark.parametrize(
    "data",
    [
        b'{"q": {"a": 1}, "x": [0, 0, 0, 0, 0, 0]}',
        b'{"query": "q", "document": "a", "score": 1}\n' * 4,
        b'{"a":\n{"x": 1}\n, "b": [0, 0, 0, 0, 0, 0, 0, 0]}',
    ],
)
def test_values_of_json_are_counted_before_they_are_made(monkeypatch, data):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "values=8")
    made = []
    monkeypatch.setattr(json, "loads", watched(json.loads, made))
    with pytest.raises(ReadError, match=r"limit values|line 1"):
        read_run(data)
    # The first line is looked at once more, to see what the file is: three of them.
    assert sum(map(parse_json.separators, made)) <= 8 + 3


def watched(call, seen):
    def inner(text, **options):
        seen.append(text)
        return call(text, **options)

    return inner


@pytest.mark.parametrize("before", ["", "y" * 1_200_000, '\\"[[[{{{' * 10])
@pytest.mark.parametrize("depth", [18, 19])
def test_the_depth_of_json_is_bounded_wherever_it_stands(before, depth):
    deep = "[" * depth + "]" * depth
    data = f'[{{"query": "q", "document": "a", "score": 1, "pad": "{before}", "x": {deep}}}]'
    if depth == 18:
        assert len(read_run(data.encode())) == 1
    else:
        with pytest.raises(ReadError, match="limit depth"):
            read_run(data.encode())


def test_a_note_names_some_of_the_keys_that_are_not_used():
    records = [{"retrieved": ["d"], "relevant": ["d"], f"k{n}": 0} for n in range(100)]
    run = read_run(json.dumps(records).encode())
    assert max(map(len, run.notes)) < 500


ROWS = {
    "TREC": ("# a comment\n{}", "\n", "q Q0 {} 1 1 t"),
    "CSV": ("query,document,score\n{}", "\n", "q,{},1"),
    "JSON": ('{{"q": {{{}}}}}', ",", '"{}": 1'),
    "a JSON list": ('{{"q": [{}]}}', ",", '"{}"'),
    "JSON records": ("[{}]", ",", '{{"query": "q", "document": "{}", "score": 1}}'),
    "JSON Lines": ("{}", "\n", '{{"query": "q", "document": "{}", "score": 1}}'),
}


@pytest.mark.parametrize("name", ROWS)
def test_the_limit_of_rows_holds_in_every_format(monkeypatch, name):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=10")
    around, between, row = ROWS[name]

    def file(count):
        return around.format(between.join(map(row.format, range(count)))).encode()

    # A comment is a line that was read too.
    assert len(read_run(file(9))) == 9
    with pytest.raises(ReadError, match="limit rows"):
        read_run(file(11))


def test_the_limit_of_rows_holds_for_texts(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=2")
    assert len(read_texts(b"a\tb\nc\td")) == 2
    with pytest.raises(ReadError, match="limit rows"):
        read_texts(b"a\tb\nc\td\ne\tf")


@given(st.text("a\r\n", max_size=12), st.integers(1, 5))
def test_lines_are_the_same_in_parts(text, part):
    assert list(each_line(text, part)) == lines(text)
    ends = [line for each in each_part(text, part) for line in io.StringIO("".join(each), "")]
    assert ends == list(io.StringIO(text, ""))


def test_problems_are_counted_up_to_a_bound(monkeypatch):
    monkeypatch.setattr(json_records, "MOST_PROBLEMS", 10)
    monkeypatch.setattr("metrics.reading.delimited.MOST_PROBLEMS", 10)
    line = b'{"query": "q", "document": null, "score": 1}\n'
    for data in (line * 50, b"query,document,score\n" + b"q\n" * 50):
        with pytest.raises(ReadError) as caught:
            read_run(data)
        assert len(caught.value.problems) == 10
    assert faults.MOST_PROBLEMS > 10
