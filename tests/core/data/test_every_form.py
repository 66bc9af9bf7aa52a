"""Every public function takes qrels and runs in every form that a person may have them in."""

import inspect
import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import metrics
from metrics import Convention, DataError, Pairing, Qrels, Run, match, read_qrels, read_run
from metrics.errors import NoOverlapError
from tests.cases import cases

GRADES = {"q1": {"a": 1.0, "b": 1.0}, "q2": {"c": 1.0}}
SCORES = {"q1": {"b": 3.0, "x": 2.0, "a": 1.0}, "q2": {"c": 1.0}}


def rows(pairs, value):
    found = [(query, each, of[each]) for query, of in pairs.items() for each in of]
    return dict(zip(("query", "document", value), map(list, zip(*found, strict=True)), strict=True))


def ranked():
    """The columns of the run with ranks in the place of scores."""
    columns = rows(SCORES, "rank")
    return columns | {"rank": [1, 2, 3, 1]}


FORMS = {
    "dicts": (GRADES, SCORES),
    "lists": tuple({query: list(of) for query, of in each.items()} for each in (GRADES, SCORES)),
    "pandas": (pd.DataFrame(rows(GRADES, "grade")), pd.DataFrame(rows(SCORES, "score"))),
    "polars": (pl.DataFrame(rows(GRADES, "grade")), pl.DataFrame(rows(SCORES, "score"))),
    "pyarrow": (pa.table(rows(GRADES, "grade")), pa.table(rows(SCORES, "score"))),
    "ranks in pandas": (pd.DataFrame(rows(GRADES, "grade")), pd.DataFrame(ranked())),
    "ranks in polars": (pl.DataFrame(rows(GRADES, "grade")), pl.DataFrame(ranked())),
}
BATCH = pa.record_batch(rows(SCORES, "score"))
TREC = Run.from_dict(SCORES).to_trec().encode()
CALLS = {
    "bounds": lambda qrels, run: metrics.bounds(qrels, run, "RR"),
    "cohen_kappa": lambda qrels, run: metrics.cohen_kappa(qrels, qrels),
    "compare": lambda qrels, run: metrics.compare(qrels, run, run, "RR").per_query("RR").to_dict(),
    "confusion": lambda qrels, run: metrics.confusion(qrels, qrels).to_dict(),
    "corrected": lambda qrels, run: (
        metrics.corrected(qrels, qrels, run, run, "RR").measures["RR"].a.value
    ),
    "disagreements": lambda qrels, run: metrics.disagreements(qrels, qrels).to_dict(),
    "evaluate": lambda qrels, run: metrics.evaluate(qrels, run, "AP").to_frame().to_dict(),
    "explain": lambda qrels, run: metrics.explain(qrels, run, "AP", "q1").to_dict(),
    "fix_ids": lambda qrels, run: metrics.fix_ids(qrels, run).to_dict(),
    "match": lambda qrels, run: match(qrels, run).hits.rank.tolist(),
    "match_batches": lambda qrels, run: metrics.match_batches(qrels, [BATCH]).hits.rank.tolist(),
    "match_file": lambda qrels, run: metrics.match_file(qrels, TREC).hits.rank.tolist(),
    "judge_next": lambda qrels, run: metrics.judge_next(qrels, run, run, "P@3").order,
    "judge_noise": lambda qrels, run: metrics.judge_noise(qrels, qrels).grades.tolist(),
    "krippendorff_alpha": lambda qrels, run: metrics.krippendorff_alpha([qrels, qrels]),
    "majority": lambda qrels, run: metrics.majority([qrels, qrels]).to_dict(),
    "one_query": lambda qrels, run: metrics.one_query(qrels, run, run, "RR", "q1").a.score,
    "trace": lambda qrels, run: metrics.trace(qrels, run, "AP", "q1").score("q1"),
    "what_counts": lambda qrels, run: metrics.what_counts({"a": qrels}, "mean").to_dict(),
    "Pairing": lambda qrels, run: str(Pairing.of(qrels, [run, run], "RR").verdict),
}
OTHERS = {
    # They take what another function returns.
    *("decisive_labels", "evidence", "leaderboard", "reversal", "save", "score"),
    # They take files, names, or the tables of another library.
    *("parse", "read_attributes", "read_exclusions", "read_judged", "read_judges"),
    *("read_qrels", "read_run", "read_texts"),
    *("ir_measure", "lightgbm_metric", "own_measure", "sklearn_scorer", "xgboost_metric"),
    # Its run is on a cluster: see the test below.
    "match_spark",
    # It takes ids of queries.
    "draw_queries",
}


def test_every_public_function_has_its_call():
    public = (getattr(metrics, name) for name in metrics.__all__)
    functions = {each.__name__ for each in public if inspect.isfunction(each)}
    assert functions == (CALLS.keys() | OTHERS) - {"Pairing"}


@cases("form", FORMS)
@cases("name", CALLS)
def test_every_function_takes_every_form(name, form):
    call = CALLS[name]
    # No form has names.
    expected = call(Qrels.from_dict(GRADES), Run.from_dict(SCORES))
    assert repr(call(*FORMS[form])) == repr(expected)


@cases("form", ["dicts", "pandas"])
def test_a_run_on_a_cluster_is_judged_by_qrels_in_every_form(form):
    qrels, _ = FORMS[form]
    with pytest.raises(DataError, match="The run is a list; pass a DataFrame of PySpark"):
        metrics.match_spark(qrels, [])


def test_values_are_read_as_files_of_the_same_form():
    listed = FORMS["lists"][1]
    assert Run.of(listed).to_dict() == read_run(json.dumps(listed).encode(), "r.json").to_dict()
    assert Qrels.of({"q1": ["a", "b"]}).to_dict() == read_qrels(b'{"q1": ["a", "b"]}').to_dict()
    columns = {"qid": ["q", "q", "r", "q"], "docid": list("abcd"), "rank": [2, 9, 3, 1]}
    run = Run.of(pd.DataFrame(columns))
    assert run.to_dict() == read_run(pd.DataFrame(columns).to_csv(index=False).encode()).to_dict()


def test_a_run_without_a_query_of_the_qrels_is_refused_with_an_id_of_each():
    for run in ({"1": {"a": 1.0}}, pd.DataFrame(rows({"1": {"a": 1}}, "score"))):
        with pytest.raises(NoOverlapError, match=r"the qrels have 'q1', .* fix_ids"):
            metrics.evaluate(GRADES, run, "RR")
    # A run without a query is one that found nothing.
    assert metrics.evaluate(GRADES, {}, "RR", Convention(queries="qrels")).value("RR") == 0


def test_the_text_of_a_verdict_is_its_sentence():
    found = Pairing.of(GRADES, [SCORES, SCORES], "RR").verdict
    assert str(found) == found.sentence.text()
