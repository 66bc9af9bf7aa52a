"""A run in Parquet, read part by part: the result of the careful reader, in any order and size."""

import io

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from metrics import Convention, Qrels, ReadError, match, match_file, read_run
from metrics import reading as readers
from metrics.reading.from_tables import arrow_stream
from metrics.reading.from_tables import parquet as parquet_reader
from metrics.reading.from_tables.parquet import ParquetRun
from metrics.reading.problems import File
from tests.cases import cases

QRELS = Qrels.from_dict({"q1": {"a": 2, "b": 0}, "q2": {"a": 1}, "7": {"1": 1}, "8": {"3": 2}})
TWO = {"qid": ["q1", "q1", "q1", "q2", "q2"], "docid": ["b", "a", "c", "x", "a"]}
FALLING = {"score": [3.0, 2.0, 1.0, 9.0, 8.0]}
PLAIN = {**TWO, **FALLING}

RUNS = {
    "plain": PLAIN,
    "ranks": {**PLAIN, "rank": [1, 2, 3, 1, 2]},
    "ranks that contradict": {**PLAIN, "rank": [3, 2, 1, 1, 2]},
    "ranks from 0": {**PLAIN, "rank": [0.0, 1.0, 2.0, 0.0, 1.0]},
    "a rank missing": {**PLAIN, "rank": [1, 2, None, 1, 2]},
    "one tag": {**PLAIN, "tag": ["t"] * 5},
    "two tags": {**PLAIN, "run_id": ["t", "t", "u", "t", "t"]},
    "a column not used": {**PLAIN, "title": ["A"] * 5},
    "numbers as ids": {"qid": [7, 7, 8], "docid": [1, 2, 3], "score": [1, 0, 1]},
    "decimal numbers as ids": {
        "qid": [7.5, 7.5, 8.0],
        "docid": ["1", "2", "3"],
        "score": [1, 0, 1],
    },
    "whole scores": {**TWO, "score": [3, 2, 1, 9, 8]},
    "equal scores": {**TWO, "score": [1.0] * 5},
    "scores that count up": {**TWO, "score": [1, 2, 3, 1, 2]},
    "scores as text": {**TWO, "score": ["3.5", "2", "1e0", "9", "8"]},
    "scores too fine": {**TWO, "score": [2**60 + 1, 2**60, 3, 2, 1]},
    "ranks only": {**TWO, "rank": [1, 2, 3, 1, 2]},
    "ranks and grades": {**TWO, "rank": [2, 1, 3, 2, 1], "label": [2, 0, 1, 1, 2]},
    "grades": {"docid": ["b", "a"], "grade": [1, 2]},
    "BEIR": {"query_id": TWO["qid"], "corpus_id": TWO["docid"], "score": [3, 2, 1, 2, 1]},
    "hidden letters": {**PLAIN, "docid": ["b\u200b", "a", "c", "x", "a"]},
    "spaces": {**PLAIN, "docid": ["b ", "a", "c", "x", "a"]},
    "alike": {**PLAIN, "docid": ["\u0430", "a", "c", "x", "a"]},
    "a lost letter": {**PLAIN, "docid": ["\ufffd", "a", "c", "x", "a"]},
    "queries apart": {**PLAIN, "qid": ["q1", "q2", "q1", "q2", "q1"]},
}


def parquet(columns, **options):
    stream = io.BytesIO()
    pq.write_table(pa.table(columns), stream, **options)
    return stream.getvalue()


def told(run):
    return run.to_dict(), sorted((note.code, note.text) for note in run.notes), run.name, run.tag


def carefully(monkeypatch, data):
    with monkeypatch.context() as only:
        only.setattr(readers, "_quickly", lambda *_: None)
        return read_run(data, "a.parquet")


@pytest.fixture(autouse=True)
def small_parts(monkeypatch):
    monkeypatch.setattr(arrow_stream, "ROWS", 1)


@pytest.mark.parametrize("name", RUNS)
def test_the_columns_say_what_the_careful_reader_says(monkeypatch, name):
    data = parquet(RUNS[name])
    expected = carefully(monkeypatch, data)
    assert told(read_run(data, "a.parquet")) == told(expected)
    found, whole = match_file(QRELS, data, name="a.parquet"), match(QRELS, expected)
    assert found.notes == whole.notes
    assert lines(found) == lines(whole)


@cases("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_that_are_stored_as_differences_are_read(monkeypatch, encoding):
    stored = dict.fromkeys(TWO, encoding)
    data = parquet(PLAIN, use_dictionary=False, column_encoding=stored, data_page_version="2.0")
    expected = told(read_run(parquet(PLAIN), "a.parquet"))
    assert told(read_run(data, "a.parquet")) == expected
    assert told(carefully(monkeypatch, data)) == expected
    assert lines(match_file(QRELS, data, name="a.parquet")) == lines(
        match_file(QRELS, parquet(PLAIN), name="a.parquet")
    )


@cases("careful", [True, False])
def test_a_long_text_that_is_stored_once_as_differences_is_refused(monkeypatch, careful):
    rows = {"qid": ["q"] * 4_000, "docid": ["d" * 20_000] * 4_000, "score": [1.0] * 4_000}
    stored = dict.fromkeys(TWO, "DELTA_BYTE_ARRAY")
    data = parquet(rows, use_dictionary=False, column_encoding=stored)
    monkeypatch.setenv("RANKSCOPE_LIMITS", "classroom")
    assert len(data) < 50_000
    run = ParquetRun((io.BytesIO(data),), File("a.parquet"))
    with pytest.raises(ReadError, match="limit expanded" if careful else "a text of 20,000 bytes"):
        carefully(monkeypatch, data) if careful else run.require_short_texts()


def lines(judged):
    hits = judged.hits
    numbers = (hits.query, hits.rank, hits.grade, hits.first, hits.last)
    return judged.queries, hits.document.to_pylist(), [column.tolist() for column in numbers]


WRONG = {
    "a null": {**PLAIN, "score": [3.0, None, 1.0, 9.0, 8.0]},
    "NaN": {**PLAIN, "score": [3.0, np.nan, 1.0, 9.0, 8.0]},
    "infinite": {**PLAIN, "score": [3.0, np.inf, 1.0, 9.0, 8.0]},
    "no document": {**PLAIN, "docid": ["b", None, "c", "x", "a"]},
    "an empty id": {**PLAIN, "docid": ["b", "", "c", "x", "a"]},
    "twice": {**PLAIN, "docid": ["b", "b", "c", "x", "a"]},
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_rows_are_named_as_the_careful_reader_names_them(monkeypatch, name):
    data = parquet(WRONG[name])
    with pytest.raises(ReadError) as careful:
        carefully(monkeypatch, data)
    for read in (
        lambda: read_run(data, "a.parquet"),
        lambda: match_file(QRELS, data, name="a.parquet"),
    ):
        with pytest.raises(ReadError) as caught:
            read()
        assert caught.value.problems == careful.value.problems


@pytest.fixture
def no_room_for_the_careful_reader(monkeypatch):
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=4")


@pytest.mark.usefixtures("no_room_for_the_careful_reader")
@cases("name", WRONG)
def test_wrong_rows_of_a_large_file_are_named_by_query(name):
    with pytest.raises(ReadError, match=r"query 'q1'") as caught:
        match_file(QRELS, parquet(WRONG[name]), name="a.parquet")
    assert caught.value.problems[0].file == "a.parquet"


@pytest.mark.usefixtures("no_room_for_the_careful_reader")
def test_a_large_file_is_judged_and_read_whatever_its_rows():
    judged = match_file(QRELS, parquet(RUNS["spaces"]), name="a.parquet")
    assert [note.code for note in judged.notes] == ["N-SPACED-ID"]
    assert judged.hits.rank.tolist() == [2, 2]
    assert len(read_run(parquet(PLAIN))) == 5


@pytest.fixture
def files(tmp_path):
    """A run in one file, and in a folder of three as engines write it."""
    pq.write_table(pa.table(PLAIN), tmp_path / "whole.parquet")
    parts = tmp_path / "run"
    parts.mkdir()
    for number, (start, size) in enumerate([(0, 2), (2, 2), (4, 1)]):
        pq.write_table(pa.table(PLAIN).slice(start, size), parts / f"part-{number}.parquet")
    (parts / "_SUCCESS").touch()
    return tmp_path / "whole.parquet", parts


def test_a_folder_is_read_as_one_run(files):
    whole, folder = files
    assert lines(match_file(QRELS, folder)) == lines(match_file(QRELS, whole))
    assert read_run(folder).to_dict() == read_run(whole).to_dict()
    assert read_run(folder).name == "run"


def test_a_folder_without_parquet_is_refused(tmp_path):
    for read in (read_run, lambda folder: match_file(QRELS, folder)):
        with pytest.raises(ReadError, match=r"a folder without \.parquet files"):
            read(tmp_path)


def test_files_of_other_columns_are_refused(files):
    _, folder = files
    pq.write_table(pa.table({"qid": ["q3"], "docid": ["a"], "sim": [1.0]}), folder / "x.parquet")
    with pytest.raises(ReadError, match="the columns of the first file"):
        match_file(QRELS, folder)


@pytest.mark.parametrize(
    "convention", [Convention(), Convention(ties="input")], ids=["id", "input"]
)
def test_duckdb_sorts_what_is_apart(monkeypatch, tmp_path, convention):
    path = tmp_path / "run.parquet"
    apart = {**RUNS["queries apart"], "score": [1.0] * 5}
    pq.write_table(pa.table(apart), path)
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=4")
    sorted_by, ordered = [], parquet_reader.ordered
    monkeypatch.setattr(
        "metrics.matching.parquet_run.ordered", lambda run: sorted_by.append(run) or ordered(run)
    )
    found = match_file(QRELS, path, convention)
    assert len(sorted_by) == 1
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=20")
    assert lines(found) == lines(match(QRELS, read_run(path), convention))


def test_without_duckdb_what_is_apart_is_read_whole_or_refused_with_the_fix(monkeypatch, tmp_path):
    path = tmp_path / "run.parquet"
    pq.write_table(pa.table(RUNS["queries apart"]), path)
    monkeypatch.setattr(parquet_reader, "find_spec", lambda _: None)
    assert lines(match_file(QRELS, path)) == lines(match(QRELS, read_run(path)))
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=4")
    with pytest.raises(ReadError, match=r"query 'q[12]' again.*rankscope\[duckdb\]"):
        match_file(QRELS, path)


@cases("cut", [4, 40, -4, -1])
def test_a_cut_file_is_refused(cut):
    with pytest.raises(ReadError, match="E-PARQUET"):
        match_file(QRELS, parquet(PLAIN)[:cut], name="a.parquet")


def test_a_text_stored_once_is_refused_before_it_is_copied(monkeypatch):
    usual = pa.default_memory_pool()
    counting = pa.proxy_memory_pool(usual)
    long, rows = "d" * 20_000, 50_000
    one = pa.DictionaryArray.from_arrays(np.zeros(rows, np.int32), [long])
    columns = {"qid": one, "docid": list(map(str, range(rows))), "score": np.arange(rows) + 0.5}
    data = parquet(columns, dictionary_pagesize_limit=1 << 28, store_schema=False)
    monkeypatch.setenv("RANKSCOPE_LIMITS", "rows=4")
    pa.set_memory_pool(counting)
    try:
        with pytest.raises(ReadError, match=r"a text of 20,000 bytes in the column 'qid'"):
            read_run(data, "a.parquet")
    finally:
        pa.set_memory_pool(usual)
    assert counting.max_memory() < 100_000_000


def test_progress_rises_to_the_end():
    done = []
    match_file(QRELS, parquet(PLAIN, row_group_size=2), progress=done.append)
    assert done == sorted(done)
    assert done[-1] == 1.0
