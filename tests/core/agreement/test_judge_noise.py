"""Judgments drawn anew follow the confusion of two judges."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from metrics import Qrels, Run, compare
from metrics.agreement import judge_noise as module
from metrics.agreement.judge_noise import judge_noise
from metrics.agreement.side_by_side import confusion
from tests.cases import cases
from tests.core.agreement.judges import drawn, judges_of


@cases("seed", range(3))
def test_draws_follow_the_rows_of_the_confusion(seed):
    observed, truth = judges_of(drawn(seed, scale=[0, 1, 2, 3], documents=200))
    table = confusion(observed, truth)
    values = np.stack([each.value for each in judge_noise(observed, truth).draws(observed, 400)])
    for grade, row in table.iterrows():
        of_grade = values[:, observed.value == grade]
        counts = [(of_grade == other).sum() for other in table.columns]
        expected = row / row.sum() * of_grade.size
        assert sum(counts) == of_grade.size
        assert scipy.stats.chisquare(counts, expected).pvalue > 1e-4


def test_a_certain_judge_is_followed_and_unknown_grades_are_kept_and_counted():
    observed = Qrels.from_dict({"q": {"v": 0, "w": 1, "x": 2, "y": -1, "z": 9, "u": 0}}, "model")
    truth = Qrels.from_dict({"q": {"v": 3, "x": 5, "other": 1}})
    noise = judge_noise(observed, truth)
    assert noise.kept(observed) == 3
    for number, drawn_qrels in enumerate(noise.draws(observed, 3), start=1):
        grades = {"v": 3, "w": 1, "x": 5, "y": -1, "z": 9, "u": 3}
        assert drawn_qrels.to_dict() == {"q": grades}
        assert drawn_qrels.name == f"model draw {number}"
        assert [note.code for note in drawn_qrels.notes] == [module.KEPT]
        assert drawn_qrels.notes[0].text.startswith("3 judgments kept")
    assert observed.value.tolist() == [0, 1, 2, -1, 9, 0]


def test_judges_who_share_nothing_change_nothing():
    observed, truth = Qrels.from_dict({"q": {"x": 1}}), Qrels.from_dict({"q": {"y": 1}})
    noise = judge_noise(observed, truth)
    assert noise.kept(observed) == 1
    (found,) = noise.draws(observed, 1)
    assert found.digest == observed.digest
    assert list(noise.draws(observed, 0)) == []
    (empty,) = noise.draws(Qrels.from_dict({}), 1)
    assert len(empty) == 0


def test_a_judge_who_never_errs_adds_no_noise():
    (qrels,) = judges_of(drawn(1, judges=1))
    for each in judge_noise(qrels, qrels).draws(qrels, 3):
        assert each.digest == qrels.digest
        assert not each.notes


def test_draws_keep_their_seed_and_do_not_depend_on_their_number():
    observed, truth = judges_of(drawn(3))
    noise = judge_noise(observed, truth)
    digests = [each.digest for each in noise.draws(observed, 10)]
    assert digests[:4] == [each.digest for each in noise.draws(observed, 4)]
    assert len(set(digests)) == 10
    assert digests[0] != next(noise.draws(observed, 1, seed=1)).digest


def test_reasons_and_aspects_belong_to_the_grades_before():
    observed = Qrels.from_aspects({"q": {"d": {"price": 0, "brand": 2}}})
    observed = replace(observed, reasons={"q": {"d": "names the brand"}})
    (found,) = judge_noise(observed, Qrels.from_dict({"q": {"d": 1}})).draws(observed, 1)
    assert found.to_dict() == {"q": {"d": 1.0}}
    assert not found.aspects
    assert not found.reasons
    assert [note.code for note in found.notes] == [module.ASPECTS]


def test_a_comparison_runs_under_each_draw():
    # A half of what the model calls relevant is not: the true P@1 of both runs is about a half.
    documents = [f"d{place}" for place in range(20)]
    model = Qrels.from_dict({"q": dict.fromkeys(documents, 1)})
    person = Qrels.from_dict({"q": {d: place % 2 for place, d in enumerate(documents)}})
    a, b = (Run.from_dict({"q": {document: 1}}) for document in documents[:2])
    deltas = [
        compare(each, a, b, "P@1").summary("P@1").delta
        for each in judge_noise(model, person).draws(model, 200)
    ]
    assert set(deltas) == {-1, 0, 1}
    assert abs(np.mean(deltas)) < 0.2
    assert np.mean(np.abs(deltas)) == pytest.approx(0.5, abs=0.12)
