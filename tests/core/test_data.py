"""Runs and qrels from dicts, frames and columns; bad values are refused with the fix."""

import numpy as np
import pandas as pd
import pytest

from metrics import Convention, DataError, Qrels, RankscopeError, Run, evaluate, trace


def test_from_dict_and_frame_are_the_same():
    grades = {"q2": {"a": 1.0}, "q1": {"a": 0.0, "b": 2.5}}
    rows = [(q, d, g) for q, documents in grades.items() for d, g in documents.items()]
    frame = pd.DataFrame(rows, columns=["query", "document", "grade"])
    assert Qrels.from_frame(frame).to_dict() == Qrels.from_dict(grades).to_dict() == grades


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Run.from_dict({"q": {"d": float("nan")}}), "finite"),
        (lambda: Run.from_dict({"q": {1: 1.0}}), "must be text"),
        (lambda: Run.from_dict({"q": {None: 1.0}}), "missing"),
        (lambda: Run.from_columns(["q", "q"], ["d", "d"], [1, 2]), "'d' stands there twice"),
        (lambda: Run.from_columns(["q"], ["d", "e"], [1, 2]), "equally long"),
        (lambda: Run.from_frame(pd.DataFrame({"query": ["q"]})), "no column document, score"),
    ],
)
def test_bad_values_are_refused(make, why):
    with pytest.raises(DataError, match=why):
        make()


def test_one_query_of_many():
    run = Run.from_dict({"q1": {"a": 1}, "q2": {"b": 2, "c": 1}}, "r")
    assert run.only("q2").to_dict() == {"q2": {"b": 2.0, "c": 1.0}}
    assert len(run.only("q9")) == 0


def test_a_query_without_judgments_cannot_be_traced():
    with pytest.raises(DataError, match="no judgments"):
        trace(Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q9": {"a": 1}}), "RR", "q9")


def test_no_common_query_gives_no_score_rather_than_zero():
    scores = evaluate(Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"q1": {"a": 1}}), ["RR"])
    assert len(scores.per_query) == 0
    assert np.isnan(scores.mean["RR"])


@pytest.mark.parametrize("wrong", [{"gain": "cubic"}, {"level": 0}, {"level": float("nan")}])
def test_conventions_are_checked(wrong):
    with pytest.raises(RankscopeError, match="Convention"):
        Convention(**wrong)


def test_a_convention_says_what_differs():
    assert Convention().label == "trec_eval"
    label = Convention(ideal="retrieved", level=2).label
    assert (
        label == "trec_eval, but relevant from grade 2 and ideal from the retrieved documents only"
    )
