"""Small files that are large once they are read: what they cost is bounded."""

import gzip
import io
import zipfile
import zlib
from struct import pack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import ReadError, Run, read_run, read_texts
from metrics.reading import faults, json_records, read_all
from metrics.reading.decode import each_line, each_part, lines
from metrics.reading.unpack import LONGEST_NAME


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


def zip_of(count, said=None, wide=False):
    """An archive of one file that is listed often; ``said``: the number that it says instead."""
    local = pack("<4s5H3L2H", b"PK\3\4", 20, 0, 0, 0, 33, 0, 0, 0, 1, 0) + b"a"
    one = pack("<4s6H3L5H2L", b"PK\1\2", 20, 20, 0, 0, 0, 33, *[0] * 3, 1, *[0] * 6) + b"a"
    at, size, said = len(local), count * len(one), count if said is None else said
    if not wide:
        end = pack("<4s4H2LH", b"PK\5\6", 0, 0, said, said, size, at, 0)
    else:
        end = pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, said, said, size, at)
        end += pack("<4sLQL", b"PK\6\7", 0, at + size, 1)
        end += pack("<4s4H2LH", b"PK\5\6", 0, 0, *[(1 << 16) - 1] * 2, *[(1 << 32) - 1] * 2, 0)
    return local + count * one + end


@pytest.mark.parametrize("how", [{"said": 65_535}, {"said": 1}, {"wide": True}])
def test_an_archive_of_very_many_members_is_refused_before_they_are_listed(monkeypatch, how):
    made, entry = [], zipfile.ZipInfo
    monkeypatch.setattr(zipfile, "ZipInfo", lambda *of: made.append(of) or entry(*of))
    with pytest.raises(ReadError, match=r"at most 50 members \(limit members\)"):
        read_run(zip_of(100_000, **how), "runs.zip")
    assert not made
    # So few are listed, and counted.
    with pytest.raises(ReadError, match="60 members in the zip archive"):
        read_run(zip_of(60, **how), "runs.zip")
    assert len(made) == 60


def test_as_many_long_names_as_are_allowed_are_read_and_shown_short():
    line, stream = "q1 Q0 d1 1 2.5 a\n", io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for number in range(50):
            packed.writestr("й" * (LONGEST_NAME - 4) + f"{number:02}/r", line)
            packed.writestr(f"__MACOSX/{number}" + "й" * 900, b"\0")
    runs = read_all(Run, stream.getvalue(), "runs.zip")
    told = next(note for note in runs[0].notes if "The archive holds" in note)
    assert len(runs) == 50
    assert len(told) < 50 * 210
    assert "й07/r, й" in told


def test_a_member_with_a_very_long_name_is_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        packed.writestr("x" * (LONGEST_NAME + 1), "q1 Q0 d1 1 2.5 a\n")
    with pytest.raises(ReadError, match=r"whose name has 1,001 characters, 'x{79}…'; ") as caught:
        read_run(stream.getvalue(), "runs.zip")
    assert len(str(caught.value)) < 300


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
