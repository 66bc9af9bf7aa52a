"""A score is the sum of its ledger: for one query and for many, whatever the measure."""

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics import Convention, DataError, Qrels, Run, evaluate, explain, match, parse, trace
from metrics.scoring.evaluate import score
from metrics.scoring.formula import line, substituted
from tests.cases import cases

MEASURES = [
    *("P", "P@3", "R", "R@3", "F1", "F1@3", "Success", "Success@2", "RR", "RR@2", "AP", "AP@3"),
    *("DCG", "DCG@3", "IDCG@3", "nDCG", "nDCG@3", "nDCG(gain=exponential)@3", "P(rel=2)@3"),
]
DOCUMENTS = [f"d{i}" for i in range(8)]
QRELS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1),
    min_size=1,
)
RUNS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3", "q4"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(0, 4), min_size=1),
    min_size=1,
)


@given(QRELS, RUNS)
def test_an_independent_second_way_agrees(qrels, run):
    """Check against the measures computed over a sorted list, without a ledger."""
    scores = score(match(Qrels.from_dict(qrels), Run.from_dict(run)), MEASURES).per_query
    for query in set(qrels) & set(run):
        grades = qrels[query]
        ranked = sorted(run[query], key=lambda d: (run[query][d], d), reverse=True)
        rel = [grades.get(d, 0) >= 1 for d in ranked]
        total = sum(g >= 1 for g in grades.values())
        hits = sum(rel[:3])
        dcg = [max(grades.get(d, 0), 0) / math.log2(i + 2) for i, d in enumerate(ranked)]
        ideal = sorted((max(g, 0) for g in grades.values()), reverse=True)
        idcg = [g / math.log2(i + 2) for i, g in enumerate(ideal)]
        precisions = [sum(rel[: i + 1]) / (i + 1) for i in range(len(rel)) if rel[i]]
        expected = {
            "P@3": hits / 3,
            "R@3": hits / total if total else 0,
            "F1@3": 2 * hits / (3 + total),
            "Success@2": float(any(rel[:2])),
            "RR": 1 / (rel.index(True) + 1) if any(rel) else 0,
            "AP": sum(precisions) / total if total else 0,
            "DCG@3": sum(dcg[:3]),
            "nDCG@3": sum(dcg[:3]) / sum(idcg[:3]) if sum(idcg[:3]) else 0,
        }
        assert scores.loc[query, list(expected)].to_dict() == pytest.approx(expected)


@given(QRELS, RUNS, st.randoms(use_true_random=False))
def test_the_order_of_the_rows_changes_nothing(qrels, run, random):
    def shuffled(kind, values):
        rows = [(q, d, v) for q, documents in values.items() for d, v in documents.items()]
        random.shuffle(rows)
        return kind.from_columns(*zip(*rows, strict=True))

    straight = score(match(Qrels.from_dict(qrels), Run.from_dict(run)), MEASURES)
    mixed = score(match(shuffled(Qrels, qrels), shuffled(Run, run)), MEASURES)
    assert mixed.per_query.reindex(straight.per_query.index).equals(straight.per_query)
    assert mixed.mean.equals(straight.mean)


def test_average_precision_is_the_area_under_the_recall_steps():
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 0, "c": 1, "z": 1}})
    run = Run.from_dict({"q": {"a": 3, "b": 2, "c": 1}})
    lines = explain(qrels, run, "AP", "q")
    recall = np.cumsum(lines["recall_step"])
    area = float((np.diff(recall, prepend=0.0) * lines["precision"]).sum())
    assert area == pytest.approx(lines.attrs["score"])
    assert lines.attrs["score"] == pytest.approx((1 + 2 / 3) / 3)


def test_unjudged_documents_are_lines_that_earn_nothing():
    qrels = Qrels.from_dict({"q": {"a": 1}})
    run = Run.from_dict({"q": {"x": 2, "a": 1}})
    lines = explain(qrels, run, "nDCG@5", "q")
    assert lines["document"].tolist() == ["x", "a"]
    assert math.isnan(lines["grade"].iloc[0])
    assert lines["contribution"].iloc[0] == 0.0


@cases("measure", ["DCG", "nDCG", "RnDCG", "nDCGrel", "G"])
def test_a_gain_for_grade_0_is_not_for_unjudged_documents(measure):
    qrels = Qrels.from_dict({"q": {"a": 0, "b": 2}})
    run = Run.from_dict({"q": {"x": 3, "a": 2, "b": 1}})
    convention = Convention(gain="{0:0.5}")
    lines = explain(qrels, run, measure, "q", convention)
    assert lines["gain"].tolist() == [0.0, 0.5, 2.0]
    assert lines.attrs["score"] == evaluate(qrels, run, measure, convention).value(measure)


@pytest.mark.parametrize("negative", ["unjudged", "nonrelevant"])
def test_a_gain_for_a_grade_below_0_counts_only_where_such_grades_do(negative):
    qrels, run = Qrels.from_dict({"q": {"a": -1}}), Run.from_dict({"q": {"a": 1}})
    gains = {
        choice: evaluate(qrels, run, "DCG", Convention(gain="{-1:0.5}", negative=choice)).value(
            "DCG"
        )
        for choice in (negative, "subtract")
    }
    assert gains == {negative: 0.0, "subtract": 0.5}


@pytest.mark.parametrize(
    ("ideal", "grades"),
    [("retrieved", [0, 0, 0, -2]), ("doubled", [0, 0, 0, -2, -2, -3])],
)
def test_in_an_ideal_unjudged_documents_rank_above_negative_gains(ideal, grades):
    qrels = Qrels.from_dict({"q": {"a": -2, "b": -3}})
    run = Run.from_dict({"q": {"x": 4, "y": 3, "z": 2, "a": 1}})
    convention = Convention(ideal=ideal, negative="subtract")
    idcg = sum(grade / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))
    assert evaluate(qrels, run, "IDCG", convention).value("IDCG") == pytest.approx(idcg)
    assert trace(qrels, run, "IDCG", "q", convention).scores[0] == pytest.approx(idcg)


def test_the_ideal_of_the_retrieved_documents_only():
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 3, "z": 3}})
    run = Run.from_dict({"q": {"a": 2, "b": 1}})
    judged = match(qrels, run, Convention(ideal="retrieved"))
    ideal = parse("IDCG").ledger(judged)
    assert ideal.table("q")["document"].tolist() == ["b", "a"]


def test_equal_scores_share_a_tie_group():
    qrels = Qrels.from_dict({"q": {"a": 1, "b": 1, "c": 1}})
    hits = match(qrels, Run.from_dict({"q": {"a": 1, "b": 1, "c": 2}})).hits
    assert hits.document.to_pylist() == ["c", "b", "a"]
    assert hits.first.tolist() == [1, 2, 2]
    assert hits.last.tolist() == [1, 3, 3]


def test_queries_on_one_side_are_named():
    qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}})
    run = Run.from_dict({"q2": {"a": 1}, "q9": {"a": 1}})
    judged = match(qrels, run)
    assert judged.queries == ("q2",)
    assert judged.missing_from_run == ("q1",)
    assert judged.missing_from_qrels == ("q9",)
    assert evaluate(qrels, run, ["RR"]).mean["RR"] == 1.0
    assert evaluate(qrels, run, ["RR"], Convention(queries="qrels")).mean["RR"] == 0.5


def test_the_formula_holds_the_numbers():
    qrels = Qrels.from_dict({"q": {"a": 3, "b": 2}})
    run = Run.from_dict({"q": {"a": 2, "b": 1}})
    formula = substituted(trace(qrels, run, "DCG@2", "q"), "q")
    assert formula == (r"\mathrm{DCG@2} = 4.2619 = \frac{3}{\log_2(1+1)} + \frac{2}{\log_2(2+1)}")


@cases("measure", MEASURES)
def test_no_formula_divides_by_nothing(measure):
    qrels, run = Qrels.from_dict({"q": {"a": 0}}), Run.from_dict({"q": {"a": 2, "b": 1}})
    ledger = trace(qrels, run, measure, "q")
    shown = [substituted(ledger, "q"), line(ledger, "q", "a")]
    assert not any("0.0000}" in latex or "{0}{0}" in latex for latex in shown)
    assert all("nothing relevant" in latex for latex in shown) == ledger.measure.normalised


def test_a_start_that_is_not_0_has_a_named_line():
    qrels, run = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"x": 3, "y": 2, "a": 1}})
    lines = explain(qrels, run, "RBPres(p=0.5)", "q")
    assert lines.loc[0, "document"] == "(everything is unknown)"
    assert lines["running"].tolist() == [1.0, 1.0, 1.0, 0.875]
    scores = evaluate(qrels, run, ["NumRet", "Utility"])
    assert scores.ledgers["NumRet"].table("q")["document"].tolist() == ["(unjudged documents)", "a"]
    assert scores.per_query.loc["q"].tolist() == [3.0, -1.0]
    assert trace(qrels, run, "NumRet", "q").table("q")["contribution"].tolist() == [1, 1, 1]


@cases(("undefined", "expected"), [("zero", 0.5), ("one", 1.0), ("skip", 1.0)])
def test_a_query_with_nothing_to_find(undefined, expected):
    qrels, run = (
        Qrels.from_dict({"q": {"a": 1}, "n": {"a": 0}}),
        Run.from_dict({"q": {"a": 1}, "n": {"a": 1}}),
    )
    convention = Convention(undefined=undefined)
    scores = evaluate(qrels, run, ["nDCG", "AP", "RR"], convention)
    assert scores.mean[["nDCG", "AP"]].tolist() == [expected, expected]
    # RR is never 0/0: there it is 0, unless such queries are left out.
    assert scores.mean["RR"] == (1.0 if undefined == "skip" else 0.5)
    lines = scores.ledgers["nDCG"].table("n")["document"].tolist()
    assert ("(nothing to find)" in lines) == (undefined != "zero")


def test_a_changed_table_changes_no_ledger():
    ledger = trace(Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1}}), "nDCG@1", "q")
    shown = ledger.table("q")
    shown.loc[1, "contribution"] = 7.0
    del shown["grade"]
    assert ledger.table("q")["contribution"].tolist() == [1.0]
    assert "grade" in ledger.table("q")


def test_a_ledger_has_those_of_its_numerator_and_denominator():
    qrels, run = Qrels.from_dict({"q": {"a": 3, "b": 1}}), Run.from_dict({"q": {"b": 2, "a": 1}})
    whole, plain = (trace(qrels, run, name, "q") for name in ("nDCG@2", "DCG@2"))
    dcg, idcg = whole.parts
    assert [str(part.measure) for part in whole.parts] == ["DCG@2", "IDCG@2"]
    assert dcg.scores[0] / idcg.scores[0] == pytest.approx(whole.scores[0], abs=1e-15)
    assert whole.ideal is idcg
    assert plain.parts == (plain,)
    assert plain.ideal is None


def test_a_query_that_was_not_evaluated_is_named():
    qrels, run = Qrels.from_dict({"q": {"a": 1}, "p": {"a": 1}}), Run.from_dict({"q": {"a": 1}})
    scores = evaluate(qrels, run, "nDCG")
    ledger = scores.ledgers["nDCG"]
    for asked in (ledger.table, ledger.score, partial(scores.value, "nDCG")):
        with pytest.raises(DataError, match="Query 'p' was not evaluated: it must be in the qrels"):
            asked("p")


def table(name, grades, documents):
    """The ledger of one query whose documents are in this order."""
    run = {document: -float(rank) for rank, document in enumerate(documents)}
    traced = trace(Qrels.from_dict({"q": grades}), Run.from_dict({"q": run}), name, "q")
    return traced.table("q").set_index("document")


def test_interpolated_precision_is_taken_at_relevant_documents():
    for name, column in (("IPrec@0", "chosen"), ("AvgIPrec", "points")):
        found = table(name, {"a": 1}, ["x", "a", "y"])
        assert list(found.index[found[column] > 0]) == ["a"]
        assert not table(name, {"a": 1, "b": 0}, ["b", "c"])[column].any()


def test_the_weights_of_compatibility_are_sums_over_the_ranks_below():
    # W(m) = Σ p^(i−1)/i from rank m to the depth 3; two ideal documents: W(1) + W(2).
    p, grades = 0.5, {"a": 2, "b": 1, "c": 0}
    terms = [p**i / (i + 1) for i in range(3)]
    found = table("Compat(p=0.5)", grades, ["b", "c", "a"])
    assert found["ideal_rank"].to_dict() == {"b": 2, "c": 0, "a": 1}
    weights = {"b": sum(terms[1:]), "c": 0.0, "a": terms[2]}
    assert found["weight"].to_dict() == pytest.approx(weights)
    assert found["best"].tolist() == pytest.approx([sum(terms) + sum(terms[1:])] * 3)
