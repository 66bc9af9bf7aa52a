"""Qrels and runs as people have them; and every mistake raises a RankscopeError with the fix."""

import contextlib
import io
from datetime import date
from decimal import Decimal

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics import (
    DataError,
    Qrels,
    RankscopeError,
    Run,
    bounds,
    charts,
    compare,
    evaluate,
    explain,
    ir_measure,
    lightgbm_metric,
    one_query,
    own_measure,
    parse,
    read_qrels,
    read_run,
    read_texts,
    sklearn_scorer,
    xgboost_metric,
)
from tests.cases import cases

GRADES = {"7": {"a": 2.0, "b": 0.0}, "8": {"a": 1.0}}
SCORES = {"7": {"b": 2.5, "a": 1.5}, "8": {"a": 0.5, "c": 0.25}}
# Names as in our own frames, PyTerrier's, ir_datasets' with ir_measures, BEIR's, and a spreadsheet.
NAMES = [
    ("query", "document", "grade", "score"),
    ("qid", "docno", "label", "score"),
    ("query_id", "doc_id", "relevance", "score"),
    ("query-id", "corpus-id", "score", "score"),
    ("Topic", "Document ID", "Rating", "Similarity"),
]


def of_polars(columns):
    import polars as pl

    return pl.DataFrame(columns)


def of_duckdb(columns):
    import duckdb

    return duckdb.from_arrow(pa.table(columns))


LIBRARIES = {
    "pandas": pd.DataFrame,
    "polars": of_polars,
    "pyarrow": pa.table,
    "batch": pa.record_batch,
    "large": lambda columns: pa.Table.from_pydict(
        columns,
        pa.schema(
            [
                (name, pa.large_string() if isinstance(values[0], str) else pa.float64())
                for name, values in columns.items()
            ]
        ),
    ),
    "categories": lambda columns: pd.DataFrame(columns).astype(
        {name: "category" for name, values in columns.items() if isinstance(values[0], str)}
    ),
    "views": lambda columns: pa.table(
        {
            name: pa.array(values, pa.string_view() if isinstance(values[0], str) else None)
            for name, values in columns.items()
        }
    ),
    "duckdb": of_duckdb,
}


def columns(pairs, names):
    rows = [
        (query, document, value) for query, of in pairs.items() for document, value in of.items()
    ]
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


@cases("library", LIBRARIES)
@cases("names", NAMES)
def test_a_frame_of_any_library_with_any_known_names(library, names):
    query, document, grade, score = names
    qrels = LIBRARIES[library](columns(GRADES, (query, document, grade)))
    run = LIBRARIES[library](columns(SCORES, (query, document, score)))
    assert Qrels.from_frame(qrels).to_dict() == GRADES
    assert Run.from_frame(run).to_dict() == SCORES
    # DuckDB's relations are read once.
    qrels = LIBRARIES[library](columns(GRADES, (query, document, grade)))
    run = LIBRARIES[library](columns(SCORES, (query, document, score)))
    expected = evaluate(Qrels.from_dict(GRADES), Run.from_dict(SCORES), ["nDCG", "RR"])
    assert evaluate(qrels, run, ["nDCG", "RR"]).per_query.equals(expected.per_query)


def test_whole_numbers_as_ids_become_text():
    frame = pd.DataFrame({"qid": [7, 7], "docno": [1, 2], "label": [1, 0]})
    assert Qrels.from_frame(frame).to_dict() == {"7": {"1": 1.0, "2": 0.0}}


def test_columns_beside_those_of_the_row_do_not_matter():
    frame = pd.DataFrame({"qid": ["q"], "docno": ["d"], "score": [1.0], "more": [object()]})
    assert Run.from_frame(frame).to_dict() == {"q": {"d": 1.0}}
    terrier = pd.DataFrame(
        {"qid": ["1"], "docid": [5], "docno": ["d"], "rank": [0], "score": [2.0], "query": ["x"]}
    )
    assert Run.from_frame(terrier).to_dict() == {"1": {"d": 2.0}}


def test_columns_of_other_libraries_are_columns():
    import polars as pl

    scores = np.array([2.5, 1.5], np.float32)
    for query, document, value in [
        (pa.array(["7", "7"], pa.large_string()), pa.chunked_array([["b"], ["a"]]), scores),
        (pl.Series(["7", "7"]), pl.Series(["b", "a"]), pl.Series([2.5, 1.5])),
        (pd.Series(["7", "7"]), np.array(["b", "a"]), pa.array([2.5, 1.5])),
        (["7", "7"], ("b", "a"), iter([2.5, 1.5])),
        (pa.array(["7", "7"]).dictionary_encode(), ["b", "a"], pa.chunked_array([[2.5, 1.5]])),
        (["7", "7"], ["b", "a"], [Decimal("2.5"), Decimal("1.5")]),
    ]:
        assert Run.from_columns(query, document, value).to_dict() == {"7": {"b": 2.5, "a": 1.5}}


def test_dicts_and_names_are_enough():
    scores = evaluate(GRADES, SCORES, ["ndcg", "mrr"], "ranx")
    assert scores.convention.label.startswith("ranx, with ")
    assert compare(GRADES, SCORES, SCORES, "ndcg", "ranx").summary("ndcg").delta == 0
    assert explain(GRADES, SCORES, "mrr", "7", "ms marco").attrs["score"] == 0.5
    assert bounds(GRADES, SCORES, "RR", "ranx").loc["7", "score"] == 0.5
    assert one_query(GRADES, SCORES, pd.DataFrame(Run.of(SCORES).to_frame()), "RR", "7").a.score


def test_a_run_goes_back_to_frames_and_files(tmp_path):
    run = Run.from_dict(SCORES, "mine")
    assert Run.from_frame(run.to_frame()).to_dict() == SCORES
    assert read_run(run.to_trec().encode()).to_dict() == SCORES
    run.save(tmp_path / "mine.run")
    assert read_run(tmp_path / "mine.run").to_dict() == SCORES
    qrels = Qrels.from_dict(GRADES)
    assert read_qrels(qrels.to_trec().encode()).to_dict() == GRADES
    with pytest.raises(DataError, match="contains a space"):
        Run.from_dict({"q": {"my doc": 1}}).to_trec()


def test_open_files_are_read(tmp_path):
    path = tmp_path / "a.run"
    path.write_bytes(b"7 Q0 a 1 2.5 tag\n")
    with path.open("rb") as file:
        assert read_run(file).name == "a"
    with path.open() as file:
        assert read_run(file).to_dict() == {"7": {"a": 2.5}}
    for source in (io.StringIO("7 0 a 1"), bytearray(b"7 0 a 1"), memoryview(b"7 0 a 1")):
        assert read_qrels(source).to_dict() == {"7": {"a": 1.0}}


MISTAKES = [
    (lambda: Run.from_dict({"q": "ab"}), "documents of query 'q' are a str; pass {query"),
    (lambda: Run.from_dict({"q": ["a", "a"]}), "appears twice"),
    (lambda: Run.from_dict({"q": ["a", 7]}), "ids must be text"),
    (lambda: Qrels.from_dict({"q": {"a"}}), "are a set"),
    (lambda: Qrels.from_dict(None), "this is a NoneType"),
    (lambda: Qrels.from_dict({"q": {"a": "x"}}), "a grade is not a number"),
    (lambda: Qrels.from_dict({"q": {"a": 1j}}), "a grade is not a number"),
    (lambda: Qrels.from_dict({"q": {"a": None}}), "is nan"),
    (lambda: Qrels.from_dict({7: {"a": 1}}), "ids must be text"),
    (lambda: Run.from_columns(["q"], ["d"], np.ones((1, 1))), r"shape \(1, 1\).*ravel"),
    (lambda: Run.from_columns(pa.array([1]), ["d"], [1]), "ids must be text"),
    (lambda: Run.from_columns(None, ["d"], [1]), "ids must be text"),
    (lambda: Run.from_columns(["q"], ["d"], 3), "a score is not a number"),
    (lambda: Run.from_frame(GRADES), "this is a dict; pass a frame"),
    (lambda: Run.from_frame(pd.DataFrame({"qid": ["q"]})), "is the document or the score"),
    (
        lambda: Run.from_frame(
            pd.DataFrame([["q", "r", "d", 1.0]], columns=["qid", "qid", "docno", "score"])
        ),
        "column qid appears twice",
    ),
    (
        lambda: Run.from_frame(pd.DataFrame({"qid": [1.0], "docno": ["d"], "score": [1.0]})),
        "decimal numbers as ids",
    ),
    (lambda: read_run("no such file.run"), "found No such file"),
    (lambda: read_run("q1 Q0 d1 1 2.5 tag\nq1 Q0 d2 2 1.5 tag\n" * 99), "passed as bytes"),
    (lambda: read_qrels(3), "found a int; expected a path, bytes"),
    (lambda: read_texts(None), "found a NoneType"),
    (lambda: evaluate([], SCORES, "RR"), "This is a list, not Qrels"),
]


@cases(("call", "said"), MISTAKES)
def test_a_mistake_names_the_fix(call, said):
    with pytest.raises(RankscopeError, match=said):
        call()


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=5),
    st.binary(max_size=5),
    st.complex_numbers(),
    st.just(date(2026, 1, 1)),
    st.just(object()),
)


def objects(values):
    """An array of any values; NumPy itself takes lists and arrays apart, or cannot."""
    made = np.empty(len(values), object)
    for place, value in enumerate(values):
        made[place] = value
    return made


ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.dictionaries(st.one_of(st.text(max_size=3), st.integers()), inner, max_size=3),
        st.builds(objects, st.lists(inner, max_size=3)),
        st.builds(iter, st.lists(inner, max_size=3)),
    ),
    max_leaves=6,
)
NAMED = st.sampled_from(["query", "qid", "docno", "document", "score", "grade", "more"])
FRAMES = st.one_of(
    st.builds(
        pd.DataFrame,
        st.dictionaries(NAMED, st.lists(SCALARS, min_size=2, max_size=2), max_size=5),
    ),
    st.builds(
        pa.table,
        st.dictionaries(
            NAMED,
            st.one_of(
                st.lists(st.one_of(st.none(), st.text(max_size=2)), min_size=2, max_size=2),
                st.lists(st.one_of(st.none(), st.floats()), min_size=2, max_size=2),
                st.lists(st.lists(st.integers(0, 3)), min_size=2, max_size=2),
                st.lists(st.booleans(), min_size=2, max_size=2),
            ),
            max_size=5,
        ),
    ),
)
EVERY = st.one_of(ANYTHING, FRAMES)
BOTH = compare(GRADES, SCORES, SCORES, "RR")


class Echo:
    """A model that predicts what it is given."""

    def predict(self, rows):
        return rows


CALLS = {
    "from_dict": lambda a, b, c: Run.from_dict(a),
    "from_frame": lambda a, b, c: Qrels.from_frame(a),
    "from_columns": lambda a, b, c: Run.from_columns(a, b, c),
    "of": lambda a, b, c: Run.of(a),
    "evaluate": lambda a, b, c: evaluate(a, b, c),
    "measure": lambda a, b, c: evaluate(GRADES, SCORES, a),
    "convention": lambda a, b, c: evaluate(GRADES, SCORES, "RR", a),
    "parse": lambda a, b, c: parse(a),
    "read_run": lambda a, b, c: read_run(a),
    "query": lambda a, b, c: explain(GRADES, SCORES, "RR", a),
    "value": lambda a, b, c: evaluate(GRADES, SCORES, "RR").value(a, b),
    "ledger": lambda a, b, c: evaluate(GRADES, SCORES, "RR").ledger(a),
    "per_query": lambda a, b, c: BOTH.per_query(a),
    "documents": lambda a, b, c: BOTH.documents(a),
    "own_measure": lambda a, b, c: own_measure(a, b),
    "earned": lambda a, b, c: evaluate(GRADES, SCORES, own_measure(lambda query: a, "mine")),
    "waterfall": lambda a, b, c: charts.waterfall(BOTH, a, b),
    "waterfall of a query": lambda a, b, c: charts.waterfall(BOTH, "RR", a),
    "deltas": lambda a, b, c: charts.deltas(BOTH, a),
    "by_cutoff": lambda a, b, c: charts.by_cutoff(BOTH, a),
    "running_total": lambda a, b, c: charts.running_total(BOTH.a.ledger("RR"), a),
    "lightgbm_metric": lambda a, b, c: lightgbm_metric(a, b),
    "LightGBM's rows": lambda a, b, c: lightgbm_metric("RR")(a, b, group=c),
    "xgboost_metric": lambda a, b, c: xgboost_metric(a, b),
    "XGBoost's rows": lambda a, b, c: xgboost_metric("RR")(a, b),
    "sklearn_scorer": lambda a, b, c: sklearn_scorer(a, b, queries=0),
    "scikit-learn's rows": lambda a, b, c: sklearn_scorer("RR", queries=c)(Echo(), a, b),
    "ir_measure": lambda a, b, c: ir_measure(a, b),
}


@cases("name", CALLS)
@settings(max_examples=150)
@given(EVERY, EVERY, EVERY)
def test_whatever_is_passed_is_taken_or_refused_in_words(name, a, b, c):
    with contextlib.suppress(RankscopeError):
        CALLS[name](a, b, c)
