"""Small files that become large when they are read: their cost is bounded."""

import gzip
import io
import weakref
import zipfile
import zlib
from pathlib import Path
from struct import pack

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Qrels, ReadError, Run, read_qrels, read_run, read_texts
from metrics.auditing.intake import Given, add_files
from metrics.reading import read_all, rows
from metrics.reading.from_json import records
from metrics.reading.from_tables import parquet as parquet_reader
from metrics.reading.problems import File, weight
from metrics.reading.sources import each_line, each_part, lines
from metrics.reading.unpack import LONGEST_NAME

DAMAGED = Path(__file__).parents[2] / "data/places_of_columns_damaged.parquet"


class Counted:
    """A decompressor that counts the bytes passed to it."""

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
    """An archive of one file that is listed often; ``said``: the number that it declares."""
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
    # Fewer members are listed and counted.
    with pytest.raises(ReadError, match="60 members in the archive"):
        read_run(zip_of(60, **how), "runs.zip")
    assert len(made) == 60


def test_as_many_long_names_as_are_allowed_are_read_and_shown_short():
    line, stream = "q1 Q0 d1 1 2.5 a\n", io.BytesIO()
    with zipfile.ZipFile(stream, "w") as packed:
        for number in range(50):
            packed.writestr("й" * (LONGEST_NAME - 4) + f"{number:02}/r", line)
            packed.writestr(f"__MACOSX/{number}" + "й" * 900, b"\0")
    runs = read_all(Run, stream.getvalue(), "runs.zip")
    told = next(note.text for note in runs[0].notes if note.code == "N-ARCHIVE")
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


def test_a_text_stored_once_for_all_rows_is_counted_for_each(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "expanded=10000000")
    one = pa.DictionaryArray.from_arrays(np.zeros(2000, np.int32), ["q" * 10_000])
    data = parquet(query=one, document=list(map(str, range(2000))), score=[1.0] * 2000)
    assert len(data) < 100_000
    with pytest.raises(ReadError, match="E-SIZE"):
        read_run(data)


def test_columns_of_one_name_are_compared_once_each(monkeypatch):
    looked, nested = [], pa.types.is_nested
    monkeypatch.setattr(pa.types, "is_nested", lambda of: looked.append(of) or nested(of))
    stream = io.BytesIO()
    pq.write_table(pa.Table.from_arrays([pa.array([1])] * 300, names=["query"] * 300), stream)
    with pytest.raises(ReadError, match="300 columns"):
        read_run(stream.getvalue())
    # Of each it is asked twice whether it has lists.
    assert len(looked) == 600


@pytest.fixture
def pool():
    """A pool that counts the memory of Arrow in one test."""
    usual = pa.default_memory_pool()
    counting = pa.proxy_memory_pool(usual)
    pa.set_memory_pool(counting)
    yield counting
    pa.set_memory_pool(usual)


def test_a_query_written_once_is_not_copied_for_each_row(pool):
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

    # Comment lines count too.
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
    monkeypatch.setattr(records, "MOST_PROBLEMS", 10)
    monkeypatch.setattr("metrics.reading.from_tables.delimited.MOST_PROBLEMS", 10)
    line = b'{"query": "q", "document": null, "score": 1}\n'
    for data in (line * 50, b"query,document,score\n" + b"q\n" * 50):
        with pytest.raises(ReadError) as caught:
            read_run(data)
        assert len(caught.value.problems) == 10
    assert rows.MOST_PROBLEMS > 10


def ranking(length, rows=2000):
    """A small Parquet file of a run with ids of this many characters."""
    one = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), ["q"])
    ids = pa.array([f"{number:0{length}}" for number in range(rows)])
    return parquet(query=one, document=ids.dictionary_encode(), score=list(map(float, range(rows))))


def zipped(*files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, content in enumerate(files):
            archive.writestr(f"r{number}", content)
    return stream.getvalue()


@pytest.fixture
def built(monkeypatch):
    """The number of rows of each Parquet run that was built."""
    rows, read = [], parquet_reader.read_quickly

    def counted(run, name):
        pairs = read(run, name)
        rows.append(len(pairs))
        return pairs

    monkeypatch.setattr(parquet_reader, "read_quickly", counted)
    return rows


QRELS = Given("q.txt", b"q 0 d 1", "qrels")


@pytest.mark.parametrize("length", [4, 500])
def test_a_parquet_file_that_no_session_holds_is_refused_before_it_is_built(
    monkeypatch, built, length
):
    # By its number of rows, or by the texts in them.
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={30_000 if length == 4 else 500_000}")
    problems = add_files([QRELS, Given("a.parquet", ranking(length), "run")]).problems
    assert [problem.problems[0].code for problem in problems] == ["E-SIZE"]
    assert "limit session" in str(problems[0])
    assert built == []


@pytest.mark.parametrize("packed", [True, False])
def test_what_was_read_before_counts(monkeypatch, built, packed):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "session=150000")
    files = [zipped(*[ranking(10)] * 9)] if packed else [ranking(10)] * 9
    given = [Given(f"{at}.x", data, "run") for at, data in enumerate(files)]
    (problem,) = add_files([QRELS, *given]).problems
    assert "limit session" in str(problem)
    assert built == [2000, 2000]


def test_texts_count_too(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "session=1000")
    texts = [Given(f"{at}.tsv", b"d\t" + b"x" * 600, role) for at, role in enumerate(ROLES)]
    (problem,) = add_files([QRELS, *texts]).problems
    assert str(problem).startswith("1.tsv")


ROLES = ("query_texts", "document_texts", "query_attributes")


def test_all_members_of_an_archive_expand_to_one_limit(monkeypatch, built):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "expanded=120000")
    assert len(read_all(Run, zipped(*[ranking(10)] * 2))) == 2
    with pytest.raises(ReadError, match="limit expanded"):
        read_all(Run, zipped(*[ranking(10)] * 4))
    # Each expands to 38,250 bytes: two of the first archive, three of the second.
    assert built == [2000] * 5


def test_a_file_that_is_of_the_other_kind_is_counted_once(monkeypatch):
    either = b'{"q": {%s}}' % b", ".join(b'"d%d": 1' % at for at in range(900))
    files = zipped(either, b"q Q0 d 1 1 t")
    held = sum(map(weight, [*read_all(Qrels, QRELS.data), *read_all(Run, files)]))
    given = [QRELS, Given("a.zip", files, "qrels")]
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={held}")
    assert add_files(given).dataset is not None
    monkeypatch.setenv("RANKSCOPE_LIMITS", f"session={held - 1}")
    (problem,) = add_files(given).problems
    assert "limit session" in str(problem)


def test_a_file_read_on_its_own_has_no_session_limit(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "session=10")
    assert len(read_run(ranking(10))) == 2000


@pytest.mark.parametrize("read", [read_run, read_qrels])
def test_damaged_places_of_columns_do_not_end_the_process(read):
    """Arrow aborts where Python asks for the sizes of such a column: one upload ended a server."""
    with pytest.raises(ReadError, match="E-PARQUET"):
        read(DAMAGED.read_bytes(), "x.parquet")


def test_a_damaged_column_of_a_session_does_not_end_the_process():
    """Arrow aborts where Python asks how its bytes are encoded; one session ended a server."""
    data = DAMAGED.with_name("column_of_session_damaged.parquet").read_bytes()
    with pytest.raises(parquet_reader.UNREADABLE):
        parquet_reader.read_columns(data, ["entry"], "entry", 8, File("s.zip"))


def test_what_a_parquet_file_was_read_from_is_forgotten():
    """Arrow keeps the exception that ends a look at the places of columns, for good."""

    def read():
        data = pa.py_buffer(parquet(query=["q"]))
        parquet_reader.read_columns(data.to_pybytes(), ["query"], "query", 8, File("s.zip"))
        return weakref.ref(data)

    assert read()() is None
