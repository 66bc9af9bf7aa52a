"""A run in a Spark DataFrame has the same hits as in memory, to the last bit, or is refused."""

import os
import signal
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from metrics import (
    PRESETS,
    TREC_EVAL,
    DataError,
    MeasureError,
    Qrels,
    ReadError,
    Run,
    match,
    match_file,
)
from metrics.matching import spark as on_spark
from metrics.matching.spark import UNLISTED, Worker, match_spark
from metrics.measures import MEASURES
from tests.cases import cases
from tests.needs_spark import require_spark

ROOT = Path(__file__).parents[3]
QRELS = Qrels.from_dict({"1": {"a": 2, "b": 1}, "2": {"a": 1}, "3": {"c": 1}})
COLUMNS = "qid string, docno string, score double"
# PySpark asks for pandas in the driver, and warns of one that it was not made for; it is not used.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas")


@pytest.fixture(scope="module")
def session():
    """A session in which a task may fail twice; one Java process for all tests."""
    require_spark()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("PYSPARK_DRIVER_PYTHON", sys.executable)
        from pyspark.sql import SparkSession

        builder = SparkSession.builder.master("local[2,3]").appName("tests")
        for name, value in {
            "spark.ui.enabled": "false",
            "spark.ui.showConsoleProgress": "false",
            "spark.driver.bindAddress": "127.0.0.1",
            # Short tests end before the compiler that these leave out has paid for itself.
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
            "spark.executorEnv.PYTHONPATH": str(ROOT),
            "spark.sql.shuffle.partitions": "2",
            "spark.sql.execution.arrow.maxRecordsPerBatch": "1000",
            "spark.sql.warehouse.dir": os.devnull,
        }.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
        yield session
        session.stop()


def same(found, expected):
    """Assert that two judged rankings are equal, to the last bit of each number."""
    assert found.queries == expected.queries
    assert found.retrieved.tolist() == expected.retrieved.tolist()
    assert found.missing_from_run == expected.missing_from_run
    assert found.missing_from_qrels == tuple(sorted(expected.missing_from_qrels))
    for name in ("hits", "judged"):
        for field in fields(expected.hits):
            ours, theirs = (getattr(getattr(each, name), field.name) for each in (found, expected))
            if field.name == "document":
                assert ours.equals(theirs), (name, field.name)
            else:
                assert ours.astype("<f8").tobytes() == theirs.astype("<f8").tobytes(), field.name


# --- equal to `match` ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shuffled(session, oracle):
    """The oracle's run as a DataFrame: its rows in no order, over four partitions."""
    _, run = oracle
    rows = np.random.default_rng(7).permutation(len(run))
    queries = pa.array(run.queries).take(pa.array(run.query[rows]))
    table = pa.table(
        {
            "qid": queries,
            "docno": run.document.take(pa.array(rows)),
            "score": run.value[rows],
            "row": rows,
        }
    )
    frame = session.createDataFrame(table).repartition(4).cache()
    assert frame.rdd.getNumPartitions() == 4
    yield frame
    frame.unpersist()


CONVENTIONS = {
    "trec_eval": TREC_EVAL,
    "ids ascending, scores in single precision": replace(
        TREC_EVAL, ties="ascending", scores="single"
    ),
    "input order": replace(TREC_EVAL, ties="input", queries="qrels"),
    "mean over ties": replace(TREC_EVAL, ties="mean"),
    "unjudged removed": replace(TREC_EVAL, unjudged="removed"),
    "negative grades subtract": replace(
        PRESETS["LightGBM"], ties="descending", unjudged="removed", negative="subtract"
    ),
}


@cases("name", CONVENTIONS)
def test_every_case_of_the_oracle_has_the_same_hits_and_scores(oracle, shuffled, name):
    qrels, run = oracle
    convention = CONVENTIONS[name]
    expected = match(qrels, run, convention)
    found = match_spark(qrels, shuffled, convention, order="row", partitions=4)
    assert len(expected.hits) > 3000
    same(found, expected)
    compared = 0
    for measure in MEASURES.values():
        try:
            scores = measure.ledger(expected).scores
        except MeasureError:
            with pytest.raises(MeasureError):
                measure.ledger(found)
            continue
        assert measure.ledger(found).scores.tobytes() == scores.tobytes(), measure
        compared += 1
    assert compared >= 20


def frame_of(session, rows, columns=COLUMNS):
    return session.createDataFrame(rows, columns)


def test_a_query_with_nearly_all_rows_empty_partitions_and_more_partitions_than_queries(session):
    """Batches have 1,000 rows, so this query has 30 of them, in one of eight partitions."""
    large = {f"d{number}": float(number % 977) for number in range(30_000)}
    values = {"1": large | {"a": 500.5}, "2": {"a": 1.0, "b": 1.0}}
    rows = [(query, *row) for query, documents in values.items() for row in documents.items()]
    frame = frame_of(session, rows)
    expected = match(QRELS, Run.from_dict(values))
    assert expected.hits.rank.tolist() == [14_470, 2]
    same(match_spark(QRELS, frame, partitions=8), expected)
    # By default, Spark may join partitions that turn out to be small.
    same(match_spark(QRELS, frame), expected)


def test_whole_numbers_as_ids_match_the_digits_in_the_qrels(session):
    frame = frame_of(session, [(1, 7, 0.5), (1, 8, 1.5)], "qid long, docid int, score float")
    qrels = Qrels.from_dict({"1": {"7": 1}})
    same(match_spark(qrels, frame), match(qrels, Run.from_dict({"1": {"7": 0.5, "8": 1.5}})))


def test_decimal_numbers_as_query_ids_are_refused(session):
    frame = frame_of(session, [(1.0, "a", 0.5)], "qid double, docno string, score double")
    with pytest.raises(ReadError, match="Cast the column to text") as refusal:
        match_spark(QRELS, frame)
    assert [problem.code for problem in refusal.value.problems] == ["E-TYPE"]


def test_ids_are_compared_by_bytes_where_spark_ignores_case(session):
    from pyspark.sql.functions import col, collate

    frame = frame_of(session, [("Q", "a", 1.0), ("q", "a", 2.0), ("q", "b", 1.0)])
    frame = frame.withColumn("qid", collate(col("qid"), "UTF8_LCASE"))
    qrels = Qrels.from_dict({"q": {"b": 1}})
    found = match_spark(qrels, frame)
    same(found, match(qrels, Run.from_dict({"Q": {"a": 1}, "q": {"a": 2, "b": 1}})))
    assert found.missing_from_qrels == ("Q",)


def test_bytes_that_are_not_text_are_refused_or_shown_as_such(session):
    """Latin-1 in a document of a judged query, and as a query without judgments."""
    rows = [("1", "a", 1.0), ("1", "caf", 0.5), ("9", "a", 1.0)]
    frame = frame_of(session, rows)
    query = "if(qid = '9', cast(unhex('FF') as string), qid) as qid"
    found = match_spark(QRELS, frame.selectExpr(query, "docno", "score"))
    assert found.missing_from_qrels == ("\ufffd",)
    document = "if(docno = 'caf', cast(unhex('636166E9') as string), docno) as docno"
    with pytest.raises(ReadError, match=r"the bytes b'caf.xe9' as a document of query '1'"):
        match_spark(QRELS, frame.selectExpr("qid", document, "score"))


def test_texts_with_64_bit_offsets_mean_the_same(session):
    """A setting for columns of more than two gigabytes changes the types of Arrow's texts."""
    frame = frame_of(session, [("1", "a", 1.0), ("1", "x", 2.0), ("9", "a", 1.0)])
    setting = "spark.sql.execution.arrow.useLargeVarTypes"
    session.conf.set(setting, "true")
    try:
        found = match_spark(QRELS, frame)
    finally:
        session.conf.unset(setting)
    same(found, match(QRELS, Run.from_dict({"1": {"a": 1, "x": 2}, "9": {"a": 1}})))


def test_columns_have_any_name_and_other_columns_are_noted(session):
    frame = frame_of(
        session,
        [("1", "a", 1.0, 1, [2])],
        "`Query ID` string, `doc-id` string, Score double, `a.b``c` int, lists array<int>",
    )
    found = match_spark(QRELS, frame)
    same(found, match(QRELS, Run.from_dict({"1": {"a": 1}})))
    (note,) = (note for note in found.notes if note.code == "N-UNUSED")
    assert note.text == "Columns that are not used: 'a.b`c', 'lists'."


def test_what_is_odd_in_any_partition_is_noted_once(session):
    rows = [("1", "a", 3.0, 2), ("1", "b", 2.0, 1), ("2", "a ", 2.0, 1), ("2", "b", 1.0, 2)]
    rows = [(*row, "bm25") for row in rows]
    frame = frame_of(session, rows, f"{COLUMNS}, rank int, tag string")
    found = match_spark(QRELS, frame, partitions=3)
    assert {note.code for note in found.notes} == {"N-SPACED-ID", "N-RANK-ORDER"}
    assert found.tag == "bm25"


def test_unjudged_documents_are_kept_down_to_a_depth(session):
    rows = [("1", document, float(score)) for score, document in enumerate("xayzb")]
    found = match_spark(QRELS, frame_of(session, rows), depth=3, name="bm25")
    file = "".join(f"{query} Q0 {document} 1 {score} bm25\n" for query, document, score in rows)
    expected = match_file(QRELS, file.encode(), depth=3)
    same(found, expected)
    assert found.top.document.equals(expected.top.document)
    assert found.top.document.to_pylist() == ["z", "y"]
    assert found.top.rank.tolist() == [2, 3]
    assert found.name == "bm25"


# --- queries without judgments ------------------------------------------------------------------


def test_queries_without_judgments_are_listed_in_order(session):
    rows = [("9", "a", 1.0), ("1", "a", 1.0), ("8", "z", 1.0), ("8", "y", float("nan"))]
    found = match_spark(QRELS, frame_of(session, rows))
    assert found.missing_from_qrels == ("8", "9")
    assert found.missing_from_run == ("2", "3")
    assert found.notes == ()


def test_only_some_of_very_many_are_listed_and_a_note_has_their_number(session, monkeypatch):
    monkeypatch.setattr(on_spark, "LISTED", 2)
    found = match_spark(QRELS, frame_of(session, [(q, "a", 1.0) for q in "19786"]))
    assert found.missing_from_qrels == ("6", "7")
    (note,) = found.notes
    assert note.code == UNLISTED
    assert note.text == "4 queries of the run have no judgments; the first 2 of them are listed."


def test_a_run_without_a_judged_query_retrieves_nothing(session):
    found = match_spark(QRELS, frame_of(session, [("9", "a", 1.0)]))
    assert (found.queries, len(found.hits), found.missing_from_qrels) == ((), 0, ("9",))


# --- refused ------------------------------------------------------------------------------------


@cases(
    ("row", "code", "words"),
    [
        (("2", "b", None), "E-NULL", ["'score'", "query '2'", "document 'b'"]),
        (("2", None, 1.0), "E-NULL", ["'docno'", "query '2'"]),
        ((None, "b", 1.0), "E-NULL", ["'qid'", "document 'b'"]),
        (("2", "b", float("nan")), "E-NUMBER", ["'nan'", "query '2'", "document 'b'"]),
        (("2", "b", float("-inf")), "E-NUMBER", ["'-inf'", "query '2'", "document 'b'"]),
        (("2", "a", 1.0), "E-DUP-DOC", ["query '2'", "document 'a'"]),
        (("2", "", 1.0), "E-ID", ["query '2'", "document ''"]),
    ],
)
def test_a_bad_row_is_refused_with_its_query_and_document(session, row, code, words):
    rows = [("1", f"d{number}", 1.0) for number in range(3000)] + [("2", "a", 2.0), row]
    with pytest.raises(ReadError) as refusal:
        match_spark(QRELS, frame_of(session, rows), name="bm25")
    (problem,) = refusal.value.problems
    assert (problem.code, problem.file) == (code, "bm25")
    assert [word for word in words if word not in str(problem)] == []


def test_the_problems_of_all_partitions_are_listed_in_order(session):
    queries = "abcdefghi"
    qrels = Qrels.from_dict({query: {"x": 1} for query in queries})
    with pytest.raises(ReadError) as refusal:
        match_spark(qrels, frame_of(session, [(q, "x", 1.0) for q in queries * 2]), partitions=4)
    found = [problem.found for problem in refusal.value.problems]
    assert 1 < len(found) <= 4
    assert found == sorted(found)
    assert found[0] == "a duplicate: document 'x' of query 'a' again"


def test_an_empty_dataframe_is_refused(session):
    with pytest.raises(ReadError, match="no data rows"):
        match_spark(QRELS, frame_of(session, []))


@cases(
    ("columns", "code"),
    [
        ("qid string, docno string, price double", "E-HEADER"),
        ("qid string, docno string, score date", "E-PARQUET"),
        ("qid string, docno array<string>, score double", "E-PARQUET"),
    ],
)
def test_columns_that_are_missing_or_of_a_wrong_type_are_refused(session, columns, code):
    with pytest.raises(ReadError) as refusal:
        match_spark(QRELS, frame_of(session, [], columns))
    assert [problem.code for problem in refusal.value.problems] == [code]


INPUT = replace(TREC_EVAL, ties="input")


def test_input_order_needs_a_column_that_has_it(session):
    frame = frame_of(session, [("1", "x", 1.0, 2), ("1", "a", 1.0, 1)], f"{COLUMNS}, place int")
    with pytest.raises(DataError, match="Name a column"):
        match_spark(QRELS, frame, INPUT)
    assert match_spark(QRELS, frame, INPUT, order="place").hits.rank.tolist() == [1]
    with pytest.raises(ReadError, match="no column 'row'"):
        match_spark(QRELS, frame, INPUT, order="row")


@pytest.mark.parametrize(
    ("places", "found"),
    [((1, 1), "the same value twice in the order column"), ((1, None), "a null in the order")],
)
def test_an_order_in_which_rows_have_no_place_of_their_own_is_refused(session, places, found):
    rows = [("1", f"d{number}", 1.0, number) for number in range(2, 1500)]
    rows += [("2", document, 1.0, place) for document, place in zip("ab", places, strict=True)]
    with pytest.raises(ReadError, match=f"{found}.*, query '2'") as refusal:
        match_spark(QRELS, frame_of(session, rows, f"{COLUMNS}, place int"), INPUT, order="place")
    assert [problem.code for problem in refusal.value.problems] == ["E-ORDER"]


@cases("arguments", [(Run.from_dict({}), None), (QRELS, []), (QRELS, QRELS)])
def test_arguments_of_a_wrong_type_are_refused(arguments):
    with pytest.raises(DataError, match=r"not Qrels|pass a DataFrame"):
        match_spark(*arguments)


# --- failures -----------------------------------------------------------------------------------


def test_a_worker_that_is_killed_is_replaced_and_its_rows_count_once(
    session, monkeypatch, tmp_path
):
    """The first worker ends by a signal after it has given some of its hits."""
    killed = tmp_path / "killed"

    class Mortal(Worker):
        def __call__(self, batches):
            for rows in super().__call__(batches):
                yield rows
                if not killed.exists():
                    killed.touch()
                    os.kill(os.getpid(), signal.SIGKILL)

    monkeypatch.setattr(on_spark, "Worker", Mortal)
    rows = [("1", "a", 1.0), ("1", "x", 2.0), ("2", "a", 1.0)]
    found = match_spark(QRELS, frame_of(session, rows), partitions=2)
    assert killed.exists()
    same(found, match(QRELS, Run.from_dict({"1": {"a": 1, "x": 2}, "2": {"a": 1}})))


def test_a_task_that_fails_before_the_shuffle_is_run_again(session, tmp_path):
    failed = tmp_path / "failed"

    def failing(batches):
        for batch in batches:
            yield batch
            if not failed.exists():
                failed.touch()
                raise OSError("the disk is gone")

    rows = [("1", "a", 1.0), ("1", "x", 2.0), ("2", "a", 1.0)]
    frame = frame_of(session, rows).mapInArrow(failing, COLUMNS)
    found = match_spark(QRELS, frame)
    assert failed.exists()
    same(found, match(QRELS, Run.from_dict({"1": {"a": 1, "x": 2}, "2": {"a": 1}})))


def test_importing_the_core_imports_no_pyspark():
    code = "import sys, metrics.matching.spark; sys.exit('pyspark' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
