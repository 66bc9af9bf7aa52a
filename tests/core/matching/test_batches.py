"""Runs as Arrow batches of any engine: the hits of a whole run, and the checks of the readers."""

from itertools import pairwise

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import (
    MEASURES,
    Convention,
    DataError,
    MeasureError,
    Qrels,
    ReadError,
    Run,
    match,
    match_batches,
    parse,
)
from metrics.reading.from_tables import arrow_stream
from tests.cases import cases

CONVENTIONS = [
    Convention(),
    Convention(ties="ascending", scores="single"),
    Convention(ties="input", queries="qrels"),
    Convention(ties="mean", unjudged="removed"),
    Convention(negative="nonrelevant", unjudged="removed"),
    Convention(scores="single", queries="qrels", gain="exponential"),
]
"""Six that differ in what affects the hits."""


def same_hits(one, other):
    """Return whether two judged rankings are the same in every line, to the bit."""
    tables = [
        [hits.document.to_pylist(), *(getattr(hits, name).tobytes() for name in NUMBERS)]
        for judged in (one, other)
        for hits in (judged.hits, judged.judged)
    ]
    # A stream may bring the queries in another order.
    sides = [
        (judged.queries, judged.retrieved.tobytes(), set(judged.missing_from_qrels))
        for judged in (one, other)
    ]
    return tables[:2] == tables[2:] and sides[0] == sides[1]


NUMBERS = ("query", "rank", "grade", "first", "last")


def table_of(run):
    """A run as a table of Arrow, the rows of each query together."""
    query = pa.array(run.queries).take(pa.array(run.query))
    return pa.table({"qid": query, "docno": run.document, "score": run.value})


def engines(table):
    """Yield the table as each engine hands it out, the rows of each query together."""
    import duckdb
    import polars as pl

    yield table
    yield pl.from_arrow(table)
    yield table.to_pandas()
    with duckdb.connect() as connection:
        numbered = table.append_column("row", pa.array(range(len(table))))
        connection.register("numbered", numbered)
        shuffled = "(select * from numbered using sample 100 percent (bernoulli, 7))"
        yield connection.sql(f"select * exclude row from {shuffled} order by qid, row")


@pytest.mark.parametrize("convention", CONVENTIONS, ids=str)
def test_every_engine_gives_the_hits_of_the_whole_run(oracle, convention, monkeypatch):
    monkeypatch.setattr(arrow_stream, "ROWS", 1000)
    qrels, run = oracle
    expected, table = match(qrels, run, convention), table_of(run)
    assert len(expected.hits) > 3000
    found = [match(qrels, engine, convention) for engine in engines(table)]
    assert [same_hits(judged, expected) for judged in found] == [True] * 4
    wanted = scores(expected)
    assert sum(isinstance(of, bytes) for of in wanted.values()) >= 20
    assert [scores(judged) for judged in found] == [wanted] * 4


def scores(judged):
    """Return the bytes of all scores by each measure, or the error where it has none."""
    found = {}
    for name in MEASURES:
        try:
            found[name] = parse(name).ledger(judged).scores.tobytes()
        except MeasureError as error:
            found[name] = str(error)
    return found


@st.composite
def runs(draw):
    """A run as rows whose queries stand together, and the sizes of its batches."""
    names = draw(st.lists(st.text("ab é", min_size=1, max_size=3), min_size=1, unique=True))
    rows = []
    for name in names:
        documents = draw(st.lists(st.text("xyz1", min_size=1), min_size=1, unique=True))
        scores = st.sampled_from([1.0, 0.5, -2.0, 3e38, 0.1])
        rows += [(name, document, draw(scores)) for document in documents]
    cuts = draw(st.lists(st.integers(0, len(rows)), max_size=6))
    return rows, sorted({0, len(rows), *cuts})


@settings(deadline=None)
@given(runs(), st.integers(1, 5), st.sampled_from(CONVENTIONS))
def test_any_cuts_give_the_same_hits(made, goal, convention):
    rows, cuts = made
    query, document, score = zip(*rows, strict=True)
    table = pa.record_batch({"query": query, "document": document, "score": score})
    batches = [table.slice(a, b - a) for a, b in pairwise(cuts)]
    grades = {name: {} for name in query[::2]} | {query[0]: {document[0]: 1, "zz": 2}}
    qrels, run = Qrels.from_dict(grades), Run.from_columns(query, document, score)
    usual, arrow_stream.ROWS = arrow_stream.ROWS, goal
    try:
        found = match_batches(qrels, batches, convention)
    finally:
        arrow_stream.ROWS = usual
    assert same_hits(found, match(qrels, run, convention))


QRELS = Qrels.from_dict({"7": {"1": 2, "2": 0}, "8": {"1": 1}})
ROWS = {"query": ["7", "7", "8"], "document": ["1", "2", "1"], "score": [2.0, 1.0, 3.0]}


@cases(
    ("column", "of"),
    [
        ("query", pa.int64()),
        ("document", pa.uint16()),
        ("query", pa.large_string()),
        ("document", pa.string_view()),
        ("document", pa.dictionary(pa.int8(), pa.string())),
        ("query", pa.dictionary(pa.int32(), pa.large_string())),
        ("score", pa.int32()),
        ("score", pa.float32()),
        ("score", pa.decimal128(9, 2)),
        ("score", pa.string()),
    ],
)
def test_columns_of_other_types_mean_the_same(column, of):
    table = pa.table(ROWS)
    at = table.column_names.index(column)
    values = table.column(column).combine_chunks()
    if pa.types.is_integer(of):
        values = values.cast(of)
    elif pa.types.is_dictionary(of):
        values = values.cast(of.value_type).dictionary_encode().cast(of)
    elif pa.types.is_string(of):
        values = pa.array([repr(value) for value in values.to_pylist()])
    else:
        values = values.cast(of)
    expected = match(QRELS, Run.from_columns(*ROWS.values()))
    assert same_hits(match(QRELS, table.set_column(at, column, values)), expected)


def test_the_grades_of_a_ranking_without_scores_are_no_scores():
    columns = {"qid": ["7", "7"], "docid": ["1", "2"], "rank": [1, 2], "label": [0, 1]}
    with pytest.raises(ReadError, match="expected a score column"):
        match_batches(QRELS, [pa.record_batch(columns)])


def batches_with(column, row, value, of):
    """The rows as one batch each, with another value in one of them."""
    columns = {**ROWS, column: [*ROWS[column][:row], value, *ROWS[column][row + 1 :]]}
    kinds = {"query": pa.string(), "document": pa.string(), "score": pa.float64(), column: of}
    batch = pa.record_batch([pa.array(columns[name], kinds[name]) for name in kinds], list(kinds))
    return [batch.slice(at, 1) for at in range(len(batch))]


@pytest.mark.parametrize(
    ("column", "row", "value", "of", "code", "said"),
    [
        ("score", 1, None, pa.float64(), "E-NULL", "query '7', document '2'"),
        ("document", 2, None, pa.string(), "E-NULL", "'document', query '8'"),
        ("query", 0, None, pa.string(), "E-NULL", "'query', document '1'"),
        ("score", 1, float("nan"), pa.float64(), "E-NUMBER", "query '7', document '2'"),
        ("score", 2, float("inf"), pa.float32(), "E-NUMBER", "query '8', document '1'"),
        ("score", 0, "high", pa.string(), "E-NUMBER", "'high' for query '7', document '1'"),
        ("document", 1, "", pa.string(), "E-ID", "query '7', document ''"),
        ("document", 1, "1", pa.string(), "E-DUP-DOC", "document '1' of query '7'"),
        ("document", 2, "d" * 1001, pa.string(), "E-ID", "1,001 characters"),
    ],
)
@pytest.mark.parametrize("goal", [1, 100])
def test_wrong_rows_are_refused_with_query_and_document(
    monkeypatch, goal, column, row, value, of, code, said
):
    monkeypatch.setattr(arrow_stream, "ROWS", goal)
    if of == pa.string() and column == "score":
        monkeypatch.setitem(ROWS, "score", list(map(str, ROWS["score"])))
    with pytest.raises(ReadError) as caught:
        match_batches(QRELS, batches_with(column, row, value, of))
    (problem,) = caught.value.problems
    assert problem.code == code
    assert said in str(problem)


def test_a_query_that_comes_back_is_refused_by_its_name_with_the_fix(monkeypatch):
    table = pa.table({"query": ["a", "b", "a"], "document": ["1"] * 3, "score": [1.0, 2.0, 3.0]})
    table = table.set_column(1, "document", pa.array(["1", "1", "2"]))
    # A short stream is one part, in which rows may have any order.
    assert match(Qrels.from_dict({"a": {"2": 1}}), table).hits.rank.tolist() == [1]
    monkeypatch.setattr(arrow_stream, "ROWS", 1)
    with pytest.raises(ReadError, match=r"query 'a' again.*rankscope\[duckdb\]"):
        match(Qrels.from_dict({"a": {"2": 1}}), table)


@pytest.mark.parametrize("batches", [[], [pa.record_batch(ROWS).slice(0, 0)]])
def test_a_stream_without_rows_is_refused(batches):
    with pytest.raises(ReadError, match="E-EMPTY"):
        match_batches(QRELS, batches)


def test_batches_of_other_columns_are_refused():
    other = pa.record_batch({**ROWS, "query": [7, 7, 8]})
    with pytest.raises(ReadError, match=r"a batch of .*int64"):
        match_batches(QRELS, [pa.record_batch(ROWS), other])


def test_a_stream_without_scores_is_refused():
    table = pa.table({"query": ["7"], "document": ["1"], "rank": [1]})
    with pytest.raises(ReadError, match="a score column"):
        match_batches(QRELS, table.to_batches())
    # A table is there as a whole, so its ranks can be counted.
    assert match(QRELS, table).hits.rank.tolist() == [1]


@cases("run", [None, "run.txt", 3])
def test_what_is_neither_a_run_nor_a_stream_is_refused(run):
    with pytest.raises(DataError, match="not Run"):
        match(QRELS, run)
    with pytest.raises(DataError, match="Qrels first"):
        match(pa.table(ROWS), QRELS)


@cases("batches", [None, 3, [1, 2]])
def test_what_is_no_batch_is_refused(batches):
    with pytest.raises(DataError, match="record batches"):
        match_batches(QRELS, batches)


def test_a_stream_of_one_column_is_refused():
    with pytest.raises(DataError, match="cannot be read as a table"):
        match(QRELS, pa.chunked_array([[1, 2]]))


@cases(
    ("part", "said"),
    [
        ("query", "as a query"),
        ("document", "as a document of query '7'"),
        ("score", "as a score of query '7'"),
        ("rank", "as a rank of query '7'"),
        ("tag", "as a tag of query '7'"),
    ],
)
def test_texts_that_are_not_utf_8_are_refused(part, said):
    buffers = pa.array([b"\xff"], pa.binary()).buffers()
    bad = pa.StringArray.from_buffers(1, *buffers[1:])
    columns = {"query": ["7"], "document": ["1"], "score": [1.0], part: bad}
    with pytest.raises(ReadError, match=f"the bytes .* {said}; .*E-ENCODING"):
        match_batches(QRELS, [pa.record_batch(columns)])


def test_notes_of_a_stream_name_what_some_rows_have():
    documents = ["1 ", "2\u200b", "3", "1"]
    odd = {"query": ["7", "7", "7", "8"], "document": documents, "score": [1, 2, 3, 1]}
    found = match(QRELS, pa.table(odd)).notes
    assert [note.code for note in found] == ["N-HIDDEN-ID", "N-SPACED-ID", "N-SCORES-COUNT-UP"]


def test_one_document_a_query_is_too_little_to_say_that_all_scores_are_equal():
    rows = {"query": ["1", "2"], "document": ["a", "b"], "score": [1.0, 2.0]}
    assert match(Qrels.from_dict({"1": {"a": 1}}), pa.table(rows)).notes == ()


def test_every_keeps_the_unjudged_lines():
    table = pa.table({**ROWS, "document": ["1", "3", "1"]})
    hits = match(QRELS, table, every=True).hits
    assert np.isnan(hits.grade).tolist() == [False, True, False]
