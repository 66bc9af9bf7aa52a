"""Runs and qrels from dicts, frames and columns; bad values are refused with the fix."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from metrics import (
    Convention,
    DataError,
    Qrels,
    RankscopeError,
    Run,
    bounds,
    compare,
    evaluate,
    explain,
    match,
    parse,
    read_run,
    score,
    trace,
)
from metrics.conventions.convention import PRESETS
from metrics.errors import NoOverlapError
from metrics.matching.judged import pieces
from tests.cases import cases


def test_from_dict_and_frame_are_the_same():
    grades = {"q2": {"a": 1.0}, "q1": {"a": 0.0, "b": 2.5}}
    rows = [(q, d, g) for q, documents in grades.items() for d, g in documents.items()]
    frame = pd.DataFrame(rows, columns=["query", "document", "grade"])
    assert Qrels.from_frame(frame).to_dict() == Qrels.from_dict(grades).to_dict() == grades


@cases(
    ("make", "why"),
    [
        (lambda: Run.from_dict({"q": {"d": float("nan")}}), "finite"),
        (lambda: Run.from_dict({"q": {1: 1.0}}), "must be text"),
        (lambda: Run.from_dict({"q": {None: 1.0}}), "missing"),
        (lambda: Run.from_columns([None], ["d"], [1]), "missing"),
        (lambda: Run.from_dict({"q": {"\ud800": 1.0}}), "must be text"),
        (lambda: Qrels.from_dict({"q": {"d": 1001}}), "Grades are at most 1000"),
        (lambda: Run.from_columns(["q", "q"], ["d", "d"], [1, 2]), "'d' appears twice"),
        (lambda: Run.from_columns(["q"], ["d", "e"], [1, 2]), "equally long"),
        (
            lambda: Run.from_frame(pd.DataFrame({"query": ["q"]})),
            "is the document or the score",
        ),
    ],
)
def test_bad_values_are_refused(make, why):
    with pytest.raises(DataError, match=why):
        make()


def test_one_query_of_many():
    run = Run.from_dict({"q1": {"a": 1}, "q2": {"b": 2, "c": 1}}, "r")
    assert run.only("q2").to_dict() == {"q2": {"b": 2.0, "c": 1.0}}
    assert len(run.only("q9")) == 0
    assert run.only("q9").queries == ()


def test_columns_cannot_be_written_to():
    run = Run.from_dict({"q": {"a": 1, "b": 2}})
    with pytest.raises(ValueError, match="read-only"):
        run.value[0] = 7


def test_a_query_that_was_not_evaluated_has_no_score():
    qrels, run = Qrels.from_dict({"q1": {"a": 1}, "q2": {"a": 1}}), Run.from_dict({"q1": {"a": 1}})
    with pytest.raises(DataError, match="not evaluated"):
        evaluate(qrels, run, "RR").value("RR", "q2")
    with pytest.raises(DataError, match="not in the run"):
        trace(qrels, run, "RR", "q2")
    assert trace(qrels, run, "RR", "q2", Convention(queries="qrels")).scores.tolist() == [0.0]


def test_a_query_without_judgments_cannot_be_traced():
    with pytest.raises(DataError, match="no judgments"):
        trace(Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q9": {"a": 1}}), "RR", "q9")


def test_no_common_query_gives_no_score_rather_than_zero():
    given = Qrels.from_dict({"1": {"a": 1}}), Run.from_dict({"q1": {"a": 1}})
    with pytest.raises(NoOverlapError, match="no query of the qrels"):
        evaluate(*given, ["RR"])
    scores = score(match(*given), ["RR"])
    assert len(scores.per_query) == 0
    assert np.isnan(scores.mean["RR"])


@cases("wrong", [{"gain": "cubic"}, {"level": 0}, {"level": float("nan")}])
def test_conventions_are_checked(wrong):
    with pytest.raises(RankscopeError, match="Convention"):
        Convention(**wrong)


def test_a_convention_says_what_differs():
    assert Convention().label == "trec_eval"
    assert Convention(ideal="retrieved", level=2).label == (
        "trec_eval, but relevant: grade 2 or higher; ideal ranking: retrieved documents only"
    )


def test_a_label_names_the_tool_that_makes_these_choices_and_lists_them():
    asked = "ties: by document id, ascending"
    mean = "mean over: all judged queries, 0 if not in the run"
    chosen = Convention(ties="ascending", queries="qrels")
    assert chosen.label == f"MS MARCO, with {asked}; {mean}"
    assert replace(chosen, queries="both").label == f"trec_eval, but {asked}"
    other = replace(chosen, gain="exponential")
    assert other.label == f"trec_eval, but gain: 2^grade − 1; {asked}; {mean}"
    # Of a measure that some tools count alike, each has its own name.
    every = [parse("nDCG@5").label(PRESETS[name]) for name in PRESETS]
    assert [label.partition(", with ")[0] for label in every] == [*PRESETS]


def test_a_tag_goes_with_the_rows_and_not_into_the_digest():
    tagged = read_run(b"q1 Q0 a 1 2 bm25\nq2 Q0 a 1 2 bm25", "mine.run")
    plain = read_run(b"q1 Q0 a 1 2\nq2 Q0 a 1 2", "mine.run")
    qrels = Qrels.from_dict({"q1": {"a": 1}})
    assert (tagged.tag, plain.tag) == ("bm25", "")
    assert tagged.digest == plain.digest
    kept = tagged.rows(np.array([0])), tagged.only("q1"), tagged.renamed("x"), tagged.noted([])
    assert {each.tag for each in (*kept, *pieces(tagged), match(qrels, tagged))} == {"bm25"}


def test_a_query_may_be_ranked_empty():
    qrels = Qrels.from_dict({"q1": {"a": 1}, "q2": {}})
    run = Run.from_dict({"q1": {}, "q2": {"a": 1}})
    scores = evaluate(qrels, run, ["nDCG", "P", "AP"])
    assert scores.per_query.to_dict("index") == {"q1": {"nDCG": 0.0, "P": 0.0, "AP": 0.0}}
    assert scores.judged.missing_from_qrels == ("q2",)
    assert trace(qrels, run, "IDCG", "q1").scores.tolist() == [1.0]


def test_digests_identify_the_content():
    run = Run.from_dict({"q": {"a": 1, "b": 2}}, "one")
    assert run.digest == Run.from_dict({"q": {"a": 1, "b": 2}}, "two").digest
    assert run.digest != Run.from_dict({"q": {"a": 1, "b": 3}}).digest
    assert run.digest != Run.from_dict({"q": {"a": 1, "c": 2}}).digest
    assert run.digest != Run.from_dict({"p": {"a": 1, "b": 2}}).digest
    both = Run.from_dict({"p": {"a": 9}, "q": {"a": 1, "b": 2}})
    assert run.digest == both.only("q").digest


QRELS, RUN = Qrels.from_dict({"q": {"a": 1}}), Run.from_dict({"q": {"a": 1}})


@cases(
    ("call", "said"),
    [
        (lambda: evaluate(RUN, QRELS, "RR"), "Qrels first, then the Run; these are a Run and a Qr"),
        (lambda: evaluate("qrels.txt", RUN, "RR"), "This is a str, not Qrels. Build one with"),
        (lambda: evaluate(QRELS, RUN, "RR", "rank"), "no convention 'rank'. Did you mean ranx?"),
        (lambda: evaluate(QRELS, RUN, "RR", 3), "pass the name of a preset, such as"),
        (lambda: evaluate(QRELS, RUN, 5), "5 is not a measure"),
        (lambda: compare(QRELS, RUN, RUN, [None]), "None is not a measure"),
        (lambda: compare(QRELS, RUN, QRELS, "RR"), "a Qrels and a Qrels"),
        (lambda: explain(RUN, QRELS, "RR", "q"), "a Run and a Qrels"),
        (lambda: bounds(QRELS, RUN, "RR", None), "convention is None"),
        (lambda: evaluate(QRELS, RUN, "RR").value("AP"), r"'AP' is not among these scores: RR"),
    ],
)
def test_wrong_arguments_are_explained(call, said):
    with pytest.raises(RankscopeError, match=said):
        call()


def test_scores_say_what_they_are():
    shown = repr(evaluate(QRELS, RUN, ["RR", "AP"]))
    assert shown == "Scores(RR, AP: 1 queries, convention trec_eval)"
